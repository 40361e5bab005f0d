"""A lower bound on the actions of a published task over all ways to win: the program of decisions, with amounts.

An action of any amount gathers, buys or crafts, so an action differs from a decision in one thing: each fight counts.
The program adds how often each monster is hunted, and how many pieces each craft makes. It requires:

- each item comes from its sources in the number that crafts take and that is put on; what was put on may be taken off,
  for an action, and used again; one piece of food fills a slot, as published;
- a level that the hero has in a fight takes as many victories over others as the best teachers need to teach it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from herobench.suites.rpg.game.rules import CRAFTING, Rules, next_combat_level
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, World
from tests.conformance.least_program import PERCENT, Answer, Name, WinProgram
from tests.conformance.short_plans import Numbers

Progressed = tuple[int, int, int]
"""A level, the experience beyond it, and what the next one takes."""
_MANY = 250
"""More than the actions of the longest of the oracle's plans."""
_SLOTS = 3
"""More than the slots of one kind."""


_MOST_SOLVED = 150
"""The programs that are solved for one task until it is given up."""


class TooLong(Exception):
    """Raised if a task is given up; the bound of the last program holds."""


class WinActions(WinProgram):
    """The program of one task in actions."""

    def __init__(self, world: World, rules: Rules, task: Task, most: int) -> None:
        """Build the program of all plans of at most so many actions."""
        self._most_fights = most
        self._solved, self.bound = 0, 0
        self._pieces: dict[Code, dict[Name, int]] = {}
        self._healths: list[tuple[Code, Mapping[Name, int], int]] = []
        super().__init__(world, rules, task, most)
        self._add_amounts()
        self.at_least({name: -cost for name in self.number if (cost := self.cost([name]))}, self._ending - most)

    def solve(self) -> Answer:
        """Return a bound and a solution. Raises TooLong after too many loadouts that lose."""
        self._solved += 1
        if self._solved > _MOST_SOLVED:
            raise TooLong
        found = super().solve()
        self.bound = found[0] + self._ending
        return found

    @property
    def numbers(self) -> Numbers:
        """The amounts of the last solution."""
        scarce = [code for code in self._recipes if ("more", code) in self.number]
        hunted = [str(name[1]) for name in self.number if name[0] == "hunt"]
        done = self.amounts
        return Numbers(
            {code: done.get(("craft", code), 0) + done.get(("more", code), 0) for code in scarce},
            {who: done.get(("hunt", who), 0) + done.get(("again", who), 0) for who in hunted},
        )

    def _add_amounts(self) -> None:
        """Require for each item that as many pieces are made or found as are used."""
        free = self._free()
        scarce = [code for code in self._sources if code not in free]
        left: dict[Code, dict[Name, int]] = {code: {} for code in scarce}
        for code in scarce:
            for source in self._sources[code]:
                if source[0] == "hunt":
                    drops = self._world.monsters[str(source[1])].drops
                    least = sum(drop.least for drop in drops if drop.item == code)
                    left[code] |= {source: least, self._beside(source, cost=1): least}
                elif source[0] == "craft":
                    left[code] |= {source: 1, self._beside(source): 1}
                else:
                    left[code][source] = 1
            if ("on", code) in self.number:
                left[code][self.variable("reuse", code, cost=1, most=_SLOTS)] = 1
                left[code]["on", code] = -1
                self.only_if(("reuse", code), [("on", code)])
        for code, recipe in self._recipes.items():
            for part in recipe.ingredients.keys() & left.keys():
                for name in (("craft", code), ("more", code)):
                    left[part][name] = left[part].get(name, 0) - recipe.ingredients[part]
        self._require_lessons(free)
        for code, terms in left.items():
            self.at_least(terms, 0)
            self._pieces[code] = {name: weight for name, weight in terms.items() if name[0] not in ("on", "reuse")}
            if self._task.kind == "kill" and self._world.items[code].type != CONSUMABLE:
                self._require_worn(code)
        for health in self._healths:
            self._require_meals(*health)

    def _free(self) -> set[Code]:
        """Return the items that some work gives in any amount for one action."""
        free = set[Code]()
        while more := {
            code
            for code, sources in self._sources.items()
            if code not in free and any(self._is_free(source, free) for source in sources)
        }:
            free |= more
        return free

    def _is_free(self, source: Name, free: Collection[Code]) -> bool:
        if source[0] == "craft":
            return all(part in free for part in self._recipes[str(source[1])].ingredients)
        return source[0] in ("gather", "buy")

    def _require_worn(self, code: Code) -> None:
        """Require that the pieces worn against the target are beside all that crafts have taken."""
        copies = {name: -1 for name in self._options[self._task.target] if name[0] == "wears" and name[2] == code}
        if copies:
            self.at_least({**self._pieces[code], **copies}, 0)

    def _add_fight(self, who: Code) -> None:
        """Require also a second visit to a workshop whose work serves to beat a monster and takes its drops."""
        super()._add_fight(who)
        prey = {code for code, sources in self._sources.items() if sources == [("hunt", who)]}
        later = [code for code, recipe in self._recipes.items() if prey & recipe.ingredients.keys()]
        for name, item in self._options[who].items():
            before = self._only_workshop(item.code)
            for code in later if name[0] == "wears" and name[3] == 0 and before is not None else ():
                if self._only_workshop(code) == before:
                    again = self.variable("shop again", before, cost=1)
                    self.at_least({again: 1, name: -1, ("craft", code): -1}, -1)

    def _only_workshop(self, code: Code) -> str | None:
        """Return the workshop that gives an item; None if it has another source too."""
        if self._sources[code] != [("craft", code)]:
            return None
        return self._recipes[code].skill if self._rules.workshop == "matching" else ""

    def _require_health(self, who: Code, terms: Mapping[Name, int], least: int) -> None:
        super()._require_health(who, terms, least)
        if self._pieces:
            self._require_meals(who, terms, least)
        else:
            self._healths.append((who, terms, least))

    def _require_meals(self, who: Code, terms: Mapping[Name, int], least: int) -> None:
        """Count of a food in two slots only what is eaten: the first slot takes all pieces but one.

        So as many are eaten from it, unless a full slot gives pieces back.
        """
        changed, most = dict(terms), self._rules.rounds
        for name, item in self._seconds(who):
            assert not item.worn.hp + sum(item.worn.resistance), "food is not worn"
            eats = self.variable("eats", who, item.code, most=most)
            changed |= {name: PERCENT * item.eaten.hp, eats: PERCENT * item.eaten.restore}
            self.at_least({name: most, eats: -1}, 0)
            self.at_least({**self._pieces[item.code], ("reuse", item.code): most, eats: -1, name: -1}, 0)
        if changed != terms:
            self.at_least(changed, least)

    def _seconds(self, who: Code) -> list[tuple[Name, Item]]:
        """Return the variables in a second slot of scarce food that is only crafted: to craft it twice is an action."""
        options = self._options[who].items()
        return [
            (name, item)
            for name, item in options
            if name[0] == "wears"
            and name[3] == 1
            and item.eaten.restore
            and item.code in self._pieces
            and self._only_workshop(item.code) is not None
        ]

    def _cut(self, who: Code, used: Collection[Name]) -> bool:
        """Return whether a loadout loses, also with the food that there is; if so require another, or more food."""
        if super()._cut(who, used):
            return True
        known = self._known(who).intersection(used)
        for name, item in self._seconds(who):
            pieces = self._pieces[item.code]
            had = sum(weight * self.amounts.get(source, 0) for source, weight in pieces.items())
            few = {name: had - 1}
            if name in known and ("reuse", item.code) not in used and not self._wins(who, known, few):
                others, least = self._another(who, known, few)
                terms = {other: (had + 1) * weight for other, weight in others.items()}
                self.at_least({**terms, **pieces, ("reuse", item.code): had + 1}, (had + 1) * least)
                return True
        return False

    def _add_levels_before(self, who: Code) -> None:
        """Require also the victories that each level takes."""
        super()._add_levels_before(who)
        teachers = {other for level in self._levels for other in self._teachers[level] if other != who}
        hunts: list[Name] = [("hunt", other) for other in sorted(teachers)]
        terms = dict.fromkeys((name for hunt in hunts for name in (hunt, self._beside(hunt, cost=1))), 1)
        before = 0
        for level in self._levels:
            needed = self._victories(level, frozenset(self._world.monsters[other].level for other in teachers))
            terms["level", who, level] = before - needed
            before = needed
        self.at_least(terms, 0)

    def _victories(self, level: int, teachers: frozenset[int]) -> int:
        """Return the fewest victories over monsters of some levels that raise the hero to a level."""
        return lessons(self._rules, frozenset([self._task.hero.combat]), level, teachers, None)

    def _require_lessons(self, free: Collection[Code]) -> None:
        """Require as many pieces of easier crafts as raise a skill, if no work in any amount does.

        From each level on, only work counts that still teaches there. Who comes there from below has at most the
        experience of one more lesson.
        """
        rules = self._rules
        work = {name: self._demand(name) for name in self.number if name[0] in ("gather", "craft")}
        for name, (skill, level) in work.items():
            starts = frozenset([self._hero.skills[skill].as_tuple()])
            easier = {other: lower for other, (same, lower) in work.items() if same == skill and lower < level}
            most = 0
            for now in range(self._hero.skills[skill].level, level):
                teachers = {other: lower for other, lower in easier.items() if rules.xp_gain(now, lower)}
                if most:
                    begun = ((now, xp, rules.next_skill_level(now)) for xp in range(most))
                    starts = frozenset(_risen(rules, each, CRAFTING) for each in begun)
                most = max([most, *(CRAFTING * rules.xp_gain(now, lower) for lower in teachers.values())])
                needed = lessons(rules, starts, level, frozenset(teachers.values()), CRAFTING)
                self._require_taught(name, teachers, needed, free)

    def _require_taught(self, name: Name, teachers: Collection[Name], needed: int, free: Collection[Code]) -> None:
        """Require some lessons before a work: from one that is done in any amount, or as many scarce pieces."""
        terms = {name: -needed}
        for other in teachers:
            if self._is_free(other, free):
                terms[other] = needed
            elif needed < self._most_fights:
                terms |= {other: 1, self._beside(other): 1}
        if needed:
            self.at_least(terms, 0)

    def _beside(self, first: Name, cost: int = 0) -> Name:
        """Return how often a hunt or a craft is done beside the first time.

        A scarce craft takes a drop or what was worn, or another scarce craft, so there are no more pieces of it.
        """
        kind = "again" if first[0] == "hunt" else "more"
        most = self._most_fights + len(self._task.hero.worn) + _SLOTS
        known = (kind, *first[1:]) in self.number
        name = self.variable(kind, *first[1:], cost=cost, most=most)
        if not known:
            self.at_least({first: most, name: -1}, 0)
        return name


@cache
def lessons(
    rules: Rules, starts: frozenset[Progressed], level: int, teachers: frozenset[int], craft: int | None
) -> int:
    """Return the fewest victories or crafted pieces that raise a hero from a start to a level, by the best teachers.

    `craft` is the factor on what a piece teaches; None for victories. A number from _MANY on stands for more.
    """
    known, count = set(starts), 0
    while known and count < _MANY and max(now for now, _, _ in known) < level:
        known = {
            _risen(rules, (now, xp + gain * (craft or 1), needed), craft)
            for now, xp, needed in known
            for teacher in teachers
            if (gain := rules.xp_gain(now, teacher))
        }
        count += 1
    return count if known else _MANY


def _risen(rules: Rules, progress: Progressed, craft: int | None) -> Progressed:
    level, xp, needed = progress
    while xp >= needed:
        level, xp = level + 1, xp - needed
        needed = next_combat_level(level) if craft is None else rules.next_skill_level(level)
    return level, xp, needed
