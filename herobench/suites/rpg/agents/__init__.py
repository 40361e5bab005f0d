"""Agents that are made for the RPG: teams of sub-agents, after the paper's two architectures."""
