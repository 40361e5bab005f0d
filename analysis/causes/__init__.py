"""Causes of lost plans in the RPG: finer classes than the paper's, found among the events of a sample."""
