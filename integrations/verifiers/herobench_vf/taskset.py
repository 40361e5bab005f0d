"""The tasks of a suite as a taskset. A trace is scored by the replies in it, with one turn or with many."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import verifiers.v1 as vf
from pydantic import Field, field_validator

from herobench.data.errors import UsageError
from herobench.models.messages import chat_messages
from herobench.scorer import Play, RewardKind, Scorer, TaskQuery, TurnReward, shared_scorer

_INFO = "herobench"
"""The name of the result in the info of a trace."""


class HeroBenchConfig(vf.TasksetConfig):
    """Which tasks, by the names of HeroBench's command line."""

    suite: str = "rpg"
    """The suite."""
    dataset: str | None = None
    """A shipped set."""
    tasks: str | None = None
    """A tasks file, in place of a set."""
    difficulty: str | int | None = None
    """Brackets, such as 1-3; with a seed, how hard the new tasks are."""
    seed: int | None = None
    """Make new tasks from this seed."""
    length: str | int | None = None
    """With a seed, how long solutions are, such as 5-9."""
    count: int | None = None
    """With a seed, how many tasks are made."""
    limit: str | int | None = None
    """Only the first so many tasks, or a part such as 5-15."""
    mode: str | None = None
    """How the suite is played; without it, by one prompt and one reply, or in many turns if it has no such mode."""
    prefix: int = 0
    """So many turns of the oracle's plan are played first, or all but the last so many if it is below 0."""
    reward: RewardKind = "end"
    """What a turn is paid."""
    gamma: float = 1.0
    """The discount of the potential."""
    settings: dict[str, str | int | float | bool] = Field(default_factory=dict)
    """Settings of the suite, such as rules, and options of its generator."""

    @field_validator("difficulty", "seed", "length", "count", "limit", mode="before")
    @classmethod
    def refuse_truth(cls, value: Any) -> Any:
        """Refuse true and false, which would count as 1 and 0."""
        if isinstance(value, bool):
            raise ValueError("give a number or a text, and not true or false")
        return value

    def knobs(self) -> dict[str, Any]:
        """Return the knobs that were given."""
        apart = ("settings", "prefix", "reward", "gamma")
        named = {name: getattr(self, name) for name in HeroBenchConfig.__annotations__ if name not in apart}
        return {name: value for name, value in {**named, **self.settings}.items() if value is not None}


class HeroBenchData(vf.TaskData):
    """A task, and the knobs of the scorer that knows it."""

    task_id: str
    group: str | None = None
    dataset: str
    knobs: dict[str, Any]
    prefix: int | list[str] = 0
    """A number of turns of the oracle's plan, or the texts of the turns."""
    reward: RewardKind = "end"
    gamma: float = 1.0


class SuiteTask(vf.Task[HeroBenchData]):
    """One attempt at a task."""

    @property
    def key(self) -> str:
        """The set and the task, which stay the same whatever is chosen beside it."""
        return f"{self.data.dataset}/{self.data.task_id}"

    @property
    def scorer(self) -> Scorer:
        """The scorer of this process."""
        return shared_scorer(read_query(self.data.knobs))

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Score the replies. The sandbox runs plans in processes of its own."""
        turns = [message.content or "" for message in trace.assistant_messages]
        trace.info[_INFO] = await asyncio.to_thread(self._judged, turns)

    def begin(self) -> Play:
        """Start the attempt, after the turns of the prefix."""
        return self.scorer.play(self.data.task_id, prefix=self.data.prefix)

    def fork(self, play: Play) -> SuiteTask:
        """Return the task that goes on from where an attempt stands. Run it several times for several replies."""
        prefix = [reply.text for reply in play.replies]
        data = HeroBenchData.model_validate({**self.data.model_dump(), **asked(play), "prefix": prefix})
        return SuiteTask(data, self.config)

    def _judged(self, turns: Sequence[str]) -> dict[str, Any]:
        """Return the result of the turns, and the reward of each."""
        play = self.begin()
        rewards = TurnReward(play, self.data.reward, self.data.gamma).of_turns(turns)
        result = play.result()
        return {**result.as_row(), "figures": result.figures(), "turn_rewards": rewards}

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Return whether the oracle wins."""
        scorer, task_id = self.scorer, self.data.task_id
        result = await asyncio.to_thread(lambda: scorer.score(task_id, scorer.solution(task_id)))
        return result.won

    @vf.reward(weight=1.0)
    async def herobench(self, trace: vf.Trace) -> float:
        """Return the score as a fraction."""
        return float(trace.info[_INFO]["reward"])

    @vf.metric
    async def win(self, trace: vf.Trace) -> float:
        """Return 1 for a win."""
        return float(trace.info[_INFO]["figures"]["win"])

    @vf.metric
    async def progress(self, trace: vf.Trace) -> float:
        """Return what was reached before the attempt ended."""
        return float(trace.info[_INFO]["figures"]["progress"])


class HeroBenchTaskset(vf.Taskset[SuiteTask, HeroBenchConfig]):
    """The wanted tasks of a suite."""

    def load(self) -> Iterator[SuiteTask]:
        """Yield the tasks in their order."""
        knobs = self.config.knobs()
        scorer = shared_scorer(read_query(knobs))
        for task_id, task in scorer.tasks.items():
            play = scorer.play(task_id, prefix=self.config.prefix)
            if play.tools:
                raise UsageError(f"This mode of {scorer.suite} is played by calls of tools: verifiers gets texts only.")
            data = HeroBenchData(
                id=task_id,
                name=task_id,
                **asked(play),
                task_id=task_id,
                group=task.group,
                dataset=scorer.dataset,
                knobs=knobs,
                prefix=self.config.prefix,
                reward=self.config.reward,
                gamma=self.config.gamma,
            )
            yield SuiteTask(data, self.config.task)


def asked(play: Play) -> dict[str, Any]:
    """Return what the model is asked where an attempt stands, as the fields of a task."""
    messages = chat_messages(play.conversation)
    system = messages.pop(0)["content"] if messages[0]["role"] == "system" else None
    return {"prompt": messages[0]["content"] if len(messages) == 1 else messages, "system_prompt": system}


def read_query(knobs: dict[str, Any]) -> TaskQuery:
    """Return the query that the knobs ask for, in one turn unless a mode is named or the suite has none so."""
    wanted = TaskQuery(**knobs)
    if "mode" in knobs:
        return wanted
    try:
        return wanted.one_turn()
    except UsageError:
        return wanted
