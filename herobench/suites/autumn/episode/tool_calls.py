"""The actions as tools: which tools there are in a phase, and the action that a call names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from herobench.conversation import Tool, ToolCall
from herobench.suites.autumn.episode import tests
from herobench.suites.autumn.episode.phase import GO_TO_TEST, QUIT, RESET

NOTHING = "noop"
"""The name by which the game counts a reply without an action."""


def last_tag(text: str, name: str) -> str | None:
    """Return the content of the last tag of a name; None if there is none. Takes linear time."""
    opening, closing = f"<{name}>", f"</{name}>"
    end = text.rfind(closing)
    start = text.rfind(opening, 0, max(end, 0))
    if start < 0:
        return None
    start += len(opening)
    return text[start : text.find(closing, start)]


def action_in(text: str) -> str:
    """Return the action of a reply: the first line of its tag."""
    lines = (last_tag(text, "action") or "").strip().splitlines()
    return " ".join(lines[0].split()) if lines else NOTHING


class Scratchpad:
    """The notes that a model keeps across turns."""

    longest = 20_000
    """The most characters; older ones are dropped."""

    def __init__(self) -> None:
        self.text = ""

    def take(self, reply: str) -> None:
        """Delete and add what a reply says."""
        if deletion := last_tag(reply, "scratchpad_del"):
            self.text = self.text.replace(deletion.strip(), "", 1).strip() if deletion.strip() else self.text
        if new := (last_tag(reply, "scratchpad_add") or "").strip():
            self.text = f"{self.text}\n{new}".strip()[-self.longest :]


_PLAIN = {
    "go_to_test": GO_TO_TEST,
    "found_the_change": tests.FOUND,
    "submit_choice": tests.SUBMIT,
    **{name: name for name in (QUIT, RESET, tests.STEP, tests.REWIND)},
    **{name: name for name in ("left", "right", "up", "down", "noop")},
}
"""The tools without arguments, and their actions."""
_NUMBERED = {"choose_option": tests.CHOOSE_OPTION, "choose_frame": tests.CHOOSE_FRAME}
"""The tools that take a number, and how their actions begin."""
_CLICK = "click"
UNREADABLE = "(no call of a tool with fitting arguments)"
"""The action for a call that names none: it is refused as unknown."""


def tools_for(offered: Iterable[str], word: Callable[[str], str]) -> Iterator[Tool]:
    """Yield a tool for each kind of action that is offered; `word` describes a tool by its name."""
    by_action = {action: name for name, action in _PLAIN.items()}
    names = dict.fromkeys(by_action.get(action) or _tool_name(action) for action in offered)
    for name in names:
        yield Tool(name, word(f"tool_{name}"), _parameters(name))


def _tool_name(action: str) -> str:
    return next((name for name, begin in _NUMBERED.items() if action.startswith(begin)), _CLICK)


def _parameters(name: str) -> dict[str, Any]:
    keys = {_CLICK: ("column", "row")}.get(name, ("number",) if name in _NUMBERED else ())
    properties = {key: {"type": "integer"} for key in keys}
    return {"type": "object", "properties": properties, "required": list(keys), "additionalProperties": False}


def read_action(call: ToolCall) -> str:
    """Return the action that a call names."""
    if call.name in _PLAIN:
        return _PLAIN[call.name]
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return UNREADABLE
    values = list(_whole_numbers(arguments, _parameters(call.name)["required"]))
    if call.name == _CLICK and len(values) == 2:
        return f"click {values[0]} {values[1]}"
    if call.name in _NUMBERED and len(values) == 1:
        return f"{_NUMBERED[call.name]}{values[0]}"
    return UNREADABLE


def write_call(action: str) -> tuple[str, dict[str, int]]:
    """Return the tool and the arguments that name an action."""
    by_action = {text: name for name, text in _PLAIN.items()}
    if action in by_action:
        return by_action[action], {}
    name = _tool_name(action)
    if name == _CLICK:
        _, column, row = action.split()
        return name, {"column": int(column), "row": int(row)}
    return name, {"number": int(action.removeprefix(_NUMBERED[name]))}


def _whole_numbers(arguments: Any, keys: Iterable[str]) -> Iterator[int]:
    """Yield the arguments; models also write whole numbers as texts."""
    for key in keys:
        value = arguments.get(key) if isinstance(arguments, Mapping) else None
        if isinstance(value, str) and value.strip().isascii() and value.strip().isdecimal() and len(value) < 10:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9:
            yield value
