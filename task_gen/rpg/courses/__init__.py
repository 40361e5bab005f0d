"""Courses: campaigns in small worlds of their own, whose lengths are proven over all ways to win."""
