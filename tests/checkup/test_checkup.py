"""A checkup of the toy suite: it is begun, stopped, resumed, refused, and shown."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.checkup.figures import CheckedModel
from herobench.checkup.folder import Checkup, cost_so_far, is_complete, read_checkup
from herobench.checkup.page import as_markdown, as_rows, checkup_names, page_data, write_checkup_page
from herobench.checkup.work import check_model, work
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, UsageError
from herobench.models.model_error import ModelFault
from herobench.runs.folder import remember
from herobench.runs.options import RunRequest
from herobench.runs.session import RunCallbacks
from herobench.suite.checkup_parts import Part, load_parts
from tests.checkup.simulated import index
from tests.checkup.toy import SIZES, ToyServer
from tests.cli.terminal import Terminal, needs_setsid
from tests.golden import Golden
from tests.loopback import Behaviour, Kind
from tests.program import herobench, read_jsonl, refuses, write_jsonl
from tests.refusals import raises
from tests.sizes import for_each
from tests.toys import TOY

OF_THE_CLOCK = ("seconds", "started", "finished", "retries")
Parts = Sequence[Part]


def checkup_of(folder: Path, parts: Parts, model: str = "oracle", **changes: Any) -> Checkup:
    return Checkup(folder, model, **{"seed": None, "sizes": SIZES, "parts": parts, **changes})


def ask(checkup: Checkup, request: RunRequest | None = None) -> list[str | None]:
    """Work on a checkup. Return why each run that was worked on was stopped."""
    checkup.write()
    asked = {"model": checkup.model} if request is None else request
    return [result.reason for result in work(checkup, asked, lambda *_: RunCallbacks())]


def verdicts(folder: Path) -> dict[str, list[Mapping[str, Any]]]:
    """The samples of each run, but for what the clock says, in the order of their tasks."""
    runs = {str(path.parent.relative_to(folder)): path for path in folder.rglob("samples.jsonl")}
    return {
        run: sorted(
            ({name: value for name, value in row.items() if name not in OF_THE_CLOCK} for row in read_jsonl(path)),
            key=lambda row: row["task_id"],
        )
        for run, path in runs.items()
    }


@pytest.fixture
def done(tmp_path: Path, toys: Parts) -> Checkup:
    checkup = checkup_of(tmp_path / "done", toys)
    assert ask(checkup) == [None, None, None]
    return checkup


def subject(checkup: Checkup) -> CheckedModel:
    return CheckedModel(checkup, {run: f"print of {run}" for run in checkup.runs})


def test_a_package_adds_a_part_with_its_price_its_runs_and_its_card(
    tmp_path: Path, toys: Parts, golden: Golden
) -> None:
    """Its suite stands beside all others. What it costs and shows is what it declares."""
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"input": 1_000_000, "output": 0}}))
    with ToyServer() as server:
        words = ["checkup", "-m", "m", "--base-url", server.url, "--prices", prices, "--thoughts", "0", "--public"]
        plan = json.loads(herobench(*words, "--dry-run", "--json").stdout)
        loser, winner = ({bill["run"]: bill for bill in plan["bills"][name]} for name in ("loses all", "wins all"))
        assert (loser["treasure"]["cost"], winner["treasure"]["cost"]) == (6 * 20, 6 * 60)
        assert [(step["run"], step["tasks"]) for step in plan["steps"]] == [
            ("treasure", 2), ("cellar", 4), ("treasure", 6)
        ]  # fmt: skip
        golden(herobench(*words, "-o", tmp_path / "run"))
    page = (tmp_path / "run" / "checkup.html").read_text("utf-8")
    for words_of_card in ("Treasure", "looking before speaking", "the same in the dark"):
        assert words_of_card in page
    assert {path.name for path in (tmp_path / "run" / "reports").iterdir()} == {"treasure.html", "cellar.html"}


def test_its_part_stands_among_those_of_all_suites_by_its_first_priority(toys: Parts) -> None:
    every = load_parts()
    assert {part.suite for part in toys} < {part.suite for part in every}
    firsts = [min(priority for row in part.rows for priority, _ in row.steps) for part in every]
    assert firsts == sorted(firsts)


def test_each_run_is_an_ordinary_one_in_one_folder(done: Checkup) -> None:
    assert done.runs == ["treasure", "cellar", "chance/treasure"]
    rows = verdicts(done.folder)
    assert {run: len(own) for run, own in rows.items()} == {"treasure": 6, "cellar": 4, "chance/treasure": 6}
    assert all(row["won"] for run in SIZES for row in rows[run])
    assert not any(row["won"] for row in rows["chance/treasure"])
    assert all(is_complete(done.folder / run) for run in done.runs)
    assert schema_problems(json.loads((done.folder / "checkup.json").read_text("utf-8")), "checkup", "") == []
    assert read_checkup(done.folder) == done
    assert herobench("analyze", done.folder / "cellar").returncode == 0


def test_a_checkup_that_was_cut_short_resumes_from_its_folder_alone(done: Checkup, tmp_path: Path) -> None:
    again = checkup_of(tmp_path / "again", done.parts)
    again.write()
    steps = work(again, {"model": "oracle"}, lambda *_: RunCallbacks())
    next(steps)
    steps.close()
    samples = again.folder / "treasure" / "samples.jsonl"
    write_jsonl(samples, read_jsonl(samples)[:3])
    assert not (again.folder / "cellar").exists()
    assert ask(read_checkup(again.folder), {}) == [None, None, None]
    assert verdicts(again.folder) == verdicts(done.folder)


def test_a_checkup_that_has_no_run_yet_resumes_from_its_folder_alone_for_who_began_it(
    tmp_path: Path, toys: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ToyServer() as server:
        request: RunRequest = {"model": "m", "base_url": server.url, "sampling": {"max_tokens": 77}}
        settings = check_model(request, None, toys)[1]
        checkup = checkup_of(tmp_path / "run", toys, "m", settings=settings)
        checkup.write()
        with pytest.raises(UsageError, match=f"repeat what the checkup keeps: --model m --base-url {server.url}"):
            ask(read_checkup(checkup.folder, toys), {})
        assert not server.records()
        assert not (checkup.folder / "tasks").exists()
        remember(settings)
        assert ask(read_checkup(checkup.folder, toys), {}) == [None, None, None]
        assert {record.body["max_tokens"] for record in server.records()} == {77}


def test_what_is_complete_is_not_asked_again(done: Checkup) -> None:
    before = {run: (done.folder / run / "run.json").read_text("utf-8") for run in ("cellar", "chance/treasure")}
    assert ask(done, {}) == [None]
    assert before == {run: (done.folder / run / "run.json").read_text("utf-8") for run in before}


def test_a_folder_of_an_older_version_resumes(done: Checkup) -> None:
    path = done.folder / "checkup.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "parts": [{"name": "treasure"}]}), "utf-8")
    assert ask(read_checkup(done.folder), {}) == [None]


def test_a_model_that_the_server_does_not_know_ends_it_at_once(tmp_path: Path, toys: Parts) -> None:
    many = replace(toys[0], rows=(replace(toys[0].rows[0], options={"rooms": "20"}, steps=((1, 20),)),))
    checkup = checkup_of(tmp_path / "run", [many, toys[1]], "m", sizes={"treasure": 20, "cellar": 4})
    with ToyServer(lambda asked: Behaviour(Kind.NO_MODEL)) as server:
        assert ask(checkup, {"model": "m", "base_url": server.url}) == ["hopeless"]
    assert not (checkup.folder / "cellar").exists()


def test_a_budget_holds_over_all_runs(tmp_path: Path, toys: Parts) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"input": 1000, "output": 1000}}))
    with ToyServer() as server:
        request: RunRequest = {
            "model": "m", "base_url": server.url, "prices": prices, "conduct": {"connections": 1}
        }  # fmt: skip
        whole = checkup_of(tmp_path / "whole", toys, "m")
        assert ask(whole, request) == [None] * 3
        costs = [cost_so_far(whole.folder / run) for run in SIZES]
        part = checkup_of(tmp_path / "part", toys, "m", budget=costs[0] + 0.5 * costs[1])
        assert ask(part, request) == [None, "cost"]
    assert costs[0] < sum(cost_so_far(part.folder / run) for run in SIZES) < sum(costs)


@pytest.mark.slow
@needs_setsid
def test_on_a_terminal_a_checkup_of_a_served_model_asks_before_it_begins(tmp_path: Path, toys: Parts) -> None:
    with ToyServer() as server:
        folder = tmp_path / "run"
        terminal = Terminal("checkup", "--model", "m", "--base-url", server.url, "--public", "-o", folder)
        terminal.read_until(rb"Begin\?")
        terminal.type(b"n\r")
        assert terminal.end() == 0
        assert (server.records(), folder.exists()) == ([], False)


# -- refusals ---------------------------------------------------------------------------------------------------------


REFUSED = [
    *("", "--model gpt-5", "--model silent", "--model oracle --budget 9"),
    *("--model oracle --budget 0.01 --prices prices.json", "--model oracle --public --fresh 7", "--resume nowhere"),
    "--resume nowhere --public",
]


@for_each("options", REFUSED)
def test_what_cannot_be_checked_is_refused_in_a_sentence(options: str, tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "prices.json").write_text(json.dumps({"oracle": {"input": 1, "output": 1}}))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI")}
    environment["PYTHONPATH"] = str(TOY)
    golden(herobench("checkup", *options.split(), cwd=tmp_path, env=environment))
    assert [path.name for path in tmp_path.iterdir()] == ["prices.json"], "nothing is begun"


def test_a_checkup_that_somebody_else_began_sends_nothing(tmp_path: Path, toys: Parts, golden: Golden) -> None:
    checkup = checkup_of(tmp_path / "run", toys, "m")
    with ToyServer() as server:
        checkup.write()
        steps = work(checkup, {"model": "m", "base_url": server.url}, lambda *_: RunCallbacks())
        next(steps)
        steps.close()
        before = server.counters().requests
        environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "OPENAI_API_KEY": "secret"}
        golden(herobench("checkup", "--resume", checkup.folder, env=environment, cwd=tmp_path))
        assert server.counters().requests == before
    assert not (checkup.folder / "cellar").exists()


def test_a_player_of_a_forged_first_run_sends_nothing_where_its_name_is_a_served_model(
    tmp_path: Path, toys: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SECRET", "secret")
    monkeypatch.delenv("OPENAI_API_KEY")
    served = replace(toys[0], name="base", suite="rpg", rows=(replace(toys[0].rows[0], dataset="base"),), chance=None)
    checkup = checkup_of(tmp_path / "run", [*toys, served], "silent", sizes={"treasure": 2, "base": 2})
    with ToyServer() as server:
        checkup.write()
        steps = work(checkup, {"model": "silent"}, lambda *_: RunCallbacks())
        next(steps)
        steps.close()
        path = checkup.folder / "treasure" / "run.json"
        manifest = json.loads(path.read_text("utf-8"))
        manifest["config"]["base_url"], manifest["conduct"]["key_name"] = server.url, "MY_SECRET"
        path.write_text(json.dumps(manifest), "utf-8")
        with raises(ModelFault.NO_SERVER, "OPENAI_API_KEY"):
            ask(checkup, {})
        assert not server.records()


def test_a_checkup_with_a_folder_that_cannot_be_listed_is_refused(
    tmp_path: Path, toys: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkup = checkup_of(tmp_path / "run", toys)
    checkup.write()
    (checkup.folder / "chance").mkdir()
    scandir = os.scandir

    def guarded(path: str) -> Any:
        if path.endswith("chance"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    with pytest.raises(UsageError, match=r"Cannot list .*chance: Permission denied"):
        read_checkup(checkup.folder, toys)


@for_each("name", ["tasks", "cellar", "chance", "reports"])
def test_nothing_is_written_where_a_link_leads_out_of_a_checkup(tmp_path: Path, toys: Parts, name: str) -> None:
    checkup = checkup_of(tmp_path / "run", toys)
    checkup.write()
    (tmp_path / "elsewhere").mkdir()
    (checkup.folder / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=f"{name}.* leads out of "):
        read_checkup(checkup.folder, toys)


def test_a_folder_with_another_checkup_is_refused(done: Checkup, golden: Golden) -> None:
    golden(herobench("checkup", "--model", "oracle", "--fresh", "8", "-o", done.folder))


@for_each("sizes", [{"../elsewhere": 1}, {}, [], None])
def test_a_checkup_json_with_wrong_runs_is_refused(sizes: Any, tmp_path: Path, toys: Parts) -> None:
    checkup_of(tmp_path, toys).write()
    path = tmp_path / "checkup.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "sizes": sizes}), "utf-8")
    with pytest.raises(InputError, match=r"checkup\.json: \$\.sizes"):
        read_checkup(tmp_path)


def test_a_checkup_json_asks_no_more_tasks_than_a_suite_declares(tmp_path: Path, toys: Parts) -> None:
    checkup = checkup_of(tmp_path, toys, sizes={"treasure": 900_000_000_000})
    checkup.write()
    with pytest.raises(InputError) as error:
        read_checkup(tmp_path)
    (problem,) = error.value.problems
    assert (problem.path, problem.found) == ("$.sizes.treasure", 900_000_000_000)
    replace(checkup, sizes=SIZES, settings={"id": "run", "config": {}}).write()
    with pytest.raises(InputError) as error:
        read_checkup(tmp_path)
    assert "checkup.json: settings" in str(error.value)


@for_each("words", [("--resume",), ("show",)])
def test_a_checkup_with_a_part_that_is_gone_is_refused_in_a_sentence(
    words: tuple[str, ...], tmp_path: Path, toys: Parts, golden: Golden
) -> None:
    checkup = checkup_of(tmp_path, [], sizes={"plans": 10})
    checkup.write()
    golden(herobench("checkup", *words, tmp_path))


# -- what is shown ----------------------------------------------------------------------------------------------------


def test_the_figures_are_those_of_the_runs(done: Checkup) -> None:
    (model,) = as_rows([subject(done)])["models"]
    assert [part["name"] for part in model["parts"]] == ["treasure", "cellar"]
    assert all(0 <= part["success"]["low"] < part["success"]["rate"] == 1 for part in model["parts"])
    assert [(group["name"], group["count"]) for group in model["parts"][1]["groups"]] == [("even", 2), ("odd", 2)]
    assert {run["run"]: run["attempts"] for run in model["totals"]} == SIZES
    assert [run["fingerprint"] for run in model["runs"]] == ["print of treasure", "print of cellar"]
    assert model["horizon"] is None
    table = as_markdown([subject(done)])
    for row in (
        "| cellar, won | 100.0 % (51 to 100) |",
        "| tasks | public ones |",
        "| attempts | 10; 0 unmeasured, 0 cut off |",
    ):
        assert row in table


def test_the_page_links_to_reports_and_replays_that_are_there(tmp_path: Path, toys: Parts) -> None:
    checkup = checkup_of(tmp_path / "run", toys, "m")
    with ToyServer() as server:
        assert ask(checkup, {"model": "m", "base_url": server.url}) == [None] * 3
    page = write_checkup_page([subject(checkup)], checkup.folder / "checkup.html", with_reports=True)
    (model,) = page_data([subject(checkup)], page.parent)["models"]
    assert all((page.parent / part["report"]).is_file() for part in model["parts"])
    for replay in model["replays"]:
        file, _, address = replay["link"].partition("#")
        assert (page.parent / file).is_file()
        assert re.fullmatch(rf"sample/(treasure|cellar)/{replay['task']}/0", address)
    reasons = [re.sub(r"\d+ tokens", "N tokens", replay["why"]) for replay in model["replays"]]
    assert reasons[:3] == [
        "Treasure: the longest win, N tokens",
        "Cellar: the longest win, N tokens",
        "Treasure: the shortest loss, N tokens",
    ]


def test_several_checkups_stand_side_by_side(done: Checkup, tmp_path: Path, golden: Golden) -> None:
    golden(herobench("checkup", "show", done.folder, done.folder))
    assert "say where the page goes" in refuses(herobench("checkup", "show", done.folder, "--format", "html")).lower()
    page = tmp_path / "page" / "both.html"
    assert herobench("checkup", "show", done.folder, done.folder, "--format", "html", "-o", page).returncode == 0
    assert json.loads(herobench("checkup", "show", done.folder, "--format", "json").stdout)["schema"] == 1
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "done").symlink_to(done.folder)
    other = replace(done, folder=tmp_path / "other" / "done")
    assert checkup_names([subject(done), subject(other)]) == [f"oracle ({done.folder})", f"oracle ({other.folder})"]


# -- declarations -----------------------------------------------------------------------------------------------------


@for_each(
    ("wrong", "told"),
    [
        ('"treasure"', "expected a sequence of herobench.suite.checkup_parts.Part"),
        ('[Part("No", "", "", ())]', "No: expected a name of small letters"),
        ('[Part("reports", "", "", ())]', "reports: expected a name of small letters"),
        ('[Part("a", "", "", ())]', "a: expected one or more rows"),
        ('[Part("a", "", "", (Row(((1, 4), (2, 2)), dataset="d"),))]', "a: expected one or more steps, which grow"),
        ('[Part("a", "", "", (Row(((1, 4),)),))]', "a: expected a dataset or draws"),
        ('2 * [Part("a", "", "", (Row(((1, 4),), dataset="d"),))]', "both have a part a of a checkup."),
    ],
)
def test_a_wrong_declaration_is_refused_with_its_suite(
    wrong: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "odd-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    name = f"odd_{abs(hash(wrong))}"
    (info / "entry_points.txt").write_text(f"[herobench.checkup]\nodd = {name}:PARTS\n")
    (tmp_path / f"{name}.py").write_text(f"from herobench.suite.checkup_parts import Part, Row\nPARTS = {wrong}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError) as refused:
        load_parts()
    assert "odd" in str(refused.value)
    assert told in str(refused.value)


def test_the_longer_of_two_horizons_is_named_first() -> None:
    told = [index(horizons)["ratios"][0]["words"] for horizons in ((1e9, 8.0), (60.0, 64.0))]
    sure = "has the longer horizon with a probability of over 0.999 against"
    beyond = "there is no figure beyond the lengths of the tasks."
    assert told[0] == f"model 1 {sure} model 2; {beyond}"
    assert re.search(r"; model 2 has the longer horizon with a probability of 0\.[5-9]\d\d\.$", told[1])
