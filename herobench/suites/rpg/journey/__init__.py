"""Journeys: roads of regions, the walk along one, and the suite that asks for it."""
