"""Commands of the role-playing game: gear, repairs, worlds, and files of the published benchmark."""
