"""Agents, which play attempts by asking a model."""
