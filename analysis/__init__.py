"""The analysis: statistics, tables, figures and reports on samples. It reads files and never runs a model."""
