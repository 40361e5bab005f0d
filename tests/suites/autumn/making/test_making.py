"""Making challenges: what is made can be proven again, and what is not so is told."""

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from herobench.suites.autumn.making.contents import STATISTICS, Clues, measure

from herobench.data.documents import load_schema
from herobench.suite.generating import GenerateRequest, numbered_tasks
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
from herobench.suites.autumn.language.chance import Script
from herobench.suites.autumn.language.world import KEYS
from herobench.suites.autumn.making.audit import audit
from herobench.suites.autumn.making.detection import (
    Pair,
    RepeatedPlays,
    best_start,
    outcomes,
    play_pair,
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
from herobench.suites.autumn.making.prediction import PredictionQuery, draw_query, make_prediction
from herobench.suites.autumn.making.proof import find_problems
from herobench.suites.autumn.making.recordings import MODES, Mode, Trajectory, continuations, replay
from herobench.suites.autumn.making.search import explore, sees_old_clicks
from herobench.suites.autumn.making.support import Observer, around
from tests.refusals import misread
from tests.sizes import for_each, one_in, some_slow

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


def right_first(row: dict[str, Any]) -> None:
    """Make another choice the right one."""
    row["answer"]["choice"] = (row["answer"]["choice"] + 1) % 6


def other_origin(row: dict[str, Any]) -> None:
    """Say that a wrong choice is what the start shows."""
    number = next(number for number, origin in enumerate(row["certificate"]["origins"]) if origin["by"] != "truth")
    row["certificate"]["origins"][number] = {"by": "actions", "from": 0, "actions": []}


def unchanged(row: dict[str, Any]) -> dict[str, Any]:
    """No change at all, from the start of the interaction."""
    return {"changed": row["program"], "condition": LEFT, "start": {"seed": 1, "actions": []}}


def beyond(row: dict[str, Any]) -> dict[str, Any]:
    """A start at which the change is there already."""
    return {"actions": [*row["challenge"]["start"]["actions"], *row["answer"]["actions"]]}


Tamper = Callable[[dict[str, Any]], object]
TAMPERED: list[tuple[Family, str, Tamper]] = [
    ("prediction", "is not what the rectangle shows", right_first),
    ("prediction", "certificate: expected the property 'frames'", lambda row: row["certificate"].pop("frames")),
    ("prediction", "another digest", lambda row: row["challenge"]["actions"].__setitem__(0, "click 0 0")),
    ("prediction", "does not come about as its origin says", other_origin),
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
    assert any("is possible too" in problem for problem in find_problems(Challenge.of(row)))


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
    origins = [{"by": "truth"}, *[{"by": "actions", "from": 0, "actions": []}] * 5]
    return base | {
        "seed": seed,
        "challenge": asked,
        "answer": {"choice": 0},
        "certificate": base["certificate"] | {"origins": origins},
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


def test_the_wanted_ranks_are_dealt_out() -> None:
    six = [draw_query(3, number) for number in range(12, 18)]
    assert sorted(query.position for query in six) == list(range(6))
    for name in STATISTICS:
        assert sorted(query.ranks[name] for query in six) == list(range(6))


LAMP = """(program (= GRID_SIZE 9) (object Lamp (Cell 0 0 "red"))
  (= lamp (initnext (Lamp (Position 4 4)) (prev lamp)))
  (on clicked (= lamp (Lamp click))))"""
"""A lamp that is where it was clicked last."""


def test_choices_are_taken_by_the_wanted_ranks() -> None:
    ranks = []
    for wanted in range(6):
        found = make_prediction(LAMP, 1, PredictionQuery(0, {"column": wanted}), Random(5))
        assert found is not None
        columns = [max(row.index("red") for row in choice if "red" in row) for choice in found[0].choices]
        ranks.append(sum(column < columns[0] for column in columns))
    assert (ranks[0], ranks[-1]) == (0, 5)
    assert ranks == sorted(ranks)


@for_each("mode", MODES)
def test_ways_to_go_on_have_in_common_what_their_mode_says(mode: Mode) -> None:
    world = environment_world("cart")
    ways = list(continuations(world, mode, Random(4), 6, 8))
    assert all(way.frames[0] == freeze_grid(world.grid) for way in ways), "the world stays where it is"
    assert len({way.actions for way in ways}) > 1
    counts = {tuple(sorted(way.actions)) for way in ways}
    kinds = {tuple("key" if action in KEYS else action.split()[0] for action in way.actions) for way in ways}
    assert len(counts if mode == "order" else kinds) == 1
    assert (len(counts) == 1) is (mode == "order")


def test_a_goal_tells_nothing_where_it_does_not_matter() -> None:
    goal = Planning((("red", "blue"), ("gray", "red")), ((1, 0), (0, 0)), ("left",)).with_background("black")
    assert goal.goal == (("red", "black"), ("black", "black"))
    assert goal.differing([["blue", "blue"], ["red", "red"]]) == [(0, 0)]


def test_matching_play_clicks_its_way_to_a_goal_that_shows_where_to_click() -> None:
    program = (
        '(program (= GRID_SIZE 2) (object D (Cell 0 0 "red")) (= d (D (Position 0 0))) (on clicked (= d (D click))))'
    )
    goal = Planning((("black", "red"), ("black", "black")), ((0, 1), (0, 0)), ("click 1 0",))
    assert matching_share(program, 1, goal, plays=4) == 4
    never = Planning((("black", "blue"), ("black", "black")), ((0, 1), (0, 0)), ("click 1 0",))
    assert matching_share(program, 1, never, plays=2) == 0


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
    assert repeat_plays(pairs[0], 5, costs[0]) is None, "it is as bad as that"


@for_each("name", ["cart", "moth"])
def test_nothing_outside_the_rectangle_tells_the_choices_apart(name: str) -> None:
    challenge = made(name, "prediction")
    test = challenge.test
    assert isinstance(test, Prediction)
    whole = replay(challenge.start(), test.actions)
    for choice, origin in zip(test.choices, challenge.certificate["origins"], strict=True):
        if origin["by"] == "truth":
            continue
        other = replay(challenge.start(), [*test.actions[: origin["from"]], *origin["actions"]])
        assert test.mask.cut(other.last) == choice
        assert len(other.actions) == len(whole.actions)
        for frame, other_frame in zip(whole.frames, other.frames, strict=True):
            assert around(frame, test.mask) == around(other_frame, test.mask)


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
        ("fit", [3, 4, 1]),
        ("clicked", [0, 1, 1]),
        ("nearness", [0, -1, -0.5]),
        ("parity", [0, 1, 1]),
        ("last click", [-99, 0, 0]),
        ("shift", [0, 0.5, -0.166667]),
        ("side", [0, 0.5, 0]),
        ("shifted", [2, 1, 3]),
        ("motion", [0, -3, -2]),
        ("spread", [5, 7, 6]),
        ("odd", [1, 1, 2]),
    ],
)
def test_a_statistic_counts_what_its_name_says(name: str, numbers: list[float]) -> None:
    """A red cell, and later a blue one to its right; then a click on the red one, and a key."""
    start, last = grid_of("....", ".r..", "....", "...."), grid_of("....", ".rb.", "....", "....")
    end = grid_of("....", "....", "....", "..r.")
    clues = Clues(Mask(1, 1, 2, 2, 2), "black", Trajectory(("noop", "click 1 1", "right"), (start, last, last, end)))
    assert measure(clues, [grid_of("rb", ".."), grid_of(".r", ".b"), grid_of("bb", "r.")])[name] == numbers


@for_each(
    ("name", "numbers"),
    [("colours", [3, 1]), ("even", [1, 4]), ("pieces", [3, 1]), ("symmetry", [2, 8]), ("column", [0.5, 0])],
)
def test_a_statistic_of_a_content_alone(name: str, numbers: list[float]) -> None:
    frame = grid_of("..", "..")
    clues = Clues(Mask(0, 0, 2, 2, 1), "black", Trajectory(("noop",), (frame, frame)))
    assert measure(clues, [grid_of("rb", ".."), grid_of("..", "..")])[name] == numbers


def test_the_audit_shares_a_win_among_equal_choices() -> None:
    """Each choice has one drawn cell, so counting cells wins one in six, and one of the ends wins by the column."""
    found = make_prediction(LAMP, 1, PredictionQuery(0, {"column": 5}), Random(5))
    assert found is not None
    challenge = replace(made("cart", "prediction"), program=LAMP, seed=1, test=found[0])
    table = audit([challenge, made("cart", "planning")])
    rows = {name: shares for name, *shares in table.rows}
    assert table.names == ["statistic, 1 predictions"]
    assert rows["drawn"] == ["17", "17"]
    assert rows["column"] == ["0", "100"]


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


def rows(jobs: int, **given: Any) -> list[Any]:
    options = ChallengeOptions(**{"environment": str(FOLDER / "cart"), "family": FAMILIES, "variants": True} | given)
    return list(AutumnGenerator().make(GenerateRequest(options, seed=5, count=4, jobs=jobs)).rows)


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
    goal = made("cart", "planning").test
    assert isinstance(goal, Planning)
    assert not goal.fits(freeze_grid(environment_world("cart").grid))


def test_challenges_by_number_are_those_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def noted(environment: Environment, *order: object) -> SimpleNamespace:
        return SimpleNamespace(as_row=lambda: (environment.id, *order))

    monkeypatch.setattr("herobench.suites.autumn.making.generator.make_challenge", noted)
    monkeypatch.setattr(
        "herobench.suites.autumn.making.generator.make_variant", lambda environment, random: environment
    )
    monkeypatch.setattr("herobench.suites.autumn.making.generator.shipped_names", lambda: ["bees", "angler"])
    options = ChallengeOptions(family=("prediction", "planning"), variants=True)
    request = GenerateRequest(options, seed=3, count=100, jobs=1)
    numbered = pickle.loads(pickle.dumps(numbered_tasks("autumn", request)))
    assert list(numbered.numbers) == list(range(100))
    orders = list(map(numbered.make, numbered.numbers))
    assert orders == list(AutumnGenerator().make(request).rows)
    first = [
        (name, kind, f"{name}-{kind}-3-1-variant", 3, number)
        for number, name in enumerate(("bees", "angler"))
        for kind in ("prediction", "planning")
    ]
    assert orders[:5] == [*first, ("bees", "prediction", "bees-prediction-3-2-variant", 3, 2)]
    others = [replace(options, environment="bees"), replace(options, variants=False)]
    identities = [numbered_tasks("autumn", GenerateRequest(each, 3, 100, 1)).identity for each in (options, *others)]
    assert all(identities.count(identity) == 1 for identity in identities)
