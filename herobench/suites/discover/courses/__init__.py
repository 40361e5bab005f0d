"""Courses: several goals in order, in small worlds of their own, with lengths proven over all ways to win."""
