"""Maps of worlds, drawn from their data and nothing else."""
