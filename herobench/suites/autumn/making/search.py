"""Breadth-first search over the states of a world: the fewest actions after which each frame can be seen.

All actions are tried but those that are proven to change nothing. An arrow that the program does not name is as good as
`noop`. Where the program does not name the variable `click`, it sees a click only by comparing it with cells: then a
click on a cell with which none was compared is as good as a click beside everything.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType
from typing import Any

from herobench.suites.autumn.episode.challenge import Grid, freeze_grid
from herobench.suites.autumn.language import tree
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.names import children, parts
from herobench.suites.autumn.language.program import DEFAULT_LIMITS, Program, restore
from herobench.suites.autumn.language.state import count_values, pack
from herobench.suites.autumn.language.values import Cell, Later, Value, all_fields
from herobench.suites.autumn.language.world import KEYS, AutumnWorld

_MOST_TOLD = 500_000
_DEEPEST = 150
_COMMENT = re.compile(r";[^\n]*")


@lru_cache(maxsize=64)
def program_words(program: str) -> frozenset[str]:
    """Return the words that a program's text has outside of comments, also those within strings."""
    return frozenset(re.findall(r"\w+", _COMMENT.sub("", program)))


def named_keys(program: str) -> list[str]:
    """Return the arrows that a program names. Any other has the effect of `noop`."""
    return [key for key in KEYS if key in program_words(program)]


def names_clicks(program: str) -> bool:
    """Return whether a program may look at clicks."""
    return not program_words(program).isdisjoint({"click", "clicked", "objClicked"})


def state_key(world: AutumnWorld, *, chance: bool = True) -> bytes:
    """Return the key of a world. Without `chance`, worlds that draw other numbers from now on may have one key."""
    compiled = world.program.compiled
    variables, order = world.held, list(world.drawn_order)
    if not sees_old_clicks(world.program.source.program):
        variables.pop("click", None)
        order = [name for name in order if name != "click"]
    names = sorted(variables)
    if compiled.names.sees_identity:
        state = pack(compiled, {name: variables[name] for name in names})
        text = repr((state.roots, [_plain_row(row) for row in state.rows]))
    else:  # values do not change, so each keeps its text
        text = repr(names) + _join([_value_text(variables[name], 0) for name in names])[0]
    chance_state = world.chance if chance else None
    return hashlib.blake2b(f"{text}{order}{chance_state!r}".encode(), digest_size=16).digest()


_Told = tuple[str, int, int]
"""The text of a value, the number of values in it, and how deep they nest. A value that is shared is written out each
time it occurs, so each time is counted."""


def _value_text(value: Any, depth: int) -> _Told:
    """Return a value's text, which equal values share. Raise AutumnError if it is too large."""
    if type(value) is list:
        _assert_few(0, depth)
        return _join([_value_text(item, depth + 1) for item in value])
    if not isinstance(value, Value):
        _assert_few(0, depth)
        return repr(_plain(value)), 1, 0
    summary: _Told | None = getattr(value, "told", None)
    if summary is None:
        _assert_few(0, depth)
        text, values, deep = _join([_value_text(part, depth + 1) for part in _parts(value)])
        summary = value.told = (f"{_head(value)}{text}", values, deep)
    _assert_few(summary[1], depth + summary[2])
    return summary


def _join(parts: list[_Told]) -> _Told:
    values, deep = 1 + sum(part[1] for part in parts), 1 + max((part[2] for part in parts), default=-1)
    _assert_few(values, 0)
    return f"[{','.join([part[0] for part in parts])}]", values, deep


def _head(value: Value) -> str:
    """Return the text of the parts of a value that are not values themselves."""
    if not isinstance(value, Cell):
        return value.kind
    return f"#{None if value.code is None else value.code.number}{sorted(value.captured)}"


def _parts(value: Value) -> list[Any]:
    """Return the values in a value, in an order of its class."""
    if isinstance(value, Cell):
        captured = [captured_value for _, captured_value in sorted(value.captured.items())]
        return [*captured, value.f_x, value.f_y, value.f_color]
    return [getattr(value, f"f_{name}") for name in all_fields(value)]


def _assert_few(values: int, depth: int) -> None:
    if values > _MOST_TOLD or depth > _DEEPEST:
        expectation = (
            f"a state of at most {_MOST_TOLD:,} values, which nest at most {_DEEPEST} deep, for a search in it"
        )
        raise AutumnError(f"expected {expectation}", 1, 1)


def _plain_row(row: tuple[str, Any]) -> object:
    kind, parts = row
    return (kind, _plain(parts)) if kind == "plain" else row


def _plain(value: Any) -> object:
    if isinstance(value, FunctionType):
        return ("function", value.__code__.co_firstlineno, value.__code__.co_name, id(value))
    if isinstance(value, Later):
        return ("later", value.text, value.argument)
    return value if isinstance(value, int | str) else ("other", id(value))


@lru_cache(maxsize=64)
def sees_old_clicks(program: str) -> bool:
    """Return whether an old click may have an effect. Where this is not certain it is true."""
    program_run = restore(program, "", DEFAULT_LIMITS)
    return any(_statement_sees(program_run, statement) for statement in program_run.tree.statements)


def _statement_sees(
    program: Program, statement: tree.Expr | tree.ObjectType | tree.StateVariable | tree.Handler
) -> bool:
    if "clicked" in program.compiled.names.taken or getattr(statement, "name", "") == "click":
        return True
    if isinstance(statement, tree.Handler):
        return _sees(statement.condition, False) or _sees(statement.body, _looks(statement.condition))
    return any(_sees(part, False) for part in parts(statement))


def _sees(expr: tree.Expr, looked: bool) -> bool:
    """Return whether an expression reads an old click. `looked` says that it runs after a look at a click."""
    match expr:
        case tree.Name(name="click"):
            return not looked
        case tree.Literal(value="click") | tree.Assign(name="click"):
            return True
        case tree.CallExpression(head=tree.Name(name="prev"), args=[tree.Name(name="click"), *_]):
            return True
        case tree.Logic(op="&" | "and"):
            return _sees(expr.left, looked) or _sees(expr.right, looked or _looks(expr.left))
        case tree.If():
            then = looked or _looks(expr.condition)
            return _sees(expr.condition, looked) or _sees(expr.then, then) or _sees(expr.otherwise, looked)
        case tree.Lambda():
            return "click" in expr.params or _sees(expr.body, looked and expr.given is not None)
        case _:
            return any(_sees(part, looked) for part in children(expr))


def _looks(expr: tree.Expr) -> bool:
    """Return whether a condition that is true has looked at a click of this step."""
    match expr:
        case tree.Name(name="clicked") | tree.CallExpression(head=tree.Name(name="clicked")):
            return True
        case tree.Logic(op="&" | "and"):
            return _looks(expr.left) or _looks(expr.right)
        case _:
            return False


_MOST_HELD = 30_000_000
"""Values that the states of a search may hold together. Eight cells of a grid are as large as a value."""
_NOWHERE = "click -99999 -99999"


@dataclass(slots=True, eq=False)
class Node:
    """A state that was reached."""

    world: AutumnWorld | None
    """The world; None once it was expanded, to save memory."""
    grid: Grid
    depth: int
    parent: Node | None = None
    action: str = ""

    @property
    def plan(self) -> tuple[str, ...]:
        """The actions from the start to here."""
        actions = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return tuple(reversed(actions))


@dataclass(slots=True)
class Explored:
    """The states that a search met."""

    layers: list[list[Node]] = field(default_factory=list)
    """The states by the least number of actions that leads to them."""
    complete: int = 0
    """The layers hold all states that this many actions or fewer can reach."""
    exhausted: bool = False
    """Whether there are no other states at all."""
    steps: int = 0
    """The actions that were tried."""

    @property
    def states(self) -> int:
        """The number of states."""
        return sum(map(len, self.layers))

    @property
    def proven(self) -> int:
        """The length up to which the depth of a state is that of a shortest plan."""
        return self.complete + 1


def explore(world: AutumnWorld, steps: int, depth: int) -> Explored:
    """Search until a number of actions were tried, or all states of a depth are known. Raises AutumnError."""
    start = Node(world.redrawn(), freeze_grid(world.grid), 0)
    exploration = Explored([[start]])
    keys = {state_key(world)}
    values = 0
    while exploration.complete < depth:
        following: list[Node] = []
        exploration.layers.append(following)
        for node in exploration.layers[exploration.complete]:
            if exploration.steps >= steps or values > _MOST_HELD:
                return exploration
            assert node.world is not None
            for action, after in successors(node.world):
                exploration.steps += 1
                key = state_key(after)
                if key not in keys:
                    keys.add(key)
                    values += count_values(after.held, _MOST_HELD) + after.size**2 // 8
                    following.append(Node(after, freeze_grid(after.grid), node.depth + 1, node, action))
            node.world = None
        exploration.complete += 1
        if not following:
            exploration.exhausted = True
            exploration.layers.pop()
            break
    return exploration


def successors(world: AutumnWorld) -> Iterator[tuple[str, AutumnWorld]]:
    """Yield actions that may lead to different states, each with the world after it."""
    program = world.program.source.program
    for action in ("noop", *named_keys(program)):
        after = world.redrawn()
        after.act(action)
        yield action, after
    for x, y in played_cells(world, 1):
        after = world.redrawn()
        after.act(f"click {x} {y}")
        yield f"click {x} {y}", after


def played_cells(world: AutumnWorld, times: int) -> list[tuple[int, int]]:
    """Return cells of the grid on which clicks may have different effects if each is repeated so often."""
    program = world.program.source.program
    if not names_clicks(program):
        return []
    cells = [(x, y) for y in range(world.size) for x in range(world.size)]
    if "click" in program_words(program):
        return cells
    # clicks on cells that no step compares with a click do what clicks beside the grid do
    beside, tested = world.redrawn(), set[tuple[int, int]]()
    with suppress(AutumnError):  # every such click fails there
        for _ in range(times):
            tested |= beside.click_tested(_NOWHERE)
    other = next((cell for cell in cells if cell not in tested), None)
    return [cell for cell in cells if cell in tested or cell == other]
