"""Solvers: the conversation of an attempt with the model of the evaluation, or with the oracle."""

from __future__ import annotations

from collections.abc import Sequence

from anyio.to_thread import run_sync
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from herobench.conversation import Message, Reply
from herobench.scorer import Play
from herobench.surfaces.inspect.knobs import epoch_of, scorer_of, task_id_of
from herobench.surfaces.inspect.messages import inspect_message, inspect_tool, reply_of, with_stop


@solver  # type: ignore[untyped-decorator, unused-ignore]
def play() -> Solver:
    """Ask the model until the attempt is over, with the tools of the suite and the messages that it sends."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        attempt = await _started(state)
        tools = [inspect_tool(tool) for tool in attempt.tools]
        while not attempt.over:
            sent = [inspect_message(message) for message in attempt.conversation]
            state.output = await model.generate(sent, tools=tools)
            message = with_stop(state.output.message, state.output.stop_reason)
            await _take_turn(state, attempt, message, reply_of(message, state.output.stop_reason))
        return state

    return solve


@solver  # type: ignore[untyped-decorator, unused-ignore]
def oracle() -> Solver:
    """Answer as the oracle of the suite does, without a model: `--model none/none --solver herobench/oracle`."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        attempt = await _started(state)
        for reply in await run_sync(scorer_of(state).solution, task_id_of(state), epoch_of(state)):
            message = inspect_message(reply.as_message())
            state.output = ModelOutput.from_message(message)
            await _take_turn(state, attempt, message, reply)
        return state

    return solve


async def _started(state: TaskState) -> Play:
    """Start an attempt, and let the log show the messages that open it in this epoch."""
    attempt: Play = await run_sync(scorer_of(state).play, task_id_of(state), epoch_of(state))
    state.messages = _as_inspect(attempt.conversation)
    return attempt


async def _take_turn(state: TaskState, attempt: Play, message: ChatMessageAssistant, reply: Reply) -> None:
    """Hand a reply to the attempt. The log keeps all messages, also those that the suite sends no more."""
    told = await run_sync(attempt.say, reply)
    state.messages += [message, *_as_inspect(told)]


def _as_inspect(messages: Sequence[Message]) -> list[ChatMessage]:
    return [inspect_message(message) for message in messages]
