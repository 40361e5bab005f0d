"""Environments of Gymnasium. Observations and actions are texts, since suites speak to language models.

    environment = gymnasium.make("herobench.surfaces.gym:HeroBench/Play-v0", suite="epoch", seed=7, length="2")

Gymnasium finds the environments by the name of this module, or by their own once it is imported.
`HeroBench/Plan-v0` takes a whole plan as one action. `HeroBench/Play-v0` plays turn by turn: an action is a text of the
model, or a call of a tool as JSON: `{"name": "move", "arguments": {...}}`.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from typing import Any

from herobench.conversation import Message
from herobench.data.errors import UsageError, abbreviate
from herobench.models.messages import chat_messages, chat_tool
from herobench.scorer import Result, RewardKind, TaskQuery, TurnReward, shared_scorer
from herobench.scorer.play import refuse_unknown_reward
from herobench.suite.checked import suite_class
from herobench.surfaces.sessions import as_text, refuse_window

try:
    import gymnasium
except ModuleNotFoundError as error:
    sentence = f"Environments need {error.name}: pip install 'herobench[gym]'."
    raise ModuleNotFoundError(sentence, name=error.name) from None

_LONGEST = 1_000_000
_SAMPLE = 64
"""The length of an action that is drawn at random."""


class AnyText(gymnasium.spaces.Text):  # type: ignore[misc]
    """Texts of any characters, since prompts and models use more characters than a list could name."""

    def __init__(self, max_length: int = _LONGEST, seed: Any = None) -> None:
        super().__init__(max_length, min_length=0, charset=string.printable, seed=seed)

    def contains(self, x: Any) -> bool:
        """Return whether it is a text that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Return a short text of printable characters."""
        is_masked = mask is not None or probability is not None
        text: str = super().sample(mask if is_masked else (_SAMPLE, None), probability)
        return text


class PlayEnvironment(gymnasium.Env[str, str]):  # type: ignore[misc]
    """Attempts at the tasks of a suite, turn by turn. `info` has the messages and tools as chat APIs have them.

    `reward` and `gamma` choose the reward of a turn. After `turns` turns an episode is truncated.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  Gymnasium wants a plain dict

    def __init__(
        self,
        *,
        reward: RewardKind = "end",
        gamma: float = 1.0,
        turns: int | None = None,
        render_mode: str | None = None,
        **knobs: Any,
    ) -> None:
        """Open the suite. Raise UsageError for knobs that do not fit."""
        refuse_unknown_reward(reward, gamma)
        if turns is not None and (isinstance(turns, bool) or not isinstance(turns, int) or turns < 1):
            raise UsageError(f"turns is {abbreviate(turns)}: give a whole number of 1 or more.")
        self._query = self._mode(TaskQuery(**{"jobs": 1, **knobs}))
        refuse_window(self._query)
        self._scorer = shared_scorer(self._query)
        self._tasks = list(self._scorer.tasks)
        self._reward, self._gamma, self._turns = reward, gamma, turns
        self.render_mode = render_mode
        self.action_space = AnyText()
        self.observation_space = AnyText()
        self._credit: TurnReward | None = None

    @staticmethod
    def _mode(query: TaskQuery) -> TaskQuery:
        """Return the query with the mode of tools, if the suite has one and no mode was named."""
        modes = suite_class(query.suite).modes
        return query.but(mode="tools") if "tools" in modes and "mode" not in dict(query.others) else query

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start an attempt at a task that the seed draws, or at the `task_id` of the options.

        The other options are `epoch`, the number of the attempt, and `prefix`, the turns that are played before the
        first observation. Raise UsageError for a wrong option.
        """
        super().reset(seed=seed)
        random_task = self._tasks[int(self.np_random.integers(len(self._tasks)))]
        values = {"task_id": random_task, "epoch": 0, "prefix": (), **(options or {})}
        if unknown := values.keys() - {"task_id", "epoch", "prefix"}:
            wrong = abbreviate(min(unknown, key=str))
            raise UsageError(f"reset has no option {wrong}: there are task_id, epoch and prefix.")
        play = self._scorer.play(values["task_id"], values["epoch"], values["prefix"])
        self._credit = TurnReward(play, self._reward, self._gamma)
        opening = play.conversation
        return as_text(opening), {**self._info(opening), "tools": [deepcopy(chat_tool(tool)) for tool in play.tools]}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take in a turn of the model."""
        if self._credit is None or self._credit.play.over:
            raise UsageError("The attempt is over, or has not begun: reset the environment.")
        if not isinstance(action, str):
            raise UsageError(f"An action is a text, and not {abbreviate(action)}.")
        play = self._credit.play
        messages = play.say(play.read(action))
        over = play.over
        truncated = not over and self._turns is not None and play.turns - play.begun >= self._turns
        info = self._info(messages)
        # Learners estimate the value of a truncated episode, so its potential stays.
        reward = self._credit.of_turn(last=truncated, terminal=False)
        if over or truncated:
            result = play.result()
            info |= {**result.figures(), "failure": result.failure, **_cause(result)}
        return as_text(messages), reward, over, truncated, info

    def fork(self) -> PlayEnvironment:
        """Return another environment with an independent copy of this episode."""
        if self._credit is None:
            raise UsageError("The attempt has not begun: reset the environment.")
        twin = copy(self)
        twin._np_random = deepcopy(self._np_random)
        twin._credit = self._credit.fork()
        return twin

    def render(self) -> str:
        """Return the conversation as text."""
        return "" if self._credit is None else as_text(self._credit.play.conversation)

    def _info(self, messages: Sequence[Message]) -> dict[str, Any]:
        assert self._credit is not None
        play = self._credit.play
        return {"task_id": play.task_id, "epoch": play.epoch, "messages": chat_messages(messages)}


def _cause(result: Result) -> dict[str, Any]:
    """Return the cause and the line of a loss. Unknown values are left out, since vectors of infos need that."""
    return {name: value for name, value in (("cause", result.cause), ("line", result.line)) if value is not None}


class PlanEnvironment(PlayEnvironment):
    """Attempts of one turn: the observation is the prompt, the action is the reply with the plan."""

    @staticmethod
    def _mode(query: TaskQuery) -> TaskQuery:
        return query.one_turn()


gymnasium.register(id="HeroBench/Plan-v0", entry_point="herobench.surfaces.gym:PlanEnvironment")
gymnasium.register(id="HeroBench/Play-v0", entry_point="herobench.surfaces.gym:PlayEnvironment")
