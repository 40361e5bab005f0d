"""The formats of `herobench analyze`, and those that the readings of suites add to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from herobench.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading import Reading

FORMATS = ("table", "md", "latex", "csv", "parquet", "slim", "json", "html")


def refuse_unknown_format(form: str) -> None:
    """Raise UsageError for a format that no suite has, before anything is read."""
    if form not in FORMATS:
        from herobench.analysis.checked_reading import installed_readings

        own = (name for reading in installed_readings().values() for name in reading.exports)
        known = list(dict.fromkeys([*FORMATS, *own]))
        if form not in known:
            raise UsageError(f"There is no format {form!r}: give one of {', '.join(known)}.")


def exported(samples: pd.DataFrame, form: str, read_by: Reading) -> str:
    """Return the samples in a format of their suite."""
    if form not in read_by.exports:
        known = ", ".join([*FORMATS, *read_by.exports])
        raise UsageError(f"The samples are of a suite that has no format {form!r}: give one of {known}.")
    return read_by.export(form, samples)
