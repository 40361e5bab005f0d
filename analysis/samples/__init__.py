"""Read the samples of runs: as facts in constant memory, as a table, or as Parquet files."""
