"""Rows of challenges: what is read comes out again, and what is wrong is named with its path."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from herobench.data.errors import InputError
from herobench.data.rows import dump_row
from herobench.suites.autumn.episode.challenge import Challenge, Mask, Planning, read_challenges
from tests.sizes import for_each

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
    assert (planning.test.reached(DARK), planning.test.reached(LIT)) == (False, True)
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
    assert [mask.covers(column, row) for column, row in ((2, 1), (1, 1), (2, 2), (3, 0))] == [True, False, False, False]


Change = Callable[[dict[str, Any], dict[str, Any]], object]
"""Gets a row and what is asked in it."""
WRONG: list[tuple[str, str, Change]] = [
    ("prediction", "$.program: expected a program that can be started", lambda r, _: r.update(program="(program (= a")),
    ("prediction", "$.challenge.actions[2]: expected an action", lambda _, c: c["actions"].append("jump")),
    ("prediction", "$.challenge.mask: expected a rectangle within", lambda _, c: c["mask"].update(width=3)),
    ("prediction", "$.challenge.mask.from: expected a frame up to", lambda _, c: c["mask"].update({"from": 3})),
    ("prediction", "$.challenge.choices[5]: expected 1 rows of 1", lambda _, c: c["choices"][5][0].append("a")),
    (
        "prediction",
        "$.challenge.choices[5]: expected a choice that differs",
        lambda _, c: c["choices"].__setitem__(5, [["blue"]]),
    ),
    ("prediction", "$.answer.choice: expected 5 or less", lambda r, _: r["answer"].update(choice=6)),
    ("planning", "$.challenge.goal: expected 3 rows of 3 cells", lambda _, c: c["goal"].pop()),
    ("planning", "$.challenge.mask: expected a cell that matters", lambda _, c: c.update(mask=[[0] * 3] * 3)),
    ("planning", "$.answer: expected the property 'actions'", lambda r, _: r.update(answer={})),
    ("detection", "$.challenge.changed: expected a program", lambda _, c: c.update(changed="(program (= a b))")),
    ("detection", "$.challenge.condition: expected an expression", lambda _, c: c.update(condition="(== 1")),
    ("detection", "$.answer.frame: expected a frame up to", lambda r, _: r["answer"].update(frame=2)),
]


@for_each(("family", "words", "change"), WRONG)
def test_what_is_wrong_with_a_row_is_named_with_its_path(family: str, words: str, change: Change) -> None:
    given = row(family)
    change(given, given["challenge"])
    with pytest.raises(InputError) as caught:
        Challenge.of(given, "rows.jsonl:1")
    assert any(line.startswith(f"rows.jsonl:1: {words}") for line in caught.value.lines), caught.value.lines
