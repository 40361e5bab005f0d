"""Goals: each begins a draft with what has to be true at the end and with the things that are needed for it."""

from __future__ import annotations

from collections.abc import Callable

from herobench.suites.epoch.generate.draft import Draft, Region
from herobench.suites.epoch.generate.gadgets import carve, door, found, lock_at, plant
from herobench.suites.epoch.generate.words import COLOURS, EPOCHS, TREASURES, TREES, spelled

_POWERED, _BARRED = 0.4, 0.4
"""How often engines feed one another's doors, and how often else an engine is behind a door."""


def begin(draft: Draft, *, clocks: bool) -> None:
    """Draw a goal; the clocks if they are asked for."""
    goals = [align_clocks] if clocks else [have, have, open_vault, reach, learn, get_permit, align_clocks]
    draft.chance.shuffle(goals)
    next(goal for goal in goals if goal(draft))


Goal = Callable[[Draft], bool]
"""Begins a draft if it can, and returns whether it did."""


def have(draft: Draft) -> bool:
    """Somebody has to have a thing."""
    region, item = draft.chance.choice(draft.regions), draft.thing("item", TREASURES)
    draft.goal = [f"has {region.person} {item}"]
    _head(draft, "goal-has", region, item, item=item)
    draft.needed(item, region)
    return True


def open_vault(draft: Draft) -> bool:
    """A vault has to be opened."""
    region, lock = draft.chance.choice(draft.regions), draft.thing("lock", [f"{colour}-vault" for colour in COLOURS])
    draft.goal = [f"opened {lock}"]
    _head(draft, "goal-opened", region, lock, lock=lock)
    lock_at(draft, lock, region, draft.site(region))
    return True


def reach(draft: Draft) -> bool:
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


def learn(draft: Draft) -> bool:
    """Somebody has to read a code that is carved in an earlier epoch."""
    late = [region for region in draft.regions if draft.earlier(region)]
    region = draft.chance.choice(late)
    stone = carve(draft, region)
    draft.goal = [f"knows {region.person} {stone}"]
    _head(draft, "goal-knows", region, stone, stone=stone)
    return True


def get_permit(draft: Draft) -> bool:
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
    found(draft, draft.chance.choice(draft.earlier(region)))
    draft.needed(form, region)
    draft.needed(against, region)
    return True


def align_clocks(draft: Draft) -> bool:
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
        closed = powered or draft.rarer(_BARRED)
        beside = draft.site(region) if closed else region.booth
        room = draft.place(region, beside, is_open=not closed)
        for fact in (f"stands {machine} {room}", f"turns {crank} {machine}", f"lever-ready {machine}"):
            draft.add(fact)
        if closed:
            feeds = ("feeds", machines[-1]) if machines else ("self-powered",)
            door(draft, region, room, *(feeds if powered else ("bars",)))
        draft.needed(crank, region)
        machines.append(machine)
    if powered:
        draft.say("power")
    draft.add(" ".join(("in-step", *machines)))
    draft.goal = ["clocks-aligned"]
    return True


def _head(draft: Draft, kind: str, region: Region, named: str, **values: str) -> None:
    draft.title = _title(region, named)
    draft.say(kind, who=region.person, epoch=EPOCHS[region.epoch], **values)


def _title(region: Region, named: str) -> str:
    words = (word if word in ("of", "the") else word.capitalize() for word in spelled(named).split())
    return f"{region.person.capitalize()} and the {' '.join(words)}"
