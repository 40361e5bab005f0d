"""Makes challenges from environments: trajectories to predict, goals to plan for, changes to detect."""
