"""The RPG's reading: its columns, causes, tables and the replay in the report."""
