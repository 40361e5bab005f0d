"""The RPG suite: its world, its rules, its game, and how an episode of it is scored."""
