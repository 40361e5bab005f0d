"""The laws, the land and its days; nothing here knows of a model."""
