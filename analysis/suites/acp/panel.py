"""The suite's part of a sample's page: the question, its state, the answer as it was read, and both grades."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from herobench.analysis.reading import Panel
from herobench.analysis.samples import Sample
from herobench.analysis.suites.acp.drawn_hero import answered_by_hero, state_of_hero
from herobench.analysis.suites.acp.drawn_state import answered, state_of
from herobench.suites.acp.hero.question import HeroQuestion
from herobench.suites.acp.prompt import Style
from herobench.suites.acp.question_file import read_questions
from herobench.suites.acp.questions import proof_of
from herobench.suites.acp.rows import AnyQuestion

_STYLE = ("form", "shots", "thought")


@dataclass(frozen=True)
class QuestionPanel(Panel):
    """The panels of one run, with its questions and the way in which they were asked."""

    questions: Mapping[str, AnyQuestion]
    style: Style

    @classmethod
    def of_run(cls, folder: Path, manifest: Mapping[str, Any]) -> QuestionPanel:
        """Read the questions that a run's folder keeps. Raise InputError if they cannot be read."""
        identity, questions = manifest["config"]["identity"], folder / "tasks.jsonl"
        style = Style(**{name: identity[name] for name in _STYLE if name in identity})
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
