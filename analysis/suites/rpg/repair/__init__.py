"""Finds where a plan was lost, and the fewest edits with which it wins."""
