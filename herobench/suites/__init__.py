"""Benchmark suites beside the role-playing game: one package for each, with its questions, grading and players."""
