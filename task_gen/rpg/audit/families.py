"""The families of players that the audit lets try a task: a registry, one entry for each row of the table.

To add a family, add an entry. A family plays one task and returns the journey; the audit judges it by the task's own
rules. A family that needs a result before its next action belongs to the program track only. Families that compute
fights are upper marks: a calculator may win, and is counted apart from rules that need none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.scoring import reaches
from herobench.suites.rpg.game.task import PlanTrack
from herobench.suites.rpg.game.world import Code, Item
from herobench.task_gen.rpg.audit.calculators import OBJECTIVES, by_climb, exactly, frontier_gear
from herobench.task_gen.rpg.audit.case import Case, Craftable, made, wearing
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.outfits import PublicFight, looked_up, nearest_gear
from herobench.task_gen.rpg.audit.simulator import by_simulation
from herobench.task_gen.rpg.audit.sums import WEIGHTS, Rate, by_sum
from herobench.task_gen.rpg.audit.thumb_rules import (
    RULES,
    TRIVIAL,
    by_rule,
    make_all_listed,
    make_everything_and_wear_the_last,
)
from herobench.task_gen.rpg.audit.trials import by_trial, by_trial_after_grinding, by_trial_with_food
from herobench.task_gen.rpg.audit.workshop import make
from herobench.task_gen.rpg.gear.search import greedy_gear
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.tasks.noise import power
from herobench.task_gen.rpg.unsolvable.reach import is_out_of_reach


def greedily(case: Case) -> Journey:
    """Return the greedy player's journey: make the chosen gear, put it on, fight."""
    gear = chosen_gear(case)
    journey = made(case, gear.values())
    journey.challenge({slot: item.code for slot, item in gear.items()})
    return journey


def chosen_gear(case: Case) -> dict[str, Item]:
    """Return the chosen gear by slot."""
    target, rounds = case.world.monsters[case.task.target].stats, case.rules.rounds
    options = {choice.slot: (choice.worn, choice.told) for choice in case.slots}
    return greedy_gear(target, rounds, Hero(case.world, case.task.hero).stats, options)


Guesses = Mapping[Code, float]
"""The log-odds that each item of a task is needed, from a classifier that was trained on other tasks."""
BOTH_TRACKS: tuple[PlanTrack, ...] = ("straight", "program")
PROGRAM_TRACK: tuple[PlanTrack, ...] = ("program",)


@dataclass(frozen=True)
class Budget:
    """The effort that the searching families may spend on one task."""

    tries: int = 100
    """Sets that are tried in a fight with the target."""
    fights: int = 5_000
    """Fights for levels: half of the actions that the sandbox allows."""
    evaluations: int = 50_000
    """Sets whose fight the simulator computes."""


@dataclass(frozen=True)
class Known:
    """What a player knows from other tasks."""

    guesses: Guesses | None = None
    """None without a classifier."""
    fights: Sequence[PublicFight] = ()
    """What beat which monster in other tasks."""
    rates: Mapping[str, Rate] = field(default_factory=dict)
    """The ways to rate a piece that were fitted on other tasks, by the method."""


Play = Callable[[Case, Budget, Known], Journey]


@dataclass(frozen=True)
class Family:
    """One family of players."""

    rule: str
    """The way it plays, in a few words."""
    play: Play
    tracks: tuple[PlanTrack, ...] = BOTH_TRACKS
    """The kinds of plans that can do this. Tasks of other tracks are not asked of it."""
    learns: bool = False
    """True if it goes by the guesses of a classifier."""
    reads: bool = False
    """True if it goes by the certificates of other tasks."""
    computes: bool = False
    """True if it computes fights."""


def _gear(
    rule: str,
    fight: Play,
    tracks: tuple[PlanTrack, ...] = BOTH_TRACKS,
    learns: bool = False,
    reads: bool = False,
    computes: bool = False,
) -> Family:
    """Return a family that chooses gear. A craft names what to make, so every such family makes exactly that."""

    def reach(case: Case, budget: Budget, known: Known) -> Journey:
        if case.task.kind == "kill":
            return fight(case, budget, known)
        journey = case.journey()
        make(journey, {case.task.target: 1})
        return journey

    def play(case: Case, budget: Budget, known: Known) -> Journey:
        return (
            _goal_by_goal(case, lambda stage: reach(stage, budget, known))
            if case.task.campaign
            else reach(case, budget, known)
        )

    return Family(rule, play, tracks, learns, reads, computes)


def _goal_by_goal(case: Case, reach: Callable[[Case], Journey]) -> Journey:
    """Return the journey of a player who sees the next goal of a campaign only, with what he has by then."""
    journey = case.journey()
    known: Craftable = {}
    for goal in case.task.goals:
        stage = replace(
            case.task, kind=goal.kind, target=goal.target, missing=goal.missing, then=(), hero=journey.reached()
        )
        before = len(journey.game.events)
        for step in reach(Case(case.world, case.rules, stage, known)).steps:
            journey.take(step)
        # a goal that was not reached leaves the later ones out of reach
        if not any(reaches(goal, event) for event in journey.game.events[before:]):
            break
    return journey


def _trivial(name: str) -> Play:
    return lambda case, *_: TRIVIAL[name].play(case)


def _ruled(name: str) -> Play:
    return lambda case, _, __: by_rule(case, name)


def _learned(case: Case, known: Known, tries: int) -> Journey:
    return by_trial(case, lambda item: (known.guesses or {}).get(item.code, 0.0), tries)


def _summed(name: str) -> Family:
    weights = WEIGHTS[name]
    words = f"take the highest {weights.dealt:g} x dealt + {weights.warded:g} x warded + {weights.health:g} x health"
    return _gear(words, lambda case, *_: by_sum(case, weights.rate))


def _fitted(method: str, words: str) -> Family:
    def play(case: Case, _: Budget, known: Known) -> Journey:
        rate = known.rates.get(method)
        # Without other tasks nothing was learned, and he fights as he is.
        return by_sum(case, rate) if rate else wearing(case, {})

    return _gear(words, play, reads=True)


def _looking_up(case: Case, known: Known, rate: Rate | None) -> Journey:
    """Wear what beat the monster in another task. Without a whole outfit, go by a sum, or by single pieces."""
    gear, is_whole = looked_up(case, known.fights)
    return wearing(case, gear) if rate is None or is_whole else by_sum(case, rate)


def _climbing(objective: str) -> Family:
    return _gear(
        f"compute fights, one slot at a time, by {OBJECTIVES[objective][0]}",
        lambda case, *_: by_climb(case, objective),
        computes=True,
    )


def _oracle(case: Case, *_: object) -> Journey:
    if is_out_of_reach(case.world, case.rules, case.task):
        journey = case.journey()
        journey.give_up()
        return journey
    return Journey(case.told, case.rules, oracle_plan(case.world, case.rules, case.task))


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        **{name: Family(trivial.words, _trivial(name)) for name, trivial in TRIVIAL.items()},
        "craftable": _gear("make all that can be traced, wear what is first", lambda case, *_: make_all_listed(case)),
        "everything": _gear(
            "make all that can be made, wear what is last", lambda case, *_: make_everything_and_wear_the_last(case)
        ),
        **{name: _gear(rule.words, _ruled(name)) for name, rule in RULES.items()},
        "trial": _gear(
            "make all, try sets in the order of power", lambda case, budget, _: by_trial(case, power, budget.tries)
        ),
        "grinding": _gear(
            "make all, fight for levels, then try sets in the order of power",
            lambda case, budget, _: by_trial_after_grinding(case, budget.fights, budget.tries),
        ),
        "food": _gear(
            "make all, eat the best food, try sets in the order of power",
            lambda case, budget, _: by_trial_with_food(case, budget.tries),
        ),
        "learned_first": _gear(
            "wear the set that a classifier prefers", lambda case, _, known: _learned(case, known, 1), learns=True
        ),
        "learned": _gear(
            "make all, try sets in the order of a classifier",
            lambda case, budget, known: _learned(case, known, budget.tries),
            learns=True,
        ),
        **{name: _summed(name) for name in WEIGHTS},
        "sum_logistic": _fitted("logistic", "sums with weights of a logistic regression on other tasks"),
        "sum_boosted": _fitted("boosted", "rate pieces by boosted trees that were trained on other tasks"),
        "lookup": _gear(
            "wear what beat the monster in another task of its world",
            lambda case, _, known: _looking_up(case, known, None),
            reads=True,
        ),
        "lookup_sum": _gear(
            "look up what beat the monster, and sum where nothing is known",
            lambda case, _, known: _looking_up(case, known, WEIGHTS["sum"].rate),
            reads=True,
        ),
        "nearest": _gear(
            "wear what is most like what beat the most similar monster in another task",
            lambda case, _, known: wearing(case, nearest_gear(case, known.fights)),
            reads=True,
        ),
        "simulator": _gear(
            "compute the fights of many sets, wear one that wins",
            lambda case, budget, _: by_simulation(case, budget.evaluations),
            PROGRAM_TRACK,
            computes=True,
        ),
        "greedy": _gear("compute fights, choose one item at a time", lambda case, *_: greedily(case), computes=True),
        **{f"greedy_{name}": _climbing(name) for name in ("margin", "product", "rounds")},
        "pairs": _gear(
            "compute fights, choose two items at a time", lambda case, *_: by_climb(case, "left", 2), computes=True
        ),
        "frontier": _gear(
            "compute damage and rounds, wear what is nearest of all that nothing beats in both",
            lambda case, *_: wearing(case, frontier_gear(case)),
            computes=True,
        ),
        "exact": _gear("compute the fewest changes that win", lambda case, *_: exactly(case), computes=True),
        "oracle": Family("play the proven plan, or give up what is proven to be impossible", _oracle, computes=True),
    }
)
"""All families by name, in the order of the table. Those that compute fights are upper marks, not shortcuts."""


def parse_families(names: str | None) -> tuple[str, ...]:
    """Return the families in a list such as `listed,trial`; all of them for None. Raises UsageError for others."""
    if names is None:
        return tuple(FAMILIES)
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in FAMILIES:
            raise UsageError(f"There is no family {name!r}: give some of {', '.join(FAMILIES)}.")
    return tuple(name for name in FAMILIES if name in wanted)
