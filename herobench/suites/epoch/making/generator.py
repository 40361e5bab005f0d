"""Draws roads until one has what is asked for: traps with the reach that is asked for, and more than greedy can win.

Short roads are also played by players of short sight, who must not win them.

A draft is solved and its traps are found; then it is kept or thrown away. A level is won in the least hours, times a
factor. The shorter a road and the larger the factor, the rarer are its traps.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from random import Random
from typing import Annotated, Any

from herobench.data.errors import UsageError
from herobench.data.options import Option, least_and_most
from herobench.suite.generating import GenerateRequest, Numbered, TaskGenerator
from herobench.suites.epoch.game.level import Level
from herobench.suites.epoch.game.world import ROAD, edition, level_world
from herobench.suites.epoch.making.drawing import EPOCHS, RoadDraft
from herobench.suites.epoch.making.players import solves
from herobench.suites.epoch.making.proof import cap_turns
from herobench.suites.epoch.making.road import NotRoad, Road
from herobench.suites.epoch.making.traps import find_traps, greedy_walk, walk
from herobench.suites.epoch.making.values import MOST_GATES, RoadValues
from herobench.suites.epoch.refusals import EpochFault

FEWEST_GATES = 2
GATES, REACHES, LIMITS = (2, 4, 8, 12, 20, 32), (1, 2, 3, 4), (1.05, 1.02, 1.0, 1.0, 1.0, 1.0)
_DRAFTS = 200
_SHORT, _SHORT_OF_SIGHT = 4, ("sight:1", "sight:2")
"""Players that win no road of at most so many gates; longer ones they hardly ever win."""
_TITLE = "The Road of {gates} Gates"
_BRIEF = (
    "{past} lives in the past, and {future} in the future. They walk the same road, each in their own epoch, through "
    "{gates} gates, and time is short. A gate lets both through together, and nobody comes back. Doors open shorter "
    "ways, and keys wear out: the number of a key says how many doors of its metal it still opens. Steep ways take "
    "vigor, which stays spent until somebody rests or drinks."
)


@dataclass(frozen=True, slots=True)
class LevelQuery:
    """What levels are asked for. Level number n depends on this and on n only."""

    gates: tuple[int, ...] = GATES
    """The numbers of gates, which take turns."""
    reach: tuple[int, ...] = REACHES
    """How many gates later a trap shows; these take turns, each for all numbers of gates."""
    limit: tuple[float, ...] = LIMITS
    """The hours that win over the least, for the numbers of gates in turn; if left out, by the gates."""
    traps: int = 1
    """The fewest traps of that reach."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not all(FEWEST_GATES <= gates <= MOST_GATES for gates in self.gates):
            raise UsageError(EpochFault.BAD_GATES, fewest=FEWEST_GATES, most=MOST_GATES, gates=self.gates)
        if not all(1 <= limit <= 2 for limit in self.limit):
            raise UsageError(EpochFault.BAD_LIMITS, limit=self.limit)


def level(query: LevelQuery, number: int) -> Level:
    """Return the level of a number, from 1. It depends on what is asked for and on the number only."""
    turn = (number - 1) % len(query.gates)
    gates = query.gates[turn]
    limit = LIMITS[bisect(GATES, gates) - 1] if query.limit == LIMITS else query.limit[turn % len(query.limit)]
    reach = max(1, min(gates - 1, query.reach[(number - 1) // len(query.gates) % len(query.reach)]))
    for attempt in range(_DRAFTS):
        chance = _source(query, number, attempt)
        draft = RoadDraft(chance, gates, reach)
        road_level = _certify(f"{query.seed}-{number}", draft, limit, query.traps)
        if road_level and not (gates <= _SHORT and any(solves(road_level, player) for player in _SHORT_OF_SIGHT)):
            return road_level
    raise UsageError(EpochFault.NO_DRAFT, gates=gates, reach=reach, drafts=_DRAFTS)


def levels(query: LevelQuery, numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a levels file."""
    for number in numbers:
        yield level(query, number).as_row()


def _source(query: LevelQuery, number: int, attempt: int) -> Random:
    return Random(f"{asdict(query)} {number} {attempt}")  # noqa: S311 - the same level for the same number


def _certify(id: str, draft: RoadDraft, limit: float, fewest: int) -> Level | None:
    """Return the level of a draft with its certificate; None if it has too few traps, or greedy wins."""
    bare = Level(id, f"road-{id}", "", "", (), draft.draw(), edition(ROAD).tools, (), (), None, 1, 1, 1, ())
    world = level_world(bare)
    try:
        values = RoadValues(Road(world))
    except NotRoad:  # a section has too many states
        return None
    least = values.value(world.initial)
    hours = replace(bare, least=least, limit=limit).hours_to_win
    if greedy_walk(values).hours[-1] <= hours:
        return None
    reference = walk(values, values.best_plan())
    traps = tuple(find_traps(values, reference, hours))
    if sum(trap.gates >= draft.reach for trap in traps) < fewest:
        return None
    names = dict(zip(EPOCHS, map(str.capitalize, draft.people), strict=True))
    used = {action.name for action in world.grounded.actions}
    return replace(
        bare,
        title=_TITLE.format(gates=draft.gates),
        brief=_BRIEF.format(gates=draft.gates, **names),
        tools=tuple(tool for tool in bare.tools if tool in used),
        milestones=tuple(f"(raised {gate})" for gate in values.road.gates),
        max_steps=cap_turns(len(reference.actions)),
        stagnation_window=cap_turns(len(reference.actions)),
        optimal=len(reference.actions),
        reference_plan=tuple(map(str, reference.actions)),
        traps=traps,
        limit=limit,
        least=least,
    )


def _read_gates(text: str) -> tuple[int, ...]:
    """Return numbers of gates that take turns: a number, all from one to another, or a list."""
    bounds = least_and_most(text)
    return _read_list(int)(text) if bounds is None else tuple(range(bounds[0], bounds[1] + 1))


def _read_list(read: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
    return lambda text: tuple(map(read, text.split(",")))


@dataclass(frozen=True, slots=True)
class LevelOptions:
    """The options by which users choose the levels that are made."""

    gates: Annotated[
        tuple[int, ...],
        Option(
            "The number of gates; those of a list take turns.",
            metavar="N,N,...",
            shown="2,4,8,12,20,32",
            read=_read_gates,
            is_length=True,
        ),
    ] = GATES
    reach: Annotated[
        tuple[int, ...],
        Option(
            "How many gates later a trap shows; a list takes turns.",
            metavar="N,N,...",
            shown="1,2,3,4",
            read=_read_list(int),
        ),
    ] = REACHES
    limit: Annotated[
        tuple[float, ...],
        Option(
            "The hours that win over the least, from 1 to 2, for each number of gates.",
            metavar="X,X,...",
            shown="1.05 to 1.0",
            read=_read_list(float),
        ),
    ] = LIMITS
    traps: Annotated[int, Option("The fewest traps of that reach.", metavar="N", least=0, most=20)] = 1


class EpochGenerator(TaskGenerator):
    """Makes roads with proven lengths and traps."""

    count = 24
    worth = 2
    options = LevelOptions

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return levels by their numbers."""
        options: LevelOptions = request.options
        query = LevelQuery(options.gates, options.reach, options.limit, options.traps, request.seed)
        identity = {**asdict(query), "world": edition(ROAD).digest}
        return Numbered(partial(row, query), identity, numbers=range(request.count or self.count))


def row(query: LevelQuery, number: int) -> dict[str, Any]:
    """Return the row of a level by its number from 0."""
    return level(query, number + 1).as_row()
