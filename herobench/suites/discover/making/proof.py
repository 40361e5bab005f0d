"""Proves the certificate of a mystery, and names each claim that does not hold.

The claims:

- The task tells all kinds of monsters, recipes, materials and places. Plans are straight and end with a lost fight.
- The plan wins in the true world without a refused action. Its length is as stated and near to its bound.
- The best plan for the told world loses there. So does the best plan for a world that lacks one of the changes.
- No loadout wins in more than a few of the possible worlds.
- If there are two or more changes, one fight in the starting gear does not reveal enough to win.
- Each single rival, in all families, answers some experiment differently from the true world.
- No other set of the same number of changes explains all answers. The experiments fit the budget.

All rivals are played. Names and descriptions are not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from herobench.suites.discover.courses.all_ways import Unprovable, all_ways_bound
from herobench.suites.discover.game.families import Change, rivals
from herobench.suites.discover.game.mystery import MOST_CHANGES, Budget, Call, Exploration, Mystery
from herobench.suites.discover.making.explorers import fights_tell_apart, found_by_one_fight
from herobench.suites.discover.making.inquiry import Inquiry
from herobench.suites.discover.making.planner import plan, wins
from herobench.suites.discover.making.possible import KINDS, Possible
from herobench.suites.rpg.game.events import Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.scoring import has_won
from herobench.task_gen.rpg.oracle.steps import as_code, play, read_steps

LEAST, NEAR = 4, 1.05
"""The fewest actions of a certified plan, and its greatest length as a multiple of its lower bound."""
MOST_GUESS = 5.0
"""The largest share of possible worlds, in percent, in which a plan may win without an experiment."""
MOST_ONE_FIGHT = 10.0
"""The largest share of possible worlds, in percent, in which a plan may win after one fight."""


def find_problems(mystery: Mystery) -> list[str]:
    """Prove the certificate of a mystery again. Return a sentence for each claim that does not hold."""
    return list(problems(mystery))


def problems(mystery: Mystery) -> Iterator[str]:
    """Yield a sentence for each claim that does not hold, as soon as it is found."""
    yield from _problems_of_task(mystery)
    yield from _problems_of_plan(mystery)
    yield from _problems_of_changes(mystery)
    yield from _problems_of_experiments(mystery)


def _problems_of_task(mystery: Mystery) -> Iterator[str]:
    world, task, certificate = mystery.told.world, mystery.task, mystery.certificate
    if (task.mechanics.plan, task.mechanics.defeat) != ("straight", "final"):
        yield "plans are not straight, or go on after a lost fight"
    if (certificate.wins, certificate.seeds, task.difficulty) != (1, 1, 0):
        yield "the certificate is not of one game, or the task has a difficulty"
    standing = {**world.standing("monster"), **world.standing("resource")}
    craftable = {code for code, item in world.items.items() if item.recipe}
    for name, told_codes, possible in (
        ("monsters", task.knowledge.monsters, {*world.monsters}),
        ("recipes", task.knowledge.recipes, craftable),
        ("materials", task.knowledge.materials, {*world.items} - craftable),
        ("places", task.knowledge.places, {*standing}),
    ):
        if missing := possible - {*told_codes}:
            yield f"{len(missing)} of the {name} are not told"
    kinds = len({*world.monsters} - {*standing.values()})
    if kinds != KINDS:
        yield f"there are {kinds} kinds, and not {KINDS}"


def _problems_of_plan(mystery: Mystery) -> Iterator[str]:
    certificate = mystery.certificate
    steps = list(read_steps(certificate.plan))
    events = play(steps, Game(*mystery.true, mystery.task.hero, mystery.task.seed)).events
    if not has_won(mystery.task, mystery.true.rules, events):
        yield "the plan does not win in the true world"
    if refusals := sum(not event.ok for event in events):
        yield f"the plan has {refusals} refused actions"
    if (actions := sum(step.times for step in steps)) != certificate.actions:
        yield f"the plan has {actions} actions, and the certificate says {certificate.actions}"
    try:
        bound = all_ways_bound(mystery.true.world, mystery.true.rules, mystery.task)
    except Unprovable as error:
        yield f"the length cannot be proven: {error}"
    else:
        if bound != certificate.lower_bound:
            yield f"the lower bound is {bound}, and the certificate says {certificate.lower_bound}"
        if not LEAST <= certificate.actions <= NEAR * bound:
            yield f"the plan has {certificate.actions} actions, and has to have {LEAST} to {NEAR * bound:.0f}"


def _problems_of_changes(mystery: Mystery) -> Iterator[str]:
    if not 1 <= len(mystery.changes) <= MOST_CHANGES:
        yield f"there are {len(mystery.changes)} changes, and not 1 to {MOST_CHANGES}"
    things = [
        thing for site in mystery.sites for change in site.rivals if change in mystery.changes for thing in site.things
    ]
    if len(things) != len(set(things)) or len(mystery.changes) != len({*mystery.changes}):
        yield "two changes are of one thing"
    usual = plan(mystery.told, mystery.task)
    if usual is None or as_code(usual) != mystery.usual_plan:
        yield "usual_plan is not the best plan for the told world"
    elif wins(mystery.true, mystery.task, usual):
        yield "the best plan for the told world wins in the true world"
    if usual is not None:
        possible = Possible(mystery.told, mystery.task, len(mystery.changes) - mystery.facts, usual)
        if (guess := possible.guess()) != mystery.guess or guess > MOST_GUESS:
            yield f"a plan may win in {guess} % of the possible worlds, and the certificate says {mystery.guess} %"
        if (one_fight := possible.one_fight()) != mystery.one_fight or one_fight > MOST_ONE_FIGHT:
            yield f"after one fight a plan may win in {one_fight} %, and the certificate says {mystery.one_fight} %"
        if not possible.allows(mystery.changes):
            yield "too many loadouts win, or none"
        if not fights_tell_apart(mystery):
            yield "two kinds cannot be told apart"
        if len(mystery.changes) > 1 and next(found_by_one_fight(mystery, usual), None):
            yield "one fight in the gear worn at the start is enough"
    for idle in idle_changes(mystery):
        yield f"the best plan without the change {' '.join(map(str, idle))} wins as well"


def idle_changes(mystery: Mystery) -> Iterator[tuple[object, ...]]:
    """Yield the changes that need not be found: the best plan for all other changes wins."""
    for change in mystery.changes if len(mystery.changes) > 1 else ():
        believed = mystery.with_changes({*mystery.changes} - {change})
        believed_plan = plan(believed, mystery.task)
        if believed_plan is not None and wins(mystery.true, mystery.task, believed_plan):
            yield tuple(change)


def _problems_of_experiments(mystery: Mystery) -> Iterator[str]:
    actions, resets = sum(map(len, mystery.experiments)), len(mystery.experiments) - 1
    if actions > mystery.budget.actions or resets > mystery.budget.resets:
        yield f"the experiments take {actions} actions and {resets} resets, more than the budget"
    if mystery.budget != Budget.of(mystery.told.world):
        yield "the budget is not the one of the told world"
    told_apart, alike = tell_apart(mystery)
    if told_apart + alike != mystery.rivals:
        yield f"there are {told_apart + alike} rivals, and the certificate says {mystery.rivals}"
    if alike:
        yield f"{alike} rivals answer all experiments as the true world does"
    if [*islice(conclude(mystery).explanations(len(mystery.changes)), 2)] != [{*mystery.changes}]:
        yield "other changes, as many as differ, explain the answers to all experiments"


def conclude(mystery: Mystery) -> Inquiry:
    """Return an inquiry that has learned the answers to all experiments."""
    inquiry = Inquiry(mystery)
    for calls in mystery.experiments:
        inquiry.restart()
        for call, answer in zip(calls, Exploration(mystery.true, mystery.task).play(calls), strict=True):
            inquiry.learn(call, answer)
    return inquiry


def tell_apart(mystery: Mystery) -> tuple[int, int]:
    """Return how many single rivals the experiments tell from the true world, and how many they do not."""
    true = [_Start(mystery, calls) for calls in mystery.experiments]
    true_changes = frozenset(mystery.changes)
    differ = [
        any(start.differs(mystery, changes) for start in true if start.may_show(true_changes ^ changes))
        for changes in rivals(mystery.sites, mystery.changes)
    ]
    return sum(differ), len(differ) - sum(differ)


class _Start:
    """The calls from a fresh start, with their answers in the true world."""

    def __init__(self, mystery: Mystery, calls: Sequence[Call]) -> None:
        lab = Exploration(mystery.true, mystery.task)
        self._calls, self._answers = calls, lab.play(calls)
        self._fought = {event.detail.monster for event in lab.events if isinstance(event.detail, Fought)}

    def may_show(self, changes: Iterable[Change]) -> bool:
        """Return whether an answer may depend on the changes. A kind shows only in a fight with its monster."""
        return any(change.family != "kind" or change.subject in self._fought for change in changes)

    def differs(self, mystery: Mystery, changes: frozenset[Change]) -> bool:
        """Return whether an answer differs in a world with these changes."""
        lab = Exploration(mystery.with_changes(changes), mystery.task)
        return any(lab.play([call]) != [answer] for call, answer in zip(self._calls, self._answers, strict=True))
