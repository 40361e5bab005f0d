"""The least actions of a course over all ways to win, for a hero who can get nothing but the told things.

`validate` proves lengths with this. It shares no code with the maker of courses: it knows only the game's rules, the
task and its world. It lists all gear that the hero can come by, tries every loadout of it against every monster of the
goals, and adds up the least that each kind of action takes:

- changes of gear: a table with an entry for each loadout holds the fewest actions after which the hero wears it, and is
  carried from fight to fight;
- work: a piece without which some goal cannot be won has to be made, and so has all that only its recipe gives;
- fights and moves: each goal, each hunt that this work takes, and each place that has to be visited.

No action is of two kinds, so the sums add up.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.combat_batch import Fighters, duels, stat_rows
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Goal, Task
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, Monster, Stats, World, slot_type
from herobench.task_gen.rpg.gear.candidates import stat_numbers

Table = NDArray[np.int64]
Wins = NDArray[np.bool_]
Stop = tuple[str, str]

_NEVER = 1 << 40
_MOST_LOADOUTS, _MOST_HUNTS = 50_000, 6
"""A proof with more would take too long: there is a table of all loadouts for each set of hunts that are over."""


class Unprovable(Exception):
    """The proof does not cover a task; the message says why."""


def all_ways_bound(world: World, rules: Rules, task: Task) -> int:
    """Return the bound for a task under its own rules. Raises Unprovable if the proof does not cover the task."""
    return _Proof(world, rules, task).bound()


class _Proof:
    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self._world = world
        self._rules = rules
        self._task = task
        self._won: dict[Code, Wins] = {}
        self._essential: dict[Code, set[Code]] = {}
        # a hero who dies wakes at the start of the world, also where that is not told
        places = (*task.knowledge.places, task.hero.place, world.start)
        self._here = {(content.type, content.code) for place in places if (content := world.tiles[place].content)}
        self._check()

    def bound(self) -> int:
        """Add up what each kind of action takes at least."""
        needed = self._needed_codes()
        work = _Work(self._world, self._rules, self._task, self._sources, needed)
        due = {who: self._deadline(pieces) for who, pieces in work.hunted.items()}
        # a monster that a goal asks for before is not hunted
        deadlines = {who: number for who, number in due.items() if who not in self.kills[:number]}
        if len(deadlines) > _MOST_HUNTS:
            raise Unprovable("there are too many hunts")
        fights = sum(goal.kind == "kill" for goal in self._task.goals) + len(deadlines)
        return self._changes(deadlines) + fights + work.gatherings + work.crafts + self._moves(work, deadlines)

    # -- what the proof covers --------------------------------------------------------------------------------------

    def _check(self) -> None:
        rules, task = self._rules, self._task
        world = self._world
        slots = Counter(slot_type(slot) for slot in self._slots)
        foes = [world.monsters[code] for kind, code in self._here if kind == "monster"]
        has_food = any(world.items[code].type == CONSUMABLE for code in self._sources)
        reasons = {
            "the hero can leave the told places": task.mechanics.ground != "told",
            "the craft of another item can win": rules.craft_credit != "exact",
            "drops fall by chance": rules.drops != "sure",
            "the hero's level is not the highest": task.hero.combat[0] < rules.level_cap,
            "the exchange sells something": bool(task.knowledge.sold) or rules.for_sale is None,
            "there is food": has_food or bool(task.hero.consumables),
            "two slots take the same gear": max(slots.values(), default=0) > 1,
            "some gear has a number below 0": any(min(stat_numbers(item.worn)) < 0 for item in self._gear),
            "some hits heal a monster": any(number > 100 for foe in foes for number in foe.stats.resistance),
            "there are round effects": any(thing.round_effects for thing in self._fighting(foes)),
            "there are too many loadouts": math.prod(map(len, self.options)) > _MOST_LOADOUTS,
        }
        for reason, holds in reasons.items():
            if holds:
                raise Unprovable(reason)

    def _fighting(self, foes: Iterable[Monster]) -> Iterator[Stats]:
        yield from (item.worn for item in self._gear)
        yield from (foe.stats for foe in foes)

    @cached_property
    def _sources(self) -> Mapping[Code, frozenset[Stop]]:
        """The items that the hero can come by, each with the places that give it; of what he has, `("bag", "")` too."""
        world, hero = self._world, self._task.hero
        stops_by_item: dict[Code, set[Stop]] = {code: {("bag", "")} for code in (*hero.worn.values(), *hero.inventory)}
        for kind, things in (("monster", world.monsters), ("resource", world.resources)):
            for code, thing in things.items():
                if (kind, code) in self._here:
                    for drop in thing.drops:
                        stops_by_item.setdefault(drop.item, set()).add((kind, code))
        recipes = {item.code: item.recipe for item in world.items.values() if item.recipe}
        recipes = {code: recipe for code, recipe in recipes.items() if self._has_workshop(("workshop", recipe.skill))}
        while ready := [code for code, recipe in recipes.items() if recipe.ingredients.keys() <= stops_by_item.keys()]:
            for code in ready:
                stops_by_item.setdefault(code, set()).add(("workshop", recipes.pop(code).skill))
        return {code: frozenset(places) for code, places in stops_by_item.items()}

    def _has_workshop(self, shop: Stop) -> bool:
        if self._rules.workshop == "matching":
            return shop in self._here
        return any(kind == "workshop" for kind, _ in self._here)

    # -- loadouts ---------------------------------------------------------------------------------------------------

    @cached_property
    def _slots(self) -> list[str]:
        return [slot for slot in self._world.slots if slot_type(slot) != CONSUMABLE]

    @cached_property
    def _gear(self) -> list[Item]:
        types = {slot_type(slot) for slot in self._slots}
        return [item for code in sorted(self._sources) if (item := self._world.items[code]).type in types]

    @cached_property
    def options(self) -> list[list[Item | None]]:
        """For each slot the gear that may be in it, and None if it is empty at the start. No piece makes him weaker."""
        options: list[list[Item | None]] = []
        for slot in self._slots:
            pieces: list[Item | None] = [item for item in self._gear if item.type == slot_type(slot)]
            options.append(pieces if slot in self._task.hero.worn else [*pieces, None])
        return options

    @cached_property
    def _fighters(self) -> Fighters:
        """The hero in each loadout, in the order of the table."""
        bare = Hero(self._world, self._task.hero)
        worn = [self._world.items[code].worn for code in self._task.hero.worn.values()]
        base = stat_rows([bare.stats])[0] - stat_rows(worn).sum(axis=0) if worn else stat_rows([bare.stats])[0]
        total = base[None, :]
        for options in self.options:
            rows = np.array([stat_rows([item.worn])[0] if item else np.zeros(len(base)) for item in options])
            total = (total[:, None, :] + rows[None, :, :]).reshape(-1, len(base))
        return Fighters.of(total)

    @cached_property
    def _shape(self) -> tuple[int, ...]:
        return tuple(map(len, self.options))

    def wins(self, who: Code) -> Wins:
        """Return the table of the loadouts that beat a monster."""
        if who not in self._won:
            rules, foe = self._rules, self._world.monsters[who].stats
            outcomes = duels(self._fighters, foe, rules.rounds, rules.first, rules.ward, rules.unit).won
            self._won[who] = outcomes.reshape(self._shape)
        return self._won[who]

    @cached_property
    def kills(self) -> list[Code]:
        return [goal.target for goal in self._task.goals if goal.kind == "kill"]

    def _needs(self, who: Code) -> set[Code]:
        """Return the pieces without which a monster cannot be beaten."""
        if who not in self._essential:
            wins = self.wins(who)
            essential: set[Code] = set()
            for axis, options in enumerate(self.options):
                others = tuple(other for other in range(len(self._shape)) if other != axis)
                useful_items = np.flatnonzero(wins.any(axis=others))
                if len(useful_items) == 1 and (item := options[int(useful_items[0])]):
                    essential.add(item.code)
            self._essential[who] = essential
        return self._essential[who]

    def _needed_codes(self) -> set[Code]:
        """Return the pieces that the hero has to come by."""
        needed = set[Code]().union(*(self._needs(who) for who in dict.fromkeys(self.kills)))
        return {code for code in needed if ("bag", "") not in self._sources[code]}

    def _deadline(self, pieces: set[Code]) -> int:
        """Return the number of the first kill that needs one of some pieces."""
        return next(number for number, who in enumerate(self.kills) if self._needs(who) & pieces)

    # -- the fewest changes -----------------------------------------------------------------------------------------

    def _changes(self, deadlines: Mapping[Code, int]) -> int:
        """Return the fewest changes with which all goals and hunts are won, each hunt before its goal."""
        hunts = list(deadlines)
        start = np.full(self._shape, _NEVER, np.int64)
        start[self._start] = 0
        # the tables by the hunts that are over, as bits
        tables = {0: start}
        for number, who in enumerate(self.kills):
            for beaten in range(1 << len(hunts)):
                for hunt, prey in enumerate(hunts):
                    if beaten in tables and not beaten >> hunt & 1 and number <= deadlines[prey]:
                        after = _after(tables[beaten], self.wins(prey), self.options)
                        more = beaten | 1 << hunt
                        tables[more] = np.minimum(tables[more], after) if more in tables else after
            due = reduce(int.__or__, (1 << hunt for hunt, prey in enumerate(hunts) if deadlines[prey] <= number), 0)
            tables = {
                beaten: _after(table, self.wins(who), self.options)
                for beaten, table in tables.items()
                if beaten & due == due
            }
        least = min((int(table.min()) for table in tables.values()), default=_NEVER)
        if least >= _NEVER:
            raise Unprovable("no loadout wins")
        return least

    @property
    def _start(self) -> tuple[int, ...]:
        worn = self._task.hero.worn
        codes = [[item.code if item else None for item in options] for options in self.options]
        return tuple(some.index(worn.get(slot)) for slot, some in zip(self._slots, codes, strict=True))

    # -- moves ------------------------------------------------------------------------------------------------------

    def _moves(self, work: _Work, hunts: Mapping[Code, int]) -> int:
        stops = [self._stop(goal) for goal in self._task.goals]
        visits = 1 + sum(one != other for one, other in pairwise(stops))
        others = {("resource", node) for node in work.nodes} | {("monster", who) for who in hunts}
        others |= {self._workshop(skill) for skill in work.skills}
        content = self._world.tiles[self._task.hero.place].content
        again = work.gatherings - len(work.nodes)
        return visits + len(others.difference(stops)) + again - (content is not None)

    def _stop(self, goal: Goal) -> Stop:
        if goal.kind == "kill":
            return "monster", goal.target
        recipe = self._world.recipe_of(goal.target)
        assert recipe, "a craft has a recipe"
        return self._workshop(recipe.skill)

    def _workshop(self, skill: str) -> Stop:
        return "workshop", skill if self._rules.workshop == "matching" else ""


class _Work:
    """The gathering, hunting and crafting that every way to win needs: for everything with a single source."""

    def __init__(
        self, world: World, rules: Rules, task: Task, sources: Mapping[Code, frozenset[Stop]], needed: set[Code]
    ) -> None:
        self.nodes: set[Code] = set()
        self.skills: set[str] = set()
        self.hunted: dict[Code, set[Code]] = {}
        """The monsters whose drops pieces of gear take, with these pieces."""
        self._world = world
        self._rules = rules
        self._sources = sources
        self._needed_codes = needed
        self._due = Counter(goal.target for goal in task.goals if goal.kind == "craft")
        self._crafts = Counter(self._due)
        for code in needed:
            self._take(code, code)
        for code in self._due:
            self._take_parts(code, "")

    @cached_property
    def gatherings(self) -> int:
        """The least number of gatherings: one for each visit of a node."""
        dry = self._rules.dry
        return sum(-(-self._swings(node) // dry) for node in self.nodes) if dry else len(self.nodes)

    def _swings(self, node: Code) -> int:
        """Return the least number of swings at a node."""
        drops = (drop for drop in self._world.resources[node].drops if len(self._sources[drop.item]) == 1)
        return max(-(-self._pieces(drop.item) // drop.least) for drop in drops)

    def _pieces(self, code: Code) -> int:
        """Return the least number of pieces of an item that the hero has to come by."""
        uses = int(code in self._needed_codes)
        for other in self._crafts:
            if (recipe := self._world.recipe_of(other)) and code in recipe.ingredients:
                uses += self._pieces(other) * recipe.ingredients[code]
        return max(self._due[code], uses)

    @property
    def crafts(self) -> int:
        """The least number of crafts."""
        return self._crafts.total()

    def _take(self, code: Code, piece: Code) -> None:
        """Count what an item takes that goes into a piece of gear, or into a goal if the piece is empty."""
        if len(self._sources[code]) > 1:
            return
        ((kind, source),) = self._sources[code]
        if kind == "resource":
            self.nodes.add(source)
        elif kind == "monster" and piece:
            self.hunted.setdefault(source, set()).add(piece)
        elif kind == "workshop":
            self._crafts[code] = max(1, self._due[code])
            self.skills.add(source)
            self._take_parts(code, piece)

    def _take_parts(self, code: Code, piece: Code) -> None:
        recipe = self._world.recipe_of(code)
        for part in recipe.ingredients if recipe else ():
            self._take(part, piece)


def _after(table: Table, wins: Wins, options: Sequence[Sequence[Item | None]]) -> Table:
    """Return the table after changes of any number of slots, and a fight that some loadouts win."""
    for axis, pieces in enumerate(options):
        table = _after_change(table, axis, pieces[-1] is None)
    after: Table = np.where(wins, table, _NEVER)
    return after


def _after_change(table: Table, axis: int, may_be_empty: bool) -> Table:
    """Return the table after a change of one slot, or none: to empty it and to fill it take an action each."""
    if not may_be_empty:
        least: Table = np.minimum(table, table.min(axis=axis, keepdims=True) + 2)
        return least
    full, empty = np.split(table, [table.shape[axis] - 1], axis=axis)
    fullest = full.min(axis=axis, keepdims=True)
    full = np.minimum(np.minimum(full, fullest + 2), empty + 1)
    return np.concatenate([full, np.minimum(empty, fullest + 1)], axis=axis)
