"""Content packs: read them, apply them to a world, and trace problems back to the files that an author can change."""
