"""The suite rpg: its game, its worlds, how plans are played and scored, and its agents."""
