"""Tasks that cannot be done: close places of a map, and prove that then no plan wins, or that it does not matter."""
