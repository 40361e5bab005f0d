"""A challenge of the suite autumn, and an episode of it: the interaction, then the test."""
