"""Agents: how an attempt is taken to a model."""
