"""The words for horizons: one length, one task and one unit are told as such."""

from __future__ import annotations

import pytest

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.horizon import count_trials, horizon_in
from herobench.analysis.statistics.words import horizon_facts, nothing_won_words, with_interval


def facts(lengths: list[float], wins: list[float]) -> dict[str, str]:
    return horizon_facts(horizon_in(count_trials(range(len(wins)), lengths, wins)), "regions")


def test_tasks_of_one_length_tell_nothing_of_length() -> None:
    for wins in ([0, 1] * 24, [0, 1, 1] * 16, [0, 0, 0, 1] * 12):
        told = facts([8] * 48, list(map(float, wins)))
        assert told["horizon"].endswith(": one length only")
        assert (told["horizon fit"], told["lengths"]) == ("", "8 regions in 48 tasks")
    assert facts([8, 16] * 24, [0.0, 1.0, 1.0, 0.0] * 12)["lengths"] == "8 to 16 regions in 48 tasks"


def test_one_is_singular() -> None:
    told = facts([1], [1.0])
    assert told["horizon"] == "not determined: 1 measured task has a length, and 40 are needed"
    assert told["lengths"] == "1 region in 1 task"
    assert with_interval(Estimate(1, 1, 1.4), "regions") == "1 region (1 to 1.4)"
    assert with_interval(Estimate(2), "regions") == "2 regions (no interval)"


@pytest.mark.parametrize(
    ("suite", "failures", "cut_offs", "shortest", "lanes", "words"),
    [
        (
            "journey", {"stopped": 1, "no_plan": 6}, 5, 2.0, ["plan"],
            "all 7 are lost, the shortest of 2 regions too, by: no plan 6, ends too early 1; replies of 5 were cut off "
            "by the limit of the output; --lane steps tells the plan, and so shows if writing it down fails already; "
            "easier: --dataset base --difficulty 1",
        ),
        (
            "rpg", {"invalid_code": 2}, 0, 1.0, ["steps"],
            "all 2 are lost, the shortest of 1 decision too, by: invalid code 2; the whole plan was told, so it fails "
            "at writing plans down already; easier: --dataset base --difficulty 1",
        ),
        ("acp", {"wrong": 3}, 0, None, [], "all 3 are lost, by: wrong 3"),
        ("journey", {}, 0, 2.0, ["plan"], ""),
    ],
)  # fmt: skip
def test_a_model_that_won_nothing_is_told_by_what_it_fails(
    suite: str, failures: dict[str, int], cut_offs: int, shortest: float | None, lanes: list[str], words: str
) -> None:
    assert nothing_won_words(failures, cut_offs, shortest, lanes, load_reading(suite)) == words
