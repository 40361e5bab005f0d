"""Writes the prompts: the published words, and those of `herobench/suites/acp/prompts` where none are published.

A prompt is the context, the question and the published format instruction. Worked examples are earlier turns of the
conversation. The forms with PDDL and the chain of thought have words of our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from herobench.conversation import Message
from herobench.data.options import Option
from herobench.prompts.words import load_words
from herobench.suites.acp.questions.questions import Question, shots

_PACKAGE = "herobench.suites.acp"
WORDS = load_words("prompts", _PACKAGE)
"""Our own words. The published ones are in the digest of the questions."""
Form = Literal["nl", "pddl", "both"]
Shots = Literal["zero", "few"]
Thought = Literal["none", "cot"]

_MARK = re.compile(r"final\s+answer\W*?:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QuestionStyle:
    """How questions are asked."""

    form: Annotated[Form, Option("How a question is worded: in English, in PDDL, or in both.")] = "nl"
    shots: Annotated[Shots, Option("Whether examples come before the question.")] = "few"
    thought: Annotated[Thought, Option("Whether the model may think before it answers.")] = "none"

    def messages(self, question: Question) -> Iterator[Message]:
        """Yield the messages that ask a question."""
        if self.shots == "few":
            for shot in shots()[question.task]["shots"]:
                yield Message("user", self._with_instruction(question.task, f"{shot['context']} {shot['question']}"))
                answer = shot["answer"]
                yield Message("assistant", answer if self.thought == "none" else WORDS.fill("answer", answer=answer))
        yield Message("user", self._with_instruction(question.task, self._description(question)))

    def answer_in(self, response: str) -> str:
        """Return the part of a response that is graded: with thoughts, what stands behind the last `Final answer:`."""
        if self.thought == "none":
            return response
        marks = list(_MARK.finditer(response))
        return response[marks[-1].end() :] if marks else response

    def _description(self, question: Question) -> str:
        if self.form == "nl":
            return f"{question.context} {question.question}"
        facts = {"domain": question.pddl_domain.strip(), "problem": question.pddl_problem.strip()}
        return WORDS.fill(f"form_{self.form}", context=question.context, question=question.question, **facts)

    def _with_instruction(self, task: str, description: str) -> str:
        instruction = shots()[task]["instruction"]
        thought = WORDS.fill("thought") if self.thought == "cot" else ""
        return " ".join(part for part in (description, instruction, thought) if part)
