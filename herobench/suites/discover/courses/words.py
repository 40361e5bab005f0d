"""The words of told worlds: names of things, new words that mean nothing, codes, and rows that several documents have.

Names end in plain nouns, so that a reader sees the kind of thing. New words are in neither the classic world nor these
lists.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Any

from herobench.suites.rpg.worlds.content import load_world

ELEMENTS = "frost ember storm stone light shadow venom tide thunder void spirit thorn".split()
SKILLS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "metal": ("quarrying", "delving", "prospecting", "digging"),
        "wood": ("logging", "felling", "forestry", "lumbering"),
        "weapon": ("bladesmithing", "weaponsmithing", "armoury", "forging"),
        "armor": ("outfitting", "armorsmithing", "tailoring", "plating"),
        "jewel": ("gemcutting", "goldsmithing", "trinketry", "charmcraft"),
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
NODES: Mapping[str, str] = MappingProxyType({"metal": "Vein", "crystal": "Outcrop", "wood": "Grove"})
RAW: Mapping[str, str] = MappingProxyType({"metal": "Rubble", "wood": "Log", "gem": "Gem"})
REFINED: Mapping[str, str] = MappingProxyType({"metal": "Ingot", "wood": "Board"})
BEASTS = (
    "Prowler Stalker Beetle Drake Wraith Boar Hound Golem Viper Toad Sentinel Brute Harpy Wisp Crawler Raider".split()
)
PARTS = "Hide Fang Claw Shell Scale Husk Marrow Plume Tusk Gland Sinew Tail Ichor Thread".split()
LAND = ("Moor", "Heath", "Marsh", "Dale", "Ridge", "Steppe", "Coast", "Hollow", "Fells", "Wastes")
_OTHER_WORDS = (
    "Shard Fish Shoal Branch Chowder Fillet Roast Broth Tonic Dumpling Tart Porridge Elixir Brew Essence Dust Filament "
    "Core Resin Petal angling netting trawling trapping baking brewing stewing roasting"
).split()
"""Everyday words that no world has, and that no new word may be. Another list would change which words are drawn."""


@cache
def taken_words() -> frozenset[str]:
    """Return the words that no new word may be: those of the classic world, and everyday words."""
    classic = load_world()
    names = [item.name for item in (*classic.items.values(), *classic.distractors.values())]
    names += [monster.name for monster in classic.monsters.values()]
    names += [node.name for node in classic.resources.values()]
    tables = [words for table in (SKILLS, GEAR) for words in table.values()]
    nouns = (table.values() for table in (NODES, RAW, REFINED))
    lists = (*tables, *nouns, ELEMENTS, BEASTS, PARTS, LAND, _OTHER_WORDS, *(name.split() for name in names))
    return frozenset(word for words in lists for word in words)


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


def item_row(code: str, name: str, level: int, kind: str, subtype: str = "") -> dict[str, Any]:
    """Return the row of an item without effects."""
    return {
        "code": code,
        "name": name,
        "level": level,
        "type": kind,
        "subtype": subtype,
        "description": "",
        "effects": {},
    }


def drop(item: str, one_in: int) -> Mapping[str, Any]:
    """Return the drop of one piece of an item."""
    return {"item": item, "one_in": one_in, "min": 1, "max": 1}
