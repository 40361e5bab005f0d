import io

import pytest

from herobench.cli import say
from herobench.cli.table import Screen, print_facts, print_table
from tests.cli.test_visible import EVIL


def screen(*, colours: bool = False) -> tuple[Screen, io.StringIO]:
    """A screen, and what is drawn on it."""
    made, drawn = Screen(), io.StringIO()
    made.file, made.width = drawn, 200
    if colours:
        made._color_system, made._force_terminal = None, True
    return made, drawn


def fit(text: str) -> bool:
    return all(character == "\n" or character.isprintable() for character in text)


SHOWN = "[red]x[/] \\x1b]0;title\\x07\\x1b[2J\\x9b31m\\r\\x08 \\u202egnp.exe\\u200b\\U000e0041\\ud800"


def test_each_text_on_a_screen_is_shown_for_what_it_is() -> None:
    made, drawn = screen()
    made.print(EVIL)
    print_facts(made, {"model": EVIL, f"[b]{EVIL}": "[link=http://a]x[/link] :warning:"})
    print_table(made, [EVIL, "n"], [EVIL], [(EVIL, "[bold]b", "1"), ("two\nlines", "c", EVIL)])
    told = drawn.getvalue()
    assert fit(told)
    assert told.count(SHOWN) == 7
    for text in ("[link=http://a]x[/link] :warning:", "[bold]b", "two\\nlines", f"[b]{SHOWN}"):
        assert text in told


def test_columns_stand_below_each_other_whatever_is_in_their_cells() -> None:
    made, drawn = screen()
    print_table(made, ["a"], ["b"], [("\x1b[31mx", "1"), ("y", "22"), ("\u200b" * 5, "3")])
    rows = [line for line in drawn.getvalue().splitlines() if line.strip()]
    assert len({len(row) for row in rows[2:]}) == 1


def test_a_header_may_have_lines_of_its_own() -> None:
    made, drawn = screen()
    print_table(made, ["one\ntwo"], ["three\nfour"], [("a", "b")])
    assert "\\n" not in drawn.getvalue()
    assert "two" in drawn.getvalue().splitlines()[2]


def test_lines_texts_and_json_are_said_without_what_steers(capsys: pytest.CaptureFixture[str]) -> None:
    say.say(EVIL, "a\nb", err=True)
    assert capsys.readouterr().err == f"{SHOWN}\na\\nb\n"
    say.say_text(f"{EVIL}\n\tb")
    say.say_text("c\n")
    assert capsys.readouterr().out == f"{SHOWN}\n\tb\nc\n"
    say.say_json({"a": "\x1b\x9b\u202eü"}, indent=None)
    assert capsys.readouterr().out == '{"a": "\\u001b\\u009b\\u202eü"}\n'


@pytest.mark.parametrize("terminal", [False, True])
def test_data_is_made_fit_only_for_a_terminal(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr(out, "isatty", lambda: terminal)
    say.write("a,\x1b[31m\n")
    say.write_json('{"a": "\x9b"}\n')
    assert out.getvalue() == ('a,\\x1b[31m\n{"a": "\\u009b"}\n' if terminal else 'a,\x1b[31m\n{"a": "\x9b"}\n')
