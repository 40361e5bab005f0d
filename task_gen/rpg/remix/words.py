"""The plain nouns and everyday words of remixed worlds: names end in them, so that a reader sees the kind of thing.

None is taken from the classic world's elements and skills.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from random import Random
from types import MappingProxyType

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

    def __init__(self, chance: Random, taken: Collection[str]) -> None:
        self._chance = chance
        self._taken = {word.lower() for word in taken}
        self._onsets = chance.sample(_ONSETS, 14)
        self._clusters = chance.sample(_CLUSTERS, 6)
        self._vowels = [*_VOWELS, *_VOWELS, *chance.sample(_LONG_VOWELS, 2)]
        self._codas = ["", "", *chance.sample(_CODAS, 6)]

    def word(self) -> str:
        """Return a new word, with a capital."""
        while True:
            word = self._drawn(self._chance.choice((2, 2, 2, 3)))
            # Drawn again until it fits: rejecting keeps the words as likely as the grammar makes them.
            if len(word) in _LETTERS and word not in self._taken and not _offends(word):
                self._taken.add(word)
                return word.capitalize()

    def _drawn(self, syllables: int) -> str:
        """Draw a word of a number of syllables. Two consonants begin a syllable only after a vowel, or first of all."""
        word, coda = "", ""
        for _ in range(syllables):
            onsets = self._onsets if coda else [*self._onsets, *self._clusters]
            coda = self._chance.choice(self._codas)
            word += self._chance.choice(onsets) + self._chance.choice(self._vowels) + coda
        return word


def _offends(word: str) -> bool:
    return any(part in word for part in _OFFENSIVE)


def code_of(name: str) -> str:
    """Return the code of a thing with a name."""
    return "_".join(name.lower().split())
