"""Draw one task: its difficulty, its certificate, and what it tells."""
