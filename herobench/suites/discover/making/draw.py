"""Draws the told part of a land: names of its things and their places. Nothing here knows of secrets."""

from __future__ import annotations

from random import Random

from herobench.suites.discover.game.land import Land
from herobench.suites.discover.game.laws import Laws

_TRAITS = ("ash", "bog", "cliff", "dusk", "ember", "fen", "frost", "glen", "hollow", "marsh", "mist", "moor", "reed",
           "ridge", "salt", "shade", "thorn", "tide", "vale", "wind")  # fmt: skip
_BEASTS = ("adder", "badger", "bat", "boar", "crow", "fox", "goat", "hare", "hound", "lynx", "newt", "otter", "owl",
           "rat", "stag", "toad", "viper", "wasp", "weasel", "wolf")  # fmt: skip
_WARES = ("awl", "bell", "bellows", "bucket", "chisel", "crank", "file", "funnel", "hinge", "hook", "ladder", "ladle",
          "lantern", "lever", "mallet", "pulley", "rope", "sieve", "tongs", "trowel", "wedge", "wheel")  # fmt: skip
_RINGS = ("agate", "amber", "beryl", "bone", "brass", "copper", "coral", "garnet", "horn", "iron", "ivory", "jade",
          "jet", "onyx", "opal", "pearl", "quartz", "ruby", "silver", "tin", "topaz", "zinc")  # fmt: skip
_LORDS = ("baron", "duke", "king", "queen", "regent", "tyrant", "warden")
_ORES = ("cloudsteel", "duskmetal", "moonsilver", "starlead", "stormiron", "suncopper", "voidtin")
_BLADES = ("axe", "blade", "dagger", "lance", "mace", "sabre", "spear", "sword")
_SLAGS, _CLAYS = ("cinder", "dross", "gravel", "rubble", "slag"), ("bark", "clay", "flax", "reed", "timber", "wicker")
_FAR = 5
"""The greatest distance of a place from the start, in each direction."""


def draw_land(laws: Laws, chance: Random) -> Land:
    """Return a land with as many things as the laws have."""
    traits = chance.sample(_TRAITS, laws.lode.things + 2)
    lord_trait, lode_trait, *beast_traits = traits
    beasts = chance.sample(_BEASTS, laws.lode.things)
    fields = [(x, y) for x in range(-_FAR, _FAR + 1) for y in range(-_FAR, _FAR + 1) if (x, y) != (0, 0)]
    return Land(
        beasts=tuple(f"{trait}_{beast}" for trait, beast in zip(beast_traits, beasts, strict=True)),
        wares=tuple(chance.sample(_WARES, laws.forge.things)),
        rings=tuple(f"{metal}_ring" for metal in chance.sample(_RINGS, laws.rings.things)),
        lord=f"{lord_trait}_{chance.choice(_LORDS)}",
        lode=f"{lode_trait}_lode",
        ore=chance.choice(_ORES),
        slag=chance.choice(_SLAGS),
        clay=chance.choice(_CLAYS),
        blade=chance.choice(_BLADES),
        parts=1 + laws.shown[-1].full,
        places=tuple(chance.sample(fields, laws.lode.things + 4)),
    )
