"""The leaderboard as a page: one HTML file that needs only a browser, made from slim rows or from runs.

A slim row is what a submitter hands in of an attempt: `slim` makes the rows of a run, `slim_file` reads them, `entry`
reads slim files and runs alike, `index` ranks them, and `page` writes the page. Replays are drawn by the report's code.
"""
