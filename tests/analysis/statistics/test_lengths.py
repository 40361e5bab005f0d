"""The horizon of samples that come in one at a time."""

import subprocess
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from herobench.analysis.reading.contract import Reading
from herobench.analysis.statistics.horizon import horizon_of
from herobench.analysis.statistics.tally import LEAST_TASKS, Lengths
from tests.analysis.statistics.simulated import ladder

LENGTHS = [float(length) for length in ladder(60)]


class Long(Reading):
    """Tasks with a length, which the plan has no part in."""

    length = "steps"

    def facts(self, sample: Mapping[str, Any]) -> Mapping[str, Any]:
        assert sample["events"] is None, "events are long, and say nothing of the length"
        return {"steps": sample["details"]["steps"]}


def sample(number: int, steps: float | None, won: bool | None, epoch: int = 0) -> dict[str, Any]:
    told = {"task_id": str(number), "epoch": epoch, "won": won, "status": "unmeasured" if won is None else "ok"}
    return {**told, "details": {"steps": steps}, "events": {"schema": 1}}


def gathered(samples: Iterable[Mapping[str, Any]], reading: Reading) -> Lengths:
    lengths = Lengths()
    for each in samples:
        lengths.add(each, reading)
    return lengths


def test_the_horizon_is_that_of_all_samples_at_once() -> None:
    samples = [
        sample(number, None if number == 7 else steps, None if number == 8 else steps < 100 or number == 55, epoch)
        for epoch in range(2)
        for number, steps in enumerate(LENGTHS)
    ]
    lengths = gathered(samples, Long())
    found = lengths.horizon()
    assert found is not None
    assert (found.verdict, found.unmeasured, found.without_length, lengths.unit) == ("determined", 2, 2, "steps")
    tasks = [each["task_id"] for each in samples]
    wins = [None if each["won"] is None else float(each["won"]) for each in samples]
    assert found == horizon_of(tasks, [each["details"]["steps"] for each in samples], wins)


@pytest.mark.parametrize(
    "more",
    [[], [sample(0, 4, True, 1)], [sample(99, None, True)], [sample(99, 4, None)]],
    ids=["none", "an epoch more", "one without a length", "one unmeasured"],
)
def test_with_fewer_tasks_than_a_verdict_needs_there_is_none(more: list[dict[str, Any]]) -> None:
    few = [sample(number, 4.0 + number, number < 20) for number in range(LEAST_TASKS - 1)]
    assert gathered([*few, *more], Long()).horizon() is None
    assert gathered([*few, *more, sample(100, 9, False)], Long()).horizon() is not None


def test_a_suite_without_lengths_has_no_horizon() -> None:
    lengths = gathered([sample(number, 4.0, True) for number in range(60)], Reading())
    assert (lengths.horizon(), lengths.unit) == (None, None)


def test_numpy_is_not_loaded_for_few_tasks() -> None:
    found = "from herobench.analysis.statistics.tally import Lengths; Lengths().horizon()"
    code = f"import sys; {found}; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
