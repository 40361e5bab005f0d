"""An environment of SkyRL-Gym, for attempts of one turn and of many.

    skyrl_gym.register(id="herobench", entry_point="herobench.surfaces.skyrl:HeroBench")

SkyRL sends texts only. So where a suite has tools, the opening describes them, and a turn is a call as JSON. The last
turn has the reward, unless `reward` says otherwise; step-wise training credits each turn with its own. SkyRL requires a
reward for each attempt: an error of the sandbox or the suite is raised.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from herobench.conversation import Message
from herobench.data.documents import json_object
from herobench.data.errors import UsageError, abbreviate
from herobench.models.messages import chat_message
from herobench.prompts.words import load_words
from herobench.scorer import Play, Result, TurnReward
from herobench.surfaces.reward import COLUMN, list_prompts, reward_scorer
from herobench.surfaces.sessions import refuse_window

_WORDS = load_words("surfaces")


class HeroBench(BaseTextEnv):  # type: ignore[misc]
    """One attempt at the task that `reward_spec` names. `env_config` has settings, and so may the row."""

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None) -> None:
        """Start the attempt. `prefix`, `reward` and `gamma` may be among the settings, or in the row's `extra_info`.

        Raise UsageError for a task that does not exist.
        """
        super().__init__()
        row, settings = extras or {}, dict(env_config or {})
        info = row.get("extra_info") or {}
        usual_terms = {"prefix": (), "reward": "end", "gamma": 1.0}
        of_all = {name: settings.pop(name, usual) for name, usual in usual_terms.items()}
        terms = {name: of_all[name] if info.get(name) is None else info[name] for name in usual_terms}
        scorer = reward_scorer(settings, info.get(COLUMN))
        refuse_window(scorer.query)
        task_id = str((row.get("reward_spec") or {}).get("ground_truth"))
        play = scorer.play(task_id, info.get("epoch") or 0, terms["prefix"])
        # Only SkyRL limits the turns: the suite ends attempts by itself.
        self.max_turns = row.get("max_turns") or 1_000_000
        if isinstance(self.max_turns, bool) or not isinstance(self.max_turns, int) or self.max_turns < 1:
            raise UsageError(f"max_turns is {abbreviate(self.max_turns)}: give a whole number of 1 or more.")
        self._credit = TurnReward(play, terms["reward"], terms["gamma"])
        self._result: Result | None = None

    def init(self, prompt: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Return the messages that open the attempt."""
        play = self._credit.play
        return _opening(play), {"task_id": play.task_id}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Take in a reply. The output of the last one has the figures."""
        self.turns += 1
        play = self._credit.play
        messages = play.say(play.read(action))
        over = play.over or self.turns >= self.max_turns
        reward = self._credit.of_turn(last=over)
        if not over:
            observations = [*map(_as_text, messages)]
            return BaseTextEnvStepOutput(observations=observations, reward=reward, done=False, metadata={})
        self._result = play.result()
        return BaseTextEnvStepOutput(observations=[], reward=reward, done=True, metadata=self._result.as_row())

    def fork(self) -> HeroBench:
        """Return an independent copy."""
        twin = copy(self)
        twin._credit = self._credit.fork()
        return twin

    def get_metrics(self) -> dict[str, Any]:
        """Return the figures and turns of the attempt; only the turns if it has not ended."""
        figures = {} if self._result is None else self._result.figures()
        return {**figures, "turns": self.turns}


def _opening(play: Play) -> list[dict[str, Any]]:
    """Return the conversation so far; its first message describes the tools, if there are any."""
    messages = [*map(_as_text, play.conversation)]
    if play.tools:
        tools = "\n".join(json.dumps(tool.as_row()) for tool in play.tools)
        messages[0] |= {"content": f"{messages[0]['content']}\n\n{_WORDS.fill('tools', tools=tools)}"}
    return messages


def _as_text(message: Message) -> dict[str, Any]:
    """Return a message without fields of calls: a call is the JSON that the model writes, its result is the user's."""
    if not message.tool_calls and message.call_id is None:
        return chat_message(message)
    calls = [{"name": call.name, "arguments": json_object(call.arguments)} for call in message.tool_calls]
    return {"role": "assistant", "content": json.dumps(calls)} if calls else {"role": "user", "content": message.text}


def training_rows(**knobs: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a dataset for SkyRL."""
    scorer = reward_scorer(knobs)
    for task_id, _, facts in list_prompts(knobs):
        yield {
            "data_source": f"herobench/{scorer.suite}",
            "prompt": _opening(scorer.play(task_id)),
            "env_class": "herobench",
            "reward_spec": {"method": "rule", "ground_truth": task_id},
            "extra_info": facts,
        }
