"""Readings of suites: what the analysis knows of one suite only, in a folder for each."""
