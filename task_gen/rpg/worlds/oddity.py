"""Oddities: faults of a world that still loads and has tasks.

Something in it is dead (nobody needs it or can get it) or keeps tasks from being made. The list of kinds is closed,
and each kind is defined here. The checks of this package yield oddities; the survey collects them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from herobench.data.documents import json_path
from herobench.suites.rpg.game.world import Code, Place, World


class OddityKind(Enum):
    """The kinds of oddities, each with its definition."""

    UNREACHABLE = (
        "unreachable",
        "Nobody can come by the item: it is not crafted, gathered, owned from the start or sold by name, and falls "
        "from no one who can be beaten; or something that it is crafted from is so. That an exchange sells every item "
        "is no source: it is a way around work.",
    )
    UNUSED = (
        "unused",
        "The item is not crafted, goes into no recipe, and does nothing when it is worn or eaten.",
    )
    UNASKED = (
        "unasked",
        "Gear that no task can ask for: no hero of a kill task may be asked to make it, no craft task can have it "
        "made, and it goes into nothing.",
    )
    DOMINATED = (
        "dominated",
        "Gear that goes into nothing, and other gear of its type is better in one stat that matters and no worse in "
        "any, while it asks for no higher level or skill, no more work and no harder fights.",
    )
    UNWEARABLE = ("unwearable", "The item has effects of gear or food, and no slot takes its type.")
    EMPTY_SLOT = ("empty_slot", "No item is of the type that the slot takes.")
    IDLE_EFFECT = (
        "idle_effect",
        "An effect that does nothing where it is: food's on gear, gear's on food, or a name that no effect has and "
        "that is close to one's.",
    )
    DEAD_ELEMENT = ("dead_element", "Nobody attacks in the element, neither monsters nor heroes with what they wear.")
    UNBEATABLE = (
        "unbeatable",
        "A monster that no gear beats on a hero of the level it is meant for, of what he may be asked to make.",
    )
    PUSHOVER = (
        "pushover",
        "A monster that a hero of the level it is meant for beats with nothing on: no kill task can be made of it.",
    )
    NO_BEGINNING = (
        "no_beginning",
        "A skill that nothing teaches a beginner: its nodes, or its recipes where it has no nodes, ask for more than "
        "level 1.",
    )
    OUT_OF_SKILL = (
        "out_of_skill",
        "A recipe or a node that asks for more skill than practice gives: at nodes, or at recipes for a skill without "
        "nodes, each time at the best that is open.",
    )
    IDLE_SKILL = ("idle_skill", "A skill that no recipe and no node asks for.")
    IDLE_WORKSHOP = ("idle_workshop", "A workshop of a skill that is needed, but by no recipe.")
    IDLE_EXCHANGE = ("idle_exchange", "A grand exchange in a world where nothing is for sale.")
    ISLAND = (
        "island",
        "Tiles that no edge joins to the land around the start. Heroes move by coordinates and get there; on a map it "
        "looks like a slip.",
    )
    TRANSPARENT = (
        "transparent",
        "A distractor that shows what it is without a look at sources: it is named as an item is, or asks for a skill "
        "or a level that there is not.",
    )
    UNTOLD = ("untold", "A distractor that no task can tell of: the world has no gear of its type and level.")
    NO_TASKS = (
        "no_tasks",
        "No task can be made, or none of a bracket between two of which there are some.",
    )

    definition: str

    def __new__(cls, name: str, definition: str) -> OddityKind:
        """Return a kind with its name as its value."""
        kind = object.__new__(cls)
        # The name alone is the value that rows hold, so that a definition can be reworded.
        kind._value_ = name
        kind.definition = definition
        return kind


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
        return {"kind": self.kind.value, **self.spot._asdict(), "what": self.what, "advice": self.advice}


class Spots:
    """Finds the parts of a world in its documents, which have the world's order."""

    def __init__(self, world: World, name: str) -> None:
        """`name` stands for the world before the names of its files."""
        self._name = name
        # Worlds keep the order of their documents, so a position in a world is the index in its file.
        self._index: dict[str, dict[Any, int]] = {
            "monsters": {code: index for index, code in enumerate(world.monsters)},
            "resources": {code: index for index, code in enumerate(world.resources)},
            "items": {code: index for index, code in enumerate(world.items)},
            "distractors": {code: index for index, code in enumerate(world.distractors)},
            "tiles": {place: index for index, place in enumerate(world.tiles)},
            "skills": {skill: index for index, skill in enumerate(world.skills)},
            "slots": {slot: index for index, slot in enumerate(world.slots)},
            "elements": {element: index for index, element in enumerate(world.elements)},
        }

    def item(self, code: Code, *steps: object) -> Spot:
        """Return the place of an item, or of something in it."""
        return self._spot("items", "items", self._index["items"][code], *steps)

    def distractor(self, code: Code, *steps: object) -> Spot:
        """Return the place of a distractor, or of something in it."""
        return self._spot("distractors", "items", self._index["distractors"][code], *steps)

    def monster(self, code: Code, *steps: object) -> Spot:
        """Return the place of a monster, or of something in it."""
        return self._spot("monsters", "monsters", self._index["monsters"][code], *steps)

    def resource(self, code: Code, *steps: object) -> Spot:
        """Return the place of a resource node, or of something in it."""
        return self._spot("resources", "resources", self._index["resources"][code], *steps)

    def tile(self, place: Place, *steps: object) -> Spot:
        """Return the place of a tile, or of something on it."""
        return self._spot("map", "tiles", self._index["tiles"][place], *steps)

    def listed(self, key: str, name: str) -> Spot:
        """Return the place of one of the world's skills, slots or elements."""
        return self._spot("world", key, self._index[key][name])

    def about(self, *steps: object) -> Spot:
        """Return the place of something about the world as a whole."""
        return self._spot("world", *steps)

    def _spot(self, document: str, *steps: object) -> Spot:
        return Spot(f"{self._name}/{document}.json", json_path(steps))
