"""`--suite` and `--set` of `run` and `score`, and `suites`, with a suite of another package.

tests/suite/test_seam.py has all that such a suite can do.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.task_gen.rpg.players import PLAYERS
from tests.golden import Golden
from tests.packages import install
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each

CODE = '''
    from tests.tiny_suite import TinySuite

    class Stairs(TinySuite):
        """Declares no settings, and so takes all."""
        def __init__(self, setting):
            super().__init__(setting)
            if "broken" in setting.options:
                raise LookupError("no stairs")

    class Flight(Stairs):
        """Takes two turns."""
        def open(self, task_id, epoch):
            attempt, said = super().open(task_id, epoch), []
            def step(reply):
                said.append(reply)
                return None if len(said) > 1 else []
            attempt.step = step
            return attempt

    class Shut(TinySuite):
        def __init__(self, setting):
            raise KeyError("gone")
'''
POINTS = {"stairs": "stairs:Stairs", "flight": "stairs:Flight"}
POINTS |= {"shut": "stairs:Shut", "nothing": "stairs:CODE", "torn": "stairs:Nobody"}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a package that adds four suites, three of which do not work."""
    install(tmp_path / "site", "stairs", f"{CODE}    CODE = None\n", {"herobench.suites": POINTS}, "stairs")
    monkeypatch.syspath_prepend(tmp_path / "site")
    return tmp_path / "site"


REFUSED = [
    *("--suite stars", "--suite torn", "--suite stairs --set goal", "--suite stairs --set =4"),
    *("--suite stairs --rules paper", "--suite stairs --set broken=1", "--suite rpg --set goal=4", "--set rules=house"),
    *("--set mode=chat", "--model oracle --suite stairs", "--suite stairs --tasks mine.jsonl"),
]


@for_each("words", REFUSED)
def test_a_suite_or_a_setting_that_there_is_not_is_refused_in_a_sentence(
    words: str, package: Path, tmp_path: Path, golden: Golden
) -> None:
    model = [] if "--model" in words else ["--model", "echo" if "rpg" not in words and "--suite" in words else "noop"]
    golden(herobench("run", *words.split(), *model, "-o", tmp_path / "run"))
    assert not (tmp_path / "run").exists()


@for_each(
    "words",
    [
        *("run --model noop --tasks base", "play --tasks luck-v1", "tasks show 9/17_Bat_kill"),
        *("run --model noop --dataset horizon-v4 --difficulty 3", "run --model noop --rules paper --regrets off"),
        *("generate --difficulty 9 --regions 8", "generate --difficulty 9 --nonsense"),
    ],
)
def test_what_is_of_another_set_or_suite_is_told_so(words: str, tmp_path: Path, golden: Golden) -> None:
    golden(herobench(*words.split(), cwd=tmp_path))
    assert not [*tmp_path.iterdir()]


@for_each("words", ["run --model noop --tasks base", "play --tasks luck-v1"])
def test_a_folder_with_the_name_of_a_set_is_no_tasks_file(words: str, tmp_path: Path) -> None:
    (tmp_path / words.split()[-1]).mkdir()
    assert "has this name: --dataset" in herobench(*words.split(), cwd=tmp_path).stderr
    assert len([*tmp_path.iterdir()]) == 1


def test_a_limit_that_leaves_out_whole_groups_names_shuffle(tmp_path: Path) -> None:
    run = ("run", "--model", "noop", "--dataset", "horizon-v4", "--limit", "2")
    told = "--limit leaves out 5 of 6 groups, such as 64 regions: --shuffle 1 draws from all."
    assert told in herobench(*run, "-o", tmp_path / "cut").stderr.splitlines()
    for words in (["--shuffle", "1"], ["--task-id", "2/*"]):
        assert "leaves out" not in herobench(*run, *words, "-o", tmp_path / words[1].strip("/*")).stderr


def test_a_run_needs_its_suite_and_settings_of_its_suite(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    run = tmp_path / "run"
    done = herobench("run", "--suite", "stairs", "--model", "echo", "--set", "goal=4", "-o", run)
    assert (done.returncode, done.stderr) == (0, "")
    golden(herobench("score", run, "--set", "goal"), herobench("score", run, "--rules", "paper"))
    monkeypatch.undo()
    for words in (["run", "--resume", run], ["score", run]):
        golden(herobench(*words))


def test_answers_to_any_suite_are_scored_as_samples_that_the_analysis_reads(
    package: Path, tmp_path: Path, golden: Golden
) -> None:
    replies = {"replies": [{"text": "up"}, {"text": "on"}], "model": "m", "output_tokens": 7}
    answers = write_jsonl(tmp_path / "a.jsonl", [{"task_id": "t0", "answer": "up"}, {"task_id": "t1", **replies}])
    for suite in ("stairs", "flight"):
        done = herobench("score", "tiny-v1", answers, "-o", tmp_path / suite, "--suite", suite)
        golden(done, herobench("analyze", tmp_path / suite))
        rows = read_jsonl(tmp_path / suite)
        assert [row["output_tokens"] for row in rows] == [None, 7]
        assert [row["unfinished"] is None for row in rows] == [suite == "stairs", True]
    for tasks in ("none", "none.jsonl", "-"):
        golden(herobench("score", tasks, answers, "-o", tmp_path / "out", "--suite", "stairs"))


def test_settings_of_answers_are_those_that_change_their_scores(tmp_path: Path, golden: Golden) -> None:
    write_jsonl(tmp_path / "answers.jsonl", [])
    words = ("score", "base", tmp_path / "answers.jsonl", "-o", tmp_path / "out.jsonl")
    golden(herobench(*words, "--lane", "steps"))
    by_option, by_setting = (
        herobench(*words, *rules).stdout for rules in (["--rules", "paper-late"], ["--set", "rules=paper-late"])
    )
    assert by_option == by_setting
    assert by_option.startswith("answers.jsonl under paper-late rules")


def test_suites_lists_what_is_installed_and_names_what_is_broken(package: Path) -> None:
    done = herobench("suites", "--json")
    assert done.returncode == 1
    assert sorted(done.stderr.splitlines()) == [
        "'torn' of the package stairs does not load: AttributeError: module 'stairs' has no attribute 'Nobody'",
        "The suite nothing is a NoneType, and has to be a class derived from herobench.suite.Suite.",
        "The suite shut cannot be opened: KeyError: 'gone'",
    ]
    shown = herobench("suites")
    lines = [line.split() for line in shown.stdout.splitlines()]
    assert (shown.returncode, shown.stderr) == (1, done.stderr)
    assert ["journey", "(default)", "horizon-v4"] in [line[:3] for line in lines]
    assert ["rpg", "base-v2", *", ".join(PLAYERS).split(), "180"] in lines
    assert {"rpg", "stairs"} < {line[0] for line in lines if line}
    told = {row["name"]: (row["dataset"], row["tasks"], row["players"]) for row in json.loads(done.stdout)}
    assert told["rpg"] == ("base-v2", 180, list(PLAYERS))
    assert told["stairs"] == ("tiny-v1", 3, ["echo"])


def test_a_broken_suite_does_not_hide_what_the_machine_offers(package: Path) -> None:
    done = herobench("doctor", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["layers"]["resources"] in (True, False)
    assert "'torn' of the package stairs does not load" in done.stderr
