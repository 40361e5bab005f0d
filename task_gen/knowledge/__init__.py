"""What a task tells: what is needed, decoys beside it, and noise."""
