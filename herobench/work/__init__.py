"""Work on many rows, in order and in constant memory."""
