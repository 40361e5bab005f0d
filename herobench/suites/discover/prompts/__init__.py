"""What models are told of the suite discover."""
