"""The work that is left to a goal: what has to be crafted, and the ways to fetch and hunt what goes into it.

Everything that a recipe needs comes from a resource, from the exchange, from monsters or from the bag. A way says from
where: which stops are made to gather and to buy, and which monsters are hunted. What the search would have to trade off
otherwise is refused here: gear that a recipe uses up, or an item that can be crafted and had in another way too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.rpg.game.world import Code, World, slot_type
from herobench.task_gen.rpg.oracle.requirements import Requirements

_MOST_WAYS = 64
"""The most ways that are looked at."""


class Way(NamedTuple):
    """One way to come by the raw materials."""

    stops: frozenset[tuple[str, Code]]
    """The resources and exchanges to visit."""
    actions: int
    """The gatherings and purchases there."""
    hunts: Mapping[Code, frozenset[Code]]
    """The monsters to hunt, each with the materials that are taken from it."""
    wins: int
    """The victories, over all of them."""


class Unclear(Exception):
    """Raised for work that the search does not cover."""


@dataclass(frozen=True)
class Errand:
    """The work from a state to a goal: beat the target in the goal's gear, or craft it."""

    scene: HeroScene
    gear: Counter[Code]
    """The gear that has to be worn in the last fight, in pieces; empty for a craft."""

    @cached_property
    def stock(self) -> Counter[Code]:
        """What the hero has, in the bag or worn."""
        hero = self.scene.task.hero
        return Counter(hero.inventory) + Counter(hero.worn.values())

    @cached_property
    def crafts(self) -> Mapping[Code, int]:
        """The pieces to craft of each item, ingredients first."""
        return self._needs[0]

    @cached_property
    def raw(self) -> Mapping[Code, int]:
        """The pieces that are lacking of each item without a recipe."""
        return self._needs[1]

    @cached_property
    def _needs(self) -> tuple[Mapping[Code, int], Mapping[Code, int]]:
        task, world = self.scene.task, self._world
        # A goal to craft is reached by the next piece, whatever is in the bag.
        need = Counter(self.gear) if task.kind == "kill" else Counter({task.target: self.stock[task.target] + 1})
        crafts: dict[Code, int] = {}
        raw: dict[Code, int] = {}
        everything = Requirements.of(world, need)
        for code in (*reversed(list(everything.crafts)), *everything.raw):
            lacking = need[code] - self.stock[code]
            recipe = world.recipe_of(code)
            if lacking <= 0:
                continue
            if recipe is None:
                raw[code] = lacking
                continue
            crafts[code] = lacking
            for part, quantity in recipe.ingredients.items():
                need[part] += quantity * lacking
        self._refuse_trade_offs(crafts)
        return dict(reversed(list(crafts.items()))), raw

    def _refuse_trade_offs(self, crafts: Mapping[Code, int]) -> None:
        world, hero = self._world, self.scene.task.hero
        used = {part for code in crafts if (recipe := world.recipe_of(code)) for part in recipe.ingredients}
        types = frozenset(map(slot_type, world.slots))
        if any(code in hero.worn.values() for code in used):
            raise Unclear
        if any(world.items[code].type in types for code in used if code in world.items):
            raise Unclear
        if any(code in world.droppers or code in world.nodes or code in self._sold for code in crafts):
            raise Unclear
        if not all(world.places_of("workshop", recipe.skill) for code in crafts if (recipe := world.recipe_of(code))):
            raise Unclear

    # -- the ways to the raw materials ------------------------------------------------------------------------------

    def ways(self) -> Iterator[Way]:
        """Yield the ways: for each set of monsters that may be hunted, the one with the fewest other actions."""
        droppers = {code: self._droppers(code) for code in self.raw}
        forced = frozenset(
            who for code, some in droppers.items() if len(some) == 1 and not self._fetches(code) for who in some
        )
        free = sorted(frozenset().union(*droppers.values()) - forced)
        if 1 << len(free) > _MOST_WAYS or self.scene.task.target in (*forced, *free):
            raise Unclear
        for size in range(len(free) + 1):
            for some in combinations(free, size):
                yield from self._way(forced.union(some), droppers)

    def _way(self, hunted: frozenset[Code], droppers: Mapping[Code, frozenset[Code]]) -> Iterator[Way]:
        """Yield the best way for each choice of the materials that are taken from the hunted monsters."""
        options = [
            [*([True] if hunted & droppers[code] else []), *([False] if self._fetches(code) else [])]
            for code in self.raw
        ]
        if prod(map(len, options)) > _MOST_WAYS:
            raise Unclear
        for taken in product(*options):
            by_hunt = {code for code, is_hunted in zip(self.raw, taken, strict=True) if is_hunted}
            hunts = {who: frozenset(code for code in by_hunt if who in droppers[code]) for who in sorted(hunted)}
            if all(hunts.values()):
                stops, actions = self._fetched([code for code in self.raw if code not in by_hunt])
                yield Way(stops, actions, hunts, self._fewest_wins(hunts))

    def _fetched(self, codes: list[Code]) -> tuple[frozenset[tuple[str, Code]], int]:
        """Return the stops that give some materials with the fewest actions, and the gatherings and purchases there.

        A gathering gives all that a resource has, a purchase one item. Where the hero is, a stop takes no move.
        """
        choices = [self._fetches(code) for code in codes]
        if prod(map(len, choices)) > _MOST_WAYS:
            raise Unclear
        ways = []
        for chosen in product(*choices):
            bought = sum(kind == "grand_exchange" for kind, _ in chosen)
            nodes = {source for source in chosen if source[0] == "resource"}
            stops = frozenset(chosen)
            ways.append((len(stops) - (self.here in stops) + bought + len(nodes), sorted(stops), bought + len(nodes)))
        _, stops_, actions = min(ways)
        return frozenset(stops_), actions

    def _fewest_wins(self, hunts: Mapping[Code, frozenset[Code]]) -> int:
        """Return the fewest victories, at least one over each monster, that give what is taken from them."""
        gives = {(who, code): self._drop(who, code) for who, codes in hunts.items() for code in codes}
        givers = {code: [who for who in hunts if (who, code) in gives] for _, code in gives}
        wins = Counter(dict.fromkeys(hunts, 1))
        for code, some in givers.items():
            if len(some) == 1:
                wins[some[0]] = max(wins[some[0]], -(-self.raw[code] // gives[some[0], code]))
        more = 0
        open_ended = set[Code]()
        for code, some in givers.items():
            lacking = self.raw[code] - sum(wins[who] * gives[who, code] for who in some)
            if lacking > 0:
                # Further victories may serve two materials at once, which would take a search of its own.
                if open_ended.intersection(some):
                    raise Unclear
                open_ended.update(some)
                more += -(-lacking // max(gives[who, code] for who in some))
        return wins.total() + more

    def _drop(self, who: Code, code: Code) -> int:
        return sum(drop.least for drop in self._world.monsters[who].drops if drop.item == code)

    # -- what there is ----------------------------------------------------------------------------------------------

    @property
    def here(self) -> tuple[str, Code] | None:
        """What stands where the hero is."""
        content = self._world.tiles[self.scene.task.hero.place].content
        return (content.type, content.code) if content else None

    def _fetches(self, code: Code) -> list[tuple[str, Code]]:
        """Return the resources and exchanges that give a material."""
        skills = self.scene.task.hero.skills
        nodes = [self._world.resources[node] for node in self._world.nodes.get(code, ())]
        found = [("resource", node.code) for node in nodes if skills[node.skill][0] >= node.level]
        found = [source for source in found if self._world.places_of(*source)]
        exchanges = sorted(frozenset(self._world.standing("grand_exchange").values()))
        return [*found, *(("grand_exchange", place) for place in exchanges if code in self._sold)]

    def _droppers(self, code: Code) -> frozenset[Code]:
        droppers = self._world.droppers.get(code, ())
        return frozenset(who for who in droppers if self._world.places_of("monster", who))

    @property
    def _sold(self) -> frozenset[Code]:
        return self._world.exchange_sells

    @property
    def _world(self) -> World:
        return self.scene.world
