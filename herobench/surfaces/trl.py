"""Environments for `environment_factory` of TRL's GRPOTrainer: attempts of many turns, in the process of the trainer.

    from datasets import Dataset
    from herobench.surfaces.reward import training_rows
    from herobench.surfaces.trl import HeroBench

    rows = list(training_rows(suite="epoch", seed=7, length="5-9", count=500, mode="tools"))
    paid = partial(HeroBench, reward="potential")
    trainer = GRPOTrainer(model=..., environment_factory=paid, train_dataset=Dataset.from_list(rows))

TRL reads a model's tools from the methods of a class, before it knows the task. So the one tool is `act`, and the tools
of the suite are told with the task. TRL has one reward for an attempt, which is the sum of those of its turns; reward
functions of the user find those in `turn_rewards`. Since public methods are tools, there is none to copy an attempt: a
row with the turns of another one as its `prefix` begins where that stands.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from typing import Any

from herobench.conversation import Message
from herobench.data.errors import UsageError
from herobench.models.messages import chat_message, chat_tool
from herobench.scorer import Play, TurnReward
from herobench.scorer.turn_reward import reward_options
from herobench.suite.checked import suite_class
from herobench.surfaces.reward import NOT_MEASURED, reward_scorer
from herobench.surfaces.sessions import refuse_window

_BEGUN = ("prefix", "reward", "gamma")
_OVER = "The attempt is over."
_log = logging.getLogger(__name__)


class HeroBench:
    """One attempt after the other. Settings of a row of the dataset stand over those of the environment."""

    def __init__(self, **settings: Any) -> None:
        """Take knobs, and `prefix`, `reward` and `gamma`. Raise UsageError for a reward that does not exist."""
        reward_options(settings)
        self._begun = {name: settings.pop(name) for name in _BEGUN if name in settings}
        self._knobs = settings
        self._play: Play | None = None
        self._credit: TurnReward | None = None
        self._kind: Any = None
        self._measured = True
        self.turn_rewards: list[float] = []
        """The rewards of the turns that were played so far."""

    def reset(self, task_id: str, epoch: int | None = None, herobench: Any = None, **columns: Any) -> str:
        """Start an attempt at the task of a row of `training_rows`. Return what its prompt does not have yet."""
        scorer = reward_scorer(self._knobs, herobench)
        refuse_window(scorer.wanted)
        begun = self._begun | {name: columns[name] for name in _BEGUN if columns.get(name) is not None}
        self._play = scorer.play(task_id, epoch or 0, begun.get("prefix", ()))
        self._kind = suite_class(scorer.suite)
        self._credit, self._measured, self.turn_rewards = TurnReward(self._play, *reward_options(begun)), True, []
        tools = [json.dumps(chat_tool(tool)["function"]) for tool in self._play.tools]
        told = self._play.transcript[len(scorer.opening(task_id)) :] if self._play.begun else ()
        return "".join(f"\n\n{part}" for part in (*tools, *_texts(told)))

    def act(self, turn: str) -> str:
        """
        Play one turn.

        Args:
            turn: The plan or the answer, or a call of one of the task's tools as JSON with its name and arguments.

        Returns:
            What came of it.
        """
        play, credit = self._open()
        if play.over or not self._measured:
            return _OVER
        given: Any = turn  # by a model, which may give JSON as JSON
        text = given if isinstance(given, str) else json.dumps(given)
        try:
            told = play.say(play.read(text if play.tools else self._kind.as_reply(text)))
            self.turn_rewards.append(credit.of_turn())
        except NOT_MEASURED as error:
            _log.warning("%s is not measured: %s", play.task_id, error)
            self._measured = False
        return _OVER if play.over or not self._measured else "\n\n".join(_texts(told))

    def get_reward(self) -> float | None:
        """Return the sum of the rewards of the turns; None where the attempt was not measured. Call it once."""
        play, credit = self._open()
        try:
            due = 0.0 if play.over or not self._measured else credit.of_stop()
        except NOT_MEASURED as error:
            _log.warning("%s is not measured: %s", play.task_id, error)
            self._measured = False
        return sum(self.turn_rewards) + due if self._measured else None

    def _open(self) -> tuple[Play, TurnReward]:
        if self._play is None or self._credit is None:
            raise UsageError("The attempt has not begun: reset the environment.")
        return self._play, self._credit


def _texts(messages: Iterable[Message]) -> Iterable[str]:
    """Yield messages as texts; those of the assistant with their calls as JSON."""
    for message in messages:
        yield json.dumps(chat_message(message)) if message.role == "assistant" else message.text
