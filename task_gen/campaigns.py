"""Campaigns: draw several goals in order for a bare hero of the highest level.

The generator calls this. Most goals are kills of monsters of the top levels. A kill is taken only if the hero loses in
what he wears for the goal before, so that he has to change. A new monster must also beat him in every outfit so far, so
that it needs one of its own. Later goals come back to monsters in another order. Every goal can be reached with what
earlier goals gave: the hero beats whatever drops a part in an outfit that he has by then.

The hero cannot grow, so whatever proves a goal proves it all along.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from random import Random
from types import MappingProxyType

from herobench.rpg.decisions import decisions
from herobench.rpg.hero import HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.task import Goal, Mechanics
from herobench.rpg.world import Code, World
from herobench.task_gen.draft import EXCHANGE, Draft
from herobench.task_gen.gear.candidates import sources
from herobench.task_gen.gear.search import Gear
from herobench.task_gen.kill_tasks import bare_search
from herobench.task_gen.knowledge.campaign_decoys import can_be_hidden
from herobench.task_gen.knowledge.decoys import Matchup
from herobench.task_gen.oracle.campaign_plan import campaign_plan
from herobench.task_gen.oracle.outfits import Fights, Outfit, placed
from herobench.task_gen.oracle.steps import Do
from herobench.task_gen.oracle.unplannable import Unplannable
from herobench.task_gen.spec import Spec

_TOP = 0.75
"""The top levels are those from this share of the highest level on."""
_SETS = 8
"""The number of smallest winning sets of which one is drawn for a new monster."""
_TRIES = 60
"""The number of goals that are tried in one place of a campaign before it is given up."""
_WAYS_BACK = range(1, 6)
"""The numbers of goals that are taken back at a dead end."""
TOLERANCE = 0.15
"""The accepted distance from the wanted number of decisions, as a share of it; one decision is always accepted."""
_NEAR = 0.05
"""The distance at which no better length is looked for."""
_CHUNK = 0.7
"""The share of the missing length that is added at once before the length is measured again."""


@dataclass
class _Draw:
    """One campaign in the making."""

    monsters: Collection[Code]
    fights: Fights
    goals: list[Goal] = field(default_factory=list)
    outfits: list[Outfit] = field(default_factory=list)
    """What is worn for each goal."""
    _beaten: list[frozenset[Code]] = field(default_factory=list)

    @property
    def worn(self) -> Outfit:
        """What the hero wears now."""
        return self.outfits[-1] if self.outfits else MappingProxyType({})

    @property
    def beaten(self) -> frozenset[Code]:
        """The monsters that the hero beats in what he wears for some goal so far."""
        return self._beaten[-1] if self._beaten else frozenset()

    def add(self, goal: Goal) -> None:
        """Add a goal."""
        before = self.beaten
        self.goals.append(goal)
        self.outfits.append(MappingProxyType({**self.worn, **goal.missing}))
        won = (who for who in self.monsters if who not in before and self.fights.beats(who, self.worn))
        self._beaten.append(before.union(won) if goal.missing else before)

    def copy(self) -> _Draw:
        """Return a copy that can change on its own."""
        return replace(self, goals=self.goals[:], outfits=self.outfits[:], _beaten=self._beaten[:])

    def become(self, other: _Draw) -> None:
        """Take over the goals of another one."""
        self.goals, self.outfits, self._beaten = other.goals, other.outfits, other._beaten

    def back_to(self, number: int) -> None:
        """Keep only the first goals."""
        del self.goals[number:], self.outfits[number:], self._beaten[number:]

    def known(self, who: Code) -> list[Outfit]:
        """Return the outfits of the goals to beat a monster."""
        return [outfit for goal, outfit in zip(self.goals, self.outfits, strict=True) if goal.target == who]

    def repeats(self, target: Code) -> bool:
        """Return whether a goal would make the last goals repeat those before them, which decides nothing new."""
        order = [*(goal.target for goal in self.goals), target]
        return any(order[-2 * size : -size] == order[-size:] for size in range(1, len(order) // 2 + 1))


class Campaigns:
    """The campaigns of a spec."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self._world = world
        self._rules = rules
        self._spec = spec
        self._hero = HeroStart.bare(world, rules, rules.level_cap, dict.fromkeys(world.skills, rules.level_cap))

    def draw(self, index: int, rng: Random) -> Draft | None:
        """Draw a campaign at random. Return None if the draw fails."""
        draw = _Draw(self._world.monsters, Fights(self._world, self._rules, self._hero))
        wanted = self._spec.length(index)
        done = self._of_length(draw, wanted, rng) if wanted else self._extended(draw, self._spec.goals or 1, rng)
        return self._draft(draw.goals) if done else None

    def _draft(self, goals: Sequence[Goal]) -> Draft:
        first, *then = goals
        return Draft(first.kind, first.target, self._hero, first.missing, then=tuple(then))

    # -- the length -------------------------------------------------------------------------------------------------

    def _of_length(self, draw: _Draw, wanted: int, rng: Random) -> bool:
        """Add goals until the oracle's plan has about a number of decisions. Return whether it has."""
        length, step, accepted = 0, 1, max(1, TOLERANCE * wanted)
        for _ in range(_TRIES):
            if abs(length - wanted) <= _NEAR * wanted:
                break
            longer = draw.copy()
            more = self._decisions(longer) if self._extended(longer, step, rng) else None
            if more is None or more - wanted > (_NEAR * wanted if step > 1 else accepted):
                # Too long: try fewer goals or other ones.
                step = max(1, step // 2)
                continue
            draw.become(longer)
            length = more
            step = max(1, int(_CHUNK * (wanted - length) * len(draw.goals) / length))
        return abs(length - wanted) <= accepted

    def _decisions(self, draw: _Draw) -> int | None:
        """Return the number of decisions of the oracle's plan, or None if there is no plan."""
        task = self._draft(draw.goals).task(self._world, 0, Mechanics(exchange=EXCHANGE))
        try:
            steps = campaign_plan(self._world, self._rules, task, draw.fights)
        except Unplannable:
            return None
        return decisions((step.action, step.args) for step in steps if isinstance(step, Do))

    # -- the goals --------------------------------------------------------------------------------------------------

    def _extended(self, draw: _Draw, number: int, rng: Random) -> bool:
        """Add a number of goals. Return whether there are as many."""
        wanted = len(draw.goals) + number
        for _ in range(2 * number + _TRIES):
            if len(draw.goals) == wanted:
                return True
            goal = next(self._goals(draw, rng), None)
            if goal:
                draw.add(goal)
            else:
                # A dead end, where each goal would be won as it is or repeat others: leave it by another way.
                draw.back_to(max(0, len(draw.goals) - rng.choice(_WAYS_BACK)))
        return False

    def _goals(self, draw: _Draw, rng: Random) -> Iterator[Goal]:
        """Yield goals that may come next, the wanted kind first."""
        spec = self._spec
        crafts = spec.kind == "craft" or (spec.kind == "mixed" and rng.random() < spec.craft_share)
        if crafts:
            yield from self._craft_goals(draw, rng)
        if spec.kind != "craft":
            yield from self._kill_goals(draw, rng)
        if spec.kind == "mixed" and not crafts:
            yield from self._craft_goals(draw, rng)

    def _craft_goals(self, draw: _Draw, rng: Random) -> Iterator[Goal]:
        for code in rng.sample(self._craftable, len(self._craftable)):
            if not draw.repeats(code) and not self._out_of_reach(draw, code):
                yield Goal("craft", code)

    def _kill_goals(self, draw: _Draw, rng: Random) -> Iterator[Goal]:
        """Yield kills for which the hero has to change, those of the top levels first, each half in random order."""
        top = _TOP * self._rules.level_cap
        monsters = self._world.monsters.values()
        high = [monster.code for monster in monsters if monster.intended_level >= top]
        low = [monster.code for monster in monsters if monster.intended_level < top]
        for who in (*rng.sample(high, len(high)), *rng.sample(low, len(low))):
            if draw.repeats(who) or draw.fights.beats(who, draw.worn):
                continue
            known = draw.known(who)
            missing = draw.fights.nearest(who, draw.worn, known) if known else self._new(draw, who, rng)
            if missing and self._can_be_hidden(draw, who, missing):
                slots = (slot for slot in self._world.slots if slot in missing)
                yield Goal("kill", who, MappingProxyType({slot: missing[slot] for slot in slots}))

    def _can_be_hidden(self, draw: _Draw, who: Code, missing: Outfit) -> bool:
        """Return whether the gear of a goal can have decoys, if the tasks have any."""
        if self._spec.knowledge != "decoys":
            return True
        hero = replace(self._hero, worn=draw.worn)
        return can_be_hidden(Matchup(self._world, self._rules, self._world.monsters[who], hero, missing))

    def _new(self, draw: _Draw, who: Code, rng: Random) -> Outfit | None:
        """Return the gear to put on for a monster that no outfit so far beats; None if one does, or no gear wins."""
        sets = smallest_sets(self._world, self._rules, who) if who not in draw.beaten else ()
        if not sets:
            return None
        missing = draw.fights.least_change(who, draw.worn, placed(self._world, rng.choice(sets), draw.worn))
        return missing if missing and self._can_dress(draw, who, missing) else None

    # -- what can be had --------------------------------------------------------------------------------------------

    @cached_property
    def _craftable(self) -> list[Code]:
        return [
            code for code, item in self._world.items.items() if item.recipe and sources(self._world, code) is not None
        ]

    def _can_dress(self, draw: _Draw, who: Code, missing: Outfit) -> bool:
        """Return whether the hero can come by some gear; a part of it may help him to win the rest."""
        made: dict[str, Code] = {}
        while len(made) < len(missing):
            more = {
                slot: code
                for slot, code in missing.items()
                if slot not in made and not self._out_of_reach(draw, code, made, who)
            }
            if not more:
                return False
            made |= more
        return True

    def _out_of_reach(self, draw: _Draw, code: Code, made: Outfit | None = None, due: Code | None = None) -> bool:
        """Return whether an item takes a drop of a monster that the hero beats in no outfit.

        He may wear pieces that are `made` over what he wears. The monster that is due gives nothing before.
        """
        outfit = {**draw.worn, **(made or {})}
        for leaf in sorted((sources(self._world, code) or frozenset()) - self._world.nodes.keys()):
            hunted = [who for who in self._world.droppers.get(leaf, ()) if who != due]
            if not any(who in draw.beaten or draw.fights.beats(who, outfit) for who in hunted):
                return True
        return False


@lru_cache(maxsize=1000)
def smallest_sets(world: World, rules: Rules, who: Code) -> tuple[Gear, ...]:
    """Return some of the smallest winning sets of a bare hero of the highest level. Campaigns of a world share them."""
    sets: Sequence[Mapping[str, Code]] = list(
        islice(bare_search(world, rules, who, rules.level_cap).minimal_sets(), _SETS)
    )
    return tuple(gear for gear in sets if len(gear) == len(sets[0]))
