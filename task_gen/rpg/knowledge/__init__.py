"""Choose the knowledge of a task: the facts that it tells, decoys and noise."""
