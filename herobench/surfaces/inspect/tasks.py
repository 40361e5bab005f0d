"""The tasks: one for each suite that comes with HeroBench, and `suite` for any other.

The arguments are the options of the command line. With a seed, tasks are made by difficulty, length and count. All
other arguments are settings of the suite, such as `-T mode=tools`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from anyio.to_thread import run_sync
from click import UsageError as WrongArgument
from inspect_ai import Epochs, Task, task
from inspect_ai._util.registry import registry_add, registry_info, set_registry_info
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.event import ScoreEvent
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentReasoning,
    ContentText,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import (
    Score,
    ScoreReducer,
    Target,
    accuracy,
    ci,
    ci_wilson,
    mean,
    mean_score,
    score_reducer,
    scorer,
    stderr,
)
from inspect_ai.scorer import Scorer as InspectScorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolInfo, ToolParams

from herobench.conversation import Message, Reply, Tool, ToolCall
from herobench.data.errors import HeroBenchError
from herobench.data.files import real_path
from herobench.scorer import Play, Result, Scorer, TaskQuery, TurnReward, shared_scorer
from herobench.scorer.play import reward_options
from herobench.suite.plugins import SUITES, names
from herobench.surfaces.inspect.metrics import between_mistakes, horizon, score_facts

_KEY, _CREDIT = "herobench", "herobench_credit"
"""The names in a sample's metadata of its knobs, and of its prefix and kind of reward."""


def sample_scorer(state: TaskState) -> Scorer:
    """Return the scorer of a sample."""
    return shared_scorer(TaskQuery(**state.metadata[_KEY]))


def our_task_id(state: TaskState) -> str:
    """Return our name for the task of a sample."""
    return str(state.sample_id)


def our_epoch(state: TaskState) -> int:
    """Return the epoch counted from 0. Inspect counts from 1."""
    return int(state.epoch) - 1


# -- scoring and solving ----------------------------------------------------------------------------------------------


@score_reducer  # type: ignore[untyped-decorator, unused-ignore]
def average() -> ScoreReducer:
    """Take the means over epochs. Inspect's own warns of each value that is not a number, as a failure is."""
    return mean_score(value_to_float=lambda value: float(value) if isinstance(value, int | float) else math.nan)


# With its package twice in its name, it has it once in a log. Without one, `inspect score` does not find it.
@scorer(  # type: ignore[untyped-decorator, unused-ignore]
    name="herobench/verdict",
    metrics={
        "win": [accuracy(), stderr(), ci_wilson(), horizon(), between_mistakes()],
        "score": [mean(), stderr(), ci()],
        "progress": [mean(), stderr(), ci()],
    },
)
def verdict() -> InspectScorer:
    """Give `win`, `score` and `progress`, each from 0 to 1, and the class of `failure`."""

    async def score(state: TaskState, target: Target) -> Score:
        result: Result = await run_sync(_judge, state)
        value: dict[str, Any] = {**result.figures(), "failure": result.failure}
        return Score(
            value=value,
            answer=state.output.completion,
            explanation="won" if result.won else f"lost: {result.failure}",
            metadata={**result.as_row(), **score_facts(sample_scorer(state), result)},
        )

    return score


def _judge(state: TaskState) -> Result:
    task_id, epoch, scorer = our_task_id(state), our_epoch(state), sample_scorer(state)
    opening = scorer.play(task_id, epoch).conversation
    return scorer.score(task_id, [*replies_in(state.messages, opening)], epoch)


def _let_logs_find(factory: Any) -> None:
    """Register a scorer by its name in logs, which lacks the package."""
    info = registry_info(factory)
    registry_add(factory, info.model_copy(update={"name": info.name.removeprefix("herobench/")}))
    set_registry_info(factory, info)


_let_logs_find(verdict)


@solver  # type: ignore[untyped-decorator, unused-ignore]
def play(turns: int | None = None) -> Solver:
    """Ask the model until the attempt is over, with the tools of the suite and the messages that it sends.

    It goes on from the replies that a conversation has, so that Inspect's `fork` copies an attempt: `play(turns=4)`
    stops after four turns.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        attempt, credit = await _start(state)
        tools = [inspect_tool(tool) for tool in attempt.tools]
        last = math.inf if turns is None else attempt.turns + turns
        while not attempt.over and attempt.turns < last:
            messages = [inspect_message(message) for message in attempt.conversation]
            state.output = await model.generate(messages, tools=tools)
            message = with_stop(state.output.message, state.output.stop_reason)
            await _take_turn(state, attempt, credit, message, read_reply(message, state.output.stop_reason))
        return state

    return solve


@solver  # type: ignore[untyped-decorator, unused-ignore]
def oracle() -> Solver:
    """Answer as the oracle of the suite does, without a model: `--model none/none --solver herobench/oracle`."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        attempt, credit = await _start(state)
        solve = sample_scorer(state).way if attempt.turns else sample_scorer(state).solution
        for reply in (await run_sync(solve, our_task_id(state), our_epoch(state)))[attempt.turns :]:
            message = inspect_message(reply.as_message())
            state.output = ModelOutput.from_message(message)
            await _take_turn(state, attempt, credit, message, reply)
        return state

    return solve


async def _start(state: TaskState) -> tuple[Play, TurnReward | None]:
    """Start an attempt, and put its opening messages and the turns of its prefix into the log.

    If the conversation already has replies, play these again in place of the prefix.
    """
    terms = state.metadata.get(_CREDIT, {})
    begin = partial(sample_scorer(state).play, our_task_id(state), our_epoch(state))
    attempt: Play = await run_sync(begin)
    if replies := [*replies_in(state.messages, attempt.conversation)]:
        for reply in replies:
            await run_sync(attempt.say, reply)
    else:
        attempt = await run_sync(begin, terms["prefix"]) if "prefix" in terms else attempt
        state.messages = _as_inspect(attempt.transcript)
    if "reward" not in terms or attempt.over:
        return attempt, None
    return attempt, await run_sync(TurnReward, attempt, terms["reward"], terms.get("gamma", 1.0))


async def _take_turn(
    state: TaskState, attempt: Play, credit: TurnReward | None, message: ChatMessageAssistant, reply: Reply
) -> None:
    """Hand a reply to the attempt. The log keeps all messages, even those that the suite no longer sends.

    The reward of the turn, if one is wanted, is an intermediate score of the log. The model does not see it.
    """
    messages = await run_sync(attempt.say, reply)
    state.messages += [message, *_as_inspect(messages)]
    if credit is not None:
        reward = await run_sync(credit.of_turn)
        transcript()._event(ScoreEvent(score=Score(value=reward), intermediate=True, scorer="herobench/turn"))


def _as_inspect(messages: Sequence[Message]) -> list[ChatMessage]:
    return [inspect_message(message) for message in messages]


_VERSION = "1.0"
"""Changes when a score of the same replies does."""


def _task_of(suite: str) -> Any:
    """Return the task of a suite under its name, such as `herobench/rpg`."""

    def of_suite(**knobs: Any) -> Task:
        return _task(suite, knobs)

    return task(of_suite, name=suite)


TASKS = {name: _task_of(name) for name in names(SUITES)}
"""The task of each suite that is installed."""


def _task(suite: str, knobs: dict[str, Any]) -> Task:
    credit: dict[str, Any] = {name: knobs.pop(name) for name in ("prefix", "reward", "gamma") if name in knobs}
    try:
        reward_options(credit)
        knobs = _log_knobs(suite, knobs)
        scorer = shared_scorer(TaskQuery(**knobs))
        samples = [_sample(scorer, task_id, info.group, knobs, credit) for task_id, info in scorer.tasks.items()]
    except HeroBenchError as error:
        raise WrongArgument("\n".join(error.lines)) from error
    return Task(
        dataset=MemoryDataset(samples, name=scorer.dataset),
        solver=play(),
        scorer=verdict(),
        epochs=Epochs(1, average()),
        version=_VERSION,
        metadata={"dataset": scorer.dataset, **scorer.identity},
    )


def _sample(
    scorer: Scorer, task_id: str, group: str | None, knobs: dict[str, Any], credit: Mapping[str, Any]
) -> Sample:
    opening = [inspect_message(message) for message in scorer.opening(task_id)]
    terms = {_CREDIT: dict(credit)} if credit else {}
    return Sample(id=task_id, input=opening, metadata={"group": group, _KEY: knobs, **terms})


def _log_knobs(suite: str, knobs: dict[str, Any]) -> dict[str, Any]:
    """Return the given knobs as the log keeps them, with the whole path of a tasks file."""
    own = {name: value for name, value in knobs.items() if value is not None}
    if "tasks" in own:
        own["tasks"] = str(real_path(own["tasks"]))
    return {**own, "suite": suite}


# -- messages ---------------------------------------------------------------------------------------------------------

_CUT_OFF = ("max_tokens", "model_length")
"""Inspect's words for a reply that reached a limit. Ours is the word of the chat API, `length`."""


def inspect_message(message: Message) -> ChatMessage:
    """Return a message in the form of Inspect."""
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.text)
        case "assistant":
            return ChatMessageAssistant(
                content=message.text, tool_calls=[*map(_inspect_call, message.tool_calls)] or None
            )
        case "tool":
            return ChatMessageTool(content=message.text, tool_call_id=message.call_id)
    if not message.pictures:
        return ChatMessageUser(content=message.text)
    pictures = [ContentImage(image=url) for url in message.pictures]
    return ChatMessageUser(content=[ContentText(text=message.text), *pictures])


def inspect_tool(tool: Tool) -> ToolInfo:
    """Return a tool in the form of Inspect."""
    return ToolInfo(name=tool.name, description=tool.description, parameters=ToolParams(**tool.parameters))


def read_reply(message: ChatMessageAssistant, stop: str | None) -> Reply:
    """Return a message of the model as a reply. `stop` is Inspect's word for the reason why the model stopped."""
    parts = [] if isinstance(message.content, str) else message.content
    thoughts = "".join(part.reasoning for part in parts if isinstance(part, ContentReasoning))
    calls = tuple(map(_our_call, message.tool_calls or ()))
    return Reply(message.text, calls, reasoning=thoughts or None, stop="length" if stop in _CUT_OFF else stop)


def with_stop(message: ChatMessageAssistant, stop: str | None) -> ChatMessageAssistant:
    """Return a message of the model with its stop reason, so that the log has it."""
    return message.model_copy(update={"metadata": {**(message.metadata or {}), "stop": stop}})


def replies_in(messages: Iterable[ChatMessage], opening: Sequence[Message]) -> Iterator[Reply]:
    """Yield the replies of the model in a conversation. Examples that open it are not replies."""
    examples = sum(message.role == "assistant" for message in opening)
    replies = [message for message in messages if isinstance(message, ChatMessageAssistant)]
    for message in replies[examples:]:
        metadata: Mapping[str, Any] = message.metadata or {}
        yield read_reply(message, metadata.get("stop"))


def _inspect_call(call: ToolCall) -> InspectCall:
    try:
        arguments = json.loads(call.arguments)
    except ValueError as error:
        return InspectCall(id=call.id, function=call.name, arguments={}, parse_error=f"{call.arguments}: {error}")
    return InspectCall(id=call.id, function=call.name, arguments=arguments)


def _our_call(call: InspectCall) -> ToolCall:
    # Arguments that Inspect could not parse stay invalid JSON. The suite judges them.
    return ToolCall(call.id, call.function, call.parse_error or json.dumps(call.arguments))
