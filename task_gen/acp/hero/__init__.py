"""Makes questions about the hero's world: draws states from the oracle's plans, and proves the answers."""
