"""The contract of a suite, and what checks, generates, records and validates through it."""

from herobench.suite.contract import (
    Attempt,
    Distance,
    FreshSuite,
    Suite,
    SuiteSetting,
    TaskInfo,
    Verdict,
)

__all__ = [
    "Attempt",
    "Distance",
    "FreshSuite",
    "Suite",
    "SuiteSetting",
    "TaskInfo",
    "Verdict",
]
