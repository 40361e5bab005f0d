"""The leaderboard as a page: one HTML file that needs only a browser, made from slim rows or from runs.

`entry` makes slim rows of a run, and reads slim files and runs alike. `board` ranks them and writes the page. Replays
are drawn by the report's code.
"""
