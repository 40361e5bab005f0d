"""`herobench autumn`: check and play, with and without a terminal."""

import io
import json
import os
import subprocess
from pathlib import Path

import pytest

from herobench.cli.autumn import keys, picture
from herobench.cli.autumn.play import play
from tests.cli.terminal import Terminal, needs_setsid
from tests.program import command, herobench, refuses, surroundings
from tests.suites.autumn.garden import CHASE, RAIN

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


def test_check_prints_statistics_and_notes(balls: Path) -> None:
    done = herobench("autumn", "check", balls)
    assert done.returncode == 0
    facts = dict(
        line.split(None, 1) for line in done.stdout.splitlines() if not line.startswith(("object", "state", "grid"))
    )
    assert facts["colors"].strip() == "1: gold"
    assert (facts["latents"].strip(), facts["handlers"].strip(), facts["random"].strip()) == ("1", "1", "no")
    assert done.stderr == f"{balls}: line 7, column 81: what follows here in '(on ...)' is ignored\n"


def test_check_prints_the_same_as_json(balls: Path) -> None:
    row = json.loads(herobench("autumn", "check", balls, "--json", "--steps", 40, "--episodes", 2).stdout)
    assert row | {"file": "", "frames": 0, "notes": []} == {
        "schema": 1,
        "file": "",
        "lines": 7,
        "object_types": 1,
        "state_variables": 2,
        "latents": 1,
        "handlers": 1,
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
    assert (row["random"], row["background"], row["grid_size"], row["latents"]) == (True, "tan", 9, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(program\n (on true (head 3)))",
            "line 2, column 11: expected a List, found a Number (with seed 0, after 0 random",
        ),
        ("(program (= x ))", "line 1, column 10: expected '(= NAME EXPRESSION)', found '('"),
        (
            "(program (= x (head (list))))",
            "line 1, column 15: expected an index into a list of 0 elements, found 0 (with",
        ),
        ("\x1b[31m", "line 1, column 1: expected '(program ...)', found '\\x1b[31m'"),
    ],
)
def test_check_names_file_line_and_column_of_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.sexp"
    path.write_text(text, "utf-8")
    assert refuses(herobench("autumn", "check", path)).startswith(f"{path}: {message}")


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert "expected a readable file" in refuses(herobench("autumn", "check", tmp_path / "none"))
    (tmp_path / "bytes").write_bytes(b"\xff")
    assert "expected text in UTF-8" in refuses(herobench("autumn", "play", tmp_path / "bytes"))
    assert "standard input is for actions" in refuses(herobench("autumn", "play", "-"))


def test_play_reads_actions_from_a_pipe_to_its_end(
    balls: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("click 1 0\n\njump\nr\nreset\nquit\nnoop\n"))
    play(str(balls), 0)
    shown = capsys.readouterr()
    pictures = [block.splitlines() for block in shown.out.split("  0 1 2\n")[1:]]
    assert [picture[-1] for picture in pictures] == ["step 0", "step 1", "step 2", "step 3", "step 0"]
    assert pictures[1] == ["0 . a .", "1 . . .", "2 . . .", ". black, a gold", "step 1"]
    assert pictures[2][:3] == ["0 . . .", "1 . a .", "2 . . ."]
    assert pictures[4][:3] == ["0 . . .", "1 . . .", "2 . . ."]
    assert shown.err.startswith("'jump' is no action: expected 'left'")


def test_play_ends_where_there_is_nothing_to_read(balls: Path) -> None:
    done = herobench("autumn", "play", balls)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(". black\nstep 0\n")


def test_the_numbers_of_the_columns_of_a_wide_grid_do_not_run_together() -> None:
    shown = picture.rows([["black"] * 13] * 13, {"black": "."}, colored=False)
    assert shown[0].plain.split() == ["0", "2", "4", "6", "8", "10", "12"]
    assert shown[0].plain.index("12") == shown[1].plain.rindex(".") - 1


def test_keys_of_a_terminal() -> None:
    read, write = os.pipe()
    os.write(write, b"\x1b[A\x1b[B\x1bOC\x1b[D .x\x1b[Zcrq\x04")
    words = [keys.key(read) for _ in range(10)]
    os.close(write)
    assert words == ["up", "down", "right", "left", "noop", "noop", "click", "reset", "quit", "quit"]
    assert keys.key(read) == "quit"
    os.close(read)


@pytest.mark.slow
@needs_setsid
def test_play_in_a_terminal_shows_colours_and_takes_keys(balls: Path) -> None:
    terminal = Terminal("autumn", "play", balls)
    terminal.read_until(rb"step 0[^$]*to quit")
    terminal.type(b"c")
    terminal.read_until(rb"COLUMN ROW:")
    terminal.type(b"1 0\n")
    terminal.read_until(rb"\x1b\[48;[25];[^$]*step 1[^$]*to quit")  # a cell in gold
    terminal.type(b"\x1b[A")
    terminal.read_until(rb"step 2[^$]*to quit")
    terminal.type(b"q")
    assert terminal.end() == 0


@pytest.mark.slow
@needs_setsid
def test_an_interrupt_ends_play(balls: Path) -> None:
    terminal = Terminal("autumn", "play", balls)
    terminal.read_until(rb"to quit")
    terminal.type(b"\x03")
    assert terminal.end() == 130
    assert b"Traceback" not in terminal.seen


@pytest.mark.slow
def test_a_program_that_fails_in_play_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "rain.sexp"
    path.write_text(RAIN.replace("(nextSolid d)", "(head d)"), "utf-8")
    done = subprocess.run(
        command("autumn", "play", path),
        input="click 0 0\nclick 3 3\nnoop\n",
        capture_output=True,
        text=True,
        env=surroundings(),
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"{path}: line 6, column ")
