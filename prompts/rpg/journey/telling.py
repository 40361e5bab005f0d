"""Renders the prompt of a journey: the rules, and one line for each region.

The lane `plan` tells hp, powers and elements, of which a fight's cost follows in two steps. The lane `fights` tells the
costs themselves, so that only planning is left. The lane `steps` tells a best plan too, which has to be written down.

A plan in parts is told the same, and after each part the time, the hero and what is left in his region.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from herobench.prompts.words import load_words
from herobench.suites.rpg.journey.plan import PARTS_A_REGION, STEPS_A_REGION, WALKS
from herobench.suites.rpg.journey.road import Monster, Place, Region, Road
from herobench.suites.rpg.journey.walk import LEAVE, Call, Walk

WORDS = load_words("rpg/journey")
_PARTS = load_words("rpg/journey/parts")


def words_digest(mode: str) -> str:
    """Return the digest of the words of a mode."""
    return WORDS.digest() if mode == "plan" else f"{WORDS.digest()} {_PARTS.digest()}"


def opening(road: Road, lane: str, plan: Sequence[Call], most_parts: int | None = None) -> str:
    """Return the prompt of a road. Only the lane `steps` tells anything of the plan. `most_parts` is for a plan in
    parts."""
    limits, answer = road.limits, "policy" if road.has_chance else "plan"
    text = WORDS.fill(
        "frame",
        regions=len(road.regions),
        ways=WORDS.fill("ways_hand") if road.side is None else WORDS.fill("ways_maps", side=road.side),
        hearts=limits.hearts,
        bag=limits.bag,
        places=limits.places,
        answer=answer,
        goal=WORDS.fill(f"goal_{answer}"),
        wounds=WORDS.fill(f"wounds_{answer}"),
        wear=WORDS.fill(
            f"wear_{answer}",
            uses=_fights_text(limits.uses),
            breaks=limits.breaks,
        ),
        crafting=limits.crafting,
        rest=limits.rest,
        camp=limits.camp,
        gear="\n".join(_gear_lines(road)),
        legend="\n".join(_legend(road, lane)),
        road="\n".join(
            f"{number}. {_region_line(road, region, lane)}" for number, region in enumerate(road.regions, 1)
        ),
    )
    if lane == "steps":
        text += "\n\n" + WORDS.fill("steps", steps="\n".join(_step_lines(plan)))
    if most_parts is not None:
        return text + "\n\n" + _PARTS.fill("answer", most=most_parts)
    steps, parts = (f"{each * len(road.regions):,}" for each in (STEPS_A_REGION, PARTS_A_REGION))
    return text + "\n\n" + WORDS.fill(f"answer_{answer}", walks=WALKS, steps=steps, parts=parts)


def tell_state(road: Road, so_far: Walk, answers: int, most: int) -> str:
    """Return what a model is told after a part of its plan."""
    position, limits = so_far.position, road.limits
    region, (x, y) = road.regions[position.region], position.place
    nodes = [f"{node.material} {units}" for node, units in zip(region.nodes, position.left, strict=True) if units]
    monsters = [monster.code for monster, lives in zip(region.monsters, position.alive, strict=True) if lives]
    return _PARTS.fill(
        "state",
        time=so_far.time,
        region=position.region + 1,
        regions=len(road.regions),
        place="" if road.side is None else f" at {x},{y}",
        hearts=position.hearts,
        most_hearts=limits.hearts,
        bag=" ".join(position.bag) or "empty",
        gear=", ".join(f"{kind} ({_fights_text(uses)} left)" for kind, uses in position.gear) or "none",
        left=", ".join(nodes + monsters) or "nothing",
        answers=answers,
        most=most,
    )


def tell_end(so_far: Walk, reason: str | None) -> str:
    """Return what is said at the end of a plan in parts; a plan that arrived has no reason."""
    return _PARTS.fill("arrived", time=so_far.time) if reason is None else _PARTS.fill("ended", reason=reason)


def _fights_text(uses: int) -> str:
    return "one fight" if uses == 1 else f"{uses} fights"


def _gear_lines(road: Road) -> Iterator[str]:
    for code, kind in road.gear.items():
        yield f"- {code}: power {kind.power}, {kind.element}, made of {' + '.join(kind.recipe)}"


def _legend(road: Road, lane: str) -> Iterator[str]:
    yield WORDS.fill("legend_hand" if road.side is None else "legend_maps")
    if lane != "plan":
        yield WORDS.fill("legend_fights")
        if road.has_chance:
            yield WORDS.fill("legend_chance")


def _region_line(road: Road, region: Region, lane: str) -> str:
    has_map = road.side is not None

    def at(place: Place) -> str:
        return f" {place[0]},{place[1]}" if has_map else ""

    parts = [f"in{at(region.enter)}"] if has_map else []
    parts += [f"{node.material} {node.units} @{node.time}{at(node.place)}" for node in region.nodes]
    if region.workshop:
        parts.append(f"workshop{at(region.workshop.place)} {' '.join(region.workshop.makes)}")
    if region.inn is not None:
        parts.append(f"inn{at(region.inn)}")
    parts += [_monster_text(road, monster, lane) + at(monster.place) for monster in region.monsters]
    return "; ".join([*parts, f"out{at(region.leave)}"] if has_map else parts)


def _monster_text(road: Road, monster: Monster, lane: str) -> str:
    if lane == "plan":
        return f"{monster.code} {monster.hp}/{monster.pace} {monster.weakness}"
    costs = (f"{kind or 'bare'} {_cost_text(road, monster, kind)}" for kind in (None, *road.gear))
    return f"{monster.code} ({', '.join(costs)})"


def _cost_text(road: Road, monster: Monster, kind: str | None) -> str:
    time, hearts = road.fight(monster, kind)
    has_more = road.wound_chance(monster, kind) > 0
    return f"{time}/{hearts}+{time % monster.pace}/{monster.pace}" if has_more else f"{time}/{hearts}"


def _step_lines(plan: Sequence[Call]) -> Iterator[str]:
    regions = groupby(enumerate(plan), lambda each: sum(call == LEAVE for call in plan[: each[0]]))
    for number, calls in regions:
        yield f"{number + 1}. {'; '.join(_step_text(call) for _, call in calls)}"


def _step_text(call: Call) -> str:
    name, *values = call
    if name == "fight":
        return f"fight the {values[0]} with {f'the {values[1]}' if len(values) > 1 else 'bare hands'}"
    if name == "rest":
        return "rest at the inn"
    return " ".join([name, *values])
