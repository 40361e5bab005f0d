"""Questions of the suite acp: the eight kinds, what answers mean, and how they are graded."""
