"""Answers to questions: their grades, and players that give them without a model."""
