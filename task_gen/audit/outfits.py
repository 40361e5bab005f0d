"""Outfits in the order of their worth: all sets of gear for the open slots, the highest sum of worths first.

Players that try one set after the other go by it. Sets are drawn one at a time, because there are millions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import combinations_with_replacement

from herobench.rpg.world import Code, Item, slot_type
from herobench.task_gen.audit.case import OpenSlot

Outfit = Mapping[str, Code]
Worth = Callable[[Item], float]
"""Rates an item. The worth of a set is the sum of those of its items."""
_Part = tuple[float, dict[str, Code]]
"""The gear of one type, and its worth."""


def outfits(slots: Iterable[OpenSlot], worth: Worth) -> Iterator[Outfit]:
    """Yield the outfits for some slots, those of the highest worth first."""
    by_type: dict[str, list[OpenSlot]] = {}
    for slot in slots:
        by_type.setdefault(slot_type(slot.slot), []).append(slot)
    parts = [_parts(group, worth) for group in by_type.values()]
    # Best first: each set that leaves the heap puts in those that are one step worse in one type.
    first = (0,) * len(parts)
    heap, seen = [(-_total(parts, first), first)], {first}
    while heap:
        _, steps = heappop(heap)
        chosen: dict[str, Code] = {}
        for part, step in zip(parts, steps, strict=True):
            chosen |= part[step][1]
        yield chosen
        for index, part in enumerate(parts):
            worse = (*steps[:index], steps[index] + 1, *steps[index + 1 :])
            if worse[index] < len(part) and worse not in seen:
                seen.add(worse)
                heappush(heap, (-_total(parts, worse), worse))


def _total(parts: list[list[_Part]], steps: tuple[int, ...]) -> float:
    return sum(part[step][0] for part, step in zip(parts, steps, strict=True))


def _parts(slots: list[OpenSlot], worth: Worth) -> list[_Part]:
    """Return the ways to fill the slots of one type, the best first. The order of items in the slots does not count."""
    made = {item.code: item for slot in slots for item in slot.told}
    worn = Counter(slot.worn.code for slot in slots if slot.worn)
    known = made | {slot.worn.code: slot.worn for slot in slots if slot.worn}
    worths = {code: worth(item) for code, item in known.items()}
    ways: list[_Part] = []
    for codes in combinations_with_replacement(sorted(known, key=lambda code: -worths[code]), len(slots)):
        # There is only so much of worn gear, and enough of what can be made.
        if all(code in made or number <= worn[code] for code, number in Counter(codes).items()):
            ways.append((sum(worths[code] for code in codes), _dealt(slots, Counter(codes))))
    return sorted(ways, key=lambda way: -way[0])


def _dealt(slots: list[OpenSlot], codes: Counter[Code]) -> dict[str, Code]:
    """Return the items by slot; what is worn in a slot stays there."""
    dealt: dict[str, Code] = {}
    for slot in slots:
        if slot.worn and codes[slot.worn.code]:
            dealt[slot.slot] = slot.worn.code
            codes[slot.worn.code] -= 1
    rest = codes.elements()
    return dealt | {slot.slot: next(rest) for slot in slots if slot.slot not in dealt}
