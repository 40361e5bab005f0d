"""The reading of the suite discover."""
