"""Reads the answer out of a response: the JSON behind the last `ANSWER:`, or else the last JSON that stands alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.rpg.game.events import Action, Crafted, Event, Fought, Gathered
from herobench.suites.rpg.game.hero import HeroStart

OWN = "hero"
PLACE, ITEMS, WORN, FIGHT, EXPERIENCE = "place", "items", "worn", "fight", "experience"

Fact = tuple[str, str, Any]
"""A part of the change, the name of what changes, and the value."""


def change(scene: HeroScene, action: Action) -> dict[str, Any] | None:
    """Return what an action changes; None if it is refused."""
    game = scene.game()
    before = scene.task.hero
    event = game.act(action)
    if not event.ok:
        return None
    after = before.after(game.hero)
    return dict(_changed_parts(before, after, event))


def _changed_parts(before: HeroStart, after: HeroStart, event: Event) -> Iterator[tuple[str, Any]]:
    if after.place != before.place:
        yield PLACE, list(after.place)
    codes = sorted({*before.inventory, *after.inventory})
    counts = {code: after.inventory.get(code, 0) - before.inventory.get(code, 0) for code in codes}
    if items := {code: count for code, count in counts.items() if count}:
        yield ITEMS, items
    slots = sorted({*before.worn, *after.worn})
    if worn := {slot: after.worn.get(slot) for slot in slots if after.worn.get(slot) != before.worn.get(slot)}:
        yield WORN, worn
    match event.detail:
        case Fought(won=won, xp=xp):
            yield FIGHT, "won" if won else "lost"
            yield from _experience(OWN, xp)
        case Gathered(skill=skill, xp=xp) | Crafted(skill=skill, xp=xp):
            yield from _experience(skill, xp)


def _experience(name: str, xp: int) -> Iterator[tuple[str, Any]]:
    if xp:
        yield EXPERIENCE, {name: xp}


def facts_of_change(value: Any) -> frozenset[Fact] | None:
    """Return a change as a set of facts; None if the value has another form. Parts that say nothing may be there."""
    if not isinstance(value, dict) or not value.keys() <= {PLACE, ITEMS, WORN, FIGHT, EXPERIENCE}:
        return None
    place, fight = value.get(PLACE), value.get(FIGHT)
    tables = {part: value.get(part) or {} for part in (ITEMS, WORN, EXPERIENCE)}
    if not (place is None or (isinstance(place, list) and len(place) == 2 and all(map(_is_whole, place)))):
        return None
    if not all(isinstance(table, dict) for table in tables.values()) or fight not in (None, "won", "lost"):
        return None
    numbers = [*tables[ITEMS].values(), *tables[EXPERIENCE].values()]
    if not all(map(_is_whole, numbers)) or not all(isinstance(code, str | None) for code in tables[WORN].values()):
        return None
    facts: list[Fact] = [(PLACE, "", tuple(place))] if place else []
    facts += [(FIGHT, "", fight)] if fight else []
    facts += [(part, name, number) for part in (ITEMS, EXPERIENCE) for name, number in tables[part].items() if number]
    return frozenset([*facts, *((WORN, slot, code) for slot, code in tables[WORN].items())])


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# No pattern has two runs that may share white space, nor one that may begin at each line of it: models get stuck in
# repeating white space, and such patterns would take hours then.
_MARK = re.compile(r"answer[\s*_`]*:", re.IGNORECASE)
_NONE = re.compile(r"\A[\"'`*(\[]*none\b", re.IGNORECASE)
_ONLY_NONE = re.compile(r"\W*none\W*\Z", re.IGNORECASE)
_MOST_TRIES = 200


class ParsedAnswer(NamedTuple):
    """An answer: a value of JSON, where None is the answer None."""

    value: Any


def answer_in(response: str) -> ParsedAnswer | None:
    """Return the answer in a response; None if there is none."""
    marks = list(_MARK.finditer(response))
    return _first(response[marks[-1].end() :]) if marks else _alone(response.strip())


def _first(text: str) -> ParsedAnswer | None:
    """Return the value that a text begins with."""
    text = text.lstrip(" \t\r\n*_`").removeprefix("json").lstrip()
    if _NONE.match(text):
        return ParsedAnswer(None)
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return ParsedAnswer(value)


def _alone(text: str) -> ParsedAnswer | None:
    """Return the value that is the whole text, its last line, or a block that ends it."""
    for part in _parts(text):
        try:
            return ParsedAnswer(json.loads(part))
        except (ValueError, RecursionError):
            if _ONLY_NONE.match(part):
                return ParsedAnswer(None)
    return None


def _parts(text: str) -> Iterator[str]:
    bare = text.strip("`").removeprefix("json").strip()
    yield bare
    yield bare.splitlines()[-1].strip() if bare else ""
    # the longest block at the end that is JSON: it may stand on several lines
    starts = [match.start() for match in re.finditer(r"(?m)^[^\S\n]*[\[{]", bare)]
    yield from (bare[start:].strip() for start in starts[-_MOST_TRIES:])
