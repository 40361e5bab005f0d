"""The contract of a suite, and what checks, generates, records and validates through it."""

from herobench.suite.contract import (
    DEFAULT_SUITE,
    Attempt,
    FreshSuite,
    Option,
    Suite,
    SuiteMaker,
    SuiteSetting,
    TaskInfo,
    TwinSuite,
    Verdict,
)

__all__ = [
    "DEFAULT_SUITE",
    "Attempt",
    "FreshSuite",
    "Option",
    "Suite",
    "SuiteMaker",
    "SuiteSetting",
    "TaskInfo",
    "TwinSuite",
    "Verdict",
]
