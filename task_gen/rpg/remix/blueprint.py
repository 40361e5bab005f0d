"""The blueprint of a remixed world: how many things of each kind it has at each level.

The tables come from the classic world, by the levels at which it has something new. Sizes below 0.4 have fewer
levels, so that each stays as deep; larger worlds grow in breadth, with more metals, monsters and gear at every level.
Whatever the size, no skill has a gap in its ladder that a hero could not climb.

Names end in plain nouns and everyday words, so that a reader sees the kind of thing. None is taken from the classic
world's elements and skills.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from herobench.data.documents import MOST_EXACT
from herobench.data.errors import UsageError
from herobench.task_gen.rpg.refusals import TaskFault

ELEMENTS = "frost ember storm stone light shadow venom tide thunder void spirit thorn".split()
SKILLS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "metal": ("quarrying", "delving", "prospecting", "digging"),
        "wood": ("logging", "felling", "forestry", "lumbering"),
        "fish": ("angling", "netting", "trawling", "trapping"),
        "weapon": ("bladesmithing", "weaponsmithing", "armoury", "forging"),
        "armor": ("outfitting", "armorsmithing", "tailoring", "plating"),
        "jewel": ("gemcutting", "goldsmithing", "trinketry", "charmcraft"),
        "food": ("baking", "brewing", "stewing", "roasting"),
    }
)
"""Names of skills, by purpose."""
GEAR: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "weapon": ("Saber", "Spear", "Mace", "Hammer", "Glaive", "Flail", "Crossbow", "Rapier", "Scythe", "Cudgel"),
        "shield": ("Buckler", "Targe", "Bulwark", "Aegis", "Pavise", "Guard"),
        "helmet": ("Hood", "Cap", "Visor", "Coif", "Sallet", "Morion", "Cowl"),
        "body_armor": ("Mail", "Tunic", "Cuirass", "Robe", "Hauberk", "Brigandine", "Jerkin"),
        "leg_armor": ("Greaves", "Breeches", "Leggings", "Tassets", "Chausses", "Trousers"),
        "boots": ("Shoes", "Sandals", "Treads", "Sabatons", "Striders"),
        "ring": ("Band", "Loop", "Signet", "Circle", "Coil"),
        "amulet": ("Pendant", "Charm", "Locket", "Torc", "Medallion"),
        "artifact": ("Relic", "Idol", "Orb", "Totem", "Effigy"),
    }
)
"""Nouns for gear, by type."""
STARTER = "Branch"
NODES: Mapping[str, str] = MappingProxyType(
    {"metal": "Vein", "crystal": "Outcrop", "wood": "Grove", "fish": "Shoal"},
)
RAW: Mapping[str, str] = MappingProxyType(
    {"metal": "Rubble", "crystal": "Shard", "wood": "Log", "fish": "Fish", "gem": "Gem"},
)
REFINED: Mapping[str, str] = MappingProxyType({"metal": "Ingot", "wood": "Board"})
BEASTS = (
    "Prowler Stalker Beetle Drake Wraith Boar Hound Golem Viper Toad Sentinel Brute Harpy Wisp Crawler Raider".split()
)
PARTS = "Hide Fang Claw Shell Scale Husk Marrow Plume Tusk Gland Sinew Tail Ichor Thread".split()
RESTORING = ("Chowder", "Fillet", "Roast", "Broth")
BOOSTING = ("Tonic", "Dumpling", "Tart", "Porridge", "Elixir", "Brew")
LAND = ("Moor", "Heath", "Marsh", "Dale", "Ridge", "Steppe", "Coast", "Hollow", "Fells", "Wastes")
UNKNOWN = ("Essence", "Dust", "Filament", "Core", "Resin", "Petal")
"""Nouns for the ingredients of distractors, which no world has."""


def everyday_words() -> Iterator[str]:
    """Yield all of these words, which no dialect may make."""
    yield from (*ELEMENTS, *BEASTS, *PARTS, *RESTORING, *BOOSTING, *LAND, *UNKNOWN, STARTER)
    for table in (SKILLS, GEAR):
        for words in table.values():
            yield from words
    for names in (NODES, RAW, REFINED):
        yield from names.values()


_ONSETS = "b c d f g h j k l m n p qu r s t th v w y z".split()
_CLUSTERS = "br cl dr fl gl gr kr pl pr sk sl st tr".split()
_VOWELS = "a e i o u".split()
_LONG_VOWELS = "ae ea ia oa au".split()
_CODAS = "l m n r s th x nd rn sk ld rk".split()
_OFFENSIVE = "anal anus cum cunt fag fuc fuk jew nazi nig porn rap sex shit slut tit".split()
"""Parts that no word may have, since they could offend readers."""
_LETTERS = range(4, 10)


class WordSource:
    """The source of new words for one world."""

    def __init__(self, chance: Random, reserved_words: Collection[str]) -> None:
        self._chance = chance
        self._taken = {word.lower() for word in reserved_words}
        self._onsets = chance.sample(_ONSETS, 14)
        self._clusters = chance.sample(_CLUSTERS, 6)
        self._vowels = [*_VOWELS, *_VOWELS, *chance.sample(_LONG_VOWELS, 2)]
        self._codas = ["", "", *chance.sample(_CODAS, 6)]

    def word(self) -> str:
        """Return a new word, with a capital."""
        while True:
            word = self._draw_word(self._chance.choice((2, 2, 2, 3)))
            # Drawn again until it fits: rejecting keeps the words as likely as the grammar makes them.
            is_free = word not in self._taken and not any(part in word for part in _OFFENSIVE)
            if len(word) in _LETTERS and is_free:
                self._taken.add(word)
                return word.capitalize()

    def _draw_word(self, syllables: int) -> str:
        """Draw a word of a number of syllables. Two consonants begin a syllable only after a vowel, or first of all."""
        word, coda = "", ""
        for _ in range(syllables):
            onsets = self._onsets if coda else [*self._onsets, *self._clusters]
            coda = self._chance.choice(self._codas)
            word += self._chance.choice(onsets) + self._chance.choice(self._vowels) + coda
        return word


def spell_code(name: str) -> str:
    """Return the code of a thing with a name."""
    return "_".join(name.lower().split())


FORMAT = 1
"""The version of the remix. Raise it with any change after which a wish makes another world."""
SIZES = (0.1, 20.0)
"""The smallest and the largest size; 1 is the size of the classic world."""


class Wish(NamedTuple):
    """The seed and the size that a user asks for."""

    seed: int
    size: float = 1.0

    @classmethod
    def of(cls, text: str) -> Wish:
        """Read a wish from its text. Raises UsageError for any other text."""
        seed, colon, size = text.partition(":")
        if not (seed.isascii() and seed.isdecimal()) or len(seed) > len(str(MOST_EXACT)):
            raise UsageError(TaskFault.NO_SEED, most=MOST_EXACT, seed=seed)
        try:
            return cls(int(seed), float(size) if colon else 1.0).check()
        except ValueError:
            raise UsageError(TaskFault.NO_SIZE, least=SIZES[0], most=SIZES[1], size=size) from None

    def check(self) -> Wish:
        """Return the wish. Raises UsageError if there is no such world."""
        if not 0 <= self.seed <= MOST_EXACT:
            raise UsageError(TaskFault.NO_SEED, most=MOST_EXACT, seed=str(self.seed))
        if not SIZES[0] <= self.size <= SIZES[1]:
            raise UsageError(TaskFault.NO_SIZE, least=SIZES[0], most=SIZES[1], size=str(self.size))
        return Wish(self.seed, float(self.size))

    def chance(self, purpose: str) -> Random:
        """Return the random source of one part of the work. Each part has its own, so no part disturbs another."""
        seed_text = f"remix {FORMAT} {self.seed} {self.size!r} {purpose}"
        return Random(int.from_bytes(hashlib.sha256(seed_text.encode()).digest(), "big"))  # noqa: S311 - reproducible chance

    @property
    def code(self) -> str:
        """The code of the world."""
        return f"remix_{self.seed}" + ("" if self.size == 1 else f"_size_{self._factor.replace('.', '_')}")

    @property
    def options(self) -> str:
        """The command-line options for this wish."""
        return f"--seed {self.seed} --size {self._factor}"

    @property
    def _factor(self) -> str:
        return repr(self.size).removesuffix(".0")


LEVELS = (1, 5, 10, 15, 20, 25, 30, 35, 40)
"""The levels at which something new appears."""
LONGEST_STEP = 10
"""The largest number of levels between two steps of a skill: beyond it the lower step teaches nothing."""
CLASSIC_ITEMS = 208

_COUNTS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "weapon": (2, 4, 5, 3, 4, 3, 4, 3, 2),
        "shield": (1, 0, 1, 0, 1, 0, 1, 0, 4),
        "helmet": (1, 0, 3, 2, 4, 0, 4, 2, 1),
        "body_armor": (0, 2, 3, 1, 3, 2, 2, 2, 1),
        "leg_armor": (0, 1, 2, 0, 3, 2, 2, 2, 0),
        "boots": (1, 0, 2, 1, 1, 0, 2, 0, 0),
        "ring": (1, 0, 1, 5, 4, 0, 5, 0, 0),
        "amulet": (0, 1, 2, 0, 2, 4, 0, 3, 0),
        "artifact": (0, 0, 0, 0, 0, 0, 2, 0, 0),
        "metal": (1, 0, 1, 0, 1, 0, 1, 1, 0),
        "crystal": (0, 0, 0, 1, 1, 0, 0, 0, 0),
        "wood": (1, 0, 1, 0, 1, 0, 1, 1, 0),
        "fish": (1, 0, 1, 0, 1, 0, 1, 0, 1),
        "gem": (1, 0, 2, 0, 1, 0, 1, 2, 0),
        "boost": (0, 1, 4, 1, 1, 0, 0, 0, 1),
        "monster": (3, 3, 3, 1, 2, 4, 5, 3, 1),
    }
)
"""The number of new things of each kind at each level, in a world of size 1."""
_WINNING: tuple[tuple[int, ...], ...] = (
    (1, 1, 3),
    (1, 1, 7),
    (4, 4, 6),
    (5,),
    (3, 6),
    (6, 7, 8, 9),
    (3, 4, 6, 7, 9),
    (9, 9, 11),
    (10,),
)
"""The sizes of the smallest winning sets against the monsters of each level."""
_LADDERS = (("weapon",), ("helmet", "body_armor"), ("ring", "amulet"), ("metal",), ("wood",), ("fish",))
"""The kinds that make the steps of each skill. A missing step is filled with the first kind."""
_ITEMS_OF = {"metal": 2, "wood": 2, "fish": 2, "monster": 1.4}
"""The number of items that come with one thing of a kind; 1 for the other kinds."""
_TILES, _FEWEST_TILES = 350, 25
_LEVELS_PER_SIZE = 20
_DENSITIES = range(100, 30, -5)
"""The percentages of the wanted density that are tried."""


@dataclass(frozen=True)
class Blueprint:
    """The number of things of each kind in a world."""

    levels: tuple[int, ...]
    counts: Mapping[str, tuple[int, ...]]
    """The number of new things of each kind at each of the levels."""
    tiles: int

    @classmethod
    def of(cls, size: float) -> Blueprint:
        """Build the blueprint for a size: as dense as possible without more items than the size allows."""
        number = min(len(LEVELS), 1 + int(_LEVELS_PER_SIZE * size + 0.5))
        dense = size * _items(_COUNTS, len(LEVELS)) / _items(_COUNTS, number)
        plans = (cls._of_density(LEVELS[:number], dense * percent / 100, size) for percent in _DENSITIES)
        # Of equal plans min takes the first, which is the densest.
        return min(plans, key=lambda plan: max(0, _items(plan.counts, number) - size * CLASSIC_ITEMS))

    @classmethod
    def _of_density(cls, levels: tuple[int, ...], density: float, size: float) -> Blueprint:
        """Build the blueprint of a density, with the things that no world can do without."""
        counts = {kind: _thin(row[: len(levels)], density) for kind, row in _COUNTS.items()}
        counts["monster"] = tuple(max(1, count) for count in counts["monster"])
        for kinds in _LADDERS:
            _close_gaps(counts, kinds, levels)
        return cls(levels, MappingProxyType(counts), max(_FEWEST_TILES, round(_TILES * size)))

    def winning_sizes(self, step: int) -> list[int]:
        """Return the wanted sizes of the smallest winning sets against the monsters of a step."""
        number, sizes = self.counts["monster"][step], _WINNING[step]
        return [sizes[(2 * index + 1) * len(sizes) // (2 * number)] for index in range(number)]


def _items(counts: Mapping[str, Sequence[int]], number: int) -> float:
    """Return the number of items at the first levels."""
    return sum(_ITEMS_OF.get(kind, 1) * sum(row[:number]) for kind, row in counts.items())


def _thin(row: Sequence[int], density: float) -> tuple[int, ...]:
    """Return a row times a density, with sums up to each level as near as whole numbers allow."""
    sums = [int(sum(row[: index + 1]) * density + 0.5) for index in range(len(row))]
    return tuple(now - before for now, before in zip(sums, [0, *sums], strict=False))


def _close_gaps(counts: dict[str, tuple[int, ...]], kinds: Sequence[str], levels: Sequence[int]) -> None:
    """Add the steps that a ladder lacks: it must begin at level 1, with no step that is too high."""
    last = 1 - LONGEST_STEP
    for step, level in enumerate(levels):
        following = levels[step + 1] if step + 1 < len(levels) else level
        if any(counts[kind][step] for kind in kinds):
            last = level
        elif following - last > LONGEST_STEP:
            counts[kinds[0]] = (*counts[kinds[0]][:step], 1, *counts[kinds[0]][step + 1 :])
            last = level
