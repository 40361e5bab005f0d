"""Attempts of a run as trajectories: in harbor's ATIF, and as conversations to train on.

Both come from the calls of an attempt. A call sends the conversation again, or its latest turns, so a message counts
only when it is first sent. If the agent asks in several roles, each call is a conversation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from herobench.conversation import Reply
from herobench.data.documents import json_object
from herobench.scorer import Play, RewardKind, TurnReward
from herobench.suite.contract import Suite

Row = Mapping[str, Any]
"""A sample, or a call with its messages whole."""

ATIF = "ATIF-v1.5"
"""The version of harbor's format, the first with descriptions of tools."""


def trajectory(
    sample: Row, calls: Sequence[Row], agent: str, version: str, rewards: Sequence[float] | None = None
) -> dict[str, Any]:
    """Return an attempt as a trajectory: the messages to the model, each reply with its calls and tokens, the results.

    The verdict is in `extra`. `version` is the version of HeroBench. The `rewards` of the turns are in `extra` of the
    metrics, unless the agent makes more calls than turns.
    """
    steps: list[dict[str, Any]] = []
    for call, new in _with_new_messages(calls):
        for message in new:
            _tell(steps, message)
        if call["reply"] is not None:
            steps.append(_reply_step(call))
    replies = [step for step in steps if step["source"] == "agent"]
    metrics = [step.get("metrics", {}) for step in replies]
    has_rewards = rewards is not None and len(rewards) == len(replies)
    for step, reward in zip(replies, rewards or (), strict=True) if has_rewards else ():
        step["metrics"] = {**step.get("metrics", {}), "extra": {"reward": reward}}
    verdict = {name: sample[name] for name in ("task_id", "epoch", "won", "score", "progress", "failure")}
    tools = _tools(calls)
    return {
        "schema_version": ATIF,
        "session_id": f"{sample['task_id']}, epoch {sample['epoch']}",
        "agent": {
            "name": f"herobench {agent}",
            "version": version,
            **({"model_name": sample["model"]} if sample["model"] else {}),
            **({"tool_definitions": tools} if tools else {}),
        },
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, 1)],
        "final_metrics": {
            **_total(metrics),
            "total_steps": len(steps),
            **({"extra": {"reward": sum(rewards or ())}} if has_rewards else {}),
        },
        "extra": {"suite": sample["suite"], **verdict},
    }


def turn_rewards(
    suite: Suite, task_id: str, epoch: int, replies: Iterable[Reply], kind: RewardKind, gamma: float
) -> list[float]:
    """Play an attempt again, and return the reward of each turn."""
    play = Play(suite, task_id, epoch, from_start=lambda: Play(suite, task_id, epoch).distance())
    return TurnReward(play, kind, gamma).of_turns(replies)


def _with_new_messages(calls: Sequence[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """Yield each call with the messages that are new in it, without replies.

    If a call contains the reply before it, only the messages after that reply are new: a suite may have reworded the
    earlier ones. In any other call, messages are new if no earlier call has sent them.
    """
    earlier: set[str] = set()
    reply: Row | None = None
    for call in calls:
        messages: Sequence[Row] = call["messages"] or ()
        keys = [json.dumps(message, sort_keys=True) for message in messages]
        replies = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
        if reply is not None and replies and _says(messages[replies[-1]], reply):
            new = [*range(replies[-1] + 1, len(messages))]
            reply = None
        else:
            new = [at for at, key in enumerate(keys) if key not in earlier]
        yield call, [messages[at] for at in new if messages[at]["role"] != "assistant"]
        earlier.update(keys)
        reply = call["reply"] or reply


def _says(message: Row, reply: Row) -> bool:
    """Return whether an assistant's message repeats a reply; the ids of its calls may differ."""
    sent_calls, own_calls = (
        [(call["name"], call["arguments"]) for call in row.get("tool_calls") or ()] for row in (message, reply)
    )
    return (message["content"] or "") == (reply["text"] or "") and sent_calls == own_calls


def _tell(steps: list[dict[str, Any]], message: Row) -> None:
    """Add a message to the steps. The result of a call is stored with the reply that made it."""
    last = steps[-1] if steps else {}
    call_ids = {call["tool_call_id"] for call in last.get("tool_calls", ())}
    if message["role"] == "tool" and message.get("call_id") in call_ids:
        results = last.setdefault("observation", {"results": []})["results"]
        results.append({"source_call_id": message["call_id"], "content": message["content"]})
    else:
        source = "system" if message["role"] == "system" else "user"
        steps.append({"source": source, "message": message["content"] or ""})


def _reply_step(call: Row) -> dict[str, Any]:
    reply, usage = call["reply"], call["reply"]["usage"] or {}
    counts = {
        "prompt_tokens": usage.get("input"),
        "completion_tokens": usage.get("output"),
        "cached_tokens": usage.get("cached"),
        "cost_usd": call["cost"],
    }
    metrics = {name: value for name, value in counts.items() if value is not None}
    calls = [_tool_call(each) for each in reply["tool_calls"] or ()]
    return {
        "source": "agent",
        "message": reply["text"] or "",
        **({"timestamp": call["finished"]} if call.get("finished") else {}),
        **({"reasoning_content": reply["reasoning"]} if reply.get("reasoning") else {}),
        **({"tool_calls": calls} if calls else {}),
        **({"metrics": metrics} if metrics else {}),
        **({"extra": {"role": call["role"]}} if call["role"] else {}),
    }


def _tool_call(call: Row) -> dict[str, Any]:
    arguments = json_object(call["arguments"] or "{}")
    if arguments is None:  # the format allows only objects: keep the whole text of the model
        arguments = {"malformed": call["arguments"]}
    return {"tool_call_id": call["id"], "function_name": call["name"], "arguments": arguments}


def _function(tool: Row) -> dict[str, Any]:
    return {"type": "function", "function": {name: tool[name] for name in ("name", "description", "parameters")}}


def _total(metrics: Sequence[Row]) -> dict[str, Any]:
    """Return the sums of the server's counts. A count that some reply lacks has no sum."""
    names = {
        "prompt_tokens": "total_prompt_tokens",
        "completion_tokens": "total_completion_tokens",
        "cached_tokens": "total_cached_tokens",
        "cost_usd": "total_cost_usd",
    }
    return {
        total: sum(each[name] for each in metrics)
        for name, total in names.items()
        if metrics and all(name in each for each in metrics)
    }


# -- conversations for training ---------------------------------------------------------------------------------------


def conversations(calls: Sequence[Row]) -> Iterator[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """Yield the conversations of an attempt, each with its tools, in the form of chat completions."""
    answers = [call for call in calls if call["reply"] is not None]
    if any(call["role"] for call in answers):
        for call in answers:
            yield [*map(_chat, call["messages"]), _chat_reply(call["reply"])], _tools([call])
        return
    messages: list[dict[str, Any]] = []
    for call, new in _with_new_messages(answers):
        messages += map(_chat, new)
        messages.append(_chat_reply(call["reply"]))
    if messages:
        yield messages, _tools(answers)


def mend(calls: Sequence[Row], answer: str) -> list[dict[str, Any]]:
    """Return the conversation of an attempt with one call, with another answer in place of the reply."""
    first = next(call for call in calls if call["messages"])
    return [*map(_chat, first["messages"]), {"role": "assistant", "content": answer}]


def _tools(calls: Sequence[Row]) -> list[dict[str, Any]]:
    return list(map(_function, next((call["tools"] for call in calls if call.get("tools")), ())))


def _chat(message: Row) -> dict[str, Any]:
    row = {"role": message["role"], "content": message["content"]}
    if message["role"] == "tool":
        return {**row, "tool_call_id": message["call_id"]}
    calls = message.get("tool_calls")
    return {**row, "tool_calls": list(map(_chat_call, calls))} if calls else row


def _chat_reply(reply: Row) -> dict[str, Any]:
    return _chat({"role": "assistant", "content": reply["text"] or "", "tool_calls": reply["tool_calls"]})


def _chat_call(call: Row) -> dict[str, Any]:
    function = {"name": call["name"], "arguments": call["arguments"] or "{}"}
    return {"id": call["id"], "type": "function", "function": function}
