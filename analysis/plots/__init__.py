"""Figures for papers and slides, drawn by matplotlib."""
