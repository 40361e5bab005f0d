"""`herobench run`: what it reads, prints and exits with. tests/runs has what becomes of a run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from herobench.cli.run_view import rate_text
from herobench.task_gen.rpg.datasets import dataset_path
from tests.cli.running import (
    KEY,
    TASK_IDS,
    TASKS,
    ask,
    attempts,
    contents,
    everything,
    only,
    resume,
    run,
    samples,
    some_win,
    start_asking,
    statuses,
)
from tests.golden import Golden
from tests.loopback import Loopback
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import THOROUGH, for_each, many

SECRET = "sk-loopback-0123456789abcdef"


@pytest.fixture
def server() -> Iterator[Loopback]:
    """A server whose model wins three of the five example tasks."""
    with Loopback(answers=some_win, key=KEY) as loopback:
        yield loopback


# -- players that need no server --------------------------------------------------------------------------------------


def test_the_oracle_wins_all_of_the_suites_own_dataset(tmp_path: Path) -> None:
    count = many(180, 27)
    done = herobench(
        "run", "--suite", "rpg", "--model", "oracle", *([] if THOROUGH else ["--limit", str(count)]), cwd=tmp_path
    )
    cut = "" if THOROUGH else "--limit leaves out 7 of 9 groups, such as 9: --shuffle 1 draws from all.\n"
    assert (done.returncode, done.stderr) == (0, cut)
    (folder,) = (tmp_path / "runs").iterdir()
    assert re.fullmatch(r"base-v2--oracle--[0-9a-f]{8}", folder.name)
    rows = samples(folder)
    assert [(row["won"], row["score"], row["status"]) for row in rows] == [(True, 100.0, "ok")] * count
    assert len(attempts(rows)) == count
    words = done.stdout.split()
    assert " ".join(words[:12]) == "oracle on base-v2 under standard rules, help: solver, track: program, mode: plan"
    assert f"runs/{folder.name}" in words


@for_each(
    ("straight", "of", "tracks"),
    [
        (0, 40, "track: program"),
        (39, 39, "track: straight"),
        (1, 40, "tracks: program and straight, added up here; herobench analyze shows them apart"),
    ],
)
def test_a_run_ends_with_its_track_and_the_horizon_that_analyze_shows(
    straight: int, of: int, tracks: str, tmp_path: Path
) -> None:
    """Forty tasks of one track have a horizon."""
    rows = read_jsonl(Path(str(dataset_path("base"))))[:of]
    for row in rows[:straight]:
        row["mechanics"]["plan"] = "straight"
    tasks = write_jsonl(tmp_path / "some.jsonl", rows)
    done = herobench("run", "--model", "noop", "--tasks", tasks, "-o", tmp_path / "run", columns=300)
    title = f"under standard rules, help: solver, {tracks}, mode: plan"
    assert (done.stdout.splitlines()[0], done.stderr) == (f"noop on some {title}", "")
    told, analyzed = (
        {words[0]: words[1] for line in text.splitlines() if len(words := re.split(r"\s{2,}", line, maxsplit=1)) == 2}
        for text in (done.stdout, herobench("analyze", tmp_path / "run", columns=300).stdout)
    )
    if (of, straight) == (40, 0):
        assert told["horizon"].startswith("below the range: nothing was won: ")
        assert (analyzed["horizon"], analyzed["lengths"]) == (told["horizon"], told["lengths"])
    else:
        assert "horizon" not in told
    again = herobench("score", tmp_path / "run", "-o", tmp_path / "scored.jsonl", columns=300)
    assert again.stdout.splitlines()[0] == f"{tmp_path / 'run'} {title}"


def test_a_difficulty_means_the_suite_whose_groups_are_brackets(tmp_path: Path) -> None:
    few = ("run", "--model", "noop", "--difficulty", "9", "--limit", "21", "--jobs", "1")
    done = herobench(*few, "--difficulty", "2,4-5", "-o", tmp_path / "run")
    cut = "--limit leaves out 1 of 3 groups, such as 5: --shuffle 1 draws from all.\n"
    assert (done.returncode, done.stderr) == (0, cut)
    assert [row["id"][0] for row in read_jsonl(tmp_path / "run" / "tasks.jsonl")] == ["2"] * 20 + ["4"]
    for choice in ([], ["--dataset", "leveling"], ["--tasks", TASKS, "--difficulty", "1"]):
        assert herobench(*few, *choice, "--dry-run").stderr == ""


SERVED = "--model gpt-x --base-url http://localhost:1/v1"
REFUSED = [
    *("", "--model oracle:best", "--model shortcut:long", "--model greedy --seed 0 --max-tokens 9", "--model gpt-x"),
    *("--model replay:nowhere.jsonl", "--model gpt-x --base-url localhost:8000", f"{SERVED} --api-key-env NO_SUCH"),
    *(f"{SERVED} --api soap", "--model noop --agent two-shot", "--model noop --agent best-of:0"),
    *("--model noop --world atlantis", "--model noop --extra-body {"),
    *("--model noop --extra-body []", "--model noop --resume a -o b", "--model noop --resume nowhere"),
    *("--model noop --task-id 1/2_Chiken_kill", "--model noop --difficulty 9"),
    *(
        "--model noop --tasks nowhere.jsonl",
        "--model noop --attempt-cost 0",
        "--suite treasure --dataset x --set lane=all",
    ),
]


@for_each("words", REFUSED)
def test_what_cannot_be_run_is_refused_in_a_sentence_and_leaves_nothing(
    words: str, tmp_path: Path, golden: Golden, with_toy: None
) -> None:
    golden(run(*words.split(), cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


# -- options and secrets ----------------------------------------------------------------------------------------------


def test_options_reach_the_requests_and_run_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANOTHER_KEY", SECRET)
    asked = '--temperature 0.5 --seed 7 --extra-body {"top_k":3} --no-stream --api-key-env ANOTHER_KEY'.split()
    paced = "--max-connections 3 --rpm 500 --tpm 500000 --max-retries 1 --timeout 50 --jobs 1".split()
    kept = ("--rules", "paper-late", "--epochs", "2", "--attempt-calls", "3")
    with Loopback(only("chicken"), some_win, KEY) as server:
        assert ask(server, *asked, *paced, *kept, "-o", tmp_path / "run").returncode == 1
        (body,) = [record.body for record in server.records() if record.key == "copper" and record.body["seed"] == 8]
        assert {record.authorization for record in server.records()} == {f"Bearer {SECRET}"}
    assert (body["temperature"], body["top_k"], "stream" in body) == (0.5, 3, False)
    manifest = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    config, conduct = manifest["config"], manifest["conduct"]
    assert (config["dataset"], config["task_count"], config["epochs"], config["model"]) == ("tasks", 5, 2, "m")
    assert (config["identity"]["rules"], conduct["options"]) == ("paper-late", {"rules": "paper-late"})
    sampling = config["sampling"]
    assert (sampling["temperature"], sampling["seed"], sampling["extra_body"]) == (0.5, 7, {"top_k": 3})
    assert (sampling["top_p"], config["limits"]["calls"]) == (None, 3)
    paces = ("connections", "rpm", "tpm", "retries", "timeout", "jobs", "stream", "key_name")
    assert [conduct[name] for name in paces] == [3, 500, 500_000, 1, 50.0, 1, False, "ANOTHER_KEY"]
    (session,) = manifest["sessions"]
    assert session["argv"][1:4] == ["run", "--tasks", str(TASKS)]
    assert session["packages"]["openai"]


@for_each(
    "option",
    [
        f'--extra-body={{"see": "http://a.b/c", "deep": [{{"Password": "{SECRET}"}}]}}',
        f"--base-url=http://user:{SECRET}@HOST/v1?version=1",
    ],
)
def test_what_is_secret_on_the_command_line_is_told_nobody(option: str, tmp_path: Path) -> None:
    with Loopback(answers=some_win, key=KEY) as server:
        said = option.replace("HOST", server.url.removeprefix("http://").removesuffix("/v1"))
        url = [] if "HOST" in option else ["--base-url", server.url]
        dry = run("--model", "m", *url, said, "--dry-run", cwd=tmp_path)
        done = run("--model", "m", *url, said, "-o", tmp_path / "run", "--max-retries", "0")
    assert (dry.returncode, (tmp_path / "run" / "run.json").exists()) == (0, True), (dry, done)
    assert not [text for text in (dry.stdout, dry.stderr, done.stdout, done.stderr) if SECRET in text]
    assert not [name for name, content in contents(tmp_path).items() if SECRET.encode() in content]


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
    assert (events[-1]["ended"], events[0]["run"]) == ("done", str(tmp_path / "run"))
    told = {event["task_id"]: event for event in events if event["event"] == "sample"}
    columns = ("status", "won", "score", "output_tokens", "error", "epoch", "cost")
    for row in samples(tmp_path / "run"):
        assert {name: told[row["task_id"]][name] for name in columns} == {name: row[name] for name in columns}
    (retry,) = (event for event in events if event["event"] == "retry")
    assert (retry["task_id"], retry["kind"], retry["status"]) == (TASK_IDS[0], "rate_limit", 429)
    spent = sum(row["cost"] or 0.0 for row in samples(tmp_path / "run"))
    assert events[-1]["cost"] == pytest.approx(spent)
    assert json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["totals"]["cost"] == pytest.approx(spent)


# -- a look before it costs -------------------------------------------------------------------------------------------


def test_a_dry_run_shows_what_would_be_asked_and_asks_nothing(tmp_path: Path, server: Loopback) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"input": 1000.0, "output": 2000.0}}), "utf-8")
    options = ("--epochs", "3", "--temperature", "0.25", "--max-tokens", "1000", "--prices", prices)
    done = ask(server, *options, "--dry-run", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (server.counters().requests, list(tmp_path.iterdir())) == (0, [prices])
    assert "Craft Copper (code `copper`)" in done.stdout
    told = json.loads(ask(server, *options, "--dry-run", "--json", cwd=tmp_path).stdout)
    whole, shown = told["prompt"].splitlines(), done.stdout.splitlines()
    assert (shown[:10], shown[13:23]) == (whole[:10], whole[-10:])
    assert shown[11] == f"[{len(whole) - 20} more lines: herobench run --dry-run --json has the whole prompt]"
    facts = [line.split() for line in shown]
    for fact in (["model", "m"], ["temperature", "0.25"], ["epochs", "3"], ["base_url", server.url]):
        assert fact in facts
    assert f"The prompt above is for {TASK_IDS[0]}." in done.stdout
    words = " ".join(done.stdout.split())
    found = re.search(
        r"15 attempts, 15 calls of the model, about (\S+) tokens of prompts, (\S+) to (\S+) in the ", words
    )
    assert found, done.stdout
    tokens, least, most = (float(figure.replace(",", "")) for figure in found.groups())
    assert least == pytest.approx(tokens / 1000, abs=0.01)
    assert most == pytest.approx(least + 15 * 1000 * 2000 / 1_000_000, abs=0.011)
    assert ask(server, *options, "-o", tmp_path / "run").returncode == 0
    sent = sum(len(record.body["messages"][0]["content"]) for record in server.records())
    assert tokens == pytest.approx(sent / 4, abs=1)
    again = resume(tmp_path / "run", "--dry-run", "--json")
    assert json.loads(again.stdout) == told


@for_each(
    ("options", "agent", "mode", "help_had", "tokens"),
    [
        ((), "one-shot", "plan", "code", "about"),
        (("--mode", "feedback", "--attempt-calls", "7"), "one-shot", "feedback", "feedback", "at least"),
        (("--agent", "tools"), "tools", "tools", "tools", "at least"),
        (("--agent", "a1"), "a1", "plan", "code", "at least"),
    ],
)
def test_a_dry_run_shows_the_agent_the_mode_and_the_lane(
    options: tuple[str, ...], agent: str, mode: str, help_had: str, tokens: str
) -> None:
    done = run("--model", "m", "--base-url", "http://localhost:1/v1", *options, "--dry-run")
    facts = [line.split() for line in done.stdout.splitlines()]
    assert [fact for fact in (["agent", agent], ["mode", mode], ["help", help_had]) if fact not in facts] == []
    assert (["attempt_calls", "7"] in facts) == (mode == "feedback")
    calls = "at least 5" if tokens == "at least" else "5"
    assert f"5 tasks, 5 attempts, {calls} calls of the model, {tokens} " in " ".join(done.stdout.split())
    assert "the cost is not known without --prices FILE." in " ".join(done.stdout.split())
    assert ("Its later questions depend on the replies" in done.stdout) == (tokens == "at least")
    assert done.stdout.startswith("You are the decomposer") == (agent == "a1")


# -- how it ends ------------------------------------------------------------------------------------------------------


@for_each(("bar", "code"), [("60", 0), ("60.1", 3)])
def test_the_ending_has_the_effort_and_fewer_wins_than_asked_for_are_told_by_the_exit_code(
    bar: str, code: int, tmp_path: Path
) -> None:
    prices = write_jsonl(tmp_path / "prices.json", [{"m": {"input": 1.0, "output": 1000.0}}])
    script = {"keys": {"copper": [{"kind": "rate_limit_ms", "seconds": 0.001}, "ok"]}}
    with Loopback(script, some_win, KEY) as server:
        done = ask(server, "--fail-under", bar, "--prices", prices, "-o", tmp_path / "run")
    assert (done.returncode, "Less than 60.1 % won." in done.stderr) == (code, code == 3)
    assert "\x1b" not in done.stdout + done.stderr, "without a terminal nothing is drawn"
    rows = samples(tmp_path / "run")
    assert attempts(rows) == everything()
    tokens, cost = (sum(row[name] for row in rows) for name in ("output_tokens", "cost"))
    facts = [line.split() for line in done.stdout.splitlines()]
    for fact in ("model m", f"tokens {tokens:,} in this session", "retries 1", f"cost {cost:.4f}"):
        assert fact.split() in facts, done.stdout


def test_what_is_not_measured_is_told_with_the_command_that_tries_it_again(tmp_path: Path) -> None:
    folder = tmp_path / "a run"
    with Loopback(only("chicken"), some_win, KEY) as server:
        done = ask(server, "--fail-under", "90", "-o", folder)
        again = f"herobench run --resume '{folder}'"
        assert (done.returncode, done.stderr.splitlines()[-1].endswith(again)) == (1, True)
        told = " ".join(done.stdout.split())
        assert "success 75.0 % won" in told
        assert "unmeasured 1 (refused 1); counted as lost, 60.0 % won" in told
        assert f"unmeasured: {TASK_IDS[1]}, epoch 0: " in done.stderr
        server.play({})
        server.reset()
        assert (first := resume(folder)).returncode == 0
        assert (first.stderr, len(server.records())) == ("", 1)
        for done in (resume(folder), ask(server, "-o", folder)):
            assert done.returncode == 0
            assert done.stderr == "Nothing was left to do: all 5 attempts were measured in earlier sessions.\n"
        assert len(server.records()) == 1
    assert ["all", "5", "3", "60.0", "%"] in [line.split()[:5] for line in done.stdout.splitlines()]


def test_a_run_that_stops_says_why_and_what_it_did_not_ask(tmp_path: Path, golden: Golden) -> None:
    with Loopback({"default": "unauthorized"}, key=KEY) as server:
        done = ask(server, "--epochs", "10", "--max-connections", "1", "-o", tmp_path / "run")
        golden(done)
        assert server.counters().requests == 10
    assert (done.returncode, statuses(tmp_path / "run")) == (1, {"unmeasured": 10})


def test_a_run_with_another_configuration_is_refused_with_all_differences(tmp_path: Path, golden: Golden) -> None:
    assert run("--model", "noop", "-o", tmp_path / "run").returncode == 0
    before = contents(tmp_path)
    golden(resume(tmp_path / "run", "--model", "oracle", "--epochs", "3", "--attempt-calls", "9"))
    assert contents(tmp_path) == before


def test_of_many_that_are_not_measured_ten_are_named(tmp_path: Path, golden: Golden) -> None:
    with Loopback({"default": ["ok", "context"]}, key=KEY) as server:
        golden(ask(server, "--epochs", "5", "--max-connections", "1", "-o", tmp_path / "run"))


def test_a_run_ends_with_the_words_of_its_suite_and_the_figures_of_analyze(tmp_path: Path) -> None:
    options = ("--suite", "rpg", "--model", "noop", "--task-id", "4/1*", "--limit", "3", "--epochs", "2")
    done = herobench("run", *options, "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.split()]
    assert ["bracket", "answers", "wins", "success", "score", "progress"] in rows
    assert "4" in [row[0] for row in rows]
    (found,) = json.loads(herobench("analyze", tmp_path / "run", "--format", "json").stdout)["runs"]
    low, high = (found["success"][end] for end in ("low", "high"))
    assert f"{found['success']['estimate']:.1f} % won ({low:.0f} to {high:.0f})" in done.stdout
    for words, classes in (("failures", found["failures"]), ("first causes", found["causes"])):
        told = ", ".join(f"{name} {count}" for name, count in classes.items())
        assert (f"{words}: {told}" in done.stdout) == bool(classes), done.stdout


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


@for_each(("rate", "told"), [(2.5, "2.5 a second"), (0.04, "2.4 a minute"), (0.002, "7.2 an hour")])
def test_the_rate_of_a_slow_model_is_told_in_a_unit_that_shows_it(rate: float, told: str) -> None:
    assert rate_text(rate) == told
