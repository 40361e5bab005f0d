"""What a reader is to be told before any figure: that there is none, or that figures are not of one game.

Rows say themselves by which rules and in which world they were played. What they say is held against what the report
was given of their run, and against the other runs; rows that say nothing, such as published ones, are not accused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from herobench.analysis.report.figures import Figures
from herobench.analysis.report.run import ReportRun

Described = tuple[ReportRun, Figures]
_SHORT = 8


def notes_on(runs: Sequence[Described]) -> list[str]:
    """The sentences that stand above everything."""
    attempts, unmeasured = sum(figures.attempts for _, figures in runs), sum(figures.unmeasured for _, figures in runs)
    if not attempts:
        return ["There are no samples in this report."]
    if attempts == unmeasured:
        return ["No sample in this report got a reply, so there is nothing to count."]
    named = _names_of_worlds(runs)
    return [
        *(note for run, figures in runs for note in _of_one(run, figures, named)),
        *_of_several("rules", {run.name: rules_of(run, figures) for run, figures in runs}),
        *_of_several(
            "worlds", {run.name: [named[digest] for digest in worlds_of(run, figures)] for run, figures in runs}
        ),
    ]


def rules_of(run: ReportRun, figures: Figures) -> list[str]:
    """The rules of a run as its rows have them; those that were given where there is no row."""
    return _said(figures.rules) if figures.rules else [run.rules.name]


def worlds_of(run: ReportRun, figures: Figures) -> list[str]:
    """The digests of the worlds of a run, likewise."""
    return _said(figures.worlds) if figures.worlds else [run.world.digest]


def _said(counts: Counter[str | None]) -> list[str]:
    return sorted(name for name in counts if name is not None)


def _of_one(run: ReportRun, figures: Figures, named: Mapping[str, str]) -> list[str]:
    if not figures.attempts:
        return [f"There are no samples in {run.name}."]
    if figures.attempts == figures.unmeasured:
        return [f"No sample of {run.name} got a reply, so nothing is known of its success."]
    worlds = Counter({digest and named[digest]: count for digest, count in figures.worlds.items()})
    return [
        *_foreign(run.name, "played by other rules", figures.rules, run.rules.name, figures.attempts),
        *_foreign(run.name, "played in another world", worlds, named[run.world.digest], figures.attempts),
    ]


def _foreign(run: str, how: str, counts: Counter[str | None], given: str, attempts: int) -> list[str]:
    """On the rows that are not of what the report was given for their run."""
    others = [name for name in _said(counts) if name != given]
    if not others:
        return []
    count = sum(counts[name] for name in others)
    mixed = "" if count == attempts else " The figures of this run mix them."
    return [
        f"{count} of {_samples(attempts)} of {run} say that they were {how} ({', '.join(others)}) than this report was "
        f"given for them ({given}): they are counted, but not replayed.{mixed}"
    ]


def _of_several(what: str, said: Mapping[str, Sequence[str]]) -> list[str]:
    """On runs that do not say the same."""
    runs: dict[str, list[str]] = {}
    for run, names in said.items():
        if names:
            runs.setdefault(" and ".join(names), []).append(run)
    if len(runs) < 2:
        return []
    told = "; ".join(f"{names}: {', '.join(of)}" for names, of in runs.items())
    return [f"The runs are of different {what}, so their figures are not of one game ({told})."]


def _names_of_worlds(runs: Sequence[Described]) -> dict[str, str]:
    """A name for each digest. Two worlds may be called the same, so a piece of the digest stands with it."""
    names = {digest: digest[:_SHORT] for _, figures in runs for digest in figures.worlds if digest is not None}
    return names | {run.world.digest: f"{run.world.name} {run.world.digest[:_SHORT]}" for run, _ in runs}


def _samples(count: int) -> str:
    return f"{count} sample{'' if count == 1 else 's'}"
