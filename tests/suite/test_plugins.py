"""Small distributions of other people, installed as far as Python can tell: metadata in a folder on the path."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from herobench.suite import plugins
from herobench.suite.refusals import SuiteFault
from tests.golden import Golden
from tests.packages import install
from tests.program import herobench, read_jsonl
from tests.reader import ROOT
from tests.refusals import raises

SUITES, MODELS, AGENTS = "herobench.suites", "herobench.models", "herobench.agents"
OURS = {(SUITES, "rpg"), (MODELS, "openai"), (MODELS, "replay"), (AGENTS, "one-shot")}
TOYS = """
    from herobench.agents.agent import Agent
    from herobench.conversation import Reply

    class Parrot:
        def __init__(self, setting):
            self.word = setting.argument
        async def reply(self, request):
            return Reply(f"{self.word} {len(request.messages)}", stop="stop", model="parrot")
        async def close(self):
            pass

    class Twice(Agent):
        async def play(self, attempt, ask):
            first = await ask(attempt.messages)
            attempt.step(await ask([*attempt.messages, first.as_message()]))
"""
TOY_POINTS = {MODELS: {"parrot": "toys:Parrot"}, AGENTS: {"twice": "toys:Twice"}}


class Broken(NamedTuple):
    code: str
    value: str
    told: str


BROKEN = {
    "raises": Broken("raise RuntimeError('[/bold] no [red]')", "broken:make", "RuntimeError: [/bold] no [red]"),
    "is_no_python": Broken("def", "broken:make", "SyntaxError: "),
    "lacks_a_module": Broken("import nothing_like_it", "broken:make", "ModuleNotFoundError: "),
    "lacks_the_thing": Broken("", "broken:make", "AttributeError: "),
    "is_not_there": Broken("", "nowhere:make", "ModuleNotFoundError: "),
    "says_nothing": Broken("", "", ""),
    "exits": Broken("import sys\nsys.exit(3)", "broken:make", "SystemExit: 3"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where processes look for packages."""
    packages = tmp_path / "packages"
    monkeypatch.setenv("PYTHONPATH", str(packages), prepend=os.pathsep)
    return packages


@pytest.fixture
def toys(folder: Path) -> Path:
    install(folder, "toys-for-herobench", TOYS, TOY_POINTS, "toys")
    return folder


def listed() -> dict[tuple[str, str], dict[str, Any]]:
    done = herobench("plugins", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return {(row["group"], row["name"]): row for row in json.loads(done.stdout)}


def test_what_comes_with_the_package_is_listed_and_loads() -> None:
    found = {(group, name): row["broken"] for (group, name), row in listed().items() if row["package"] == "herobench"}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    groups = {name: points for name, points in declared.items() if name in plugins.GROUPS}
    assert found == {(group, name): None for group, points in groups.items() for name in points}
    assert found.keys() >= OURS
    assert plugins.names(MODELS) == sorted(set(plugins.names(MODELS)))


def test_the_help_says_all_that_is_listed() -> None:
    told = herobench("plugins", "--help").stdout
    assert {group for group, _ in listed()} == set(plugins.GROUPS)
    assert [group for group in plugins.GROUPS if group.removeprefix("herobench.").removesuffix("s") not in told] == []


def test_a_name_that_is_none_is_answered_with_the_nearest_or_all() -> None:
    with raises(SuiteFault.NO_PLUGIN, "relpay", "herobench.models", "is replay meant"):
        plugins.load(MODELS, "relpay")
    with raises(SuiteFault.NO_PLUGIN, "openai", "replay"):
        plugins.load(MODELS, "zzzzzz")
    with raises(SuiteFault.NO_PLUGIN, "x", "herobench.nothing"):
        plugins.load("herobench.nothing", "x")


def test_another_package_adds_a_model_and_an_agent(toys: Path, tmp_path: Path) -> None:
    found = listed()
    assert found.keys() >= OURS
    for added in ((MODELS, "parrot"), (AGENTS, "twice")):
        assert (found[added]["package"], found[added]["broken"]) == ("toys-for-herobench", None)
    run = ("run", "--model", "parrot:polly", "--agent", "twice", "--limit", "1", "--jobs", "1", "-o", tmp_path / "run")
    done = herobench(*run)
    assert done.returncode == 0, done.stderr
    (sample,) = read_jsonl(tmp_path / "run" / "samples.jsonl")
    assert ([reply["text"] for reply in sample["replies"]], sample["calls"]) == (["polly 2"], 2)
    assert sample["model"] == "parrot"


@pytest.mark.parametrize("names", [BROKEN.keys() - {"exits"}, {"exits"}], ids=["all_others", "exits"])
def test_broken_ones_are_named_with_their_packages_and_stop_nobody_else(toys: Path, names: set[str]) -> None:
    for name in names:
        code, value, _ = BROKEN[name]
        install(toys, f"package-{name}", code, {MODELS: {name: value.replace("broken", name)}}, name)
    found = listed()
    assert {name for name, row in found.items() if row["broken"]} == {(MODELS, name) for name in names}
    assert found.keys() >= OURS | {(MODELS, "parrot"), (AGENTS, "twice")}
    for name in names:
        row = found[MODELS, name]
        assert row["package"] == f"package-{name}"
        assert BROKEN[name].told in row["broken"]


@pytest.mark.parametrize("broken", [BROKEN["raises"], BROKEN["exits"]], ids=["raises", "exits"])
def test_who_wants_a_broken_one_is_told_whose_it_is(toys: Path, tmp_path: Path, broken: Broken, golden: Golden) -> None:
    install(toys, "broken-toys", broken.code, {MODELS: {"broken": broken.value}}, "broken")
    golden(herobench("run", "--model", "broken:x", "--limit", "1", "-o", tmp_path / "run"))


def test_the_table_names_each_with_its_package_and_what_is_wrong(toys: Path) -> None:
    code, value, told = BROKEN["raises"]
    install(toys, "broken-toys", code, {MODELS: {"broken": value}}, "broken")
    done = herobench("plugins", columns=120)
    assert done.returncode == 0, done.stderr
    lines = [line.split(maxsplit=3) for line in done.stdout.splitlines()]
    assert [MODELS, "broken", "broken-toys", told] in [[part.strip() for part in line] for line in lines]
    assert [AGENTS, "twice", "toys-for-herobench", "loads"] in [[part.strip() for part in line] for line in lines]


def test_a_package_that_is_installed_while_the_program_runs_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The metadata of packages is read once, until a folder of the path changes."""
    (tmp_path / "packages").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "packages")
    assert "parrot" not in plugins.names(MODELS)
    install(tmp_path / "packages", "toys", TOYS, TOY_POINTS, "toys")
    assert "parrot" in plugins.names(MODELS)
