"""Worlds of the role-playing game as files: read, check, compare, layer and draw them."""
