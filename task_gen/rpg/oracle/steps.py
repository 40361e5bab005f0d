"""The steps of the oracle's plans: each can be played in a game, and written as code for the sandbox.

Both forms must do the same; a test runs them side by side. `Until` is for random drops: it repeats an action until the
hero owns enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

from herobench.data.errors import HeroBenchError
from herobench.suites.rpg.game.events import Action, Event, Value
from herobench.suites.rpg.game.game import MOST_CHANCES, Game, GameOver
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Place, World

Wanted = tuple[tuple[Code, int], ...]
"""The number of each item that the hero has to own."""


class Unplannable(HeroBenchError):
    """Raised when the planner finds no plan for a task; the message names the obstacle."""


class Piece(NamedTuple):
    """An item of the hero's gear, with the slot that the task names for it."""

    slot: str
    code: Code
    new: bool
    """True for missing gear, False for gear that the hero has at the start."""


Pieces = frozenset[Piece]

_OWNED = """\
def owned(response):
    status, body = response
    if status != 200:
        return {}
    return {stack["code"]: stack["quantity"] for stack in body["character"]["inventory"]}


def enough(response, wanted):
    have = owned(response)
    for code in wanted:
        if have.get(code, 0) < wanted[code]:
            return False
    return True
"""
_UNTIL = {"fight": f'fight("{NAME}")', "gather": f'gather("{NAME}", {MOST_CHANCES})'}
"""The calls that loops repeat until the hero owns enough, by their actions."""


class Do(NamedTuple):
    """An action, repeated a number of times."""

    action: str
    args: tuple[Value, ...] = ()
    times: int = 1

    def play(self, game: Game) -> None:
        """Do the actions in a game."""
        for _ in range(self.times):
            _act(game, self.action, *self.args)

    def code(self) -> str:
        """Return the actions as lines of a plan."""
        call = f"{self.action}({', '.join(map(_literal, (NAME, *self.args)))})\n"
        return call if self.times == 1 else f"for _ in range({self.times}):\n    {call}"


class Until(NamedTuple):
    """An action, repeated until the hero owns enough of the drops."""

    action: Literal["fight", "gather"]
    wanted: Wanted

    @classmethod
    def more(cls, action: Literal["fight", "gather"], until: Mapping[Code, int], owned: Mapping[Code, int]) -> Until:
        """Return the step after which a hero owns some pieces more than now."""
        return cls(action, tuple((code, owned.get(code, 0) + number) for code, number in until.items()))

    def play(self, game: Game) -> None:
        """Repeat the action in a game, but no longer than a plan may last."""
        args = (MOST_CHANCES,) if self.action == "gather" else ()
        # Random drops may never come, so the game needs an end of its own.
        while len(game.events) < _LONGEST and not _owns(_act(game, self.action, *args), game, self.wanted):
            pass

    def code(self) -> str:
        """Return the step as a line of a plan."""
        return f"{self.action}_until({_literal(dict(self.wanted))})\n"


Step = Do | Until
_LONGEST = 10_000
"""The number of actions that the sandbox allows: a plan that needs more would not finish there either."""


def play(steps: Iterable[Step], game: Game) -> Game:
    """Play steps in a game until it is over, and return the game."""
    with suppress(GameOver):
        for step in steps:
            step.play(game)
    return game


def as_code(steps: Sequence[Step]) -> str:
    """Return steps as the code of a plan."""
    # Helper functions are part of the plan only if a step calls them, to keep plans short.
    loops = {step.action for step in steps if isinstance(step, Until)}
    parts = [
        f"def {action}_until(wanted):\n    while not enough({call}, wanted):\n        pass\n"
        for action, call in _UNTIL.items()
        if action in loops
    ]
    # Helpers stand before the steps, because a plan runs from top to bottom.
    helpers = "\n\n".join([_OWNED, *parts]) + "\n\n" if parts else ""
    return helpers + "".join(step.code() for step in steps)


def _act(game: Game, name: str, *args: Value) -> Event:
    return game.act(Action(name, (NAME, *args)))


def _owns(event: Event, game: Game, quantities: Wanted) -> bool:
    # A refused action changes nothing, so it must not end the loop.
    return event.ok and all(game.hero.inventory.get(code, 0) >= quantity for code, quantity in quantities)


def _literal(value: object) -> str:
    """Return a value as plan code, with double quotes as in the prompt."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(each)}" for key, each in value.items()) + "}"
    return f'"{value}"' if isinstance(value, str) else repr(value)


class Subtask(NamedTuple):
    """A craft or some fights, with all the steps that lead there."""

    kind: str
    """`craft` or `fight`."""
    code: Code
    quantity: int
    """Pieces to craft, or fights; where drops fall by chance, 1 fight stands for as many as it takes."""
    steps: tuple[Step, ...]


def split_into_subtasks(world: World, task: Task, steps: Sequence[Step]) -> list[Subtask]:
    """Return steps as subtasks. Steps behind the last craft or fight belong to it."""
    subtasks: list[Subtask] = []
    ahead: list[Step] = []
    for step, place in _with_places(task, steps):
        ahead.append(step)
        if isinstance(step, Do) and step.action == "craft":
            code, quantity = step.args
            subtasks.append(Subtask("craft", str(code), int(quantity or 1) * step.times, tuple(ahead)))
        elif step.action == "fight":
            times = step.times if isinstance(step, Do) else 1
            subtasks.append(Subtask("fight", world.standing("monster")[place], times, tuple(ahead)))
        else:
            continue
        ahead = []
    if ahead and subtasks:
        subtasks[-1] = subtasks[-1]._replace(steps=(*subtasks[-1].steps, *ahead))
    return subtasks


def _with_places(task: Task, steps: Iterable[Step]) -> Iterator[tuple[Step, Place]]:
    """Yield each step with the place where the hero stands by then."""
    place = task.hero.place
    for step in steps:
        if isinstance(step, Do) and step.action == "move":
            x, y = step.args
            place = (int(x or 0), int(y or 0))
        yield step, place
