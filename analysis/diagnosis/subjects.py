"""The models that have both plans and answers to questions on single skills, found among samples of several suites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from herobench.analysis.apart import parts_of
from herobench.analysis.checked_reading import reading_of
from herobench.analysis.diagnosis.evidence import Digests, Evidence, evidence_of
from herobench.analysis.frame import counted
from herobench.analysis.reading import Probes
from herobench.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd


def probes_in(samples: pd.DataFrame) -> tuple[str, Probes]:
    """Return the suite of the questions and how they test skills. Raise UsageError if not both suites are there."""
    suites = list(dict.fromkeys(samples.suite))
    probing = {suite: probes for suite in suites if (probes := reading_of(suite).probes) is not None}
    if len(probing) != 1:
        told = f"these runs are of {' and '.join(suites)}" if suites else "there are no samples"
        raise UsageError(
            "A diagnosis takes runs of two suites: one with questions on single skills, such as acp, and the one whose "
            f"tasks the questions are about, such as rpg. But {told}."
        )
    ((suite, probes),) = probing.items()
    if probes.suite not in suites:
        raise UsageError(f"There are answers to questions, and no plans: name a run of the suite {probes.suite} too.")
    if not samples[(samples.suite == suite) & samples[probes.task].notna()].measured.any():
        raise UsageError(f"No answer of the suite {suite} is about a task of the suite {probes.suite}.")
    return suite, probes


def subjects(samples: pd.DataFrame, digests: Digests) -> Iterator[Evidence]:
    """Yield what is known of each model, apart for plans that are never ranked together.

    Raise UsageError if no model has both plans and answers.
    """
    suite, probes = probes_in(samples)
    reading = reading_of(probes.suite)
    about = counted(samples[(samples.suite == suite) & samples[probes.task].notna()])
    questions = dict(tuple(about.groupby("model")))
    plans = samples[samples.suite == probes.suite]
    shared = [model for model in dict.fromkeys(plans.model.dropna()) if model in questions]
    if not shared:
        made, asked = (", ".join(sorted(map(str, names.model.dropna().unique()))) for names in (plans, about))
        raise UsageError(f"No model has both plans and answers: plans are of {made}, and answers of {asked}.")
    parts = parts_of({"": plans}, reading.separates)
    for part in parts:
        own = part.runs[""]
        for model in shared:
            if len(made_by := own[own.model == model]):
                name = f"{model} ({part.title})" if len(parts) > 1 else str(model)
                yield evidence_of(name, made_by, questions[model], probes, reading.actions, digests)
