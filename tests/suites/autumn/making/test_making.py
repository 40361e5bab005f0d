"""Making challenges: what is made can be proven again, and what is not so is told."""

import json
import pickle
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import count, islice, product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from herobench.data.documents import load_schema
from herobench.suite.generating import GenerateRequest, numbered_tasks
from herobench.suite.validating import WinsTable
from herobench.suites.autumn.episode.challenge import (
    FAMILIES,
    Challenge,
    Detection,
    Family,
    Grid,
    Mask,
    Planning,
    Prediction,
    WorldStart,
    freeze_grid,
    start_world,
)
from herobench.suites.autumn.episode.environment import Environment, load_environment
from herobench.suites.autumn.episode.repeating import WAYS
from herobench.suites.autumn.language.chance import Script
from herobench.suites.autumn.making import planning
from herobench.suites.autumn.making.audit import audit, measure_floor
from herobench.suites.autumn.making.clues import RULES, Clues, count_clues
from herobench.suites.autumn.making.default_set import with_lot
from herobench.suites.autumn.making.detection import (
    Pair,
    RepeatedPlays,
    best_start,
    outcomes,
    play_pair,
    repeat_below,
    repeat_plays,
    step_function,
)
from herobench.suites.autumn.making.generator import (
    AutumnGenerator,
    ChallengeOptions,
    is_mirror,
    make_challenge,
    make_variant,
    mirror,
    transpose,
)
from herobench.suites.autumn.making.planning import first_reached, make_planning, matching_share
from herobench.suites.autumn.making.planning import repeated_winner as repeated_action
from herobench.suites.autumn.making.prediction import balanced_six, drawn_choice, make_prediction
from herobench.suites.autumn.making.proof import find_problems
from herobench.suites.autumn.making.recordings import LIKENESSES, Likeness, Trajectory, are_alike, continuations, replay
from herobench.suites.autumn.making.search import explore, sees_old_clicks
from herobench.suites.autumn.making.support import Observer, around
from herobench.suites.autumn.refusals import AutumnFault
from tests.refusals import misread, raises
from tests.sizes import for_each, one_in, some_slow
from tests.suites.autumn.challenges import challenge

FOLDER = Path(__file__).parents[1] / "environments"


@cache
def environment(name: str) -> Environment:
    return load_environment(str(FOLDER / name))


@cache
def made(name: str, family: Family) -> Challenge:
    return make_challenge(environment(name), family, f"{name}-{family}", seed=1, number=0)


# -- proofs -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("family", some_slow(FAMILIES, {"planning"}))
def test_what_is_made_is_proven_again_from_its_row(family: Family) -> None:
    row = json.loads(json.dumps(made("cart", family).as_row()))
    assert find_problems(Challenge.of(row)) == []


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_worlds_of_chance_are_proven_too(family: Family) -> None:
    assert find_problems(made("moth", family)) == []


def way_to_another(row: dict[str, Any]) -> None:
    """Show the way to a choice that is not right."""
    row["challenge"]["actions"][row["challenge"]["mask"]["from"] - 1 :] = row["certificate"]["ways"][
        row["answer"]["choice"] - 1
    ]


def unchanged(row: dict[str, Any]) -> dict[str, Any]:
    """No change at all, from the start of the interaction."""
    return {"changed": row["program"], "condition": LEFT, "start": {"seed": 1, "actions": []}}


def beyond(row: dict[str, Any]) -> dict[str, Any]:
    """A start at which the change is there already."""
    return {"actions": [*row["challenge"]["start"]["actions"], *row["answer"]["actions"]]}


Tamper = Callable[[dict[str, Any]], object]
TAMPERED: list[tuple[Family, str, Tamper]] = [
    ("prediction", "the lot makes choice", lambda row: row["answer"].update(choice=(row["answer"]["choice"] + 1) % 6)),
    ("prediction", "the lot makes choice", way_to_another),
    ("prediction", "certificate: expected the property 'frames'", lambda row: row["certificate"].pop("frames")),
    ("prediction", "another digest", lambda row: row["challenge"]["actions"].__setitem__(0, "click 0 0")),
    ("prediction", "is not what the rectangle shows on its way", lambda row: row["certificate"]["ways"].reverse()),
    ("prediction", "do not have in common", lambda row: row["certificate"]["ways"][0].append("noop")),
    ("prediction", "differ outside", lambda row: row["certificate"]["ways"].__setitem__(0, ["left", "right"] * 3)),
    ("prediction", "the support of choice 0", lambda row: row["certificate"]["supports"][0].update(contents=2)),
    ("planning", "the plan does not reach the goal", lambda row: row["answer"]["actions"].pop()),
    ("planning", "and does not end there", lambda row: row["answer"]["actions"].append("noop")),
    ("planning", "plays: expected 1 or more", lambda row: row["certificate"]["random"].update(plays=0)),
    ("planning", "and lower_bound is", lambda row: row["certificate"].update(shortest=None, lower_bound=9)),
    ("planning", "shortest is None", lambda row: row["certificate"].update(shortest=None)),
    ("planning", "is not decided by", lambda row: row["certificate"].update(steps=1)),
    ("planning", "random plays reach", lambda row: row["certificate"]["random"].update(reached=9)),
    ("detection", "stochastic is True", lambda row: row.update(stochastic=True)),
    ("detection", "the condition is true at the start", lambda row: row["challenge"].update(condition="(== 1 1)")),
    ("detection", "the condition is false", lambda row: row["challenge"].update(condition="(== 1 2)")),
    ("detection", "the frames are equal", lambda row: row["challenge"].update(unchanged(row))),
    ("detection", "the condition is true at the start", lambda row: row["challenge"]["start"].update(beyond(row))),
    ("detection", "repeated plays score", lambda row: row["certificate"]["repeated"]["scores"].update(first=0.99)),
    ("detection", "repeated: expected the property", lambda row: row["certificate"]["repeated"].pop("triggers")),
    ("detection", "the first changed frame", lambda row: row["answer"]["actions"].pop()),
    ("detection", "plays: expected 1 entries or more", lambda row: row["certificate"].update(plays=[], compared=0)),
    ("detection", "in other frames", lambda row: row["certificate"]["plays"].__setitem__(0, None)),
]
LEFT = "(!= (.. (.. cart origin) x) 0)"


@pytest.mark.slow
@pytest.mark.parametrize(("family", "words", "tamper"), one_in(3, TAMPERED))
def test_a_claim_that_does_not_hold_is_told(family: Family, words: str, tamper: Tamper) -> None:
    row = json.loads(json.dumps(made("cart", family).as_row()))
    tamper(row)
    row["answer"]["frame"] = min(row["answer"].get("frame", 0), len(row["answer"].get("actions", ())))
    if family != "detection":
        del row["answer"]["frame"]
    assert any(words in problem for problem in find_problems(Challenge.of(row)))


def test_a_choice_that_chance_allows_is_told() -> None:
    """The moth is somewhere beside the lantern; both places are hidden, and both are offered as choices."""
    row = json.loads(json.dumps(hidden_moth()))
    assert any("is possible on the way to choice 0" in problem for problem in find_problems(Challenge.of(row)))


def hidden_moth() -> dict[str, Any]:
    """A prediction about a moth that may have flown four ways, of which two are choices."""
    program, seed = environment("moth").base, 1
    recording = replay(start_world(program, seed), ("noop",))
    mask = Mask(1, 1, 5, 5, 1)
    before, truth = mask.cut(recording.frames[0]), mask.cut(recording.last)
    flown = [(1, 2), (3, 2), (2, 1), (2, 3)]
    places = [(x, y) for x, y in [*flown, (0, 1), (0, 2), (0, 3)] if truth[y][x] != "white"][:5]
    empty = [["black" if color == "white" else color for color in row] for row in before]
    wrong = [
        [["white" if (x, y) == place else color for x, color in enumerate(row)] for y, row in enumerate(empty)]
        for place in places
    ]
    base = made("moth", "prediction").as_row()
    asked = {"actions": ["noop"], "mask": mask.as_row(), "choices": [truth, *wrong]}
    certificate = base["certificate"] | {"ways": [["noop"]] * 6}
    return base | {
        "seed": seed,
        "challenge": asked,
        "answer": {"choice": 0},
        "certificate": certificate,
    }


# -- the parts --------------------------------------------------------------------------------------------------------


def test_all_outcomes_of_a_step_are_gone_through() -> None:
    world = environment_world("moth")
    found = outcomes(step_function(world, "noop"), 10, Script(), Random(1))
    places = [place(moved.grid, "white") for moved in found.worlds]
    assert (places, found.complete) == ([(2, 3), (4, 3), (3, 2), (3, 4)], True)
    few = outcomes(step_function(world, "noop"), 3, Script((0,), (4,)), Random(1))
    assert not few.complete
    assert {place(moved.grid, "white") for moved in few.worlds} == {(4, 3), (3, 2), (3, 4)}


def environment_world(name: str) -> Any:
    return start_world(environment(name).base, 1)


def place(grid: Any, color: str) -> tuple[int, int]:
    return next((x, y) for y, row in enumerate(grid) for x, cell in enumerate(row) if cell == color)


def test_the_support_is_what_was_not_excluded_by_what_is_seen() -> None:
    recording = replay(environment_world("moth"), ("noop", "noop"))
    observer = Observer(environment("moth").base, 1, recording)
    whole = observer.support(Mask(0, 0, 7, 7, 1), observer.before(1))
    assert (whole.how, len(whole.contents)) == ("enumerated", 9)  # two steps from the middle, or back
    x, y = place(recording.frames[1], "white")
    late = observer.support(Mask(0, 0, 7, 7, 2), observer.before(2))
    assert {place(content, "white") for content in late.contents} == {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}


CORNER = """(program
  (= GRID_SIZE 3)
  (object Lamp (: lit Bool) (Cell 0 0 (if lit then "gold" else "gray")))
  (object Dot (Cell 0 0 "red"))
  (= lamps (initnext (map (--> p (Lamp false p)) (list (Position 0 0) (Position 2 2))) (prev lamps)))
  (= dot (initnext (Dot (Position 0 2)) (prev dot)))
  (on (clicked dot) (= dot (moveUpNoCollision dot)))
  (on left (= dot (moveDownNoCollision dot)))
  (on (clicked lamps) (= lamps (updateObj lamps (--> l (if (clicked l) then (updateObj l "lit" true) else l))))))"""


def test_a_search_finds_what_trying_everything_finds() -> None:
    """Clicks beside everything and keys without a meaning are left out, and nothing is lost by it."""
    found = explore(start_world(CORNER, 0), 10_000, 3)
    layers = [{node.grid for node in layer} for layer in found.layers]
    words = ["noop", "left", "right", "up", "down", *(f"click {x} {y}" for x in range(3) for y in range(3))]
    known: set[Any] = set()
    for depth in range(3):
        brute = {replay(start_world(CORNER, 0), actions).last for actions in product(words, repeat=depth)} - known
        known |= brute
        assert layers[depth] == brute
    assert found.steps < 14 * found.states
    plan = found.layers[3][0].plan
    assert replay(start_world(CORNER, 0), plan).last == found.layers[3][0].grid


@for_each(
    ("handler", "sees"),
    [
        ("(on (& clicked (isFreePos click)) (= dot (Dot click)))", False),
        ("(on (clicked dot) (= dot (if (< (.. click x) 1) then (moveUp dot) else dot)))", False),
        ("(on left (= dot (if ((clicked)) then dot else (Dot click))))", True),
        ("(on (& left (isFreePos click)) (= dot (moveUp dot)))", True),
        ("(on (| clicked (isFreePos click)) (= dot (Dot click)))", True),
        ("(on clicked (= dot (Dot (prev click))))", True),
        ('(on clicked (= dot (Dot (prev "click"))))', True),
        ("(= there (fn () click))", True),
    ],
)
def test_old_clicks_are_forgotten_only_where_nothing_reads_them(handler: str, sees: bool) -> None:
    assert sees_old_clicks(CORNER[:-1] + handler + ")") is sees


BULBS = '(object Bulb (Cell 0 0 "gold"))'
LAMP = """(program (= GRID_SIZE 9) (object Lamp (Cell 0 0 "red"))
  (= lamp (initnext (Lamp (Position 4 4)) (prev lamp)))
  (on clicked (= lamp (Lamp click))))"""
"""A lamp that is where it was clicked last."""


def test_each_of_the_six_choices_could_be_the_right_one() -> None:
    """All that a player is shown, but for the last actions, is the same under any other lot. Each lot is proven."""
    challenge = made("moth", "prediction")
    assert isinstance(challenge.test, Prediction)
    by_choice: dict[int, Challenge] = {}
    for lot in range(60):
        other = with_lot(challenge, lot)
        assert isinstance(other.test, Prediction)
        by_choice.setdefault(other.test.choice, other)
    assert sorted(by_choice) == list(range(6))
    since = challenge.test.mask.since
    shown = set()
    for other in by_choice.values():
        assert find_problems(other) == []
        assert isinstance(other.test, Prediction)
        frames = replay(other.start(), other.test.actions).frames
        seen = (frames[:since], tuple(around(frame, other.test.mask) for frame in frames))
        shown.add((other.test.actions[: since - 1], other.test.choices, seen))
    assert len(shown) == 1


def test_lots_make_each_choice_right_equally_often() -> None:
    choices = [grid_of("r."), grid_of(".r"), grid_of("b."), grid_of(".b"), grid_of("rb"), grid_of("br")]
    counts = Counter(drawn_choice(LAMP, seed, choices, lot) for seed in range(60) for lot in range(20))
    assert sorted(counts) == list(range(6))
    assert all(abs(count - 200) < 4 * (1200 * 5 / 36) ** 0.5 for count in counts.values())


def test_six_ways_are_taken_among_which_no_rule_tells_the_right_one() -> None:
    """The rule counts most for the right end on the first ways, and the same for all ends on the others."""
    ends = [grid_of(*("r" * (number + 1),)) for number in range(14)]
    table = np.zeros((1, 14, 14))
    table[0, :7, :7] = np.eye(7)
    six = balanced_six(table, ends, range(14), Random(2))
    assert six is not None
    assert len(set(six)) == 6
    assert sum(number < 7 for number in six) <= 1
    assert balanced_six(table, [*ends[:5], *[ends[0]] * 9], range(14), Random(2)) is None


@for_each("likeness", LIKENESSES)
def test_ways_to_go_on_have_in_common_what_their_likeness_says(likeness: Likeness) -> None:
    world = environment_world("cart")
    trajectories = list(continuations(world, likeness, Random(4), 6, 8))
    assert all(way.frames[0] == freeze_grid(world.grid) for way in trajectories), "the world stays where it is"
    ways = [way.actions for way in trajectories]
    assert len(set(ways)) > 1
    assert next(other for other in LIKENESSES if are_alike(other, ways)) == likeness
    assert len({tuple(sorted(way)) for way in ways}) == 1
    assert not are_alike(likeness, [*ways, ("left",) * 6])
    assert not are_alike(likeness, [*ways, ways[0][1:]])


def test_a_goal_tells_nothing_where_it_does_not_matter() -> None:
    goal = Planning((("red", "blue"), ("gray", "red")), ((1, 0), (0, 0)), ("left",)).with_background("black")
    assert goal.goal == (("red", "black"), ("black", "black"))
    assert goal.differing([["blue", "blue"], ["red", "red"]]) == [(0, 0)]


def test_matching_play_clicks_its_way_to_a_goal_that_shows_where_to_click() -> None:
    program = (
        '(program (= GRID_SIZE 2) (object D (Cell 0 0 "red")) (= d (D (Position 0 0))) (on clicked (= d (D click))))'
    )
    goal = Planning((("black", "red"), ("black", "black")), ((0, 1), (0, 0)), ("click 1 0",))
    assert matching_share(program, 1, goal, range(4)) == 4
    never = Planning((("black", "blue"), ("black", "black")), ((0, 1), (0, 0)), ("click 1 0",))
    assert matching_share(program, 1, never, range(2)) == 0


CLOCK = """(program (= GRID_SIZE 5)
  (object Hand (Cell 0 0 "red")) (object Dot (Cell 0 0 "blue"))
  (= hand (initnext (Hand (Position 0 0)) (moveRight (prev hand)))) (= dot (Dot (Position 0 2))) (= count 0)
  (on left (= count (+ count 1))) {})"""
"""A hand that moves by itself, and a key that changes what nobody sees."""


@for_each("deed", ["moveDownNoCollision", "moveLeftNoCollision"])
def test_a_repeated_click_is_looked_for_where_some_step_compares_it_with_a_cell(deed: str) -> None:
    """The bead comes by, so a click on a cell of its way hits it later, and clicks elsewhere never do."""
    program = f"""(program
      (= GRID_SIZE 4)
      (object Bead (Cell 0 0 "red"))
      (= bead (initnext (Bead (Position 0 0)) (moveRightNoCollision (prev bead))))
      (on (clicked bead) (= bead ({deed} bead))))"""
    clicks = [f"click {x} {y}" for y in range(4) for x in range(4)]
    for x, y in product(range(4), range(4)):
        goal = Planning(grid_with(x, y), ((1,) * 4,) * 4, ("noop",))
        ways = (
            way for way in ("noop", *clicks) if first_reached(start_world(program, 1), [way] * 9, goal.fits) is not None
        )
        assert repeated_action(program, 1, goal, 9) == next(ways, None), (x, y)


def grid_with(x: int, y: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple("red" if (x, y) == (column, row) else "black" for column in range(4)) for row in range(4))


def test_repeated_play_names_the_action_that_is_enough() -> None:
    program = CLOCK.format("(on down (= dot (moveDown dot))) (on (clicked dot) (= dot (moveRight dot)))")

    def enough(color: str, x: int, y: int) -> str | None:
        goal = tuple(tuple(color if (x, y) == (column, row) else "black" for column in range(5)) for row in range(5))
        mask = tuple(tuple(int((x, y) == (column, row)) for column in range(5)) for row in range(5))
        return repeated_action(program, 1, Planning(goal, mask, ()))

    assert [enough("red", 3, 0), enough("blue", 0, 4), enough("blue", 1, 2)] == ["noop", "down", "click 0 2"]
    assert enough("blue", 1, 3) is None


def test_a_goal_that_one_action_reaches_is_no_goal() -> None:
    clock = replace(environment("cart"), shows=("red", "blue"), steps=(2, 4))
    assert make_planning(replace(clock, base=CLOCK.format("")), 1, Random(1)) is None
    keys = "(on down (= dot (moveDown dot))) (on right (= dot (moveRight dot)))"
    moving = replace(clock, base=CLOCK.format(keys))
    found = make_planning(moving, 1, Random(1))
    assert found is not None
    assert set(found[0].actions) & {"down", "right"}
    assert repeated_action(moving.base, 1, found[0]) is None


def test_a_play_ends_where_the_change_is_seen() -> None:
    place = environment("cart")
    pair = Pair(place.base, place.changed, place.condition, WorldStart(1))
    drive = ("right", "right", "down", "down", "noop", "noop", "noop", "noop", "noop")
    assert play_pair(pair, drive).frame == 7
    assert play_pair(pair, drive[:6]).frame is None


def test_a_changed_frame_that_the_base_program_can_draw_is_refused() -> None:
    base = environment("moth")
    changed = base.base.replace("(uniformChoice (adjPositions (.. m origin)))", "(moveLeftPos (.. m origin))")
    problems = {
        play_pair(Pair(base.base, changed, "(!= (.. moth origin) (Position 3 3))", WorldStart(seed)), ["noop"]).problem
        for seed in range(8)
    }
    assert "the base program can show the changed frame 1 too" in problems


def test_a_test_starts_elsewhere_and_repeating_is_measured_there() -> None:
    found = made("cart", "detection")
    assert isinstance(found.test, Detection)
    assert found.test.start is not None
    base, changed = found.test.start.world(found.program), found.start_changed()
    assert base.grid == changed.grid != found.start().grid
    place = environment("cart")
    alike = repeat_plays(Pair(place.base, place.changed, place.condition, WorldStart(found.seed)), found.seed)
    assert alike.scores["first"] == 1.0, "from the start of the interaction repeating finds the change"
    there = RepeatedPlays(**{name: found.certificate["repeated"][name] for name in ("scores", "triggers")})
    assert there.cost < alike.cost
    assert not there.cost[0], "the change does not come at once"


def test_the_best_start_is_found_without_measuring_all_of_each() -> None:
    place = environment("cart")
    pairs = [
        Pair(place.base, place.changed, place.condition, WorldStart(1, actions))
        for actions in ((), ("right", "right", "down"), ("down",) * 3, ("right",))
    ]
    costs = [repeat_plays(pair, 5).cost for pair in pairs]
    found, measured = best_start(pairs, 5)
    best = 1 + costs[1:].index(min(costs[1:]))  # the first one is the start of the interaction
    assert best == 3
    assert (found, measured) == (pairs[best], repeat_plays(found, 5))
    assert repeat_below(pairs[0], 5, costs[0]) is None, "it is as bad as that"


def grid_of(*rows: str) -> Grid:
    """Return a grid of characters, with dots for the background."""
    names = {".": "black", "r": "red", "b": "blue"}
    return tuple(tuple(names[character] for character in row) for row in rows)


@for_each(
    ("name", "numbers"),
    [
        ("moved", [0, 3, 2]),
        ("from the start", [1, 3, 3]),
        ("new", [0, 3, 2]),
        ("recoloured", [0, 0, 2]),
        ("drawn", [2, 2, 3]),
        ("clicked", [0, 1, 1]),
        ("nearness", [0, -1, -0.5]),
        ("parity", [0, 1, 1]),
        ("last click", [-99, 0, 0]),
        ("shift", [0, 0.5, -0.166667]),
        ("shifted", [2, 1, 3]),
        ("motion", [0, -3, -2]),
        ("recoloured per cell", [0, 0, 1]),
        ("colours", [3, 3, 3]),
        ("column", [0.5, 1, 0.333333]),
        ("place", [0, 1, 2]),
        ("spread", [5, 7, 6]),
        ("nearest", [2, 3, 2]),
        ("odd", [1, 1, 2]),
    ],
)
def test_a_rule_counts_what_its_name_says(name: str, numbers: list[float]) -> None:
    """A red cell, and later a blue one to its right; then a click on the red one, and a key."""
    start, last = grid_of("....", ".r..", "....", "...."), grid_of("....", ".rb.", "....", "....")
    end = grid_of("....", "....", "....", "..r.")
    clues = Clues(Mask(1, 1, 2, 2, 2), "black", Trajectory(("noop", "click 1 1", "right"), (start, last, last, end)))
    counts = count_clues(clues, [grid_of("rb", ".."), grid_of(".r", ".b"), grid_of("bb", "r.")])
    assert [round(count, 6) for count in counts[RULES.index(name)]] == numbers


def test_the_audit_shares_a_win_among_equal_choices() -> None:
    """Each choice has one drawn cell, so to count cells wins one in six. The last click tells all."""
    made_predictions = ((seed, make_prediction(LAMP, seed, Random(seed))) for seed in count(4))
    seeds = islice(((seed, found[0]) for seed, found in made_predictions if found), 2)
    tasks = [replace(challenge("prediction"), program=LAMP, seed=seed, test=test) for seed, test in seeds]
    planning = challenge("planning", certificate={"random": {"plays": 4, "reached": 1}})
    parts = audit([*tasks * 6, planning, challenge("detection")]).parts
    table, best, learned, plannings, detections = parts
    assert isinstance(table, WinsTable)
    assert isinstance(plannings, WinsTable)
    assert isinstance(detections, WinsTable)
    assert [name for name, _ in plannings.rows] == ["acts at random", "clicks on cells that differ"]
    assert plannings.rows[0][1] == "25"
    assert [way for way, _ in detections.rows] == [*WAYS]
    assert table.names == ["rule, 12 predictions"]
    shares = {name: shares for name, *shares in table.rows}
    assert shares["drawn"] == ["17", "17"]
    assert shares["last click"] == ["0", "100"]
    assert str(best).startswith("The best of these rules wins 100 % (76 to 100 %)")
    assert str(learned).startswith("A weighted sum, learned from other predictions, wins ")
    floor = measure_floor(tasks * 6)
    assert floor is not None
    assert floor.learned > 0.5


# -- variants and the generator ---------------------------------------------------------------------------------------


def test_rows_and_columns_are_exchanged_where_that_is_the_same_world() -> None:
    program = environment("cart").base
    other = transpose(program)
    assert other is not None
    assert is_mirror(program, other)
    assert not is_mirror(CORNER, CORNER)
    assert [mirror(action) for action in ("left", "down", "noop", "click 1 2")] == [
        "up",
        "right",
        "noop",
        "click 2 1",
    ]
    assert transpose("(program (= a (nextLiquid b)))") is None


def test_a_variant_changes_all_texts_together() -> None:
    base = environment("cart")
    variants = [make_variant(base, Random(number)) for number in range(4)]
    assert len({variant.base for variant in variants}) == 4
    assert {variant.shows for variant in variants} != {base.shows}
    for variant in variants:
        seen = {color for row in start_world(variant.base, 0).grid for color in row}
        assert variant.shows[0] in seen
        pair = Pair(variant.base, variant.changed, variant.condition, WorldStart(1))
        assert play_pair(pair, ["noop"] * 3).problem == ""
    limits = {text for variant in variants for text in ("LIMIT 2", "LIMIT 3", "LIMIT 4") if text in variant.changed}
    assert len(limits) > 1


def rows(jobs: int, count: int = 4, **given: Any) -> list[Any]:
    options = ChallengeOptions(**{"environment": str(FOLDER / "cart"), "family": FAMILIES, "variants": True} | given)
    return list(AutumnGenerator().make(GenerateRequest(options, seed=5, count=count, jobs=jobs)).rows)


@pytest.mark.slow
def test_the_generator_makes_the_same_rows_with_more_processes() -> None:
    alone = rows(1)
    assert rows(2) == alone
    assert [row["id"] for row in alone][2:] == ["cart-detection-5-1-variant", "cart-prediction-5-2-variant"]
    assert alone[0]["challenge"] != alone[3]["challenge"]
    assert all(find_problems(Challenge.of(row)) == [] for row in alone)


def test_an_environment_whose_condition_is_wrong_is_refused_with_the_play() -> None:
    broken = environment("cart")
    broken = Environment(**{name: getattr(broken, name) for name in broken.__slots__} | {"condition": "(== count 1)"})
    with misread("$.change.condition", "the frames are equal"):
        make_challenge(broken, "detection", "cart", 1, 0)


def test_an_environment_gives_only_the_families_that_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "RANDOM_STEPS", 30)
    shutil.copytree(FOLDER / "cart", tmp_path / "cart")
    file = tmp_path / "cart" / "environment.json"
    own = {"families": ["planning"], "planning": {"steps": [2, 4], "shows": ["red", "gold"]}}
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | own), "utf-8")
    (row,) = rows(1, environment=str(tmp_path / "cart"), count=1)
    goal = Challenge.of(row).test
    assert isinstance(goal, Planning)
    assert not goal.fits(freeze_grid(environment_world("cart").grid))
    with raises(AutumnFault.NO_FAMILY, "planning"):
        rows(1, environment=str(tmp_path / "cart"), family=("prediction",))


def test_a_world_in_which_no_order_matters_gives_no_prediction() -> None:
    program = f"""(program (= GRID_SIZE 4) {BULBS} (= ons (initnext (list) (prev ons)))
      (on clicked (= ons (addObj (removeObj ons (--> o (== (.. o origin) click))) (Bulb click)))))"""
    assert make_prediction(program, 1, Random(1)) is None


WRONG = [
    ("base.sexp", "(= LIMIT 3)", "(= LIMIT 3) (= LIMIT 3)", "$.constants.LIMIT", "base.sexp"),
    ("changed.sexp", "(program", "(program (= a b)", "", "changed.sexp: "),
    ("environment.json", "(== shown true)", "(== shown false)", "$.change.condition", "at the start"),
    ("environment.json", "(== shown true)", "(== shown", "$.change.condition", "(condition, line 1, column 1: "),
    ("environment.json", "[4, 9]", "[9, 4]", "$.planning.steps", "environment.json: "),
    ("environment.json", '"tools"', '"tool"', "$.category", "environment.json: "),
]


@for_each(("file", "old", "new", "path", "fact"), WRONG)
def test_a_wrong_environment_is_told_with_file_and_path(
    file: str, old: str, new: str, path: str, fact: str, tmp_path: Path
) -> None:
    for name in ("base.sexp", "changed.sexp", "environment.json"):
        text = (FOLDER / "cart" / name).read_text("utf-8")
        (tmp_path / name).write_text(text.replace(old, new) if name == file else text, "utf-8")
    with misread(path, tmp_path, fact):
        load_environment(str(tmp_path))


def test_the_schema_of_certificates_knows_all_families() -> None:
    assert set(load_schema("autumn-certificate")["$defs"]) == set(FAMILIES)


def test_challenges_by_number_are_those_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def noted(environment: Environment, *order: object) -> SimpleNamespace:
        return SimpleNamespace(as_row=lambda: (environment.id, *order))

    monkeypatch.setattr("herobench.suites.autumn.making.generator.make_challenge", noted)
    monkeypatch.setattr(
        "herobench.suites.autumn.making.generator.make_variant", lambda environment, random: environment
    )
    monkeypatch.setattr("herobench.suites.autumn.making.generator.shipped_names", lambda: ["tray", "breaker"])
    options = ChallengeOptions(family=("prediction", "planning"), variants=True)
    request = GenerateRequest(options, seed=3, count=100, jobs=1)
    numbered = pickle.loads(pickle.dumps(numbered_tasks("autumn", request)))
    assert list(numbered.numbers) == list(range(100))
    orders = list(map(numbered.make, numbered.numbers))
    assert orders == list(AutumnGenerator().make(request).rows)
    first = [
        (name, kind, f"{name}-{kind}-3-1-variant", 3, number)
        for number, name in enumerate(("tray", "breaker"))
        for kind in ("prediction", "planning")
    ]
    assert orders[:5] == [*first, ("tray", "prediction", "tray-prediction-3-2-variant", 3, 2)]
    others = [replace(options, environment="tray"), replace(options, variants=False)]
    identities = [numbered_tasks("autumn", GenerateRequest(each, 3, 100, 1)).identity for each in (options, *others)]
    assert all(identities.count(identity) == 1 for identity in identities)
