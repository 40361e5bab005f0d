"""Tells runs apart that name one dataset and asked other tasks: each of them is then a dataset of its own.

A run with fewer tasks asked no other ones. Tasks are others if one id has two rows, or if the shipped dataset of the
name has no such row. Whoever rewrites tasks may write another name too, so a run that names no shipped dataset is also
compared with those that do. Versions of a shipped dataset are compared on purpose, whatever differs in their rows. A
comparison of two runs whose tasks call things by different names puts the rows of both under opaque names first. Where
a suite's reading says so, ids have no meaning beyond a dataset: tasks of two are then the same by their rows alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.samples.sources import AskedDataset, Source, runs_text
from herobench.data.documents import content_folder, parse_line
from herobench.data.errors import InputError, short_line
from herobench.data.files import bounded_lines, open_regular
from herobench.suite.task_rows import (
    MADE,
    Digests,
    digest_of_made,
    digest_of_task,
    is_of_shipped,
    is_twin,
    note_of_others,
)

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.contract import Reading


def shipped_files() -> dict[str, list[Path]]:
    """Return the files of the shipped runs of programs and models, by dataset."""
    folder = Path(str(content_folder().joinpath("references")))
    return {each.name: sorted(each.iterdir()) for each in sorted(folder.iterdir())}


@dataclass(frozen=True, slots=True)
class KeptTasks:
    """The tasks of one run, as far as they are known."""

    name: str
    """The name of the run."""
    suite: str
    asked: AskedDataset | None
    digests: Digests
    note: str | None = None
    """Says that the shipped dataset of the name has other rows; None if nothing says so."""
    is_shipped: bool = False
    """True if a shipped dataset has the name."""

    def is_like(self, other: KeptTasks) -> bool:
        """Return whether tasks with the ids of another run's have to have its rows too."""
        if self.asked is None or other.asked is None or self.suite != other.suite:
            return False
        if load_reading(self.suite).pairs_by_row:
            return self.asked.name == other.asked.name
        is_version = self.is_shipped and other.is_shipped
        return self.asked.name == other.asked.name or (self.asked.fresh == other.asked.fresh and not is_version)


@dataclass(frozen=True, slots=True)
class Apart:
    """A run that is not of the dataset that it names."""

    asked: AskedDataset
    """Its tasks, under a name that no other dataset has."""
    note: str


@dataclass(slots=True)
class _Variant:
    """Runs whose tasks do not contradict each other."""

    first: KeptTasks
    digests: dict[str, str] = field(default_factory=dict)

    def with_own_name(self, dataset: AskedDataset) -> AskedDataset:
        """Return what was asked under a name that no other variant has."""
        short = hashlib.sha256("".join(sorted(self.first.digests.values())).encode()).hexdigest()[:8]
        return replace(dataset, dataset=f"{dataset.dataset} with other tasks ({short})")


def read_tasks(source: Source, sample_ids: Iterable[str] = ()) -> KeptTasks:
    """Return the tasks of a run; of a file of rows they are not known. `sample_ids` are the tasks with samples.

    A sampled task that the run does not keep is not of the shipped dataset: nothing says which row was asked.
    """
    manifest = source.manifest
    suite = manifest["config"]["suite"] if manifest else ""
    key = load_reading(suite).task_key
    if manifest is None or not key:
        return KeptTasks(source.name, suite, None, {})
    files, makes = _digests_of_files(source.path, manifest.get("files")), _fresh(source.asked) is not None
    digests, twins = _digests(source.path / "tasks.jsonl", key, files, makes=makes)
    note = note_of_others(source.name, manifest, {**dict.fromkeys(sample_ids, ""), **digests}, twins)
    return KeptTasks(source.name, suite, source.asked, digests, note, is_of_shipped(manifest))


def under_opaque_names(stored_tasks: KeptTasks, source: Source) -> KeptTasks:
    """Return the tasks of a run with the digests that they have under opaque names, if its files can be read."""
    if source.manifest is None:
        return stored_tasks
    try:
        rows = load_reading(stored_tasks.suite).opaque_rows(source.path, source.manifest)
    except InputError:
        return stored_tasks  # rows under other names then differ from all of these
    # an id with two rows stays without a digest
    opaque = {task_id: digest_of_task(row, {}) for task_id, row in rows.items() if stored_tasks.digests.get(task_id)}
    return replace(stored_tasks, digests={**stored_tasks.digests, **opaque})


def told_apart(runs: Sequence[KeptTasks]) -> dict[str, Apart]:
    """Return the runs whose tasks differ from the dataset that they name, or from a run before them."""
    apart: dict[str, Apart] = {}
    variants: dict[tuple[str, str, bool], list[_Variant]] = {}
    for run in runs:
        if run.asked is None:
            continue
        variants_of_name = variants.setdefault((run.suite, run.asked.name, run.note is not None), [])
        same = next((variant for variant in variants_of_name if not differing(variant.digests, run.digests)), None)
        if same is None:
            variants_of_name.append(same := _Variant(run))
        same.digests.update(run.digests)
        if run.note is not None or same is not variants_of_name[0]:
            usual = variants_of_name[0]
            note = run.note or _note(run, usual.first, usual.digests)
            apart[run.name] = Apart(same.with_own_name(run.asked), note)
        elif other := next((one for one in runs if _is_contradicted(run, one)), None):
            apart[run.name] = Apart(run.asked, _note(run, other, other.digests))
    return apart


def _is_contradicted(run: KeptTasks, other: KeptTasks) -> bool:
    """Return whether a run has other rows than a run on a shipped dataset."""
    is_sure = other.is_shipped and other.note is None
    return is_sure and run.is_like(other) and bool(differing(other.digests, run.digests))


def told_by_row(runs: Sequence[KeptTasks], samples: pd.DataFrame) -> pd.DataFrame:
    """Return the samples of the second of two runs. Its tasks with another row in the first one get names of their own,
    so that nothing pairs them."""
    one, other = runs
    # two seeds make other tasks under the same ids; twins are paired by their originals, whatever their ids
    seeds = {_fresh(one.asked), _fresh(other.asked)}
    by_row = load_reading(other.suite).pairs_by_row
    has_rows = by_row or other.is_like(one) or (len(seeds) == 2 and None not in seeds)
    others = differing(one.digests, other.digests) if has_rows else []
    if by_row and one.asked and other.asked and one.asked.dataset != other.asked.dataset:
        samples = samples.assign(twin_of=None)  # twins are paired by the ids of their originals
    if not others:
        return samples
    return samples.assign(task_id=samples.task_id.replace({name: f"{name} (another row)" for name in others}))


def datasets_by_row(runs: Sequence[KeptTasks], reading: Reading) -> dict[str, list[str]]:
    """Return the runs of each dataset or its private twins, if there are several and their ids say nothing beyond one.

    A run with the rows of another one is of its dataset, under whatever name. Files of rows are left out.
    """
    rows: dict[str, dict[str, str]] = {}
    datasets: dict[str, list[str]] = {}
    with_dataset = [(run, run.asked.dataset) for run in runs if run.asked and reading.pairs_by_row]
    for run, name in sorted(with_dataset, key=lambda pair: not pair[0].is_shipped):  # it names its copies
        own = run.digests
        same = (each for each, other in rows.items() if other.keys() & own.keys() and not differing(other, own))
        name = next(same, name)
        rows.setdefault(name, {}).update(own)
        datasets.setdefault(name, []).append(run.name)
    return datasets if len(datasets) > 1 else {}


def note_of_datasets(datasets: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a sentence on datasets whose ids say nothing in another one, each with its runs; nothing for none."""
    sets_text = ", ".join(f"{dataset} ({runs_text(names)})" for dataset, names in datasets.items())
    note = f"These runs are of different datasets, which have other tasks under the same ids: {sets_text}."
    return [note] if datasets else []


def differing(one: Digests, other: Digests) -> list[str]:
    """Return the tasks that have other rows in one run than in another one."""
    return [task_id for task_id, digest in other.items() if one.get(task_id, digest) != digest]


def _note(run: KeptTasks, earlier: KeptTasks, digests: Digests) -> str:
    """Say that a run has other rows than a run that is known, or than those that go with it, which have the digests."""
    others = differing(digests, run.digests)
    own, name = (one.asked.name if one.asked else "" for one in (run, earlier))
    both = f"{earlier.name} names the dataset {name} and {run.name} names {own}"
    if own == name:
        both = f"{earlier.name} and {run.name} both name the dataset {name}"
    difference_text = f"{len(others)} of the tasks, such as {short_line(min(others), 80)}"
    return f"{both}, but have other rows or files for {difference_text}: they are two datasets."


def _fresh(dataset: AskedDataset | None) -> int | None:
    return dataset.fresh if dataset else None


def _digests(path: Path, key: Sequence[str], files: Digests, *, makes: bool) -> tuple[Digests, set[str]]:
    """Return the digests of the tasks that a run keeps, and which are twins. Of an unreadable file nothing is known.

    With `makes`, the run may have made some of them.
    """
    digests: dict[str, str] = {}
    twins: set[str] = set()
    try:
        with open_regular(path) as file:
            for line in bounded_lines(file, str(path)):
                row, _ = parse_line(line, "")
                if isinstance(row, dict):
                    task_id = "/".join(str(row.get(name)) for name in key)
                    is_made = makes and task_id.startswith(MADE)
                    digest = digest_of_made(row) if is_made else digest_of_task(row, files)
                    # neither row of an id with two rows can be the dataset's
                    digests[task_id] = digest if digests.get(task_id, digest) == digest else ""
                    if is_twin(row):
                        twins.add(task_id)
    except (OSError, InputError, RecursionError):
        return {}, set()
    return digests, twins


def _digests_of_files(folder: Path, names: object) -> Digests:
    """Return the digests of a suite's files in the folder of a run: an empty text for one that cannot be read.

    `names` is what run.json lists. Others may have written it, so no file outside the folder is opened.
    """
    file_digests = {}
    for name in names if isinstance(names, list) else ():
        file_digests[str(name)] = ""
        if isinstance(name, str) and Path(name).name == name:
            with suppress(OSError), open_regular(folder / name) as file:
                file_digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return file_digests
