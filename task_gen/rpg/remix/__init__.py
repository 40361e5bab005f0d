"""New worlds from a seed, of the same kind of depth as the classic one."""
