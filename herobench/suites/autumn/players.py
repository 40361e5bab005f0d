"""Players without a model.

`oracle` goes to the test at once and gives the answer of the row. `greedy` and `random` explore with random actions.
In the test, `random` goes on so, and guesses. `greedy` chooses the option that looks most like what the hidden part
showed before it was hidden; as a planner it tries each step in a copy of the world and takes the one that makes most
cells of the goal right; and it announces a change when the world differs from the base program under the same actions
and draws.

All draw the same for the same challenge and epoch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from random import Random
from types import MappingProxyType

from herobench.conversation import Reply, ToolCall
from herobench.suite.players import GamePlayer, parse_player
from herobench.suites.autumn.episode import tests
from herobench.suites.autumn.episode.challenge import Challenge, Detection, Planning, Prediction
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.options import TOOLS, ChallengeStyle, Mode
from herobench.suites.autumn.episode.phase import GO_TO_TEST, QUIT, Grid
from herobench.suites.autumn.episode.tests import PlanningTest
from herobench.suites.autumn.episode.tool_calls import write_call
from herobench.suites.autumn.language.errors import AutumnError
from herobench.suites.autumn.language.world import KEYS, AutumnWorld

RANDOM = "random"
_CLICKS = 24
"""The most clicks that `greedy` tries in one step."""
_TRIES = 40
"""The most steps that `greedy` plans before it gives up."""


class AutumnPlayer(GamePlayer[str]):
    """Plays challenges, by one action in each turn."""

    turn = re.compile(r'^(?:Turn |{"turn": )(\d+)(?: of |,)', re.MULTILINE)

    def __init__(self, name: str, challenges: Mapping[str, Challenge], mode: Mode, style: ChallengeStyle) -> None:
        self._player, _ = parse_player("autumn", name, PLAYERS)
        super().__init__(name)
        self._challenges, self._mode, self._style = challenges, mode, style

    def _move(self, moves: Sequence[str], number: int) -> Reply:
        if self._mode != TOOLS:
            return Reply(f"<action>{moves[number]}</action>", stop="stop")
        name, arguments = write_call(moves[number])
        return Reply("", (ToolCall("call_0", name, json.dumps(arguments)),), stop="tool_calls")

    def _decide(self, task_id: str, epoch: int) -> list[str]:
        style = self._style
        episode = Episode(self._challenges[task_id], style.steps, style.total, style.stack, style.most_resets)
        return decide(self._player, episode, style, epoch)


def decide(player: str, episode: Episode, style: ChallengeStyle, epoch: int) -> list[str]:
    """Return all actions of a player in a new episode, which all but `random` play."""
    challenge = episode.challenge
    seed = f"{challenge.id} {epoch}".encode("utf-8", "surrogatepass")  # an id may have half a surrogate pair
    chance = Random(seed)  # noqa: S311 - the same episode for the same challenge and epoch
    if player == RANDOM:
        return list(islice(_random(challenge, style, chance), style.total))
    actions: list[str] = []
    # a player that has nothing left to do waits
    for action in chain(_PLAYERS[player](episode, chance), repeat("noop")):
        actions.append(action)
        episode.act(action)
        if episode.ending:
            break
    return actions


def _random(challenge: Challenge, style: ChallengeStyle, chance: Random) -> Iterator[str]:
    """Act at random. This player does not look, so it needs no world but for the size of its grid."""
    size = challenge.start().size
    yield from (_random_action(size, chance) for _ in range(style.steps))
    match challenge.test:
        case Detection():
            # the announcement, the choice and the submission take the last three turns
            steps = max(0, style.total - style.steps - 3)
            yield from (_random_action(size, chance) for _ in range(steps))
            yield tests.FOUND
            yield f"{tests.CHOOSE_FRAME}{chance.randint(0, steps)}"
            yield tests.SUBMIT
        case Planning():
            while True:
                yield _random_action(size, chance)
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
    yield from _explore(episode, chance)
    match episode.challenge.test:
        case Detection():
            yield from _compare(episode, chance)
        case Planning():
            yield from _climb(episode, chance)
        case Prediction() as asked:
            yield from _to_the_end(episode)
            yield f"{tests.CHOOSE_OPTION}{_most_alike(episode.challenge, asked)}"


def _explore(episode: Episode, chance: Random) -> Iterator[str]:
    """Act at random until the test begins."""
    while episode.test is None:
        yield _random_action(len(episode.seen.grid), chance)


def _random_action(size: int, chance: Random) -> str:
    """Draw a click, an arrow or noop, each as likely as the others, and the cell of a click."""
    action = chance.choice(("click", *KEYS, "noop"))
    return f"click {chance.randrange(size)} {chance.randrange(size)}" if action == "click" else action


def _to_the_end(episode: Episode) -> Iterator[str]:
    while len(episode.offered) == 1:
        yield tests.STEP


def _most_alike(challenge: Challenge, prediction: Prediction) -> int:
    """Return the choice with the most cells as they were before the mask."""
    world = challenge.start()
    for action in prediction.actions[: max(0, prediction.mask.since - 1)]:
        world.act(action)
    before = prediction.mask.cut(world.grid)
    return max(range(len(prediction.choices)), key=lambda number: _alike(prediction.choices[number], before))


def _alike(one: Grid, other: Grid) -> int:
    """Return how many cells of two grids of one shape are equal."""
    pairs = (pair for rows in zip(one, other, strict=True) for pair in zip(*rows, strict=True))
    return sum(mine == theirs for mine, theirs in pairs)


def _climb(episode: Episode, chance: Random) -> Iterator[str]:
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
    world: AutumnWorld = test.world.clone()
    try:
        world.act(action)
    except AutumnError:
        return -1
    goal, grid = test.shown, world.grid
    return _alike(goal, grid) if len(grid) == len(goal) else -1


def _compare(episode: Episode, chance: Random) -> Iterator[str]:
    """Act at random beside the base program, and announce the first difference; or quit near the end."""
    base = episode.challenge.test_start.world(episode.challenge.program)
    before = base.steps
    different: int | None = None
    while episode.turns < episode.total - 3:
        if different is not None and tests.FOUND in episode.offered:
            yield tests.FOUND
            yield f"{tests.CHOOSE_FRAME}{different}"
            yield tests.SUBMIT
        action = _random_action(len(episode.seen.grid), chance)
        yield action
        base.act(action)
        if different is None and base.grid != episode.seen.grid:
            different = base.steps - before
    yield QUIT


_PLAYERS: Mapping[str, Callable[[Episode, Random], Iterator[str]]] = MappingProxyType(
    {"oracle": _oracle, "greedy": _greedy}
)
"""The players that look at their episode."""
PLAYERS = (*_PLAYERS, RANDOM)
