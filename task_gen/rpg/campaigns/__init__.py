"""Campaigns: several goals in order, drawn to a wanted length, with gear of rivals beside the gear that is needed."""
