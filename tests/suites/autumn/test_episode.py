"""Rows of challenges are read and refused with their paths; phases of an episode, how tests end, and their worth."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from herobench.data.rows import dump_row
from herobench.suites.autumn.episode.challenge import Challenge, Mask, Planning, read_challenges
from herobench.suites.autumn.episode.episode import Episode, Film
from herobench.suites.autumn.episode.phase import FilmSeen, StoredSeen, WorldSeen
from herobench.suites.autumn.episode.tests import DetectionTest, PredictionTest, score_frame
from herobench.suites.autumn.refusals import AutumnFault
from tests.refusals import misread, raises
from tests.sizes import for_each
from tests.suites.autumn.challenges import BEAD, LED, challenge, grid
from tests.suites.autumn.challenges import row as make_row

LAMP = """(program
  (= GRID_SIZE 3)
  (object Lamp (: lit Bool) (Cell 0 0 (if lit then "gold" else "gray")))
  (= lamp (initnext (Lamp false (Position 1 1)) (prev lamp)))
  (on (clicked lamp) (= lamp (updateObj lamp "lit" (! (.. lamp lit))))))"""
DARK = [["black"] * 3, ["black", "gray", "black"], ["black"] * 3]
LIT = [["black"] * 3, ["black", "gold", "black"], ["black"] * 3]
CENTER = [[0, 0, 0], [0, 1, 0], [0, 0, 0]]


def row(family: str) -> dict[str, Any]:
    """A row of a family about a lamp that a click turns on and off."""
    given: dict[str, tuple[Any, Any]] = {
        "prediction": (
            {
                "actions": ["noop", "click 1 1"],
                "mask": {"column": 1, "row": 1, "width": 1, "height": 1, "from": 2},
                "choices": [[[color]] for color in ("gray", "gold", "black", "red", "blue", "tan")],
            },
            {"choice": 1},
        ),
        "planning": ({"goal": LIT, "mask": CENTER}, {"actions": ["click 1 1"]}),
        "detection": (
            {"changed": LAMP.replace('"gold"', '"red"'), "condition": "(.. lamp lit)"},
            {"actions": ["click 1 1"], "frame": 1},
        ),
    }
    asked, answer = given[family]
    told = {"id": f"lamp-{family}", "family": family, "environment": "lamp", "title": "Lamp", "category": "logic"}
    ours = {"stochastic": False, "hints": [], "program": LAMP, "seed": 3, "challenge": asked, "answer": answer}
    made: dict[str, Any] = json.loads(json.dumps({"schema": 1, **told, **ours, "certificate": {}}))
    return made


def test_rows_of_all_families_come_out_of_a_file_as_they_were_written(tmp_path: Path) -> None:
    rows = [row(family) for family in ("prediction", "planning", "detection")]
    (tmp_path / "rows.jsonl").write_text("".join(map(dump_row, rows)), "utf-8")
    found = read_challenges(tmp_path / "rows.jsonl")
    assert [challenge.as_row() for challenge in found.values()] == rows
    planning, detection = found["lamp-planning"], found["lamp-detection"]
    assert isinstance(planning.test, Planning)
    assert planning.start().grid == DARK
    assert (planning.test.fits(DARK), planning.test.fits(LIT)) == (False, True)
    changed = detection.start_changed()
    assert not changed.holds()
    changed.act("click 1 1")
    assert changed.holds()
    assert changed.grid[1][1] == "red"


def test_whole_numbers_may_be_written_with_a_point() -> None:
    given = row("prediction")
    given["challenge"]["mask"] = {key: float(value) for key, value in given["challenge"]["mask"].items()}
    given |= {"seed": 3.0, "answer": {"choice": 1.0}}
    assert json.dumps(Challenge.of(given).as_row()) == json.dumps(Challenge.of(row("prediction")).as_row())


def test_a_mask_cuts_columns_and_rows() -> None:
    mask = Mask(column=2, row=0, width=1, height=2, since=1)
    assert mask.cut([["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]]) == (("c",), ("f",))


Change = Callable[[dict[str, Any], dict[str, Any]], object]
"""Gets a row and what is asked in it."""
WRONG: list[tuple[str, str, Change]] = [
    ("prediction", "$.program", lambda r, _: r.update(program="(program (= a")),
    ("prediction", "$.challenge.actions[2]", lambda _, c: c["actions"].append("jump")),
    ("prediction", "$.challenge.mask", lambda _, c: c["mask"].update(width=3)),
    ("prediction", "$.challenge.mask.from", lambda _, c: c["mask"].update({"from": 3})),
    ("prediction", "$.challenge.choices[5]", lambda _, c: c["choices"][5][0].append("a")),
    ("prediction", "$.challenge.choices[5]", lambda _, c: c["choices"].__setitem__(5, [["blue"]])),
    ("prediction", "$.answer.choice", lambda r, _: r["answer"].update(choice=6)),
    ("planning", "$.challenge.goal", lambda _, c: c["goal"].pop()),
    ("planning", "$.challenge.mask", lambda _, c: c.update(mask=[[0] * 3] * 3)),
    ("planning", "$.answer", lambda r, _: r.update(answer={})),
    ("detection", "$.challenge.changed", lambda _, c: c.update(changed="(program (= a b))")),
    ("detection", "$.challenge.condition", lambda _, c: c.update(condition="(== 1")),
    (
        "detection",
        "$.challenge.start.actions[1]",
        lambda _, c: c.update(start={"seed": 1, "actions": ["left", "jump"]}),
    ),
    ("detection", "$.challenge.start", lambda _, c: c.update(start={"actions": []})),
    ("detection", "$.answer.frame", lambda r, _: r["answer"].update(frame=2)),
]


@for_each(("family", "path", "change"), WRONG)
def test_what_is_wrong_with_a_row_is_named_with_its_path(family: str, path: str, change: Change) -> None:
    given = row(family)
    change(given, given["challenge"])
    with misread(path, "rows.jsonl:1: "):
        Challenge.of(given, "rows.jsonl:1")


MOVES = ("left", "right", "up", "down", "click [0-3] [0-3]", "noop", "quit")


def played(family: str, *actions: str, **limits: Any) -> Episode:
    episode = Episode(challenge(family), **limits)
    for action in actions:
        episode.act(action)
    return episode


def test_the_interaction_counts_all_actions_and_its_limit_begins_the_test() -> None:
    episode = played("planning", "right", "jump", "reset", steps=4)
    assert episode.offered == (*MOVES, "go-to-test", "reset")
    assert episode.seen == WorldSeen(grid("r...", "....", "....", "...."))
    assert (episode.act("jump"), episode.interaction.steps, episode.offered) == ("unknown", 4, MOVES)
    for word in ("quit", "go-to-test"):
        episode = played("planning", "right", word)
        assert (episode.test is not None, episode.ending, episode.seen.grid) == (
            True,
            None,
            grid("r...", *["...."] * 3),
        )


def test_each_action_can_be_followed_by_the_idle_steps_of_a_second() -> None:
    program = BEAD.replace("(= GRID_SIZE 4)", "(= GRID_SIZE 4) (= FRAME_RATE 3)").replace(
        "(prev bead)", "(moveDownNoCollision (prev bead))", 1
    )
    episode = Episode(challenge("planning", program=program), stack="all")
    episode.act("right")
    episode.act("noop")
    seen = episode.seen
    assert isinstance(seen, WorldSeen)
    assert [(still.time, still.action) for still in seen.stills] == [(5, "noop"), (6, "noop"), (7, "noop")]
    assert seen.stills[-1].grid == seen.grid == grid("....", "....", "....", ".r..")
    last = Episode(challenge("planning", program=program), stack="last")
    last.act("right")
    assert last.seen == WorldSeen(grid("....", "....", ".r..", "...."))


def test_a_prediction_is_stepped_through_and_then_chosen() -> None:
    episode = played("prediction", "go-to-test")
    assert episode.offered == ("step",)
    assert [episode.act(word) for word in ("rewind", "choose_option_2", "quit", "noop")] == ["unknown"] * 4
    seen = []
    for _ in range(5):
        episode.act("step")
        seen.append(episode.seen)
    assert all(isinstance(one, FilmSeen) for one in seen)
    assert [(one.position, one.action, one.choices is None) for one in seen] == [
        (1, "noop", True), (2, "right", True), (3, "click 3 0", True), (4, "right", False), (4, "right", False)
    ]  # fmt: skip
    assert [one.grid[0] for one in seen[:2]] == grid("r...", ".mmm")
    assert episode.offered == ("step", "rewind", *(f"choose_option_{number}" for number in range(6)))
    episode.act("rewind")
    back = episode.seen
    assert isinstance(back, FilmSeen)
    assert (back.position, back.action, back.choices is None) == (3, "click 3 0", False)
    episode.act("choose_option_2")
    assert (episode.ending, episode.result) == ("answered", ("answered", 1.0, 1.0))


def test_the_right_choice_is_what_the_world_shows() -> None:
    asked = challenge("prediction")
    test = PredictionTest(asked.test, asked.start())
    for _ in range(4):
        test.act("step")
    world = asked.start()
    for action in asked.test.actions:
        world.act(action)
    assert asked.test.mask.cut(world.grid) == asked.test.choices[asked.test.choice]
    test.act("choose_option_0")
    assert test.result == ("answered", 0.0, -1.0)


def test_a_plan_is_checked_after_each_step_where_the_mask_is_one() -> None:
    episode = played("planning", "go-to-test", "right", "reset", "foo", "right", "click 0 3", "down")
    assert (episode.ending, episode.result) == ("solved", ("solved", 1.0, 1.0))
    assert [turn.get("refused") for turn in episode.film.as_row()["phases"][1]["turns"]] == [
        None, "no-reset", "unknown", None, None, None,
    ]  # fmt: skip
    there = challenge("planning", challenge={"goal": grid("r...", *["...."] * 3), "mask": [[1] * 4] * 4})
    waiting = Episode(there)
    waiting.act("go-to-test")
    assert waiting.ending is None, "not checked before the first step"
    waiting.act("noop")
    assert waiting.ending == "solved"
    assert played("planning", "go-to-test", "quit").result == ("quit", 0.0, 0.0)


@for_each(
    ("frame", "score", "reward"),
    [(0, 0.0, -1.0), (2, 0.0, -1.0), (3, 1.0, 1.0), (4, 1.0, 1.0), (5, 0.967, 0.967)],
)
def test_a_detection_is_worth_what_the_chosen_frame_is(frame: int, score: float, reward: float) -> None:
    episode = played("detection", "go-to-test", "right", "right")
    assert episode.act("I found the change!") == "unknown", "it is offered after three actions"
    assert "I found the change!" in episode.offered
    episode.act("right")
    episode.act("noop")
    assert episode.act("noop") is episode.act("I found the change!") is None
    assert episode.offered == (*(f"choose_frame_{number}" for number in range(6)), "Submit choice", "quit")
    assert episode.act("Submit choice") == "nothing-chosen"
    assert episode.act("choose_frame_6") == episode.act("right") == "unknown"
    for number in (1, frame):
        episode.act(f"choose_frame_{number}")
    seen = episode.seen
    assert isinstance(seen, StoredSeen)
    assert seen.number == frame
    assert isinstance(episode.test, DetectionTest)
    assert episode.test.trigger == 4
    episode.act("Submit choice")
    assert episode.result is not None
    assert (round(episode.result.score, 3), round(episode.result.reference_reward, 3)) == (score, reward)


def test_a_test_with_its_own_start_begins_there_and_counts_from_there() -> None:
    led = challenge("detection", **LED)
    assert led.as_row() == make_row("detection", **LED)
    episode = Episode(led)
    episode.act("go-to-test")
    assert episode.seen.grid == grid("....", ".r..", "....", "....")
    for action in ("right", "right", "noop", "I found the change!", "choose_frame_2", "Submit choice"):
        assert episode.act(action) is None
    assert isinstance(episode.test, DetectionTest)
    assert (episode.test.trigger, episode.result) == (3, ("answered", 1.0, 1.0))
    asked = {**LED["challenge"], "condition": "& right (> moves 1)"}
    event = Episode(challenge("detection", **LED | {"challenge": asked}))
    for action in ("go-to-test", "right", "right"):
        event.act(action)
    assert isinstance(event.test, DetectionTest)
    assert event.test.trigger == 2, "a condition about an event is true in its step"


def test_the_formula_of_detection_has_the_published_values() -> None:
    late = [(1.1, 0.994), (1.25, 0.967), (1.5, 0.892), (2, 0.710), (3, 0.441), (5, 0.247), (10, 0.200)]
    assert [round(score_frame(int(100 * u), 100) or 0, 3) for u, _ in late] == [score for _, score in late]
    assert [score_frame(frame, 7) for frame in (5, 6, 7)] == [None, 1.0, 1.0]
    assert score_frame(3, None) is None


def test_a_change_that_never_came_is_worth_nothing() -> None:
    never = played(
        "detection", "go-to-test", "noop", "noop", "noop", "I found the change!", "choose_frame_3", "Submit choice"
    )
    assert never.result == ("answered", 0.0, -1.0)


def test_the_whole_episode_has_a_limit_and_an_error_of_a_program_ends_it() -> None:
    episode = played("planning", "noop", "go-to-test", "noop", total=3)
    assert (episode.ending, episode.result) == ("steps", None)
    failing = Episode(challenge("planning", program=BEAD.replace("(on left", "(on up (head (list))) (on left")))
    failing.act("right")
    failing.act("up")
    assert (failing.ending, failing.seen.grid[0]) == ("failed", grid(".r..")[0])


@for_each(("ending", "last", "total"), [("answered", "choose_option_0", 501), ("steps", "rewind", 6)])
def test_an_episode_that_is_over_takes_no_further_choice(ending: str, last: str, total: int) -> None:
    episode = played("prediction", "go-to-test", *["step"] * 4, last, total=total)
    with raises(AutumnFault.EPISODE_OVER, ending):
        episode.act("choose_option_2")
    assert (episode.ending, episode.turns) == (ending, 6)


def test_the_film_keeps_what_each_action_changed() -> None:
    film = played("planning", "right", "noop", "click 3 3", "go-to-test", "right").film.as_row()
    assert film["colors"] == ["red", "black", "gray"]
    first, test = film["phases"]
    assert (first["size"], first["first"], test["first"]) == (4, "0111" + "1" * 12, "0111" + "1" * 12)
    assert first["turns"] == [
        {"action": "right", "changes": [0, "10"]},
        {"action": "noop"},
        {"action": "click 3 3", "changes": [15, "2"]},
        {"action": "go-to-test"},
    ]
    assert test["turns"] == [{"action": "right", "changes": [0, "10"]}]


def test_a_run_of_changed_cells_may_go_on_in_the_next_row() -> None:
    film, rows = Film(), ["aaa", "aaa", "aaa", "aaa", "aaa"]
    film.begin(list(map(list, rows)))
    for after in (["aaa", "aab", "baa", "aaa", "aaa"], ["aaa", "aaa", "aaa", "abb", "bba"], rows):
        film.add("noop", None, list(map(list, after)))
    assert [turn["changes"] for turn in film.phases[0]["turns"]] == [
        [5, "11"],
        [5, "00", 10, "1111"],
        [10, "0000"],
    ]
