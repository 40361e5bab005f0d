"""What a model is told in the suite autumn."""
