"""Makes the matrix of items x models: a row for each measured attempt, with where it comes from.

The first columns are those of the responses of Stanford's measurement-db, whose ids are hashes of the names of models
and items. `herobench import` reads the file, and a matrix of what it read is the same.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.samples.facts import facts
from herobench.analysis.samples.frame import frames_from
from herobench.analysis.samples.samples import NO_GROUP
from herobench.analysis.samples.sources import Source
from herobench.data.imported import ORIGIN

if TYPE_CHECKING:
    import pandas as pd

_DIGITS = 12
"""Those of a response. Scores are percents: without rounding, a response that was read again could differ."""
_KEY = ["benchmark_id", "model", "test_condition", "raw_item_id"]
_NUMBERS = {"trial": "int32", "response": "float64", "won": "bool", "length": "Float64", "cost": "Float64"}


def matrix_of(sources: Sequence[Source]) -> pd.DataFrame:
    """Return the matrix of some runs, sorted by benchmark, model, condition and item."""
    import pandas as pd

    origins = pd.DataFrame([_find_origin(source) for source in sources]).set_index("run")
    parts = [_make_part(suite, samples, origins) for suite, samples in frames_from(facts(sources)).items()]
    table = pd.concat(parts).sort_values(_KEY, kind="stable", na_position="first")
    table["trial"] = table.groupby(_KEY, dropna=False).cumcount() + 1
    types = {**_NUMBERS, "output_tokens": "Int64"}
    return table.astype({name: types.get(name, "string") for name in table})


def _make_part(suite: str, samples: pd.DataFrame, origins: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the samples of a suite, without the numbers of trials."""
    reading = load_reading(suite)
    table = samples[samples.measured].join(origins, on="run")
    terms = zip(table.agent, *(f"{name}=" + table[name].astype("string") for name in reading.separates), strict=True)
    benchmark = table.dataset.fillna(suite)
    columns = {
        "subject_id": table.model.map(lambda model: _make_id(model.strip().lower())),
        "item_id": (benchmark + "::raw:" + table.task_id).map(_make_id),
        "benchmark_id": benchmark,
        "trial": 1,
        "test_condition": [", ".join(term for term in own if isinstance(term, str)) or None for own in terms],
        "response": (table.score / 100).round(_DIGITS),
        "model": table.model,
        "raw_item_id": table.task_id,
        "won": table.win,
        "group": table.group.where(table.group != NO_GROUP),
        "length": table[reading.length] if reading.length else None,
        "unit": reading.unit,
        **{name: table[name] for name in ("failure", "output_tokens", "cost", *ORIGIN)},
    }
    return table.assign(**columns)[[*columns]]


def _find_origin(source: Source) -> dict[str, Any]:
    """Return where the attempts of a run come from: the program with its version, the date, the digest of the tasks."""
    manifest: Mapping[str, Any] = source.manifest or {}
    first: Mapping[str, Any] = next(iter(manifest.get("sessions") or ()), {})
    version = first.get("herobench")
    own = f"herobench {version}" if version else None, first.get("started"), manifest.get("config", {}).get("tasks")
    origin = manifest.get("imported") or dict(zip(ORIGIN, own, strict=True))
    names = {"run": source.name, "agent": source.agent, "dataset": source.asked.name if source.asked else None}
    return {**names, **{each: origin.get(each) for each in ORIGIN}}


def _make_id(text: str) -> str:
    """Return the id that measurement-db gives to a text."""
    return hashlib.sha256(unicodedata.normalize("NFC", text).strip().encode("utf-8", "replace")).hexdigest()[:16]
