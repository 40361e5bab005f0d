"""Checks values that packages of others hand over: parts of conversations while a run plays, and whatever is declared.

`refuse_improper` looks at a message or a reply once, where it enters, and costs a microsecond. `type_fault` holds any
value against a declared type, as deep as it goes: for what is looked at once, when it is loaded or tried out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from herobench.conversation import Form, Message, Reply, Role, Tool, ToolCall, Usage
from herobench.data.errors import abbreviate

_TEXT, _TEXT_OR_NONE, _LISTED = (str,), (str, NoneType), (tuple, list)
_FIELDS: Mapping[type, Mapping[str, tuple[type, ...]]] = {
    ToolCall: dict.fromkeys(("id", "name", "arguments"), _TEXT),
    Tool: {"name": _TEXT, "description": _TEXT, "parameters": (Mapping,)},
    Form: {"name": _TEXT, "schema": (Mapping,)},
    Message: {"role": _TEXT, "text": _TEXT, "tool_calls": _LISTED, "call_id": _TEXT_OR_NONE, "pictures": _LISTED},
    Reply: {
        "text": _TEXT,
        "tool_calls": _LISTED,
        **dict.fromkeys(("answer", "reasoning", "stop", "model", "id"), _TEXT_OR_NONE),
        "usage": (Usage,),
        "from_cache": (bool,),
        "server_fields": (Mapping,),
    },
}
_ROLES = frozenset(get_args(Role))
_MODULE = re.compile(r"\b(?:[a-z_]+\.)+")
"""The module before the name of a type, as in `collections.abc.Mapping`."""


def refuse_improper(value: object, kind: type, what: str) -> None:
    """Raise TypeError for a part of a conversation that no row could keep."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} is a {type(value).__name__}, not a {kind.__name__}")
    for name, kinds in _FIELDS[kind].items():
        if not isinstance(getattr(value, name), kinds):
            words = " or ".join("None" if each is NoneType else each.__name__ for each in kinds)
            raise TypeError(f"the {name} of {what} is {abbreviate(getattr(value, name))}, not {words}")
    if isinstance(value, Message):
        if value.role not in _ROLES:
            raise TypeError(f"the role of {what} is {abbreviate(value.role)}, not one of {', '.join(sorted(_ROLES))}")
        if not all(isinstance(picture, str) for picture in value.pictures):
            raise TypeError(f"the pictures of {what} are not all texts")
    if isinstance(value, Message | Reply):
        for call in value.tool_calls:
            refuse_improper(call, ToolCall, f"a tool call of {what}")


def type_fault(value: object, hint: Any, what: str) -> str | None:
    """Return what is wrong with a value of a declared type; None if it fits. Any sequence passes for a tuple."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any or (origin is Literal and value in parts):
        return None
    if origin in (Union, UnionType):
        whole = [part for part in parts if get_origin(part) or is_dataclass(part)]
        if whole and len(parts) == 2 and value is not None:  # the type of a value that may be None
            return type_fault(value, whole[0], what)
        return None if any(type_fault(value, part, what) is None for part in parts) else _other(value, hint, what)
    if isinstance(hint, type) and is_dataclass(hint) and isinstance(value, hint):
        hints = get_type_hints(hint)
        return _first(
            type_fault(getattr(value, each.name), hints[each.name], f"the {each.name} of {what}")
            for each in fields(hint)
        )
    if origin in (tuple, Sequence) and isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return _first(type_fault(entry, parts[0], f"entry {place} of {what}") for place, entry in enumerate(value))
    if origin is Mapping and isinstance(value, Mapping):
        names = (type_fault(name, parts[0], f"a name in {what}") for name in value)
        return _first(names) or _first(
            type_fault(entry, parts[1], f"{name!r} in {what}") for name, entry in value.items()
        )
    if origin in (Literal, tuple, Sequence, Mapping) or (isinstance(value, bool) and hint is not bool):
        return _other(value, hint, what)  # bool is a subclass of int
    kind = (int, float) if hint is float else origin or hint
    return None if isinstance(value, kind) else _other(value, hint, what)


def _first(faults: Iterable[str | None]) -> str | None:
    return next((fault for fault in faults if fault is not None), None)


def _other(value: object, hint: Any, what: str) -> str:
    """Say that a value is not of a type, in short: `str | None`, `tuple[ToolCall, ...]`."""
    words = hint.__name__ if type(hint) is type else _MODULE.sub("", str(hint))
    return f"{what} is {abbreviate(value)}, not {words}"
