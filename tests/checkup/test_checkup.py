"""A checkup of a few tasks: it is begun, stopped, resumed, refused, and shown."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.adaptive.goal import Goal
from herobench.analysis.checkup.figures import CheckedModel
from herobench.analysis.checkup.page import (
    as_markdown,
    as_rows,
    checkup_names,
    page_data,
    write_checkup_page,
)
from herobench.checkup.work import Checkup, _goal, is_complete, read_checkup, refuse_unserved, work
from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, UsageError
from herobench.runs.launch import RunCallbacks
from herobench.runs.options import RunRequest
from tests.checkup.scripted import Scripted, mixed
from tests.checkup.simulated import index
from tests.checkup.small import TINY
from tests.loopback import Behaviour, Kind, Loopback
from tests.loopback.api_request import MODELS
from tests.program import herobench, read_jsonl, refuses, write_jsonl
from tests.sizes import for_each

SIZES = {"questions": 8, "epochs": 2}
OF_THE_CLOCK = ("seconds", "started", "finished", "retries")


def tiny(folder: Path, model: str = "oracle", **changes: Any) -> Checkup:
    return Checkup(folder, model, **{"seed": 7, "sizes": SIZES, "parts": TINY, **changes})


def ask(checkup: Checkup, request: RunRequest | None = None) -> list[str | None]:
    """Work on a checkup. Return why each run that was worked on was stopped."""
    shown: list[str] = []

    def callbacks(run: str, number: int, of: int) -> RunCallbacks:
        shown.append(f"{number} of {of}: {run}")
        return RunCallbacks()

    checkup.write()
    asked = request if request is not None else {"model": checkup.model}
    return [ending.reason for ending in work(checkup, asked, callbacks)]


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


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Checkup:
    checkup = tiny(tmp_path_factory.mktemp("checkup") / "oracle")
    assert ask(checkup) == [None, None, None]
    return checkup


def subject(checkup: Checkup) -> CheckedModel:
    return CheckedModel(checkup.folder, checkup.as_row(), {run: f"print of {run}" for run in checkup.runs})


def test_each_run_is_an_ordinary_one_in_one_folder(done: Checkup) -> None:
    assert done.runs == ["questions", "epochs", "chance/questions"]
    found = verdicts(done.folder)
    assert {run: len(rows) for run, rows in found.items()} == {"questions": 8, "epochs": 2, "chance/questions": 8}
    assert all(row["won"] for run in SIZES for row in found[run])
    assert not all(row["won"] for row in found["chance/questions"])
    assert all(is_complete(done.folder / run) for run in done.runs)
    row = json.loads((done.folder / "checkup.json").read_text("utf-8"))
    assert schema_problems(row, "checkup", "") == []
    assert read_checkup(done.folder, TINY) == done
    assert herobench("analyze", done.folder / "epochs").returncode == 0


def test_a_checkup_that_was_cut_short_resumes_from_its_folder_alone(done: Checkup, tmp_path: Path) -> None:
    again = tiny(tmp_path / "again")
    again.write()
    steps = work(again, {"model": "oracle"}, lambda *_: RunCallbacks())
    next(steps)
    steps.close()
    samples = again.folder / "questions" / "samples.jsonl"
    write_jsonl(samples, read_jsonl(samples)[:3])
    assert not (again.folder / "epochs").exists()
    assert ask(read_checkup(again.folder, TINY), {}) == [None, None, None]
    assert verdicts(again.folder) == verdicts(done.folder)


def test_what_is_complete_is_not_asked_again(done: Checkup) -> None:
    before = {run: (done.folder / run / "run.json").read_text("utf-8") for run in ("epochs", "chance/questions")}
    assert ask(done, {}) == [None]
    assert before == {run: (done.folder / run / "run.json").read_text("utf-8") for run in before}


def test_a_model_that_the_server_does_not_know_ends_it_at_once(tmp_path: Path) -> None:
    checkup = tiny(tmp_path / "run", "m", seed=None, sizes={"questions": 16, "epochs": 2})
    with Scripted(checkup.folder, mixed(8), lambda asked: Behaviour(Kind.NO_MODEL)) as server:
        assert ask(checkup, {"model": "m", "base_url": server.url}) == ["hopeless"]
    assert not (checkup.folder / "epochs").exists()


@pytest.mark.slow
def test_a_budget_holds_over_all_runs(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"input": 1000, "output": 1000}}))
    whole = tiny(tmp_path / "whole", "m")
    with Scripted(whole.folder, mixed(8)) as server:
        request: RunRequest = {"model": "m", "base_url": server.url, "prices": prices}
        assert ask(whole, request) == [None] * 3
    costs = [sum(row["cost"] for row in rows) for run, rows in verdicts(whole.folder).items() if run in SIZES]
    part = tiny(tmp_path / "part", "m", budget=0.9 * sum(costs))
    with Scripted(part.folder, mixed(8)) as server:
        ends = ask(part, {"model": "m", "base_url": server.url, "prices": prices})
    assert ends[-1] == "cost"
    spent = sum(row["cost"] for run in SIZES for row in read_jsonl(part.folder / run / "calls.jsonl"))
    assert spent <= sum(costs)


def test_the_goal_of_a_horizon_leaves_the_money_that_later_runs_are_expected_to_take(tmp_path: Path) -> None:
    sizes, expected = {"horizon/plan": 8, "questions": 8, "epochs": 2}, {"horizon/plan": 1.0, "questions": 2.0}
    checkup = Checkup(tmp_path, "oracle", None, sizes, 5.0, expected)
    assert _goal(checkup, "horizon/plan", "factor=2") == "factor=2,cost=3.0000"
    assert _goal(replace(checkup, budget=None), "horizon/plan", "factor=2") == "factor=2"


@pytest.mark.slow
def test_a_horizon_leaves_to_later_runs_what_they_are_expected_to_take(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"oracle": {"input": 1, "output": 1}}))
    sizes, expected = {"horizon/plan": 8, "questions": 8}, {"horizon/plan": 1.0, "questions": 2.0}
    checkup = Checkup(tmp_path / "run", "oracle", None, sizes, 5.0, expected)
    checkup.write()
    steps = work(checkup, {"model": "oracle", "prices": prices}, lambda *_: RunCallbacks())
    assert next(steps).complete
    steps.close()
    conduct = json.loads((checkup.folder / "horizon" / "plan" / "run.json").read_text("utf-8"))["conduct"]
    assert Goal.of(conduct["until"]) == Goal(factor=2.0, tasks=8, cost=3.0, longest=4454)
    assert conduct["cost_limit"] == 5.0


# -- refusals ---------------------------------------------------------------------------------------------------------


@for_each(
    ("options", "told"),
    [
        ([], "Say which model to check"),
        (["--model", "gpt-5"], "Set OPENAI_API_KEY, or name a server by --base-url"),
        (
            ["--model", "noop"],
            "The player noop plays rpg and discover only: a checkup asks a served model, or the oracle.",
        ),
        (["--model", "oracle", "--budget", "9"], "A cost limit needs the model's price: give --prices FILE."),
        (["--model", "oracle", "--budget", "0.01", "--prices", "prices.json"], "A budget of 0.01 is too small for any"),
        (["--model", "oracle", "--public", "--fresh", "7"], "leave one out."),
        (["--resume", "nowhere"], "nowhere is no checkup: there is no checkup.json in it."),
        (["--resume", "nowhere", "--public"], "--resume names a checkup that keeps its folder"),
    ],
)
def test_what_cannot_be_checked_is_refused_in_a_sentence(options: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "prices.json").write_text(json.dumps({"oracle": {"input": 1, "output": 1}}))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI")}
    assert told in refuses(herobench("checkup", *options, cwd=tmp_path, env=environment))
    assert [path.name for path in tmp_path.iterdir()] == ["prices.json"], "nothing is begun"


@for_each(
    ("kind", "told"),
    [
        (Kind.NO_MODEL, "The model `gpt-55` does not exist or you do not have access to it. Is gpt-5 meant?"),
        (Kind.UNAUTHORIZED, "Incorrect API key provided: "),
        (Kind.QUOTA, "You exceeded your current quota"),
    ],
)
def test_what_the_server_refuses_is_told_in_a_sentence_before_anything_is_begun(
    kind: Kind, told: str, tmp_path: Path
) -> None:
    def say(key: str, attempt: int) -> Behaviour:
        return Behaviour(model="gpt-5") if key == MODELS and kind is Kind.NO_MODEL else Behaviour(kind)

    with Loopback(say) as server:
        line = refuses(herobench("checkup", "--model", "gpt-55", "--base-url", server.url, "-o", "run", cwd=tmp_path))
        assert server.counters().requests == 2
    assert line.startswith(told)
    assert line.endswith(" Nothing was begun.")
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_cannot_be_reached_is_told_in_a_sentence(tmp_path: Path) -> None:
    with Loopback({}) as server:
        url = server.url
    told = refuses(herobench("checkup", "--model", "m", "--base-url", url, "-o", "run", cwd=tmp_path))
    assert told.startswith("The connection failed or broke off")
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_the_server_does_not_list_is_asked_to_say_ok() -> None:
    with Loopback(lambda key, attempt: Behaviour(Kind.NO_MODEL) if key == MODELS else Behaviour()) as server:
        refuse_unserved({"model": "alias", "base_url": server.url})
        assert [record.key for record in server.records()] == [MODELS, "Say OK."]
    with Loopback(lambda key, attempt: Behaviour(model="m")) as server:
        refuse_unserved({"model": "m", "base_url": server.url})
        assert [record.key for record in server.records()] == [MODELS], "what is listed costs nothing"


def test_a_checkup_that_somebody_else_began_sends_nothing(tmp_path: Path) -> None:
    checkup = tiny(tmp_path / "run", "m")
    with Scripted(checkup.folder, mixed(8)) as server:
        checkup.write()
        steps = work(checkup, {"model": "m", "base_url": server.url}, lambda *_: RunCallbacks())
        next(steps)
        steps.close()
        before = server.counters().requests
        environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "OPENAI_API_KEY": "secret"}
        refused = herobench("checkup", "--resume", checkup.folder, env=environment, cwd=tmp_path)
        assert server.counters().requests == before
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1].startswith("Nothing here says that you began")
    assert not (checkup.folder / "epochs").exists()


def test_a_player_of_a_forged_first_run_sends_nothing_where_its_name_is_a_served_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SECRET", "secret")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    checkup = tiny(tmp_path / "run", "shortcut", seed=None)
    with Scripted(checkup.folder, mixed(8)) as server:
        checkup.write()
        steps = work(checkup, {"model": "shortcut"}, lambda *_: RunCallbacks())
        next(steps)
        steps.close()
        path = checkup.folder / "questions" / "run.json"
        manifest = json.loads(path.read_text("utf-8"))
        manifest["config"]["base_url"], manifest["conduct"]["key_name"] = server.url, "MY_SECRET"
        path.write_text(json.dumps(manifest), "utf-8")
        with pytest.raises(UsageError, match="Set OPENAI_API_KEY"):
            ask(checkup, {})
        assert not server.records()


def test_a_checkup_with_a_folder_that_cannot_be_listed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkup = tiny(tmp_path / "run")
    checkup.write()
    (checkup.folder / "chance").mkdir()
    scandir = os.scandir

    def guarded(path: str) -> Any:
        if path.endswith("chance"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    with pytest.raises(UsageError, match=r"Cannot list .*chance: Permission denied"):
        read_checkup(checkup.folder, TINY)


@for_each("name", ["tasks", "epochs", "chance", "reports"])
def test_nothing_is_written_where_a_link_leads_out_of_a_checkup(tmp_path: Path, name: str) -> None:
    checkup = tiny(tmp_path / "run")
    checkup.write()
    (tmp_path / "elsewhere").mkdir()
    (checkup.folder / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=f"{name}.* leads out of "):
        read_checkup(checkup.folder, TINY)


def test_a_folder_with_another_checkup_is_refused(done: Checkup) -> None:
    told = refuses(herobench("checkup", "--model", "oracle", "--fresh", "8", "-o", done.folder))
    assert told.startswith("Another checkup is in ")


@for_each("sizes", [{"../elsewhere": 1}, {}, [], None])
def test_a_checkup_json_with_wrong_runs_is_refused(sizes: Any, tmp_path: Path) -> None:
    row = {**tiny(tmp_path).as_row(), "sizes": sizes}
    (tmp_path / "checkup.json").write_text(json.dumps(row), "utf-8")
    with pytest.raises(InputError, match=r"checkup\.json: \$\.sizes"):
        read_checkup(tmp_path)
    with pytest.raises(UsageError, match="no checkup"):
        read_checkup(tmp_path / "other")


@for_each("words", [("--resume",), ("show",)])
def test_a_checkup_with_a_part_that_is_gone_is_refused_in_a_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    row = tiny(tmp_path).as_row()
    (part,) = (part for part in row["parts"] if part["name"] == "epochs")
    old = {**part, "name": "plans", "card": "plans", "runs": ["plans"]}
    row = {**row, "sizes": {**SIZES, "plans": 10}, "parts": [*row["parts"], old]}
    (tmp_path / "checkup.json").write_text(json.dumps(row), "utf-8")
    told = refuses(herobench("checkup", *words, tmp_path))
    assert "checkup.json: $.sizes.plans: expected one of the runs autumn, " in told
    assert "another version made it: begin a new checkup, or use `herobench analyze` on its runs" in told


def test_a_dry_run_says_what_it_takes_and_what_less_money_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps({"oracle": {"input": 1, "output": 10}}))
    options = ["checkup", "--model", "oracle", "--prices", "p.json", "--thoughts", "500", "--budget", "5", "--dry-run"]
    shown = herobench(*options, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    for words in ("horizon/plan", "wins all", "The budget leaves out: ", "A smaller budget leaves out the last"):
        assert words in shown.stdout
    told = json.loads(herobench(*options, "--json", cwd=tmp_path).stdout)
    assert sum(bill["cost"] for bill in told["bills"]["middle"]) <= 5
    assert not (tmp_path / "runs").exists()


# -- what is shown ----------------------------------------------------------------------------------------------------


def test_the_figures_are_those_of_the_runs(done: Checkup) -> None:
    told = as_rows([subject(done)])
    (model,) = told["models"]
    assert [part["name"] for part in model["parts"]] == ["questions", "epochs"]
    assert all(part["success"]["rate"] == 1 and part["success"]["low"] < 1 for part in model["parts"])
    assert [(group["name"], group["count"]) for group in model["parts"][1]["groups"]] == [("4-7", 2)]
    assert {run["run"]: run["attempts"] for run in model["totals"]} == SIZES
    assert [run["fingerprint"] for run in model["runs"]] == ["print of questions", "print of epochs"]
    assert set(told["atoms"]) == {"oracle", "chance"}, "the model has the name of the mark here"
    assert model["horizon"] is None
    table = as_markdown([subject(done)])
    for row in (
        "| epochs, won | 100.0 % (34 to 100) |",
        "| tasks | fresh ones of the seed 7 |",
        "| attempts | 10; 0 unmeasured, 0 cut off |",
    ):
        assert row in table


def test_each_share_on_the_page_has_its_interval(done: Checkup) -> None:
    index = page_data([subject(done)], done.folder)
    profiled = [rate for run in index["runs"][:-1] for rates in run["profiles"].values() for _, rate in rates]
    for told in [*(part["success"] for part in index["models"][0]["parts"]), *profiled]:
        assert 0 <= told["low"] <= told["rate"] <= told["high"] <= 1


def test_the_page_links_to_reports_and_replays_that_are_there(done: Checkup) -> None:
    page = write_checkup_page([subject(done)], done.folder / "checkup.html", with_reports=True)
    (model,) = page_data([subject(done)], page.parent)["models"]
    for part in model["parts"]:
        assert (page.parent / part["report"]).is_file()
    for replay in model["replays"]:
        file, _, address = replay["link"].partition("#")
        run, task, _ = address.removeprefix("sample/").rsplit("/", 2) if address.count("/") == 3 else ("", "", "")
        assert (page.parent / file).is_file()
        assert (run, bool(task)) in [("questions", True), ("epochs", True)]
    assert "the longest win" in model["replays"][0]["why"]


def test_several_checkups_stand_side_by_side(done: Checkup, tmp_path: Path) -> None:
    shown = herobench("checkup", "show", done.folder, done.folder)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("oracle (oracle)") == 2
    assert "say where the page goes" in refuses(herobench("checkup", "show", done.folder, "--format", "html")).lower()
    page = tmp_path / "page" / "both.html"
    assert herobench("checkup", "show", done.folder, done.folder, "--format", "html", "-o", page).returncode == 0
    assert json.loads(herobench("checkup", "show", done.folder, "--format", "json").stdout)["schema"] == 1


def test_two_checkups_of_one_model_in_folders_of_one_name_are_told_apart(done: Checkup, tmp_path: Path) -> None:
    (tmp_path / "oracle").symlink_to(done.folder)
    subjects = [subject(done), subject(replace(done, folder=tmp_path / "oracle"))]
    assert checkup_names(subjects) == [f"oracle ({done.folder})", f"oracle ({tmp_path / 'oracle'})"]


def test_the_longer_of_two_horizons_is_named_first() -> None:
    told = [index(horizons)["ratios"][0]["words"] for horizons in ((8.0, 1e9), (1e9, 8.0), (60.0, 80.0))]
    sure = "has the longer horizon with a probability of over 0.999 against"
    beyond = "there is no figure beyond the lengths of the tasks."
    assert told[:2] == [f"model 2 {sure} model 1; {beyond}", f"model 1 {sure} model 2; {beyond}"]
    assert re.search(r"; model 2 has the longer horizon with a probability of 0\.[5-9]\d\d\.$", told[2])
