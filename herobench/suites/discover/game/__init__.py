"""What may differ, the tasks, and the game that tools play; nothing here knows of a model."""
