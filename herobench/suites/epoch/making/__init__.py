"""Draws levels, solves them and proves their certificates."""
