"""Options: those of a run, which tables declare, and those that several commands share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
from typer.testing import CliRunner

from herobench.cli.commands import Group, read_settings, with_options
from herobench.data.documents import load_schema
from herobench.data.errors import UsageError
from herobench.data.options import Option, options_in, table_schema
from herobench.runs.options import KEPT, ExecutionOptions, RunRequest, run_schema
from tests.golden import Golden
from tests.program import herobench
from tests.sizes import for_each

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Slower(ExecutionOptions):
    """The options of a session, with a new one: all that is needed but for the code that waits."""

    pause: Annotated[
        float, Option("Seconds between two requests.", "pause-between", least=0.5, panel="How it is asked")
    ] = 2.5


def test_a_new_option_is_one_field_of_a_table() -> None:
    heard: list[dict[str, Any]] = []

    @with_options(RunRequest, Slower)
    def run(fields: Mapping[str, Any]) -> None:
        heard.append(dict(fields))

    app = Group()
    app.command()(run)
    told = CliRunner().invoke(app, ["--help"]).output
    assert all(word in told for word in ("--pause-between", "x>=0.5", "Seconds between", "2.5"))
    for words in (["--pause-between", "3", "--rpm", "9"], []):
        assert CliRunner().invoke(app, words).exit_code == 0
    assert heard == [{"pause": 3.0, "rpm": 9}, {}]
    assert CliRunner().invoke(app, ["--pause-between", "0.1"]).exit_code == 2
    assert Slower.from_row({**heard[0]}).as_row()["pause"] == 3.0
    schema = table_schema(Slower)
    assert schema["properties"]["pause"] == {
        "type": "number",
        "minimum": 0.5,
        "description": "Seconds between two requests.",
    }
    assert {"pause", "rpm"} <= {*schema["required"]}


def test_the_schema_of_a_run_has_the_options_that_it_keeps() -> None:
    assert run_schema(load_schema("run")) == load_schema("run"), "python -m herobench.runs.options"


def test_no_two_options_of_a_run_have_one_name_and_the_guide_has_all() -> None:
    flags = [each.name for table in (RunRequest, *KEPT.values()) for each in options_in(table) if each.option]
    assert len({*flags}) == len(flags) == 38
    guide = (ROOT / "docs" / "run.md").read_text("utf-8")
    assert [flag for flag in flags if not re.search(rf"(--|--no-){flag}\b", guide)] == []


@for_each(
    "words", ["--rules paper --set rules=standard", "--set world=mine --world classic", "--set goal=3 --set goal=4"]
)
def test_a_setting_with_two_values_is_refused(words: str, tmp_path: Path, golden: Golden) -> None:
    golden(*(herobench(*command, *words.split()) for command in (("run", "-m", "noop"), ("score", tmp_path))))
    assert list(tmp_path.iterdir()) == []


def test_settings_are_read_up_to_the_first_sign_and_also_twice_alike_is_twice() -> None:
    assert read_settings(["goal=a=b"], {"rules": "paper"}) == {"rules": "paper", "goal": "a=b"}
    with pytest.raises(UsageError, match="The setting rules is given twice, as 'paper' and as 'paper'"):
        read_settings(["rules=paper"], {"rules": "paper"})


@for_each(
    ("command", "meaning"),
    [
        (["run"], "Sent to the model's server for sampling; each epoch adds 1. Tasks stay the same: see --fresh."),
        (["generate"], "Another seed makes other tasks."),
        (["serve"], "Make tasks anew from this seed, in place of a set. No model gets it."),
        (["mcp"], "Make tasks anew from this seed, in place of a set. No model gets it."),
        (["openenv"], "Make tasks anew from this seed, in place of a set. No model gets it."),
    ],
)
def test_each_command_says_what_its_seed_draws(command: list[str], meaning: str) -> None:
    shown = herobench(*command, "--help", columns=300).stdout
    (line,) = (line for line in shown.splitlines() if " --seed " in line)
    assert meaning in line


def test_help_tells_the_bounds_of_numbers_and_how_many_tasks_are_made() -> None:
    lines = [
        line.split() for line in herobench("generate", "--suite", "journey", "--help", columns=300).stdout.splitlines()
    ]
    bounds = {words[1]: words[2] for words in lines if len(words) > 2 and words[1].startswith("--")}
    assert {name: bounds[name] for name in ("--regions", "--width", "--reach")} == {
        "--regions": "2-1000",
        "--width": "1-3",
        "--reach": "1-3",
    }
    assert any("--count" in words and words[-3:-1] == ["[default:", "20]"] for words in lines)


@dataclass(frozen=True, slots=True)
class Bare:
    """Options whose values can be left out."""

    noise: Annotated[str | None, Option("Distractors.", bare="5")] = None
    fresh: Annotated[str | None, Option("Private twins.", bare="random")] = None
    fresh_tasks: Annotated[str | None, Option("A file.")] = None
    count: Annotated[int | None, Option("How many.", short="-m")] = None


@for_each(
    ("words", "meant"),
    [
        ([], {}),
        (["--noise"], {"noise": "5"}),
        (["--noise", "3"], {"noise": "3"}),
        (["--noise=3"], {"noise": "3"}),
        (["--noise", "--count", "3"], {"noise": "5", "count": 3}),
        (["--noise", "-3"], {"noise": "-3"}),
        (["--count", "3", "--noise"], {"count": 3, "noise": "5"}),
        (["--fresh", "-m", "4"], {"fresh": "random", "count": 4}),
        (["--fresh", "7", "--fresh-tasks", "file"], {"fresh": "7", "fresh_tasks": "file"}),
        (["--fresh-tasks", "file", "--fresh=7"], {"fresh_tasks": "file", "fresh": "7"}),
    ],
)
def test_an_option_of_these_needs_no_value(words: list[str], meant: dict[str, Any]) -> None:
    heard: list[dict[str, Any]] = []

    @with_options(Bare)
    def run(fields: Mapping[str, Any]) -> None:
        heard.append(dict(fields))

    app = Group()
    app.command()(run)
    assert CliRunner().invoke(app, words).exit_code == 0
    assert heard == [meant]
