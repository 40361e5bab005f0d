"""Items: read, store, delete and augment `holder[key]` for a plan, and charge for the lookup. Used by `guards`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from herobench.sandbox.hash_tables import HashTables
from herobench.sandbox.operators import Operators
from herobench.sandbox.values import Scale


class Items:
    """The item guards of one plan."""

    __slots__ = ("_operators", "_scale", "_tables")

    def __init__(self, scale: Scale, tables: HashTables, operators: Operators) -> None:
        self._scale = scale
        self._tables = tables
        self._operators = operators

    def read(self, holder: Any, key: Any) -> Any:
        """`holder[key]`."""
        # Only a dict has to search for its item: keys may collide.
        return holder[self._tables.lookup(holder, key)] if type(holder) is dict else holder[key]

    def place(self, holder: Any, key: Any) -> ItemTarget:
        """`holder[key]` as the target of an assignment or a `del`."""
        return ItemTarget(self, holder, key)

    def store(self, holder: Any, key: Any, value: Any) -> None:
        """`holder[key] = value`."""
        holder[self._tables.lookup(holder, key) if type(holder) is dict else key] = value

    def delete(self, holder: Any, key: Any) -> None:
        """`del holder[key]`. A list is charged by its length, since it moves all values behind the item."""
        del holder[self._tables.lookup(holder, key) if type(holder) is dict else key]
        if type(holder) is list:
            self._scale.sized(holder)

    def augment(self, holder: Any, key: Any, symbol: str) -> Callable[[Any], None]:
        """`holder[key] symbol= right`. Return a function of the right side."""
        # As in Python, the item is read before the right side is computed.
        left = self.read(holder, key)
        return lambda right: self.store(holder, key, self._operators.augmented(symbol, left, right))


class ItemTarget:
    """Stands for `holder[key]` in a compiled plan, which assigns to `target[None]` or deletes it."""

    __slots__ = ("_holder", "_items", "_key")

    def __init__(self, items: Items, holder: Any, key: Any) -> None:
        self._items = items
        self._holder = holder
        self._key = key

    def __setitem__(self, item: None, value: Any) -> None:
        self._items.store(self._holder, self._key, value)

    def __delitem__(self, item: None) -> None:
        self._items.delete(self._holder, self._key)
