"""The reading of the suite acp: which of its columns the tables show, and its part of a sample's page.

The analysis and the report call it by its entry point. It reads stored samples only: it grades nothing. A page has the
question, its state, the answer as it was read, and both grades.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

from herobench.analysis.reading.contract import Panel, Reading, page_files
from herobench.analysis.reading.interval import Estimate, measure_success
from herobench.analysis.samples.samples import Sample
from herobench.data.columns import TEXT, Column, optional
from herobench.suites.acp.columns import DETAILS
from herobench.suites.acp.prompts.prompt import QuestionStyle
from herobench.suites.acp.questions.lenient import NONE, read_soundly
from herobench.suites.acp.questions.questions import QUESTIONS, TASKS, Question, plan_in, stored_proof
from herobench.suites.acp.questions.situation import Situation, parse_atom, read_situation
from herobench.suites.acp.questions.sound import Failure

if TYPE_CHECKING:
    import pandas as pd

GRADINGS = ("reference", "sound")


def accuracy(samples: pd.DataFrame, grading: str) -> Estimate:
    """Return the share of measured samples that a grading accepts. Undecided samples are left out."""
    decided = samples[samples.measured & samples[grading].notna()]
    return measure_success(list(decided.task_id), [float(score) for score in decided[grading]])


def rows_by(samples: pd.DataFrame, column: str) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each value of a column, with the accuracy under both gradings and the mean Jaccard index."""
    for value, part in samples.groupby(column, sort=True):
        jaccards = part.jaccard.dropna()
        yield {
            column: str(value),
            **{grading: asdict(accuracy(part, grading)) for grading in GRADINGS},
            "jaccard": float(jaccards.mean()) if len(jaccards) else None,
        }


def accuracy_profiles(samples: pd.DataFrame) -> dict[str, dict[str, Estimate]]:
    """Return the accuracy at each kind of question that was asked, in the order of the paper, by grading.

    A grading that decides nothing is left out.
    """
    kinds = {kind: part for kind in TASKS if len(part := samples[samples.kind == kind])}
    decided = [grading for grading in GRADINGS if samples[grading].notna().any()]
    return {
        f"{grading} grading": {kind: accuracy(part, grading) for kind, part in kinds.items()} for grading in decided
    }


_KEPT = (
    "domain", "split", "form", "shots", "thought", "label_right",
    "reference", "sound", "jaccard", "removed", "removable", "twin_of",
)  # fmt: skip
"""Columns of `details` that are facts as they are."""


class AcpReading(Reading):
    """The reading of the suite acp."""

    columns = DETAILS
    fact_columns = (Column("kind", optional(TEXT), "The kind of question, such as app."),)
    task_key = ("task", "split", "domain", "id")
    group = "kind"
    groupings = ("domain", "split", "form", "shots", "thought", "label_right")
    settings = MappingProxyType({"form": "forms", "shots": "numbers of examples", "thought": "ways to think"})
    failures = get_args(Failure)
    words = MappingProxyType(
        {
            "format": "no answer of the right form",
            "invented_atom": "invented proposition",
            "false_none": "None, though there is an answer",
            "missed_none": "an answer, though None is right",
            "static_atom": "static proposition",
            "not_offered": "none of what is offered",
            "no_plan": "not a plan",
            "no_landmark": "not a landmark",
        }
    )
    listed = MappingProxyType({"domain": "Domain", "reference": "Reference", "sound": "Sound"})

    def __init__(self) -> None:
        self.script = page_files("herobench.suites.acp.reading", "state.js", "panel.js")
        self.style = page_files("herobench.suites.acp.reading", "style.css")

    def facts(self, sample: Sample) -> Mapping[str, Any]:
        """Return the suite's columns of the tidy table."""
        # the report has the id of a sample as its task
        return {"kind": sample["details"].get("task"), **{name: sample["details"].get(name) for name in _KEPT}}

    def remarks(self, samples: pd.DataFrame) -> Mapping[str, str]:
        """Return the accuracy of a run under both gradings."""
        accuracies = {f"{grading} accuracy": accuracy(samples, grading).share_text() for grading in GRADINGS}
        return {label: words for label, words in accuracies.items() if words}

    def tables(self, samples: pd.DataFrame) -> Mapping[str, Any]:
        """Return the accuracy by task and by domain under both gradings."""
        return {f"by_{column}": list(rows_by(samples, column)) for column in ("kind", "domain")}

    def profiles(self, samples: pd.DataFrame) -> Mapping[str, Mapping[str, Estimate]]:
        """Return the accuracy by task, under each grading."""
        return accuracy_profiles(samples)

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> Panel:
        """Return the panel that shows questions and grades, with the questions of the run."""
        return QuestionPanel.of_run(folder, manifest) if folder and manifest else Panel()


_MOST = 60
"""The most items of an answer that are drawn."""


def question_state(question: Question) -> dict[str, Any]:
    """Return the facts and objects of a question; `static` are the facts that no action changes."""
    task = read_situation(question).task
    atoms = sorted(task.problem.initial)
    return {
        "facts": [[atom.name, *atom.args] for atom in atoms if atom.name in task.fluents],
        "static": [[atom.name, *atom.args] for atom in atoms if atom.name not in task.fluents],
        "goal": [[atom.name, *atom.args] for atom in task.problem.goal],
        "objects": [[name, kind] for name, kind in task.problem.objects.items()],
        "plan": [_names(action) for action in _plan(question)],
    }


def answer_items(question: Question, parsed: str | None) -> list[dict[str, Any]]:
    """Return the items of an answer as it was read. An index of a plan is the action there, in the state before it."""
    answer = read_soundly(question.task, parsed) if parsed else None
    situation = read_situation(question)
    if answer is None:
        return []
    if question.task == "val":
        return [_step(question, situation, int(answer[0][0]))]
    items = [(sign, item) for sign, items in zip("+-", answer, strict=False) for item in items if item != NONE]
    return [_item(situation, sign, item, question.task == "just") for sign, item in items[:_MOST]]


def _plan(question: Question) -> tuple[str, ...]:
    return plan_in(question.question) if question.task in ("val", "just") else ()


def _item(situation: Situation, sign: str, item: str, in_plan: bool) -> dict[str, Any]:
    """Return an action with what it needs and does, or a proposition; `negative` if the answer says that it is lost."""
    names = _names(item)
    if situation.is_action(item):
        # in a plan it meets another state than the one that is drawn
        deed = {} if in_plan else asdict(situation.deed(item))
        return {"kind": "action", "names": names, "negative": False, **deed}
    kind = "proposition" if situation.is_atom(item) else "unknown"
    return {"kind": kind, "names": names, "negative": sign == "-"}


def _step(question: Question, situation: Situation, index: int) -> dict[str, Any]:
    """Return the action of a plan that an index names."""
    plan = _plan(question)
    if index >= len(plan) or not situation.is_action(plan[index]):
        return {"kind": "index", "index": index}
    deed = asdict(situation.deed(plan[index], plan[:index]))
    return {"kind": "action", "names": _names(plan[index]), "index": index, **deed}


def _names(item: str) -> list[str]:
    name, args = parse_atom(item)
    return [name, *args]


_STYLE = ("form", "shots", "thought")


@dataclass(frozen=True)
class QuestionPanel(Panel):
    """The panels of one run, with its questions and the way in which they were asked."""

    questions: Mapping[str, Question]
    style: QuestionStyle

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> QuestionPanel:
        """Read the questions that a run's folder keeps. Raise InputError if they cannot be read."""
        identity, questions = manifest["config"]["identity"], folder / "tasks.jsonl"
        style = QuestionStyle(**{name: identity[name] for name in _STYLE if name in identity})
        return cls(QUESTIONS.in_file(questions) if questions.exists() else {}, style)

    @property
    def given(self) -> Mapping[str, str]:  # type: ignore[override]
        """The way in which the questions were asked."""
        return {name: getattr(self.style, name) for name in _STYLE}

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the prompt of a question, its parts, its published label and its proven answer."""
        question = self.questions.get(task_id)
        if question is None:
            return None
        proof = stored_proof(question)
        return {
            "prompt": "\n\n".join(f"[{message.role}]\n{message.text}" for message in self.style.messages(question)),
            "context": question.context,
            "question": question.question,
            "label": _indent(question.answer),
            "proven": _indent(proof.sound) if proof else None,
            "domain": question.pddl_domain,
            "problem": question.pddl_problem,
            "state": question_state(question),
        }

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return the items of the answer, with what they have to do with the state."""
        question = self.questions.get(sample["task_id"])
        return {"answer": answer_items(question, sample["details"]["parsed"])} if question else {}


def _indent(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)
