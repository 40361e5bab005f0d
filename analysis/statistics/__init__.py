"""Figures of runs: rates with intervals, pairs, horizons, rankings, roles and twins."""
