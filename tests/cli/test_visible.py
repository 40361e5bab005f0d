import json
import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from herobench.cli.say import visible, visible_json, visible_lines
from tests.sizes import THOROUGH, for_each

EVIL = "[red]x[/] \x1b]0;title\x07\x1b[2J\x9b31m\r\x08 \u202egnp.exe\u200b\U000e0041\ud800"
STEERS = ("Cc", "Cf", "Cs", "Zl", "Zp")
TEXT = st.text(st.characters(exclude_categories=()))


def test_of_all_characters_those_that_steer_or_hide_are_escaped_and_others_are_not() -> None:
    # beyond the second plane nearly all have no name, and the tags of plane 14 are the only ones that steer
    numbers = range(sys.maxunicode + 1) if THOROUGH else (*range(0x20000), *range(0xE0000, 0xE1000))
    characters = [chr(number) for number in numbers]
    for character, shown in zip(characters, map(visible, characters), strict=True):
        category = unicodedata.category(character)
        if category in STEERS:
            assert shown.startswith("\\"), hex(ord(character))
            assert shown.isprintable()
            assert shown.isascii()
        elif shown != character:
            assert category in ("Mn", "Lo", "Cn"), (hex(ord(character)), "is drawn, and must be seen")
    for word in ("Grüße", "日本語", "❤️", "e\u0301", "नमस्ते", "עברית", "│ ━ ☃ 🐉", "C:\\new"):
        assert visible(word) == word


def test_an_escape_is_written_as_python_does() -> None:
    assert visible(EVIL) == (
        "[red]x[/] \\x1b]0;title\\x07\\x1b[2J\\x9b31m\\r\\x08 \\u202egnp.exe\\u200b\\U000e0041\\ud800"
    )


@given(TEXT)
def test_a_line_is_one_line_and_lines_stay_lines(text: str) -> None:
    assert visible(text).splitlines() in ([], [visible(text)])
    assert visible_lines(text).count("\n") == text.count("\n")
    assert visible_lines(text).replace("\n", "\\n").replace("\t", "\\t") == visible(text)
    assert visible(visible(text)) == visible(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(JSON, st.sampled_from([None, 2]))
def test_json_says_the_same_and_nothing_in_it_steers(value: object, indent: int | None) -> None:
    shown = visible_json(json.dumps(value, indent=indent, ensure_ascii=False))
    assert json.loads(shown) == json.loads(json.dumps(value))
    assert visible_lines(shown) == shown
    assert "\t" not in shown


@for_each("text", ["", "a plan", "a\tb\n"])
def test_what_is_fit_stays_as_it_is(text: str) -> None:
    assert visible_lines(text) == visible_json(text) == text
