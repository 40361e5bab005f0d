"""Lists the worlds that a told world leaves possible, and counts in how many of them one loadout wins.

A truth is drawn from a prior, and all who read this may do so too. The prior: so many rules differ as the number of the
task says, their families evenly and the values of each evenly; a monster is of another kind, each kind evenly. So the
best that can be done without an experiment is to bet on one loadout for the monster that is of another kind. `guess` is
the largest share of all possible worlds in which one loadout beats it: no plan wins more, whatever else it hedges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, product
from random import Random

import numpy as np
from numpy.typing import NDArray

from herobench.suites.discover.game.families import FAMILIES, RULES_ALONE, Change, Site, changed, kinds_of, sites_of
from herobench.suites.discover.game.mystery import Truth
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Place, Stats, World
from herobench.task_gen.discover.planner import CourseReader
from herobench.task_gen.rpg.courses.armory import ELEMENTS, Choice, CourseArmory, Shares, foe_numbers
from herobench.task_gen.rpg.oracle.steps import Do

Wins = NDArray[np.bool_]
"""For each loadout, whether it wins."""
RuleSet = tuple[float, tuple[Change, ...]]
"""Rules that differ, with the chance that these do."""
KIND = "kind"
KINDS = 30
"""The number of kinds that a monster may be of and is not told to be of."""
_MOST_WINNERS = 12
"""More loadouts than these beat no monster of another kind in a truth."""
_TRIES = 600
"""The number of kinds that are drawn until enough are found that no loadout beats two of."""


def rule_sets(sites: Iterable[Site], count: int) -> list[RuleSet]:
    """Return all ways in which a number of rules differ, with their chances."""
    families = [site for site in sites if FAMILIES[site.family].kind == "rule"]
    chosen = list(combinations(families, count))
    found: list[RuleSet] = []
    for some in chosen:
        values = list(product(*(site.rivals for site in some)))
        found += [(1 / len(chosen) / len(values), changes) for changes in values]
    return found


def of_fights(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return those changes that are of the rules of fights."""
    return tuple(change for change in changes if change.family in RULES_ALONE)


class Armories:
    """The gear of a hero under all rules of fights."""

    def __init__(self, usual: CourseArmory) -> None:
        self._usual = usual
        self._under: dict[tuple[Change, ...], CourseArmory] = {(): usual}

    def under(self, changes: Sequence[Change]) -> CourseArmory:
        """Return the gear under changed rules."""
        key = of_fights(changes)
        if key not in self._under:
            self._under[key] = replace(self._usual, rules=changed({}, self._usual.rules, key)[1])
        return self._under[key]

    def _most(self, stats: Stats, changes: Sequence[Change]) -> Shares:
        """Return, for each loadout, the most health with which a monster of such numbers is beaten."""
        numbers = (np.array([each], np.float32) for each in (stats.attack, stats.resistance))
        most: Shares = self.under(changes).most_dealt(*numbers)[0][0]
        return most

    def hardest(self, stats: Stats, sets: Iterable[RuleSet]) -> Stats:
        """Return a monster with the most health at which it can be beaten under all rules that may hold."""
        every = [(), *(changes for _, changes in sets)]
        return stats._replace(hp=min(int(self._most(stats, changes).max()) for changes in every))

    def kinds(self, sets: Sequence[RuleSet], start: Choice, reach: int, chance: Random) -> Iterator[Stats]:
        """Yield the numbers of kinds. Each can just be beaten under some rules, and no loadout beats two kinds.

        The loadouts that beat a kind differ in so many slots at most from what is worn at the start.
        """
        taken = (self._usual.choices != np.array(start)).sum(axis=1) > reach
        count = 0
        for _ in range(_TRIES):
            if count == KINDS:
                return
            (_, changes) = chance.choices(sets, [weight for weight, _ in sets])[0]
            attack, resistance = foe_numbers(chance)
            stats = Stats(1, attack, (0,) * ELEMENTS, resistance)
            most = self._most(stats, changes)
            if taken[most.argmax()]:
                continue
            stats = stats._replace(hp=int(most.max()))
            won = self.under(changes).beats(stats)
            if 0 < won.sum() <= _MOST_WINNERS and not (won & taken).any():
                taken |= won
                count += 1
                yield stats


class Possible:
    """The worlds that are possible by a told one, as far as fights go."""

    def __init__(self, told: Truth, task: Task, rules: int, usual: Sequence[Do]) -> None:
        """Take the number of rules that differ, and the best plan by what is told."""
        self._world = told.world
        reader = CourseReader(told, task)
        armory, self._owned = reader.armory, reader.owned
        self._armories = Armories(armory)
        self._choices = armory.choices
        sites = sites_of(*told)
        self.sets = rule_sets(sites, rules)
        self._facts = [site for site in sites if FAMILIES[site.family].kind == "fact"]
        self.goals = list(dict.fromkeys(goal.target for goal in task.goals if goal.kind == "kill"))
        self._worn = dict(_first_worn(reader, told.world, task, usual))
        self._won: dict[tuple[Code, tuple[Change, ...]], Wins] = {}

    def wins(self, kind: Code, changes: Sequence[Change]) -> Wins:
        """Return which loadouts beat a kind under changed rules."""
        key = kind, of_fights(changes)
        if key not in self._won:
            self._won[key] = self._armories.under(changes).beats(self._world.monsters[kind].stats)
        return self._won[key]

    @cached_property
    def kinds(self) -> list[Code]:
        """The kinds that a monster may be of."""
        return kinds_of(self._world)

    def tells_apart(self) -> bool:
        """Return whether fights in gear that the hero has tell each monster from all kinds, by the usual rules."""
        fought = {code: self._armories.under(()).duels(each.stats) for code, each in self._world.monsters.items()}
        answers = {code: np.where(one.won, one.rounds, -one.rounds)[self._owned] for code, one in fought.items()}
        standing = set(self._world.standing("monster").values())
        return all((answers[one] != answers[kind]).any() for one in standing for kind in self.kinds)

    def is_open(self, monster: Code, kind: Code, changes: Sequence[Change]) -> bool:
        """Return whether a monster may be of a kind: few loadouts beat it then, and not the one of the told plan."""
        won = self.wins(kind, changes)
        return 0 < int(won.sum()) <= _MOST_WINNERS and monster in self._worn and not won[self._worn[monster]]

    def allows(self, changes: Collection[Change]) -> bool:
        """Return whether a truth is open in all its fights. Monsters that are as told have to be beaten by somebody."""
        kinds = {change.subject: str(change.value) for change in changes if change.family == KIND}
        rules = [change for change in changes if change.family in RULES_ALONE]
        return all(self.is_open(*kind, rules) for kind in kinds.items()) and all(
            self.wins(goal, rules).any() for goal in self.goals if goal not in kinds
        )

    def draw(self, facts: int, chance: Random) -> list[Change]:
        """Draw from the prior: rules, a monster of another kind, and more facts of families that are drawn evenly."""
        (_, rules) = chance.choices(self.sets, [weight for weight, _ in self.sets])[0]
        changes, taken = list(rules), set[str]()
        for number in range(facts):
            free = [site for site in self._facts if not taken & {*site.things}]
            family = KIND if number == 0 else chance.choice(sorted({site.family for site in free}))
            site = chance.choice([site for site in free if site.family == family])
            taken |= {*site.things}
            changes.append(chance.choice(list(site.rivals)))
        return changes

    def guess(self) -> float:
        """Return the share of the possible worlds, in percent, that a plan wins at most without an experiment."""
        return round(100 * max(map(self._share, self.goals), default=1), 2)

    def _share(self, monster: Code) -> float:
        """Return the largest share of worlds in which one loadout beats a monster that is of another kind."""
        shares, total = np.zeros(len(self._choices)), 0.0
        for weight, changes in self.sets:
            for kind in self.kinds:
                if self.is_open(monster, kind, changes):
                    shares[self.wins(kind, changes)] += weight
                    total += weight
        return float(shares.max()) / total if total else 1.0


def _first_worn(reader: CourseReader, world: World, task: Task, plan: Sequence[Do]) -> Iterator[tuple[Code, int]]:
    """Yield each monster that a plan fights, with the number of the loadout of the first fight with it."""
    worn, done = dict(task.hero.worn), set[Code]()
    standing: Mapping[Place, Code] = world.standing("monster")
    place: Place = world.start
    for step in plan:
        match step.action, step.args:
            case "move", (x, y):
                place = int(x or 0), int(y or 0)
            case "equip", (slot, code, *_):
                worn[str(slot)] = str(code)
            case "unequip", (slot, *_):
                worn.pop(str(slot))
            case "fight", _ if standing[place] not in done:
                done.add(standing[place])
                yield standing[place], int((reader.armory.choices == reader.choice(worn)).all(axis=1).argmax())
