"""An environment of OpenEnv, and the server of it, with OpenEnv's own routes.

An episode is one attempt at a task, with one turn or many. Each session has an environment of its own; all share
scorers. Plans run in the sandbox's processes. OpenEnv reads settings from the environment: ENABLE_WEB_INTERFACE=true
adds its page at /web.
"""

from __future__ import annotations

import atexit
import json
import logging
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import partial
from importlib.metadata import version
from threading import Lock
from typing import Annotated, Any
from weakref import WeakValueDictionary

from fastapi import Request, Response
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, ConcurrencyConfig, EnvironmentMetadata, Observation, State
from pydantic import Field, ValidationError, WithJsonSchema, model_validator

from herobench.conversation import Message, Reply
from herobench.data.errors import abbreviate, quoted
from herobench.scorer import Play, RewardKind, Scorer, TaskQuery, TurnReward
from herobench.suite.checked import suite_class
from herobench.surfaces import http_guards
from herobench.surfaces.openenv.scorers import (
    Scorers,
    chosen_task,
    listed_task,
    refuse_other_split,
    refuse_wrong_types,
    split_name,
)
from herobench.surfaces.reward import NOT_MEASURED, UNMEASURED
from herobench.surfaces.serve.bodies import Turn, answer, explain_refusals
from herobench.surfaces.sessions import (
    EXPIRY,
    MOST_SESSIONS,
    Refused,
    chat_view,
    refuse_if_long,
    refuse_oracle_prefix,
    say_within,
    wrong_fields,
)

_ABOUT = (
    "The turn of the model: a plan, alone or in a block of code with any words around it, or an answer. Where the task "
    'has tools, a call as JSON, {"name": ..., "arguments": {...}}, or a list of calls.'
)


class PlanAction(Action):  # type: ignore[misc]
    """What the model says in one turn."""

    # The text type of pydantic refuses half a surrogate pair, which a model may send. Some clients send parsed JSON.
    plan: Annotated[Any, WithJsonSchema({"type": "string", "description": _ABOUT})]

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, action: Any, validate: Callable[[Any], PlanAction]) -> PlanAction:
        """Take a call of a tool that stands for the whole action. Raise Refused for what is no action."""
        is_call = isinstance(action, dict) and action.keys() <= {"name", "arguments"} and "name" in action
        try:
            return validate({"plan": action} if is_call else action)
        except ValidationError as error:  # OpenEnv would name no field
            raise Refused(422, wrong_fields(error.errors())) from None


class PlanObservation(Observation):  # type: ignore[misc]
    """What the model is told. The reward is that of the turn; None where it was not measured."""

    messages: list[dict[str, Any]] = Field(description="What is new since the last turn, as chat APIs have messages.")
    tools: list[dict[str, Any]] = Field(description="Tools that may be called, as chat APIs have them.")


class PlanState(State):  # type: ignore[misc]
    """Where an episode stands. It tells nothing of the solution."""

    suite: str = ""
    dataset: str = ""
    task_id: str | None = None
    group: str | None = None
    epoch: int = 0
    over: bool = False


_MADE = frozenset({"length", "count"})
"""The knobs that make new tasks."""

_log = logging.getLogger(__name__)


class HeroBenchEnvironment(Environment[PlanAction, PlanObservation, PlanState]):  # type: ignore[misc]
    """Attempts at the tasks of a suite, for one session."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        scorers: Scorers,
        episodes: Episodes | None = None,
        *,
        details: bool = False,
        oracle_prefixes: bool = False,
    ) -> None:
        """`episodes` has the episodes of all sessions, so that a session can copy the episode of another."""
        super().__init__()
        self._scorers, self._details, self._oracle_prefixes = scorers, details, oracle_prefixes
        self._episodes: Episodes = WeakValueDictionary() if episodes is None else episodes
        self._scorer: Scorer | None = None
        self._credit: TurnReward | None = None
        self._state = PlanState()
        self._playing = Lock()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        task_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
        epoch: int = 0,
        prefix: int | Sequence[Turn] = (),
        reward: RewardKind = "end",
        gamma: float = 1.0,
        fork: str | None = None,
        herobench: str | Mapping[str, Any] | None = None,
        **knobs: Any,
    ) -> PlanObservation:
        """Start an attempt at a task. Without `task_id` or `index`, the seed draws one.

        `prefix` has turns that are played first, and `reward` with `gamma` says what a turn is paid. Knobs choose other
        tasks than the server's; with `length` or `count`, the seed makes them anew. `herobench` has the settings of a
        row of a dataset. `fork` is the id of an open episode of any session: its attempt is copied as it stands.
        """
        texts = {"task_id": task_id, "split": split, "episode_id": episode_id, "fork": fork}
        refuse_wrong_types(epoch, texts, {"seed": seed, "index": index})
        refuse_oracle_prefix(prefix, allowed=self._oracle_prefixes)
        if fork is not None:
            return self._fork(fork, episode_id)
        if seed is not None and not _MADE.isdisjoint(knobs):
            knobs["seed"] = seed
        scorer = self._scorers.take(knobs, herobench)
        self.close()
        self._scorer = scorer
        own_task = chosen_task(scorer, task_id, split, index, seed)
        play = scorer.play(own_task, epoch, prefix)
        refuse_if_long(play)
        self._credit = TurnReward(play, reward, gamma)
        self._state = PlanState(
            episode_id=episode_id or secrets.token_urlsafe(16),
            suite=scorer.suite,
            dataset=scorer.dataset,
            task_id=own_task,
            group=scorer.tasks[own_task].group,
            epoch=epoch,
        )
        return self._begin(play)

    def _fork(self, key: str, episode_id: str | None) -> PlanObservation:
        source = self._episodes.get(key)
        if source is None:
            raise Refused(404, f"There is no open episode {quoted(key)}: name the episode_id of one that goes on.")
        with source._playing:
            credit, scorer = source._open()
            credit = credit.fork()
            refuse_if_long(credit.play)
            self._scorers.take_too(scorer)
            state = source._state.model_copy(update={"episode_id": episode_id or secrets.token_urlsafe(16)})
        self.close()
        self._scorer, self._credit, self._state = scorer, credit, state
        return self._begin(credit.play)

    def _begin(self, play: Play) -> PlanObservation:
        self._episodes.setdefault(str(self._state.episode_id), self)
        return self._observation(play, play.conversation)

    def _open(self) -> tuple[TurnReward, Scorer]:
        """Return the running attempt and its scorer. Raise Refused when there is none."""
        if self._credit is None or self._scorer is None or self._state.over:
            raise Refused(409, "The attempt is over, or has not begun: reset the environment.")
        return self._credit, self._scorer

    def step(self, action: PlanAction, timeout_s: float | None = None, **_: Any) -> PlanObservation:
        """Take in a turn of the model. `reset` chose its kind of reward; by default only the last turn has one."""
        with self._playing:
            return self._step(action)

    def _step(self, action: PlanAction) -> PlanObservation:
        credit, _ = self._open()
        play = credit.play
        turn = _turn(action.plan, play, self._state.suite)
        self._state.step_count += 1
        try:
            news = say_within(play, turn)
            turn_reward = credit.of_turn()
            if not play.over:
                return self._observation(play, news, reward=turn_reward)
            result = play.result()
        except NOT_MEASURED as error:
            _log.warning("%s is not measured: %s", play.task_id, error)
            self._state.over = True
            return self._observation(play, (), done=True, facts={"failure": UNMEASURED, UNMEASURED: str(error)})
        self._state.over = True
        facts = result.as_row(details=self._details)
        del facts["reward"]
        return self._observation(play, news, done=True, reward=turn_reward, facts=facts)

    @property
    def state(self) -> PlanState:
        """The state of the episode."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Describe what the server plays."""
        own = self._scorers.own
        return EnvironmentMetadata(
            name="herobench",
            description=f"Long-range planning: {len(own.tasks):,} tasks of the suite {own.suite}, {own.dataset}.",
            version=version("herobench"),
        )

    def list_splits(self) -> list[dict[str, str]]:
        """Return the one split of the server's tasks."""
        name = split_name(self._scorers.own)
        return [{"name": name, "type": name}]

    def num_tasks(self, split: str) -> int:
        """Return how many tasks there are."""
        return len(self._own(split).tasks)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return one task without its row, which holds the solution. Raise IndexError where there is none."""
        return listed_task(self._own(split), index)

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return all tasks."""
        return self.get_task_range(split)

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """Return a part of the tasks."""
        own = self._own(split)
        return [listed_task(own, index) for index in range(len(own.tasks))[start:stop]]

    def close(self) -> None:
        """End the attempt, and give the scorer back."""
        if self._scorer is not None:
            self._scorers.give_back(self._scorer)
        if self._episodes.get(str(self._state.episode_id)) is self:
            del self._episodes[str(self._state.episode_id)]
        self._scorer = self._credit = None

    def _own(self, split: str) -> Scorer:
        refuse_other_split(self._scorers.own, split)
        return self._scorers.own

    def _observation(
        self,
        play: Play,
        news: Iterable[Message],
        *,
        done: bool = False,
        reward: float | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> PlanObservation:
        metadata = {"task_id": play.task_id, "group": self._state.group, "turns": play.turns, **(facts or {})}
        fields = {**chat_view(play, news), **({"tools": []} if done else {}), "metadata": metadata}
        return PlanObservation(done=done, reward=reward, **_sendable(fields))


Episodes = MutableMapping[str, HeroBenchEnvironment]
"""The open episodes of a server by their ids."""


def _turn(plan: Any, play: Play, suite: str) -> Reply:
    """Return the value that a client sent as a turn. Raise Refused for JSON that is not a turn.

    Clients may have parsed a model's text as JSON, or removed the marks around a plan that a suite looks for. JSON can
    be calls of tools, or the answer to a question.
    """
    kind = suite_class(suite)
    if isinstance(plan, str):
        return play.read(plan if play.tools else kind.as_reply(plan))
    turn = play.read(json.dumps(plan))
    asks = kind.one_turn_mode == ""
    if not turn.tool_calls and not asks:
        forms = 'a text, a call {"name": ..., "arguments": {...}}, or a list of calls' if play.tools else "a text"
        raise Refused(422, f"plan is {abbreviate(plan)}: give {forms}.")
    return turn


def _sendable(document: dict[str, Any]) -> dict[str, Any]:
    """Return plain data that UTF-8 can encode. OpenEnv cannot send half a surrogate pair, which a model may write."""
    plain: dict[str, Any] = json.loads(json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"))
    return plain


# -- the server -------------------------------------------------------------------------------------------------------

_TAKEN = re.compile(r"got multiple values for argument '(\w+)'")
"""Matches Python's message for two arguments of one name."""
NAME = "herobench"
"""The name of the environment in routes about tasks."""


def make_app(
    scorers: Scorers,
    sessions: int = MOST_SESSIONS,
    expiry: float = EXPIRY,
    body: int = http_guards.MOST,
    *,
    details: bool = False,
    oracle_prefixes: bool = False,
) -> Any:
    """Return the application. The scorers are the caller's: they are closed after the server.

    With `details`, clients see the parts of their results, which reveal what a solution needs. With `oracle_prefixes`,
    they may begin after turns of the oracle's plan, which they are told.
    """
    app = create_app(
        partial(HeroBenchEnvironment, scorers, WeakValueDictionary(), details=details, oracle_prefixes=oracle_prefixes),
        PlanAction,
        PlanObservation,
        env_name=NAME,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=expiry),
        state_cls=PlanState,
    )
    app.add_middleware(http_guards.BodyCap, most=body)
    explain_refusals(app)
    app.add_exception_handler(TypeError, _refuse_taken_name)
    return app


async def _refuse_taken_name(_: Request, error: Exception) -> Response:
    """Refuse a knob that has the name of a parameter of OpenEnv, such as `self`."""
    name = _TAKEN.search(str(error))
    if name is None:
        raise error
    return answer({"detail": f"There is no knob '{name[1]}': leave it out."}, 422)


def app_of(*, oracle_prefixes: bool = False, **knobs: Any) -> Any:
    """Return the application that serves only the tasks of these knobs, for a module that a server imports."""
    scorers = Scorers(TaskQuery(**knobs), fixed=True)
    atexit.register(scorers.close)
    return make_app(scorers, oracle_prefixes=oracle_prefixes)
