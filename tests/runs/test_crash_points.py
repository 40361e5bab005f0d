"""A run that is killed at any of its writes, before, within or after it: what was durable stays, and nothing is asked
twice. Kills at random moments, of the real program, are in tests/cli/test_run_resume.py; these miss no moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import pytest

from herobench.conversation import Reply
from herobench.runs.journal import Journal
from tests.runs.test_asking import TASKS, TURNS, Killed, asked, kept, talk
from tests.runs.trial import Player, row_key

WRITES = TASKS * (TURNS + 1)
"""One for each call and one for each sample, where one attempt is made at a time."""


class Crash:
    """Ends everything at the write of one row, of which only a part of the bytes reaches the file."""

    def __init__(self, at: int, part: float, write: Callable[[Journal, bytes], None]) -> None:
        self._left = at
        self._part = part
        self._write = write
        self._door = Lock()
        self.whole = 0
        """The rows that reached a file whole. Rows that wait for a slow disk are written together."""

    def __call__(self, journal: Journal, data: bytes) -> None:
        with self._door:  # calls and samples are written in different threads
            if self._left <= 0:  # nobody writes any more
                raise Killed
            self._left -= data.count(b"\n")
            written = data if self._left > 0 else data[: int(len(data) * self._part)]
            self._write(journal, written)
            self.whole += written.count(b"\n")
            if self._left <= 0:
                raise Killed


def player() -> Player:
    return Player(lambda key, turn: Reply(f"{key[0]} said"))


@pytest.mark.parametrize("part", [0.0, 0.5, 1.0], ids=["before", "within", "after"])
@pytest.mark.parametrize("at", range(1, WRITES + 1))
def test_who_is_killed_at_any_write_loses_no_more_than_that(
    at: int, part: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = talk(tmp_path, player(), connections=1)
    with monkeypatch.context() as patch:
        crash = Crash(at, part, Journal._write)
        patch.setattr(Journal, "_write", lambda journal, data: crash(journal, data))
        with pytest.raises(Killed):
            trial.work()
    before, scored = kept(trial), Counter(map(row_key, trial.samples))
    assert len(before) + scored.total() == crash.whole
    trial.model = again = player()
    trial.work()
    trial.assert_whole()
    every = {((f"t{number}", 0), turn) for number in range(TASKS) for turn in range(TURNS)}
    assert Counter(asked(again)) == Counter(every - before), "what was kept is not asked again"
    assert len(trial.calls) == len(every)
    assert trial.statuses() == {"ok": TASKS}
