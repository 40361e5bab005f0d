"""The contract of a suite, and what checks, generates, records and validates through it."""

from herobench.suite.contract import (
    DEFAULT_SUITE,
    Attempt,
    Distance,
    FreshSuite,
    Option,
    Suite,
    SuiteSetting,
    TaskInfo,
    Verdict,
)

__all__ = [
    "DEFAULT_SUITE",
    "Attempt",
    "Distance",
    "FreshSuite",
    "Option",
    "Suite",
    "SuiteSetting",
    "TaskInfo",
    "Verdict",
]
