"""One campaign in the making: its goals so far, what is worn for each, and the gear of rivals that is told as well."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.task import Goal
from herobench.suites.rpg.game.world import Code, World, slot_type
from herobench.task_gen.rpg.campaigns.turns import CampaignTurn
from herobench.task_gen.rpg.gear.candidates import gear_slots, sources
from herobench.task_gen.rpg.oracle.outfits import Outfit, OutfitFights


class CampaignStep(NamedTuple):
    """A goal, and what is told because of it."""

    goal: Goal
    rivals: Collection[Code] = ()
    """The gear of monsters that could have been the goal."""


def kill(world: World, who: Code, missing: Outfit) -> Goal:
    """Return the goal to beat a monster, with the missing gear in the world's order of slots."""
    slots = (slot for slot in world.slots if slot in missing)
    return Goal("kill", who, MappingProxyType({slot: missing[slot] for slot in slots}))


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


@dataclass
class Draw:
    """The goals so far, and what the hero has."""

    world: World
    fights: OutfitFights
    turn: CampaignTurn
    start: Outfit = field(default_factory=lambda: MappingProxyType({}))
    """What the hero wears at the start."""
    goals: list[Goal] = field(default_factory=list)
    outfits: list[Outfit] = field(default_factory=list)
    """What is worn for each goal."""
    searches: int = 0
    """The number of times that a new monster was looked for in vain."""
    _beaten: list[frozenset[Code]] = field(default_factory=list)
    _decoys: list[frozenset[Code]] = field(default_factory=list)
    _owned: dict[Code, bool] = field(default_factory=dict)
    """For each piece of told gear, needed or not, whether it is in the bag at the start."""

    @property
    def worn(self) -> Outfit:
        """What the hero wears now."""
        return self.outfits[-1] if self.outfits else self.start

    @property
    def beaten(self) -> frozenset[Code]:
        """The monsters that the hero beats at the start or in what he wears for some goal so far."""
        return self._beaten[-1] if self._beaten else self._beaten_at_start

    @cached_property
    def _beaten_at_start(self) -> frozenset[Code]:
        return self._beaten_in(self.start)

    @property
    def decoys(self) -> frozenset[Code]:
        """The gear of rivals: monsters that could have been goals in place of those that are."""
        return self._decoys[-1] if self._decoys else frozenset()

    @property
    def needed(self) -> frozenset[Code]:
        """The gear that is put on for the goals."""
        return frozenset(code for goal in self.goals for code in goal.missing.values())

    @property
    def bag(self) -> Mapping[Code, int]:
        """What is in the bag at the start: of each piece, as many as there are slots for it."""
        slots = [slot_type(slot) for slot in gear_slots(self.world)]
        told = sorted(self.needed | self.decoys)
        # As many of every piece, or the number would tell what is needed.
        return {code: slots.count(self.world.items[code].type) for code in told if self._owned.get(code)}

    def add(self, step: CampaignStep, rng: Random) -> None:
        """Add a goal and the gear of its rivals. Chance decides which new gear is in the bag, whoever needs it."""
        goal, rivals = step
        before = self.beaten
        self._decoys.append(self.decoys.union(rivals))
        self.goals.append(goal)
        self.outfits.append(MappingProxyType({**self.worn, **goal.missing}))
        self._beaten.append(before | self._beaten_in(self.worn, before) if goal.missing else before)
        for code in sorted({*goal.missing.values(), *rivals} - self._owned.keys()):
            self._owned[code] = rng.random() < self.turn.stock

    def copy(self) -> Draw:
        """Return a copy that can change on its own."""
        return replace(
            self,
            goals=self.goals[:],
            outfits=self.outfits[:],
            _beaten=self._beaten[:],
            _decoys=self._decoys[:],
            _owned=dict(self._owned),
        )

    def become(self, other: Draw) -> None:
        """Take over what another one has."""
        self.goals, self.outfits, self.searches = other.goals, other.outfits, other.searches
        self._beaten, self._decoys, self._owned = other._beaten, other._decoys, other._owned

    def back_to(self, number: int) -> None:
        """Keep only the first goals."""
        del self.goals[number:], self.outfits[number:], self._beaten[number:], self._decoys[number:]

    @property
    def wardrobe(self) -> list[Outfit]:
        """The outfit of the start, and those of the goals that took new gear."""
        met: set[Code] = set()
        found = [self.start]
        for goal, outfit in zip(self.goals, self.outfits, strict=True):
            if not met.issuperset(goal.missing.values()):
                found.append(outfit)
            met.update(goal.missing.values())
        return found

    def known(self, who: Code) -> list[Outfit]:
        """Return the outfits of the goals to beat a monster."""
        return [outfit for goal, outfit in zip(self.goals, self.outfits, strict=True) if goal.target == who]

    def repeats(self, target: Code) -> bool:
        """Return whether a goal would make the last goals repeat those before them, which decides nothing new."""
        order = [*(goal.target for goal in self.goals), target]
        last = len(order) - 1
        # A block ends with the target, so the one before it does too.
        ends = (end for end in range(last) if order[end] == target)
        return any(order[2 * end - last + 1 : end + 1] == order[end + 1 :] for end in ends if 2 * end >= last - 1)

    def _beaten_in(self, outfit: Outfit, known: Collection[Code] = frozenset()) -> frozenset[Code]:
        return frozenset(who for who in self.world.monsters if who not in known and self.fights.beats(who, outfit))
