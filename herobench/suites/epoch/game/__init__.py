"""The game of the suite epoch: its world, its levels, its turns, and what came of them."""
