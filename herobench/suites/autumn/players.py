"""Players without a model.

`oracle` goes to the test at once and gives the answer of the row. `greedy` and `random` explore with random actions.
In the test, `random` goes on so, and guesses. `greedy` chooses the option that looks most like what the hidden part
showed before it was hidden; as a planner it tries each step in a copy of the world and takes the one that makes most
cells of the goal right; and it announces a change when the world differs from the base program under the same actions
and draws.
All draw the same for the same challenge and epoch.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice, repeat
from random import Random
from types import MappingProxyType

from herobench.conversation import Reply, Request, ToolCall
from herobench.data.errors import UsageError
from herobench.prompts.autumn.telling import wanted
from herobench.suites.autumn.episode import tests
from herobench.suites.autumn.episode.challenge import Challenge, Detection, Planning, Prediction
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.options import TOOLS, ChallengeStyle, Mode
from herobench.suites.autumn.episode.phase import GO_TO_TEST, QUIT, Grid
from herobench.suites.autumn.episode.tests import PlanningTest
from herobench.suites.autumn.episode.tool_calls import call_of
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.world import KEYS, World

RANDOM = "random"
_TURN = re.compile(r'^(?:Turn |{"turn": )(\d+)(?: of |,)', re.MULTILINE)
"""The number of turns so far, in the newest message."""
_MOST_GAMES = 2_000
"""The most episodes whose actions are kept: a run may have millions. What was dropped is decided again."""
_CLICKS = 24
"""The most clicks that `greedy` tries in one step."""
_TRIES = 40
"""The most steps that `greedy` plans before it gives up."""


class AutumnPlayer:
    """A player behind the protocol of a model."""

    def __init__(self, name: str, challenges: Mapping[str, Challenge], mode: Mode, style: ChallengeStyle) -> None:
        if name not in PLAYERS:
            raise UsageError(f"The suite autumn has no player {name!r}: give one of {', '.join(PLAYERS)}.")
        self._name, self._challenges, self._mode, self._style = name, challenges, mode, style
        self._games: dict[tuple[str, int], list[str]] = {}
        """The actions of each episode. A player decides them all alone: an episode depends on its actions only."""

    async def reply(self, request: Request) -> Reply:
        """Return the player's next action."""
        key = request.task_id, request.epoch
        actions = self._games.get(key)
        if actions is None:
            actions = await asyncio.to_thread(self._decided, *key)
            if len(self._games) >= _MOST_GAMES:
                del self._games[next(iter(self._games))]
            self._games[key] = actions
        begun = (_TURN.search(message.text) for message in reversed(request.messages[-2:]))
        number = next((int(found[1]) for found in begun if found), 0)
        action = actions[number]
        if number == len(actions) - 1:
            self._games.pop(key, None)
        if self._mode != TOOLS:
            return Reply(f"<action>{action}</action>", stop="stop", model=self._name)
        name, arguments = call_of(action)
        call = ToolCall("call_0", name, json.dumps(arguments))
        return Reply("", (call,), stop="tool_calls", model=self._name)

    async def close(self) -> None:
        """Hold nothing."""

    def _decided(self, id: str, epoch: int) -> list[str]:
        challenge, style = self._challenges[id], self._style
        seed = f"{id} {epoch}".encode("utf-8", "surrogatepass")  # an id may have half a surrogate pair
        chance = Random(seed)  # noqa: S311 - the same episode for the same challenge and epoch
        if self._name == RANDOM:
            return list(islice(_random(challenge, style, chance), style.total))
        episode = Episode(challenge, style.steps, style.total, style.stack)
        actions: list[str] = []
        # a player that has nothing left to do waits
        for action in chain(_PLAYERS[self._name](episode, chance), repeat("noop")):
            actions.append(action)
            episode.act(action)
            if episode.ending:
                break
        return actions


def _random(challenge: Challenge, style: ChallengeStyle, chance: Random) -> Iterator[str]:
    """Act at random. This player does not look, so it needs no world but for the size of its grid."""
    size = challenge.start().size
    yield from (_drawn(size, chance) for _ in range(style.steps))
    match challenge.test:
        case Detection():
            # the announcement, the choice and the submission take the last three turns
            steps = max(0, style.total - style.steps - 3)
            yield from (_drawn(size, chance) for _ in range(steps))
            yield tests.FOUND
            yield f"{tests.CHOOSE_FRAME}{chance.randint(0, steps)}"
            yield tests.SUBMIT
        case Planning():
            while True:
                yield _drawn(size, chance)
        case Prediction(actions=actions, choices=choices):
            yield from repeat(tests.STEP, len(actions))
            yield f"{tests.CHOOSE_OPTION}{chance.choice(range(len(choices)))}"


def _oracle(episode: Episode, chance: Random) -> Iterator[str]:
    yield GO_TO_TEST
    match episode.challenge.test:
        case Prediction(actions=actions, choice=choice):
            yield from repeat(tests.STEP, len(actions))
            yield f"{tests.CHOOSE_OPTION}{choice}"
        case Planning(actions=actions):
            yield from actions
        case Detection(actions=actions, frame=frame):
            yield from actions
            # a change can be announced after some actions only
            while tests.FOUND not in episode.offered:
                yield "noop"
            yield tests.FOUND
            yield f"{tests.CHOOSE_FRAME}{frame}"
            yield tests.SUBMIT


def _greedy(episode: Episode, chance: Random) -> Iterator[str]:
    yield from _explored(episode, chance)
    match episode.challenge.test:
        case Detection():
            yield from _compared(episode, chance)
        case Planning():
            yield from _climbed(episode, chance)
        case Prediction() as asked:
            yield from _to_the_end(episode)
            yield f"{tests.CHOOSE_OPTION}{_most_alike(episode.challenge, asked)}"


def _explored(episode: Episode, chance: Random) -> Iterator[str]:
    """Act at random until the test begins."""
    while episode.test is None:
        yield _drawn(len(episode.seen.grid), chance)


def _drawn(size: int, chance: Random) -> str:
    """Draw a click, an arrow or noop, each as likely as the others, and the cell of a click."""
    action = chance.choice(("click", *KEYS, "noop"))
    return f"click {chance.randrange(size)} {chance.randrange(size)}" if action == "click" else action


def _to_the_end(episode: Episode) -> Iterator[str]:
    while len(episode.offered) == 1:
        yield tests.STEP


def _most_alike(challenge: Challenge, asked: Prediction) -> int:
    """Return the choice with the most cells as they were before the mask."""
    world = challenge.start()
    for action in asked.actions[: max(0, asked.mask.since - 1)]:
        world.act(action)
    before = asked.mask.cut(world.grid)
    return max(range(len(asked.choices)), key=lambda number: _alike(asked.choices[number], before))


def _alike(one: Grid, other: Grid) -> int:
    """Return how many cells of two grids of one shape are equal."""
    pairs = (pair for rows in zip(one, other, strict=True) for pair in zip(*rows, strict=True))
    return sum(mine == theirs for mine, theirs in pairs)


def _climbed(episode: Episode, chance: Random) -> Iterator[str]:
    """Take the step that makes most cells of the goal right, a number of times; then give up."""
    test = episode.test
    while isinstance(test, PlanningTest) and test.world.steps < _TRIES:
        options = [*KEYS, "noop", *_clicks(test.seen.grid, chance)]
        chance.shuffle(options)
        yield max(options, key=lambda action: _worth(test, action))
    yield QUIT


def _clicks(grid: Grid, chance: Random) -> list[str]:
    """Return clicks on cells, at first on those of rare colours."""
    cells = [(color, f"click {x} {y}") for y, row in enumerate(grid) for x, color in enumerate(row)]
    chance.shuffle(cells)
    colors = [color for color, _ in cells]
    counts = {color: colors.count(color) for color in set(colors)}
    return [click for _, click in sorted(cells, key=lambda cell: counts[cell[0]])[:_CLICKS]]


def _worth(test: PlanningTest, action: str) -> int:
    """Return how many cells of the goal are right after an action."""
    world: World = test.world.clone()
    try:
        world.act(action)
    except AutumnError:
        return -1
    goal, grid = wanted(test.asked.goal, test.asked.mask), world.grid
    return _alike(goal, grid) if len(grid) == len(goal) else -1


def _compared(episode: Episode, chance: Random) -> Iterator[str]:
    """Act at random beside the base program, and announce the first difference; or quit near the end."""
    base = episode.challenge.start()
    different: int | None = None
    while episode.turns < episode.total - 3:
        if different is not None and tests.FOUND in episode.offered:
            yield tests.FOUND
            yield f"{tests.CHOOSE_FRAME}{different}"
            yield tests.SUBMIT
        action = _drawn(len(episode.seen.grid), chance)
        yield action
        base.act(action)
        if different is None and base.grid != episode.seen.grid:
            different = base.steps
    yield QUIT


_PLAYERS: Mapping[str, Callable[[Episode, Random], Iterator[str]]] = MappingProxyType(
    {"oracle": _oracle, "greedy": _greedy}
)
"""The players that look at their episode."""
PLAYERS = (*_PLAYERS, RANDOM)
