"""Chooses tasks by the verdicts so far: the posterior of the horizon, and the tasks that tell most about it."""
