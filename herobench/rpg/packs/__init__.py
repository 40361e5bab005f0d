"""Content packs: read, laid on a world, and traced back to the files that their authors can mend."""
