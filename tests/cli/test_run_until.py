"""`run --until`: tasks are chosen by the verdicts so far. The same ones are asked whatever comes in between."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from tests.cli.running import samples
from tests.loopback import Behaviour, Kind, Loopback
from tests.packages import install
from tests.program import Done, command, herobench, read_jsonl, surroundings, write_jsonl
from tests.sizes import one_in

CODE = '''
    import json
    from herobench.conversation import Message
    from herobench.suite.contract import Attempt, FreshSuite, Suite, SuiteSetting, TaskInfo, Verdict

    def steps(number):
        return round(4 * 2 ** (number % 120 / 12))

    class Rungs(Suite):
        """Tasks t0 to t119, each longer than the one before. Whoever says that he climbs it wins."""
        name, dataset, length_column = "rungs", "rungs-v1", "steps"
        def __init__(self, setting):
            self.rows = [{"id": f"t{n}", "steps": steps(n)} for n in range(120)]
            if setting.tasks:
                self.rows = list(map(json.loads, setting.tasks.read_text().splitlines()))
        def tasks(self):
            return [TaskInfo(row["id"], None, row) for row in self.rows]
        def open(self, task_id, epoch):
            return Climb(task_id, self.blank(task_id))
        def blank(self, task_id):
            return {"schema": 1, "steps": next(row["steps"] for row in self.rows if row["id"] == task_id)}
        def ladder(self):
            return [steps(n) for n in range(1200)]
        def make(self, seed, numbers):
            more = Rungs(SuiteSetting())
            kept = [row["id"] for row in self.rows]
            # like a world that grows: each row names how many tasks there are
            more.rows = [
                {"id": id, "steps": steps(n) + 1, "seed": seed, "of": len(numbers)} for id, n in numbers.items()
            ]
            assert [id for id in kept if id in numbers] in (kept, []), "what was made stays"
            return FreshSuite(more)

    class Climb(Attempt):
        messages = ()
        def __init__(self, task_id, blank):
            self.messages, self.blank, self.text = [Message("user", f"Task: {task_id}.")], blank, ""
        def step(self, reply):
            self.text = reply.text
        def grade(self):
            won = self.text == "climbed"
            return Verdict(won, 100.0 * won, details=self.blank, failure=None if won else "fell")

    class Flat(Rungs):
        name, length_column = "flat", None
'''
POINTS = {"herobench.suites": {"rungs": "rungs:Rungs", "flat": "rungs:Flat"}}
KEY = r"Task: ([\w/]+)\."
PRICES = {"m": {"input": 1.0, "output": 1.0, "cache_read": 1.0}}


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "packages", "rungs", CODE, POINTS, "rungs")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))


def climbs(key: str) -> str:
    """The answer of a model that climbs about half of the tasks around t60."""
    number = (int(key.removeprefix("made/")) - 1) % 120 if "/" in key else int(key[1:])
    return "climbed" if Random(key).random() < 1 / (1 + 2 ** ((number - 60) / 6)) else "I fell."


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback({}, climbs, KEY) as loopback:
        yield loopback


def ask(server: Loopback, folder: Path, *options: str | Path, until: str = "factor=2") -> Done:
    words = ("--suite", "rungs", "--model", "m", "--base-url", server.url, "--until", until, "-o", folder)
    return herobench("run", *words, *options, columns=200)


def manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "run.json").read_text("utf-8")))


def in_rounds(left: Mapping[str, Any]) -> list[str]:
    """The tasks of all rounds of a run.json."""
    return [task_id for each in left["rounds"] for task_id in each]


def figure(folder: Path) -> Mapping[str, Any]:
    """How the choice of tasks stood at the end of the last session."""
    return dict(manifest(folder)["sessions"][-1]["until"])


def outcome(folder: Path) -> tuple[Any, ...]:
    """The tasks of each round, the figure, and the verdicts."""
    told = {name: value for name, value in figure(folder).items() if name not in ("spent", "whole")}
    won = sorted((row["task_id"], row["epoch"], row["won"]) for row in samples(folder))
    return manifest(folder)["rounds"], told, won


def test_a_run_stops_when_the_interval_is_narrow_enough(tmp_path: Path, server: Loopback) -> None:
    write_jsonl(tmp_path / "prices.json", [PRICES])
    done = ask(server, tmp_path / "run", "--prices", tmp_path / "prices.json")
    assert done.returncode == 0, done.stderr
    left, found = manifest(tmp_path / "run"), figure(tmp_path / "run")
    assert schema_problems(left, "run", "run.json") == []
    assert (found["goal"], found["reason"], found["of"], found["fits"]) == ("factor=2", "factor", 120, True)
    assert found["high"] / found["low"] <= 2
    assert found["low"] / 1.5 < 4 * 2**5 < 1.5 * found["high"], "near the model's"
    assert found["tasks"] == len(samples(tmp_path / "run")) == server.counters().requests < 120
    assert sorted(in_rounds(left)) == sorted(row["task_id"] for row in samples(tmp_path / "run")), "each once"
    assert left["totals"]["total"] == left["totals"]["measured"] == found["tasks"]
    assert found["spent"]["cost"] == pytest.approx(left["totals"]["cost"])
    assert found["spent"]["cost"] < found["whole"]["cost"]
    assert f"{found['tasks']} of 120 tasks" in done.stdout
    assert "the interval spans a factor of" in done.stdout
    assert "all would take about" in done.stdout


def test_a_disturbed_run_asks_the_same_tasks_and_finds_the_same_figure(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, tmp_path / "calm", "--max-connections", "1", until="tasks=24").returncode == 0
    chance = Random(1)
    disturbed = Loopback(
        lambda key, turn: (
            Behaviour(Kind.RATE_LIMIT_SECONDS, seconds=0.01)
            if turn == 1 and key[-1] in "369"
            else Behaviour(delay=chance.uniform(0, 0.02))
        ),
        climbs,
        KEY,
    )
    with disturbed as jittery:
        assert ask(jittery, tmp_path / "jittery", until="tasks=24").returncode == 0
    assert outcome(tmp_path / "jittery") == outcome(tmp_path / "calm")


def torn(whole: Path, folder: Path, rounds: int, lines: int) -> Path:
    """A copy of a run as a kill leaves it: with its first rounds, and some of their calls and samples."""
    shutil.copytree(whole, folder)
    left = manifest(whole)
    left["rounds"], left["totals"] = left["rounds"][:rounds], None
    left["sessions"][-1] |= {"finished": None, "ended": None}
    del left["sessions"][-1]["until"]
    (folder / "run.json").write_text(json.dumps(left), "utf-8")
    for name in ("samples.jsonl", "calls.jsonl"):
        kept = (whole / name).read_bytes().splitlines(keepends=True)
        of_rounds = [line for line in kept if json.loads(line)["task_id"] in in_rounds(left)]
        (folder / name).write_bytes(b"".join(of_rounds[: lines + 2 * (name == "calls.jsonl")]))
    return folder


@pytest.mark.parametrize(("rounds", "lines"), one_in(2, [(1, 5), (1, 0), (3, 24), (3, 20)]))
def test_a_killed_run_resumes_with_the_same_choice(tmp_path: Path, server: Loopback, rounds: int, lines: int) -> None:
    assert ask(server, tmp_path / "whole", "--epochs", "1", until="tasks=32").returncode == 0
    folder = torn(tmp_path / "whole", tmp_path / "torn", rounds, lines)
    kept = len(read_jsonl(folder / "calls.jsonl"))
    server.reset()
    done = herobench("run", "--resume", folder, "--base-url", server.url)
    assert done.returncode == 0, done.stderr
    assert outcome(folder) == outcome(tmp_path / "whole")
    assert server.counters().requests == figure(folder)["tasks"] - kept, "no reply is paid for twice"


def test_a_round_with_a_task_that_the_run_does_not_have_is_told_before_anything_is_asked(
    tmp_path: Path, server: Loopback
) -> None:
    assert ask(server, tmp_path / "whole", until="tasks=16").returncode == 0
    folder = torn(tmp_path / "whole", tmp_path / "torn", 1, 0)
    left = manifest(folder)
    left["rounds"][0][0] = "nope"
    write_jsonl(folder / "run.json", [left])
    server.reset()
    done = herobench("run", "--resume", folder, "--base-url", server.url)
    assert (done.returncode, server.counters().requests) == (2, 0)
    assert "run.json has 'nope' in $.rounds, and the run has no such task" in done.stderr


def test_few_tasks_determine_no_horizon(tmp_path: Path, server: Loopback) -> None:
    done = ask(server, tmp_path / "run", until="tasks=9")
    assert "not determined: 9 tasks are measured, and 40 are needed" in done.stdout


@pytest.mark.kills
def test_a_run_that_is_killed_again_and_again_asks_the_same_tasks(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, tmp_path / "calm").returncode == 0
    server.play({"default": {"kind": "ok", "delay": 0.2}})
    words = ("run", "--suite", "rungs", "--model", "m", "--base-url", server.url, "--until", "factor=2")
    for _ in range(3):
        server.reset()
        # the same command continues the run that is in the folder
        asking = Popen(command(*words, "-o", tmp_path / "run"), stdout=PIPE, stderr=PIPE, env=surroundings())
        with asking as process:
            server.wait_until(lambda now: now.answered > 9, seconds=60)
            process.kill()
            process.communicate()
    server.play({})
    assert herobench("run", "--resume", tmp_path / "run").returncode == 0
    assert outcome(tmp_path / "run") == outcome(tmp_path / "calm")


def test_unmeasured_tasks_are_left_out_and_asked_again(tmp_path: Path, server: Loopback) -> None:
    server.play({"keys": {"t0": "server_error"}})
    done = ask(server, tmp_path / "run", "--max-retries", "0")
    assert done.returncode == 1, "t0 is of the first round"
    before = figure(tmp_path / "run")
    assert (before["reason"], before["tasks"]) == ("factor", len(samples(tmp_path / "run")) - 1)
    server.play({})
    server.reset()
    assert herobench("run", "--resume", tmp_path / "run", "--base-url", server.url).returncode == 0
    assert figure(tmp_path / "run")["tasks"] == before["tasks"] + 1
    assert server.counters().requests == 1


def test_epochs_of_a_task_count_as_one(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, tmp_path / "once", until="tasks=16").returncode == 0
    assert ask(server, tmp_path / "thrice", "--epochs", "3", until="tasks=16").returncode == 0
    assert outcome(tmp_path / "once")[:2] == outcome(tmp_path / "thrice")[:2]
    assert len(samples(tmp_path / "thrice")) == 3 * figure(tmp_path / "once")["tasks"]


def test_a_number_of_tasks_or_a_cost_ends_a_run(tmp_path: Path, server: Loopback) -> None:
    write_jsonl(tmp_path / "prices.json", [PRICES])
    prices = ("--prices", tmp_path / "prices.json")
    assert ask(server, tmp_path / "tasks", until="factor=1.5,tasks=21").returncode == 0
    assert (figure(tmp_path / "tasks")["reason"], figure(tmp_path / "tasks")["tasks"]) == ("tasks", 21)
    assert ask(server, tmp_path / "all", *prices, until="tasks=21").returncode == 0
    spent = figure(tmp_path / "all")["spent"]["cost"]
    assert ask(server, tmp_path / "cost", *prices, until=f"cost={spent:.9f}").returncode == 0
    assert figure(tmp_path / "cost")["reason"] == "cost"
    assert 0.8 * spent <= figure(tmp_path / "cost")["spent"]["cost"] <= 1.1 * spent


def test_a_resumed_run_may_have_a_tighter_goal(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, tmp_path / "run", until="tasks=16").returncode == 0
    assert herobench("run", "--resume", tmp_path / "run", "--until", "tasks=24").returncode == 0
    assert ask(server, tmp_path / "once", until="tasks=24").returncode == 0
    assert outcome(tmp_path / "run") == outcome(tmp_path / "once")


def test_a_server_that_is_down_ends_the_run_soon(tmp_path: Path, server: Loopback) -> None:
    server.play({"default": "unauthorized"})
    done = ask(server, tmp_path / "run", "--max-retries", "0")
    assert done.returncode == 1
    assert server.counters().requests < 40
    assert figure(tmp_path / "run")["reason"] is None


def test_a_dry_run_says_what_three_models_would_be_asked(tmp_path: Path, server: Loopback) -> None:
    write_jsonl(tmp_path / "prices.json", [PRICES])
    prices = ("--prices", tmp_path / "prices.json")
    done = ask(server, tmp_path / "run", *prices, "--dry-run", "--json", until="factor=3")
    told = json.loads(done.stdout)
    assert [row["model"] for row in told["until"]] == ["weak", "middle", "strong"]
    assert all(40 <= row["tasks"] <= 120 for row in told["until"])
    assert all(0 < row["prompt_tokens"] <= told["prompt_tokens"] for row in told["until"])
    few = ask(server, tmp_path / "run", *prices, "--dry-run", until="factor=3,tasks=20")
    assert few.stdout.count("is asked about 20 of them, about") == 3
    assert "a middle model, with a horizon of " in few.stdout
    assert server.counters().requests == 0


def test_a_dry_run_says_what_the_prompts_and_the_replies_cost(tmp_path: Path, server: Loopback) -> None:
    """A token costs 1, so the cost of the prompts is their tokens, and that of 20 replies is 200 at most."""
    write_jsonl(tmp_path / "prices.json", [{"m": {"input": 1e6, "output": 1e6}}])
    words = ("--prices", tmp_path / "prices.json", "--dry-run")
    done = ask(server, tmp_path / "run", *words, until="tasks=20")
    lines = [line for line in done.stdout.splitlines() if line.startswith("Until tasks=20: a ")]
    tokens = [int(re.findall(r"about ([\d,]+) tokens", line)[0].replace(",", "")) for line in lines]
    assert len(tokens) == 3
    priced = " in the currency of the prices"
    least = (f", {count}.00{priced} and what the replies cost." for count in tokens)
    assert all(said in line for said, line in zip(least, lines, strict=True))
    done = ask(server, tmp_path / "run", *words, "--max-tokens", "10", until="tasks=20")
    assert all(f", {count}.00 to {count + 200}.00{priced}." in done.stdout for count in tokens)


def test_a_dry_run_stops_where_the_prompts_alone_reach_the_cost(tmp_path: Path, server: Loopback) -> None:
    write_jsonl(tmp_path / "prices.json", [{"m": {"input": 1e6, "output": 1e6}}])
    words = ("--prices", tmp_path / "prices.json", "--dry-run", "--epochs", "2")
    told = json.loads(ask(server, tmp_path / "run", *words, "--json", until="cost=200").stdout)
    assert all(150 < row["prompt_tokens"] <= 220 and row["tasks"] < 120 for row in told["until"]), told["until"]
    shown = ask(server, tmp_path / "run", *words, until="cost=200").stdout
    assert all(f"is asked at most about {row['tasks']} of them" in shown for row in told["until"])


def test_a_dry_run_says_what_context_the_model_needs(tmp_path: Path, server: Loopback) -> None:
    done = ask(server, tmp_path / "run", "--dry-run", "--json", until="tasks=20")
    told = json.loads(done.stdout)
    assert told["prompt_tokens"] // len(told["tasks"]) <= told["largest_prompt_tokens"] < told["prompt_tokens"]
    shown = ask(server, tmp_path / "run", "--dry-run", "--max-tokens", "1000", until="tasks=20").stdout
    assert f"The largest prompt has about {told['largest_prompt_tokens']:,} tokens: the model's context" in shown
    assert "a reply of at most 1,000." in shown
    assert "longest_answer_tokens" not in told, "nobody knows the answers"


def test_a_dry_run_counts_the_answer_that_wins_the_longest_task_as_context() -> None:
    words = ("run", "--model", "oracle", "--dataset", "base", "--difficulty", "1,9", "--dry-run")
    told = json.loads(herobench(*words, "--json").stdout)
    prompt, answer = told["largest_prompt_tokens"], told["longest_answer_tokens"]
    assert 300 < answer < 1000
    shown = herobench(*words, columns=200).stdout
    assert f"has about {answer:,}, so the tasks need a context of {prompt + answer:,}, and more for thoughts." in shown
    played = json.loads(herobench(*words, "--json", "--mode", "tools").stdout)
    assert "longest_answer_tokens" not in played, "an attempt has many replies"


def test_a_dry_run_says_from_which_length_on_no_answer_fits_into_a_reply() -> None:
    words = ("run", "--model", "oracle", "--dataset", "base", "--difficulty", "1,9", "--dry-run")
    whole = json.loads(herobench(*words, "--json", "--max-tokens", "9000").stdout)
    assert "longest_in_reply" not in whole, "all answers fit"
    most = whole["longest_answer_tokens"] // 2
    told = json.loads(herobench(*words, "--json", "--max-tokens", most).stdout)
    shown = herobench(*words, "--max-tokens", most, columns=200).stdout
    assert (
        f"A reply of at most {most:,} tokens has space for the answer that wins a task of about "
        f"{told['longest_in_reply']:,.0f} decisions, less with thoughts: beyond that, the limit of the output ends the "
        "horizon, and not the model."
    ) in shown


@pytest.mark.slow
def test_a_dry_run_that_makes_tasks_counts_the_longest_that_can_be_made() -> None:
    words = ("run", "--model", "oracle", "--until", "factor=2", "--fresh", "7", "--dry-run", "--json")
    told = json.loads(herobench(*words, "--max-tokens", "60000").stdout)
    assert 4_400 < told["longest_in_reply"] < 10_000
    assert "longest_answer_tokens" not in told, "the longest task is not made yet"


def test_limits_that_are_given_one_by_one_are_joined(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, tmp_path / "run", "--until", "tasks=21", until="factor=1.5").returncode == 0
    assert (figure(tmp_path / "run")["goal"], figure(tmp_path / "run")["tasks"]) == ("factor=1.5,tasks=21", 21)
    twice = ask(server, tmp_path / "twice", "--until", "factor=3", until="factor=2")
    assert (twice.returncode, "--until has factor twice" in twice.stderr) == (2, True)


def test_a_horizon_outside_the_asked_lengths_is_told_as_such(tmp_path: Path) -> None:
    """The run stops at a number of tasks, and not because of the horizon."""
    with Loopback({}, lambda key: "climbed", KEY) as strong:
        done = ask(strong, tmp_path / "run", until="tasks=48,factor=1.2")
    assert done.returncode == 0, done.stderr
    assert figure(tmp_path / "run")["outside"] == "beyond the range"
    assert re.search(r"^horizon +beyond the range; extrapolated ", done.stdout, re.MULTILINE)


@pytest.mark.slow
def test_a_resumed_run_may_ask_all_tasks(tmp_path: Path, server: Loopback) -> None:
    assert ask(server, tmp_path / "run", until="tasks=48").returncode == 0
    server.reset()
    done = herobench("run", "--resume", tmp_path / "run", "--until", "all")
    assert done.returncode == 0, done.stderr
    assert (len(samples(tmp_path / "run")), server.counters().requests) == (120, 72)
    assert "until" not in manifest(tmp_path / "run")["sessions"][-1]
    told = herobench("analyze", tmp_path / "run", columns=300)
    assert "chose its tasks" not in told.stdout + told.stderr


# -- tasks that are made as they are needed ----------------------------------------------------------------------------


def made(server: Loopback, folder: Path, until: str = "factor=2", seed: str = "7") -> Done:
    return ask(server, folder, "--fresh", seed, until=until)


def files(folder: Path) -> tuple[Any, ...]:
    """The tasks that a run keeps, and what run.json says of them."""
    config = manifest(folder)["config"]
    return read_jsonl(folder / "tasks.jsonl"), config["tasks"], config["task_count"], config["fresh"]


def test_a_run_makes_the_tasks_that_it_chooses(tmp_path: Path, server: Loopback) -> None:
    done = made(server, tmp_path / "run")
    assert done.returncode == 0, done.stderr
    left, found = manifest(tmp_path / "run"), figure(tmp_path / "run")
    assert schema_problems(left, "run", "run.json") == []
    tasks = read_jsonl(tmp_path / "run" / "tasks.jsonl")
    assert [row["id"] for row in tasks] == in_rounds(left), "no others are made"
    assert {row["seed"] for row in tasks} == {7}
    assert found["tasks"] == len(tasks) == left["config"]["task_count"] == len(samples(tmp_path / "run"))
    assert (found["reason"], found["of"]) == ("factor", 120)
    assert found["low"] / 1.5 < 4 * 2**5 < 1.5 * found["high"], "near the model's"
    for name in ("short", "again"):
        assert made(server, tmp_path / name, until="tasks=12,longest=50").returncode == 0
    assert (outcome(tmp_path / "again"), files(tmp_path / "again")) == (
        outcome(tmp_path / "short"),
        files(tmp_path / "short"),
    )
    short, found = read_jsonl(tmp_path / "short" / "tasks.jsonl"), figure(tmp_path / "short")
    assert max(row["steps"] for row in short) <= 51, "a task may be a step longer than it was wanted"
    assert (len(short), found["of"], found["goal"]) == (12, 120, "tasks=12,longest=50")
    assert made(server, tmp_path / "other", seed="8", until="tasks=8").returncode == 0
    assert {row["seed"] for row in read_jsonl(tmp_path / "other" / "tasks.jsonl")} == {8}
    for words in (("analyze", tmp_path / "run"), ("score", tmp_path / "run")):
        told = herobench(*words, columns=200)
        assert told.returncode == 0, told.stderr


@pytest.mark.slow
def test_a_resumed_run_makes_the_same_tasks_as_one_that_was_not_stopped(tmp_path: Path, server: Loopback) -> None:
    assert made(server, tmp_path / "once", until="tasks=40").returncode == 0
    assert made(server, tmp_path / "run", until="tasks=24").returncode == 0
    assert herobench("run", "--resume", tmp_path / "run", "--until", "tasks=40").returncode == 0
    assert (outcome(tmp_path / "run"), files(tmp_path / "run")) == (
        outcome(tmp_path / "once"),
        files(tmp_path / "once"),
    )


def test_a_kill_while_the_files_of_a_round_are_written_loses_nothing(tmp_path: Path, server: Loopback) -> None:
    """run.json has a round more than the other files."""
    assert made(server, tmp_path / "once", until="tasks=24").returncode == 0
    assert made(server, tmp_path / "more", until="tasks=16").returncode == 0
    assert made(server, tmp_path / "run", until="tasks=8").returncode == 0
    left = manifest(tmp_path / "more")
    left["totals"] = None
    left["sessions"][-1] |= {"finished": None, "ended": None}
    del left["sessions"][-1]["until"]
    (tmp_path / "run" / "run.json").write_text(json.dumps(left), "utf-8")
    wrong = {**left, "rounds": [*left["rounds"], ["made/1e3"]]}
    shutil.copytree(tmp_path / "run", tmp_path / "wrong")
    (tmp_path / "wrong" / "run.json").write_text(json.dumps(wrong), "utf-8")
    refused = herobench("run", "--resume", tmp_path / "wrong")
    assert (refused.returncode, "'made/1e3' in $.rounds, and no such task" in refused.stderr) == (2, True)
    server.reset()
    done = herobench("run", "--resume", tmp_path / "run", "--until", "tasks=24")
    assert done.returncode == 0, done.stderr
    assert (outcome(tmp_path / "run"), files(tmp_path / "run")) == (
        outcome(tmp_path / "once"),
        files(tmp_path / "once"),
    )
    assert server.counters().requests == 16


@pytest.mark.kills
def test_a_run_that_is_killed_makes_the_same_tasks(tmp_path: Path, server: Loopback) -> None:
    assert made(server, tmp_path / "calm").returncode == 0
    server.play({"default": {"kind": "ok", "delay": 0.2}})
    words = ("--suite", "rungs", "--model", "m", "--base-url", server.url, "--until", "factor=2", "--fresh", "7")
    begin: tuple[str | Path, ...] = ("run", *words, "-o", tmp_path / "run")
    for _ in range(3):
        server.reset()
        asking = Popen(command(*begin), stdout=PIPE, stderr=PIPE, env=surroundings())
        with asking as process:
            server.wait_until(lambda now: now.answered > 9, seconds=60)
            process.kill()
            process.communicate()
        begin = ("run", "--resume", tmp_path / "run")
    server.play({})
    assert herobench("run", "--resume", tmp_path / "run").returncode == 0
    assert (outcome(tmp_path / "run"), files(tmp_path / "run")) == (
        outcome(tmp_path / "calm"),
        files(tmp_path / "calm"),
    )


def test_a_dry_run_makes_the_first_round_only(tmp_path: Path, server: Loopback) -> None:
    done = ask(server, tmp_path / "run", "--fresh", "7", "--dry-run", until="tasks=20")
    assert "This is the first round; more tasks are made as they are needed. 8 tasks, " in done.stdout
    assert done.stdout.count("is asked about 20 tasks, about") == 3


def test_a_run_that_makes_its_tasks_has_no_set_of_all(tmp_path: Path, server: Loopback) -> None:
    assert made(server, tmp_path / "run", until="tasks=8").returncode == 0
    every = herobench("run", "--resume", tmp_path / "run", "--until", "all")
    assert (every.returncode, "give --until a limit" in every.stderr) == (2, True)
    again = made(server, tmp_path / "run", until="tasks=8")
    assert (again.returncode, "herobench run --resume" in again.stderr) == (2, True)
    shard = ask(server, tmp_path / "shard", "--fresh", "7", "--shard", "1/2")
    assert (shard.returncode, "a shard has only its own" in shard.stderr) == (2, True)


def test_a_curve_that_does_not_fit_determines_no_horizon(tmp_path: Path) -> None:
    """The model wins the longer half of the tasks."""
    with Loopback({}, lambda key: "climbed" if int(key[1:]) >= 60 else "I fell.", KEY) as odd:
        done = ask(odd, tmp_path / "run", until="tasks=64")
    assert figure(tmp_path / "run")["fits"] is False
    assert "not determined: success does not fall with length as the curves do" in done.stdout
    assert "decisions (" not in done.stdout


def test_losses_that_were_cut_off_are_told(tmp_path: Path) -> None:
    with Loopback(lambda key, turn: Behaviour(Kind.LENGTH), climbs, KEY) as short:
        done = ask(short, tmp_path / "run", until="tasks=8")
    assert "the limit of the output ended this horizon, and not the model" in done.stdout


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--shard", "1/2"), "a shard has only its own"),
        (("--until", "width=2"), "--until takes a limit such as factor=2"),
        (("--until", "cost=2"), "give --prices FILE"),
        (("--suite", "flat"), "those of the suite flat have none"),
    ],
)
def test_what_cannot_be_chosen_is_refused(
    tmp_path: Path, server: Loopback, options: tuple[str, ...], told: str
) -> None:
    done = ask(server, tmp_path / "run", *options)
    assert done.returncode == 2, done.stderr
    assert told in done.stderr
    assert not (tmp_path / "run").exists()
