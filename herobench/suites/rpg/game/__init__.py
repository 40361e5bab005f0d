"""The rules of the role-playing game, played and scored. It reads no file and no clock."""
