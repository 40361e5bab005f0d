"""Defaults that commands name before they load the generator, which takes a while to import.

The suite, the datasets, the specs, the players and the commands use them. This module imports nothing, so it slows no
command down.
"""

DEFAULT_DATASET = "horizon"
"""The set that commands take if none is named. Its tasks are campaigns, which have lengths in place of brackets."""
BRACKETED_DATASET = "base"
"""The set that commands take if none is named, and the user asks for a bracket or for a task of one goal."""
NOISE = 5
"""The number of noise items of a task, if the user asks for noise and gives no number."""
CRAFT_SHARE = 0.33
"""The share of craft tasks in mixed ones, at difficulties that have craft tasks."""
PLAYERS = ("oracle", "greedy", "noop", "gatherer", "visitor", "collector", "refuser", "shortcut")
"""The names of the players that need no model."""
