"""Lists the worlds that a told world leaves possible, and counts in how many of them one loadout wins.

A truth is drawn from a prior, which any reader of this code can use too. In the prior, the task fixes how many rules
differ; their families and the values in a family are equally likely, and so is each other kind that a monster may be
of. Without an experiment, the best strategy is therefore to bet on one loadout for the monster of another kind. `guess`
is the largest share of all possible worlds in which one loadout beats it. No plan wins in more worlds, however it
hedges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, product
from random import Random

import numpy as np
from numpy.typing import NDArray

from herobench.suites.discover.courses.armory import ELEMENTS, Choice, CourseArmory, Shares, foe_numbers
from herobench.suites.discover.game.families import FAMILIES, RULES_OF_FIGHTS, Change, Site, apply, kinds_in, sites_in
from herobench.suites.discover.game.mystery import Truth
from herobench.suites.discover.making.inquiry import answers_to
from herobench.suites.discover.making.planner import CourseReader
from herobench.suites.rpg.game.combat_batch import Numbers
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Place, Stats, World
from herobench.task_gen.rpg.oracle.steps import Do

Wins = NDArray[np.bool_]
"""For each loadout, whether it wins."""
RuleSet = tuple[float, tuple[Change, ...]]
"""Rules that differ, with the chance that these do."""
Answers = NDArray[np.int8]
"""For each loadout, what is answered to a fight."""
MOST_LEFT = 3
"""The greatest such answer: all thirds of a monster's health are left."""
_Fight = tuple[Code, tuple[Change, ...]]
"""The kind of a monster that is fought, and the rules of fights that differ."""
KIND = "kind"
KINDS = 60
"""The number of kinds that a monster may be of and is not told to be of."""
_OFTEN = {"count": 8, "ingredient": 8, "skill": 8, "drop": 16}
"""How often facts of a family are drawn, if not once: few of these matter for the goals, and so are taken."""
_MOST_WINNERS = 12
"""More loadouts than these beat no monster of another kind in a truth."""
_TRIES = 2_000
"""The number of kinds that are drawn until enough are found that no loadout beats two of."""


def rule_sets(sites: Iterable[Site], count: int) -> list[RuleSet]:
    """Return all ways in which a number of rules differ, with their chances."""
    families = [site for site in sites if FAMILIES[site.family].kind == "rule"]
    combos = list(combinations(families, count))
    sets: list[RuleSet] = []
    for some in combos:
        values = list(product(*(site.rivals for site in some)))
        sets += [(1 / len(combos) / len(values), changes) for changes in values]
    return sets


def of_fights(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return those changes that are of the rules of fights."""
    return tuple(change for change in changes if change.family in RULES_OF_FIGHTS)


class Armories:
    """The gear of a hero under all rules of fights."""

    def __init__(self, usual: CourseArmory) -> None:
        self._usual = usual
        self._under: dict[tuple[Change, ...], CourseArmory] = {(): usual}

    def under(self, changes: Sequence[Change]) -> CourseArmory:
        """Return the gear under changed rules."""
        key = of_fights(changes)
        if key not in self._under:
            self._under[key] = replace(self._usual, rules=apply({}, self._usual.rules, key)[1])
        return self._under[key]

    def _most(self, stats: Stats, changes: Sequence[Change]) -> Shares:
        """Return, for each loadout, the most health with which a monster of such numbers is beaten."""
        numbers = (np.array([each], np.float32) for each in (stats.attack, stats.resistance))
        most: Shares = self.under(changes).most_dealt(*numbers)[0][0]
        return most

    def hardest(self, stats: Stats, sets: Iterable[RuleSet]) -> Stats:
        """Return a monster with the most health at which it can be beaten under all rules that may hold."""
        every = {of_fights(changes) for _, changes in sets} | {()}
        monster = stats._replace(hp=min(int(self._most(stats, changes).max()) for changes in every))
        # the bound is a little too high where the duel rounds
        while not all(self.under(changes).beats(monster).any() for changes in every):
            monster = monster._replace(hp=monster.hp - 1)
        return monster

    def kinds(self, sets: Sequence[RuleSet], start: Choice, reach: int, chance: Random) -> Iterator[Stats]:
        """Yield the numbers of kinds. Each can just be beaten under some rules, and no loadout beats two kinds.

        The loadouts that beat a kind differ in at most `reach` slots from the gear worn at the start.
        """
        out_of_reach = (self._usual.choices != np.array(start)).sum(axis=1) > reach
        count = 0
        for _ in range(_TRIES):
            if count == KINDS:
                return
            (_, changes) = chance.choices(sets, [weight for weight, _ in sets])[0]
            attack, resistance = foe_numbers(chance)
            stats = Stats(1, attack, (0,) * ELEMENTS, resistance)
            most = self._most(stats, changes)
            if out_of_reach[most.argmax()]:
                continue
            stats = stats._replace(hp=int(most.max()))
            winning = self.under(changes).beats(stats)
            if 0 < winning.sum() <= _MOST_WINNERS and not (winning & out_of_reach).any():
                out_of_reach |= winning
                count += 1
                yield stats


class Possible:
    """The worlds that are possible by a told one, as far as fights go."""

    def __init__(self, world_told: Truth, task: Task, rules: int, usual: Sequence[Do]) -> None:
        """Take the number of rules that differ, and the best plan for the told world."""
        self._world = world_told.world
        reader = CourseReader(world_told, task)
        self._armories = Armories(reader.armory)
        sites = sites_in(*world_told)
        self.sets = rule_sets(sites, rules)
        self._facts = [site for site in sites if FAMILIES[site.family].kind == "fact"]
        self.goals = list(dict.fromkeys(goal.target for goal in task.goals if goal.kind == "kill"))
        self._worn = dict(_first_worn(reader, world_told.world, task, usual))
        self._standing = set(self._world.standing("monster").values())
        self._won: dict[_Fight, Wins] = {}
        self._answered: dict[_Fight, Answers] = {}

    def wins(self, kind: Code, changes: Sequence[Change]) -> Wins:
        """Return which loadouts beat a kind under changed rules."""
        key = kind, of_fights(changes)
        if key not in self._won:
            self._won[key] = self._armories.under(changes).beats(self._world.monsters[kind].stats)
        return self._won[key]

    @cached_property
    def kinds(self) -> list[Code]:
        """The kinds that a monster may be of."""
        return kinds_in(self._world)

    def is_open(self, monster: Code, kind: Code, changes: Sequence[Change]) -> bool:
        """Return whether a monster may be of a kind: few loadouts beat it then, and not the one of the told plan."""
        winning = self.wins(kind, changes)
        return 0 < int(winning.sum()) <= _MOST_WINNERS and monster in self._worn and not winning[self._worn[monster]]

    def allows(self, changes: Collection[Change]) -> bool:
        """Return whether a truth is open in all its fights. Monsters that are as told have to be beaten by somebody."""
        kinds = {change.subject: str(change.value) for change in changes if change.family == KIND}
        rules = [change for change in changes if change.family in RULES_OF_FIGHTS]
        return all(self.is_open(*kind, rules) for kind in kinds.items()) and all(
            self.wins(goal, rules).any() for goal in self.goals if goal not in kinds
        )

    def draw(self, facts: int, chance: Random) -> list[Change]:
        """Draw from the prior: rules, a monster of another kind, and more facts, more often of work than of others."""
        (_, rules) = chance.choices(self.sets, [weight for weight, _ in self.sets])[0]
        changes, used_things = list(rules), set[str]()
        for number in range(facts):
            free = [site for site in self._facts if not used_things & {*site.things}]
            families = [each for each in sorted({site.family for site in free}) for _ in range(_OFTEN.get(each, 1))]
            family = KIND if number == 0 else chance.choice(families)
            site = chance.choice([site for site in free if site.family == family])
            used_things |= {*site.things}
            changes.append(chance.choice(list(site.rivals)))
        return changes

    def guess(self) -> float:
        """Return the share of the possible worlds, in percent, that a plan wins at most without an experiment."""
        nothing = {goal: np.zeros((len(odds.worlds), 1), np.int8) for goal, odds in self._odds.items()}
        return self._percent([nothing])

    def one_fight(self) -> float:
        """Return the same after the one fight that tells most: with any monster that stands somewhere, in any gear."""
        return self._percent(map(self._answered_by, sorted(self._standing)))

    def _percent(self, question_answers: Iterable[Mapping[Code, Answers]]) -> float:
        total = sum(odds.weights.sum() for odds in self._odds.values())
        if not total:
            return 100.0
        return round(100 * max(float(self._won_after(answers).max() / total) for answers in question_answers), 2)

    def _answered_by(self, target: Code) -> dict[Code, Answers]:
        """Return the answers to a fight with a monster, by the goal that is of another kind: a row for each world."""
        return {
            goal: np.array([self._answers(kind if goal == target else target, rules) for kind, rules in odds.worlds])
            for goal, odds in self._odds.items()
        }

    def _won_after(self, answers: Mapping[Code, Answers]) -> Numbers:
        """Return, for each way to ask, the chance of the worlds that the likeliest plan wins after the answers.

        A plan has one loadout for each goal. For one goal it may be any. The others have to be beaten as they are told
        too, so their loadouts are among those that do so under some rules.
        """
        chances = np.zeros(1)
        for value in range(MOST_LEFT + 1):
            both = [odds.best(answers[goal] == value) for goal, odds in self._odds.items()]
            most, hedged = (np.array(each) for each in zip(*both, strict=True))
            chances = chances + hedged.sum(axis=0) + (most - hedged).max(axis=0)
        return chances

    @cached_property
    def _odds(self) -> Mapping[Code, _Odds]:
        """The worlds in which a goal is of another kind, goal by goal."""
        return {goal: odds for goal in self.goals if (odds := self._fight_odds(goal)).worlds}

    def _fight_odds(self, goal: Code) -> _Odds:
        weights: dict[_Fight, float] = {}
        for weight, changes in self.sets:
            for kind in self.kinds:
                if self.is_open(goal, kind, changes):
                    fight = kind, of_fights(changes)
                    weights[fight] = weights.get(fight, 0.0) + weight
        winning = np.array([self.wins(*fight) for fight in weights])
        as_told = np.any([self.wins(goal, changes) for _, changes in self.sets], axis=0)
        return _Odds(list(weights), np.array([*weights.values()]), winning, as_told)

    def _answers(self, code: Code, changes: Sequence[Change]) -> Answers:
        """Return, for each loadout, what is answered to a fight with a monster of such numbers."""
        key = code, of_fights(changes)
        if key not in self._answered:
            stats = self._world.monsters[code].stats
            self._answered[key] = answers_to(self._armories.under(changes).duels(stats), stats)
        return self._answered[key]


class _Odds:
    """The kinds that a monster may be of with the rules of fights, and what loadouts win."""

    def __init__(self, worlds: Sequence[_Fight], weights: Numbers, winning: NDArray[np.bool_], as_told: Wins) -> None:
        self.worlds, self.weights = worlds, weights
        self._chances = [
            np.unique(winning[:, worlds_kept], axis=1) * weights[:, None]
            for worlds_kept in (winning.any(axis=0), as_told)
        ]

    def best(self, possible: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        """Return the most chance of possible worlds that one loadout wins, for each column of worlds that are possible.

        The second is that of loadouts that beat the monster as it is told under some rules.
        """
        first: dict[bytes, int] = {}
        columns = np.packbits(possible, axis=0).T.copy()
        alike = [first.setdefault(column.tobytes(), at) for at, column in enumerate(columns)]
        at, back = np.unique(alike, return_inverse=True)
        most, hedged = (
            np.einsum("wl,wa->la", chances, possible[:, at]).max(axis=0, initial=0.0)[back] for chances in self._chances
        )
        return most, hedged


def _first_worn(reader: CourseReader, world: World, task: Task, plan: Sequence[Do]) -> Iterator[tuple[Code, int]]:
    """Yield each monster that a plan fights, with the number of the loadout of the first fight with it."""
    worn, beaten = dict(task.hero.worn), set[Code]()
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
            case "fight", _ if standing[place] not in beaten:
                beaten.add(standing[place])
                yield standing[place], int((reader.armory.choices == reader.choice(worn)).all(axis=1).argmax())
