"""The file: its bytes, its size, and what is in it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.report import write_report
from herobench.analysis.report.page_text import (
    LAST_SCRIPTS,
    SCRIPTS,
    as_json,
    deflate,
    dumped,
    page_file,
    source_hash,
)
from herobench.analysis.samples.refusals import SampleFault
from herobench.analysis.suites.rpg.explain import Cause
from herobench.analysis.suites.rpg.journey_reading import JourneyReading
from herobench.analysis.suites.rpg.panel import PlanPanel
from herobench.analysis.suites.rpg.reading import RpgReading
from herobench.data.errors import InputError, SuiteError
from herobench.suites.rpg.game.episode import Ending
from tests.analysis.report.made import HOSTILE, LAZY, REFUSED, mixed_run, run, sample, task, unmeasured, without_events
from tests.analysis.report.page_blocks import inflated, read_index, read_rows
from tests.plays import WINNING
from tests.refusals import raises
from tests.sizes import for_each

PAGE = Path(__file__).parents[3] / "analysis" / "report" / "page"
RPG_PAGE = Path(__file__).parents[3] / "analysis" / "suites" / "rpg" / "page"
MOST_BYTES_A_SAMPLE = 20_000


def written(path: Path, *runs: Any) -> str:
    write_report(path / "report.html", runs)
    return (path / "report.html").read_text("utf-8")


def test_the_same_runs_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = (written(tmp_path, mixed_run("a"), mixed_run("b")) for _ in range(2))
    assert first == second


def test_every_sample_has_its_line_and_its_block(tmp_path: Path) -> None:
    made = mixed_run("a")
    text = written(tmp_path, made)
    index = read_index(text)
    for number, row in enumerate(made.samples):
        line = dict(zip(index["columns"], index["samples"][number], strict=True))
        outcome = "win" if row["won"] else "lose"
        assert (line["task"], line["outcome"], line["score"]) == (row["task_id"], outcome, row["score"])
        assert (line["group"], line["kind"], line["actions"]) == ("123"[number // 6], "kill", row["details"]["actions"])
        block = read_rows(text, "sample")[number]
        assert block["row"] == json.loads(json.dumps(row))
        assert len(block["panel"]["changes"]) == len(row["events"]["actions"])
        assert block["panel"]["plan"] in row["replies"][0]["text"]
        assert read_rows(text, "given")[line["given"]]["prompt"] == f"Beat the drake. {row['task_id']}"


def test_runs_that_were_told_the_same_share_it(tmp_path: Path) -> None:
    text = written(tmp_path, mixed_run("a"), mixed_run("b"))
    assert [len(read_rows(text, kind)) for kind in ("given", "sample")] == [18, 36]
    assert len(read_index(text)["settings"]) == 1


def test_rows_may_be_made_while_they_are_read(tmp_path: Path) -> None:
    of = task(1)
    assert write_report(tmp_path / "r.html", [run("a", (sample(of, LAZY) for _ in range(3)), [of])]) == 3


def test_no_runs_no_rows_and_one_row(tmp_path: Path) -> None:
    assert read_index(written(tmp_path))["runs"] == []
    empty = read_index(written(tmp_path, run("a", [], [])))
    assert (empty["samples"], empty["runs"][0]["figures"]["rate"]) == ([], None)
    assert len(read_index(written(tmp_path, run("a", [sample(task(1), WINNING)], [task(1)])))["samples"]) == 1


def test_unmeasured_rows_have_no_replay_and_say_why_there_was_no_reply(tmp_path: Path) -> None:
    text = written(tmp_path, run("a", [unmeasured(task(1))], [task(1)]))
    line = dict(zip(read_index(text)["columns"], read_index(text)["samples"][0], strict=True))
    shown = tuple(line[name] for name in ("status", "outcome", "error", "score"))
    assert shown == ("unmeasured", "unmeasured", "rate_limit", None)
    assert read_rows(text, "sample")[0]["panel"]["no_replay"] == "This sample has no events."


def test_scored_rows_without_an_asking_will_do(tmp_path: Path) -> None:
    of = task(1)
    row = {**sample(of, REFUSED), **dict.fromkeys(("replies", "cost", "seconds", "calls"))}
    text = written(tmp_path, run("a", [row], [of]))
    assert read_index(text)["runs"][0]["figures"]["count"] == 1
    assert read_rows(text, "sample")[0]["panel"]["plan"] is None


@for_each(
    ("tasks", "changes", "why"),
    [
        ([], {}, "not among the tasks"),
        ([task(1)], {"world": "0" * 64}, "another world"),
        ([task(1)], {"rules": "house"}, "other rules"),
    ],
)
def test_where_the_task_the_world_or_the_rules_are_others_there_is_no_replay(
    tmp_path: Path, tasks: Any, changes: Any, why: str
) -> None:
    text = written(tmp_path, run("a", [sample(task(1), LAZY, **changes)], tasks))
    assert why in read_rows(text, "sample")[0]["panel"]["no_replay"]


def test_a_loss_has_its_cause_and_the_causes_that_occur_have_their_definitions(tmp_path: Path) -> None:
    rows = [sample(task(1), REFUSED), sample(task(2), LAZY), sample(task(3), WINNING), unmeasured(task(4))]
    text = written(tmp_path, run("a", [*rows, without_events(rows[0])], [task(1)]))
    index = read_index(text)
    assert [dict(zip(index["columns"], line, strict=True))["cause"] for line in index["samples"]] == [
        "wrong_tile_workshop", "gear_left_out", None, None, None,
    ]  # fmt: skip
    occurring = (Cause.WRONG_TILE_WORKSHOP, Cause.GEAR_LEFT_OUT)
    assert index["causes"] == {str(cause): cause.definition for cause in occurring}
    assert read_rows(text, "sample")[0]["found"] == {"cause": "wrong_tile_workshop", "line": 6, "subject": "bar"}
    assert [read_rows(text, "sample")[number]["found"] for number in (2, 3, 4)] == [None] * 3


def test_nothing_that_was_written_by_others_can_end_an_element(tmp_path: Path) -> None:
    of = task(1)
    ended = Ending("error", HOSTILE, 1, "runtime", HOSTILE)
    row = sample(of, LAZY, ended, answer=f"{HOSTILE}\n```\n{HOSTILE}\n```", model=HOSTILE, failure=HOSTILE)
    calm = written(tmp_path, run("a", [sample(of, LAZY)], [of]))
    text = written(tmp_path, run(f"a {HOSTILE}", [row], [of], HOSTILE))
    assert tags(text) == tags(calm)
    assert read_index(text)["runs"][0]["name"] == f"a {HOSTILE}"
    assert read_rows(text, "sample")[0]["row"]["replies"] == row["replies"]


def tags(text: str) -> list[str]:
    """What stands between angle brackets outside of our own scripts and styles, hashes left out."""
    outside = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", text, flags=re.DOTALL)
    return [re.sub("sha256-[^']*", "", tag) for tag in re.findall("<[^>]*>", outside)]


def test_the_policy_names_just_our_style_and_our_script(tmp_path: Path) -> None:
    text = written(tmp_path, mixed_run("a"))
    (policy,) = re.findall('Content-Security-Policy" content="([^"]*)"', text)
    (style,), (script,) = (re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL) for tag in ("style", "script"))
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src {source_hash(script)};" in policy
    assert f"style-src {source_hash(style)};" in policy
    assert "unsafe" not in policy
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)


def test_the_scripts_make_no_elements_from_text_and_fetch_nothing() -> None:
    sources = {name: page_file(name) for name in (*SCRIPTS, *LAST_SCRIPTS, "chapters.js")}
    assert sources.keys() == {"elements.js", *(path.name for path in PAGE.glob("*.js"))}
    defined = re.findall(r"^(?:async )?function (\w+)", "\n".join(sources.values()), re.MULTILINE)
    assert len(defined) == len(set(defined)), "the second function of a name would take the place of the first"
    own = {path.name: path.read_text("utf-8") for path in RPG_PAGE.glob("*.js")}
    shown = {True: JourneyReading().script, False: RpgReading().script}
    assert all(source in shown[name == "journey.js"] for name, source in own.items())
    assert not sources.keys() & own.keys()
    sources |= own
    makes = r"innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|\beval\b|new Function"
    banned = rf"{makes}|fetch\(|XMLHttp|import\("
    for name, source in sources.items():
        assert not re.search(banned, source), name
        assert "</script" not in source.lower(), name
        assert max(map(len, source.splitlines())) <= 120, name
        assert len(source.splitlines()) <= 400, name


def test_a_sample_is_small(tmp_path: Path) -> None:
    empty = len(written(tmp_path, run("a", [], [])))
    full = len(written(tmp_path, mixed_run("a", 5, 20)))
    assert (full - empty) / 100 < MOST_BYTES_A_SAMPLE / 4


def test_two_runs_of_one_name_are_refused(tmp_path: Path) -> None:
    with raises(SampleFault.ONE_NAME, "2", "'a'"):
        write_report(tmp_path / "r.html", [run("a", [], []), run("a", [], [])])


def test_a_file_that_cannot_be_written_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "none" / "r.html"):
        with pytest.raises(InputError):
            write_report(path, [mixed_run("a")])
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_an_old_report_stays_where_the_new_one_fails(tmp_path: Path) -> None:
    old = written(tmp_path, mixed_run("a"))

    def rows() -> Any:
        yield sample(task(1), LAZY)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        written(tmp_path, run("a", rows(), [task(1)]))
    assert (tmp_path / "report.html").read_text("utf-8") == old
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize("told", [{"x": {1}}, {"x": [{"a": float("nan")}] * 40}])
@pytest.mark.parametrize("call", ["sample", "task"])
def test_a_panel_that_returns_what_json_cannot_say_is_named(
    call: str, told: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlanPanel, call, lambda *_: told)
    place = {"sample": r"sample at 1/1_.*, epoch 0", "task": r"task\('1/1_.*'\)"}[call]
    with pytest.raises(SuiteError, match=rf"The panel of the suite rpg failed in {place}: \w+Error: "):
        written(tmp_path, run("a", [sample(task(1), LAZY)], [task(1)]))


def test_a_run_without_remarks_makes_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To load pandas takes as long as a hundred samples."""
    asked: list[Any] = []
    monkeypatch.setattr(load_reading("rpg"), "remarks", lambda samples: asked.append(samples) or {"empty": ""})
    written(tmp_path, mixed_run("a"))
    assert asked == []
    row = sample(task(1), LAZY)
    written(tmp_path, run("a", [{**row, "details": {**row["details"], "closed": 1}}], [task(1)]))
    assert [len(samples) for samples in asked] == [1]


def test_json_in_a_page_has_no_letter_that_html_knows() -> None:
    assert as_json({"a": HOSTILE}).isascii()
    assert not set(as_json(["<&>"])) & set("<>&")
    assert json.loads(as_json({"a": HOSTILE})) == {"a": HOSTILE}
    assert inflated(deflate(dumped(HOSTILE))) == HOSTILE


def test_samples_of_several_suites_are_not_in_one_report(tmp_path: Path) -> None:
    other = {**sample(task(2), LAZY), "suite": "elsewhere"}
    with raises(SampleFault.SEVERAL_SUITES, "elsewhere, rpg"):
        written(tmp_path, run("a", [sample(task(1), LAZY)], []), run("b", [other], []))
    assert list(tmp_path.iterdir()) == []


def test_nothing_outside_of_its_own_files_names_a_thing_of_the_rpg() -> None:
    """Neither the page nor the statistics know the game."""
    room = Path(__file__).parents[3] / "analysis"
    own = (room / "suites", room / "causes")
    files = [path for path in room.rglob("*") if path.suffix in (".py", ".js", ".css", ".html")]
    shared = [path for path in files if not any(folder in path.parents for folder in own)]
    assert len(shared) > 30
    things = re.compile(r"gear|monster|hero\b|\bbag\b|workshop|craft|inventory|oracle_plan", re.IGNORECASE)
    named = {path.name: found[0] for path in shared if (found := things.search(path.read_text("utf-8")))}
    assert named == {}
