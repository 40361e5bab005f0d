"""`herobench autumn check`."""

import json
from pathlib import Path

import pytest

from tests.golden import Golden
from tests.program import herobench
from tests.sizes import for_each
from tests.suites.autumn.garden import CHASE

BALLS = """(program
  (= GRID_SIZE 3) ; small
  (object Ball (Cell 0 0 "gold"))

  (= balls (initnext (list) (updateObj (prev balls) nextSolid)))
  (= score (initnext 0 (prev score)))
  (on clicked (let (= balls (addObj balls (Ball click))) (= score (+ score 1))) "ignored")
)"""


@pytest.fixture
def balls(tmp_path: Path) -> Path:
    path = tmp_path / "balls.sexp"
    path.write_text(BALLS, "utf-8")
    return path


def test_check_prints_statistics_and_notes(balls: Path, golden: Golden) -> None:
    done = herobench("autumn", "check", balls)
    golden(done)
    assert done.stderr == f"{balls}: line 7, column 81: what follows here in '(on ...)' is ignored\n"


def test_check_prints_the_same_as_json(balls: Path) -> None:
    row = json.loads(herobench("autumn", "check", balls, "--json", "--steps", 40, "--episodes", 2).stdout)
    assert row | {"file": "", "frames": 0, "notes": []} == {
        "schema": 1,
        "file": "",
        "colors": ["gold"],
        "background": "black",
        "grid_size": 3,
        "random": False,
        "steps": 80,
        "frames": 0,
        "notes": [],
    }
    assert row["frames"] > 5
    balls.write_text(CHASE, "utf-8")
    row = json.loads(herobench("autumn", "check", balls, "--json", "--steps", 60).stdout)
    assert (row["random"], row["background"], row["grid_size"]) == (True, "tan", 9)


@for_each("text", ["(program\n (on true (head 3)))", "(program (= x ))", "(program (= x (head (list))))", "\x1b[31m"])
def test_check_names_file_line_and_column_of_an_error(tmp_path: Path, text: str, golden: Golden) -> None:
    path = tmp_path / "broken.sexp"
    path.write_text(text, "utf-8")
    golden(herobench("autumn", "check", path))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("autumn", "check", tmp_path / "none"))
    (tmp_path / "bytes").write_bytes(b"\xff")
    golden(herobench("autumn", "check", tmp_path / "bytes"))
