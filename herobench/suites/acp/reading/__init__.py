"""The reading of the suite acp: its columns, the tables of the paper and the panel of the report."""
