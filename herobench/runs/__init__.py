"""Runs: a suite's tasks asked of a model by an agent, every answer kept, scored as it comes, in a folder that lasts."""
