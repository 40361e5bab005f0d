"""The page says when runs that it ranks together have different tasks."""

from __future__ import annotations

from pathlib import Path

from herobench.analysis.board.board import Board
from herobench.analysis.board.entry import read_entries
from herobench.analysis.reading.checked import reading_of
from tests.analysis.board.made import TASKS, run
from tests.program import herobench, read_jsonl, write_jsonl


def notes(*paths: Path) -> list[str]:
    notes: list[str] = Board(read_entries(paths), "rpg", reading_of("rpg")).index()["notes"]
    return notes


def test_different_tasks_are_told_and_private_twins_are_the_tasks_of_their_originals(tmp_path: Path) -> None:
    whole, fresh = run(tmp_path / "whole", "one", 20), run(tmp_path / "fresh", "two", 10, fresh=7)
    assert not [note for note in notes(whole, fresh) if "different tasks" in note]
    few = write_jsonl(tmp_path / "few.jsonl", read_jsonl(run(tmp_path / "three", "three", 9) / "samples.jsonl")[:9])
    slim = tmp_path / "slim.jsonl"
    assert herobench("analyze", fresh, "--format", "slim", "-o", slim).returncode == 0
    for twins in (fresh, slim):
        (note,) = (note for note in notes(whole, twins, few) if "different tasks" in note)
        assert note.startswith("track: program, mode: plan: These runs have different tasks")
        assert f"{TASKS} tasks in whole, {twins.stem}; 9 tasks in few. 9 tasks are in all of them." in note
