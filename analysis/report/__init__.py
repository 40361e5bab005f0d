"""The report: one or several runs as one HTML file that needs nothing but a browser.

`write_report` is the way in. Everything that is counted or replayed is worked out here, in Python; the page in `page/`
draws it and knows no rule of the game.
"""

from herobench.analysis.report.run import ReportRun
from herobench.analysis.report.write import write_report

__all__ = ["ReportRun", "write_report"]
