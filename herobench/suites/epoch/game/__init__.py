"""The game of the suite epoch: its world, its levels, its turns and their results."""
