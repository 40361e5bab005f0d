"""An environment of SkyRL-Gym, for attempts of one turn and of many.

    skyrl_gym.register(id="herobench", entry_point="herobench.surfaces.skyrl:HeroBench")

SkyRL sends texts only, so it plays the modes without tools. The last turn has the reward. SkyRL knows no attempt
without one: an error of the sandbox or the suite is raised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from herobench.data.errors import UsageError, abbreviated
from herobench.models.messages import chat_messages
from herobench.scorer import Result
from herobench.surfaces.reward import COLUMN, prompts_of, scorer_of
from herobench.surfaces.sessions import refuse_window


class HeroBench(BaseTextEnv):  # type: ignore[misc]
    """One attempt at the task that `reward_spec` names. `env_config` has settings, and so may the row."""

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None) -> None:
        """Start the attempt. Raise UsageError for a task that does not exist, or a mode that needs tools."""
        super().__init__()
        row = extras or {}
        known = row.get("extra_info") or {}
        scorer = scorer_of(dict(env_config or {}), known.get(COLUMN))
        refuse_window(scorer.wanted)
        self._play = scorer.play(str((row.get("reward_spec") or {}).get("ground_truth")), known.get("epoch") or 0)
        if self._play.tools:
            raise UsageError(f"SkyRL sends texts, and this mode of {scorer.suite} is played by calls of tools.")
        # Only SkyRL limits the turns: the suite ends attempts by itself.
        self.max_turns = row.get("max_turns") or 1_000_000
        if isinstance(self.max_turns, bool) or not isinstance(self.max_turns, int) or self.max_turns < 1:
            raise UsageError(f"max_turns is {abbreviated(self.max_turns)}: give a whole number of 1 or more.")
        self._result: Result | None = None

    def init(self, prompt: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Return the messages that open the attempt."""
        return chat_messages(self._play.conversation), {"task_id": self._play.task_id}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Take in a reply. The last one brings the reward."""
        self.turns += 1
        told = self._play.say(action)
        if not self._play.over and self.turns < self.max_turns:
            return BaseTextEnvStepOutput(observations=chat_messages(told), reward=0.0, done=False, metadata={})
        self._result = self._play.result()
        reward, metadata = self._result.reward, self._result.as_row()
        return BaseTextEnvStepOutput(observations=[], reward=reward, done=True, metadata=metadata)

    def get_metrics(self) -> dict[str, Any]:
        """Return the figures of the attempt; of one that did not end, the turns alone."""
        figures = {} if self._result is None else self._result.figures()
        return {**figures, "turns": self.turns}


def training_rows(**knobs: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a dataset for SkyRL."""
    for task_id, prompt, facts in prompts_of(knobs):
        yield {
            "data_source": f"herobench/{scorer_of(knobs).suite}",
            "prompt": prompt,
            "env_class": "herobench",
            "reward_spec": {"method": "rule", "ground_truth": task_id},
            "extra_info": facts,
        }
