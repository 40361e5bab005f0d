"""The bound by tours is never above the true number of actions, and near it where people have to come back."""

from __future__ import annotations

from collections import deque

from herobench.pddl import GroundAction
from herobench.pddl.relaxation import LmCut
from herobench.suites.epoch.game.level import load_level
from herobench.suites.epoch.game.world import PUBLISHED_EDITION, EpochWorld, edition, level_world
from herobench.suites.epoch.making.prover import Tours, Walk

RULES = edition(PUBLISHED_EDITION).rule_names


def make_tours(world: EpochWorld) -> Tours:
    return Tours(world.grounded.actions, world.grounded.goal, RULES, world.grounded.atoms)


def distances(world: EpochWorld) -> dict[int, int]:
    """The number of actions to the goal from each state that can be reached, and from which it can be."""
    after: dict[int, list[int]] = {world.initial: []}
    line = deque(after)
    while line:
        state = line.popleft()
        for action in world.tool_actions:
            if not action.pre & ~state:
                new = world.rules.closure(state & ~action.delete | action.add)
                if new not in after:
                    after[new] = []
                    line.append(new)
                after[new].append(state)
    found = {state: 0 for state in after if world.grounded.is_goal(state)}
    line = deque(found)
    while line:
        state = line.popleft()
        for before in after[state]:
            if before not in found:
                found[before] = found[state] + 1
                line.append(before)
    return found


def test_the_bound_is_never_too_high() -> None:
    world = level_world(load_level("L02"))
    tours = make_tours(world)
    assert tours.fits
    assert [state for state, true in distances(world).items() if (tours(state) or 0) > true] == []


def test_it_counts_the_ways_back_that_lm_cut_forgets() -> None:
    law = load_level("L05")
    world = level_world(law)
    plain = LmCut(world.grounded.actions, world.grounded.goal, free=RULES)
    assert (plain(world.initial), make_tours(world)(world.initial), law.optimal) == (16, 17, 18)


def walk(*ways: str) -> Walk:
    """Where somebody can walk: each way joins two places of one letter."""
    places = sorted({place for way in ways for place in way})
    moves = [GroundAction("move", ("ada", *pair), 0, 0, 0) for way in ways for pair in (way, way[::-1])]
    return Walk("ada", {place: 1 << bit for bit, place in enumerate(places)}, dict(enumerate(moves)))


def test_a_tour_goes_there_and_back_but_for_its_end() -> None:
    tree = walk("ab", "bc", "bd", "ae")
    assert tree.is_tree
    assert not walk("ab", "bc", "ca").is_tree
    assert walk("ab", "cd").is_tree, "two trees are as good"
    assert tree.shortest_tour("a", {"c"}, {"c"}) == 2
    assert tree.shortest_tour("a", {"c", "d"}, {"c", "d"}) == 4
    assert tree.shortest_tour("a", {"c", "e"}, {"e"}) == 5, "it ends at e"
    assert tree.shortest_tour("a", {"c", "a"}, {"a"}) == 4, "it comes back"
    assert tree.shortest_tour("a", {"a"}, {"a"}) == 0
    assert walk("ab", "cd").shortest_tour("a", {"b", "d"}, {"b", "d"}) == 1, "what cannot be reached counts nothing"
