"""Sources of samples: runs, scored files and published results, each a stream of samples under a name.

All three give the same kind of sample; a value that a file lacks is None and never a guess.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from herobench.adaptive.goal import ALL
from herobench.analysis.reading.checked import load_reading
from herobench.analysis.samples.refusals import SampleFault
from herobench.analysis.samples.samples import FILE as REPAIRS
from herobench.analysis.samples.samples import Sample, parse_sample, with_repair
from herobench.data.documents import parse_line, read_document
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import (
    NotRegular,
    bounded_lines,
    open_lines,
    packed_name,
    real_path,
    stored_path,
    unreadable,
)
from herobench.data.rows import SeenAttempts, exact_count
from herobench.suite.players import is_of_people

_MOST_NAMED = 5
"""The runs with the same tasks that a sentence names."""


@dataclass(frozen=True, slots=True)
class AskedDataset:
    """A dataset, with the seed of its twins if they were asked in its place."""

    dataset: str
    fresh: int | None = None
    attempts: int | None = None
    """The number of samples that the whole run has; None if nobody knows it."""
    chosen: bool = False
    """True if the run chose its tasks by the verdicts so far."""
    by_mistakes: bool = False
    """True if it chose them for the decisions between mistakes, and not for the horizon."""

    @property
    def name(self) -> str:
        """The dataset's name, such as `base-v2`, or `base-v2 fresh (seed 7)` for twins."""
        return self.dataset if self.fresh is None else f"{self.dataset} fresh (seed {self.fresh})"


def dataset_name(dataset: AskedDataset | None) -> str | None:
    """Return the name of a dataset; None for the tasks of a file, which names none."""
    return dataset.name if dataset else None


def lacking_notes(sources: Iterable[tuple[str, AskedDataset | None, int]]) -> list[str]:
    """Return a sentence for each run that has fewer samples than its tasks and epochs give.

    `told` has the name of each run, what it asked, and the number of its samples.
    """
    return [
        f"{name} has {count} of the {dataset.attempts} samples of its run: it is not over, or its file was cut."
        for name, dataset, count in sources
        if dataset and dataset.attempts is not None and count < dataset.attempts
    ]


def chosen_notes(sources: Iterable[tuple[str, AskedDataset | None]]) -> list[str]:
    """Return a sentence for each run that chose its tasks; `told` has the name of each run, and what it asked."""
    return [
        f"{name} chose its tasks by the verdicts so far: its "
        f"{'decisions between mistakes compare' if dataset.by_mistakes else 'horizon compares'} "
        "with others, success and score do not."
        for name, dataset in sources
        if dataset and dataset.chosen
    ]


def ask_alike(datasets: Iterable[AskedDataset | None]) -> bool:
    """Return whether all runs chose their tasks in one dataset, or in tasks that are made like those of it."""
    of_runs = list(datasets)
    return len({one.dataset if one else None for one in of_runs}) == 1 and all(one and one.chosen for one in of_runs)


def fresh_notes(datasets: Iterable[AskedDataset | None]) -> list[str]:
    """Return a sentence if twins stand beside other tasks; None is the tasks of a file, which names no dataset."""
    of_runs = list(datasets)
    names = dict.fromkeys(each.name if each else "a file" for each in of_runs)
    if len(names) < 2 or not any(each and each.fresh is not None for each in of_runs):
        return []
    return [
        f"Private twins are other tasks than their originals, and each seed makes others: {', '.join(names)}. "
        "Compare two such runs with herobench compare, which pairs each task with its twin."
    ]


def task_notes(tasks: Mapping[str, Collection[str]]) -> list[str]:
    """Return a sentence if runs that are ranked together have different tasks; `tasks` has the task ids of each run."""
    runs: dict[frozenset[str], list[str]] = {}
    for name, ids in tasks.items():
        if ids:
            runs.setdefault(frozenset(ids), []).append(name)
    if len(runs) < 2:
        return []
    # what most runs have comes first
    counts_text = [
        f"{_tasks_text(len(ids))} in {runs_text(runs[ids])}" for ids in sorted(runs, key=lambda ids: -len(runs[ids]))
    ]
    shared = len(frozenset.intersection(*runs))
    return [
        f"These runs have different tasks, so their figures do not compare: {'; '.join(counts_text)}. "
        f"{_tasks_text(shared) if shared else 'No task'} {'is' if shared < 2 else 'are'} in all of them. "
        "herobench compare pairs two runs over the tasks that both have."
    ]


def _tasks_text(tasks: int) -> str:
    return f"{tasks} task{'s' * (tasks != 1)}"


def runs_text(runs: Sequence[str]) -> str:
    """Return the names of some runs, and of many the first ones."""
    more = f" and {len(runs) - _MOST_NAMED} more" if len(runs) > _MOST_NAMED else ""
    return f"{', '.join(runs[:_MOST_NAMED])}{more}"


NumberedLine = tuple[int, bytes]
_RUN_FILES = ("run.json", "tasks.jsonl", "samples.jsonl", "calls.jsonl", REPAIRS)


@dataclass(frozen=True, slots=True)
class Source:
    """One run, or one file of rows. Its samples can be read as often as needed."""

    name: str
    path: Path
    manifest: Mapping[str, Any] | None
    """The run.json of a run; None for a file."""
    suite: str | None = None
    """The suite whose samples are read; None for all."""
    repairs: Path | None = None
    """The file with the repairs of the samples; None if there is none, or if they are not wanted."""

    @property
    def asked(self) -> AskedDataset | None:
        """The tasks that a run asked; None for a file, or if run.json names no dataset."""
        config = self.manifest["config"] if self.manifest else {}
        dataset = config.get("dataset")
        if not isinstance(dataset, str):
            return None
        tasks, epochs = config.get("task_count"), config.get("epochs")
        attempts = tasks * epochs if isinstance(tasks, int) and isinstance(epochs, int) else None
        choices = _choices(self.manifest or {})
        # a run that chose its tasks lacks none of the others
        return AskedDataset(
            printable(dataset),
            exact_count(config.get("fresh")),
            None if choices else attempts,
            bool(choices),
            bool(choices) and isinstance(choices[-1], dict) and "between" in choices[-1],
        )

    def on_dataset(self, name: str) -> Source:
        """Return the source of the same run with another name of the dataset that it asked."""
        manifest = self.manifest or {}
        return replace(self, manifest={**manifest, "config": {**manifest["config"], "dataset": name}})

    @property
    def agent(self) -> str | None:
        """The agent of a run, such as one-shot; None for a file, or if run.json names none."""
        agent = self.manifest["config"].get("agent") if self.manifest else None
        return printable(agent) if isinstance(agent, str) else None

    @property
    def is_of_people(self) -> bool:
        """True if people played the run; False for a file."""
        return self.manifest is not None and is_of_people(self.manifest["config"])

    @property
    def folder(self) -> Path | None:
        """The folder of a run; None for a file."""
        return self.path if self.manifest else None

    @property
    def file(self) -> Path:
        """The file with the samples."""
        return stored_path(self.path / "samples.jsonl" if self.manifest else self.path)

    @property
    def calls_file(self) -> Path | None:
        """The file with the calls of a run; None for a file of rows."""
        return stored_path(self.path / "calls.jsonl") if self.manifest else None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that must not be written over."""
        if not self.manifest:
            return (self.path,)
        own = [self.path / name for name in _RUN_FILES]
        return (*own, *map(packed_name, own))

    def place(self, number: int) -> str:
        """Return the name of a line in error messages."""
        return f"{self.file}:{number}"

    def samples(self) -> Iterator[Sample]:
        """Yield the samples in their order.

        Raise InputError at a line that is not a sample, and at a second sample of an attempt.
        """
        for _, sample in self.numbered_samples():
            yield sample

    def checked_samples(self) -> Iterator[Sample]:
        """Yield the samples likewise, and raise InputError at one whose events cannot be followed."""
        for number, sample in self.numbered_samples():
            self.check_events(number, sample)
            yield sample

    def check_events(self, number: int, sample: Sample) -> None:
        """Raise InputError if the events of the sample in a line cannot be followed."""
        problem = load_reading(sample["suite"]).check(sample)
        if problem is not None:
            raise InputError([Problem(self.place(number), "$.events", problem)])

    def numbered_samples(self) -> Iterator[tuple[int, Sample]]:
        """Yield the samples with the numbers of their lines."""
        attempts = SeenAttempts()
        for number, line in self.lines():
            for sample in self.read(number, line):
                attempts.add(sample, self.place(number))
                yield number, sample

    def lines(self) -> Iterator[NumberedLine]:
        """Yield the unread lines with their numbers."""
        if not self._has_begun:
            return
        number = 0
        with _open(self.file) as file:
            try:
                for number, line in enumerate(bounded_lines(file, str(self.file)), 1):
                    yield number, line
            except OSError as error:
                problem = Problem(self.place(number + 1), "", f"a readable file ({error.strerror or error})")
                raise InputError([problem]) from error

    @property
    def _has_begun(self) -> bool:
        """False for a run that was made and not asked yet: it has no samples file."""
        return self.manifest is None or self.file.exists()

    def read(self, number: int, line: bytes) -> Iterator[Sample]:
        """Yield the sample of a line, if it has one of the wanted suite."""
        if not line.strip():
            return
        row, problems = parse_line(line, self.place(number))
        if not problems:
            sample = _of_grown(parse_sample(row, self.name, self.place(number)), self.manifest or {})
            if self.suite in (None, sample["suite"]):
                yield with_repair(sample, self.repairs) if self.repairs else sample
        elif not self.manifest or line.endswith(b"\n"):  # the last line of a run that is not over may be incomplete
            raise InputError(problems)


Label = Literal["run", "model"]


def read_sources(
    paths: list[Path], twice: bool = False, suite: str | None = None, label: Label = "run"
) -> list[Source]:
    """Return the sources at some paths, each under a name of its own; with a suite, only its samples are read.

    A folder with runs in it, such as one for each lane, stands for these. Raise InputError if there is none at a path,
    and UsageError if a path is named twice and `twice` is false.
    """
    sources = [replace(_source(each), suite=suite) for path in paths for each in runs_at(path)]
    files = Counter(real_path(source.file) for source in sources)
    for source in sources:
        if files[real_path(source.file)] > 1 and not twice:
            raise UsageError(SampleFault.NAMED_TWICE, path=source.path)
    names = Counter(source.name for source in sources)
    sources = [
        source if names[source.name] == 1 else replace(source, name=printable(str(source.path))) for source in sources
    ]
    return _by_model(sources) if label == "model" else sources


def _by_model(sources: list[Source]) -> list[Source]:
    """Return sources under the names of their models; several of one model have their own name with it."""
    models = [(source, _model(source)) for source in sources]
    times = Counter(model for _, model in models)
    names = {model: "{0}" if times[model] == 1 else "{0} ({1})" for _, model in models}
    return [
        replace(source, name=names[model].format(model, source.name)) if model else source for source, model in models
    ]


def _model(source: Source) -> str:
    """Return the model of the first sample; an empty text if none is known."""
    first = next(source.samples(), None)
    return printable(first["model"] or "") if first else ""


def _of_grown(sample: Sample, manifest: Mapping[str, Any]) -> Sample:
    """Return a sample with the settings that its run has by now: what a run makes its tasks in grows round by round.

    The tasks that were there stay as they were, so samples of earlier rounds are of the same world.
    """
    grown_lists = manifest.get("grown")
    if not isinstance(grown_lists, dict):
        return sample
    details, identity = sample["details"] or {}, manifest["config"].get("identity") or {}
    lists = {name: earlier for name, earlier in grown_lists.items() if isinstance(earlier, list)}
    now = {name: identity.get(name) for name, earlier in lists.items() if details.get(name) in earlier}
    return {**sample, "details": {**details, **now}} if now else sample


def _choices(manifest: Mapping[str, Any]) -> list[Any]:
    """Return what the sessions of a run say that chose its tasks; nothing if it asks all."""
    sessions = manifest.get("sessions")
    conduct = manifest.get("conduct")
    if isinstance(conduct, dict) and conduct.get("until") == ALL:
        return []
    sessions = sessions if isinstance(sessions, list) else []
    return [each["until"] for each in sessions if isinstance(each, dict) and each.get("until")]


def lacking(sources: Iterable[Source], runs: Iterable[str]) -> list[str]:
    """Return a sentence for each source whose samples are not all there; `runs` has the run of each sample."""
    count = Counter(runs)
    return lacking_notes((source.name, source.asked, count[source.name]) for source in sources)


def refuse_inputs(sources: list[Source], output: Path) -> None:
    """Raise UsageError if the output is one of the files that are read."""
    for file in (file for source in sources for file in source.files):
        # a link has another path and is still the same file
        same = file.exists() and output.exists() and file.samefile(output)
        if same or real_path(file) == real_path(output):
            raise UsageError(SampleFault.OUTPUT_IS_READ, output=output)


def printable(text: str) -> str:
    """Return a text that can be written: half a surrogate pair, which JSON and file names can have, is escaped."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def runs_at(path: Path) -> list[Path]:
    """Return the runs in a folder that is no run itself, such as a checkup, whose parts have a run for each lane; else
    the path."""
    if not path.is_dir() or (path / "run.json").exists():
        return [path]
    parts = [part for part in path.iterdir() if part.is_dir()]
    runs = [run for part in parts for run in ([part] if (part / "run.json").is_file() else part.iterdir())]
    return sorted(run for run in runs if (run / "run.json").is_file()) or [path]


def _source(path: Path) -> Source:
    if not path.is_dir():
        return Source(printable(path.name.removesuffix(".gz").removesuffix(".jsonl")), path, None)
    if not (path / "run.json").exists():
        raise InputError([Problem(str(path), "", "a run, or a folder with runs; no run.json is in it")])
    place = str(path / "run.json")
    manifest, problems = read_document(path / "run.json", place)
    if problems:
        raise InputError(problems)
    if not _is_manifest(manifest):
        requirement = "the configuration of a run, as this version writes it"
        advice = "run `herobench` again, or read the run with the version that wrote it"
        raise InputError([Problem(place, "$.config", requirement, advice=advice)])
    repairs = path / REPAIRS
    return Source(printable(real_path(path).name), path, manifest, repairs=repairs if repairs.exists() else None)


def _is_manifest(manifest: Any) -> bool:
    """Return whether a run.json has the entries that the analysis needs: the suite and its settings."""
    config = manifest.get("config") if isinstance(manifest, dict) else None
    return (
        isinstance(config, dict) and isinstance(config.get("suite"), str) and isinstance(config.get("identity"), dict)
    )


@contextmanager
def _open(path: Path) -> Iterator[io.BufferedReader]:
    """Open a file, which may be compressed."""
    try:
        file = open_lines(path)
    except NotRegular as error:
        raise InputError([unreadable(path, error)]) from error
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a readable file, or a run ({error.strerror})")]) from error
    with file:
        yield file
