"""The contract by which the analysis reads the samples of a suite, and intervals of figures."""
