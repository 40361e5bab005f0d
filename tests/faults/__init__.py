"""Planted faults: the tests are worth what they find. Run them with `python -m tests.faults [NAME...]`."""
