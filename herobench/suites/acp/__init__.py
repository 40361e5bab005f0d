"""ACPBench Hard: the eight questions that planning is made of, asked without choices, and graded in two ways.

from herobench.suites.acp import grade

grade(row, "[(sail l4 l0), (debark c2 l4)]", how="sound")
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from herobench.suites.acp.answers.grading import grade
else:
    from herobench.data.lazy import lazy_names as _lazy_names

    __getattr__, __dir__ = _lazy_names(
        __name__,
        {
            "herobench.suites.acp.answers.grading": ("grade",),
        },
    )

__all__ = ["grade"]
