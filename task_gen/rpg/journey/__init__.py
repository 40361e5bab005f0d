"""Makes roads of regions, finds their least times by two solvers, and judges each decision of a plan."""
