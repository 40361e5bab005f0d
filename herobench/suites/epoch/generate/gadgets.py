"""Gadgets: each makes a thing that lies there for the taking harder to get, and needs another thing for that.

A gadget puts the thing into a locked container, behind a door, into a tree that is not planted yet, behind a gate that
only a tree lifts, or into a place that the constitution does not provide for. What opens it is a new thing, mostly in
another region. So a chain of gadgets is a chain of dependencies, and it never leads back into itself: a gadget closes
only a place or a container that it has made.
"""

from __future__ import annotations

from collections.abc import Callable

from herobench.suites.epoch.generate.draft import Draft, Loose, Region, Spent
from herobench.suites.epoch.generate.words import (
    CARVERS,
    COLOURS,
    CONTAINERS,
    EPOCHS,
    FOUNDERS,
    GREENS,
    PAPERS,
    ROCKS,
)

_CODED = 0.35
"""How often a lock opens to a code where it can."""


def harden(draft: Draft) -> None:
    """Make one of the loose things harder to get. Raise Spent if there is none."""
    if not draft.loose:
        raise Spent
    loose = draft.loose.pop(draft.chance.randrange(len(draft.loose)))
    ways = [into_container, behind_door, into_tree, behind_tree, behind_charter]
    draft.chance.shuffle(ways)
    next(way for way in ways if way(draft, loose))


Gadget = Callable[[Draft, Loose], bool]
"""Applies itself to a loose thing if it can, and returns whether it did."""


def into_container(draft: Draft, loose: Loose) -> bool:
    """Lock a thing into a container."""
    names = [f"{colour}-{container}" for colour in COLOURS for container in CONTAINERS]
    lock = draft.thing("lock", names)
    draft.add(f"inside {loose.item} {lock}")
    draft.remove(f"free {loose.item}")
    draft.say("lid", item=loose.item, lock=lock)
    lock_at(draft, lock, loose.region, loose.place)
    return True


def behind_door(draft: Draft, loose: Loose) -> bool:
    """Put a thing behind a locked door."""
    beyond = _moved_beyond(draft, loose)
    draft.say("door", place=beyond)
    door(draft, loose.region, beyond, "bars")
    return True


def into_tree(draft: Draft, loose: Loose) -> bool:
    """Hang a thing into a tree that has to be planted in an earlier epoch."""
    if not draft.earlier(loose.region):
        return False
    draft.remove(f"free {loose.item}")
    draft.remove(f"lies {loose.item} {loose.place}")
    tree = plant(draft, loose.region)
    draft.add(f"lies {loose.item} {tree}")
    draft.add(f"hung-in-tree {loose.item} {tree}")
    draft.say("hung", item=loose.item)
    return True


def behind_tree(draft: Draft, loose: Loose) -> bool:
    """Put a thing behind a gate that a tree lifts, which has to be planted in an earlier epoch."""
    if not draft.earlier(loose.region):
        return False
    beyond = _moved_beyond(draft, loose)
    draft.add(f"gated-by-tree {plant(draft, loose.region)} {beyond}")
    draft.say("gate", place=beyond)
    return True


def behind_charter(draft: Draft, loose: Loose) -> bool:
    """Put a thing into a place that opens when a founder in an earlier epoch is convinced; once a level."""
    earlier = draft.earlier(loose.region)
    if not earlier or "person" in draft.objects.values():
        return False
    beyond = _moved_beyond(draft, loose)
    draft.add(f"under-charter {beyond}")
    draft.say("charter", place=beyond)
    found(draft, draft.chance.choice(earlier))
    return True


# -- parts of gadgets and of goals ------------------------------------------------------------------------------------


def lock_at(draft: Draft, lock: str, region: Region, place: str) -> None:
    """Put a lock at a place, and lay what opens it somewhere: its key, or what carves its code."""
    draft.add(f"stands {lock} {place}")
    if draft.earlier(region) and draft.chance.random() < _CODED:
        stone = carve(draft, region)
        draft.add(f"code-lock {lock} {stone}")
        draft.say("code", lock=lock, stone=stone)
        return
    key = draft.key()
    draft.add(f"fits {key} {lock}")
    draft.key_of[lock] = key
    draft.epoch_of[lock] = EPOCHS[region.epoch]
    draft.needed(key, region)


def door(draft: Draft, region: Region, beyond: str, binds: str, *before: str) -> None:
    """Put a locked door before a place. `binds` and `before` say how the lock opens it."""
    lock = draft.thing("lock", [f"{beyond}-door"])
    near = next(one for one, other in draft.edges if other == beyond)
    draft.add(" ".join((binds, *before, lock, beyond)))
    lock_at(draft, lock, region, near)


def plant(draft: Draft, region: Region) -> str:
    """Return a spot of a region where a tree stands once it is planted in an earlier epoch."""
    earlier = draft.chance.choice(draft.earlier(region))
    word = draft.spot(GREENS, [earlier.epoch, region.epoch])
    soil = draft.place(earlier, earlier.booth, word=word)
    tree = draft.place(region, region.booth, word=word)
    draft.add(f"soil {soil}")
    draft.add(f"same-spot {soil} {tree}")
    draft.needed(draft.sapling(), earlier)
    return tree


def carve(draft: Draft, region: Region) -> str:
    """Return a stone that can be read in a region once its code is carved in an earlier epoch."""
    earlier = draft.chance.choice(draft.earlier(region))
    stone = draft.thing("stone", ROCKS)
    draft.add(f"stands {stone} {draft.site(earlier)}")
    draft.add(f"knows {earlier.person} {stone}")
    draft.add(f"outlives {stone} {draft.site(region)}")
    tool = draft.thing("tool", CARVERS)
    draft.add(f"carves {tool}")
    draft.needed(tool, earlier)
    return stone


def found(draft: Draft, region: Region) -> None:
    """Put a founder into a region, whom a paper convinces."""
    founder, paper = draft.thing("person", FOUNDERS), draft.thing("paper", PAPERS)
    draft.add(f"stays {founder} {draft.site(region)}")
    draft.add(f"persuades {paper} {founder}")
    draft.add(f"drafts-charter {founder}")
    draft.needed(paper, region)


def _moved_beyond(draft: Draft, loose: Loose) -> str:
    """Move a thing to a new place that is closed, beyond the one where it lies."""
    beyond = draft.place(loose.region, loose.place, is_open=False)
    draft.remove(f"lies {loose.item} {loose.place}")
    draft.add(f"lies {loose.item} {beyond}")
    return beyond
