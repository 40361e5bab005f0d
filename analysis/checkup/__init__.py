"""The page of a checkup: one model on all suites, or several models side by side."""
