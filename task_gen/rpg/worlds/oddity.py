"""Oddities: faults of a world that still loads and has tasks; and the check of supply.

Something in the world is dead (nobody needs it or can get it) or keeps tasks from being made. The list of kinds is
closed. The checks of this package yield oddities; the survey collects them. The check of supply finds which items can
be obtained, and which nobody needs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from herobench.data.documents import json_path
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, Place, World, slot_type

OddityKind = Literal[
    "unreachable", "unused", "unasked", "unwearable", "empty_slot", "idle_effect", "dead_element", "unbeatable",
    "pushover", "no_beginning", "out_of_skill", "idle_skill", "transparent", "no_tasks",
]  # fmt: skip
"""The kinds of oddities; docs/worlds.md defines each."""


class Spot(NamedTuple):
    """A place in the documents of a world."""

    file: str
    path: str

    def inside(self, step: str) -> Spot:
        """Return a place inside the thing at this place."""
        return self._replace(path=self.path + json_path([step]).removeprefix("$"))


@dataclass(frozen=True, slots=True)
class Oddity:
    """An oddity: its kind, its place, what is odd, and advice."""

    kind: OddityKind
    spot: Spot
    what: str
    advice: str

    def __str__(self) -> str:
        return f"{self.spot.file}: {self.spot.path}: {self.what}; {self.advice}"

    def as_row(self) -> dict[str, Any]:
        """Return the oddity as plain data."""
        return {"kind": self.kind, **self.spot._asdict(), "what": self.what, "advice": self.advice}


_ROWS = {"distractors": ("distractors", "items"), "tiles": ("map", "tiles")}
_ROWS |= {kind: ("world", kind) for kind in ("skills", "slots", "elements")}
"""The file of a kind of thing, and the list in it, where both are not called like the kind."""


class Spots:
    """Finds the parts of a world in its documents, which have the world's order."""

    def __init__(self, world: World, name: str) -> None:
        """`name` stands for the world before the names of its files."""
        self._name = name
        kinds: dict[str, Iterable[Any]] = {
            "monsters": world.monsters,
            "resources": world.resources,
            "items": world.items,
            "distractors": world.distractors,
            "tiles": world.tiles,
            "skills": world.skills,
            "slots": world.slots,
            "elements": world.elements,
        }
        # Worlds keep the order of their documents, so a position in a world is the index in its file.
        self._index = {kind: {key: index for index, key in enumerate(things)} for kind, things in kinds.items()}

    def of(self, kind: str, key: Code | Place, *steps: object) -> Spot:
        """Return the place of a thing of a kind by its code, of a tile by its place, or of something in it."""
        document, rows = _ROWS.get(kind, (kind, kind))
        return self._spot(document, rows, self._index[kind][key], *steps)

    def about(self, *steps: object) -> Spot:
        """Return the place of something about the world as a whole."""
        return self._spot("world", *steps)

    def _spot(self, document: str, *steps: object) -> Spot:
        return Spot(f"{self._name}/{document}.json", json_path(steps))


# -- supply -----------------------------------------------------------------------------------------------------------


class Rung(NamedTuple):
    """A recipe or a node that asks for a level of a skill."""

    level: int
    name: str
    spot: Spot


class Ladder(NamedTuple):
    """A skill with everything that asks for it, and the level that a beginner reaches."""

    skill: str
    nodes: tuple[Rung, ...]
    recipes: tuple[Rung, ...]
    top: int
    """The level that practice leads to."""

    @classmethod
    def of(cls, world: World, rules: Rules, spots: Spots, skill: str) -> Ladder:
        """Return the ladder of a skill."""
        nodes = [
            Rung(node.level, node.name, spots.of("resources", code, "level"))
            for code, node in world.resources.items()
            if node.skill == skill
        ]
        recipes = [
            Rung(item.recipe.level, item.name, spots.of("items", code, "recipe", "level"))
            for code, item in world.items.items()
            if item.recipe and item.recipe.skill == skill
        ]
        # If the skill has nodes, only they count, because the oracle raises such skills at nodes only.
        taught = sorted({rung.level for rung in nodes or recipes})
        return cls(skill, tuple(sorted(nodes)), tuple(sorted(recipes)), _climb(taught, rules))

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """The nodes and recipes that ask for the skill, nodes first."""
        return (*self.nodes, *self.recipes)

    @property
    def begins(self) -> bool:
        """True if a beginner can practise the skill at all."""
        return min(rung.level for rung in self.nodes or self.recipes) == 1


def _climb(taught: list[int], rules: Rules) -> int:
    """Return the level that a beginner reaches."""
    level = 1
    # One level at a time: each new level may open a better node and close a worse one.
    while level < rules.level_cap and any(step <= level and rules.xp_gain(level, step) > 0 for step in taught):
        level += 1
    return level


def broken_ladders(world: World, rules: Rules, spots: Spots) -> Iterator[Oddity]:
    """Yield the skills that nobody needs or can begin with, and what asks for more than practice gives."""
    for skill in world.skills:
        ladder = Ladder.of(world, rules, spots, skill)
        spot, place = spots.of("skills", ladder.skill), "a node" if ladder.nodes else "a recipe"
        if not ladder.rungs:
            what, advice = f"no recipe and no node asks for {ladder.skill}", "add one, or leave out the skill"
            yield Oddity("idle_skill", spot, what, advice)
        elif not ladder.begins:
            first = min(ladder.nodes or ladder.recipes)
            what = f"nobody can begin with {ladder.skill}: the first that teaches it is {first.name}, for {first.level}"
            yield Oddity("no_beginning", spot, what, f"add {place} of level 1")
        else:
            yield from _beyond(ladder, place)


def _beyond(ladder: Ladder, place: str) -> Iterator[Oddity]:
    """Yield what asks for more than practice gives."""
    last = max(rung.level for rung in ladder.nodes or ladder.recipes if rung.level <= ladder.top)
    for rung in ladder.rungs:
        if rung.level > ladder.top:
            what = f"{rung.name} asks for {ladder.skill} {rung.level}, and practice ends at {ladder.top}"
            advice = f"ask for less, or add {place} of a level from {last + 1} to {ladder.top}"
            yield Oddity("out_of_skill", rung.spot, what, advice)


def obtainable(world: World, beatable: Collection[Code]) -> frozenset[Code]:
    """Return the items that can be obtained if these monsters can be beaten."""
    sold, by_code = sold_by_name(world), dict[Code, bool]()

    def has_source(code: Code) -> bool:
        if code not in by_code:
            recipe = world.recipe_of(code)
            # Recipes have no cycles (the loader refuses them), so the recursion ends.
            by_code[code] = (
                code in world.nodes
                or code in world.starter_items
                or code in sold
                or any(who in beatable for who in world.droppers.get(code, ()))
                or (recipe is not None and all(map(has_source, recipe.ingredients)))
            )
        return by_code[code]

    return frozenset(filter(has_source, world.items))


def sold_by_name(world: World) -> frozenset[Code]:
    """Return the items that the exchange sells, unless it sells everything."""
    return frozenset() if sells_everything(world) else world.exchange_sells


def sells_everything(world: World) -> bool:
    """Return whether the exchange sells every item."""
    # World holds a list of items for sale, so "every item" can be seen in the source only.
    return bool(json.loads(world.source)["world"]["exchange_sells"] == "every item")


def unreachable(world: World, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """Yield the items that nobody can get; `had` are the obtainable ones."""
    unsold = ", and that everything is sold is no source" if sells_everything(world) else " and is not sold"
    for code, item in world.items.items():
        if code not in had:
            yield _no_source(world, spots, item, had, unsold)


def _no_source(world: World, spots: Spots, item: Item, had: Collection[Code], unsold: str) -> Oddity:
    recipe, droppers = item.recipe, world.droppers.get(item.code, ())
    if recipe:
        part = next(part for part in recipe.ingredients if part not in had)
        what = f"{item.name} is crafted from {part}, which nobody can come by"
        advice = f"give {part} a source, or take it out of the recipe"
        return Oddity("unreachable", spots.of("items", item.code, "recipe", "ingredients", part), what, advice)
    if droppers:
        what = f"{item.name} falls only from {', '.join(droppers)}, whom no hero beats, whatever he wears"
        advice = f"make {droppers[0]} weaker, or add a drop, a node or a recipe for {item.code}"
        return Oddity("unreachable", spots.of("items", item.code), what, advice)
    what = f"nobody can come by {item.name}: no monster drops it, no node gives it, it has no recipe{unsold}"
    return Oddity(
        "unreachable", spots.of("items", item.code), what, "add a drop, a node or a recipe, or sell it by name"
    )


def ingredients(world: World) -> frozenset[Code]:
    """Return every item that is an ingredient."""
    return frozenset(part for item in world.items.values() if item.recipe for part in item.recipe.ingredients)


def useless_items(world: World, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """Yield the items that can be obtained but that nobody has a reason to get."""
    parts, types = ingredients(world), set(map(slot_type, world.slots))
    for code, item in world.items.items():
        dead = code in had and item.recipe is None and code not in parts and code not in world.starter_items
        if dead and not (item.type in types and acts(item)):
            what = f"{item.name} is of no use: it goes into nothing, and does nothing when it is worn or eaten"
            advice = "give it a recipe that needs it, or effects that count"
            yield Oddity("unused", spots.of("items", code), what, advice)


def acts(item: Item) -> bool:
    """Return whether an item does something in a fight: food when it is eaten, other items when they are worn."""
    if item.type == CONSUMABLE:
        return bool(item.eaten.restore or item.eaten.hp or any(item.eaten.damage))
    return item.worn.hp != 0 or any(map(any, item.worn[1:]))
