"""The chart of success against cost in a real browser."""

from herobench.analysis.report import ReportRun
from tests.analysis.report.browser import Shown
from tests.analysis.report.made import LAZY, run, sample, task
from tests.builders import Json
from tests.plays import WINNING


def paid(name: str, wins: int, **amounts: float | None) -> ReportRun:
    def row(number: int) -> Json:
        return {**sample(task(number), WINNING if number < wins else LAZY), **amounts}

    return run(name, [row(number) for number in range(10)], [task(number) for number in range(10)])


def test_runs_stand_by_cost_with_the_line_through_those_that_none_beats(shown: Shown) -> None:
    page = shown(paid("cheap", 2, cost=0.01), paid("beaten", 2, cost=0.5), paid("best", 9, cost=0.1))
    assert page.text(".cost h2") == "Success against cost"
    page.wait("return document.querySelectorAll('.cost .point').length === 3")
    rows = page.run(
        "return [...document.querySelectorAll('.cost tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    )
    assert [(row[0], row[1], row[2], row[-1]) for row in rows] == [
        ("cheap", "0.0100", "20.0", "on the line"),
        ("beaten", "0.5000", "20.0", ""),
        ("best", "0.1000", "90.0", "on the line"),
    ]
    line = page.run("return document.querySelector('.cost .pareto').getAttribute('d')")
    assert line.count("V") == 1, "one step, from the cheap run to the best"
    heads = page.texts("#headlines thead th")
    assert [heads[-2:], page.texts("#headlines tbody tr:first-child td")[-1]] == [
        ["Output tokens a win", "Cost a win"],
        "0.0500",
    ]
    assert page.complaints() == []


def test_tokens_stand_where_a_price_is_not_known_and_one_run_has_no_chart(shown: Shown) -> None:
    page = shown(
        paid("priced", 2, cost=0.01), paid("own", 5, cost=None), paid("mute", 5, cost=None, output_tokens=None)
    )
    assert page.text(".cost h2") == "Success against tokens"
    assert page.text(".cost .hint").endswith("Nobody told the tokens of mute.")
    assert page.run("return document.querySelectorAll('.cost .legend li').length") == 2
    assert shown(paid("alone", 2, cost=0.01)).texts(".cost") == []
