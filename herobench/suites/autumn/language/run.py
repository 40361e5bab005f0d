"""The state that a program works on while it runs: variables, the event, the last frame, and what work is left.

There is one `Run` for a compiled program. A world lends it its variables for one step, so that the generated code finds
everything under fixed names, in the dict that it has for its globals. `G`, `L` and `P` are the global variables, the
local variables of dynamic scope, and the global variables before the step.

Local variables are bound shallowly: `L` has the innermost value of each name, and a frame keeps what it replaced. After
an error nothing is put back, because the world is over then; `use` starts clean.
"""

from __future__ import annotations

from typing import Any

from herobench.suites.autumn.language.chance import Chance, Generator, Script, draw
from herobench.suites.autumn.language.errors import Fault, Limits
from herobench.suites.autumn.language.values import MISSING, Position, Value, object_token, type_name

Variables = dict[str, Any]
Frame = dict[tuple[int, int], str]
"""The cells of all objects by position, of several the uppermost. Its keys are the occupied positions."""

_COPIED = 100
"""Draws of a script that count as a unit of work: each draw copies all draws before it."""


class Run:
    """What generated code and natives share."""

    def __init__(self, env: dict[str, Any], limits: Limits) -> None:
        self.env = env
        self.limits = limits
        self.declared: dict[str, str] = {}
        """The declared types of variables, by name."""
        self.places: dict[str, int] = {}
        """Where variables are defined in the source."""
        self.sees_identity = True
        self.G: Variables = {}
        self.P: Variables = {}
        self.L: Variables = {}
        self.frames: list[Variables] = []
        self.first: dict[str, None] = {}
        """Names of the state variables, which are drawn before all others."""
        self.order: dict[str, None] = {}
        """Names of global variables in the order of their first definition."""
        self.updated: set[str] = set()
        self.frame: Frame = {}
        self.event = ""
        self.click = (0, 0)
        self.tested: set[tuple[int, int]] | None = None
        """Collects the positions that clicks are compared with, where somebody wants to know them."""
        self.random: Chance = 0
        self.generator: Generator = "reference"
        self.depth = 0
        self.left = 0
        env.update(G=self.G, P=self.P, L=self.L)

    # -- what a step works on -----------------------------------------------------------------------------------------

    def use(self, variables: Variables, before: Variables) -> None:
        """Work on these variables from now on, with no event, no frames and all work left."""
        self.turn_to(variables)
        self.set_before(before)
        self.L.clear()
        self.frames.clear()
        self.updated.clear()
        self.event = ""
        self.depth = 0
        self.renew()

    def turn_to(self, variables: Variables) -> None:
        """Let generated code see these global variables."""
        self.G = self.env["G"] = variables

    def set_before(self, variables: Variables) -> None:
        """Set what `prev` sees."""
        self.P = self.env["P"] = variables

    # -- work ---------------------------------------------------------------------------------------------------------

    def renew(self) -> None:
        """Allow the work of one step."""
        self.left = self.limits.work

    @property
    def spent(self) -> int:
        """The work of this step so far."""
        return self.limits.work - self.left

    def tick(self, units: int = 1) -> None:
        """Count work."""
        self.left -= units
        if self.left < 0:
            raise Fault(f"the program does more than {self.limits.work} units of work in one step")

    def down(self, units: int, last: object = None) -> None:
        """Enter a function, whose work is counted. `last` is its last argument."""
        if last is MISSING:
            raise Fault("the function is called with too few arguments", of_caller=True)
        self.depth += 1
        self.left -= units
        if self.left < 0:
            self.tick(0)
        if self.depth > self.limits.depth:
            raise Fault(f"calls nest more than {self.limits.depth} deep")

    def up(self) -> None:
        """Leave a function."""
        self.depth -= 1

    def room(self, items: int) -> None:
        """Count the work of making a list by its length, or refuse one that is too long."""
        if items > self.limits.items:
            raise Fault(f"a list has more than {self.limits.items} elements")
        self.tick(items)

    def listed(self, items: list[Any]) -> list[Any]:
        """Return a long list that the program writes out."""
        self.room(len(items))
        return items

    # -- variables ----------------------------------------------------------------------------------------------------

    def enter(self, *pairs: Any) -> None:
        """Push a frame with variables, given as name and value in turn."""
        frame: Variables = {}
        variables = self.L
        for number in range(0, len(pairs), 2):
            name = pairs[number]
            frame.setdefault(name, variables.get(name, MISSING))
            variables[name] = pairs[number + 1]
        self.frames.append(frame)

    def leave(self) -> None:
        """Pop the innermost frame."""
        variables = self.L
        for name, value in self.frames.pop().items():
            if value is MISSING:
                del variables[name]
            else:
                variables[name] = value

    def set_global(self, name: str, value: Any) -> Any:
        """Assign at a place where no local variable can be."""
        if name in self.declared:
            self._check_declared(name, value)
        variables = self.G
        old = variables.get(name, MISSING)
        self.updated.add(name)
        if old is MISSING:
            self.define(name, value)
        else:
            variables[name] = self.replacing(value, old)
        return value

    def define(self, name: str, value: Any) -> None:
        """Define a global variable. This does not mark it as updated."""
        self.G[name] = value
        self.order.setdefault(name)

    def assign(self, name: str, value: Any) -> Any:
        """Assign to the nearest variable of a name, or define it in the innermost frame."""
        variables = self.L
        if name not in variables and (name in self.G or not self.frames):
            return self.set_global(name, value)
        if name in self.declared:
            self._check_declared(name, value)
        if name in variables:
            variables[name] = self.replacing(value, variables[name])
        else:
            self.frames[-1].setdefault(name, MISSING)
            variables[name] = value
        return value

    def replacing(self, value: Any, old: Any) -> Any:
        """Return a value that replaces another of the same type, and takes over its identity."""
        if type(old) is not type(value) and type(value) is not list and type_name(old) != type_name(value):
            raise Fault(f"a {type_name(value)} cannot replace a {type_name(old)}")
        if self.sees_identity and isinstance(value, Value) and isinstance(old, Value) and value is not old:
            value.token = object_token(old)
        return value

    def _check_declared(self, name: str, value: Any) -> None:
        if type_name(value) != self.declared[name]:
            raise Fault(f"'{name}' is declared as {self.declared[name]}, the value is a {type_name(value)}")

    def previous_value(self, value: Any) -> Any:
        """Return what a value was before this step: by the name of a variable, or by the identity of the value."""
        if type(value) is str:
            if value not in self.P:
                raise Fault(f"there was no variable '{value}' before this step")
            return self.P[value]
        self.tick(2 * len(self.P))
        for old in self.P.values():
            if self.same(old, value):
                return old
        for name, now in self.G.items():
            if type(value) is list and now is value and name in self.P:
                return self.P[name]
        raise Fault("the value is that of no variable before this step")

    @staticmethod
    def same(one: object, other: object) -> bool:
        """Return whether two values have one identity. Numbers, Strings and Bools have none."""
        if isinstance(one, Value):
            return isinstance(other, Value) and object_token(one) is object_token(other)
        return type(one) is list and one is other

    def drawn_names(self) -> list[str]:
        """Return the names of the global variables in the order in which they are drawn."""
        return [*(self.first | self.order)]

    # -- the grid -----------------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of rows, and of columns."""
        size = self.G.get("GRID_SIZE")
        if type(size) is not int or not 0 < size <= self.limits.grid:
            size_text = size if type(size) is int else type_name(size)
            raise Fault(f"expected a GRID_SIZE of 1 to {self.limits.grid}, found {size_text}")
        return size

    def free(self, x: int, y: int) -> bool:
        """Return whether a position was free in the last frame."""
        return (x, y) not in self.frame

    def clicked_at(self) -> tuple[int, int] | None:
        """Return where the click is; None if there is none. Looking at a click sets the variable `click`."""
        if self.event != "click":
            return None
        self.define("click", Position(*self.click))
        return self.click

    # -- chance -------------------------------------------------------------------------------------------------------

    def draw(self, below: int) -> int:
        """Draw a number below a bound; 0 without a draw if the bound is 0."""
        if below <= 0:
            return 0
        if isinstance(self.random, Script):
            self.tick(len(self.random.bounds) // _COPIED)
        self.random, number = draw(self.random, below, self.generator)
        return number
