"""The Responses API: build a request's body, and read a reply from its stream or its one document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from herobench.conversation import Message, Reply, Request, Tool, ToolCall
from herobench.models.chat_api import Api, ReplyReader, full_body, read_usage, strict_form
from herobench.models.history import NO_TEXT, sendable_arguments, sendable_name, with_own_ids
from herobench.models.messages import Thoughts, arguments_text, count, entries, is_json, mapping, text, with_ids
from herobench.models.model import Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.negotiation import USUAL, Dialect
from herobench.models.server_errors import failure_in, told_failure

_REASONING_ITEMS = "reasoning_items"
_OF_REASONING = ("summary", "content", "encrypted_content")
_SAID = ("message", "reasoning", "function_call")
"""The kinds of items that a model makes."""


def response_tool(tool: Tool) -> dict[str, Any]:
    """Return a tool as the API takes it."""
    # Without `strict: false` this API, unlike chat completions, makes all arguments of a tool required.
    return {"type": "function", **tool.as_row(), "strict": False}


def response_items(message: Message) -> Iterator[dict[str, Any]]:
    """Yield the items of `input` that a message makes: its text and each of its calls is one."""
    if message.role == "tool":
        yield {"type": "function_call_output", "call_id": message.call_id, "output": message.text}
        return
    if message.pictures:
        pictures = [{"type": "input_image", "image_url": url} for url in message.pictures]
        yield {"role": message.role, "content": [{"type": "input_text", "text": message.text}, *pictures]}
        return
    if message.text.strip() or not message.tool_calls:
        said = message.text if message.text.strip() or message.role != "assistant" else NO_TEXT
        yield {"role": message.role, "content": said}
    # The items go back without the server's own ids: it has kept none of them (`store`), and refuses an id that it does
    # not know.
    for call in message.tool_calls:
        yield {
            "type": "function_call",
            "call_id": call.id,
            "name": sendable_name(call.name),
            "arguments": sendable_arguments(call.arguments),
        }


def response_history(messages: Iterable[Message], thoughts: Thoughts) -> Iterator[dict[str, Any]]:
    """Yield the items of a conversation; each item of reasoning that came with a reply stands where it came."""
    for message in with_own_ids(messages):
        items = list(response_items(message))
        fields = message.reply.server_fields if message.reply is not None and thoughts != "none" else {}
        given = fields.get(_REASONING_ITEMS, ())
        for place in range(len(items) + 1):
            yield from (dict(one["item"]) for one in given if one["before"] == place)
            yield from items[place : place + 1]


def said_in(output: Iterable[Mapping[str, Any]]) -> Reply:
    """Return what the items of one turn say as a reply; an empty one where they say nothing."""
    output = list(output)
    content = "".join(_parts(output, "message", "output_text", "text"))
    refusal = "".join(_parts(output, "message", "refusal", "refusal"))
    thoughts = [*_parts(output, "reasoning", "summary_text", "text")]
    thoughts += _parts(output, "reasoning", "reasoning_text", "text")
    calls = with_ids(_call(item) for item in output if item.get("type") == "function_call")
    reasoning = list(_reasoning_items(output, has_text=bool((content or refusal).strip())))
    return Reply(
        text=content or refusal,
        tool_calls=calls,
        reasoning="\n\n".join(thoughts) or None,
        stop="refusal" if refusal and not (content or calls) else None,
        server_fields={_REASONING_ITEMS: reasoning} if reasoning else {},
    )


def _reasoning_items(output: Iterable[Mapping[str, Any]], *, has_text: bool) -> Iterator[dict[str, Any]]:
    """Yield the items of reasoning that go back, each with its place among the items of the message.

    They go back without their ids, as all items do. An item that then says nothing to the server stays out."""
    before = 0
    for item in output:
        kept = {name: item[name] for name in _OF_REASONING if item.get(name)}
        if item.get("type") == "function_call":
            before += 1
        elif item.get("type") == "message" and has_text:
            before, has_text = before + 1, False  # the texts of all messages are one item
        elif item.get("type") == "reasoning" and kept.keys() & {"encrypted_content", "content"} and is_json(kept):
            yield {"before": before, "item": {"type": "reasoning", "summary": [], **kept}}


def turns_in(output: object) -> Iterator[Reply]:
    """Yield the turns of a model in items: a turn ends where a result of a tool or a message of another follows."""
    turn: list[Mapping[str, Any]] = []
    for item in map(_whole, map(mapping, entries(output))):
        if item.get("type") in _SAID and item.get("role", "assistant") == "assistant":
            turn.append(item)
        elif turn:
            yield said_in(turn)
            turn = []
    if turn:
        yield said_in(turn)


def _whole(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an item in its long form: a message may leave out its type, and have a text for content."""
    if item.get("type", "message") != "message" or not isinstance(content := item.get("content"), str):
        return item
    return {**item, "type": "message", "content": [{"type": "output_text", "text": content}]}


def _parts(output: Iterable[Mapping[str, Any]], item: str, part: str, field: str) -> Iterator[str]:
    """Yield the texts of all parts of one kind, in the items of one kind."""
    for one in output:
        if one.get("type") == item:
            for inner in map(mapping, [*entries(one.get("summary")), *entries(one.get("content"))]):
                if inner.get("type") == part and (said := text(inner.get(field))):
                    yield said


def _call(item: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        id=text(item.get("call_id")) or text(item.get("id")) or "",
        name=text(item.get("name")) or "",
        arguments=arguments_text(item.get("arguments")),
    )


_TEXTS = {"output_text": "text", "refusal": "refusal"}
"""The kinds of parts that a message has, and the field with their text."""
_CALL = "function_call"

_Place = tuple[int, int]
"""The number of an item in the output, and of a part in the item."""


class StreamedParts:
    """Adds up events. `tools` says whether the model could call tools."""

    def __init__(self, *, tools: bool = False) -> None:
        self._tools = tools
        self._head: Mapping[str, Any] = {}
        self._numbers: dict[str, int] = {}
        """Numbers for items that the server gives only an id."""
        self._begun_items: dict[int, Mapping[str, Any]] = {}
        self._begun_texts: set[_Place] = set()
        self._items: dict[int, Mapping[str, Any]] = {}
        self._texts: dict[_Place, Mapping[str, Any]] = {}
        self._arguments: dict[int, object] = {}
        self.characters = 0
        """The length of all pieces of texts, thoughts and arguments."""

    def add(self, event: Mapping[str, Any]) -> None:
        """Take one event in. An event of an unknown kind is ignored."""
        self.characters += len(text(event.get("delta")) or "")
        self._head = mapping(event.get("response")) or self._head
        item = self._number(event)
        place = item, count(event.get("content_index")) or 0  # servers with one part to a message leave it out
        match (text(event.get("type")) or "").split("."):
            case ["response", "output_item", "added"]:
                self._begun_items[item] = mapping(event.get("item"))
            case ["response", "output_item", "done"]:
                self._items[item] = mapping(event.get("item"))
            case ["response", "content_part", "added"] if _kind(mapping(event.get("part"))) in _TEXTS:
                self._begun_texts.add(place)
            # A delta counts as a beginning too: not every server announces what it streams.
            case ["response", "output_text" | "refusal", "delta"]:
                self._begun_texts.add(place)
            case ["response", ("output_text" | "refusal") as kind, "done"]:
                field = _TEXTS[kind]
                self._texts[place] = {"type": kind, field: event.get(field)}
            case ["response", "function_call_arguments", "delta"]:
                self._begun_items.setdefault(item, {"type": _CALL})
            case ["response", "function_call_arguments", "done"]:
                self._begun_items.setdefault(item, {"type": _CALL})
                self._arguments[item] = event.get("arguments")
            case _:
                pass

    def _number(self, event: Mapping[str, Any]) -> int:
        """Return the number of an event's item: as the server says it, else by the item's id, else 0."""
        said = count(event.get("output_index"))
        if said is not None:
            return said
        name = text(event.get("item_id")) or text(mapping(event.get("item")).get("id"))
        return 0 if name is None else self._numbers.setdefault(name, len(self._numbers))

    @property
    def whole(self) -> bool:
        """True once the model has said something, and nothing that was begun lacks its end.

        A text alone does not count where the model had tools: it may be what a model says before its first call. An
        item that the server itself calls incomplete has an end, but the reason for it, which decides between a reply
        that was cut and one that was filtered, stands in the last event.
        """
        said = bool(self._texts or self.stop) and not self._tools
        texts_done = all(place in self._texts or place[0] in self._items for place in self._begun_texts)
        items_done = all(item in self._items or self._has_text(item) for item in self._begun_items)
        incomplete = any(item.get("status") == "incomplete" for item in self._items.values())
        return (said or self._has(_CALL)) and texts_done and items_done and not incomplete

    def _has(self, kind: str) -> bool:
        return any(_kind(item) == kind for item in self._items.values())

    def _has_text(self, number: int) -> bool:
        """Say whether an item without its own end is a message that has a text."""
        is_message = _kind(self._begun_items[number]) == "message"
        return is_message and any(item == number for item, _ in self._texts)

    @property
    def stop(self) -> str | None:
        """Why the reply stopped: `stop` where a message or a call had its own end, and else unknown."""
        return "stop" if self._has("message") or self._has(_CALL) else None

    @property
    def response(self) -> dict[str, Any]:
        """The response as far as it is known. Its status and its usage are not."""
        output = {number: self._with_arguments(number, item) for number, item in self._items.items()}
        for number in self._arguments.keys() - output.keys():
            output[number] = self._with_arguments(number, self._begun_items[number])
        for (item, _), part in sorted(self._texts.items(), key=lambda entry: entry[0]):
            if item not in self._items:  # an item that came whole has these texts already
                known = entries(output.get(item, {}).get("content"))
                output[item] = {"type": "message", "content": [*known, part]}
        head = {name: self._head.get(name) for name in ("id", "model")}
        return {**head, "output": [output[number] for number in sorted(output)]}

    def _with_arguments(self, number: int, item: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return an item, with the arguments that came apart from it where it has none itself."""
        apart = self._arguments.get(number)
        return item if item.get("arguments") or not apart else {**item, "arguments": apart}


def _kind(item: Mapping[str, Any]) -> str | None:
    return text(item.get("type"))


_LAST = {"response.completed", "response.incomplete", "response.failed"}


def request_body(
    name: str, request: Request, sampling: Sampling, *, stream: bool, dialect: Dialect = USUAL
) -> dict[str, Any]:
    """Return the body of a request in the dialect of a server. There is no seed in this API.

    The server is asked not to keep the request. So it gives its thoughts in an encrypted form, to have them back."""
    effort = sampling.reasoning_effort
    # without tools the next reply does not continue the thoughts of the last one
    thoughts, form = dialect.thoughts if request.tools else "none", strict_form(request, dialect)
    fields = {
        "input": list(response_history(request.messages, thoughts)),
        "tools": [response_tool(tool) for tool in request.tools] or None,
        "text": form and {"format": {"type": "json_schema", **form}},
        "max_output_tokens": sampling.max_tokens,
        "reasoning": None if effort is None else {"effort": effort, "summary": "auto"},
        "include": None if thoughts == "none" else ["reasoning.encrypted_content"],
        "store": False,
    }
    return full_body(name, sampling, fields, stream=stream)


class ResponsesReply(ReplyReader):
    """Waits for the whole response among events; a document that comes whole is one."""

    noun = "response"

    def __init__(self, *, stream: bool, tools: bool = False) -> None:
        super().__init__(stream=stream, tools=tools)
        self._last: Mapping[str, Any] | None = None
        self._failed: Mapping[str, Any] | None = None
        self._parts = StreamedParts(tools=tools)

    def _take(self, document: Mapping[str, Any]) -> None:
        kind = text(document.get("type"))
        if not kind and (failure := failure_in(document, "output")):
            self._failed = document
            raise failure
        if not self._stream:
            self._last = document  # it has the form of what the last event of a stream holds
        elif kind in _LAST:
            self._last = mapping(document.get("response"))
        elif kind == "error":
            raise told_failure(document)
        else:
            self._parts.add(document)

    @property
    def whole(self) -> bool:
        """True once the last event came, or every item that began is done."""
        return self._last is not None or self._parts.whole

    @property
    def size(self) -> int:
        """The characters that the model has said so far."""
        return self._parts.characters

    def _reply(self) -> Reply:
        if not self.whole:
            raise ModelError(ErrorKind.TRUNCATED, "The stream ended before the response was complete.")
        stop = self._parts.stop if self._last is None else _read_stop(self._last)
        reply, output = self._said(), map(mapping, self._response["output"])
        said = reply.text or reply.reasoning or reply.tool_calls or reply.server_fields or reply.usage.output
        self._check(said, stop, answered=any(_kind(item) == "message" for item in output))
        if stop == "stop" and reply.tool_calls:
            stop = "tool_calls"  # this API has one word for both ends; chat completions tells them apart
        return replace(reply, stop=reply.stop or stop)

    @property
    def _response(self) -> Mapping[str, Any]:
        """The response as far as it has come."""
        response = self._last or self._failed or self._parts.response
        # Some servers leave the output out of the last event, having streamed it.
        return {**response, "output": entries(response.get("output")) or self._parts.response["output"]}

    def _said(self) -> Reply:
        response = self._response
        return replace(
            said_in([mapping(item) for item in response["output"]]),
            usage=read_usage(self._counts, "input", "output"),
            model=text(response.get("model")),
            id=text(response.get("id")),
        )


def _read_stop(response: Mapping[str, Any]) -> str:
    """Return why a response ended. Raises ModelError for one that failed."""
    if response.get("status") == "failed" or response.get("error"):
        raise told_failure(response.get("error"))
    if response.get("status") != "incomplete":
        return "stop"
    reason = text(mapping(response.get("incomplete_details")).get("reason"))
    return "length" if reason == "max_output_tokens" else reason or "incomplete"


API = Api("/responses", request_body, ResponsesReply)
