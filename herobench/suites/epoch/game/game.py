"""A game: one level played turn by turn, with a clock, facts that fade, and the nine ways in which it ends.

    game = load_level("L01").start()
    feedback = game.turn({"call": {"name": "move", "arguments": {"who": "hester", ...}}})

A turn is an object with one of these: `call`, a call with `name` and `arguments`; `calls`, several, of which the first
counts; `text`, words without a call; `api_error`, true when the endpoint gave no reply.

A valid action moves the clock by one. Then derived facts are added, new unstable facts are born, and those that are
too old fade, in this order: so a fact that is too old still counts for what follows in its last turn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from herobench.data.documents import json_object
from herobench.data.errors import UsageError
from herobench.pddl import Atom
from herobench.pddl.task import bits
from herobench.suites.epoch.game.columns import GameTally, Stop
from herobench.suites.epoch.game.world import level_world
from herobench.suites.epoch.refusals import EpochFault

if TYPE_CHECKING:
    from herobench.suites.epoch.game.level import Level

Signal = Literal["stuck", "done"]
Why = Literal["no-call", "unknown-tool", "bad-arguments"]
SIGNALS: tuple[Signal, ...] = ("stuck", "done")
"""The tools that end a game. As words they stand alone on the last line, in upper case."""


@dataclass(frozen=True, slots=True)
class SentCall:
    """A call of a tool. Its arguments are an object, or the JSON text of one, if the model did well."""

    name: Any
    arguments: Any

    def read(self) -> Mapping[str, Any] | None:
        """Return the arguments; None if they are no object."""
        arguments = self.arguments
        if isinstance(arguments, str):
            return json_object(arguments)
        return arguments if isinstance(arguments, Mapping) else None


@dataclass(frozen=True, slots=True)
class ApiError:
    """The endpoint gave no reply."""


Sent = SentCall | Signal | ApiError | None
"""A call, a signal, or an endpoint that gave no reply; None for a turn with none of them."""


def read_turn(turn: Mapping[str, Any]) -> Sent:
    """Return what a turn comes to."""
    if turn.get("api_error"):
        return ApiError()
    call = first_call(turn)
    if call is not None:
        name = call.get("name")
        signal = next((signal for signal in SIGNALS if signal == name), None)
        return signal or SentCall(name, call.get("arguments"))
    text = turn.get("text")
    return _signal_in(text) if isinstance(text, str) else None


def first_call(turn: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the call that counts; None if there is none, or something else than an object in its place."""
    calls = turn.get("calls") or [turn.get("call")]
    first = calls[0] if isinstance(calls, Sequence) else None
    return first if isinstance(first, Mapping) else None


def _signal_in(text: str) -> Signal | None:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((signal for signal in SIGNALS if lines and lines[-1] == signal.upper()), None)


MOST_INVALID = 5
"""The errors in a row that end a game."""
MOST_API_ERRORS = 3
"""The failures of the endpoint in a row that end a game."""
MOST_VISITS = 4
"""The visits of one state that end a game, the start counted."""


Failure = Literal["format", "lost", "late", "loop", "stagnation", "decay", "premature", "gave_up", "unfinished"]

MEANING: Mapping[Failure, str] = {
    "format": "Too many errors in a row, most of them no call of a tool with fitting arguments; or no plan at all.",
    "lost": "Too many errors in a row, most of them refused actions; or the turns were used up.",
    "late": "The goal was reached, in more hours than win.",
    "loop": "The same state was there too often.",
    "stagnation": "Too many turns in a row reached no milestone.",
    "decay": "A fact faded.",
    "premature": "The model ended the game before the goal was reached.",
    "gave_up": "The model said that it was stuck.",
    "unfinished": "The replies ended before the game did.",
}
"""The definition of each class."""

_BY_STOP: Mapping[Stop, Failure] = {
    "MAX_STEPS": "lost",
    "LOOP_DETECTED": "loop",
    "STAGNATION": "stagnation",
    "TEMPORAL_DECAY": "decay",
    "LLM_DONE_EARLY": "premature",
    "LLM_STUCK": "gave_up",
    "API_FAILURE": "unfinished",
}


def classify_stop(stop: Stop | None, *, misread: bool) -> Failure | None:
    """Return the class of a game's end; None for a solved one. `misread`: most of the last errors were of form."""
    if stop == "SOLVED":
        return None
    if stop == "MAX_INVALID_STREAK":
        return "format" if misread else "lost"
    if stop is None:
        return "format" if misread else "unfinished"
    return _BY_STOP[stop]


Feedback = dict[str, Any]
"""The answer to a turn. `kind` is done, precondition-failed, format-error, control or api-error."""


class EpochGame:
    """One game. The same turns give the same game."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.world = level_world(level)
        self.state = self.world.initial
        self.clock = 0
        self.hours = 0
        """The hours of all turns: those of an action that is carried out, and one of each other turn."""
        self.stop: Stop | None = None
        self._births: dict[int, int] = {}
        """For each unstable fact the clock at its birth, by its bit."""
        self._missing = dict(self.world.milestones)
        """The milestones that are not reached yet."""
        self._tally = GameTally(self.state, len(self._missing))

    def turn(self, turn: Mapping[str, Any]) -> Feedback:
        """Take in what a model sent, and return the feedback. Raise UsageError when the game is over."""
        if self.stop:
            raise UsageError(EpochFault.GAME_OVER, stop=self.stop)
        self.hours += 1
        match read_turn(turn):
            case ApiError():
                return self._api_error()
            case "stuck" | "done" as signal:
                return self._signal(signal)
            case SentCall() as call:
                return self._call(call)
            case None:
                return self._format_error("no-call")

    @property
    def turns(self) -> int:
        """How many turns there were, of any kind."""
        return self._tally.total_steps

    @property
    def missing(self) -> tuple[str, ...]:
        """The milestones that are not reached yet, in the level's order."""
        return tuple(self._missing)

    @property
    def won(self) -> bool:
        """True if the goal was reached within the hours that win the level."""
        return self.stop == "SOLVED" and self.hours <= self.level.hours_to_win

    @property
    def failure(self) -> Failure | None:
        """Why the game was not won; None if it is."""
        if self.stop == "SOLVED" and not self.won:
            return "late"
        return classify_stop(self.stop, misread=2 * self._tally.misread > self._tally.streak)

    @property
    def ages(self) -> dict[int, int]:
        """For each unstable fact that can fade, by its bit, the valid actions since its birth."""
        return {bit: self.clock - born for bit, born in self._births.items()}

    def fork(self) -> EpochGame:
        """Return a copy that goes on by itself."""
        twin = copy(self)
        twin._births, twin._missing = {**self._births}, {**self._missing}
        twin._tally = replace(self._tally)
        twin._tally.visits = {**self._tally.visits}
        return twin

    def row(self) -> dict[str, Any]:
        """Return the figures that need neither time nor tokens."""
        return self._tally.row(self.stop)

    def facts(self) -> list[str]:
        """Return all facts that hold, sorted."""
        return self.world.everything(self.state)

    def digest(self) -> str:
        """Return the first 16 digits of the SHA-256 of all facts, one a line."""
        return hashlib.sha256("\n".join(self.facts()).encode()).hexdigest()[:16]

    # -- the kinds of turns -------------------------------------------------------------------------------------------

    def _api_error(self) -> Feedback:
        self._tally.count_api_error()
        self._end("API_FAILURE" if self._tally.api_errors_in_a_row >= MOST_API_ERRORS else None)
        return {"kind": "api-error"}

    def _signal(self, signal: Signal) -> Feedback:
        self._tally.count_signal()
        self._end("LLM_STUCK" if signal == "stuck" else "LLM_DONE_EARLY")
        return {"kind": "control", "signal": signal}

    def _call(self, call: SentCall) -> Feedback:
        if call.name not in self.level.tools:
            return self._format_error("unknown-tool")
        arguments = call.read()
        action = None if arguments is None else self.world.find_action(call.name, arguments)
        return self._format_error("bad-arguments") if action is None else self._act(action)

    def _format_error(self, why: Why) -> Feedback:
        self._tally.count_error(refused=False)
        self._end()
        return {"kind": "format-error", "why": why}

    def _act(self, action: Atom) -> Feedback:
        change = self.world.carried_out(self.state, action)
        if change is None:
            return self._refuse(action)
        self.clock += 1
        self.hours += self.world.hours(action) - 1  # one was counted with the turn
        reached = [text for text, mask in self._missing.items() if mask & change.state]
        for text in reached:
            del self._missing[text]
        self.state, decayed = self._age(change.state)
        self._tally.count_valid(self.state, len(reached))
        solved = self.world.grounded.is_goal(self.state)
        if solved:
            self._end("SOLVED")
        else:
            self._end("TEMPORAL_DECAY" if decayed else self._looping())
        return {
            "kind": "done",
            "clock": self.clock,
            "added": self.world.facts(change.added),
            "deleted": self.world.facts(change.deleted),
            "caused": [fact.as_dict() for fact in change.follows],
            "decayed": decayed,
            "milestones": reached,
            "countdown": self.countdown(),
            "solved": solved,
        }

    def _refuse(self, action: Atom) -> Feedback:
        unmet = self.world.unmet(self.state, action)
        self._tally.count_error(refused=True)
        self._end()
        return {
            "kind": "precondition-failed",
            "unmet": list(map(str, unmet)),
            "hints": [self.world.hint(fact) for fact in unmet],
        }

    # -- facts that fade ----------------------------------------------------------------------------------------------

    def countdown(self) -> dict[str, int]:
        """Return for each fact that will fade how many valid actions it outlasts."""
        return {fact: self._ttl - self.clock + born for fact, born in sorted(self._born_facts())}

    def _born_facts(self) -> Iterator[tuple[str, int]]:
        return ((str(self.world.grounded.atoms[bit]), born) for bit, born in self._births.items())

    def _age(self, state: int) -> tuple[int, list[dict[str, Any]]]:
        """Note what is new and unstable in a state. Return the state without what is too old, and what faded."""
        unstable = state & self.world.unstable
        if not unstable and not self._births:
            return state, []
        births = {bit: self._births.get(bit, self.clock) for bit in bits(unstable)}
        if state & self.world.until:
            births = {}
        old = {bit: born for bit, born in births.items() if self.clock - born > self._ttl}
        self._births = {bit: born for bit, born in births.items() if bit not in old}
        decayed = [
            {"fact": fact, "created": born, "expired": self.clock, "age": self.clock - born}
            for fact, born in sorted((str(self.world.grounded.atoms[bit]), born) for bit, born in old.items())
        ]
        return state & ~sum(1 << bit for bit in old), decayed

    @property
    def _ttl(self) -> int:
        return self.level.unstable.ttl if self.level.unstable else 0

    # -- the end ------------------------------------------------------------------------------------------------------

    def _looping(self) -> Stop | None:
        return "LOOP_DETECTED" if self._tally.visits[self.state] >= MOST_VISITS else None

    def _end(self, own: Stop | None = None) -> None:
        """Set why the game ends, if it does. The reason of the turn itself comes first."""
        tally = self._tally
        if own:
            self.stop = own
        elif tally.streak >= MOST_INVALID:
            self.stop = "MAX_INVALID_STREAK"
        elif tally.idle >= self.level.stagnation_window:
            self.stop = "STAGNATION"
        elif tally.total_steps >= self.level.max_steps:
            self.stop = "MAX_STEPS"
