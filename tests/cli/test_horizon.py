"""What the commands say of horizons: of simulated runs, as files of scored rows with the columns that matter."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from herobench.data.documents import schema_problems
from tests.analysis.statistics.simulated import ladder, wins
from tests.made_runs import sample_row
from tests.program import Done, herobench, read_jsonl, write_jsonl
from tests.sizes import for_each

LENGTHS = ladder(120).round().astype(int).tolist()
PLAYERS = {"far": (400.0, 1.0), "near": (60.0, 1.0), "steady": (1e9, 0.2), "poor": (1e-9, 0.2), "flat": (120.0, 0.02)}
CHOSEN = {"schema": 2, "id": "0123abcd", "config": {"suite": "rpg", "dataset": "made", "identity": {}}}
"""The start of a run.json."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs")
    found = {}
    for number, (name, (horizon, slope)) in enumerate(PLAYERS.items()):
        won = wins(np.random.default_rng(number), np.array(LENGTHS), horizon, slope)[0]
        found[name] = write_jsonl(folder / f"{name}.jsonl", [row(*pair) for pair in enumerate(won)])
    found["few"] = write_jsonl(folder / "few.jsonl", [row(number, 1.0) for number in range(5)])
    found["unknown"] = write_jsonl(folder / "unknown.jsonl", [row(n, 1.0, decisions=None) for n in range(40)])
    return found


def row(number: int, won: float, **changes: object) -> dict[str, object]:
    told = {"task_id": f"1/{number}_x_kill", "epoch": 0, "outcome": "win" if won else "lose", "score": 100.0 * won}
    return {**told, "decisions": LENGTHS[number], "actions": 30, "oracle_actions": 20, **changes}


def done(*args: str | Path) -> Done:
    found = herobench(*args, columns=200)
    assert found.returncode == 0, found.stderr
    return found


def facts(*args: str | Path) -> dict[str, str]:
    """The facts at the end of what a command prints, by what they are called."""
    lines = [re.split(r"\s{2,}", line, maxsplit=1) for line in done(*args).stdout.splitlines()]
    return {pair[0]: pair[1].strip() for pair in lines if len(pair) == 2}


def test_an_analysis_has_a_block_on_the_horizon(runs: dict[str, Path]) -> None:
    told = facts("analyze", runs["near"])
    assert re.fullmatch(r"\d\d decisions \(\d\d to \d\d+\)", told["horizon"])
    assert re.fullmatch(r"\d\d(\.\d)? decisions \([\d.]+ to \d\d\)", told["80 % horizon"])
    assert re.fullmatch(r"AUC 0\.\d\d, calibration error \d\.\d %", told["horizon fit"])
    assert told["lengths"] == "4 to 4,000 decisions in 120 tasks"


@for_each(
    ("name", "words"),
    [
        ("steady", "beyond the range"),
        (
            "poor",
            "below the range: nothing was won: herobench analyze says by what",
        ),
        ("flat", "not determined: success is flat: it does not surely fall with length"),
        ("few", "not determined: 5 measured tasks have a length, and 40 are needed"),
        ("unknown", "not determined: 0 measured tasks have a length, and 40 are needed"),
    ],
)
def test_what_the_samples_do_not_tell_is_said_in_words(name: str, words: str, runs: dict[str, Path]) -> None:
    told = facts("analyze", runs[name])
    assert told["horizon"].startswith(words)
    if words.startswith("not"):
        assert "80 % horizon" not in told
    if name == "unknown":
        assert told["lengths"] == "none; samples left out: 40 without a length"


def test_a_comparison_says_whether_one_horizon_is_longer(runs: dict[str, Path]) -> None:
    told = json.loads(done("compare", runs["far"], runs["near"], "--json").stdout)
    assert schema_problems(told, "comparison", "stdout") == []
    assert (told["horizon"]["verdict"], told["horizon"]["ratio"]["tasks"]) == ("longer", 120)
    assert told["horizon"]["ratio"]["low"] > 1
    far = facts("compare", runs["far"], runs["near"])
    assert re.match(r"the first is longer: \d+\.\d\d times the second's \(\d\.\d\d to", far["horizon"])
    assert re.match(r"\d+ decisions \(", far["of the first"])
    below = done("compare", runs["far"], runs["near"]).stdout.split("\n\n")[-1].splitlines()[-7:]
    assert {re.split(r" {2,}", line, maxsplit=1)[0] for line in below} >= {"tasks", "horizon"}
    assert len({re.search(r" {2,}(?=\S)", line).end() for line in below}) == 1, "facts stand in one column"
    assert facts("compare", runs["near"], runs["far"])["horizon"].startswith("the first is shorter: 0.")
    assert facts("compare", runs["near"], runs["near"])["horizon"].startswith("not told apart: 1.00 times")
    assert facts("compare", runs["flat"], runs["near"])["horizon"] == "the ratio is not determined"
    assert facts("compare", runs["steady"], runs["near"])["horizon"].startswith("the first is longer")


def test_runs_that_chose_their_tasks_compare_though_they_share_none(runs: dict[str, Path], tmp_path: Path) -> None:
    """As two seeds make them. The same run under other ids is not told apart from itself."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        scored = [{**each, "task_id": f"{folder.name} {each['task_id']}"} for each in read_jsonl(runs["near"])]
        nothing = {"progress_before_end": 0.0, "failure": None, "events": None}
        write_jsonl(folder / "samples.jsonl", [sample_row({**each, **nothing}, None) for each in scored])
        write_jsonl(folder / "run.json", [{**CHOSEN, "sessions": [{"until": {"goal": "tasks=120"}}]}])
    told = json.loads(done("compare", one, other, "--json").stdout)["horizon"]
    assert (told["verdict"], told["ratio"]["estimate"], told["ratio"]["tasks"]) == ("not told apart", 1.0, 0)
    assert told["ratio"]["low"] < 0.8
    write_jsonl(other / "run.json", [{**CHOSEN, "sessions": [{}]}])
    assert facts("compare", one, other)["horizon"] == "the ratio is not determined"


@pytest.mark.slow
def test_a_comparison_says_what_chance_does_to_the_pair(runs: dict[str, Path], tmp_path: Path) -> None:
    """Of two epochs of a run, 30 of 120 verdicts differ. Without epochs a reader learns how to know."""
    won = [float(number < 60) for number in range(120)]
    rows = [
        row(n, (1 - won[n]) if epoch and n % 4 == 0 else won[n], epoch=epoch) for n in range(120) for epoch in (0, 1)
    ]
    twice = write_jsonl(tmp_path / "twice.jsonl", rows)
    told = facts("compare", twice, runs["near"])
    assert told["flips"] == "25.0 % of the first's verdicts, from one epoch to another"
    assert told["noise floor"].startswith("two runs of one model differ on 30 by the first's epochs; these two on ")
    assert re.match(r"\d+\.\d points of success, which these tasks show in 80 of 100 cases", told["least difference"])
    found = json.loads(done("compare", runs["near"], twice, "--json").stdout)
    assert schema_problems(found, "comparison", "stdout") == []
    noise = found["noise"]
    assert (noise["first"], noise["second"]) == (None, {"share": 25.0, "tasks": 120, "expected": 30.0})
    once = facts("compare", runs["far"], runs["near"])
    assert "--epochs 2" in once["noise floor"]
    assert "flips" not in once
