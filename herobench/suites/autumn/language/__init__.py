"""The language Autumn: its parser, its compiler to Python, its library, and the worlds that run its programs.

docs/autumn.md describes the language.
"""
