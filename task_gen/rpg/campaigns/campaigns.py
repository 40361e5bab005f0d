"""Campaigns: draw several goals in order for a hero of the highest level, or of a few levels less.

The generator calls this. Most goals are kills of monsters of the top levels. A kill is taken only if the hero loses in
what he wears for the goal before, so that he has to change. New gear is made only for a monster that beats him in every
loadout so far. Later goals come back to loadouts in another order. Every goal can be reached with what earlier goals
gave: the hero beats whatever drops a part in a loadout that he has by then.

A hero of the highest level cannot grow, so whatever proves a goal proves it all along. Of a hero who can, every goal is
drawn so that he wins with the health of the start, and needs all of its gear with the health of the highest level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice
from random import Random
from types import MappingProxyType

from herobench.suites.rpg.game.decisions import decisions
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Goal, Mechanics
from herobench.suites.rpg.game.world import Code, World, slot_type
from herobench.task_gen.rpg.campaigns.draw import CampaignStep, Draw, campaign_turn, can_equip, kill, out_of_reach
from herobench.task_gen.rpg.campaigns.hidden_kills import HiddenKills, is_hidden, misleads_greedy
from herobench.task_gen.rpg.gear.candidates import gear_slots, sources
from herobench.task_gen.rpg.gear.search import Gear
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.campaign_plan import campaign_plan
from herobench.task_gen.rpg.oracle.loadouts import Loadout, LoadoutFights, placed
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


class Campaigns:
    """The campaigns of a spec."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        self._world = world
        self._rules = rules
        self._spec = spec
        self._hides = spec.knowledge == "decoys" and spec.kind != "craft"
        self._hero = self._lacking(0)
        self._plain_kills = PlainKills(world, rules)

    @cached_property
    def _hidden_kills(self) -> HiddenKills:
        return HiddenKills(self._world, self._rules, self._hero)

    def draw(self, index: int, rng: Random) -> TaskDraft | None:
        """Draw a campaign at random. Return None if the draw fails."""
        turn = campaign_turn(self._spec, index, rng)
        hero = self._lacking(turn.lacking)
        growth = self._hero.stats["hp"] - hero.stats["hp"]
        fights = LoadoutFights(self._world, self._rules, hero, growth)
        draw = Draw(self._world, fights, turn)
        if self._hides:
            first = self._hidden_kills.begin(draw, rng)
            if first is None:
                return None
            draw.add(first, rng)
            # If the first goal hides its gear, the campaign does. So a draw that does not is given up early.
            if not self._is_hidden(draw, rng):
                return None
        wanted = turn.decisions
        done = self._of_length(draw, wanted, rng) if wanted else self._extended(draw, self._spec.goals or 1, rng)
        return self._draft(draw) if done and self._is_hidden(draw, rng) else None

    def _lacking(self, levels: int) -> HeroStart:
        """Return the hero with some levels less than the highest."""
        cap = self._rules.level_cap
        return HeroStart.bare(self._world, self._rules, cap - levels, dict.fromkeys(self._world.skills, cap))

    def _draft(self, draw: Draw) -> TaskDraft:
        first, *then = draw.goals
        hero = replace(draw.fights.hero, worn=draw.start, inventory=MappingProxyType(dict(draw.bag)))
        decoys = tuple(sorted(draw.decoys - draw.needed))
        draft = TaskDraft(
            first.kind,
            first.target,
            hero,
            first.missing,
            then=tuple(then),
            is_short=self._hides and not then,
            decoys=decoys,
            leveling=draw.turn.leveling,
        )
        return draft.unskilled(self._world) if draft.leveling else draft

    def _is_hidden(self, draw: Draw, rng: Random) -> bool:
        """Return whether the gear cannot be found by a rule of thumb, if the tasks have decoys."""
        if not self._hides:
            return True
        task = self._draft(draw).task(self._world, 0, Mechanics(exchange=EXCHANGE))
        told = draw.needed | draw.decoys
        if draw.turn.misleading and not misleads_greedy(self._world, self._rules, task, told):
            return False
        return is_hidden(self._world, self._rules, task, told, rng)

    # -- the length -------------------------------------------------------------------------------------------------

    def _of_length(self, draw: Draw, wanted: int, rng: Random) -> bool:
        """Add goals until the oracle's plan has about a number of decisions. Return whether it has."""
        accepted = max(1, TOLERANCE * wanted)
        length = self._decisions(draw) if draw.goals else 0
        if length is None:
            return False
        step = 1
        failed = 0
        while failed < _FAILURES and abs(length - wanted) > _NEAR * wanted:
            longer = draw.copy()
            more = self._decisions(longer) if self._extended(longer, step, rng) else None
            if more is None or more - wanted > (_NEAR * wanted if step > 1 else accepted):
                # Too long: try fewer goals or other ones.
                step = max(1, step // 2)
                failed += 1
                continue
            draw.become(longer)
            length, failed = more, 0
            step = max(1, int(_CHUNK * (wanted - length) * len(draw.goals) / length))
        return abs(length - wanted) <= accepted

    def _decisions(self, draw: Draw) -> int | None:
        """Return the number of decisions of the oracle's plan, or None if there is no plan."""
        task = self._draft(draw).task(self._world, 0, Mechanics(exchange=EXCHANGE))
        try:
            steps = campaign_plan(self._world, self._rules, task, draw.fights.of_now)
        except Unplannable:
            return None
        return decisions((step.action, step.args) for step in steps if isinstance(step, Do))

    # -- the goals --------------------------------------------------------------------------------------------------

    def _extended(self, draw: Draw, number: int, rng: Random) -> bool:
        """Add a number of goals. Return whether there are as many."""
        wanted = len(draw.goals) + number
        for _ in range(2 * number + _FAILURES):
            if len(draw.goals) == wanted:
                return True
            step = next(self._goals(draw, rng), None)
            if step:
                draw.add(step, rng)
            else:
                # A dead end, where each goal would be won as it is or repeat others: leave it by another way.
                draw.back_to(max(bool(draw.start), len(draw.goals) - rng.choice(_WAYS_BACK)))
        return False

    def _goals(self, draw: Draw, rng: Random) -> Iterator[CampaignStep]:
        """Yield goals that may come next, the wanted kind first, each with the gear of its rivals."""
        kind = self._spec.kind
        crafts = kind == "craft" or (kind == "mixed" and rng.random() < draw.turn.craft_share)
        if crafts:
            yield from self._craft_goals(draw, rng)
        if kind != "craft":
            yield from (self._hidden_kills if self._hides else self._plain_kills).steps(draw, rng)
        # Without a craft, goals would repeat each other at last. What hides gear hides nothing in a craft.
        if kind == "mixed" and not crafts and draw.turn.craft_share:
            yield from self._craft_goals(draw, rng)

    def _craft_goals(self, draw: Draw, rng: Random) -> Iterator[CampaignStep]:
        for code in self._to_craft(draw, rng):
            if not draw.repeats(code) and not out_of_reach(draw, code):
                yield CampaignStep(Goal("craft", code))

    def _to_craft(self, draw: Draw, rng: Random) -> Iterator[Code]:
        """Yield what a craft goal may ask for, in random order."""
        wanted = self._craftable
        if self._hides:
            # Gear that is told only for a craft would stand out among the told gear, so such gear is told already.
            told, gear = draw.needed | draw.decoys, {slot_type(slot) for slot in gear_slots(self._world)}
            wanted = [code for code in wanted if code in told or self._world.items[code].type not in gear]
        yield from rng.sample(wanted, len(wanted))

    @cached_property
    def _craftable(self) -> list[Code]:
        return [
            code for code, item in self._world.items.items() if item.recipe and sources(self._world, code) is not None
        ]


# -- kill goals that tell only what is needed -------------------------------------------------------------------------

_TOP = 0.75
"""The top levels are those from this share of the highest level on."""
_SETS = 8
"""The number of smallest winning sets. One of them is drawn for a new monster."""


class PlainKills:
    """The kill goals of a world."""

    def __init__(self, world: World, rules: Rules) -> None:
        self._world = world
        self._rules = rules

    def steps(self, draw: Draw, rng: Random) -> Iterator[CampaignStep]:
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
                yield CampaignStep(kill(self._world, who, missing))

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
