"""The checkup: the parts that suites declare, asked of one model as runs in one folder, with one page on them."""
