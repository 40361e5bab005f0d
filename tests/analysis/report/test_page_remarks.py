"""What a suite says of all samples beside the main figures, in a real browser."""

from dataclasses import replace

from herobench.suites.rpg.game.episode import gave_up
from herobench.suites.rpg.game.task import Mechanics, Reach
from tests.analysis.report.browser import Shown
from tests.analysis.report.made import LAZY, mixed_run, run, sample, task
from tests.plays import WINNING

CLOSED = Mechanics(closed=((3, 1),))


def test_refusals_have_a_table_of_their_own(shown: Shown) -> None:
    possible = replace(task(1), mechanics=CLOSED)
    impossible = replace(task(2), mechanics=CLOSED, impossible=Reach(10, {}, frozenset(), frozenset()))
    rows = [sample(possible, WINNING), sample(impossible, LAZY, gave_up("no forge", 0.9))]
    page = shown(run("careful", rows, [possible, impossible]))
    assert page.texts("#remarks thead th") == [
        "Run", "Not counted", "Recognized impossible", "False refusals", "Brier score", "Calibration",
    ]  # fmt: skip
    told = page.texts("#remarks tbody td")
    assert told[0] == "1"
    assert told[1].startswith("100.0 % (")
    assert told[2].startswith("0.0 % (")
    assert page.texts("#headlines tbody td")[0] == "1", "the impossible task is no attempt of the headline"
    assert page.complaints() == []


def test_the_share_of_replies_that_were_cut_off_is_a_headline(shown: Shown) -> None:
    cut, whole = sample(task(1), LAZY), sample(task(2), WINNING)
    cut = {**cut, "replies": [{**cut["replies"][0], "stop": "length"}]}
    page = shown(run("cut", [cut, whole], [task(1), task(2)]))
    assert page.texts("#headlines [data-name='Cut off %']") == ["50.0"]
    assert page.complaints() == []


def test_there_is_no_such_table_where_all_tasks_can_be_done(shown: Shown) -> None:
    assert shown(mixed_run("plain", 1)).texts("#remarks") == []
