"""Actions that brought nothing: refused ones, lost fights, and moves from which nothing was done.

To gather or craft more than a task takes is no waste in this sense; it shows in how many actions a plan takes for each
of the oracle's.
"""

from __future__ import annotations

from collections.abc import Iterable

from herobench.rpg.events import Event, Fought


def wasted(events: Iterable[tuple[Event, int]]) -> int:
    """How many actions were wasted; the events each with how often it happened in a row."""
    count = idle_moves = 0
    for event, times in events:
        if event.action.name == "move" and event.ok:
            idle_moves += times
            continue
        lost = isinstance(event.detail, Fought) and not event.detail.won
        count += times if lost or not event.ok else 0
        if event.action.name != "move":
            count += max(0, idle_moves - 1)
            idle_moves = 0
    return count + idle_moves
