"""Finds actions, None, an index or two lists of effects in free text, exactly as the reference harness does.

The harness reads responses with a generated parser that drops what does not fit. This module is that parser as a table
of states. In each state some tokens are allowed. What is allowed is read first; other text is dropped: a whole token if
it is one, otherwise a character. At the end of the text one bracket is supplied if it completes the answer.

The first action wins where one is asked for, and parentheses in prose are actions too: `(see above) (a b)` reads as
`(see above)`. `tests/suites/acp/test_lenient.py` lists the consequences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

Lists = tuple[tuple[str, ...], ...]
"""What was read: one list, or two for effects. A single answer is a list of one."""

_TOKENS = {
    "NAME": r"[a-zA-Z][a-zA-Z0-9_-]*",
    "INDEX": r"[0-9]+",
    "NONE": r"None",
    "BLANK": r" ",
    "OPEN": r"\(",
    "CLOSE": r"\)",
    "LIST": r"\[",
    "END_LIST": r"\]",
    "COMMA": r",",
}
"""The tokens. One that is not allowed is looked for in this order, so `Nonetheless` is a NAME then. Where None is
allowed and no NAME is, `Nonetheless` begins with None."""
_SUPPLIED = {"CLOSE": ")", "OPEN": "(", "LIST": "[", "END_LIST": "]"}
"""The tokens that can be supplied at the end of the text."""

State = Mapping[str, str]
"""The tokens that a state allows, with the state that follows."""


def _one_of(kinds: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items()))


@dataclass(frozen=True)
class AnswerMachine:
    """A parser for one kind of answer: its states by name, the first one, and those in which the text may end."""

    states: Mapping[str, State]
    start: str
    final: frozenset[str]

    @cached_property
    def _allowed_tokens(self) -> Mapping[str, re.Pattern[str]]:
        """The pattern of what each state reads."""
        return {
            name: _one_of({kind: _TOKENS[kind] for kind in state}) if state else _NEVER
            for name, state in self.states.items()
        }

    @cached_property
    def _dropped_token(self) -> re.Pattern[str]:
        """The pattern of a token that is dropped as a whole: one that any state allows."""
        kinds = {kind for state in self.states.values() for kind in state}
        return _one_of({kind: pattern for kind, pattern in _TOKENS.items() if kind in kinds})

    def read(self, text: str) -> Lists | None:
        """Return the lists in a text, or None if there is no complete answer."""
        state, lists, position = self.start, _Found(), 0
        while position < len(text):
            if token := self._allowed_tokens[state].match(text, position):
                kind = str(token.lastgroup)
                lists.take(kind, token.group())
                state, position = self.states[state][kind], token.end()
            else:
                dropped = self._dropped_token.match(text, position)
                position = dropped.end() if dropped else position + 1
        if state not in self.final:
            state = self._complete(state, lists)
        return lists.lists if state in self.final else None

    def _complete(self, state: str, lists: _Found) -> str:
        """Supply the one token that can follow, if there is one and it is a bracket. Return the state after it."""
        following = self.states[state].keys() - {"BLANK"}
        if len(following) != 1 or not following <= _SUPPLIED.keys():
            return state
        (kind,) = following
        lists.take(kind, _SUPPLIED[kind])
        return self.states[state][kind]


_NEVER = re.compile(r"(?!)")


class _Found:
    """What was read so far."""

    def __init__(self) -> None:
        self._lists: list[list[str]] = []
        self._names: list[str] = []

    @property
    def lists(self) -> Lists:
        return tuple(map(tuple, self._lists)) or ((),)

    def take(self, kind: str, text: str) -> None:
        if kind == "LIST":
            self._lists.append([])
        elif kind == "OPEN":
            self._names = []
        elif kind == "NAME":
            self._names.append(text)
        elif kind == "CLOSE":
            self._add(f"({' '.join(self._names)})")
        elif kind in ("NONE", "INDEX"):
            self._add(text)

    def _add(self, item: str) -> None:
        if not self._lists:
            self._lists.append([])
        self._lists[-1].append(item)


def _machine(states: Mapping[str, State], start: str, final: str) -> AnswerMachine:
    """Return a machine. OPEN in a state begins an action; its target is the state after the action."""
    whole: dict[str, State] = {}
    for name, state in states.items():
        whole[name] = {**state, "OPEN": f"{name} ("} if "OPEN" in state else state
        if "OPEN" in state:
            whole[f"{name} ("] = whole[f"{name} ( "] = {"NAME": f"{name} (x"}
            whole[f"{name} (x"] = {"BLANK": f"{name} ( ", "CLOSE": state["OPEN"]}
    return AnswerMachine(whole, start, frozenset(final.split()))


def _effects(name: str, after: str) -> dict[str, State]:
    """Return the states of one list: actions, and then actions that have a comma before them."""
    return {
        name: {"OPEN": name, "COMMA": f"{name},", "END_LIST": after},
        f"{name},": {"OPEN": f"{name},x"},
        f"{name},x": {"COMMA": f"{name},", "END_LIST": after},
    }


ACTIONS = _machine({"list": {"OPEN": "list"}}, "list", "list")
"""Any number of actions."""
ACTION = _machine({"act": {"OPEN": "end"}, "end": {}}, "act", "end")
"""The first action."""
ACTION_OR_NONE = _machine({"act": {"OPEN": "end", "NONE": "end"}, "end": {}}, "act", "end")
"""The first action or None. A proposition has the form of an action."""
INDEX = _machine({"index": {"INDEX": "end"}, "end": {}}, "index", "end")
"""The first run of digits."""
EFFECTS = _machine(
    {
        "start": {"LIST": "positive"},
        **_effects("positive", "between"),
        "between": {"LIST": "negative"},
        **_effects("negative", "end"),
        "end": {},
    },
    "start",
    "end",
)
"""Two lists in square brackets."""


NONE = "None"
MACHINES: Mapping[str, AnswerMachine] = {
    "app": ACTIONS,
    "prog": EFFECTS,
    "reach": ACTION_OR_NONE,
    "areach": ACTION_OR_NONE,
    "val": INDEX,
    "just": ACTIONS,
    "land": ACTION_OR_NONE,
    "nexta": ACTION,
}
"""The parser of each task's answers."""
_HEADINGS = ("positive effects", "negative effects")
_MARK = "simplified plan:"
_WORD_NONE = re.compile(r"(?<![\w-])none(?![\w-])", re.IGNORECASE | re.ASCII)


def read_as_reference(task: str, response: str) -> Lists | None:
    """Return the answer as the reference harness reads it; None if it cannot be read."""
    lists = MACHINES[task].read(_cut_answer(task, response.replace("\n", "").strip()))
    if lists is not None and task == "prog" and lists[0] == lists[1]:
        return lists[:1]  # the harness keeps lists by their content, so the second is lost
    return lists


def read_soundly(task: str, response: str) -> Lists | None:
    """Return the answer for the sound grading; None if it cannot be read."""
    if task == "val":
        return read_as_reference(task, response)
    machine = MACHINES[task]
    lists = machine.read(_cut_answer(task, " ".join(response.split()).replace(" )", ")")))
    if lists is None and machine is ACTION_OR_NONE and _WORD_NONE.search(response):
        return ((NONE,),)
    return lists


def answer_text(answer: Lists | None) -> str | None:
    """Return an answer as one line of text: items with commas between them, each list of effects in brackets."""
    if answer is None or len(answer) == 1:
        return None if answer is None else ", ".join(answer[0])
    return " ".join(f"[{', '.join(items)}]" for items in answer)


def _cut_answer(task: str, text: str) -> str:
    """Return the part of a response that has the answer, where the task has headings for it."""
    plain = text.lower().replace("*", "")
    if task == "just" and _MARK in text.lower():
        return plain.split(_MARK)[1]
    if task == "prog" and "[" not in text and all(heading in text.lower() for heading in _HEADINGS):
        return f"{plain.replace(_HEADINGS[0], '[', 1).replace(_HEADINGS[1], '] [', 1)}]"
    return text
