"""The reading of the suite acp: accuracy under both gradings, and the question in the report."""

import json
from pathlib import Path
from typing import get_args

import pytest

from herobench.analysis.reading.checked import fact_names
from herobench.analysis.samples.frame import frame_of
from herobench.suites.acp.questions.sound import Failure
from herobench.suites.acp.reading.reading import AcpReading, accuracy
from tests.program import herobench

KEY = "reach/test/floor-tile/5190380624848000947"
"""A question with a wrong label."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that says None everywhere: right by the label of one question, and by the proof of none."""
    folder = tmp_path_factory.mktemp("runs") / "none"
    words = ("--suite", "acp", "-m", "format-only", "--set", "task=reach,app", "--set", "domain=floor-tile")
    assert herobench("run", *words, "-o", folder).returncode == 0
    return folder


def test_accuracy_stands_under_both_gradings(run: Path) -> None:
    samples = frame_of([run])
    reach = samples[samples.kind == "reach"]
    assert accuracy(reach, "reference").estimate > accuracy(reach, "sound").estimate
    tables = json.loads(herobench("analyze", run, "--format", "json").stdout)["runs"][0]
    by_kind = {row["kind"]: row for row in tables["by_kind"]}
    assert by_kind.keys() == {"app", "reach"}
    assert (by_kind["app"]["sound"]["estimate"], by_kind["app"]["jaccard"]) == (0, 0)
    assert by_kind["reach"]["jaccard"] is None
    assert by_kind["reach"]["reference"]["high"] > by_kind["reach"]["reference"]["estimate"]
    assert [row["domain"] for row in tables["by_domain"]] == ["floor-tile"]


def test_the_screen_has_both_accuracies_and_groups_by_kind(run: Path) -> None:
    shown = herobench("analyze", run, "--by", "kind,domain,label_right").stdout
    for words in ("by kind", "by domain", "by label_right", "reference accuracy", "sound accuracy"):
        assert words in shown


def test_undecided_samples_are_in_no_accuracy(run: Path) -> None:
    samples = frame_of([run])
    samples["sound"] = None
    assert accuracy(samples, "sound").share_text() == ""
    assert list(AcpReading().remarks(samples)) == ["reference accuracy"]


def test_names_of_failures_and_facts_are_those_that_there_are() -> None:
    reading = AcpReading()
    assert set(reading.words) <= set(reading.failures) == set(get_args(Failure))
    names = set(fact_names("acp"))
    assert {reading.group, *reading.groupings, *reading.settings, *reading.listed} <= names
    assert "task" not in names, "the report has the id of a sample under this name"


def test_a_page_has_the_question_and_what_is_proven(run: Path) -> None:
    panel = AcpReading().panel(run, json.loads((run / "run.json").read_text("utf-8")))
    told = panel.task(KEY)
    assert told is not None
    assert told["prompt"].count("[user]") == 3
    assert told["label"] == "[]"
    assert "reachable" in told["proven"]
    assert panel.given == {"form": "nl", "shots": "few", "thought": "none"}
    assert panel.task("app/test/elsewhere/1") is None
