"""The reading of the suite autumn: its columns and tables, and the replay of grids in the report."""
