"""ACPBench Hard: the eight questions that planning is made of, asked without choices, and graded in two ways.

from herobench.suites.acp import grade

grade(row, "[(sail l4 l0), (debark c2 l4)]", how="sound")
"""

from herobench.suites.acp.answers.grading import grade

__all__ = ["grade"]
