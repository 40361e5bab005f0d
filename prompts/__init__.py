"""Prompts: the templates, as files, and the code that renders them."""
