"""Generate, prove and describe tasks."""
