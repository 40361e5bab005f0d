"""Reach: whether the hero of a campaign can come by an item, with what he has by then."""

from __future__ import annotations

from types import MappingProxyType

from herobench.rpg.world import Code
from herobench.task_gen.campaigns.draw import Draw
from herobench.task_gen.gear.candidates import sources
from herobench.task_gen.oracle.outfits import Outfit

_NOTHING: Outfit = MappingProxyType({})


def can_dress(draw: Draw, who: Code, missing: Outfit) -> bool:
    """Return whether the hero can come by gear for a monster; a part of it may help him to win the rest."""
    made: dict[str, Code] = {}
    while len(made) < len(missing):
        left = {slot: code for slot, code in missing.items() if slot not in made}
        more = {slot: code for slot, code in left.items() if not out_of_reach(draw, code, made, who)}
        if not more:
            return False
        made |= more
    return True


def out_of_reach(draw: Draw, code: Code, made: Outfit = _NOTHING, due: Code | None = None) -> bool:
    """Return whether an item takes a drop of a monster that the hero beats in no outfit.

    He may wear pieces that are `made` over what he wears. The monster that is due gives nothing before.
    """
    outfit = {**draw.worn, **made}
    for leaf in sorted((sources(draw.world, code) or frozenset()) - draw.world.nodes.keys()):
        hunted = [who for who in draw.world.droppers.get(leaf, ()) if who != due]
        if not any(who in draw.beaten or draw.fights.beats(who, outfit) for who in hunted):
            return True
    return False
