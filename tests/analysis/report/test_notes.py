"""The sentences above the figures: nothing to show, and what cannot be put side by side."""

from dataclasses import replace

import numpy as np

from herobench.analysis.report import ReportRun
from herobench.analysis.report.figures import DescribedRun, Figures, comparison_words, notes_on
from herobench.analysis.samples.sources import AskedDataset
from herobench.analysis.suites.rpg.panel import PlanPanel
from herobench.analysis.suites.rpg.reading import RpgReading
from herobench.suites.rpg.worlds.content import load_rules, load_world
from tests.analysis.report.made import LAZY, run, sample, task, unmeasured, without_events
from tests.builders import Json, tiny_world
from tests.plays import WINNING

ELSEWHERE = "0" * 64


READING = RpgReading()


def notes(*runs: ReportRun) -> list[str]:
    described = []
    for one in runs:
        figures = Figures(READING.settings, READING.length)
        for row in one.samples:
            figures.add(row, None, READING.facts(row))
        described.append(DescribedRun(one.name, one.panel_by(READING), figures, one.asked))
    return notes_on(described, READING.settings)


def of(name: str, *rows: Json) -> ReportRun:
    return run(name, rows, [])


def won(number: int, **changes: str) -> Json:
    return sample(task(number), WINNING, **changes)


def test_where_all_is_of_one_game_there_is_nothing_to_say() -> None:
    assert notes(of("a", won(1), sample(task(2), LAZY), unmeasured(task(3))), of("b", won(1))) == []


def test_no_samples_and_no_replies_are_said_once() -> None:
    assert notes() == notes(of("a"), of("b")) == ["There are no samples in this report."]
    (only,) = notes(of("a", unmeasured(task(1))), of("b"))
    assert only == "No sample in this report got a reply, so there is nothing to count."


def test_a_run_that_has_nothing_is_named_beside_one_that_has() -> None:
    assert notes(of("a", won(1)), of("b"), of("c", unmeasured(task(1)))) == [
        "There are no samples in b.",
        "No sample of c got a reply, so nothing is known of its success.",
    ]


def test_twins_beside_their_originals_are_noted() -> None:
    public, fresh = (
        replace(of(name, won(1)), asked=AskedDataset("base-v2", seed)) for name, seed in (("a", None), ("b", 7))
    )
    assert (notes(public), notes(fresh)) == ([], [])
    (note,) = notes(public, fresh)
    assert "base-v2, base-v2 fresh (seed 7)" in note


def cut(number: int) -> Json:
    row = sample(task(number), LAZY)
    return {**row, "replies": [{**reply, "stop": "length"} for reply in row["replies"]]}


def test_losses_that_the_limit_of_the_output_cut_off_are_noted() -> None:
    assert notes(of("a", won(1), sample(task(2), LAZY), sample(task(3), LAZY), cut(4))) == []
    (told,) = notes(of("a", won(1), sample(task(2), LAZY), cut(3)))
    assert told == "a: 1 of 2 losses were cut off: the limit of the output ended this horizon, and not the model."


def test_what_two_seeds_made_is_not_paired() -> None:
    """Two runs of eighty tasks each, under the same ids."""
    lengths = np.geomspace(4, 4000, 80).round().tolist()
    made = [task(number) for number in range(80)]
    rows = [
        {**(won(n) if length < 100 else sample(made[n], LAZY)), "task_id": f"made/{n}"}
        for n, length in enumerate(lengths)
    ]
    runs = []
    for seed in (7, 8, 8):
        figures = Figures(READING.settings, READING.length)
        for row, length in zip(rows, lengths, strict=True):
            figures.add(row, None, {**READING.facts(row), READING.length: length})
        asked = AskedDataset("horizon-v3", seed, chosen=True)
        runs.append(DescribedRun(str(seed), of("a", *rows[:1]).panel_by(READING), figures, asked))
    (only,) = comparison_words(runs[:2], READING)
    assert only.startswith("Horizons: not told apart: 1.00 times the second's (0.")
    assert "on 80 shared tasks" in comparison_words(runs[1:], READING)[1]


def test_rows_of_other_rules_than_their_run_are_counted_out() -> None:
    mixed, all_of_them = of("a", won(1), won(2, rules="house")), of("b", won(1, rules="house"))
    (first,) = notes(mixed)
    assert first.startswith("1 of 2 samples of a are of other rules (house) than this report")
    assert first.endswith("(standard): they are counted, but not replayed. The figures of this run mix them.")
    (second,) = notes(all_of_them)
    assert second.startswith("1 of 1 sample of b")
    assert "mix" not in second


def test_rows_of_another_world_than_their_run_are_counted_out() -> None:
    (note,) = notes(of("a", won(1), won(2, world=ELSEWHERE)))
    assert "1 of 2 samples of a are of other worlds (00000000) than this report" in note


def test_runs_of_different_rules_or_worlds_are_not_of_one_game() -> None:
    rules = replace(load_rules(), name="house")
    house = ReportRun("b", [won(1, rules="house")], lambda reading: PlanPanel(tiny_world(), rules))
    assert notes(of("a", won(1)), house, of("c", won(1))) == [
        "The runs are of different rules, so their figures do not compare (standard: a, c; house: b).",
    ]
    here, there = tiny_world(), load_world()
    other = ReportRun("b", [won(1, world=there.digest)], lambda reading: PlanPanel(there, load_rules()))
    told = f"{here.name} {here.digest[:8]}: a; {there.name} {there.digest[:8]}: b"
    assert notes(of("a", won(1)), other) == [
        f"The runs are of different worlds, so their figures do not compare ({told}).",
    ]


def test_runs_of_different_tracks_do_not_compare_and_one_of_both_is_mixed() -> None:
    straight, both = of("b", won(1, track="straight")), of("c", won(1), won(2, track="straight"))
    assert notes(of("a", won(1)), straight) == [
        "The runs are of different tracks, so their figures do not compare (program: a; straight: b).",
        "The runs had different help (code: a; bare: b): what differs between them may be that.",
    ]
    assert notes(both) == [
        "The samples of c are of different tracks (program, straight), and its figures mix them.",
    ]


def test_rows_that_do_not_say_are_not_accused() -> None:
    assert notes(of("a", won(1)), of("b", without_events(won(1)))) == []
