"""The documentation: pages build without a warning, name files that exist, and are true to their commands."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from herobench.cli.commands import value_in
from herobench.suite.checked import suite_class
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.responses import character
from herobench.suites.rpg.worlds.content import load_world
from herobench.suites.rpg.worlds.task_file import load_tasks
from tests.made_runs import metr_runs
from tests.program import herobench
from tests.reader import ROOT, Reader, alike
from tests.sizes import for_each, some_slow

DOCS = ROOT / "docs"
CONFIGURATION = ROOT / "zensical.toml"
PAGES = sorted(path for path in DOCS.glob("*.md") if not path.name.startswith("_"))
_ELSEWHERE = {"worlds.md", "serve.md", "cluster.md"}
FOLLOWED = [*(path for path in PAGES if path.name not in _ELSEWHERE), ROOT / "CONTRIBUTING.md"]
"""Pages whose commands are run here. The guide to worlds has a test of its own in tests/suites/rpg, pages on servers in
tests/surfaces, the page on clusters in tests/cluster."""

SUITES = entry_points(group="herobench.suites").names
"""A page of a suite begins with its name."""
SLOW = {*"agents analyze checkup exports extend generate horizon index logs recipes repair run training".split()}
"""Pages that take long to follow, besides those of suites."""

_MODULE = re.compile(r"`(\w+\.py)`")
_OF_READERS = ("my_", "near")
"""The beginnings of names of modules that readers write themselves."""
_PATH = re.compile(r"`((?:\.ci|analysis|docs|herobench|prompts|task_gen|tests|world_data)/[\w./-]*)`")
_CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def file_name(path: Path) -> str:
    return path.name


def published_file(folder: Path) -> None:
    """Lay the two files of a published benchmark where the page on scores reads them."""
    world = load_world()
    task = load_tasks(ROOT / "world_data" / "examples" / "tasks.jsonl", world)["1/1_Copper_craft"]
    hero = character(world, Hero(world, task.hero))
    craft = {"item": "Copper", "character": hero, "task_info": {"Resources": [{"code": "copper_ore"}]}}
    write(folder / "tasks.json", {"1": [craft]})
    write(folder / "MODEL_code_logs.json", {"1": {"1_Copper_craft": {"code": "move('Hero', 2, 0)"}}})


def write(path: Path, document: Any) -> None:
    path.write_text(json.dumps(document), "utf-8")


@pytest.mark.parametrize(
    "page",
    some_slow(FOLLOWED, {page for page in FOLLOWED if page.stem in SLOW or page.stem.startswith(tuple(SUITES))}),
    ids=file_name,
)
def test_a_page_is_true_when_followed_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    (tmp_path / "world_data").symlink_to(ROOT / "world_data")
    if page.name == "scoring.md":
        published_file(tmp_path)
    if page.name == "logs.md":
        metr_runs(tmp_path / "runs.jsonl")
    Reader(tmp_path).follow(page.read_text("utf-8"))


def test_each_page_has_run_folders_of_its_own() -> None:
    """A reader of several pages would continue the run of another page without a word."""
    pages_of: dict[str, set[str]] = {}
    for page in (*PAGES, ROOT / "README.md"):
        for name in re.findall(r"^\$ herobench .*-o (runs/\S+)", page.read_text("utf-8"), re.MULTILINE):
            pages_of.setdefault(name, set()).add(page.name)
    assert {name: pages for name, pages in pages_of.items() if len(pages) > 1} == {}


@cache
def show_help(*words: str) -> str:
    done = herobench(*words, "--help", columns=200)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


@for_each("page", [*PAGES, ROOT / "README.md"])
def test_every_option_that_a_page_types_is_one_of_its_command(page: Path) -> None:
    """Most pages are followed by turns; this looks at each one each time."""
    text = page.read_text("utf-8")
    prose_commands = re.findall(r"`herobench ([a-z][^`]*)`", " ".join(_CODE.sub("", text).split()))
    for line in [*re.findall(r"^\$ herobench (.+)$", text, re.MULTILINE), *prose_commands]:
        words = shlex.split(line, comments=True)
        suite = value_in(words, "--suite")
        is_of_a_suite = f" {words[0]} " not in show_help() or suite not in (None, *SUITES)
        if words[0].startswith("-") or "# exit code 2" in line or is_of_a_suite:
            continue  # a suite of the reader's own, or one that is deleted, has options that are not known here
        is_group = "COMMAND [ARGS]" in show_help(words[0]) and len(words) > 1 and not words[1].startswith("-")
        command = words[: 1 + is_group]
        told = show_help(*command, *(("--suite", suite) if suite else ()))
        options = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert {option for option in options if not re.search(rf"(?<!\S){option}(?![\w-])", told)} == set(), line


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the pages and the configuration, to build the site in."""
    pytest.importorskip("zensical", reason="zensical is not installed")
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(CONFIGURATION, tmp_path)
    return tmp_path


def built(site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    return subprocess.run(command, cwd=site, capture_output=True, text=True)


@pytest.mark.slow
def test_the_site_has_every_page_and_asks_no_other_host(site: Path) -> None:
    done = built(site)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {path.stem: path.read_text("utf-8") for path in (site / "site").glob("*.html")}
    assert pages.keys() - {"404"} == {page.stem for page in PAGES}
    for name, text in pages.items():
        assert re.findall(r"<(?:script|img|link)[^>]+(?:src|href)=\"?(https?:[^\"> ]+)", text) == [], name


def test_the_navigation_leads_to_every_page() -> None:
    navigation = tomllib.loads(CONFIGURATION.read_text("utf-8"))["project"]["nav"]
    assert sorted(page for entry in navigation for page in entry.values()) == [page.name for page in PAGES]


@pytest.mark.slow
@pytest.mark.parametrize("link", ["[broken](nowhere.md)", "[broken](run.md#nowhere)"], ids=["page", "anchor"])
def test_a_broken_link_fails_the_build(site: Path, link: str) -> None:
    (site / "docs" / "index.md").write_text(f"# Start\n\n{link}\n", "utf-8")
    assert built(site).returncode != 0


@for_each("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    named = set(_PATH.findall(page.read_text("utf-8")))
    missing = {path for path in named if not (ROOT / path).exists()}
    modules = {name for name in _MODULE.findall(page.read_text("utf-8")) if not name.startswith(_OF_READERS)}
    assert missing | (modules - module_names()) == set()


@cache
def module_names() -> set[str]:
    folders = [folder for folder in ROOT.iterdir() if folder.is_dir() and not folder.name.startswith(".")]
    return {path.name for folder in folders for path in folder.rglob("*.py")}


@for_each("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
def test_lines_of_prose_fit_an_editor_and_blocks_have_a_language(page: Path) -> None:
    text = page.read_text("utf-8")
    assert not [fence for fence in re.findall(r"^```.*$", text, re.MULTILINE)[::2] if fence == "```"]
    prose = [line for line in _CODE.sub("", text).splitlines() if not line.startswith(("|", "![", "    "))]
    assert [line for line in prose if len(line) > 130] == []


def test_the_glossary_has_every_word_with_an_explanation() -> None:
    glossary = (DOCS / "glossary.md").read_text("utf-8")
    words = dict(re.findall(r"^### (.+)\n(.+)$", glossary, re.MULTILINE))
    assert len(words) == glossary.count("\n### ")
    assert words.keys() >= {
        *("Task", "World", "Rules edition", "Bracket", "Knowledge", "Noise", "Decoys", "Leveling", "Gear", "Oracle"),
        *("Minimal winning gear", "Certificate", "Lower bound", "Plan", "Action", "Event", "Episode", "Milestone"),
        *("Reward", "Score", "Progress", "Outcome", "Failure class", "Cause", "Sample", "Attempt", "Epoch", "Run"),
        *("Agent", "Suite", "Reply", "Unmeasured", "Step budget", "Model", "Verdict"),
    }


def test_the_pages_are_few_and_short() -> None:
    pages = [*PAGES, ROOT / "README.md"]
    assert len(PAGES) <= 30
    assert sum(len(page.read_text("utf-8").split()) for page in pages) <= 55_000
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    assert len(changes) <= 120
    assert max(map(len, changes)) <= 130


def test_the_guide_to_extensions_begins_with_a_toy_of_27_lines_of_code() -> None:
    toy = (DOCS / "extend.md").read_text("utf-8").partition("```python\n")[2].partition("```")[0]
    assert len([line for line in toy.splitlines() if line]) <= 27


def test_the_page_of_tools_names_every_suite_and_few_processes() -> None:
    tools = "".join((DOCS / name).read_text("utf-8") for name in ("surfaces.md", "serve.md"))
    assert [suite for suite in SUITES if f"`{suite}`" not in tools] == []
    evaluations = re.findall(r"^[`$ ]*vf-eval .+$", tools, re.MULTILINE)
    assert [line for line in evaluations if " -c " not in line] == []
    assert len(evaluations) == 3


def test_one_list_has_the_lanes_of_every_suite() -> None:
    section = (DOCS / "run.md").read_text("utf-8").split("## What is told: lanes")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (`\w+`(?:, `\w+`)*) \|", section, re.MULTILINE)
    listed = {suite: tuple(re.findall(r"\w+", lanes)) for suite, lanes in rows if suite in SUITES}
    declared = {suite: suite_class(suite).lanes for suite in SUITES}
    assert listed == {suite: lanes for suite, lanes in declared.items() if lanes}


def test_pictures_are_small() -> None:
    pictures = [*(DOCS / "images").glob("*.png")]
    taken = {"report.png", "replay.png", "epochs.png", "people.png", "checkup.png", "checkup-phone.png"}
    assert {path.name for path in pictures} == taken
    assert max(path.stat().st_size for path in pictures) < 300_000


# -- the reader of pages ----------------------------------------------------------------------------------------------


@for_each(
    ("shown", "told", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a\n", False),
        ("\n a  \nb\n", " a\nb\n\n", True),
        ("a\n\nb\n", "a\nb\n", False),
        ("a\nb\nc\n", "a\n...\n", True),
        ("a\nb\nc\n", "...\nc\n", True),
        ("a\nb\nc\n", "...\nb\n", False),
    ],
)
def test_a_line_of_dots_stands_for_anything(shown: str, told: str, same: bool) -> None:
    assert alike(shown, told) == same


@for_each(
    "page",
    [
        "\n\n```console\n$ herobench no-such-command\n```\n",
        "\n\n```console\n$ herobench run --model gpt-5 --no-such-option\n```\n",
        "\n\n```console\n$ herobench schema\n```\n\n```text\nnot what it prints\n```\n",
        "\n\n```console\n$ make nothing-of-the-kind\n```\n",
        "\n\n```console\n$ .venv/bin/python -m pytest tests/nowhere\n```\n",
        "\n\n```console\n$ rm -rf somewhere\n```\n",
        "\n\n```text\nprinted by nothing\n```\n",
        "\n\n```python\nassert False\n```\n",
        "\n\n```sh\nls\n```\n",
        "In a list:\n```console\n$ herobench schema\n```\n",
    ],
)
def test_a_page_that_is_wrong_is_noticed(page: str, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, subprocess.CalledProcessError)):
        Reader(tmp_path).follow(page)


def test_a_command_that_would_ask_a_server_is_a_dry_run(tmp_path: Path) -> None:
    shown = Reader(tmp_path).run("$ herobench run --model some-model --limit 1")
    assert shown is not None
    assert "# A journey" in shown
    assert not (tmp_path / "runs").exists()
