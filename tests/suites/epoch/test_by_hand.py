"""A level played by a person, with typed lines."""

from pathlib import Path

import pytest

from herobench.suites.epoch import load_level
from herobench.suites.epoch.by_hand import HandPlay
from tests.cli.terminal import Terminal, needs_setsid
from tests.program import herobench, refuses, write_jsonl


def typed(plan: tuple[str, ...]) -> list[str]:
    return [action.strip("()") for action in plan]


def test_only_actions_are_turns_and_what_is_hidden_stays_so() -> None:
    game = HandPlay(load_level("L01"))
    assert "There is no action 'jump'" in game.answer("jump hester")
    assert "these are 3 values, and not 1" in game.answer("move hester")
    assert "'mill' is no place" in game.answer("move hester mill lane-past")
    assert "no undo" in game.answer("undo")
    assert game.answer("") == ""
    assert "'jump' is no action of this level, and nothing in it. The actions are move" in game.answer("? jump")
    assert game.game.turns == 0
    assert "move hester mill-past lane-past" in game.answer("?").splitlines()
    assert game.answer("?take") == game.answer("? TAKE hester") == "take hester lantern mill-past"
    assert game.answer("? send") == "No action with send can be carried out now."
    assert "REFUSED: (at hester lane-past) is false" in game.answer("move hester lane-past mill-past")
    assert "Now true: (at hester lane-past)" in game.answer("move hester mill-past lane-past")
    assert game.game.turns == 2
    assert game.figures()["refused"] == "1"

    vault = HandPlay(load_level("L06"))
    for line in (
        "take hester brass-key depot-past",
        "move hester depot-past booth-past",
        "move hester booth-past hall-past",
    ):
        vault.answer(line)
    assert vault.answer("? open-lock") == "open-lock hester brass-key lock-past hall-past", "though it does not fit"
    assert "this key does not fit" in vault.answer("open-lock hester brass-key lock-past hall-past")


def test_the_reference_plan_typed_solves_the_level() -> None:
    game = HandPlay(load_level("L02"))
    for line in typed(game.level.reference_plan):
        game.answer(line)
    assert game.over
    assert game.figures()["ended by"] == "SOLVED"


def test_the_end_of_the_input_leaves_the_game_with_its_figures(tmp_path: Path) -> None:
    levels = write_jsonl(tmp_path / "levels.jsonl", [{**load_level("L02").as_row(), "id": "mine-1"}])
    done = herobench("epoch", "play", "mine-1", "--tasks", levels)
    assert done.returncode == 0
    assert "# The Tree" in done.stdout
    assert "turns        0 of 15" in done.stdout
    assert "has no level 'L01'" in refuses(herobench("epoch", "play", "L01", "--tasks", levels))


@pytest.mark.slow
@needs_setsid
def test_ctrl_c_ends_with_130_and_without_a_traceback() -> None:
    terminal = Terminal("epoch", "play", "L01")
    # a prompt with words before it in the same line would be one that the opening quotes
    terminal.read_until(rb"\n(\x1b\[\?2004h)?> ")
    terminal.type(b"\x03")
    assert terminal.end() == 130
    assert b"Traceback" not in terminal.seen
