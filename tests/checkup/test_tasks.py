"""Which tasks the parts of a checkup ask."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import CancelledError
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from herobench.checkup.parts import LENGTHS, PARTS, MadeAhead, chosen_tasks, evenly, is_made
from tests.checkup.small import SMALL
from tests.program import read_jsonl


def test_things_are_taken_evenly() -> None:
    assert evenly("abcdefgh", 4) == list("aceg")
    assert evenly("abc", 9) == list("abc")


def test_public_questions_are_of_each_kind_as_many(tmp_path: Path) -> None:
    asked = chosen_tasks("questions", 200, PARTS, None, tmp_path, 1)
    kinds = Counter(task.partition("/")[0] for task in asked["task_ids"])
    assert (len(kinds), set(kinds.values())) == (8, {25})
    assert "fresh" not in asked
    assert not list(tmp_path.iterdir())


def test_each_lane_asks_the_same_seed_and_stops_alike(tmp_path: Path) -> None:
    asked = [chosen_tasks(f"horizon/{lane}", 80, PARTS, 7, tmp_path, 1) for lane in ("plan", "steps")]
    assert [one.pop("options")["lane"] for one in asked] == ["plan", "steps"]
    assert asked[0] == asked[1] == {"suite": "rpg", "fresh": 7, "until": "factor=2,tasks=80,longest=4454"}


def test_levels_are_made_once_by_their_lengths_and_a_smaller_part_has_the_first(tmp_path: Path) -> None:
    rows = {}
    for size in (4, 8):
        folder = tmp_path / str(size)
        file = chosen_tasks("epochs", size, PARTS, 7, folder, 1)["tasks"]
        rows[size] = read_jsonl(file)
    lengths = [tuple(map(int, length.split("-"))) for length in LENGTHS]
    assert all(least <= row["optimal"] <= most for row, (least, most) in zip(rows[4], lengths, strict=True))
    assert {row["id"] for row in rows[4]} < {row["id"] for row in rows[8]}
    assert len({row["id"] for row in rows[8]}) == 8
    before = file.stat().st_mtime_ns
    chosen_tasks("epochs", 8, PARTS, 7, tmp_path / "8", 1)
    assert file.stat().st_mtime_ns == before


def test_tasks_are_made_ahead_one_run_after_the_other_and_stopped_when_nobody_asks_for_them() -> None:
    begun, order, stopped = Event(), list[str](), list[bool]()

    def choose(run: str, stop: Event) -> dict[str, Any]:
        order.append(run)
        if run == "slow":
            begun.set()
            stopped.append(stop.wait(20))
        return {"tasks": run}

    with closing(MadeAhead(choose, ["quick", "slow", "late"])) as made:
        assert made.choose("quick") == {"tasks": "quick"}
        begun.wait(20)
    assert (order, stopped) == (["quick", "slow"], [True])


def test_only_what_a_generator_makes_is_made_ahead() -> None:
    assert [part.name for part in PARTS if is_made(part, 7)] == ["questions", "epochs", "autumn", "discover"]
    assert [part.name for part in PARTS if is_made(part, None)] == ["epochs", "autumn"]


def test_a_file_that_is_no_longer_wanted_is_not_written(tmp_path: Path) -> None:
    stop = Event()
    stop.set()
    with pytest.raises(CancelledError):
        chosen_tasks("epochs", 4, PARTS, 7, tmp_path, 1, stop)
    assert not list(tmp_path.iterdir())


def test_fresh_questions_are_made_by_the_generator(tmp_path: Path) -> None:
    file = chosen_tasks("questions", 8, SMALL, 7, tmp_path, 1)["tasks"]
    assert Counter(row["task"] for row in read_jsonl(file)) == Counter(
        ["app", "prog", "reach", "areach", "val", "just", "land", "nexta"]
    )
