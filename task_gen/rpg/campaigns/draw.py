"""One campaign in the making: its goals so far, the loadout for each, and the gear of rivals that is told as well.

Campaigns of wanted lengths take turns at what else makes them hard, so that length can be told from it. The lengths lie
on a ladder of rungs, evenly over their logarithm. On each rung the share of craft goals takes its turn, and with it the
number of missing pieces: a craft goal takes steps and no gear. Short campaigns are short because the hero has the told
gear already and wears a loadout. If a share of the campaigns is to have leveling, it is the same on each rung, and in
each turn of the crafts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.task import Goal
from herobench.suites.rpg.game.world import Code, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots, sources
from herobench.task_gen.rpg.oracle.loadouts import Loadout, LoadoutFights
from herobench.task_gen.rpg.tasks.spec import Spec

_SHARES = (2.0, 1.0, 0.0)
"""The factors on the share of craft goals, turn by turn."""
_SETS = (4, 8, 16)
"""The most sets of gear of a campaign, turn by turn: with few of them, goals come back to gear that is there."""
_MISLEADING_PLACES = (0, 2, 4)
"""Of five campaigns that follow each other on a rung, those that mislead a greedy player. Equipped heroes seldom do."""
_STARTS_EQUIPPED = 24
"""The hero of a campaign of fewer decisions is equipped for the first goal, but for a few slots."""
_TRAINING = 2
"""The decisions that it takes to fight for a level: to go and to fight."""
_SHORTEST = 5
"""Shorter campaigns have no leveling: to fight for a level and to swap one piece takes six decisions."""
MOST_LACKING = 10
"""The most levels that a hero lacks to the highest one. From monsters of the top levels he can learn all of them."""
_FEW_LACKING = 5
"""The same for an equipped hero, who wears most of the gear that the first goal takes."""
_STOCKED = 16
"""The hero of a campaign of fewer decisions has all told gear."""


class CampaignTurn(NamedTuple):
    """What one campaign is drawn by, beside the options that all of them share."""

    decisions: int | None
    """None if the number of goals is given."""
    craft_share: float
    stock: float = 0.0
    """The share of told gear that is in the bag at the start."""
    sets: int = 16
    """The most goals that take new gear."""
    swapped: int = 0
    """The number of slots that hold something else at the start than what the first goal takes."""
    emptied: int = 0
    """The number of slots that hold nothing. If both are 0, he is equipped for another monster."""
    misleading: bool = False
    """True if a player must lose who computes fights, but changes one slot at a time."""
    leveling: bool = False
    """True if the hero's gathering skills start at 1."""
    lacking: int = 0
    """The number of levels that the hero lacks to the highest one at the start."""


def campaign_turn(spec: Spec, index: int, rng: Random) -> CampaignTurn:
    """Return the turn of a campaign."""
    turn = _without_leveling(spec, index, rng)
    if not _has_leveling(spec, index):
        return turn
    # A hero who starts bare beats nobody, so he could not fight for levels.
    if spec.knowledge != "decoys" or spec.kind == "craft":
        return turn._replace(leveling=True)
    is_equipped = turn.decisions is not None and turn.decisions < _STARTS_EQUIPPED
    return turn._replace(leveling=True, lacking=rng.randint(1, _FEW_LACKING if is_equipped else MOST_LACKING))


def _has_leveling(spec: Spec, index: int) -> bool:
    """Return whether a campaign has leveling: of each rung the wanted share, in each turn of the crafts alike."""
    decisions = spec.length(index)
    if not spec.leveling or (decisions is not None and decisions < _SHORTEST):
        return False
    number = spec.place(index) // len(_SHARES) if spec.decisions else index
    return round((number + 1) * spec.leveling_share) > round(number * spec.leveling_share)


def _without_leveling(spec: Spec, index: int, rng: Random) -> CampaignTurn:
    decisions = spec.length(index)
    share = {"kill": 0.0, "craft": 1.0, "mixed": spec.craft_share}[spec.kind]
    if decisions is None or spec.knowledge != "decoys":
        return CampaignTurn(decisions, share, spec.stock or 0.0)
    turn = spec.place(index) % len(_SHARES)
    crafts = min(1.0, share * _SHARES[turn]) if spec.stock is None else share
    stock = rng.choice(_stocks(decisions)) if spec.stock is None else spec.stock
    if decisions < _STOCKED:
        # To fill a slot is one step, to swap what is in it two; then he goes and fights.
        steps = max(2, decisions - 2 - (_TRAINING if _has_leveling(spec, index) else 0))
        swapped = rng.randint(-(-steps // 3), steps // 2)
        return CampaignTurn(decisions, 0.0, 1.0, _SETS[turn], swapped, steps - 2 * swapped)
    if decisions < _STARTS_EQUIPPED:
        return CampaignTurn(decisions, crafts, stock, _SETS[turn], rng.randint(2, 5), rng.randint(0, 2))
    return CampaignTurn(decisions, crafts, stock, _SETS[turn], misleading=spec.place(index) % 5 in _MISLEADING_PLACES)


def _stocks(decisions: int) -> tuple[float, ...]:
    """Return the shares of told gear that may be in the bag: to make all of a new loadout takes over 100 decisions."""
    if decisions < 64:
        return (1.0,)
    return (0.5, 1.0) if decisions < 200 else (0.0, 0.5)


# -- the draw ---------------------------------------------------------------------------------------------------------


class CampaignStep(NamedTuple):
    """A goal, and what is told because of it."""

    goal: Goal
    rivals: Collection[Code] = ()
    """The gear of monsters that could have been the goal."""


def kill(world: World, who: Code, missing: Loadout) -> Goal:
    """Return the goal to beat a monster, with the missing gear in the world's order of slots."""
    slots = (slot for slot in world.slots if slot in missing)
    return Goal("kill", who, MappingProxyType({slot: missing[slot] for slot in slots}))


_NOTHING: Loadout = MappingProxyType({})


def can_equip(draw: Draw, who: Code, missing: Loadout) -> bool:
    """Return whether the hero can come by gear for a monster; a part of it may help him to win the rest."""
    made: dict[str, Code] = {}
    while len(made) < len(missing):
        left = {slot: code for slot, code in missing.items() if slot not in made}
        more = {slot: code for slot, code in left.items() if not out_of_reach(draw, code, made, who)}
        if not more:
            return False
        made |= more
    return True


def out_of_reach(draw: Draw, code: Code, made: Loadout = _NOTHING, due: Code | None = None) -> bool:
    """Return whether an item takes a drop of a monster that the hero beats in no loadout.

    He may wear pieces that are `made` over what he wears. The monster that is due gives nothing before.
    """
    loadout = {**draw.worn, **made}
    for leaf in sorted((sources(draw.world, code) or frozenset()) - draw.world.nodes.keys()):
        hunted = [who for who in draw.world.droppers.get(leaf, ()) if who != due]
        if not any(who in draw.beaten or draw.fights.beats(who, loadout) for who in hunted):
            return True
    return False


def repeats_itself(order: Sequence[object]) -> bool:
    """Return whether the last things of a list repeat those right before them."""
    length = len(order)
    # A block ends with the last thing, so the one before it does too.
    sizes = (size for size in range(1, length // 2 + 1) if order[-1 - size] == order[-1])
    return any(order[length - 2 * size : length - size] == order[length - size :] for size in sizes)


@dataclass
class Draw:
    """The goals so far, and what the hero has."""

    world: World
    fights: LoadoutFights
    turn: CampaignTurn
    start: Loadout = field(default_factory=lambda: MappingProxyType({}))
    """What the hero wears at the start."""
    goals: list[Goal] = field(default_factory=list)
    loadouts: list[Loadout] = field(default_factory=list)
    """What is worn for each goal."""
    searches: int = 0
    """The number of times that no new monster was found."""
    _beaten: list[frozenset[Code]] = field(default_factory=list)
    _decoys: list[frozenset[Code]] = field(default_factory=list)
    _owned: dict[Code, bool] = field(default_factory=dict)
    """For each piece of told gear, needed or not, whether it is in the bag at the start."""

    @property
    def worn(self) -> Loadout:
        """What the hero wears now."""
        return self.loadouts[-1] if self.loadouts else self.start

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
        self.loadouts.append(MappingProxyType({**self.worn, **goal.missing}))
        self._beaten.append(before | self._beaten_in(self.worn, before) if goal.missing else before)
        for code in sorted({*goal.missing.values(), *rivals} - self._owned.keys()):
            self._owned[code] = rng.random() < self.turn.stock

    def copy(self) -> Draw:
        """Return a copy that can change on its own."""
        return replace(
            self,
            goals=self.goals[:],
            loadouts=self.loadouts[:],
            _beaten=self._beaten[:],
            _decoys=self._decoys[:],
            _owned=dict(self._owned),
        )

    def become(self, other: Draw) -> None:
        """Take over what another one has."""
        self.goals, self.loadouts, self.searches = other.goals, other.loadouts, other.searches
        self._beaten, self._decoys, self._owned = other._beaten, other._decoys, other._owned

    def back_to(self, number: int) -> None:
        """Keep only the first goals."""
        del self.goals[number:], self.loadouts[number:], self._beaten[number:], self._decoys[number:]

    @property
    def distinct_loadouts(self) -> list[Loadout]:
        """The loadout at the start, and the loadout of each goal that took new gear."""
        met: set[Code] = set()
        found = [self.start]
        for goal, loadout in zip(self.goals, self.loadouts, strict=True):
            if not met.issuperset(goal.missing.values()):
                found.append(loadout)
            met.update(goal.missing.values())
        return found

    def known(self, who: Code) -> list[Loadout]:
        """Return the loadouts of the goals to beat a monster."""
        return [loadout for goal, loadout in zip(self.goals, self.loadouts, strict=True) if goal.target == who]

    def repeats(self, target: Code) -> bool:
        """Return whether a goal would make the last goals repeat those before them, which decides nothing new."""
        return repeats_itself([*(goal.target for goal in self.goals), target])

    def _beaten_in(self, loadout: Loadout, known: Collection[Code] = frozenset()) -> frozenset[Code]:
        return frozenset(who for who in self.world.monsters if who not in known and self.fights.beats(who, loadout))
