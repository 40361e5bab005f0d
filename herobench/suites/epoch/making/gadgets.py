"""Gadgets: each makes a thing that lies there for the taking harder to get, and needs another thing for that.

A gadget puts the thing into a locked container, behind a door, into a tree that is not planted yet, behind a gate that
only a tree lifts, or into a place that the constitution does not provide for. What opens it is a new thing, mostly in
another region. So a chain of gadgets is a chain of dependencies, and it never leads back into itself: a gadget closes
only a place or a container that it has made.
"""

from __future__ import annotations

from collections.abc import Callable

from herobench.suites.epoch.making.draft import (
    CARVERS,
    COLOURS,
    CONTAINERS,
    EPOCHS,
    FOUNDERS,
    GREENS,
    PAPERS,
    ROCKS,
    TREASURES,
    TREES,
    DraftSpent,
    LevelDraft,
    Loose,
    Region,
    spell,
)

_CODED = 0.35
"""How often a lock opens to a code where it can."""


def harden(draft: LevelDraft) -> None:
    """Make one of the loose things harder to get. Raise Spent if there is none."""
    if not draft.loose:
        raise DraftSpent
    loose = draft.loose.pop(draft.chance.randrange(len(draft.loose)))
    ways = [into_container, behind_door, into_tree, behind_tree, behind_charter]
    draft.chance.shuffle(ways)
    next(way for way in ways if way(draft, loose))


def into_container(draft: LevelDraft, loose: Loose) -> bool:
    """Lock a thing into a container."""
    names = [f"{colour}-{container}" for colour in COLOURS for container in CONTAINERS]
    lock = draft.thing("lock", names)
    draft.add(f"inside {loose.item} {lock}")
    draft.remove(f"free {loose.item}")
    draft.say("lid", item=loose.item, lock=lock)
    lock_at(draft, lock, loose.region, loose.place)
    return True


def behind_door(draft: LevelDraft, loose: Loose) -> bool:
    """Put a thing behind a locked door."""
    beyond = _moved_beyond(draft, loose)
    draft.say("door", place=beyond)
    door(draft, loose.region, beyond, "bars")
    return True


def into_tree(draft: LevelDraft, loose: Loose) -> bool:
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


def behind_tree(draft: LevelDraft, loose: Loose) -> bool:
    """Put a thing behind a gate that a tree lifts, which has to be planted in an earlier epoch."""
    if not draft.earlier(loose.region):
        return False
    beyond = _moved_beyond(draft, loose)
    draft.add(f"gated-by-tree {plant(draft, loose.region)} {beyond}")
    draft.say("gate", place=beyond)
    return True


def behind_charter(draft: LevelDraft, loose: Loose) -> bool:
    """Put a thing into a place that opens when a founder in an earlier epoch is convinced; once a level."""
    earlier = draft.earlier(loose.region)
    if not earlier or "person" in draft.objects.values():
        return False
    beyond = _moved_beyond(draft, loose)
    draft.add(f"under-charter {beyond}")
    draft.say("charter", place=beyond)
    add_founder(draft, draft.chance.choice(earlier))
    return True


# -- parts of gadgets and of goals ------------------------------------------------------------------------------------


def lock_at(draft: LevelDraft, lock: str, region: Region, place: str) -> None:
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
    draft.lay_out(key, region)


def door(draft: LevelDraft, region: Region, beyond: str, binds: str, *before: str) -> None:
    """Put a locked door before a place. `binds` and `before` say how the lock opens it."""
    lock = draft.thing("lock", [f"{beyond}-door"])
    near = next(one for one, other in draft.edges if other == beyond)
    draft.add(" ".join((binds, *before, lock, beyond)))
    lock_at(draft, lock, region, near)


def plant(draft: LevelDraft, region: Region) -> str:
    """Return a spot of a region where a tree stands once it is planted in an earlier epoch."""
    earlier = draft.chance.choice(draft.earlier(region))
    word = draft.spot(GREENS, [earlier.epoch, region.epoch])
    soil = draft.place(earlier, earlier.booth, word=word)
    tree = draft.place(region, region.booth, word=word)
    draft.add(f"soil {soil}")
    draft.add(f"same-spot {soil} {tree}")
    draft.lay_out(draft.sapling(), earlier)
    return tree


def carve(draft: LevelDraft, region: Region) -> str:
    """Return a stone that can be read in a region once its code is carved in an earlier epoch."""
    earlier = draft.chance.choice(draft.earlier(region))
    stone = draft.thing("stone", ROCKS)
    draft.add(f"stands {stone} {draft.site(earlier)}")
    draft.add(f"knows {earlier.person} {stone}")
    draft.add(f"outlives {stone} {draft.site(region)}")
    tool = draft.thing("tool", CARVERS)
    draft.add(f"carves {tool}")
    draft.lay_out(tool, earlier)
    return stone


def add_founder(draft: LevelDraft, region: Region) -> None:
    """Put a founder into a region, whom a paper convinces."""
    founder, paper = draft.thing("person", FOUNDERS), draft.thing("paper", PAPERS)
    draft.add(f"stays {founder} {draft.site(region)}")
    draft.add(f"persuades {paper} {founder}")
    draft.add(f"drafts-charter {founder}")
    draft.lay_out(paper, region)


def _moved_beyond(draft: LevelDraft, loose: Loose) -> str:
    """Move a thing to a new place that is closed, beyond the one where it lies."""
    beyond = draft.place(loose.region, loose.place, is_open=False)
    draft.remove(f"lies {loose.item} {loose.place}")
    draft.add(f"lies {loose.item} {beyond}")
    return beyond


_POWERED, _BARRED = 0.4, 0.4
"""How often engines feed one another's doors, and how often else an engine is behind a door."""


def begin(draft: LevelDraft, *, clocks: bool) -> None:
    """Draw a goal; the clocks if they are asked for."""
    goals = [align_clocks] if clocks else [have, have, open_vault, reach, learn, get_permit, align_clocks]
    draft.chance.shuffle(goals)
    next(goal for goal in goals if goal(draft))


Goal = Callable[[LevelDraft], bool]
"""Begins a draft if it can, and returns whether it did."""


def have(draft: LevelDraft) -> bool:
    """Somebody has to have a thing."""
    region, item = draft.chance.choice(draft.regions), draft.thing("item", TREASURES)
    draft.goal = [f"has {region.person} {item}"]
    _head(draft, "goal-has", region, item, item=item)
    draft.lay_out(item, region)
    return True


def open_vault(draft: LevelDraft) -> bool:
    """A vault has to be opened."""
    region, lock = draft.chance.choice(draft.regions), draft.thing("lock", [f"{colour}-vault" for colour in COLOURS])
    draft.goal = [f"opened {lock}"]
    _head(draft, "goal-opened", region, lock, lock=lock)
    lock_at(draft, lock, region, draft.site(region))
    return True


def reach(draft: LevelDraft) -> bool:
    """Somebody has to get to a place that is closed."""
    region = draft.chance.choice(draft.regions)
    beyond = draft.place(region, draft.site(region), is_open=False)
    draft.goal = [f"at {region.person} {beyond}"]
    _head(draft, "goal-at", region, beyond, place=beyond)
    if draft.earlier(region) and draft.chance.random() < 0.5:
        draft.add(f"gated-by-tree {plant(draft, region)} {beyond}")
        draft.say("gate", place=beyond)
    else:
        door(draft, region, beyond, "bars")
    return True


def learn(draft: LevelDraft) -> bool:
    """Somebody has to read a code that is carved in an earlier epoch."""
    late = [region for region in draft.regions if draft.earlier(region)]
    region = draft.chance.choice(late)
    stone = carve(draft, region)
    draft.goal = [f"knows {region.person} {stone}"]
    _head(draft, "goal-knows", region, stone, stone=stone)
    return True


def get_permit(draft: LevelDraft) -> bool:
    """Somebody has to get a permit, which the constitution and another paper stand against."""
    region = draft.chance.choice([region for region in draft.regions if draft.earlier(region)])
    other = draft.chance.choice([one for one in draft.regions if one is not region])
    form, against, permit = (draft.thing("paper", [name]) for name in ("form-alpha", "form-beta", "permit"))
    office = draft.place(region, region.booth, word=draft.spot(["office"], [region.epoch]), is_open=False)
    for fact in (f"office {office}", f"shredder {office}", f"under-charter {office}", f"free {permit}"):
        draft.add(fact)
    draft.add(f"application {form} {permit}")
    draft.add(f"conflicts {form} {against}")
    draft.goal = [f"has {other.person} {permit}"]
    draft.title = _title(other, permit)
    draft.say("goal-permit", who=other.person, epoch=EPOCHS[region.epoch], permit=permit, other=against, form=form)
    add_founder(draft, draft.chance.choice(draft.earlier(region)))
    draft.lay_out(form, region)
    draft.lay_out(against, region)
    return True


def align_clocks(draft: LevelDraft) -> bool:
    """Three levers have to be down at once."""
    powered = draft.rarer(_POWERED)
    homes = [draft.regions[number % len(draft.regions)] for number in range(3)]
    homes.sort(key=lambda region: region.epoch)
    draft.title = draft.chance.choice(["Three Levers", "The Three Engines", "Clocks Out of Step", "All at Once"])
    draft.say("goal-clocks")
    machines: list[str] = []
    for region in homes:
        machine = draft.thing("machine", [f"{colour}-engine" for colour in COLOURS])
        crank = draft.thing("crank", [f"{tree}-crank" for tree in TREES])
        is_closed = powered or draft.rarer(_BARRED)
        beside = draft.site(region) if is_closed else region.booth
        room = draft.place(region, beside, is_open=not is_closed)
        for fact in (f"stands {machine} {room}", f"turns {crank} {machine}", f"lever-ready {machine}"):
            draft.add(fact)
        if is_closed:
            feeds = ("feeds", machines[-1]) if machines else ("self-powered",)
            door(draft, region, room, *(feeds if powered else ("bars",)))
        draft.lay_out(crank, region)
        machines.append(machine)
    if powered:
        draft.say("power")
    draft.add(" ".join(("in-step", *machines)))
    draft.goal = ["clocks-aligned"]
    return True


def _head(draft: LevelDraft, kind: str, region: Region, full_name: str, **values: str) -> None:
    draft.title = _title(region, full_name)
    draft.say(kind, who=region.person, epoch=EPOCHS[region.epoch], **values)


def _title(region: Region, full_name: str) -> str:
    words = (word if word in ("of", "the") else word.capitalize() for word in spell(full_name).split())
    return f"{region.person.capitalize()} and the {' '.join(words)}"
