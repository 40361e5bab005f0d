"""Campaigns: draw several goals in order for a bare hero of the highest level.

The generator calls this. Most goals are kills of monsters of the top levels. A kill is taken only if the hero loses in
what he wears for the goal before, so that he has to change. New gear is made only for a monster that beats him in every
loadout so far. Later goals come back to loadouts in another order. Every goal can be reached with what earlier goals
gave: the hero beats whatever drops a part in a loadout that he has by then.

He has the highest level because he cannot grow then, so whatever proves a goal proves it all along.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from random import Random
from types import MappingProxyType

from herobench.suites.rpg.game.decisions import decisions
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Goal, Mechanics
from herobench.suites.rpg.game.world import Code, World
from herobench.task_gen.rpg.courses.draw import repeats_itself
from herobench.task_gen.rpg.gear.candidates import sources
from herobench.task_gen.rpg.gear.search import Gear
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.loadouts import Loadout, LoadoutFights, placed
from herobench.task_gen.rpg.oracle.planner import campaign_plan
from herobench.task_gen.rpg.oracle.steps import Do
from herobench.task_gen.rpg.tasks.drafts import EXCHANGE, TaskDraft, bare_search
from herobench.task_gen.rpg.tasks.spec import Spec

_FAILURES = 12
"""The number of times in a row that a campaign may come out too long, or end nowhere, before it is given up."""
_WAYS_BACK = range(1, 6)
"""The numbers of goals that are taken back at a dead end."""
TOLERANCE = 0.15
"""The accepted distance from the wanted number of decisions, as a share of it; one decision is always accepted."""
_NEAR = 0.05
"""The distance at which no better length is looked for."""
_CHUNK = 0.7
"""The share of the missing length that is added at once before the length is measured again."""
_SHORTEST_LEVELING = 5
"""Campaigns of fewer decisions have no leveling: they have no room for a visit to another node."""
_TOP = 0.75
"""The top levels are those from this share of the highest level on."""
_SETS = 8
"""The number of smallest winning sets. One of them is drawn for a new monster."""
_NOTHING: Loadout = MappingProxyType({})


class Campaigns:
    """The campaigns of a spec."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self._world = world
        self._rules = rules
        self._spec = spec
        cap = rules.level_cap
        self._hero = HeroStart.bare(world, rules, cap, dict.fromkeys(world.skills, cap))

    def draw(self, index: int, rng: Random) -> TaskDraft | None:
        """Draw a campaign at random. Return None if the draw fails."""
        wanted = self._spec.length(index)
        leveling = self._spec.leveling and (wanted is None or wanted >= _SHORTEST_LEVELING)
        empty = Draw(self._world, LoadoutFights(self._world, self._rules, self._hero), leveling)
        drawn = self._of_length(empty, wanted, rng) if wanted else self._extended(empty, self._spec.goals or 1, rng)
        return self._draft(drawn) if drawn else None

    def _draft(self, draw: Draw) -> TaskDraft:
        first, *then = draw.goals
        draft = TaskDraft(first.kind, first.target, self._hero, first.missing, then=tuple(then))
        return draft.unskilled(self._world) if draw.leveling else draft

    # -- the length -------------------------------------------------------------------------------------------------

    def _of_length(self, draw: Draw, wanted: int, rng: Random) -> Draw | None:
        """Add goals until the oracle's plan has about a number of decisions. Return None if it does not get there."""
        accepted = max(1, TOLERANCE * wanted)
        length = failed = 0
        step = 1
        while failed < _FAILURES and abs(length - wanted) > _NEAR * wanted:
            longer = self._extended(draw, step, rng)
            more = self._decisions(longer) if longer else None
            if longer is None or more is None or more - wanted > (_NEAR * wanted if step > 1 else accepted):
                # Too long: try fewer goals or other ones.
                step = max(1, step // 2)
                failed += 1
                continue
            draw, length, failed = longer, more, 0
            step = max(1, int(_CHUNK * (wanted - length) * len(draw.goals) / length))
        return draw if abs(length - wanted) <= accepted else None

    def _decisions(self, draw: Draw) -> int | None:
        """Return the number of decisions of the oracle's plan, or None if there is no plan."""
        task = self._draft(draw).task(self._world, 0, Mechanics(exchange=EXCHANGE))
        try:
            steps = campaign_plan(self._world, self._rules, task, draw.fights)
        except Unplannable:
            return None
        return decisions((step.action, step.args) for step in steps if isinstance(step, Do))

    # -- the goals --------------------------------------------------------------------------------------------------

    def _extended(self, draw: Draw, number: int, rng: Random) -> Draw | None:
        """Return a campaign with a number of goals more; None if it ends too often before."""
        longer = draw.copy()
        wanted = len(draw.goals) + number
        for _ in range(2 * number + _FAILURES):
            if len(longer.goals) == wanted:
                return longer
            goal = next(self._goals(longer, rng), None)
            if goal:
                longer.add(goal, rng)
            else:
                # A dead end, where each goal would be won as it is or repeat others: leave it by another way.
                longer.back_to(max(0, len(longer.goals) - rng.choice(_WAYS_BACK)))
        return None

    def _goals(self, draw: Draw, rng: Random) -> Iterator[Goal]:
        """Yield goals that may come next, the wanted kind first."""
        kind, share = self._spec.kind, self._spec.craft_share
        crafts = kind == "craft" or (kind == "mixed" and rng.random() < share)
        if crafts:
            yield from self._crafts(draw, rng)
        if kind != "craft":
            yield from self._kills(draw, rng)
        # Without a craft, goals would repeat each other at last.
        if kind == "mixed" and not crafts and share:
            yield from self._crafts(draw, rng)

    def _crafts(self, draw: Draw, rng: Random) -> Iterator[Goal]:
        for code in rng.sample(self._craftable, len(self._craftable)):
            if not draw.repeats(code) and not out_of_reach(draw, code):
                yield Goal("craft", code)

    @cached_property
    def _craftable(self) -> list[Code]:
        return [
            code for code, item in self._world.items.items() if item.recipe and sources(self._world, code) is not None
        ]

    def _kills(self, draw: Draw, rng: Random) -> Iterator[Goal]:
        """Yield kills for which the hero has to change: top levels first, each half in random order."""
        top = _TOP * self._rules.level_cap
        monsters = self._world.monsters.values()
        high = [monster.code for monster in monsters if monster.intended_level >= top]
        low = [monster.code for monster in monsters if monster.intended_level < top]
        for who in (*rng.sample(high, len(high)), *rng.sample(low, len(low))):
            if draw.repeats(who) or draw.fights.beats(who, draw.worn):
                continue
            known = draw.known(who)
            missing = draw.fights.nearest(who, draw.worn, known) if known else self._new(draw, who, rng)
            if missing:
                # In the world's order of slots, so that equal goals have equal bytes.
                slots = (slot for slot in self._world.slots if slot in missing)
                yield Goal("kill", who, MappingProxyType({slot: missing[slot] for slot in slots}))

    def _new(self, draw: Draw, who: Code, rng: Random) -> Loadout | None:
        """Return the gear to put on for a monster that no loadout so far beats; None if one does, or no gear wins."""
        sets = smallest_sets(self._world, self._rules, who) if who not in draw.beaten else ()
        if not sets:
            return None
        missing = draw.fights.least_change(who, draw.worn, placed(self._world, rng.choice(sets), draw.worn))
        return missing if missing and can_equip(draw, who, missing) else None


@lru_cache(maxsize=1000)
def smallest_sets(world: World, rules: Rules, who: Code) -> tuple[Gear, ...]:
    """Return some of the smallest winning sets of a bare hero of the highest level. Campaigns of a world share them."""
    sets: Sequence[Gear] = list(islice(bare_search(world, rules, who, rules.level_cap).minimal_sets(), _SETS))
    return tuple(gear for gear in sets if len(gear) == len(sets[0]))


# -- what the hero can have by then -----------------------------------------------------------------------------------


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


@dataclass
class Draw:
    """One campaign in the making: its goals so far, and the loadout for each."""

    world: World
    fights: LoadoutFights
    leveling: bool = False
    goals: list[Goal] = field(default_factory=list)
    loadouts: list[Loadout] = field(default_factory=list)
    """The gear that the hero wears for each goal, by slot."""
    _beaten: list[frozenset[Code]] = field(default_factory=list)
    _met: set[Code] = field(default_factory=set)

    @property
    def worn(self) -> Loadout:
        """The gear that the hero wears for the last goal so far; nothing before the first one."""
        return self.loadouts[-1] if self.loadouts else _NOTHING

    @property
    def beaten(self) -> frozenset[Code]:
        """The monsters that the hero beats without gear or in what he wears for some goal so far."""
        return self._beaten[-1] if self._beaten else self._beaten_in(_NOTHING)

    def add(self, goal: Goal, rng: Random) -> None:
        """Add a goal."""
        before = self.beaten
        self.goals.append(goal)
        self.loadouts.append(MappingProxyType({**self.worn, **goal.missing}))
        self._beaten.append(before | self._beaten_in(self.worn, before) if goal.missing else before)
        for code in set(goal.missing.values()) - self._met:
            self._met.add(code)
            rng.random()

    def copy(self) -> Draw:
        """Return a copy that can change on its own."""
        return replace(
            self, goals=self.goals[:], loadouts=self.loadouts[:], _beaten=self._beaten[:], _met=set(self._met)
        )

    def back_to(self, number: int) -> None:
        """Keep only the first goals."""
        del self.goals[number:], self.loadouts[number:], self._beaten[number:]

    def known(self, who: Code) -> list[Loadout]:
        """Return the loadouts of the goals to beat a monster."""
        return [loadout for goal, loadout in zip(self.goals, self.loadouts, strict=True) if goal.target == who]

    def repeats(self, target: Code) -> bool:
        """Return whether a goal would make the last goals repeat those before them, which decides nothing new."""
        return repeats_itself([*(goal.target for goal in self.goals), target])

    def _beaten_in(self, loadout: Loadout, known: Collection[Code] = frozenset()) -> frozenset[Code]:
        return frozenset(who for who in self.world.monsters if who not in known and self.fights.beats(who, loadout))
