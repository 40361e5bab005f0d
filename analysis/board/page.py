"""Writes the page of a leaderboard: one file, which appears only when it is complete.

Rows come from others. What they say is drawn as text only, and the policy of the page lets nothing else run.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from herobench.analysis.board.entry import Entry
from herobench.analysis.board.index import Board
from herobench.analysis.reading.contract import Reading
from herobench.analysis.report.page_text import END, board_before_blocks
from herobench.data.errors import InputError, Problem
from herobench.data.files import write_text


def write_board(path: Path, entries: Sequence[Entry], suite: str, reading: Reading) -> None:
    """Write the page. Raise InputError if the file cannot be written."""
    board = Board(entries, suite, reading)
    before = board_before_blocks(board.index(), reading, _file("board.js"), _file("style.css"))
    try:
        write_text(path, before + board.blocks + END)
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a file that can be written ({error.strerror})")]) from error


def _file(name: str) -> str:
    return files("herobench.analysis.board").joinpath("page", name).read_text("utf-8")
