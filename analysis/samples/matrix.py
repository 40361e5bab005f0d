"""Writes the matrix of items x models: a row for each measured attempt, with where it comes from.

The first columns are those of the responses of Stanford's measurement-db, whose ids are hashes of the names of models
and items. `herobench import` reads the file, and a matrix of what it read is the same.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.samples.sources import Source
from herobench.analysis.samples.table_text import csv_text
from herobench.data.files import write_text
from herobench.data.imported import OF_RUN

_DIGITS = 12
"""Those of a response. Scores are percents: without rounding, a response that was read again could differ."""
_ORDER = ("benchmark_id", "model", "test_condition", "raw_item_id")
"""The columns that rows are sorted by; attempts at an item stand in their order."""
_NUMBERS = {"trial": "int32", "response": "float64", "won": "bool", "length": "float64", "cost": "float64"}


def write_matrix(sources: Iterable[Source], file: Path) -> int:
    """Write a file and return its number of rows. Raise OSError, or ImportError for Parquet without pyarrow."""
    import pandas as pd

    trials: Counter[tuple[Any, ...]] = Counter()
    rows = [row for source in sources for row in _rows(source, trials)]
    rows.sort(key=lambda row: [str(row[name]) for name in _ORDER])
    if file.suffix == ".csv":
        write_text(file, csv_text(pd.DataFrame(rows)))
        return len(rows)
    import pyarrow as pa
    from pyarrow import parquet

    types = {**_NUMBERS, "output_tokens": "int64"}
    schema = pa.schema([(name, types.get(name, "string")) for name in (rows[0] if rows else ())])
    parquet.write_table(pa.Table.from_pylist(rows, schema), file)
    return len(rows)


def _rows(source: Source, trials: Counter[tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a run. `trials` counts the attempts so far at an item by the same model in one condition."""
    manifest: Mapping[str, Any] = source.manifest or {}
    for sample in source.samples():
        if sample["status"] != "ok":
            continue
        reading = load_reading(sample["suite"])
        facts, task, model = reading.facts(sample), sample["task_id"], sample["model"] or source.name
        benchmark = source.asked.name if source.asked else sample["suite"]
        terms = [source.agent, *(f"{name}={facts[name]}" for name in reading.separates if facts.get(name) is not None)]
        condition = ", ".join(filter(None, terms)) or None
        trials[key := (benchmark, model, task, condition)] += 1
        yield {
            "subject_id": _hash(model.strip().lower()),
            "item_id": _hash(f"{benchmark}::raw:{task}".strip()),
            "benchmark_id": benchmark,
            "trial": trials[key],
            "test_condition": condition,
            "response": round(sample["score"] / 100, _DIGITS),
            "model": model,
            "raw_item_id": task,
            "won": sample["won"],
            "group": sample["group"],
            "length": facts.get(reading.length) if reading.length else None,
            "unit": reading.unit,
            **{name: sample[name] for name in ("failure", "output_tokens", "cost")},
            **_origin(manifest),
        }


def _origin(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return where the attempts of a run come from: the program with its version, the date, the digest of the tasks."""
    if imported := manifest.get("imported"):
        return {name: imported.get(name) for name in OF_RUN}
    first: Mapping[str, Any] = next(iter(manifest.get("sessions") or ()), {})
    version = first.get("herobench")
    values = (
        f"herobench {version}" if version else None,
        first.get("started"),
        (manifest.get("config") or {}).get("tasks"),
    )
    return dict(zip(OF_RUN, values, strict=True))


def _hash(text: str) -> str:
    """Return the id that measurement-db gives to a text."""
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8", "backslashreplace")).hexdigest()[:16]
