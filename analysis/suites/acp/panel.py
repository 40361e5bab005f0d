"""The suite's part of a sample's page: the question, its state, the answer as it was read, and both grades."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from herobench.analysis.reading.contract import Panel
from herobench.analysis.samples.samples import Sample
from herobench.analysis.suites.acp.drawn_hero import answered_by_hero, state_of_hero
from herobench.prompts.acp.prompt import QuestionStyle
from herobench.suites.acp.hero.question import AnyQuestion, HeroQuestion, read_questions
from herobench.suites.acp.questions.lenient import NONE, read_soundly
from herobench.suites.acp.questions.questions import Question, plan_in, proof_of
from herobench.suites.acp.questions.situation import Situation, atom_of, deed_of, situation_of

_MOST = 60
"""The most items of an answer that are drawn."""


def state_of(question: Question) -> dict[str, Any]:
    """Return the facts and objects of a question; `static` are the facts that no action changes."""
    task = situation_of(question).task
    atoms = sorted(task.problem.initial)
    return {
        "facts": [[atom.name, *atom.args] for atom in atoms if atom.name in task.fluents],
        "static": [[atom.name, *atom.args] for atom in atoms if atom.name not in task.fluents],
        "goal": [[atom.name, *atom.args] for atom in task.problem.goal],
        "objects": [[name, kind] for name, kind in task.problem.objects.items()],
        "plan": [_names(action) for action in _plan(question)],
    }


def answered(question: Question, parsed: str | None) -> list[dict[str, Any]]:
    """Return the items of an answer as it was read. An index of a plan is the action there, in the state before it."""
    answer = read_soundly(question.task, parsed) if parsed else None
    situation = situation_of(question)
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
        deed = {} if in_plan else asdict(deed_of(situation, item))
        return {"kind": "action", "names": names, "negative": False, **deed}
    kind = "proposition" if situation.is_atom(item) else "unknown"
    return {"kind": kind, "names": names, "negative": sign == "-"}


def _step(question: Question, situation: Situation, index: int) -> dict[str, Any]:
    """Return the action of a plan that an index names."""
    plan = _plan(question)
    if index >= len(plan) or not situation.is_action(plan[index]):
        return {"kind": "index", "index": index}
    deed = asdict(deed_of(situation, plan[index], plan[:index]))
    return {"kind": "action", "names": _names(plan[index]), "index": index, **deed}


def _names(item: str) -> list[str]:
    name, args = atom_of(item)
    return [name, *args]


_STYLE = ("form", "shots", "thought")


@dataclass(frozen=True)
class QuestionPanel(Panel):
    """The panels of one run, with its questions and the way in which they were asked."""

    questions: Mapping[str, AnyQuestion]
    style: QuestionStyle

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> QuestionPanel:
        """Read the questions that a run's folder keeps. Raise InputError if they cannot be read."""
        identity, questions = manifest["config"]["identity"], folder / "tasks.jsonl"
        style = QuestionStyle(**{name: identity[name] for name in _STYLE if name in identity})
        return cls(read_questions(questions) if questions.exists() else {}, style)

    @property
    def given(self) -> Mapping[str, str]:  # type: ignore[override]
        """The way in which the questions were asked."""
        return {name: getattr(self.style, name) for name in _STYLE}

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        """Return the prompt of a question, its parts, its published label and its proven answer."""
        question = self.questions.get(task_id)
        if question is None:
            return None
        told = {
            "prompt": "\n\n".join(f"[{message.role}]\n{message.text}" for message in self.style.messages(question)),
            "context": question.context,
            "question": question.question,
        }
        if isinstance(question, HeroQuestion):
            own = {"label": None, "proven": _indented(question.answer), "domain": None, "problem": None}
            return {**told, **own, "state": state_of_hero(question)}
        proof = proof_of(question)
        return {
            **told,
            "label": _indented(question.answer),
            "proven": _indented(proof.sound) if proof else None,
            "domain": question.pddl_domain,
            "problem": question.pddl_problem,
            "state": state_of(question),
        }

    def sample(self, sample: Sample) -> Mapping[str, Any]:
        """Return the items of the answer, with what they have to do with the state."""
        question = self.questions.get(sample["task_id"])
        parsed = sample["details"]["parsed"]
        if isinstance(question, HeroQuestion):
            return {"answer": answered_by_hero(question, parsed)}
        return {"answer": answered(question, parsed)} if question else {}


def _indented(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)
