"""One attempt that another tool plays: the messages to the model, its replies, and the result.

play = scorer.play("9/1_Drake_kill")
while not play.over:
    play.say(ask_the_model(play.conversation, play.tools))
print(play.result().reward)

An attempt may begin after given turns, the prefix. `fork` copies it in its current state.

`TurnReward` computes the reward of each turn, for trainers that credit single decisions.

    play = scorer.play("L05")
    credit = TurnReward(play, "potential", gamma=0.99)
    while not play.over:
        play.say(policy(play.conversation))
        print(credit.of_turn())

`end` pays the score with the last turn, and nothing before. `progress` pays the progress that each turn adds; the sum
is the score. `potential` pays the same as `end`, plus gamma times the potential after the turn, minus the potential
before it. The potential is the finished share of the way: 1 minus the distance to the goal, in units of the distance
from the start of the task. At the end it is 0, so that a lost attempt pays back its earlier rewards. So all ways from a
state to an end get the same sum beside the score, discounted by gamma, and the best policy stays the best. See Ng,
Harada and Russell, "Policy invariance under reward transformations" (1999).

The rewards are for the trainer. The model that plays does not see them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Literal, get_args

from herobench.conversation import Message, Reply, Tool, ToolCall
from herobench.data.errors import UsageError, abbreviate
from herobench.models.messages import chat_reply
from herobench.scorer.refusals import ScorerFault
from herobench.suite.checked import explain_loss
from herobench.suite.contract import Distance, Suite, Verdict
from herobench.suite.recorded import RecordedAttempt

Said = str | Mapping[str, Any] | Reply
"""The forms of a turn that other tools pass: a text, a message of a chat API, or a reply."""
_ASIDE = 1_000
"""The memory of a message or a call beside its texts, in characters."""


class Play:
    """An attempt, with the conversation so far."""

    def __init__(
        self,
        suite: Suite,
        task_id: str,
        epoch: int,
        prefix: Sequence[Said] = (),
        from_start: Callable[[], Distance | None] = lambda: None,
        *,
        of_oracle: bool = False,
    ) -> None:
        """Start the attempt, and play the turns of the prefix, which may be the oracle's. Raise UsageError if they end
        it."""
        self._suite = suite.name
        self.task_id = task_id
        self.epoch = epoch
        self.from_start = from_start
        """Returns the distance of the goal from the start of the task, before the prefix."""
        self._attempt = RecordedAttempt(suite, task_id, epoch)
        self._messages: list[Message] = list(self._attempt.messages)
        self._result: Result | None = None
        self._given_turns = len(prefix) if of_oracle else 0
        self.tools: Sequence[Tool] = self._attempt.tools
        self.size = sum(map(count_characters, self._messages))
        """About the number of characters of the conversation, which servers limit."""
        for number, turn in enumerate(prefix, 1):
            self.say(self.read(turn) if isinstance(turn, str) else turn)
            if self.over:
                raise UsageError(ScorerFault.LONG_PREFIX, turns=len(prefix), task_id=task_id, most=number)
        self.begun = self.turns
        """The number of turns of the prefix."""

    @property
    def conversation(self) -> Sequence[Message]:
        """The messages of the next request."""
        messages = self._attempt.conversation
        return self._messages if messages is None else messages

    @property
    def transcript(self) -> Sequence[Message]:
        """All messages so far, even those that the suite no longer sends."""
        return self._messages

    @property
    def over(self) -> bool:
        """True when the attempt takes no more replies."""
        return self._attempt.over

    @property
    def replies(self) -> Sequence[Reply]:
        """The replies so far, including the prefix."""
        return self._attempt.replies

    @property
    def turns(self) -> int:
        """The number of replies so far."""
        return len(self._attempt.replies)

    def read(self, text: str) -> Reply:
        """Return a text as a turn: as calls if the attempt has tools and the text is JSON calls, else as a text."""
        pairs = enumerate(_calls(text) if self.tools else ())
        calls = tuple(ToolCall(f"call_{self.turns}_{number}", *call) for number, call in pairs)
        return Reply("", calls) if calls else Reply(text)

    def say(self, turn: Said) -> Sequence[Message]:
        """Play a turn of the model. Return the next messages, or the farewell of the suite when the attempt is over."""
        reply = as_reply(turn)
        self._result = None
        next_messages = self._attempt.step(reply)
        messages = self._attempt.farewell if next_messages is None else next_messages
        self._messages += [reply.as_message(), *messages]
        self.size += count_characters(reply) + sum(map(count_characters, messages))
        return messages

    def result(self) -> Result:
        """Return the verdict on the turns so far. An attempt without a turn is judged by an empty one."""
        if not self.turns:
            self.say("")
        if self._result is None:
            self._result = Result(self._suite, self.task_id, self.epoch, self._attempt.grade(), self._given_turns)
        return self._result

    def distance(self) -> Distance | None:
        """Return the distance to the goal; None if the suite cannot compute it."""
        return self._attempt.distance()

    def fork(self) -> Play:
        """Return an independent copy."""
        twin = copy(self)
        twin._attempt, twin._messages = self._attempt.fork(), [*self._messages]
        return twin


def _calls(text: str) -> list[tuple[str, str]]:
    """Return the names and arguments of the calls in a text: a JSON object, or a list of them; else none."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return []
    entries = document if isinstance(document, list) else [document]
    if not all(isinstance(call, dict) and isinstance(call.get("name"), str) for call in entries):
        return []
    return [(call["name"], json.dumps(call.get("arguments", {}))) for call in entries]


def count_characters(message: Reply | Message) -> int:
    """Return about the number of characters of a reply or a message."""
    texts = [message.text, *(text for call in message.tool_calls for text in (call.id, call.name, call.arguments))]
    texts += message.pictures if isinstance(message, Message) else [message.reasoning or "", message.answer or ""]
    return sum(map(len, texts)) + _ASIDE * (1 + len(message.tool_calls))


def as_reply(turn: Said) -> Reply:
    """Return a turn of a model as a reply. Raise UsageError for anything else."""
    if isinstance(turn, Reply):
        return turn
    if isinstance(turn, str):
        return Reply(turn)
    if isinstance(turn, Mapping):
        _refuse_no_turn(turn)
        return chat_reply(turn)
    raise UsageError(ScorerFault.BAD_TURN, kind=type(turn).__name__)


def _refuse_no_turn(message: Mapping[str, Any]) -> None:
    """Raise UsageError for a message in a wrong form, which would count as an empty turn."""
    if (role := message.get("role", "assistant")) != "assistant":
        raise UsageError(f"A turn is a message of the assistant, and not of {abbreviate(role)}.")
    if message.keys().isdisjoint(("content", "tool_calls", "function_call")):
        raise UsageError(ScorerFault.EMPTY_MESSAGE, message=abbreviate([*message]))
    content, calls = message.get("content"), message.get("tool_calls")
    if not (content is None or isinstance(content, str) or _are_objects(content)):
        raise UsageError(f"content is {abbreviate(content)}: give a text, or parts as chat APIs have them.")
    if not (calls is None or _are_objects(calls)):
        raise UsageError(f"tool_calls is {abbreviate(calls)}: give a list of calls as chat APIs have them.")


def _are_objects(entries: object) -> bool:
    return isinstance(entries, list | tuple) and all(isinstance(one, Mapping) for one in entries)


def one_by_one(reply: Reply) -> Iterator[Reply]:
    """Yield a reply with several calls as replies with one call each."""
    if len(reply.tool_calls) < 2:
        yield reply
        return
    for call in reply.tool_calls:
        yield replace(reply, text="", tool_calls=(call,))


def split_turns(answer: Said | Sequence[Said]) -> Iterator[Said]:
    """Yield the turns of the model in an answer: a single turn, or the assistant's messages of a conversation."""
    if isinstance(answer, str | Mapping | Reply):
        yield answer
        return
    any_answer: object = answer  # trainers check no types
    if not isinstance(any_answer, Iterable) or isinstance(any_answer, bytes):
        raise UsageError(ScorerFault.BAD_ANSWER, kind=type(any_answer).__name__)
    for turn in answer:
        if not isinstance(turn, Mapping) or turn.get("role", "assistant") == "assistant":
            yield turn


@dataclass(frozen=True, slots=True)
class Result:
    """The verdict on an attempt at a task."""

    suite: str
    task_id: str
    epoch: int
    verdict: Verdict
    given_turns: int = 0
    """The turns of the oracle that were played first."""

    @property
    def reward(self) -> float:
        """The score as a fraction: 1.0 for an ideal attempt. `herobench score` shows it in percent."""
        return self.verdict.score / 100

    @property
    def won(self) -> bool:
        """True for a win without turns of the oracle. After such turns the reward alone says how the attempt ended."""
        return self.verdict.won and not self.given_turns

    @property
    def failure(self) -> str | None:
        """The suite's failure class; None for a win."""
        return self.verdict.failure

    @property
    def cause(self) -> str | None:
        """Why the attempt is lost, in the suite's words; None for a win, and for a suite that cannot say."""
        return explain_loss(self.suite, self.verdict)[0]

    @property
    def line(self) -> int | None:
        """The line or call of the plan that `cause` is about, if there is one."""
        return explain_loss(self.suite, self.verdict)[1]

    def figures(self) -> dict[str, float]:
        """Return the figures to average over attempts: `win`, `score` and `progress`, each from 0 to 1."""
        verdict = self.verdict
        progress = verdict.score if verdict.progress is None else verdict.progress
        return {"win": float(self.won), "score": self.reward, "progress": progress / 100}

    def as_row(self, *, details: bool = True) -> dict[str, Any]:
        """Return the result as plain data, without the events.

        Leave out the details for a player who may try again: they reveal what a solution needs, such as milestones.
        """
        verdict = self.verdict
        row = {
            "task_id": self.task_id,
            "epoch": self.epoch,
            "reward": self.reward,
            "won": self.won,
            "given_turns": self.given_turns,
            "score": verdict.score,
            "progress": verdict.progress,
            "failure": verdict.failure,
            "unfinished": verdict.unfinished,
        }
        return {**row, "details": dict(verdict.details)} if details else row


RewardKind = Literal["end", "progress", "potential"]
REWARDS: tuple[RewardKind, ...] = get_args(RewardKind)
_FARTHEST = 2.0
"""The greatest distance that counts, also for goals out of reach. The start of the task has the distance 1."""


def refuse_unknown_reward(kind: object, gamma: object) -> None:
    """Raise UsageError for an unknown kind of reward, or a wrong discount."""
    if kind not in REWARDS:
        raise UsageError(ScorerFault.BAD_REWARD, reward=abbreviate(kind), rewards=", ".join(REWARDS))
    if isinstance(gamma, bool) or not isinstance(gamma, int | float) or not 0 < gamma <= 1:
        raise UsageError(ScorerFault.BAD_GAMMA, gamma=abbreviate(gamma))


class TurnReward:
    """Rewards the next turns of an attempt. Call `of_turn` after each turn."""

    def __init__(self, play: Play, kind: RewardKind = "end", gamma: float = 1.0) -> None:
        """Begin with an attempt in its current state. Raise UsageError for an unknown kind, or a wrong discount."""
        refuse_unknown_reward(kind, gamma)
        self.play, self._kind, self._gamma = play, kind, gamma
        self.rewards: list[float] = []
        """The reward of each turn so far."""
        self._progress = play.result().figures()["progress"] if kind == "progress" and play.turns else 0.0
        self._potential = potential(play) if kind == "potential" else 0.0

    def of_turn(self, *, last: bool = False, terminal: bool = True) -> float:
        """Return the reward of the turn that was just played.

        `last` is true if the caller stops before the attempt is over: the attempt is scored by its turns so far. If
        `terminal` is false, the potential stays, for trainers that estimate the value of a truncated attempt.
        """
        play = self.play
        over = play.over or last
        if self._kind == "progress":
            figures = play.result().figures()
            before, self._progress = self._progress, figures["score" if over else "progress"]
            reward = self._progress - before
        else:
            reward = play.result().reward if over else 0.0
        if self._kind == "potential":
            before, self._potential = self._potential, 0.0 if play.over or (over and terminal) else potential(play)
            reward += self._gamma * self._potential - before
        self.rewards.append(reward)
        return reward

    def of_turns(self, turns: Iterable[Said]) -> list[float]:
        """Play turns, and return the reward of each. The last one is rewarded as the end of the attempt."""
        for turn in turns:
            if self.play.over:
                break
            self.play.say(turn)
            self.of_turn()
        if self.rewards and not self.play.over:
            self.rewards[-1] += self.of_stop()
        return self.rewards

    def of_stop(self) -> float:
        """Return the reward that is added to the last turn's if the caller stops before the attempt is over."""
        due = self.play.result().reward - self._progress - self._gamma * self._potential
        self._progress = self._potential = 0.0
        return due

    def fork(self) -> TurnReward:
        """Return a copy that rewards a fork of the attempt; its `play` is that fork."""
        twin = copy(self)
        twin.play, twin.rewards = self.play.fork(), [*self.rewards]
        return twin


def potential(play: Play) -> float:
    """Return the finished share of the way of a running attempt; 0 if the suite cannot compute distances."""
    here, start = play.distance(), play.from_start()
    if here is None or start is None:
        return 0.0
    span = start.most if isfinite(start.most) else start.least
    return 1.0 - min(here.most / max(1.0, span), _FARTHEST)


def reward_options(settings: Mapping[str, Any]) -> tuple[RewardKind, float]:
    """Return the kind of reward and the discount in some settings. Raise UsageError for wrong values."""
    kind, gamma = settings.get("reward", "end"), settings.get("gamma", 1.0)
    refuse_unknown_reward(kind, gamma)
    return kind, gamma
