"""Makes mysteries: a course in a world of its own, drawn under the true rules, and what is told otherwise of it.

The true world is the drawn one, so its course has a proven length and is as hard as those of the set `horizon`. Rules
are drawn first. Then some facts of the world are told otherwise than they are. A draw is taken only if the best plan by
what is told loses, if the best plan by all changes but one loses as well, and if experiments tell the true world from
every rival.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from herobench.data.errors import UsageError
from herobench.data.ranges import least_and_most
from herobench.suite.generating import GenerateRequest, GeneratorOption, Made, Numbered, TaskGenerator
from herobench.suites.discover.game.exploration import Exploration
from herobench.suites.discover.game.families import APART, FAMILIES, RULES_ALONE, Change, Site, changed, sites_of
from herobench.suites.discover.game.mystery import MOST_CHANGES, Budget, Mystery
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Certificate, Task
from herobench.suites.rpg.game.world import Documents, World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.discover.explorers import Experimenter
from herobench.task_gen.discover.planner import plan, wins
from herobench.task_gen.discover.proof import idle_changes, tell_apart
from herobench.task_gen.rpg.courses.course_tasks import task_in
from herobench.task_gen.rpg.courses.course_world import CourseWish, bare_hero, world_of_course
from herobench.task_gen.rpg.courses.draw import draw_courses
from herobench.task_gen.rpg.oracle.all_ways import all_ways_bound
from herobench.task_gen.rpg.oracle.steps import Do, as_code
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.work.engine import Each, Local

LENGTHS = (4, 500)
COUNT = 240
MOST = 3_600
"""The most tasks of a seed."""
_APART = 1 << 41
"""Keeps the names of mysteries from those of courses of the same seed."""
_GIVEN = 3
"""What a swing gives in the told world."""
_COURSES, _TELLINGS, _DRAWS = 6, 4, 60
"""The courses that are tried with the same rules, the ways to tell one of them, and the draws of rules."""
_SMALL = 20
"""Shorter tasks have one monster as a rule, so at most one fact and one rule differ."""
_MAKES_FROM, _WORK = 40, "work"
"""Longer tasks may have work, for whose rules a place among the rules that differ is kept."""
_PATIENCE = 15
"""The draws of a single rule until another one takes its turn."""
_NEAR = 1.05
"""A plan may be so much longer than its bound."""


def mystery(seed: int, number: int, lengths: tuple[int, int] = LENGTHS) -> Mystery:
    """Return task number `number` of a seed. Raise UsageError if none is found."""
    wish = CourseWish(seed + _APART, MOST)
    for draw in range(_DRAWS):
        found = next(_Draw(wish, number, draw, lengths).mysteries(), None)
        if found:
            return replace(found, id=f"discover-{seed}-{number + 1}")
    raise UsageError(f"No mystery was found for number {number} of the seed {seed}: take another seed.")


class _Draw:
    """One draw of rules, with the courses that are tried under them."""

    def __init__(self, wish: CourseWish, number: int, draw: int, lengths: tuple[int, int]) -> None:
        self._wish, self._number = wish, number
        self._rng = wish.chance(f"mystery {number} {draw}")
        self._spec = Spec(decisions=lengths, plan="straight", defeat="final")
        self._wanted = self._spec.length(number) or 0
        # by the place on a rung of the ladder of lengths, so that neither number nor kind goes with the length
        place = self._spec.place(number)
        count = 1 + place // 2 % MOST_CHANGES
        # odd numbers of changes have one fact more or one rule more, turn by turn
        facts = (count + place % 2) // 2
        self._turn = place // 8 + number % 10 // 2 if draw < _PATIENCE else draw
        is_small = self._wanted < _SMALL
        self._facts = min(facts, 1) if is_small else facts
        self._rules = min(count - facts, 1 if is_small else count) or 1 - self._facts
        self._has_work = False

    def mysteries(self) -> Iterator[Mystery]:
        """Yield mysteries of this draw."""
        usual = load_rules()
        fighting = self._drawn_rules(usual)
        _, rules = changed({}, usual, fighting)
        place = self._spec.place(self._number)
        courses = draw_courses(bare_hero(rules), rules, self._wanted, place, self._rng, guarded=False)
        for course in islice(courses, _COURSES):
            shard, drawn = world_of_course(self._wish, self._number, replace(course, armory=replace(course.armory)))
            documents = changed(drawn, usual, [Change("yield", "", _GIVEN)])[0]
            world = World.from_documents(documents)
            task = task_in(world, usual, self._spec, shard, self._number)
            for _ in range(_TELLINGS):
                told = self._told(documents, task, usual, fighting)
                if told and (found := self._certified(task, *told)):
                    yield found

    def _drawn_rules(self, usual: Rules) -> list[Change]:
        """Draw the rules of fights that differ. In a longer course, one of work may be left for later."""
        families = [*sorted(RULES_ALONE), *([_WORK] if self._wanted >= _MAKES_FROM else [])]
        chosen = self._rng.sample(families, min(self._rules, len(families)))
        if self._rules == 1 and not self._facts:
            # turn by turn, lest one belief alone wins many tasks; a ward has several values
            turns = [*families, "ward"]
            chosen = [turns[self._turn % len(turns)]]
        self._has_work = _WORK in chosen
        empty: Any = None  # these families look at no world
        sites = {name: next(FAMILIES[name].sites(empty, usual)) for name in chosen if name != _WORK}
        return [Change(name, "", self._rng.choice(values[1:])) for name, (_, values, _) in sites.items()]

    # -- what is told -------------------------------------------------------------------------------------------------

    def _told(
        self, documents: Documents, task: Task, usual: Rules, fighting: Sequence[Change]
    ) -> tuple[Documents, list[Change]] | None:
        """Return the documents of a told world, and the changes that make the drawn one of it."""
        rules, concerned = task.rules(usual), _concerned(task)
        changes, told = list(fighting), documents
        taken: set[str] = set()
        for _ in range(self._facts):
            sites = [
                site for site in sites_of(World.from_documents(told), rules) if FAMILIES[site.family].kind == "fact"
            ]
            free = [site for site in sites if not taken & {*site.things} and concerned & {*site.subject.split()}]
            families = sorted({site.family for site in free})
            if not families:
                return None
            family = self._rng.choice(families)
            site = self._rng.choice([site for site in free if site.family == family])
            rival = self._rng.choice(list(site.rivals))
            told = changed(told, rules, [rival])[0]
            taken |= {*site.things}
            changes.append(_back(site, rival))
        work = [site for site in sites_of(World.from_documents(told), rules) if site.family in ("sets", "yield")]
        if self._has_work and work:
            changes.append(self._rng.choice(list(self._rng.choice(work).rivals)))
        return told, changes

    def _certified(self, task: Task, documents: Documents, changes: Sequence[Change]) -> Mystery | None:
        """Return the mystery with its certificate; None if it does not hold what it has to."""
        if not 1 <= len(changes) <= MOST_CHANGES:
            return None
        task = replace(task, world=World.from_documents(documents).digest)
        found = Mystery("draft", documents, task, tuple(sorted(changes, key=str)), Budget(0, 0), "", (), 0)
        if not {*changes} <= {rival for site in found.sites for rival in site.rivals}:
            return None
        usual, best = plan(found.told, task), plan(found.true, task)
        if usual is None or best is None or wins(found.true, task, usual) or next(idle_changes(found), None):
            return None
        task = replace(task, certificate=_certificate(found, best))
        if task.certificate and task.certificate.actions > _NEAR * task.certificate.lower_bound:
            return None
        return _with_experiments(replace(found, task=task, usual_plan=as_code(usual)))


def _concerned(task: Task) -> set[str]:
    """Return what the plan is about: the monsters that it beats, the gear that it makes, and what stands where."""
    made = {code for goal in task.goals for code in goal.missing.values()}
    return {goal.target for goal in task.goals} | made


def _back(site: Site, rival: Change) -> Change:
    """Return the change that undoes a change of a site."""
    if site.family in ("attack", "ingredient"):
        thing, part = site.subject.split()
        return Change(site.family, f"{thing} {rival.value}", part)
    return rival if site.values[0] == APART else Change(site.family, site.subject, site.values[0])


def _certificate(found: Mystery, steps: Sequence[Do]) -> Certificate:
    bound = all_ways_bound(*found.true, found.task)
    actions = sum(step.times for step in steps)
    return Certificate(as_code(steps), actions, bound, 1, 1, {}, proof="loadouts", scope="all_ways")


def _with_experiments(found: Mystery) -> Mystery | None:
    """Return a mystery with experiments that tell it from all rivals, and a budget for them; None if there are none."""
    lab = Exploration(found.true, found.task)
    explorer = Experimenter(found, lambda call: lab.play([call])[0])
    believed = explorer.run().belief(None)
    starts = tuple(tuple(calls) for calls in explorer.starts if calls)
    found = replace(found, experiments=starts)
    told_apart, alike = tell_apart(found)
    if believed != frozenset(found.changes) or alike:
        return None
    budget = Budget.of(found.told.world)
    if sum(map(len, starts)) > budget.actions or len(starts) > budget.resets:
        return None
    return replace(found, budget=budget, rivals=told_apart)


# -- the generator ----------------------------------------------------------------------------------------------------


def _lengths(text: str) -> tuple[int, int]:
    found = least_and_most(text)
    if found is None or found[0] < LENGTHS[0]:
        raise ValueError(f"give a range such as 4-500, from {LENGTHS[0]} on")
    return found


class DiscoverGenerator(TaskGenerator):
    """Makes mysteries with certificates."""

    count = 20
    options = (
        GeneratorOption(
            "decisions",
            "The length of the plan, evenly over the logarithm.",
            "4-500",
            "N|N-M",
            _lengths,
            is_length=True,
        ),
    )

    def make(self, request: GenerateRequest) -> Made:
        """Make mysteries. Raise UsageError for too many."""
        count = _count(request)
        work: Each[int, Mapping[str, Any]] = Each(partial(row, request.seed, request.values["decisions"]), 2)
        return Made(count, Local(request.jobs).results(work, range(count)))

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return the same mysteries by their numbers."""
        lengths = request.values["decisions"]
        identity = {"seed": request.seed, "decisions": list(lengths)}
        return Numbered(partial(row, request.seed, lengths), identity, numbers=range(_count(request)))


def _count(request: GenerateRequest) -> int:
    count = request.count or DiscoverGenerator.count
    if count > MOST:
        raise UsageError(f"A seed has {MOST:,} mysteries: ask for fewer.")
    return count


def row(seed: int, lengths: tuple[int, int], number: int) -> dict[str, Any]:
    """Return the row of a mystery by its number from 0."""
    return mystery(seed, number, lengths).as_row()
