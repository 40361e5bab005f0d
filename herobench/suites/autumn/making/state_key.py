"""A key for the state of a world: worlds of one program with equal keys have equal futures under equal actions.

The reverse need not hold: a search may meet one situation under two keys, which costs time and no truth.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from types import FunctionType
from typing import Any

from herobench.suites.autumn.language.actions import KEYS
from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.suites.autumn.language.state import packed
from herobench.suites.autumn.language.values import Cell, Later, Thing, Value
from herobench.suites.autumn.language.world import World
from herobench.suites.autumn.making.old_clicks import sees_old_clicks

_MOST_TOLD = 500_000
_DEEPEST = 150
_COMMENT = re.compile(r";[^\n]*")


@lru_cache(maxsize=64)
def words_of(program: str) -> frozenset[str]:
    """Return the words that a program's text has outside of comments, also those within strings."""
    return frozenset(re.findall(r"\w+", _COMMENT.sub("", program)))


def named_keys(program: str) -> list[str]:
    """Return the arrows that a program names. Any other has the effect of `noop`."""
    return [key for key in KEYS if key in words_of(program)]


def names_clicks(program: str) -> bool:
    """Return whether a program may look at clicks."""
    return not words_of(program).isdisjoint({"click", "clicked", "objClicked"})


def state_key(world: World, *, chance: bool = True) -> bytes:
    """Return the key of a world. Without `chance`, worlds that draw other numbers from now on may have one key."""
    compiled = world.program.compiled
    variables, order = world.held, list(world.drawn_order)
    if not sees_old_clicks(world.program.source.program):
        variables.pop("click", None)
        order = [name for name in order if name != "click"]
    names = sorted(variables)
    if compiled.names.sees_identity or compiled.names.writes_fields:
        state = packed(compiled, {name: variables[name] for name in names})
        told: object = (state.roots, [_plain_row(row) for row in state.rows])
    else:
        tell = _Telling()
        told = [(name, tell(variables[name])) for name in names]
    drawn = world.chance if chance else None
    return hashlib.blake2b(repr((told, order, drawn)).encode(), digest_size=16).digest()


class _Telling:
    """Tells the values of one world. What values share is told as often as it stands there, so it is counted."""

    def __init__(self) -> None:
        self._left = _MOST_TOLD

    def __call__(self, value: Any, depth: int = 0) -> object:
        """Return a value as data with an equal text for equal values. Raises AutumnError."""
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            told = f"a state of at most {_MOST_TOLD:,} values, which nest at most {_DEEPEST} deep, for a search in it"
            raise AutumnError(f"expected {told}", 1, 1)
        depth += 1
        if type(value) is list:
            return [self(item, depth) for item in value]
        if isinstance(value, Cell):
            code = None if value.code is None else value.code.number
            captured = [(name, self(held, depth)) for name, held in sorted(value.captured.items())]
            parts = [self(part, depth) for part in (value.f_x, value.f_y, value.f_color)]
            return ("cell", code, captured, *parts)
        if isinstance(value, Value):
            fields = [self(getattr(value, f"f_{name}"), depth) for name in value.fields]
            if isinstance(value, Thing):
                fields += [self(value.f_origin, depth), self(value.f_elems, depth)]
            return (value.kind, fields)
        return _plain(value)


def _plain_row(row: tuple[str, Any]) -> object:
    kind, parts = row
    return (kind, _plain(parts)) if kind == "plain" else row


def _plain(value: Any) -> object:
    if isinstance(value, FunctionType):
        return ("function", value.__code__.co_firstlineno, value.__code__.co_name, id(value))
    if isinstance(value, Later):
        return ("later", value.text, value.argument)
    return value if isinstance(value, int | str) else ("other", id(value))
