"""Journeys: roads of regions, the walk along one, plans, and tasks. The suite stands above: `journey_suite.py`."""
