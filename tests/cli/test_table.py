"""Tables keep what people copy whole, at any width, on a terminal and in a pipe."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from herobench.cli import table
from herobench.cli.table import Screen, plain_console, print_facts, print_table
from tests.cli.running import TASKS
from tests.cli.terminal import Terminal, needs_setsid
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each, some_slow

WIDTHS = (1, 40, 80, 120)
WORDS = st.lists(st.text("abc_/", min_size=1, max_size=30), min_size=1, max_size=6).map(" ".join)


def printed(console: Console) -> list[str]:
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


@pytest.fixture(params=WIDTHS)
def console(request: pytest.FixtureRequest) -> Screen:
    return of_width(request.param)


def of_width(width: int) -> Screen:
    console = Screen(width=width)
    console.file = io.StringIO()
    return console


@given(st.sampled_from(WIDTHS), st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4))
def test_cells_stay_whole_and_those_that_wrap_keep_their_words(width: int, rows: list[tuple[str, str, str]]) -> None:
    console = of_width(width)
    print_table(console, ["name", "goal"], ["figure"], rows, wrapped=["goal"])
    text = "\n".join(printed(console))
    for name, goal, figure in rows:
        assert any(name in line and figure in line for line in printed(console))
        assert set(goal.split()) <= set(text.split())
    assert "…" not in text


@given(st.sampled_from(WIDTHS), WORDS, WORDS)
def test_facts_keep_their_words_and_some_are_whole(width: int, one: str, other: str) -> None:
    console = of_width(width)
    print_facts(console, {"one": one, "none": "", "other": other}, whole=["one"])
    lines = printed(console)
    assert lines[0] == f"one    {one}"
    assert " ".join(" ".join(lines[1:]).split()) == f"other {other}"


def test_a_table_that_fits_is_as_narrow_as_its_cells(console: Screen) -> None:
    print_table(console, ["a"], ["b"], [("x", "1")])
    assert {len(line) for line in printed(console)} == {6}


def test_a_table_wraps_no_more_than_the_console_asks_for() -> None:
    console = of_width(30)
    print_table(console, ["id", "told"], [], [("name", "one two three four five six")], wrapped=["told"])
    assert {len(line) for line in printed(console)} == {30}


def test_a_text_breaks_between_words_alone() -> None:
    console = of_width(10)
    console.print(f"say {'long' * 5} and more words")
    assert printed(console) == ["say", "long" * 5, "and more", "words"]
    console = of_width(10)
    console.print("a name of spaces and so on", soft_wrap=True)
    assert printed(console) == ["a name of spaces and so on"]


@pytest.mark.parametrize(("columns", "width"), [("77", 77), ("", table._ENDLESS), ("wide", table._ENDLESS)])
def test_a_pipe_has_no_width_unless_it_is_given_one(columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert plain_console().width == width


# -- the program ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def odd_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scored file with a long name that has spaces in it, of tasks with long names."""
    folder = tmp_path_factory.mktemp("odd")
    name = "a run with a rather long name of many words, to be copied as it is"
    facts = {"epoch": 0, "outcome": "lose", "score": 0, "kind": "kill", "target": "m" * 50}
    return write_jsonl(folder / f"{name}.jsonl", [{"task_id": f"1/{i}_A b c_kill", **facts} for i in range(3)])


@for_each("columns", [40, 120])
@for_each("words", [["analyze"], ["leaderboard"], ["compare"]])
def test_the_names_of_runs_are_whole(words: list[str], columns: int, odd_run: Path) -> None:
    twice = [odd_run] if words[0] == "compare" else []
    done = herobench(*words, odd_run, *twice, columns=columns)
    assert done.returncode == 0, done.stderr
    assert any(odd_run.stem in line for line in done.stdout.splitlines())


@needs_setsid
@pytest.mark.parametrize("columns", some_slow([40, 80], {40}))
def test_on_a_terminal_too_every_id_is_on_one_line(columns: int) -> None:
    terminal = Terminal("tasks", "list", "--tasks", TASKS, columns=columns)
    assert terminal.end() == 0
    lines = re.sub(r"\x1b\[[\d;]*m", "", terminal.seen.decode()).splitlines()
    for row in read_jsonl(TASKS):
        assert any(line.startswith(f" {row['id']} ") for line in lines)
