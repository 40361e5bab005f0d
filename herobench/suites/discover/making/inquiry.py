"""Infers the changes of a world from answers: keeps the changes that agree with all answers, and rates new tests.

An answer depends on few sites. A fight depends on the kind of the monster and on the rules of fights, a craft on the
recipe and on the rule of recipes. So there are two groups of sites in which rules and things are examined together.
For each setting of its rules, a group keeps the facts of each thing that agree with all answers. A move shows what is
at a place, and gathering shows how much a swing gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from herobench.suites.discover.game.families import FAMILIES, RULES_OF_FIGHTS, Change, Site, apply
from herobench.suites.discover.game.mystery import Answer, Call, Exploration, Mystery, thirds
from herobench.suites.rpg.game.combat_batch import Duels, Fighters, Numbers, duels
from herobench.suites.rpg.game.events import OK
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Fighter, duel
from herobench.suites.rpg.game.world import Code, Stats, World

Setting = tuple[Change, ...]
"""Changes of the rules of a group."""
Fact = Change | None
"""A change of a thing; None if it is as told."""
Worn = Mapping[str, Code]
"""The items that the hero wears, by slot."""


def answers_to(fought: Duels, monster: Stats) -> NDArray[np.int8]:
    """Return the answers to fights with a monster: the thirds of its health that are left."""
    return np.where(fought.won, 0, thirds(fought.monster_hp, monster)).astype(np.int8)


class SiteGroup:
    """The sites of some things, and of the rules that are examined together with them."""

    def __init__(self, rules: Iterable[Site], facts: Iterable[Site]) -> None:
        choices = [(None, *site.rivals) for site in rules]
        settings = [tuple(filter(None, combination)) for combination in product(*choices)]
        self.facts: dict[Code, list[Fact]] = {}
        for site in facts:
            self.facts.setdefault(site.things[0], [None]).extend(site.rivals)
        self.alive: dict[Setting, dict[Code, list[Fact]]] = {setting: {} for setting in settings}

    def left(self, setting: Setting, thing: Code) -> list[Fact]:
        """Return the facts of a thing that agree with all answers under a setting."""
        return self.alive[setting].get(thing, self.facts.get(thing, [None]))

    def keep(self, thing: Code, agree: Mapping[Setting, list[Fact]]) -> None:
        """Keep only these facts of a thing. Drop each setting without such a fact, unless none has one."""
        if any(agree.values()):
            for setting, facts in agree.items():
                if facts:
                    self.alive[setting][thing] = facts
                else:
                    del self.alive[setting]

    def ways(self, thing: Code) -> list[tuple[Setting, Fact]]:
        """Return the possible pairs of a setting of the rules and a fact of the thing."""
        return [(setting, fact) for setting in self.alive for fact in self.left(setting, thing)]

    def explanations(self, most: int) -> Iterator[frozenset[Change]]:
        """Yield all sets of at most `most` changes that agree with the answers."""
        for setting in self.alive:
            yield from self._with_facts(frozenset(setting), [self.left(setting, thing) for thing in self.facts], most)

    def _with_facts(
        self, changes: frozenset[Change], fact_lists: Sequence[list[Fact]], most: int
    ) -> Iterator[frozenset[Change]]:
        if len(changes) + sum(None not in facts for facts in fact_lists) > most:
            return
        if not fact_lists:
            yield changes
            return
        for fact in fact_lists[0]:
            yield from self._with_facts(changes | {fact} if fact else changes, fact_lists[1:], most)

    def best(self, most: int | None) -> list[Change]:
        """Return a set of changes that agrees: one of exactly `most` changes if possible, else the smallest."""
        common: list[Change] = []
        for setting, things in self.alive.items():
            doubtful = [facts for facts in things.values() if None not in facts]
            changes = [*setting, *(fact for facts in doubtful if (fact := facts[0]))]
            if not common or len(changes) < len(common) or (most is not None and len(changes) == most):
                common = changes
            if not changes:
                return []
        return common


class _Drops:
    """The drops of monsters, as far as victories showed them."""

    def __init__(self, usual: World, sites: Iterable[Site]) -> None:
        self._told = {code: {drop.item: drop.least for drop in usual.monsters[code].drops} for code in usual.monsters}
        self._swaps = [change for site in sites for change in site.rivals]
        self._seen: dict[Code, Mapping[Code, int]] = {}

    def learn(self, monster: Code, drops: Mapping[Code, int]) -> None:
        """Take in what a monster dropped."""
        self._seen[monster] = drops

    def explanations(self) -> list[tuple[Change, ...]]:
        """Return the sets of swaps that agree, the smallest first. No two swaps share a monster."""
        ways = [
            swaps
            for count in range(1 + sum(map(bool, self._told.values())))
            for swaps in combinations(self._swaps, count)
            if len({monster for swap in swaps for monster in swap.subject.split()}) == 2 * count
            and all(drops == self._find_drops(monster, swaps) for monster, drops in self._seen.items())
        ]
        return ways or [()]

    def telling(self) -> list[Code]:
        """Return the monsters whose defeat would rule out some sets of swaps, the most informative first."""
        ways = self.explanations()
        remaining: dict[Code, int] = {}
        for monster in self._told if len(ways) > 1 else ():
            answers = Counter(str(self._find_drops(monster, swaps)) for swaps in ways)
            if len(answers) > 1:
                remaining[monster] = sum(count**2 for count in answers.values())
        return sorted(remaining, key=lambda monster: remaining[monster])

    def _find_drops(self, monster: Code, swaps: Iterable[Change]) -> Mapping[Code, int]:
        """Return what a monster drops after some swaps."""
        for swap in swaps:
            pair = swap.subject.split()
            if monster in pair:
                return self._told[pair[monster == pair[0]]]
        return self._told[monster]


class Inquiry:
    """The knowledge about a mystery that its prompt and some answers imply."""

    def __init__(self, mystery: Mystery) -> None:
        self._mystery = mystery
        sites = mystery.sites
        by_family: dict[str, list[Site]] = {name: [] for name in FAMILIES}
        for site in sites:
            by_family[site.family].append(site)
        self.fights = SiteGroup(
            [site for name in sorted(RULES_OF_FIGHTS) for site in by_family[name]],
            by_family["kind"],
        )
        self.crafts = SiteGroup(by_family["sets"], [*by_family["count"], *by_family["ingredient"], *by_family["skill"]])
        self.swaps: set[Change] = set()
        self.given = sorted(SiteGroup([*by_family["yield"], *by_family["dry"]], ()).alive, key=len)
        """The sets of changes of node yields that agree with all answers, the smallest first."""
        self.drops = _Drops(mystery.told.world, by_family["drop"])
        self._swaps = {frozenset(site.subject.split()): next(site.rivals) for site in by_family["place"]}
        self._calls: list[Call] = []
        """The calls since the last fresh start, without fights."""
        self._worn: dict[str, Code] = {**mystery.task.hero.worn}
        rules = mystery.told.rules
        self._rules_under = cache(lambda setting: apply({}, rules, setting)[1])

    # -- learning from answers ----------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Begin a fresh start."""
        self._calls = []
        self._worn = {**self._mystery.task.hero.worn}

    def learn(self, call: Call, answer: Answer) -> None:
        """Take in the answer to a call."""
        if call[0] != "fight":
            self._calls.append(call)
        match call[0]:
            case "move" if answer.get("here"):
                self._place(call, answer["here"]["code"])
            case "equip" if answer.get("status") == OK:
                self._worn[str(call[1][0])] = str(call[1][1])
            case "unequip" if answer.get("status") == OK:
                self._worn.pop(str(call[1][0]), None)
            case "fight" if "fight" in answer:
                monster = self._here("monster")
                self._fought(monster, answer["fight"])
                if answer["fight"]["result"] == "win":
                    self.drops.learn(monster, answer["fight"]["drops"])
            case "gather" if "items" in answer:
                agree = [way for way in self.given if self._last({*self.swaps, *way}, self._calls) == answer]
                self.given = agree or self.given
            case "craft" if answer.get("status") in (200, 500):
                item = str(call[1][0])
                if item in self.crafts.facts:
                    ways = self.crafts.ways(item)
                    self.crafts.keep(item, self._agreeing(ways, self._calls, answer))
            case _:
                pass

    def _place(self, call: Call, content_seen: Code) -> None:
        x, y = call[1]
        content = self._mystery.told.world.tiles[int(x or 0), int(y or 0)].content
        if (
            content
            and content.code != content_seen
            and (swap := self._swaps.get(frozenset({content.code, content_seen})))
        ):
            self.swaps.add(swap)

    def _here(self, kind: str) -> Code:
        """Return the thing of this kind at the hero's place, as far as it is known; empty if there is none."""
        world = self._mystery.with_changes(self.swaps).world
        place = next((call[1] for call in reversed(self._calls) if call[0] == "move"), world.start)
        return world.standing(kind).get((int(place[0] or 0), int(place[1] or 0)), "")

    def _fought(self, monster: Code, answer: Answer) -> None:
        hero = Fighter(Hero(self._mystery.told.world, replace(self._mystery.task.hero, worn=self._worn)).stats)
        agree: dict[Setting, list[Fact]] = {}
        for setting, fact in self.fights.ways(monster):
            facts, rules = agree.setdefault(setting, []), self._rules_under(setting)
            numbers = self._numbers(monster, fact)
            outcome = duel(hero, numbers, rules.rounds, rules.first, rules.ward, rules.unit)
            if (0 if outcome.won else thirds(outcome.monster_hp, numbers)) == answer["thirds_left"]:
                facts.append(fact)
        self.fights.keep(monster, agree)

    def _numbers(self, monster: Code, fact: Fact) -> Stats:
        return self._mystery.told.world.monsters[str(fact.value) if fact else monster].stats

    def _agreeing(
        self, ways: Iterable[tuple[Setting, Fact]], calls: Sequence[Call], answer: Answer
    ) -> dict[Setting, list[Fact]]:
        facts_by_setting: dict[Setting, list[Fact]] = {}
        for setting, fact in ways:
            facts = facts_by_setting.setdefault(setting, [])
            if self._last(self._with(setting, fact), calls) == answer:
                facts.append(fact)
        return facts_by_setting

    def _with(self, setting: Setting, fact: Fact) -> set[Change]:
        changes = {*self.swaps, *self.given[0], *setting}
        return changes | {fact} if fact else changes

    def _last(self, changes: set[Change], calls: Sequence[Call]) -> Answer:
        """Return the last answer to some calls in a world that may be the true one."""
        return Exploration(self._mystery.with_changes(changes), self._mystery.task).play(calls)[-1]

    # -- the open questions -------------------------------------------------------------------------------------------

    def left(self, monster: Code, heroes: Fighters) -> Numbers:
        """Return how many of the possibilities a fight with a monster leaves on average, for each of some heroes."""
        outcomes = []
        for setting, fact in self.fights.ways(monster):
            rules = self._rules_under(setting)
            numbers = self._numbers(monster, fact)
            fights = duels(heroes, numbers, rules.rounds, rules.first, rules.ward, rules.unit)
            outcomes.append(answers_to(fights, numbers))
        answers = np.array(outcomes)
        alike = ((answers == each).sum(axis=0) for each in np.unique(answers))
        remaining: Numbers = sum((count.astype(np.float64) ** 2 for count in alike), np.zeros(len(heroes))) / len(
            answers
        )
        return remaining

    def open_monsters(self) -> Iterator[Code]:
        """Yield the monsters for which more than one pair of rules and kind is possible."""
        yield from (monster for monster in self.fights.facts if len(self.fights.ways(monster)) > 1)

    def explanations(self, count: int) -> Iterator[frozenset[Change]]:
        """Yield the sets of `count` changes that agree with all answers."""
        for changes, drops in product(self.given, self.drops.explanations()):
            sure = frozenset({*self.swaps, *changes, *drops})
            for crafts in self.crafts.explanations(count - len(sure)):
                for fights in self.fights.explanations(count - len(sure) - len(crafts)):
                    if len(sure) + len(crafts) + len(fights) == count:
                        yield sure | crafts | fights

    def belief(self, count: int | None) -> frozenset[Change]:
        """Return a set of changes that agrees with all answers: of `count` changes if possible, else the smallest."""
        sure = {*self.swaps, *self.given[0], *self.drops.explanations()[0]}
        rest = None if count is None else count - len(sure)
        crafts = self.crafts.best(None)
        fights = self.fights.best(None if rest is None else rest - len(crafts))
        return frozenset({*sure, *crafts, *fights})
