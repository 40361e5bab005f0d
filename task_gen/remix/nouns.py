"""The plain nouns and everyday words of remixed worlds: names end in them, so that a reader sees the kind of thing.

None is taken from the classic world's elements and skills.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
