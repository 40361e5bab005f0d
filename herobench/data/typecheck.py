"""Checks that a value from a plugin has the field types that its dataclass declares.

Replies come from packages of models, messages and tasks from packages of suites, messages from packages of agents. They
are checked once, where they enter; after that the types are trusted. A wrong one would otherwise fail late, when a row
is written, and the error would name the wrong culprit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from herobench.data.errors import abbreviated

_Kind = TypeVar("_Kind")
_MODULE = re.compile(r"\b(?:[a-z_]+\.)+")
"""The module before the name of a type, as in `collections.abc.Mapping`."""


def declared(value: object, kind: type[_Kind], what: str) -> _Kind:
    """Return a value that is a `kind` with fields of the declared types. Raise TypeError for any other."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} is of type {type(value).__name__}, not {kind.__name__}")
    for name, hint, plain, usual, default in _fields(kind):
        held = getattr(value, name)
        kept = type(held)
        if kept not in plain and held is not default and not (kept in _COMPARED and held in usual):
            _refuse_other(held, hint, f"the {name} of {what}")
    return value


def mapping(value: object) -> Mapping[Any, Any]:
    """Return a mapping. Raise TypeError for any other value."""
    if not isinstance(value, Mapping):
        raise TypeError(f"it is {abbreviated(value)}, not a mapping")
    return value


def declared_entries(entries: Mapping[str, object], kind: type, what: str) -> None:
    """Raise TypeError when an entry is not declared by a TypedDict, or is of another type."""
    declarations = get_type_hints(kind)
    for name, held in entries.items():
        if name not in declarations:
            raise TypeError(f"{what} has an entry {name!r}: there are {', '.join(declarations)}")
        _refuse_other(held, declarations[name], f"the {name} of {what}")


_COMPARED = {str, tuple, dict}
"""Types whose values compare as Python's own do."""
_Field = tuple[str, Any, frozenset[type], tuple[object, ...], object]


def _declared_fields(kind: type) -> tuple[_Field, ...]:
    """Return the fields of a dataclass, each with its declared type and what nearly all of its values are.

    Such a value is of a plain type, one of some usual values, or the default. Any other is looked at closely: long
    conversations are checked at every turn."""
    defaults = {each.name: each.default for each in fields(kind)} if is_dataclass(kind) else {}
    return tuple(
        (name, _inner(hint) or hint, *_usual(hint), defaults.get(name, MISSING))
        for name, hint in get_type_hints(kind).items()
    )


_fields: Callable[[type], tuple[_Field, ...]] = cache(_declared_fields)


def _usual(hint: Any) -> tuple[frozenset[type], tuple[object, ...]]:
    """Return plain types and usual values that fit a type."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return frozenset(), parts
    if origin in (tuple, Sequence):
        return frozenset(), ((),)
    if origin is Mapping:
        return frozenset(), ({},)
    kinds = parts if origin in (Union, UnionType) else (hint,)
    return frozenset(kinds) & {str, int, float, bool, NoneType}, ()


def _refuse_other(value: object, hint: Any, what: str) -> None:
    """Raise TypeError when a value is not of a declared type. Any sequence passes for a tuple."""
    if isinstance(hint, type) and is_dataclass(hint):
        declared(value, hint, what)
    elif value is not None and (inner := _inner(hint)) is not None:
        _refuse_other(value, inner, what)
    elif get_origin(hint) in (tuple, Sequence) and isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for number, entry in enumerate(value):
            _refuse_other(entry, get_args(hint)[0], f"entry {number} of {what}")
    elif get_origin(hint) is Mapping and isinstance(value, Mapping):
        names, entries = get_args(hint)
        for name, entry in value.items():
            _refuse_other(name, names, f"a name in {what}")
            if entries is not Any:
                _refuse_other(entry, entries, f"{name!r} in {what}")
    elif not _fits(value, hint):
        raise TypeError(f"{what} is {abbreviated(value)}, not {_words(hint)}")


@cache
def _inner(hint: Any) -> Any:
    """Return the type of a value that may be None, if the type has parts that are looked into; None if it has none."""
    if get_origin(hint) not in (Union, UnionType):
        return None
    kinds = [part for part in get_args(hint) if part is not NoneType]
    return kinds[0] if len(kinds) == 1 and (get_origin(kinds[0]) or is_dataclass(kinds[0])) else None


def _fits(value: object, hint: Any) -> bool:
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is Literal:
        return value in parts
    if isinstance(value, bool):  # bool is a subclass of int
        return hint is bool
    return origin not in (tuple, Sequence) and isinstance(value, origin or hint)


def _words(hint: Any) -> str:
    """Return a declared type in short: `str | None`, `tuple[ToolCall, ...]`."""
    return hint.__name__ if type(hint) is type else _MODULE.sub("", str(hint))
