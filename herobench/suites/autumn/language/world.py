"""A running program: its grid, and the actions that change it."""

from __future__ import annotations

import re
from collections.abc import Callable
from sys import intern
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from herobench.data.errors import UsageError
from herobench.suites.autumn.language.build import FILE
from herobench.suites.autumn.language.chance import Chance, Generator, first_state
from herobench.suites.autumn.language.compiled import initial_variables
from herobench.suites.autumn.language.errors import AutumnError, Fault
from herobench.suites.autumn.language.library import SIGNATURES
from herobench.suites.autumn.language.parser import ProgramText
from herobench.suites.autumn.language.run import Frame, Run, Variables
from herobench.suites.autumn.language.state import ProgramState, count_values, pack, unpack
from herobench.suites.autumn.language.tree import Declare
from herobench.suites.autumn.language.values import plain, truthy, type_name
from herobench.suites.autumn.refusals import AutumnFault

if TYPE_CHECKING:
    from herobench.suites.autumn.language.program import Program

_Made = TypeVar("_Made")
KEYS = ("left", "right", "up", "down")
_CLICK = re.compile(r"click\s+(-?[0-9]{1,9})\s+(-?[0-9]{1,9})")


class WorldAction(NamedTuple):
    """One action: `kind` is the event in the program, empty for none. `x` is the column, `y` the row of a click."""

    kind: str
    x: int = 0
    y: int = 0


def read_action(text: str) -> WorldAction:
    """Return the action that a text names. Raises UsageError."""
    word = text.strip()
    if word == "noop":
        return WorldAction("")
    if word in KEYS:
        return WorldAction(word)
    if match := _CLICK.fullmatch(word):
        return WorldAction("click", int(match[1]), int(match[2]))
    raise UsageError(AutumnFault.NO_ACTION, text=text[:40])


FAILURES = (
    Fault,
    AttributeError,
    KeyError,
    TypeError,
    ValueError,
    NameError,
    OverflowError,
    RecursionError,
    MemoryError,
)
"""The exceptions that compiled programs and the functions of the library can raise."""


def explain(error: BaseException, source: ProgramText) -> AutumnError:
    """Return the error of a program for an exception in its code."""
    places = _offsets(error.__traceback__)
    at = places[-1]
    if isinstance(error, Fault):
        if error.at is not None:
            at = error.at
        elif len(places) == 1:
            at = error.near or 0
        elif error.of_caller and len(places) > 2:
            at = places[-2]
    return source.error(at, _message(error, source.text[at : at + 5]))


def _offsets(traceback: TracebackType | None) -> list[int]:
    """Return the offsets of the expressions that were evaluated, the innermost last, after one of the program."""
    offsets = [0]
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == FILE and traceback.tb_lineno:
            offsets.append(traceback.tb_lineno - 1)
        traceback = traceback.tb_next
    return offsets


def _message(error: BaseException, text: str) -> str:
    if isinstance(error, Fault):
        return error.message
    if isinstance(error, KeyError):
        return f"there {'was' if text == '(prev' else 'is'} no variable '{error.args[0]}'" + (
            " before this step" if text == "(prev" else ""
        )
    if isinstance(error, AttributeError):
        field = str(error.name or "").removeprefix("f_")
        return f"a {type_name(getattr(error, 'obj', None))} has no field '{field}'"
    if isinstance(error, RecursionError):
        return "calls nest too deeply"
    if isinstance(error, MemoryError):
        return "the program needs too much memory"
    if "not callable" in str(error):
        return "expected a function to call"
    if "argument" in str(error):
        return "a function is called with the wrong number of arguments"
    return "a value has the wrong type"


_LOOK_AFTER = 400_000
"""Units of work after which the values that the variables hold are counted again."""


class AutumnWorld:
    """A world of a program. A copy of it has the same future under the same actions.

    An error of the program ends the world: the grid stays as it was, and every further action raises the same error.
    """

    def __init__(self, program: Program, seed: Chance, generator: Generator) -> None:
        self.program = program
        self.generator = generator
        self.steps = 0
        """Actions so far."""
        self._variables: Variables = initial_variables(program.compiled)
        self._before: Variables = {}
        self._order: dict[str, None] = dict.fromkeys(self._variables)
        self._frame: Frame = {}
        self._random = first_state(seed, generator)
        self._work = 0
        self._failed: AutumnError | None = None
        self._during(self._load)

    # -- what is seen -------------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of rows, and of columns."""
        return self._size

    @property
    def background(self) -> str:
        """The colour of cells where nothing is drawn."""
        return self._background

    @property
    def frame_rate(self) -> int:
        """Steps per second, when people play."""
        rate = self._variables.get("FRAME_RATE")
        return rate if type(rate) is int and rate > 0 else 8

    @property
    def grid(self) -> list[list[str]]:
        """The rows of the grid from above, each a list of colour names from the left."""
        size = self._size
        rows = [[self._background] * size for _ in range(size)]
        # interned, because rows of one grid are compared with those of the next: equal names are one object then
        names = {color: intern(color.lower()) for color in set(self._frame.values())}
        for (x, y), color in self._frame.items():
            if 0 <= x < size and 0 <= y < size:
                rows[y][x] = names[color]
        return rows

    @property
    def held(self) -> Variables:
        """The values of the global variables, in a dict of its own."""
        return dict(self._variables)

    @property
    def drawn_order(self) -> tuple[str, ...]:
        """The names of the global variables in the order of their first definition."""
        return tuple(self._order)

    @property
    def chance(self) -> Chance:
        """The state of the random numbers."""
        return self._random

    # -- what is done -------------------------------------------------------------------------------------------------

    def act(self, action: str) -> None:
        """Do one step with an action: `left`, `right`, `up`, `down`, `noop` or `click COLUMN ROW`.

        Raises UsageError for any other text, and AutumnError if the program fails.
        """
        event = read_action(action)
        self._during(lambda run: self._step(run, event))
        self.steps += 1

    @property
    def triggered(self) -> bool:
        """Whether the condition was true in the last step, when its event was there and nothing had happened yet."""
        return self._variables.get("SpecialConditionTriggered") is True

    def holds(self, action: str | None = None) -> bool:
        """Return whether the program's condition is true now; with an action, when this is about to be done.

        The world does not change. Raises AutumnError if the condition fails, which does not end the world.
        """
        value, _ = self.clone()._condition(action)
        return truthy(value)

    def evaluate(self, expression: str, action: str | None = None) -> object:
        """Return the value of any expression now, as plain data: an object is a dict of its fields.

        The world does not change. Raises AutumnError if the expression fails, which does not end the world.
        """
        program = self.program.asking(expression)
        shadowed = sorted(self._redefined_natives(program) - self._redefined_natives(self.program))
        if shadowed:  # functions of the program would be compiled in another way
            raise AutumnError(
                f"expected a variable with another name than the function '{shadowed[0]}'", 1, 1, "condition"
            )
        variables, before = unpack(program.compiled, pack(self.program.compiled, self._variables, self._before))
        world = self._copy(variables, before)
        world.program = program
        return world._condition(action)[1]

    @staticmethod
    def _redefined_natives(program: Program) -> frozenset[str]:
        """Return the names of native functions that a program gives to something of its own."""
        return program.compiled.names.taken & SIGNATURES.keys()

    def _condition(self, action: str | None) -> tuple[object, object]:
        """Evaluate the condition in this world, and return the value, also as plain data."""
        condition = self.program.compiled.condition
        if condition is None:
            raise UsageError(AutumnFault.NO_CONDITION)
        event = WorldAction("") if action is None else read_action(action)

        def evaluated(run: Run) -> tuple[object, object]:
            run.event, run.click = event.kind, (event.x, event.y)
            value = condition()
            return value, plain(value, run.tick)

        return self._during(evaluated)

    def clone(self) -> AutumnWorld:
        """Return an independent copy."""
        compiled = self.program.compiled
        variables, before = dict(self._variables), self._before
        if compiled.names.sees_identity:
            variables, before = unpack(compiled, pack(compiled, self._variables, self._before))
        return self._copy(variables, before)

    def redrawn(self, chance: Chance | None = None) -> AutumnWorld:
        """Return a copy for the next step, which draws other random numbers if they are given.

        It is cheaper than `clone`, because it does not know what `prev` saw in the last step.
        """
        compiled = self.program.compiled
        variables = dict(self._variables)
        if compiled.names.sees_identity:
            variables = unpack(compiled, pack(compiled, variables))[0]
        world = self._copy(variables, {})
        world._random = self._random if chance is None else chance
        return world

    def click_tested(self, action: str) -> set[tuple[int, int]]:
        """Do one step with an action, and return the positions that its click was compared with.

        A click that misses all of them has the same effect as any other that does, but for the variable `click`.
        """
        run = self.program.compiled.run
        with self.program.lock:
            tested: set[tuple[int, int]] = set()
            run.tested = tested
            try:
                self.act(action)
            finally:
                run.tested = None
        return tested

    def _copy(self, variables: Variables, before: Variables) -> AutumnWorld:
        copy = object.__new__(AutumnWorld)
        copy.__dict__.update(self.__dict__)
        copy._variables, copy._before, copy._order = variables, before, dict(self._order)
        return copy

    def __copy__(self) -> AutumnWorld:
        """Return an independent copy."""
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> AutumnWorld:
        """Return an independent copy; the program is shared."""
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Return the world with its variables as rows."""
        state = pack(self.program.compiled, self._variables, self._before)
        return {**self.__dict__, "_variables": state, "_before": None}

    def __setstate__(self, values: dict[str, Any]) -> None:
        """Take a state in."""
        self.__dict__.update(values)
        state: ProgramState = values["_variables"]
        self._variables, self._before = unpack(self.program.compiled, state)

    # -- one step -----------------------------------------------------------------------------------------------------

    def _during(self, work: Callable[[Run], _Made]) -> _Made:
        """Lend the run this world's state, take it back if all went well, and return what the work returned."""
        if self._failed is not None:
            raise self._failed.with_traceback(None)
        program = self.program
        with program.lock:
            run = program.compiled.run
            run.use(self._variables, self._before)
            run.order, run.frame, run.random, run.generator = self._order, self._frame, self._random, self.generator
            try:
                result = work(run)
                self._take_back(run)
                return result
            except FAILURES as error:
                self._failed = explain(error, program.source)
                if run.P is not self._before:
                    self._variables = run.P  # what the step has made so far may be large
            finally:
                run.turn_to({})
                run.set_before({})
        raise self._failed

    def _take_back(self, run: Run) -> None:
        self._work += run.spent
        if self._work > _LOOK_AFTER:
            self._work = 0
            count_values(self._variables, run.limits.values)
        self._size, self._background = self._look(run)
        self._before, self._frame, self._random = run.P, run.frame, run.random

    @staticmethod
    def _look(run: Run) -> tuple[int, str]:
        """Return size and background, or refuse them."""
        background = run.G.get("background")
        try:
            if type(background) is not str:
                raise Fault(f"expected a String as background, found a {type_name(background)}")
            return run.size, intern(background.lower())
        except Fault as fault:
            fault.near = run.places.get("GRID_SIZE" if type(background) is str else "background")
            raise

    def _load(self, run: Run) -> None:
        """Evaluate the statements, then the INIT of each state variable."""
        compiled = self.program.compiled
        run.declared.clear()
        try:
            for statement in compiled.statements:
                if isinstance(statement, Declare):
                    compiled.declare(statement)
                else:
                    statement()
            for name, init in compiled.inits:
                run.define(name, init())
            run.frame = compiled.library.drawing.frame()
            if compiled.draws_chance:  # the reference draws once at loading, and again for the first frame
                run.frame = compiled.library.drawing.frame()
        finally:
            for statement in compiled.statements:
                if isinstance(statement, Declare):
                    compiled.declare(statement)

    def _step(self, run: Run, event: WorldAction) -> None:
        """Do one step: the handlers in program order, then NEXT of each state variable that none assigned."""
        if self.steps >= self.program.limits.steps:
            raise Fault(f"the world has made {self.steps} steps, which is the most that it may")
        compiled = self.program.compiled
        run.event, run.click = event.kind, (event.x, event.y)
        run.set_before(dict(run.G))
        if compiled.condition is not None:
            run.set_global("SpecialConditionTriggered", truthy(compiled.condition()))
        for holds, body in compiled.handlers:
            if holds():
                body()
        variables, updated = run.G, run.updated
        for name, following in compiled.nexts:
            if name in variables and name not in updated:
                value = following()
                if name in variables:
                    variables[name] = run.replacing(value, variables[name])
                else:
                    run.define(name, value)
        run.event = ""
        run.frame = compiled.library.drawing.frame()
