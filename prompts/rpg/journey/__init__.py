"""What models are told of a journey."""
