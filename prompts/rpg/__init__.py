"""What a model is told in the role-playing game."""
