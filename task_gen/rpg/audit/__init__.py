"""Players that use only what a prompt tells, and the audit: a count of the tasks that each of them wins."""
