"""The guards of one plan: the functions that its compiled code calls in place of Python's own operations.

`play` makes a table of them for each plan. Two plans must share nothing that one of them could change.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from herobench.sandbox.budget import EXHAUSTED, MOST_CALLS, PlanBudget
from herobench.sandbox.builtin_names import plan_builtins
from herobench.sandbox.hash_tables import HashTables
from herobench.sandbox.items import Items
from herobench.sandbox.language import FILENAME
from herobench.sandbox.methods import Methods
from herobench.sandbox.operators import Operators
from herobench.sandbox.text import Text
from herobench.sandbox.values import Scale

_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_MODULE = "<module>"
_CALLS_PER_STEP = 3
"""2 ** _CALLS_PER_STEP nested calls make each further call one step more expensive."""


def apply(function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
    """Call a function for a plan that passes arguments with `*` or `**`."""
    return function(*arguments, **named)


apply.__module__, apply.__qualname__ = "builtins", "call"  # Python shows both in the errors of such calls


def guard_table(budget: PlanBudget) -> dict[str, Any]:
    """Return the globals of one plan, without its actions. No plan can spell the names in angle brackets."""
    scale = Scale(budget)
    tables = HashTables(scale)
    text = Text(scale)
    operators = Operators(scale, tables, text)
    items = Items(scale, tables, operators)

    return {
        "__builtins__": dict(plan_builtins(scale, tables, text, operators)),
        "<tick>": budget.tick,
        "<enter>": _enter(budget),
        "<caught>": _caught(budget),
        "<getattr>": Methods(scale, tables, text).read,
        "<binary>": operators.binary,
        "<augmented>": operators.augmented,
        "<item>": items.read,
        "<place>": items.place,
        "<augment_item>": items.augment,
        "<contains>": operators.contains,
        "<same>": operators.same,
        "<deep>": scale.deep,
        "<key>": tables.key,
        "<keys>": tables.keys,
        "<pairs>": tables.pairs,
        "<set>": tables.set_of,
        "<dict>": tables.dict_of,
        "<walk>": scale.walk,
        "<sized>": scale.sized,
        "<all_of>": scale.all_of,
        "<each_of>": scale.each_of,
        "<unpacked>": scale.unpacked,
        "<each_walked>": scale.each_walked,
        "<source>": scale.source,
        "<apply>": apply,
        "<AssertionError>": AssertionError,  # under a name of its own, since a plan may rebind AssertionError
        "<field>": text.field,
    }


def _enter(budget: PlanBudget) -> Callable[[int], bool]:
    def enter(steps: int) -> bool:
        """Count the steps of a function that is called, and end the plan if its calls are nested too deeply.

        Comprehensions are not counted, since only Python 3.11 gives them frames of their own. Python's recursion limit
        cannot be used: each version counts other calls. Walking the frames takes time, so deep calls cost more."""
        calls = 0
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not (frame.f_code.co_name == _MODULE and frame.f_code.co_filename == FILENAME):
            calls += frame.f_code.co_filename == FILENAME and frame.f_code.co_name not in _COMPREHENSIONS
            frame = frame.f_back
        if calls >= MOST_CALLS:
            budget.stop(*EXHAUSTED[RecursionError])
        return budget.tick(steps + (calls >> _CALLS_PER_STEP))

    return enter


def _caught(budget: PlanBudget) -> Callable[[], None]:
    def caught() -> None:
        """Run first in every handler and finally clause, and end the plan for errors that are limits."""
        budget.tick()
        error = sys.exc_info()[1]
        if type(error) in EXHAUSTED:  # the plan must not go on after the machine ran out of something
            budget.stop(*EXHAUSTED[type(error)])
        if error is not None:  # a chain of contexts would make each further raise slower
            error.__context__ = error.__cause__ = None

    return caught
