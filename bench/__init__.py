"""Benchmarks: `make bench` runs them all, prints the figures and writes them to a JSON file.

Speed is measured here and asserted nowhere: machines differ, and a timed test fails for the wrong reasons. Each module
is one subject and has a function `measure()` that returns its figures by name.
"""
