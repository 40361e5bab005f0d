from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from herobench.data.documents import schema_problems
from herobench.task_gen.rpg.audit.families import RULES
from herobench.task_gen.rpg.datasets import dataset_path
from herobench.task_gen.rpg.tasks.spec import to_bracket
from tests.cli.running import (
    KEY,
    TASK_IDS,
    TASKS,
    ask,
    attempts,
    calls,
    contents,
    everything,
    only,
    resume,
    run,
    said,
    samples,
    some_win,
    start_asking,
    statuses,
)
from tests.loopback import Loopback
from tests.program import herobench, read_jsonl, refuses, write_jsonl
from tests.sizes import THOROUGH, for_each, many

SECRET = "sk-loopback-0123456789abcdef"


@pytest.fixture
def server() -> Iterator[Loopback]:
    """A server whose model wins three of the five example tasks."""
    with Loopback(answers=some_win, key=KEY) as loopback:
        yield loopback


# -- players that need no server --------------------------------------------------------------------------------------


def test_the_oracle_wins_all_of_the_default_dataset(tmp_path: Path) -> None:
    count = many(360, 27)
    done = herobench("run", "--model", "oracle", *([] if THOROUGH else ["--limit", str(count)]), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    (folder,) = (tmp_path / "runs").iterdir()
    assert re.fullmatch(r"horizon-v3--oracle--[0-9a-f]{8}", folder.name)
    rows = samples(folder)
    assert [(row["won"], row["score"], row["status"]) for row in rows] == [(True, 100.0, "ok")] * count
    assert len(attempts(rows)) == count
    words = done.stdout.split()
    assert (
        " ".join(words[:12]) == "oracle on horizon-v3 under standard rules, lane: solver, track: straight, mode: plan"
    )
    assert f"runs/{folder.name}" in words


@for_each(("limit", "has_one"), [(39, False), (40, True)])
def test_a_run_ends_with_the_horizon_that_analyze_shows_if_it_has_tasks_enough(
    limit: int, has_one: bool, tmp_path: Path
) -> None:
    done = run("--dataset", "horizon", "--limit", str(limit), "--model", "noop", "-o", tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    told, analyzed = (
        {words[0]: words[1] for line in text.splitlines() if len(words := re.split(r"\s{2,}", line, maxsplit=1)) == 2}
        for text in (done.stdout, herobench("analyze", tmp_path / "run").stdout)
    )
    assert ("horizon" in told) == has_one
    if has_one:
        assert told["horizon"] == "below the range"
        assert told["lengths"] == f"4 to 9 decisions in {limit} tasks"
        assert {name: told[name] for name in ("horizon", "lengths")} == {
            name: analyzed[name] for name in ("horizon", "lengths")
        }


def test_a_run_on_tasks_of_two_tracks_has_no_horizon(tmp_path: Path) -> None:
    rows = read_jsonl(Path(str(dataset_path("base"))))[:40]
    rows[0]["mechanics"]["plan"] = "straight"
    tasks = write_jsonl(tmp_path / "tasks.jsonl", rows)
    done = run("--tasks", tasks, "--model", "noop", "-o", tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    assert "tracks: program and straight" in done.stdout
    assert "horizon" not in done.stdout


@for_each(("model", "wins"), [("greedy", 5), ("shortcut", 5), ("shortcut:highest_level", 5), ("noop", 0)])
def test_other_players_play_through_the_same_door(model: str, wins: int, tmp_path: Path) -> None:
    done = run("--model", model, "--jobs", "1", "-o", tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    rows = samples(tmp_path / "run")
    assert attempts(rows) == everything()
    assert {row["model"] for row in rows} == {model}
    assert sum(row["won"] for row in rows) == wins


def test_a_difficulty_that_changes_the_dataset_says_so(tmp_path: Path) -> None:
    note = "--difficulty takes the dataset base: horizon, the default, has no brackets.\n"
    few = ("run", "--model", "noop", "--difficulty", "9", "--limit", "1", "--jobs", "1")
    done = herobench(*few, "-o", tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, note)
    assert samples(tmp_path / "run")[0]["group"] == "9"
    assert herobench(*few, "--dry-run", "--json").stderr == note
    for named in (["--dataset", "leveling"], ["--dataset", "base"], ["--tasks", TASKS, "--difficulty", "1"]):
        assert herobench(*few, *named, "--dry-run").stderr == ""


@pytest.mark.slow
def test_shortcut_is_the_first_rule_of_thumb(tmp_path: Path) -> None:
    first = next(iter(RULES))
    for model in ("shortcut", f"shortcut:{first}", "shortcut:last"):
        options = ("--dataset", "base", "--difficulty", "5", "--model", model, "--jobs", "1")
        assert run(*options, "-o", tmp_path / model).returncode == 0
    answers = {
        model: {row["task_id"]: said(row) for row in samples(tmp_path / model)}
        for model in ("shortcut", f"shortcut:{first}", "shortcut:last")
    }
    assert answers["shortcut"] == answers[f"shortcut:{first}"] != answers["shortcut:last"]


@for_each(
    ("options", "complaint"),
    [
        (["--model", "oracle:best"], "oracle takes no argument"),
        (["--model", "noop:best"], "noop takes no argument"),
        (["--model", "shortcut:long"], "There is no shortcut 'long': give one of listed, last, random"),
        (["--model", "greedy", "--seed", "0", "--max-tokens", "9"], "greedy takes no max_tokens, seed"),
        (["--model", "noop", "--top-p", "0.5"], "noop takes no top_p"),
        (["--model", "replay:"], "--model replay:ANSWERS.jsonl"),
        (["--model", "replay:nowhere.jsonl"], "nowhere.jsonl"),
        (["--model", "gpt-x"], "OPENAI_API_KEY"),
        (["--model", "gpt-x", "--base-url", "localhost:8000"], "A base URL is like http://localhost:8000/v1"),
        (["--model", "gpt-x", "--base-url", "http://[::1/v1"], "A base URL is like http://localhost:8000/v1"),
        (["--model", "gpt-x", "--base-url", "http://localhost:port/v1"], "A base URL is like http://localhost:8000/v1"),
        (
            ["--model", "gpt-x", "--base-url", "http://localhost:99999/v1"],
            "A base URL is like http://localhost:8000/v1",
        ),
        (["--model", "gpt-x", "--base-url", "http://localhost:1/v1", "--api-key-env", "NO_SUCH"], "NO_SUCH"),
        (["--model", "gpt-x", "--base-url", "http://localhost:1/v1", "--api", "soap"], "chat or responses"),
        (["--model", "noop", "--agent", "two-shot"], "is one-shot meant?"),
        ([], "--model"),
        (["--model", "noop", "--rules", "house"], "'house'"),
        (["--model", "noop", "--world", "atlantis"], "'atlantis'"),
        (["--model", "noop", "--extra-body", "{"], "--extra-body is not JSON"),
        (["--model", "noop", "--extra-body", "[]"], "--extra-body is a JSON object"),
        (["--model", "noop", "--resume", "a", "-o", "b"], "leave --output out"),
        (["--model", "noop", "--resume", "nowhere"], "nowhere is no run"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence_and_leaves_nothing(
    options: list[str], complaint: str, tmp_path: Path
) -> None:
    assert complaint in refuses(run(*options, cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_what_was_answered_once_can_be_run_again(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, "-o", tmp_path / "asked", "--epochs", "2").returncode == 0
    again = f"replay:{tmp_path / 'asked' / 'samples.jsonl'}"
    assert run("--model", again, "--epochs", "2", "-o", tmp_path / "again").returncode == 0
    columns = ("task_id", "epoch", "won", "score", "output_tokens", "failure")
    told = [
        sorted((*(row[name] for name in columns), said(row)) for row in samples(tmp_path / folder))
        for folder in ("asked", "again")
    ]
    assert told[0] == told[1]


def test_a_recording_without_an_answer_leaves_the_task_unmeasured(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "said.jsonl", [{"task_id": name, "answer": ""} for name in TASK_IDS[1:]])
    done = run("--model", f"replay:{tmp_path / 'said.jsonl'}", "-o", tmp_path / "run")
    assert done.returncode == 1
    assert {row["task_id"]: row["status"] for row in samples(tmp_path / "run")} == {
        name: "ok" if name != TASK_IDS[0] else "unmeasured" for name in TASK_IDS
    }
    assert f"said.jsonl has no answer to {TASK_IDS[0]} in epoch 0" in done.stderr


# -- the folder -------------------------------------------------------------------------------------------------------


def test_a_run_has_its_files_and_each_keeps_to_its_schema(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    with Loopback(only("chicken"), some_win, KEY) as server:
        assert ask(server, "--epochs", "2", "--seed", "5", "-o", folder).returncode == 1
    assert set(contents(folder)) == {*("run.json", "tasks.jsonl", "world.json", "calls.jsonl", "samples.jsonl", "lock")}
    manifest = json.loads((folder / "run.json").read_text("utf-8"))
    assert schema_problems(manifest, "run", "run.json") == []
    for name, schema in (("samples", "sample"), ("calls", "call"), ("tasks", "task")):
        rows = read_jsonl(folder / f"{name}.jsonl")
        assert len(rows) == (5 if name == "tasks" else 10)
        assert [problem for row in rows for problem in schema_problems(row, schema, name)] == []


def test_samples_say_what_was_asked_and_what_came_of_it(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, "-o", tmp_path / "run", "--epochs", "2").returncode == 0
    rows = samples(tmp_path / "run")
    assert attempts(rows) == everything(2)
    assert {len(row) for row in rows} == {len(rows[0])}
    for row in rows:
        won = row["task_id"] in (TASK_IDS[0], *TASK_IDS[3:])
        assert (row["won"], row["score"] == 100.0, row["status"]) == (won, won, "ok")
        assert (row["suite"], row["details"]["rules"]) == ("rpg", "standard")
        assert row["group"] == str(to_bracket(row["details"]["difficulty"]))
        assert (row["model"], row["calls"], row["retries"]) == ("m", 1, 0)
        assert row["input_tokens"] > row["cached_tokens"] > 0
        assert row["output_tokens"] > 0
        assert row["cost"] is row["error"] is None
        (reply,) = row["replies"]
        assert (reply["stop"], reply["answer"], reply["tool_calls"]) == ("stop", None, [])
    nested = {name for row in rows for name, value in row.items() if isinstance(value, dict)}
    assert nested == {"details", "events"}


def test_calls_have_what_was_sent_and_what_came_back(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, "-o", tmp_path / "run").returncode == 0
    sent = {record.key: record.body["messages"] for record in server.records()}
    kept = calls(tmp_path / "run")
    assert attempts(kept) == everything()
    for row in kept:
        (key,) = (key for key, messages in sent.items() if messages == row["messages"])
        assert row["reply"]["text"] == some_win(key)
        assert (row["call"], row["error"], row["retries"]) == (0, None, [])


def test_an_attempt_without_a_reply_has_no_score_and_says_why(tmp_path: Path) -> None:
    with Loopback(only("chicken"), some_win, KEY) as server:
        assert ask(server, "-o", tmp_path / "run").returncode == 1
    (row,) = (row for row in samples(tmp_path / "run") if row["status"] != "ok")
    assert (row["task_id"], row["status"], row["error"]["kind"]) == (TASK_IDS[1], "unmeasured", "refused")
    assert row["error"]["status"] == 400
    for name in ("won", "score", "progress", "output_tokens", "replies", "events", "failure", "cost"):
        assert row[name] is None, name
    assert (row["details"]["reward"], row["details"]["target"]) == (None, "chicken")
    (call,) = (call for call in calls(tmp_path / "run") if call["task_id"] == TASK_IDS[1])
    assert (call["reply"], call["error"]) == (None, row["error"])


def test_run_json_says_where_the_run_comes_from(tmp_path: Path, server: Loopback) -> None:
    options = ("--temperature", "0.5", "--seed", "7", "--extra-body", '{"top_k": 3}', "--rules", "paper-late")
    assert ask(server, *options, "-o", tmp_path / "run", "--max-connections", "3", "--jobs", "1").returncode == 0
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    config = manifest["config"]
    assert (config["suite"], config["dataset"], config["task_count"], config["epochs"]) == ("rpg", "tasks", 5, 1)
    assert (config["model"], config["base_url"], config["agent"]) == ("m", server.url, "one-shot")
    assert config["identity"].keys() == {"world", "world_code", "rules", "prompts"}
    assert (config["identity"]["rules"], manifest["conduct"]["options"]) == ("paper-late", {"rules": "paper-late"})
    assert manifest["files"] == ["world.json"]
    sampling = config["sampling"]
    assert (sampling["temperature"], sampling["seed"], sampling["extra_body"]) == (0.5, 7, {"top_k": 3})
    assert sampling["top_p"] is None
    assert (manifest["conduct"]["connections"], manifest["conduct"]["jobs"]) == (3, 1)
    assert manifest["served"] == ["m"]
    assert manifest["totals"] | {"wins": 0} == {
        "total": 5,
        "measured": 5,
        "wins": 0,
        "unmeasured": 0,
        "owed": 0,
        "cost": None,
    }
    (session,) = manifest["sessions"]
    assert session["argv"][1:4] == ["run", "--tasks", str(TASKS)]
    assert (session["ended"], session["started"] < session["finished"]) == ("done", True)
    assert session["packages"]["openai"]


def test_a_name_of_a_model_is_made_fit_for_a_folder(tmp_path: Path, server: Loopback) -> None:
    model = "org/../a model:" + "x" * 300
    assert run("--model", model, "--base-url", server.url, cwd=tmp_path).returncode == 0
    (folder,) = (tmp_path / "runs").iterdir()
    assert re.fullmatch(r"tasks--org-\.\.-a-model-x+--[0-9a-f]{8}", folder.name)
    assert json.loads((folder / "run.json").read_text("utf-8"))["config"]["model"] == model


# -- nothing secret ---------------------------------------------------------------------------------------------------


def nowhere(secret: str, folder: Path, *printed: str) -> None:
    """Fail where a secret can be read."""
    assert not [text for text in printed if secret in text]
    assert not [name for name, content in contents(folder).items() if secret.encode() in content]


@pytest.mark.parametrize(
    ("kind", "variable"), [("unauthorized", "OPENAI_API_KEY"), ("forbidden", "OTHER_KEY"), ("ok", "OTHER_KEY")]
)
def test_the_key_is_sent_and_told_nobody_whatever_the_server_says(
    kind: str, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, SECRET)
    own = ["--api-key-env", variable] if variable != "OPENAI_API_KEY" else []
    with Loopback({"default": kind}, key=KEY) as server:
        done = ask(server, "-o", tmp_path / "run", "--max-retries", "0", *own)
        assert {record.authorization for record in server.records()} == {f"Bearer {SECRET}"}
    assert done.returncode == (0 if kind == "ok" else 1)
    nowhere(SECRET, tmp_path, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "options",
    [
        ["--extra-body", f'{{"api_key": "{SECRET}"}}'],
        [f'--extra-body={{"api_key": "{SECRET}"}}'],
        ["--extra-body", f'{{"see": "http://a.b/c", "deep": [{{"Password": "{SECRET}"}}]}}'],
        ["--base-url", f"http://user:{SECRET}@HOST/v1"],
        [f"--base-url=http://user:{SECRET}@HOST/v1"],
        [f"--base-url=http://user:{SECRET}@HOST/v1?version=1"],
    ],
)
def test_what_is_secret_on_the_command_line_is_told_nobody(
    options: list[str], tmp_path: Path, server: Loopback
) -> None:
    host = server.url.removeprefix("http://").removesuffix("/v1")
    said = [option.replace("HOST", host) for option in options]
    url = [] if "HOST" in "".join(options) else ["--base-url", server.url]
    dry = run("--model", "m", *url, *said, "--dry-run", cwd=tmp_path)
    assert dry.returncode == 0, dry.stderr
    done = run("--model", "m", *url, *said, "-o", tmp_path / "run", "--max-retries", "0")
    assert (tmp_path / "run" / "run.json").exists(), done
    nowhere(SECRET, tmp_path, dry.stdout, dry.stderr, done.stdout, done.stderr)


def test_the_key_under_a_harmless_name_in_the_request_is_told_nobody(
    tmp_path: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    done = ask(server, "--extra-body", json.dumps({"user": SECRET}), "-o", tmp_path / "run")
    nowhere(SECRET, tmp_path, done.stdout, done.stderr)


def test_what_was_secret_has_to_be_given_again(tmp_path: Path) -> None:
    secret = ("--extra-body", json.dumps({"api_key": SECRET, "top_k": 3}))
    with Loopback(only("chicken"), some_win, KEY) as server:
        assert ask(server, *secret, "-o", tmp_path / "run").returncode == 1
        before = contents(tmp_path)
        assert "was not kept: give it again" in refuses(resume(tmp_path / "run"))
        assert contents(tmp_path) == before
        server.play({})
        server.reset()
        done = resume(tmp_path / "run", *secret)
        assert done.returncode == 0, done.stderr
        assert [(record.key, record.body["api_key"]) for record in server.records()] == [("chicken", SECRET)]
    nowhere(SECRET, tmp_path, done.stdout, done.stderr)


# -- which tasks ------------------------------------------------------------------------------------------------------


def chosen(folder: Path, *options: str | Path) -> list[str]:
    """The tasks of a run, as its folder has them; all of them are done."""
    done = run("--model", "noop", "--jobs", "1", *options, "-o", folder)
    assert done.returncode == 0, done.stderr
    ids = [row["id"] for row in read_jsonl(folder / "tasks.jsonl")]
    assert set(attempts(samples(folder))) == {(task_id, 0) for task_id in ids}
    return ids


def test_a_difficulty_is_chosen(tmp_path: Path) -> None:
    ids = chosen(tmp_path / "run", "--dataset", "base", "--difficulty", "2,4-5")
    assert [name.partition("/")[0] for name in ids] == ["2"] * 20 + ["4"] * 20 + ["5"] * 20


def test_another_dataset_is_chosen(tmp_path: Path) -> None:
    chosen(tmp_path / "run", "--dataset", "decoys", "--limit", "2")
    assert json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["config"]["dataset"] == "decoys-v2"


def test_tasks_are_mixed_by_a_seed(tmp_path: Path) -> None:
    once, again, other = (
        chosen(tmp_path / name, "--dataset", "base", "--shuffle", seed, "--limit", "9")
        for name, seed in (("once", "1"), ("again", "1"), ("other", "2"))
    )
    assert once == again != other


@for_each(
    ("options", "complaint"),
    [
        (["--task-id", "1/2_Chiken_kill"], "No task fits '1/2_Chiken_kill': the nearest are 1/2_Chicken_kill"),
        (["--task-id", "*", "--task-id", "5/*_kill"], "No task fits '5/*_kill'"),
        (["--difficulty", "9"], "None of the 5 tasks"),
        (["--difficulty", "11"], "There is no difficulty 11"),
        (["--dataset", "basic"], "The dataset 'basic' is not shipped: give one of horizon"),
        (["--dataset", "base", "--tasks", str(TASKS)], "leave one out"),
        (["--tasks", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_a_choice_of_nothing_is_refused(options: list[str], complaint: str, tmp_path: Path) -> None:
    assert complaint in refuses(run("--model", "noop", *options, cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_each_task_is_asked_as_often_as_there_are_epochs_and_none_before_its_turn(
    tmp_path: Path, server: Loopback
) -> None:
    options = ("--epochs", "3", "--seed", "40", "--max-connections", "1")
    assert ask(server, *options, "-o", tmp_path / "run").returncode == 0
    assert attempts(samples(tmp_path / "run")) == everything(3)
    assert [record.body["seed"] for record in server.records()] == [40] * 5 + [41] * 5 + [42] * 5


# -- events -----------------------------------------------------------------------------------------------------------


def test_events_are_json_lines_and_the_last_has_the_counts(tmp_path: Path) -> None:
    patient = {"kind": "rate_limit_ms", "seconds": 0.001}
    script = {"keys": {"copper": [patient, "ok"], "chicken": "bad_request"}}
    (tmp_path / "prices.json").write_text(json.dumps({"m": {"input": 1.0, "output": 1000.0}}), "utf-8")
    with Loopback(script, some_win, KEY) as server:
        done = ask(server, "--json", "-o", tmp_path / "run", "--prices", tmp_path / "prices.json")
    assert done.returncode == 1
    events = [json.loads(line) for line in done.stdout.splitlines()]
    names = [event["event"] for event in events]
    assert (names[0], names[-1]) == ("begin", "end")
    assert sorted(names[1:-1]) == ["retry", *["sample"] * 5]
    counts = {"total": 5, "measured": 4, "wins": 3, "unmeasured": 1, "owed": 1}
    assert {name: events[-1][name] for name in counts} == counts
    assert events[-1]["ended"] == "done"
    assert events[0]["run"] == str(tmp_path / "run")
    told = {event["task_id"]: event for event in events if event["event"] == "sample"}
    for row in samples(tmp_path / "run"):
        event = told[row["task_id"]]
        assert {name: event[name] for name in ("status", "won", "score", "output_tokens", "error", "epoch")} == {
            name: row[name] for name in ("status", "won", "score", "output_tokens", "error", "epoch")
        }
    (retry,) = (event for event in events if event["event"] == "retry")
    assert (retry["task_id"], retry["kind"], retry["status"]) == (TASK_IDS[0], "rate_limit", 429)
    spent = sum(row["cost"] or 0.0 for row in samples(tmp_path / "run"))
    assert events[-1]["cost"] == pytest.approx(spent)
    assert json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["totals"]["cost"] == pytest.approx(spent)


def test_an_event_of_a_sample_has_the_cost_of_the_sample(tmp_path: Path, server: Loopback) -> None:
    (tmp_path / "prices.json").write_text(json.dumps({"m": {"input": 1.0, "output": 1000.0}}), "utf-8")
    done = ask(server, "--json", "-o", tmp_path / "run", "--prices", tmp_path / "prices.json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    told = {event["task_id"]: event["cost"] for event in events if event["event"] == "sample"}
    assert told == {row["task_id"]: row["cost"] for row in samples(tmp_path / "run")}


# -- a look before it costs -------------------------------------------------------------------------------------------


def test_a_dry_run_shows_what_would_be_asked_and_asks_nothing(tmp_path: Path, server: Loopback) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"input": 1000.0, "output": 2000.0}}), "utf-8")
    options = ("--epochs", "3", "--temperature", "0.25", "--max-tokens", "1000", "--prices", prices)
    done = ask(server, *options, "--dry-run", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (server.counters().requests, list(tmp_path.iterdir())) == (0, [prices])
    told = done.stdout
    assert "Craft Copper (code `copper`)" in told
    whole = json.loads(ask(server, *options, "--dry-run", "--json", cwd=tmp_path).stdout)["prompt"].splitlines()
    shown = told.splitlines()
    assert (shown[:10], shown[13:23]) == (whole[:10], whole[-10:])
    assert shown[11] == f"[{len(whole) - 20} more lines: herobench run --dry-run --json has the whole prompt]"
    facts = [line.split() for line in told.splitlines()]
    for fact in (["model", "m"], ["temperature", "0.25"], ["epochs", "3"], ["base_url", server.url]):
        assert fact in facts
    assert f"The prompt above is for {TASK_IDS[0]}." in told
    words = " ".join(told.split())
    found = re.search(
        r"15 attempts, 15 calls of the model, about (\S+) tokens of prompts, (\S+) to (\S+) in the ", words
    )
    assert found, told
    tokens, least, most = (float(figure.replace(",", "")) for figure in found.groups())
    assert ask(server, "-o", tmp_path / "run").returncode == 0
    sent = sum(len(record.body["messages"][0]["content"]) for record in server.records()) * 3
    assert tokens == pytest.approx(sent / 4, abs=1)
    assert least == pytest.approx(tokens / 1000, abs=0.01)
    assert most == pytest.approx(least + 15 * 1000 * 2000 / 1_000_000, abs=0.011)


@pytest.mark.parametrize(
    ("options", "agent", "mode", "lane", "tokens"),
    [
        ((), "one-shot", "plan", "code", "about"),
        (("--feedback", "on", "--attempt-calls", "7"), "one-shot", "feedback", "feedback", "at least"),
        (("--agent", "tools"), "tools", "tools", "tools", "at least"),
        (("--agent", "best-of:3"), "best-of:3", "plan", "code", "at least"),
        (("--agent", "a1"), "a1", "plan", "code", "at least"),
    ],
)
def test_a_dry_run_shows_the_agent_the_mode_and_the_lane(
    options: tuple[str, ...], agent: str, mode: str, lane: str, tokens: str, server: Loopback
) -> None:
    done = ask(server, *options, "--dry-run")
    facts = [line.split() for line in done.stdout.splitlines()]
    assert ["agent", agent] in facts
    assert ["mode", mode] in facts
    assert ["lane", lane] in facts
    assert (["attempt_calls", "7"] in facts) == (mode == "feedback")
    calls = "at least 5" if tokens == "at least" else "5"
    assert f"5 tasks, 5 attempts, {calls} calls of the model, {tokens} " in " ".join(done.stdout.split())
    assert "the cost is not known without --prices FILE." in " ".join(done.stdout.split())
    assert ("Its later questions depend on the replies" in done.stdout) == (tokens == "at least")
    assert done.stdout.startswith("You are the decomposer") == (agent == "a1")
    assert server.counters().requests == 0


def test_a_dry_run_of_a_run_shows_how_it_was_begun(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, "--temperature", "0.25", "-o", tmp_path / "run").returncode == 0
    before = contents(tmp_path)
    done = resume(tmp_path / "run", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert ["temperature", "0.25"] in [line.split() for line in done.stdout.splitlines()]
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("prices", "complaint"),
    [
        (None, "A cost limit needs the model's price: give --prices FILE."),
        ('{"other": {"input": 1, "output": 1}}', "has none for m"),
        ('{"m": {"input": 1}}', "prices.json"),
        ("{", "prices.json"),
    ],
)
def test_a_cost_limit_without_a_price_is_refused(
    prices: str | None, complaint: str, tmp_path: Path, server: Loopback
) -> None:
    file = tmp_path / "prices.json"
    if prices is not None:
        file.write_text(prices, "utf-8")
    told: list[str | Path] = ["--prices", file] if prices is not None else []
    said = refuses(ask(server, "--cost-limit", "1", *told, "-o", tmp_path / "run"))
    assert complaint in said
    assert server.counters().requests == 0
    assert not (tmp_path / "run").exists()


def test_a_cost_limit_ends_the_run_and_a_higher_one_goes_on(tmp_path: Path, server: Loopback) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"input": 1000.0, "output": 0.0}}), "utf-8")
    done = ask(server, "--cost-limit", "7", "--prices", prices, "-o", tmp_path / "run")
    asked = server.counters().requests
    assert done.returncode == 1
    assert 0 < asked < 5
    assert statuses(tmp_path / "run") == {"ok": asked}
    assert "could exceed 7" in done.stderr
    assert f"herobench run --resume {tmp_path / 'run'}" in done.stderr
    spent = sum(row["cost"] for row in samples(tmp_path / "run"))
    assert spent < 7
    on = resume(tmp_path / "run", "--cost-limit", "70")
    assert on.returncode == 0, on.stderr
    assert server.counters().requests == 5
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert [session["ended"] for session in manifest["sessions"]] == ["cost", "done"]
    assert manifest["totals"]["cost"] == pytest.approx(sum(row["cost"] for row in samples(tmp_path / "run")))


# -- a bar to be reached ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bar", "code"), [("60", 0), ("60.1", 3)])
def test_fewer_wins_than_asked_for_are_told_by_the_exit_code(
    bar: str, code: int, tmp_path: Path, server: Loopback
) -> None:
    done = ask(server, "--fail-under", bar, "-o", tmp_path / "run")
    assert done.returncode == code, done.stderr
    assert attempts(samples(tmp_path / "run")) == everything()


# -- how it ends ------------------------------------------------------------------------------------------------------


def test_what_is_not_measured_is_told_with_the_command_that_tries_it_again(tmp_path: Path) -> None:
    with Loopback(only("chicken"), some_win, KEY) as server:
        done = ask(server, "-o", tmp_path / "a run")
    assert done.returncode == 1
    told = " ".join(done.stdout.split())
    assert "success 75.0 % won" in told
    assert "unmeasured 1 (refused 1); counted as lost, 60.0 % won" in told
    assert f"unmeasured: {TASK_IDS[1]}, epoch 0: " in done.stderr
    assert f"herobench run --resume '{tmp_path / 'a run'}'" in done.stderr.splitlines()[-1]


def test_a_refused_key_ends_the_run_early_and_leaves_the_rest_owed(tmp_path: Path) -> None:
    with Loopback({"default": "unauthorized"}, key=KEY) as server:
        done = ask(server, "--epochs", "10", "--max-connections", "1", "-o", tmp_path / "run")
        assert server.counters().requests == 10
    assert done.returncode == 1
    assert statuses(tmp_path / "run") == {"unmeasured": 10}
    assert "10 attempts in a row failed, the last one so: " in done.stderr
    assert f"herobench run --resume {tmp_path / 'run'}" in done.stderr
    assert ["not", "asked", "40"] in [line.split() for line in done.stdout.splitlines()]
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert (manifest["sessions"][0]["ended"], manifest["totals"]["owed"]) == ("hopeless", 50)


def test_of_many_that_are_not_measured_ten_are_named(tmp_path: Path) -> None:
    with Loopback({"default": "context"}, key=KEY) as server:
        done = ask(server, "--epochs", "5", "-o", tmp_path / "run")
    lines = done.stderr.splitlines()
    assert sum(line.startswith("unmeasured: ") for line in lines) == 10
    assert "only counted" in lines[10]
    assert "unmeasured 25 (context 25)" in " ".join(done.stdout.split())


def test_the_ending_can_be_read_on_a_narrow_terminal(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 20) / "run"
    done = herobench("run", "--model", "noop", "--tasks", TASKS, "-o", folder, columns=60)
    lines = done.stdout.splitlines()
    assert max(map(len, lines[:-1])) <= 60
    assert lines[-1].split() == ["run", str(folder)]


@for_each(
    ("tracks", "words"),
    [
        (["program", "program"], "track: program"),
        (["straight", "straight"], "track: straight"),
        (
            ["straight", "program"],
            "tracks: program and straight, added up here; herobench analyze shows them apart",
        ),
    ],
)
def test_the_figures_at_the_end_name_the_track_of_the_plans(tracks: list[str], words: str, tmp_path: Path) -> None:
    rows = [
        {**row, "mechanics": {**row["mechanics"], "plan": track}}
        for row, track in zip(read_jsonl(TASKS), tracks, strict=False)
    ]
    tasks = write_jsonl(tmp_path / "two.jsonl", rows)
    done = herobench("run", "--model", "noop", "--tasks", tasks, "-o", tmp_path / "run", columns=300)
    assert done.stdout.splitlines()[0] == f"noop on two under standard rules, lane: solver, {words}, mode: plan"
    assert json.loads((tmp_path / "run" / "run.json").read_text())["lanes"] == ["solver"]
    again = herobench("score", tmp_path / "run", "-o", tmp_path / "scored.jsonl", columns=300)
    assert again.stdout.splitlines()[0] == f"{tmp_path / 'run'} under standard rules, lane: solver, {words}, mode: plan"


@pytest.mark.slow
def test_whoever_stops_listening_to_the_events_ends_the_run_without_a_word_of_the_disk(
    tmp_path: Path, server: Loopback
) -> None:
    server.hold()
    with start_asking(server, "--json", "-o", tmp_path / "run") as process:
        assert process.stdout
        assert process.stderr
        assert "begin" in process.stdout.readline()
        process.stdout.close()
        server.release()
        said = process.stderr.read()
        process.wait(30)
    assert "Traceback" not in said
    assert "Cannot write" not in said
    assert resume(tmp_path / "run").returncode == 0
    assert attempts(samples(tmp_path / "run")) == everything()
