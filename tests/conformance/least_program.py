"""A lower bound on the decisions of a published task over all ways to win: a program that every winning plan satisfies.

A plan uses some sources of items: nodes, monsters, recipes, the exchange. The program has a variable for each, with
the decisions that any plan pays for it: a move to its place and an action there. A fight that is repeated is one
decision, and so is a gathering of any size, so amounts do not count. The program requires:

- each item that a craft takes, or the hero wears, has a source; a skill that is too low was raised by easier work;
- the target, and each hunted monster that beats the hero as he starts, is beaten in some loadout of all gear and food,
  with the health and level that victories over others can give;
- each piece is put on once, and each piece that it replaces is taken off.

What is left out only makes plans longer: the order of the work, second visits, gear that is changed twice. For each
weapon and number of rounds a fight is linear, except for food. A loadout that loses in the duel is cut off, with all
that are no better. The solver is HiGHS, in floats: all numbers are integers, so its tolerance is far from one decision.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Fighter, Rules, duel
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, Recipe, World, slot_type
from herobench.task_gen.rpg.gear.candidates import add

Name = tuple[Hashable, ...]
"""The name of a variable: its kind, such as `hunt`, and what it is about."""
Answer = tuple[int, frozenset[Name]]
"""The least cost, and the variables that are not 0."""
PERCENT = 100


class Program:
    """An integer program whose variables are 0 or 1, or up to a given number."""

    def __init__(self) -> None:
        self.number: dict[Name, int] = {}
        self._costs: list[int] = []
        self._most: list[int] = []
        self._rows: list[tuple[dict[int, int], int]] = []
        self.amounts: dict[Name, int] = {}
        """The variables of the last solution that are not 0."""

    def variable(self, *name: Hashable, cost: int = 0, most: int = 1) -> Name:
        """Return a variable, a new one if there is none of the name."""
        if name not in self.number:
            self.number[name] = len(self.number)
            self._costs.append(cost)
            self._most.append(most)
        return name

    def at_least(self, terms: Mapping[Name, int], least: int) -> None:
        """Require that a weighted sum is at least a number."""
        self._rows.append(({self.number[name]: weight for name, weight in terms.items()}, least))

    def forbid(self, name: Name) -> None:
        """Fix a variable at 0."""
        self._most[self.number[name]] = 0

    def allows(self, name: Name) -> bool:
        """Return whether a variable exists and is not fixed."""
        return name in self.number and self._most[self.number[name]] > 0

    def cost(self, names: Iterable[Name]) -> int:
        """Return the sum of the costs of some variables."""
        return sum(self._costs[self.number[name]] for name in names)

    def only_if(self, name: Name, causes: Iterable[Name]) -> None:
        """Require that a variable is at most the sum of some others."""
        self.at_least({**dict.fromkeys(causes, 1), name: -1}, 0)

    def solve(self) -> Answer:
        """Return the least cost of a solution. Raises ValueError if the solver finds none."""
        cells = [(row, column, weight) for row, (terms, _) in enumerate(self._rows) for column, weight in terms.items()]
        rows, columns, weights = zip(*cells, strict=True)
        matrix = csr_array((weights, (rows, columns)), shape=(len(self._rows), len(self.number)), dtype=float)
        limits = LinearConstraint(matrix, [least for _, least in self._rows], np.inf)
        bounds = Bounds(0, np.array(self._most))
        found = milp(self._costs, constraints=limits, bounds=bounds, integrality=np.ones(len(self._costs)))
        if found.x is None:
            raise ValueError(found.message)
        self.amounts = {name: amount for name, number in self.number.items() if (amount := round(found.x[number]))}
        return math.ceil(found.mip_dual_bound - 1e-6), frozenset(self.amounts)


class WinProgram(Program):
    """The program of one task under its own rules."""

    def __init__(self, world: World, rules: Rules, task: Task, most: int | None = None) -> None:
        """Build the program of all plans, or of those of at most so many decisions."""
        super().__init__()
        self._world, self._rules, self._task = world, rules, task
        self._hero = Hero(world, task.hero)
        self._bare = Hero(world, replace(task.hero, worn={})).stats
        assert not any((*self._bare.attack, *self._bare.damage, *self._bare.resistance)), "a bare hero has health alone"
        self._room = Counter(map(slot_type, world.slots))
        self._sources: dict[Code, list[Name]] = defaultdict(list)
        self._recipes: dict[Code, Recipe] = {}
        self._options: dict[Code, dict[Name, Item]] = {}
        ground = world.tiles if rules.ground is None else {(x, y) for x, y in rules.ground}
        self._open = {tile.content for place, tile in world.tiles.items() if place in ground and tile.content}
        self._add_sources()
        self._add_crafts()
        self._add_levels()
        self._ending = 2 if task.kind == "kill" else 0
        if most is not None:
            self._limit(most - self._ending)
        self._aim()

    def least(self) -> Answer:
        """Return the bound, and what a plan may use that meets it."""
        while True:
            cost, used = self.solve()
            for who in [str(name[1]) for name in used if name[0] == "hunt"]:
                if who not in self._options and not duel(self._hero.fighter(), *self._foe(who)).won:
                    self._add_fight(who)
                    break
            else:
                fights = [who for who in self._options if who == self._task.target or ("hunt", who) in used]
                if not [who for who in fights if self._cut(who, used)]:
                    return cost + self._ending, used

    # -- sources of items -------------------------------------------------------------------------------------------

    def _is_open(self, kind: str, code: Code = "") -> bool:
        return any(content.type == kind and code in ("", content.code) for content in self._open)

    def _give(self, source: Name, items: Iterable[Code]) -> None:
        for code in items:
            self._sources[code].append(source)

    def _add_sources(self) -> None:
        world, task = self._world, self._task
        for node in world.resources.values():
            if self._is_open("resource", node.code):
                self._give(self.variable("gather", node.code, cost=2), (drop.item for drop in node.drops))
        for who in world.monsters.values():
            if self._is_open("monster", who.code) and who.code != task.target:
                self._give(self.variable("hunt", who.code, cost=2), (drop.item for drop in who.drops))
        if self._is_open("grand_exchange"):
            exchange = self.variable("exchange", "", cost=1)
            for code in world.exchange_sells if self._rules.for_sale is None else self._rules.for_sale:
                self._give(self.variable("buy", code, cost=1), [code])
                self.only_if(("buy", code), [exchange])
        for slot, code in task.hero.worn.items():
            self._give(self.variable("off", slot, cost=1), [code])

    def _add_crafts(self) -> None:
        """Add the crafts whose ingredients all have a source, and the pieces to put on."""
        left = {item.code: item.recipe for item in self._world.items.values() if item.recipe}
        while ready := [code for code, recipe in left.items() if recipe.ingredients.keys() <= self._sources.keys()]:
            for code in ready:
                recipe = left.pop(code)
                shop = recipe.skill if self._rules.workshop == "matching" else ""
                if self._is_open("workshop", shop):
                    self._recipes[code] = recipe
                    self._give(self.variable("craft", code, cost=1), [code])
                    self.only_if(("craft", code), [self.variable("shop", shop, cost=1)])
        for code, recipe in self._recipes.items():
            for part in recipe.ingredients:
                self.only_if(("craft", code), self._sources[part])
        for code in [code for code in self._sources if self._world.items[code].type in self._room]:
            many = {source: 1 if source[0] == "off" else 3 for source in self._sources[code]}
            self.at_least({**many, self.variable("on", code, cost=1, most=3): -1}, 0)

    def _limit(self, most: int) -> None:
        """Require a cost of at most a number, and leave out the crafts and pieces that alone take more."""
        self.at_least({name: -cost for name in self.number if (cost := self.cost([name]))}, -most)
        known: dict[Code, frozenset[Name]] = {}
        for name in list(self.number):
            if name[0] == "craft" and self.cost(self._needs(name, known)) > most:
                self.forbid(name)
            if name[0] == "on" and self.cost({name, *self._landmarks(str(name[1]), known)}) > most:
                self.forbid(name)

    def _landmarks(self, code: Code, known: dict[Code, frozenset[Name]]) -> frozenset[Name]:
        """Return the variables without which an item cannot be had."""
        if code not in known:
            known[code] = frozenset.intersection(*(self._needs(source, known) for source in self._sources[code]))
        return known[code]

    def _needs(self, source: Name, known: dict[Code, frozenset[Name]]) -> frozenset[Name]:
        """Return a source with all that it cannot do without."""
        if source[0] == "buy":
            return frozenset({source, ("exchange", "")})
        if source[0] != "craft":
            return frozenset({source})
        recipe = self._recipes[str(source[1])]
        shop = ("shop", recipe.skill if self._rules.workshop == "matching" else "")
        return frozenset({source, shop}).union(*(self._landmarks(part, known) for part in recipe.ingredients))

    # -- what the hero learns ---------------------------------------------------------------------------------------

    def _add_levels(self) -> None:
        """Find who teaches each combat level, and require easier work where a skill is too low."""
        start = self._task.hero.combat[0]
        teachers = [str(name[1]) for name in self.number if name[0] == "hunt"]
        self._levels = range(start + 1, self._rules.level_cap + 1)
        self._teachers = {
            level: [who for who in teachers if self._rules.xp_gain(level - 1, self._world.monsters[who].level)]
            for level in self._levels
        }
        work = {name: self._demand(name) for name in self.number if name[0] in ("gather", "craft")}
        for name, (skill, level) in work.items():
            if self._hero.skills[skill].level < level:
                easier = [(other, lower) for other, (same, lower) in work.items() if same == skill and lower < level]
                self.only_if(name, [other for other, lower in easier if self._rules.xp_gain(level - 1, lower)])

    def _add_levels_before(self, who: Code) -> None:
        """Add the levels that the hero may have before he beats a monster: others have taught them, one by one."""
        for level in self._levels:
            teachers = [("hunt", other) for other in self._teachers[level] if other != who]
            self.only_if(self.variable("level", who, level), teachers)
            if level > self._levels.start:
                self.only_if(("level", who, level), [("level", who, level - 1)])

    def _demand(self, name: Name) -> tuple[str, int]:
        code = str(name[1])
        work = self._world.resources[code] if name[0] == "gather" else self._recipes[code]
        return work.skill, work.level

    # -- fights -----------------------------------------------------------------------------------------------------

    def _aim(self) -> None:
        target = self._task.target
        if self._task.kind == "kill":
            self._add_fight(target)
            return
        mentioned = self._rules.craft_credit == "mention"
        crafts = [code for code in self._recipes if code == target or (mentioned and target in code)]
        self.at_least({("craft", code): 1 for code in crafts}, 1)

    def _foe(self, who: Code) -> tuple:
        return self._world.monsters[who].stats, self._rules.rounds

    def _add_fight(self, who: Code) -> None:
        """Require that a monster is beaten, if it is the target or hunted."""
        options = self._options[who] = self._options_for(who)
        foe, _ = self._foe(who)
        turns = {number: self.variable("rounds", who, number) for number in self._rounds(who, self._known(who))}
        weapons = [name for name, item in options.items() if item.type == "weapon"]
        for needed in (turns.values(), weapons):
            self._require_if(who, dict.fromkeys(needed, 1), 1)
        base, hurt = PERCENT * self._bare.hp, PERCENT * sum(foe.attack)
        wards = {name: _product(foe.attack, item.worn.resistance) for name, item in options.items()}
        worst = hurt - sum(min(0, ward) for ward in wards.values())
        # the fewest hits after which he can have lost half of his health, and eats
        half = base // (2 * worst) + 1
        for number, turn in turns.items():
            terms = {("level", who, level): PERCENT * self._rules.hp_per_level for level in self._levels}
            for name, item in options.items():
                eaten = max(0, number - 1 - half) * item.eaten.restore
                terms[name] = PERCENT * (item.worn.hp + item.eaten.hp + eaten) + (number - 1) * wards[name]
            slack = max(0, (number - 1) * worst - base)
            self._require_health(who, {**terms, turn: -slack}, (number - 1) * hurt - base - slack)
        for weapon in weapons:
            attack = options[weapon].worn.attack
            fixed = PERCENT * sum(attack) - _product(attack, foe.resistance)
            terms = {
                name: _product(attack, item.worn.damage) + _product(attack, item.eaten.damage)
                for name, item in options.items()
            }
            terms |= {turn: PERCENT * foe.hp // -number for number, turn in turns.items()}
            slack = max(0, max((-terms[turn] for turn in turns.values()), default=0) - fixed)
            self.at_least({**terms, weapon: terms[weapon] - slack}, -fixed - slack)

    def _require_health(self, who: Code, terms: Mapping[Name, int], least: int) -> None:
        """Require that the hero stands until a round, in hundredths of a point of health."""
        self.at_least(terms, least)

    def _require_if(self, who: Code, terms: Mapping[Name, int], least: int) -> None:
        """Require a sum, of a hunted monster only if it is hunted; weights and the sum are at least 0 otherwise."""
        is_target = who == self._task.target
        self.at_least(terms if is_target else {**terms, ("hunt", who): -1}, least if is_target else least - 1)

    def _options_for(self, who: Code) -> dict[Name, Item]:
        """Return the variables of what may be worn or eaten against a monster: all that has a source beside it."""
        self._add_levels_before(who)
        options: dict[Name, Item] = {}
        for slot, code in self._task.hero.worn.items():
            kept = self.variable("kept", who, slot)
            self._require_if(who, {("off", slot): 1, kept: 1}, 1)
            if who == self._task.target:
                self.at_least({("off", slot): -1, kept: -1}, -1)
            options[kept] = self._world.items[code]
        for code in sorted(self._had_without(who)):
            item = self._world.items[code]
            if not self.allows(("on", code)):
                continue
            copies = [self.variable("wears", who, code, copy) for copy in range(self._room[item.type])]
            self.at_least({("on", code): 1, **dict.fromkeys(copies, -1)}, 0)
            for one, more in pairwise(copies):
                self.only_if(more, [one])
            if item.level in self._levels:
                self.only_if(copies[0], [("level", who, item.level)])
            options |= dict.fromkeys(copies, item)
        for kind, room in self._room.items():
            self.at_least({name: -1 for name, item in options.items() if item.type == kind}, -room)
        return options

    def _had_without(self, who: Code) -> set[Code]:
        """Return the items that the hero can have before he beats a monster."""
        had = {code for code, sources in self._sources.items() for source in sources
               if source[0] != "craft" and source != ("hunt", who)}  # fmt: skip
        while more := {code for code, recipe in self._recipes.items() if recipe.ingredients.keys() <= had} - had:
            had |= more
        return had

    # -- loadouts that lose -----------------------------------------------------------------------------------------

    def _known(self, who: Code) -> set[Name]:
        """Return all pieces and levels that may serve against a monster."""
        return {*self._options[who], *(("level", who, level) for level in self._levels)}

    def _cut(self, who: Code, used: Collection[Name]) -> bool:
        """Return whether the loadout of a fight loses, and if so require another.

        If he loses for sure, whatever is left off, other pieces are added as long as he does, and more is required.
        """
        everything = self._known(who)
        known = everything.intersection(used)
        if self._rounds(who, known):
            if self._wins(who, known):
                return False
            self._require_if(who, *self._another(who, known, {}))
            return True
        for name in sorted(everything - known, key=lambda name: self._worth(who, name)):
            if not self._rounds(who, known | {name}):
                known.add(name)
        self._require_if(who, dict.fromkeys(everything - known, 1), 1)
        return True

    def _another(self, who: Code, known: Collection[Name], servings: Mapping[Name, int]) -> tuple[dict[Name, int], int]:
        """Return a sum and its least value that every loadout has but one that loses, and what is surely no better.

        With less health he would eat earlier, and might win. But pieces that only make hits harder may be left off, and
        as many of them added with which he still loses.
        """
        fixed, allowed = {name for name in known if not self._only_hits(who, name)}, set(known)
        for name in sorted(self._known(who) - allowed, key=lambda name: self._worth(who, name)):
            if self._only_hits(who, name):
                allowed.add(name)
                if self._wins(who, allowed, servings):
                    allowed.remove(name)
        terms = {**dict.fromkeys(self._known(who) - allowed, 1), **dict.fromkeys(fixed, -1)}
        return terms, 1 - len(fixed)

    def _only_hits(self, who: Code, name: Name) -> bool:
        """Return whether a piece only makes hits harder."""
        item = self._options[who].get(name)
        if item is None or item.type == CONSUMABLE or min(item.worn.damage) < 0:
            return False
        return not any((item.worn.hp, *item.worn.resistance, *item.worn.attack))

    def _worth(self, who: Code, name: Name) -> tuple[int, str]:
        """Return how much work is in a piece, to add those with little work first, and levels last."""
        item = self._options[who].get(name)
        return len(self._world.everything_in(item.code)) if item else PERCENT, str(name)

    def _wins(self, who: Code, known: Collection[Name], servings: Mapping[Name, int] = MappingProxyType({})) -> bool:
        """Return whether he wins with exactly these pieces and levels, and with full stacks where none are given."""
        items = {name: item for name, item in self._options[who].items() if name in known}
        stats = add(self._bare, *(item.worn for item in items.values()))
        grown = self._rules.hp_per_level * (len(known) - len(items))
        food = {name: item.eaten for name, item in items.items() if item.type == CONSUMABLE}
        boosts = tuple(map(sum, zip(*(boost.damage for boost in food.values()), strict=True)))
        full = self._rules.stack_limit
        meals = tuple((boost.restore, servings.get(name, full)) for name, boost in food.items() if boost.restore)
        fighter = Fighter(stats._replace(hp=stats.hp + grown), sum(boost.hp for boost in food.values()), boosts, meals)
        return duel(fighter, *self._foe(who)).won

    def _rounds(self, who: Code, known: Collection[Name]) -> range:
        """Return the numbers of rounds in which he may win with some of these pieces, the best in each number."""
        foe, most = self._foe(who)
        pieces: dict[str, list[Item]] = defaultdict(list)
        for name, item in self._options[who].items():
            if name in known:
                pieces[item.type].append(item)
        grown = len(known) - sum(map(len, pieces.values()))

        def best(number: Callable[[Item], int]) -> int:
            return sum(
                sum(sorted((max(0, number(item)) for item in items), reverse=True)[: self._room[kind]])
                for kind, items in pieces.items()
            )

        health = PERCENT * (
            self._bare.hp + self._rules.hp_per_level * grown + best(lambda item: item.worn.hp + item.eaten.hp)
        )
        restored = PERCENT * best(lambda item: item.eaten.restore)
        gains = [best(lambda item, e=e: item.worn.damage[e] + item.eaten.damage[e]) for e in range(len(foe.attack))]
        wards = [best(lambda item, e=e: item.worn.resistance[e]) for e in range(len(foe.attack))]
        hurt = PERCENT * sum(foe.attack) - _product(foe.attack, wards)
        shares = [PERCENT + gain - ward for gain, ward in zip(gains, foe.resistance, strict=True)]
        hit = max((_product(item.worn.attack, shares) for item in pieces["weapon"]), default=0)
        if hit <= 0:
            return range(0)
        first = -(-PERCENT * foe.hp // hit)
        fallen = (hits for hits in range(1, most) if hurt > 0 and falls(health, hurt, restored, hits))
        return range(first, min(most, next(fallen, most)) + 1)


def falls(health: int, hurt: int, restored: int, hits: int) -> bool:
    """Return whether nobody with at most some health stands after some hits.

    He eats in each round that he begins with less than half of his health. Who has less health eats earlier, so of all
    with no more health the best is taken, for each number of hits before the first meal.
    """
    return all(
        min(health, 2 * hungry * hurt) + restored * (hits - hungry) < hits * hurt for hungry in range(1, hits + 1)
    )


def _product(some: Iterable[int], others: Iterable[int]) -> int:
    return sum(one * other for one, other in zip(some, others, strict=True))
