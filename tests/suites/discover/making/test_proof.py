"""The generator and the proof: what is made is proven, and every broken claim is named."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from herobench.data.errors import InputError
from herobench.suite.generating import GenerateRequest
from herobench.suites.discover.game.families import FAMILIES, Change, rivals
from herobench.suites.discover.game.mystery import Budget, Call, Exploration, Mystery, shipped_mysteries
from herobench.suites.discover.making.generator import DiscoverGenerator, MysteryOptions, mystery
from herobench.suites.discover.making.planner import plan, wins
from herobench.suites.discover.making.proof import MOST_GUESS, find_problems, problems, tell_apart
from herobench.suites.discover.refusals import DiscoverFault
from herobench.task_gen.rpg.oracle.steps import read_steps
from tests.refusals import misread, raises
from tests.sizes import for_each, many
from tests.suites.discover.mysteries import some, with_family

SHORT = some(1, 40)[0]


@pytest.mark.slow
def test_what_is_made_is_proven_and_the_same_again() -> None:
    first, again = mystery(7, 1, (4, 10)), mystery(7, 1, (4, 10))
    assert first.as_row() == again.as_row()
    assert find_problems(first) == []
    assert Mystery.of(first.as_row()) == first
    assert first.as_row()["documents"] != SHORT.as_row()["documents"]


@pytest.mark.slow
def test_the_rows_of_the_generator_are_those_of_its_numbers() -> None:
    request = GenerateRequest(MysteryOptions((10, 16)), 2, 2, 1)
    generator = DiscoverGenerator()
    rows, numbered = list(generator.make(request).rows), generator.numbered(request)
    assert len(rows) == len(numbered.numbers) == 2
    assert rows[1] == numbered.make(numbered.numbers[1]) != rows[0]


def test_too_many_are_refused() -> None:
    with raises(DiscoverFault.TOO_MANY, "3,600"):
        DiscoverGenerator().make(GenerateRequest(MysteryOptions((4, 500)), 0, 4_000, 1))


@pytest.mark.parametrize("found", some(many(240, 3), 500), ids=lambda each: each.id)
def test_the_shipped_set_is_proven(found: Mystery) -> None:
    assert find_problems(found) == []


def test_the_shipped_set_is_as_it_is_described() -> None:
    mysteries = shipped_mysteries().values()
    kinds = [FAMILIES[change.family].kind for each in mysteries for change in each.changes]
    assert len(mysteries) == 240
    assert {len(each.changes) for each in mysteries} == {1, 2, 3, 4}
    assert 0.4 <= kinds.count("fact") / len(kinds) <= 0.6
    assert min(each.decisions for each in mysteries) <= 5
    assert max(each.decisions for each in mysteries) >= 380
    assert len({each.task.target for each in mysteries}) == 240
    assert max(each.guess for each in mysteries) <= MOST_GUESS
    assert sum(each.guess for each in mysteries) / 240 <= 5


def _other_plan(found: Mystery) -> Mystery:
    return replace(found, usual_plan=found.certificate.plan)


def _with_plan(before: str, actions: int) -> Callable[[Mystery], Mystery]:
    """The certified plan behind others, as often as they take so many actions."""
    count = actions // before.count("(")
    certificate = SHORT.certificate
    return _with_certificate(plan=before * count + certificate.plan, actions=certificate.actions + actions)


def _with_mechanics(**changes: object) -> Callable[[Mystery], Mystery]:
    def broken(found: Mystery) -> Mystery:
        return replace(found, task=replace(found.task, mechanics=replace(found.task.mechanics, **changes)))  # type: ignore[arg-type]

    return broken


def _untold(name: str) -> Callable[[Mystery], Mystery]:
    """The mystery with one of the monsters, recipes, materials or places told."""

    def broken(found: Mystery) -> Mystery:
        told = getattr(found.task.knowledge, name)[:1]
        return replace(found, task=replace(found.task, knowledge=replace(found.task.knowledge, **{name: told})))

    return broken


def _fewer_kinds(found: Mystery) -> Mystery:
    monsters = found.documents["monsters"]
    left = {**monsters, "monsters": monsters["monsters"][:-3]}
    return replace(found, documents={**found.documents, "monsters": left}, changes=found.changes[:1])


def _no_experiments(found: Mystery) -> Mystery:
    return replace(found, experiments=())


def _with_certificate(**changes: object) -> Callable[[Mystery], Mystery]:
    def broken(found: Mystery) -> Mystery:
        return replace(found, task=replace(found.task, certificate=replace(found.certificate, **changes)))  # type: ignore[arg-type]

    return broken


@for_each(
    ("broken", "problem"),
    [
        (_with_certificate(plan=SHORT.usual_plan), "the plan does not win in the true world"),
        (_with_certificate(actions=SHORT.certificate.actions + 1), "actions, and the certificate says"),
        (_with_certificate(lower_bound=SHORT.certificate.lower_bound + 1), "the lower bound is"),
        (_other_plan, "usual_plan is not the best plan for the told world"),
        (_no_experiments, "rivals answer all experiments as the true world does"),
        (lambda found: replace(found, rivals=1), "rivals, and the certificate says 1"),
        (lambda found: replace(found, guess=1.0), "of the possible worlds, and the certificate says 1.0 %"),
        (lambda found: replace(found, one_fight=1.0), "after one fight a plan may win in"),
        (lambda found: replace(found, budget=Budget(1, 0)), "more than the budget"),
        (lambda found: replace(found, budget=Budget(9_999, 999)), "the budget is not the one of the told world"),
        (lambda found: replace(found, changes=()), "there are 0 changes"),
        (lambda found: replace(found, changes=found.changes * 2), "two changes are of one thing"),
        (_with_plan("move('Hero', 8, 7)\nmove('Hero', 0, 0)\n", 80), "actions, and has to have 4 to"),
        (_with_plan("gather('Hero', 1)\n", 3), "the plan has 3 refused actions"),
        (_with_mechanics(defeat="counted"), "go on after a lost fight"),
        (_with_mechanics(plan="program"), "plans are not straight"),
        (_with_certificate(wins=0, seeds=7), "the certificate is not of one game"),
        (_untold("monsters"), "of the monsters are not told"),
        (_untold("materials"), "of the materials are not told"),
        (_fewer_kinds, "kinds, and not 60"),
    ],
)
def test_a_broken_claim_is_named(broken: Callable[[Mystery], Mystery], problem: str) -> None:
    assert any(problem in told for told in problems(broken(SHORT)))


def test_other_changes_that_explain_all_answers_are_named_though_each_rival_alone_is_told_apart() -> None:
    whole = shipped_mysteries()["discover-1-181"]
    found = replace(whole, experiments=(*whole.experiments[:6], *whole.experiments[7:]))
    assert tell_apart(found)[1] == 0
    assert find_problems(found) == ["other changes, as many as differ, explain the answers to all experiments"]


def test_a_change_that_no_family_has_is_refused() -> None:
    row = SHORT.as_row()
    with misread("$.changes"):
        Mystery.of({**row, "changes": [{"family": "first", "subject": "", "value": "nobody"}]})


def test_a_monster_that_is_no_kind_has_to_be_whole() -> None:
    row = SHORT.as_row()
    monsters = row["documents"]["monsters"]
    broken = {**monsters, "monsters": [{**monsters["monsters"][-1], "hp": "much"}, *monsters["monsters"][:-1]]}
    for wrong in (broken, {"schema": 1}):
        with pytest.raises(InputError, match="monsters"):
            Mystery.of({**row, "documents": {**row["documents"], "monsters": wrong}})


def test_a_change_that_need_not_be_found_is_named() -> None:
    """A monster that no plan has to fight is of another kind."""
    found = next(each for each in some(240, 500) if _idle(each) is not None and len(each.changes) < 4)
    idle = _idle(found)
    assert idle
    assert any("wins as well" in told for told in problems(replace(found, changes=(*found.changes, idle))))


def _idle(found: Mystery) -> Change | None:
    world, visited = (
        found.told.world,
        [step.args for step in read_steps(found.certificate.plan) if step.action == "move"],
    )
    taken = {
        thing for site in found.sites for change in site.rivals if change in found.changes for thing in site.things
    }
    sites = (site for site in found.sites if site.family == "kind")

    def not_fought(monster: str) -> bool:
        return not {*world.places_of("monster", monster)} & {*visited}

    return next((next(site.rivals) for site in sites if not taken & {*site.things} and not_fought(site.subject)), None)


@for_each("family", ["yield", "dry", "sets", "ward", "place", "drop", "skill"])
def test_the_plan_by_the_found_changes_is_the_certified_one(family: str) -> None:
    found = with_family(family)
    steps = plan(found.with_changes(found.changes), found.task)
    assert steps
    assert sum(step.times for step in steps) == found.certificate.actions
    assert wins(found.true, found.task, steps)


@for_each("found", some(many(60, 2), 30))
def test_brute_force_over_short_experiments_agrees_with_the_proof(found: Mystery) -> None:
    """All sequences of a visit and a use, with one change of gear before: five actions at most."""
    world, hero = found.told.world, found.task.hero
    visits: list[Call] = [("move", place) for place in found.task.knowledge.places]
    uses: list[Call] = [
        ("fight", ()),
        ("gather", (1,)),
        *(("craft", (code, 1)) for code in found.task.knowledge.recipes),
    ]
    slots = [slot for slot in world.slots if slot in hero.worn]
    dressings: list[tuple[Call, ...]] = [(), *((("unequip", (slot,)),) for slot in slots)]
    dressings += [
        (("unequip", (slot,)), ("equip", (slot, code)))
        for slot in slots
        for code in hero.inventory
        if world.items[code].type == slot
    ]
    ways = tuple((*dressing, visit, use) for dressing, visit, use in product(dressings, visits, uses))
    true = [Exploration(found.true, found.task).play(way) for way in ways]
    every = list(rivals(found.sites, found.changes))
    differ = sum(
        any(
            Exploration(found.with_changes(rival), found.task).play(way) != answers
            for way, answers in zip(ways, true, strict=True)
        )
        for rival in every
    )
    assert tell_apart(replace(found, experiments=ways)) == (differ, len(every) - differ)
    assert tell_apart(found) == (len(every), 0)
