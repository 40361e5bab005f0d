"""Items: `holder[key]` read, stored, deleted and augmented, with the lookup paid for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from herobench.sandbox.operators import Operators
from herobench.sandbox.tables import Tables
from herobench.sandbox.values import Scale


class Items:
    """The items of one plan's lists and dicts."""

    __slots__ = ("_operators", "_scale", "_tables")

    def __init__(self, scale: Scale, tables: Tables, operators: Operators) -> None:
        self._scale = scale
        self._tables = tables
        self._operators = operators

    def read(self, holder: Any, key: Any) -> Any:
        """`holder[key]`."""
        return holder[self._tables.lookup(holder, key)] if type(holder) is dict else holder[key]

    def place(self, holder: Any, key: Any) -> Place:
        """`holder[key]` as a target."""
        return Place(self, holder, key)

    def store(self, holder: Any, key: Any, value: Any) -> None:
        """`holder[key] = value`."""
        holder[self._tables.lookup(holder, key) if type(holder) is dict else key] = value

    def delete(self, holder: Any, key: Any) -> None:
        """`del holder[key]`: a list moves all that stands behind."""
        del holder[self._tables.lookup(holder, key) if type(holder) is dict else key]
        if type(holder) is list:
            self._scale.sized(holder)

    def augment(self, holder: Any, key: Any, symbol: str) -> Callable[[Any], None]:
        """`holder[key] symbol= right`, to be called with the right side: Python reads the item before it."""
        left = self.read(holder, key)
        return lambda right: self.store(holder, key, self._operators.augmented(symbol, left, right))


class Place:
    """The target that a compiled plan assigns to instead of `holder[key]`, or deletes: always its one item, None."""

    __slots__ = ("_holder", "_items", "_key")

    def __init__(self, items: Items, holder: Any, key: Any) -> None:
        self._items = items
        self._holder = holder
        self._key = key

    def __setitem__(self, item: None, value: Any) -> None:
        self._items.store(self._holder, self._key, value)

    def __delitem__(self, item: None) -> None:
        self._items.delete(self._holder, self._key)
