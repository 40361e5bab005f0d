"""Environments for `environment_factory` of TRL's GRPOTrainer: attempts of many turns, in the process of the trainer.

    from datasets import Dataset
    from herobench.surfaces.reward import training_rows
    from herobench.surfaces.trl import HeroBench

    rows = list(training_rows(suite="epoch", seed=7, length="2", count=500, mode="tools"))
    paid = partial(HeroBench, reward="potential")
    trainer = GRPOTrainer(model=..., environment_factory=paid, train_dataset=Dataset.from_list(rows))

TRL reads a model's tools from the methods of a class, before it knows the task. So the one tool is `act`, and `reset`
describes the tools of the suite. TRL has one reward for an attempt, the sum of the rewards of its turns; reward
functions of the user find those in `turn_rewards`. Public methods are tools, so an attempt is copied by the function
`fork`.

`FrontierSampler` and `telling` let a `Frontier` choose the tasks.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import wraps
from typing import Any

from herobench.conversation import Message
from herobench.data.errors import UsageError
from herobench.models.messages import chat_message, chat_tool
from herobench.scorer import Frontier, TurnReward
from herobench.scorer.play import reward_options
from herobench.suite.checked import suite_class
from herobench.surfaces.reward import NOT_MEASURED, Rewards, reward_scorer
from herobench.surfaces.sessions import refuse_window

_BEGUN = ("prefix", "reward", "gamma")
_OVER = "The attempt is over."
_log = logging.getLogger(__name__)


class HeroBench:
    """Plays one attempt after another. Settings of a dataset's row override those of the environment."""

    def __init__(self, **settings: Any) -> None:
        """Take knobs, and `prefix`, `reward` and `gamma`. Raise UsageError for a reward that does not exist."""
        reward_options(settings)
        self._begun = {name: settings.pop(name) for name in _BEGUN if name in settings}
        self._knobs = settings
        self._credit: TurnReward | None = None
        self._kind: Any = None
        self._measured = True

    @property
    def turn_rewards(self) -> list[float]:
        """The rewards of the turns so far."""
        return self._credit.rewards if self._credit else []

    def reset(self, task_id: str, epoch: int | None = None, herobench: Any = None, **columns: Any) -> str:
        """Start an attempt at the task of a row of `training_rows`. Return the tools and the played prefix."""
        scorer = reward_scorer(self._knobs, herobench)
        refuse_window(scorer.query)
        terms = self._begun | {name: columns[name] for name in _BEGUN if columns.get(name) is not None}
        play = scorer.play(task_id, epoch or 0, terms.get("prefix", ()))
        self._kind = suite_class(scorer.suite)
        self._credit, self._measured = TurnReward(play, *reward_options(terms)), True
        tools = [json.dumps(chat_tool(tool)["function"]) for tool in play.tools]
        messages = play.transcript[len(scorer.opening(task_id)) :] if play.begun else ()
        return "".join(f"\n\n{part}" for part in (*tools, *_texts(messages)))

    def act(self, turn: str) -> str:
        """
        Play one turn.

        Args:
            turn: The plan or the answer, or a call of one of the task's tools as JSON with its name and arguments.

        Returns:
            What came of it.
        """
        credit = self._open()
        play = credit.play
        if play.over or not self._measured:
            return _OVER
        sent_turn: Any = turn  # a model may send JSON as an object instead of a text
        text = sent_turn if isinstance(sent_turn, str) else json.dumps(sent_turn)
        try:
            messages = play.say(play.read(text if play.tools else self._kind.as_reply(text)))
            credit.of_turn()
        except NOT_MEASURED as error:
            _log.warning("%s is not measured: %s", play.task_id, error)
            self._measured = False
        return _OVER if play.over or not self._measured else "\n\n".join(_texts(messages))

    def get_reward(self) -> float | None:
        """Return the sum of the rewards of the turns; None if the attempt was not measured. Call it once."""
        credit = self._open()
        try:
            due = 0.0 if credit.play.over or not self._measured else credit.of_stop()
        except NOT_MEASURED as error:
            _log.warning("%s is not measured: %s", credit.play.task_id, error)
            self._measured = False
        return sum(self.turn_rewards) + due if self._measured else None

    def _open(self) -> TurnReward:
        if self._credit is None:
            raise UsageError("The attempt has not begun: reset the environment.")
        return self._credit


def fork(environment: HeroBench) -> HeroBench:
    """Return a copy of an environment. Its attempt is independent, with the same kind of reward."""
    twin = copy(environment)
    twin._credit = environment._open().fork()
    return twin


class FrontierSampler:
    """Draws tasks near the policy's horizon, in the order of TRL's own sampler, which shuffles them."""

    def __init__(self, usual: Any, frontier: Frontier) -> None:
        """`usual` is the result of `GRPOTrainer._get_train_sampler` for a dataset with the column `task_id`."""
        self._usual, self._frontier = usual, frontier
        self._places = {task_id: place for place, task_id in enumerate(usual.data_source["task_id"])}

    def __len__(self) -> int:
        return len(self._usual)

    def __iter__(self) -> Iterator[int]:
        usual = self._usual
        block = usual.batch_size * usual.mini_repeat_count * usual.repeat_count
        for _ in range(len(usual) // block):
            places = [self._places[task_id] for task_id in self._frontier.draw(usual.batch_size)]
            yield from [place for place in places for _ in range(usual.mini_repeat_count)] * usual.repeat_count


def telling(frontier: Frontier, reward: Callable[..., Rewards]) -> Callable[..., Rewards]:
    """Return a reward function that also tells a frontier which tasks were won: those with a reward of 1."""
    from accelerate.utils import gather_object  # of TRL

    @wraps(reward)
    def reward_and_tell(*given: Any, task_id: list[str], **columns: Any) -> Rewards:
        rewards = reward(*given, task_id=task_id, **columns)
        wins = [None if value is None else value >= 1 for value in rewards]
        frontier.tell(gather_object([*zip(task_id, wins, strict=True)]))  # each process has a frontier; all are told
        return rewards

    return reward_and_tell


def _texts(messages: Iterable[Message]) -> Iterable[str]:
    """Yield messages as texts; a message of the assistant as JSON, with its calls."""
    for message in messages:
        yield json.dumps(chat_message(message)) if message.role == "assistant" else message.text
