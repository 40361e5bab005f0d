from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

from herobench.suite.plugins import GROUPS
from tests.cli.running import TASKS, said, samples
from tests.golden import Golden
from tests.program import Done, herobench, surroundings
from tests.reader import ROOT

MODEL = """
from herobench.conversation import Reply, Usage

class Echo:
    def __init__(self, setting):
        self.words = setting.argument

    async def reply(self, request):
        if self.words == "fail":
            raise RuntimeError("out of order")
        return Reply(self.words, usage=Usage(output=2))

    async def close(self):
        pass
"""
AGENT = """
from herobench.agents.agent import Agent
from herobench.conversation import Message

class Twice(Agent):
    async def play(self, attempt, ask):
        first = await ask(attempt.messages)
        attempt.step(await ask([*attempt.messages, first.as_message(), Message("user", "Sure?")]))
"""
POINTS = """
[herobench.models]
echo = extra_models:Echo
torn = extra_models:Nobody

[herobench.agents]
twice = extra_agents:Twice
"""


@pytest.fixture
def extra(tmp_path: Path) -> Path:
    """A folder with a package that adds models, one of which does not load, and an agent."""
    folder = tmp_path / "site"
    about = folder / "extra_package-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: extra-package\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(POINTS, "utf-8")
    (folder / "extra_models.py").write_text(MODEL, "utf-8")
    (folder / "extra_agents.py").write_text(AGENT, "utf-8")
    return folder


def with_extra(extra: Path, *words: str | Path) -> Done:
    path = os.pathsep.join(filter(None, [str(extra), os.environ.get("PYTHONPATH", "")]))
    return herobench(*words, env={**surroundings(), "PYTHONPATH": path})


def test_what_the_program_brings_itself_loads() -> None:
    done = herobench("plugins", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    own = {(row["group"], row["name"]): row["broken"] for row in found if row["package"] == "herobench"}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    groups = {name: points for name, points in declared.items() if name.startswith("herobench.")}
    del groups["herobench.defaults"]
    assert own == {(group, name): None for group, points in groups.items() for name in points}


def test_a_plugin_that_does_not_load_is_named_with_its_package_and_hinders_nobody(extra: Path) -> None:
    done = with_extra(extra, "plugins", "--json")
    assert done.returncode == 0, done.stderr
    found = {row["name"]: row for row in json.loads(done.stdout)}
    assert (found["echo"]["package"], found["echo"]["broken"]) == ("extra-package", None)
    assert found["torn"]["broken"].startswith("AttributeError: ")
    assert found["replay"]["broken"] is None
    assert found["twice"]["group"] == "herobench.agents"


def test_the_table_can_be_read_on_a_narrow_terminal(extra: Path, golden: Golden) -> None:
    """The golden file leaves out the plugins of the suites: a tree may lack one."""
    done = with_extra(extra, "plugins")
    kinds = ("suites", "readings", "commands", "checkup", "pages")
    lines = [line for line in done.stdout.splitlines() if not line.startswith(tuple(f" herobench.{k}" for k in kinds))]
    golden("\n".join([*lines, done.stderr]))


def test_an_added_model_is_run_with_its_argument(extra: Path, tmp_path: Path) -> None:
    done = with_extra(extra, "run", "--model", "echo:I give up.", "--tasks", TASKS, "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert {(said(row), row["output_tokens"], row["model"]) for row in samples(tmp_path / "run")} == {
        ("I give up.", 2, "echo:I give up.")
    }


def test_an_added_agent_asks_as_often_as_it_likes(extra: Path, tmp_path: Path) -> None:
    options = ("--agent", "twice", "--tasks", TASKS, "-o", tmp_path / "run")
    assert with_extra(extra, "run", "--model", "echo:yes", *options).returncode == 0
    assert {(row["calls"], row["output_tokens"], said(row)) for row in samples(tmp_path / "run")} == {(2, 4, "yes")}


def test_a_model_that_raises_leaves_its_tasks_unmeasured(extra: Path, tmp_path: Path, golden: Golden) -> None:
    golden(with_extra(extra, "run", "--model", "echo:fail", "--tasks", TASKS, "-o", tmp_path / "run"))
    for row in samples(tmp_path / "run"):
        assert (row["status"], row["error"]["kind"]) == ("unmeasured", "player")
        assert row["error"]["message"] == "The model raised RuntimeError: out of order"


def test_a_model_that_does_not_load_is_refused_with_its_package(extra: Path, tmp_path: Path, golden: Golden) -> None:
    golden(with_extra(extra, "run", "--model", "torn:x", "--tasks", TASKS, "-o", tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_the_help_says_all_that_is_listed() -> None:
    told = herobench("plugins", "--help").stdout
    listed = {row["group"] for row in json.loads(herobench("plugins", "--json").stdout)}
    assert listed == set(GROUPS)
    assert [group for group in GROUPS if group.removeprefix("herobench.").removesuffix("s") not in told] == []
