"""The report: one or several runs as one HTML file that needs only a browser.

Call `write_report`. Everything is counted and replayed here, in Python; the page in `page/` draws it and knows no rule
of any suite. A suite adds the panel of a sample's page by its reading.
"""

from herobench.analysis.report.write import ReportRun, write_report

__all__ = ["ReportRun", "write_report"]
