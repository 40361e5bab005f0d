"""What can be said of a world as content for tasks: what in it is dead, and how it is balanced."""
