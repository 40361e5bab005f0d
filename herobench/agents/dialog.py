"""Asks a model for answers in a form, in one role or another, and repairs answers that do not fit.

Agents of several calls use it. A server that can hold a model to a JSON Schema is asked to; whatever comes is read
leniently, since other servers and models wrap their JSON in words. An answer that does not fit is asked for again, a
limited number of times.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from jsonschema import Draft202012Validator

from herobench.agents.agent import Ask, Unfinished
from herobench.conversation import Form, Message
from herobench.words import words_of

_TRIES = 3
_LONGEST = 400_000
"""The longest answer that is read, in characters."""
_MOST_FAULT = 300
_MOST_KEPT = 4_000
"""The most characters of a wrong answer that are shown to the model again."""
_FENCED = re.compile(r"```(?:json)?[^\S\n]*\n(.*?)```", re.DOTALL)

WORDS = words_of("agents")


class Dialog:
    """The questions of one attempt."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def answer(self, role: str, messages: Sequence[Message], form: Form) -> Mapping[str, Any]:
        """Return the model's answer as an object of the form. Raise Unfinished when it gives none."""
        talk, fault = list(messages), ""
        for _ in range(_TRIES):
            reply = await self._ask(talk, role=role, form=form)
            found, fault = read_answer(reply.text, form)
            if found is not None:
                return found
            repair = WORDS.fill("repair", fault=fault, form=form.name, schema=json.dumps(dict(form.schema)))
            talk = [*messages, Message("assistant", reply.text[:_MOST_KEPT]), Message("user", repair)]
        raise Unfinished(f"the {role} gave no answer of the form {form.name} in {_TRIES} tries: {fault}")

    async def text(self, role: str, messages: Sequence[Message]) -> str:
        """Return the model's answer as it is."""
        return (await self._ask(messages, role=role)).text


def read_answer(text: str, form: Form) -> tuple[Mapping[str, Any] | None, str]:
    """Return the object in a text that fits a form, and no fault; or None, and what is wrong with the text."""
    if len(text) > _LONGEST:
        return None, f"it has more than {_LONGEST:,} characters"
    fault = "there is no JSON object in it"
    for candidate in _candidates(text):
        try:
            found = json.loads(candidate, parse_constant=_no_number)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            whole = _filled(found, form)
            if not (wrong := _fault(whole, form)):
                return whole, ""
            fault = wrong
    return None, fault


def _candidates(text: str) -> list[str]:
    """Return the parts of a text that may be the object: all of it, fenced blocks, from the first brace to the last."""
    fenced = [block.strip() for block in reversed(_FENCED.findall(text))]
    return [text.strip(), *fenced, text[text.find("{") : text.rfind("}") + 1]]


def _no_number(constant: str) -> float:
    raise ValueError(constant)


def _filled(found: Mapping[str, Any], form: Form) -> dict[str, Any]:
    """Return an object with the properties of its form only, and null for those that it leaves out."""
    return {name: found.get(name) for name in form.schema["properties"]}


def _fault(found: Mapping[str, Any], form: Form) -> str:
    """Return what is wrong with an object, in one sentence; an empty text if it fits."""
    error = next(Draft202012Validator(dict(form.schema)).iter_errors(found), None)
    if error is None:
        return ""
    return f"at {error.json_path}: {' '.join(error.message.split())}"[:_MOST_FAULT]
