"""Makes the history of a conversation fit for strict servers, without changing what a run keeps of it.

Models write malformed JSON, call tools that have no proper name, or think and say nothing. Servers refuse to read that
back: vLLM and llama-server parse the arguments of every call again, OpenAI checks the names of functions, Anthropic and
Mistral refuse a message without content, and several refuse an id that comes twice. Such a refusal would end an attempt
unmeasured for a mistake of the model. So the messages sent differ from the original ones, as little as possible and
always in the same way. The run keeps the original ones.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from herobench.conversation import Message, ToolCall
from herobench.data.documents import finite, no_constant

NO_TEXT = "(no text)"
"""Stands in for a reply without text and calls. Left out, it would put two messages of the user in a row."""
NEXT = "(continued)"
"""The placeholder reply between a tool's result and a message of the user, for servers that require one."""
_NO_ARGUMENTS = "{}"
_NO_NAME = "unnamed"
_MOST_NAME = 64
_DEEPEST = 100
"""The deepest nesting of arguments that are sent: parsers of JSON have limits from about this number on."""
_DECODER = json.JSONDecoder(parse_constant=no_constant, parse_float=finite, parse_int=finite)


def sendable_arguments(arguments: str) -> str:
    """Return arguments as they are if they are a JSON object that every parser reads; else an empty object."""
    try:
        read = _DECODER.decode(arguments)
        # half a surrogate pair is JSON to Python alone
        json.dumps(read, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return _NO_ARGUMENTS
    return arguments if isinstance(read, dict) and _depth(read) <= _DEEPEST else _NO_ARGUMENTS


def _depth(value: object) -> int:
    """Return how deeply objects and lists are nested in a value."""
    depth, level = 0, [value]
    while level := [part for part in level if isinstance(part, dict | list)]:
        depth += 1
        level = [inner for part in level for inner in (part.values() if isinstance(part, dict) else part)]
    return depth


def sendable_name(name: str) -> str:
    """Return a function's name with only such characters as every server takes, and not too many of them."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:_MOST_NAME] or _NO_NAME


def with_own_ids(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield the messages; each call has an id that no call before it has, and its result goes by the same id.

    Some servers number the calls of each reply from the same number on, or give all calls of a reply one id.
    """
    taken: set[str] = set()
    unanswered: dict[str, deque[str]] = {}
    for message in messages:
        if message.tool_calls:
            unanswered = defaultdict(deque)
            calls = []
            for call in message.tool_calls:
                own = _own_id(call, taken)
                unanswered[call.id].append(own)
                calls.append(replace(call, id=own))
            yield replace(message, tool_calls=tuple(calls))
        elif message.call_id is not None and unanswered.get(message.call_id):
            yield replace(message, call_id=unanswered[message.call_id].popleft())
        else:
            yield message


def _own_id(call: ToolCall, taken: set[str]) -> str:
    """Return the id of a call, or another one if it is taken, and take it."""
    # nine letters and figures: what Mistral wants suits all others too
    others = (hashlib.sha256(f"{number} {call.id}".encode("utf-8", "replace")).hexdigest()[:9] for number in count())
    own = call.id if call.id not in taken else next(other for other in others if other not in taken)
    taken.add(own)
    return own


def without_system_role(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield the messages; those of the system stand before the text of the first message of the user."""
    rules: list[str] = []
    for message in messages:
        if message.role == "system":
            rules.append(message.text)
        elif message.role == "user" and rules:
            yield replace(message, text="\n\n".join([*rules, message.text]))
            rules = []
        else:
            yield message
    if rules:
        yield Message("user", "\n\n".join(rules))


def with_alternating_roles(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield the messages; the assistant says a word between a result of a tool and a message of the user."""
    before = None
    for message in messages:
        if before == "tool" and message.role == "user":
            yield Message("assistant", NEXT)
        before = message.role
        yield message
