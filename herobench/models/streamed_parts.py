"""Put the output of a response together from the events of its stream before the last one.

Each item of the output is announced, then its parts come piece by piece, then each part is repeated as a whole, then
the item. Only what is repeated as a whole is taken. A message may be taken part by part, when its own end never came;
other items, such as reasoning and tool calls, only with their end. `responses_api` calls this.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.models.server_json import count, entries, mapping, text

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

    def add(self, event: Mapping[str, Any]) -> None:
        """Take one event in. An event of an unknown kind is ignored."""
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
