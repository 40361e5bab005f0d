"""Natives that look up, add, change and remove objects and variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from herobench.suites.autumn.language.drawing import Drawing
from herobench.suites.autumn.language.errors import DEEPEST_VALUE, Fault
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.values import (
    FUNCTIONS,
    MISSING,
    Missing,
    Thing,
    Value,
    has_field,
    object_token,
    truthy,
    type_name,
)


class Objects:
    """Objects as values, and the variables that hold them."""

    def __init__(self, run: Run, drawing: Drawing, natives: frozenset[str]) -> None:
        self.run = run
        self.drawing = drawing
        self.natives = natives

    def add_obj(self, items: Any, more: Any) -> Any:
        """Return a copy of a list with an object, or the elements of another list, at its end."""
        if type(items) is not list or not (isinstance(more, Value) or type(more) is list):
            raise Fault(f"expected a List and an object or a List, found {type_name(items)} and {type_name(more)}")
        additions = more if type(more) is list else [more]
        self.run.room(len(items) + len(additions))
        copies = [self._copy(item) for item in items] if self.run.sees_identity else items
        return [*copies, *additions]

    def _copy(self, value: Any, depth: int = 0) -> Any:
        """Return a value with identities of its own."""
        if isinstance(value, Value):
            self.run.tick(len(value.fields))
            return value.copy()
        if type(value) is list:
            if depth > DEEPEST_VALUE:
                raise Fault(f"expected lists nested at most {DEEPEST_VALUE} deep")
            self.run.tick(len(value))
            return [self._copy(item, depth + 1) for item in value]
        return value

    def remove_obj(self, items: Any, which: Any = MISSING) -> Any:
        """Return a list without some elements. With one argument, remove the variable that holds it and return it."""
        if which is MISSING:
            self._remove_variable(items)
            return items
        if type(items) is not list:
            raise Fault(f"expected a List, found a {type_name(items)}")
        self.run.tick(len(items) + 1)
        if isinstance(which, FUNCTIONS):
            return [item for item in items if not truthy(which(item))]
        if isinstance(which, Value):
            which = [which]
        if type(which) is not list:
            raise Fault(f"expected a function, an object or a List, found a {type_name(which)}")
        self.run.tick(len(which))
        identities = {id(object_token(item)) for item in which if isinstance(item, Value)}
        identities |= {id(item) for item in which if type(item) is list}
        return [item for item in items if id(object_token(item) if isinstance(item, Value) else item) not in identities]

    def _remove_variable(self, value: Any) -> None:
        self.run.tick(len(self.run.G))
        for name, held_value in self.run.G.items():
            if self.run.same(held_value, value):
                del self.run.G[name]
                return

    def update_obj(self, thing: Any, change: Any, third: Any = MISSING) -> Any:
        """Return a copy of an object with another value of a field, or what a function makes of an object or of the
        elements of a list; with a condition as `third`, only of those that it holds for."""
        if type(thing) is list:
            return self._update(thing, change, third)
        if not isinstance(thing, Value):
            raise Fault(f"expected an object or a List, found a {type_name(thing)}")
        if third is MISSING:
            return self._callable(change)(thing)
        if type(change) is not str:
            raise Fault(f"expected the name of a field as a String, found a {type_name(change)}")
        self.has_field(thing, change)
        self.run.tick(1 + len(thing.fields))
        twin = thing.copy()
        setattr(twin, f"f_{change}", third)
        return twin

    def _update(self, items: list[Any], change: Any, which: Any) -> list[Any]:
        run = self.run
        run.left -= len(items) + 1
        if run.left < 0:
            run.tick(0)
        self._callable(change)
        if which is MISSING:
            return [change(item) for item in items]
        self._callable(which)
        return [
            change(item) if (verdict := which(item)) is True or (verdict is not False and truthy(verdict)) else item
            for item in items
        ]

    @staticmethod
    def _callable(function: Any) -> Callable[..., Any]:
        if not isinstance(function, FUNCTIONS):
            raise Fault(f"expected a function, found a {type_name(function)}")
        return function

    @staticmethod
    def has_field(thing: Value, field: str) -> None:
        """Raise Fault if an object lacks a field."""
        if not has_field(thing, field):
            raise Fault(f"a {thing.kind} has no field '{field}'")

    def defined(self, name: Any) -> Any:
        """Return whether there is a global variable of a name."""
        if type(name) is not str:
            raise Fault(f"expected the name of a variable as a String, found a {type_name(name)}")
        return name in self.run.G or name in self.natives

    def all_objs(self) -> Any:
        """Return all objects in global variables, in the order in which they are drawn."""
        run = self.run
        things: list[Thing] = []
        for name in run.drawn_names():
            value = run.G.get(name)
            if type(value) is list:
                things += self.drawing.things(value)
            elif isinstance(value, Thing):
                things.append(value)
        run.tick(len(things) + len(run.order))
        return things

    def clicked(self, value: Any = MISSING) -> Any:
        """Return whether there is a click, or whether it is on a cell of a value."""
        place = self.run.clicked_at()
        if place is None:
            return False
        if isinstance(value, Missing):
            return True
        cells = self.drawing.cells(value)
        if self.run.tested is not None:
            self.run.tested.update(cell[0] for cell in cells)
        return any(cell[0] == place for cell in cells)

    def obj_clicked(self, things: Any) -> Any:
        """Return the elements that are under the click."""
        return [thing for thing in self.drawing.things(things) if self.clicked(thing)]


class Key:
    """Looks at one key."""

    def __init__(self, run: Run, name: str) -> None:
        self._run, self._name = run, name

    def pressed(self) -> Any:
        """Return whether the event is the key."""
        return self._run.event == self._name
