"""The checkup: all suites asked of one model, as ordinary runs in one folder, with a price before they start."""
