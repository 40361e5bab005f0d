"""Asks a model in a role for an answer in a form, and asks again if the answer does not fit.

Agents with several calls use it. A server that can enforce a JSON Schema gets the form. Answers are read leniently,
since other servers and models wrap their JSON in words. The number of tries is limited.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from jsonschema import Draft202012Validator

from herobench.agents.agent import Ask, Unfinished
from herobench.conversation import Form, Message, Reply, Tool, json_blocks
from herobench.data.documents import finite, no_constant
from herobench.prompts.words import load_words

_TRIES = 3
_LONGEST = 400_000
"""The longest answer that is read, in characters."""
_MOST_BRACES = 200
"""The most braces of a text at which an object may begin."""
_MOST_FAULT = 300
_MOST_KEPT = 4_000
"""The most characters of a wrong answer that are shown to the model again."""

WORDS = load_words("agents")


class Dialog:
    """Asks the questions of one attempt, or of a branch of it."""

    def __init__(self, ask: Ask, branch: Sequence[str] = ()) -> None:
        self._ask = ask
        self._branch = tuple(branch)

    def within(self, *titles: str) -> Dialog:
        """Return the dialog of a branch below this one."""
        return Dialog(self._ask, (*self._branch, *titles))

    async def answer(self, role: str, messages: Sequence[Message], form: Form) -> Mapping[str, Any]:
        """Return the model's answer as an object of the form. Raise Unfinished if no answer fits."""
        talk, fault = list(messages), ""
        for _ in range(_TRIES):
            reply = await self._ask(talk, role=role, form=form, branch=self._branch)
            answer, fault = read_answer(said := reply.final_text, form)
            if answer is not None:
                return answer
            repair = WORDS.fill("repair", fault=fault, form=form.name, schema=json.dumps(dict(form.schema)))
            talk = [*messages, Message("assistant", said[:_MOST_KEPT]), Message("user", repair)]
        raise Unfinished(f"the {role} gave no answer of the form {form.name} in {_TRIES} tries: {fault}")

    async def turn(self, role: str, messages: Sequence[Message], tools: Sequence[Tool]) -> Reply:
        """Return the model's reply, in which it may call tools."""
        return await self._ask(messages, tools, role=role, branch=self._branch)

    async def text(self, role: str, messages: Sequence[Message]) -> str:
        """Return the text of the model's answer."""
        return (await self._ask(messages, role=role, branch=self._branch)).text


def dialog_identity(folders: Iterable[str], forms: Iterable[Form]) -> Mapping[str, str]:
    """Return the digests that identify an agent's questions: of its prompts and of its forms."""
    words = (folder.digest() for folder in (WORDS, *map(load_words, folders)))
    shapes = json.dumps([form.as_row() for form in forms])
    return {"agent_prompts": " ".join([*words, hashlib.sha256(shapes.encode()).hexdigest()])}


def read_answer(text: str, form: Form) -> tuple[Mapping[str, Any] | None, str]:
    """Return the object in a text that fits a form, and an empty fault; or None and the fault."""
    if len(text) > _LONGEST:
        return None, f"it has more than {_LONGEST:,} characters"
    fault = "there is no JSON object in it"
    for candidate in _objects(text):
        whole = _fill(candidate, form.schema)
        if not (wrong := _fault(whole, form)):
            return whole, ""
        fault = wrong
    return None, fault


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a text, the likeliest first: the whole text, fenced blocks, objects between words.

    The last of several comes first, since models think before they answer."""
    for candidate in (text, *json_blocks(text)):
        with suppress(ValueError, RecursionError):
            if isinstance(mapping := _DECODER.decode(candidate.strip()), dict):
                yield mapping
    yield from reversed(list(_between_words(text)))


def _between_words(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a text, without those inside of others."""
    start = text.find("{")
    for _ in range(_MOST_BRACES):
        if start < 0:
            return
        end = start + 1
        with suppress(ValueError, RecursionError):
            mapping, end = _DECODER.raw_decode(text, start)
            yield mapping
        start = text.find("{", end)


# A number beyond all floats could not be written as JSON again.
_DECODER = json.JSONDecoder(parse_constant=no_constant, parse_float=finite)


def _fill(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value whose objects have exactly the properties of the schema, with null for missing ones.

    Half surrogate pairs in texts are replaced, since they could not be sent on."""
    if isinstance(value, dict) and "properties" in schema:
        return {name: _fill(value.get(name), inner) for name, inner in schema["properties"].items()}
    if isinstance(value, list) and "items" in schema:
        return [_fill(entry, schema["items"]) for entry in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _fault(value: Mapping[str, Any], form: Form) -> str:
    """Return the fault of an object in one sentence; an empty text if it fits."""
    try:
        error = next(Draft202012Validator(dict(form.schema)).iter_errors(value), None)
        message = "" if error is None else f"at {error.json_path}: {' '.join(error.message.split())}"
    except RecursionError:  # the validator's message quotes the value
        return "it is nested too deeply"
    return message.encode("utf-8", "replace").decode()[:_MOST_FAULT]
