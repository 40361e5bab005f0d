"""The reading of the suite epoch: its columns, tables and exports, traces of games, and the panel of the report."""
