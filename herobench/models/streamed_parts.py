"""The output of a response, put together from the events of its stream before the last one.

Each item of the output is announced, then its parts come piece by piece, then each part is repeated as a whole, then
the item. Only what is repeated as a whole is taken. A message may be taken part by part, when its own end never came;
other items, such as reasoning, only with their end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.models.server_json import count, entries, mapping, text

_TEXTS = {"output_text": "text", "refusal": "refusal"}
"""The kinds of parts that a message has, and the field with their text."""

_Place = tuple[int, int]
"""The number of an item in the output, and of a part in the item."""


class StreamedParts:
    """Adds up events."""

    def __init__(self) -> None:
        self._head: Mapping[str, Any] = {}
        self._begun_items: dict[int, str | None] = {}
        """The kinds of the items that were announced."""
        self._begun_texts: set[_Place] = set()
        self._items: dict[int, Mapping[str, Any]] = {}
        self._texts: dict[_Place, Mapping[str, Any]] = {}

    def add(self, event: Mapping[str, Any]) -> None:
        """Take one event in; of an unknown kind, it is left aside."""
        self._head = mapping(event.get("response")) or self._head
        item = count(event.get("output_index")) or 0
        place = item, count(event.get("content_index")) or 0
        match (text(event.get("type")) or "").split("."):
            case ["response", "output_item", "added"]:
                self._begun_items[item] = _kind(event.get("item"))
            case ["response", "output_item", "done"]:
                self._items[item] = mapping(event.get("item"))
            case ["response", "content_part", "added"] if _kind(event.get("part")) in _TEXTS:
                self._begun_texts.add(place)
            case ["response", "output_text" | "refusal", "delta"]:
                self._begun_texts.add(place)
            case ["response", ("output_text" | "refusal") as kind, "done"]:
                field = _TEXTS[kind]
                self._texts[place] = {"type": kind, field: event.get(field)}
            case _:
                pass

    @property
    def whole(self) -> bool:
        """Whether a message has said something, and nothing that was begun lacks its end.

        An item that the server itself calls incomplete has an end, but the reason for it, which decides between a reply
        that was cut and one that was filtered, stands in the last event.
        """
        texts_done = all(place in self._texts or place[0] in self._items for place in self._begun_texts)
        items_done = all(item in self._items or self._told(item, kind) for item, kind in self._begun_items.items())
        incomplete = any(item.get("status") == "incomplete" for item in self._items.values())
        return bool(self._texts or self.stop) and texts_done and items_done and not incomplete

    def _told(self, number: int, kind: str | None) -> bool:
        """Whether an item without its own end is a message that has a text."""
        return kind == "message" and any(item == number for item, _ in self._texts)

    @property
    def stop(self) -> str | None:
        """Why the reply stopped: `stop` where a message had its own end, and else unknown."""
        return "stop" if any(_kind(item) == "message" for item in self._items.values()) else None

    @property
    def response(self) -> dict[str, Any]:
        """The response as far as it is known. Its status and its usage are not."""
        output = dict(self._items)
        for (item, _), part in sorted(self._texts.items(), key=lambda entry: entry[0]):
            if item not in self._items:
                known = entries(output.get(item, {}).get("content"))
                output[item] = {"type": "message", "content": [*known, part]}
        head = {name: self._head.get(name) for name in ("id", "model")}
        return {**head, "output": [output[number] for number in sorted(output)]}


def _kind(item: object) -> str | None:
    return text(mapping(item).get("type"))
