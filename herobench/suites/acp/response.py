"""Reads the answer out of a response, in two ways: as the reference harness does, and for the sound grading.

The harness deletes line breaks and lets the lenient parser find the answer. The sound reading accepts more: any white
space separates names, a blank may stand before `)`, and `none` in any case is an answer if there is no other. It reads
two equal lists of effects as two, where the harness drops one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from herobench.suites.acp.lenient import ACTION, ACTION_OR_NONE, ACTIONS, EFFECTS, INDEX, Lists, Machine

Task = Literal["app", "prog", "reach", "areach", "val", "just", "land", "nexta"]

NONE = "None"
MACHINES: Mapping[str, Machine] = MappingProxyType(
    {
        "app": ACTIONS,
        "prog": EFFECTS,
        "reach": ACTION_OR_NONE,
        "areach": ACTION_OR_NONE,
        "val": INDEX,
        "just": ACTIONS,
        "land": ACTION_OR_NONE,
        "nexta": ACTION,
    }
)
"""The parser of each task's answers."""
_HEADINGS = ("positive effects", "negative effects")
_MARK = "simplified plan:"
_WORD_NONE = re.compile(r"(?<![\w-])none(?![\w-])", re.IGNORECASE | re.ASCII)


def read_as_reference(task: str, response: str) -> Lists | None:
    """Return the answer as the reference harness reads it; None if it cannot be read."""
    found = MACHINES[task].read(_cut(task, response.replace("\n", "").strip()))
    if found is not None and task == "prog" and found[0] == found[1]:
        return found[:1]  # the harness keeps lists by their content, so the second is lost
    return found


def read_soundly(task: str, response: str) -> Lists | None:
    """Return the answer for the sound grading; None if it cannot be read."""
    if task == "val":
        return read_as_reference(task, response)
    machine = MACHINES[task]
    found = machine.read(_cut(task, " ".join(response.split()).replace(" )", ")")))
    if found is None and machine is ACTION_OR_NONE and _WORD_NONE.search(response):
        return ((NONE,),)
    return found


def shown(answer: Lists | None) -> str | None:
    """Return an answer as one line of text: items with commas between them, each list of effects in brackets."""
    if answer is None or len(answer) == 1:
        return None if answer is None else ", ".join(answer[0])
    return " ".join(f"[{', '.join(items)}]" for items in answer)


def _cut(task: str, text: str) -> str:
    """Return the part of a response that has the answer, where the task has headings for it."""
    plain = text.lower().replace("*", "")
    if task == "just" and _MARK in text.lower():
        return plain.split(_MARK)[1]
    if task == "prog" and "[" not in text and all(heading in text.lower() for heading in _HEADINGS):
        return f"{plain.replace(_HEADINGS[0], '[', 1).replace(_HEADINGS[1], '] [', 1)}]"
    return text
