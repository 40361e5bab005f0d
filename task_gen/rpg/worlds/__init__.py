"""Describe a world as content for tasks: what in it is unused or unreachable, and how it is balanced."""
