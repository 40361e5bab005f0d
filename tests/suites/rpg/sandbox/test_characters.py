"""A plan is written in the characters of Unicode 14, whatever the database of the Python that reads it."""

from __future__ import annotations

import unicodedata

from herobench.suites.rpg.sandbox.bounds import is_newer, unknown_name
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import printed, recorded

NEWER = ["\U0001df25", "\ua7cb", "\U00031350", "\U00010d4a"]
"""Letters of Unicode 15 and later."""


@for_each("letter", NEWER)
@for_each(
    "plan",
    [
        "{0} = 1",
        "x{0} = 1",
        "def f({0}): pass",
        "print({0})",
        "f({0}=1)",
        "global {0}",
        "try: pass\nexcept KeyError as {0}: pass",
    ],
)
def test_a_newer_character_in_a_name_is_a_syntax_error(plan: str, letter: str) -> None:
    ending = recorded("x = 1\n" + plan.format(letter)).ending
    assert (ending.how, ending.kind) == ("rejected", "syntax")
    assert ending.line in (2, 3)


@for_each("letter", NEWER)
def test_a_newer_character_may_stand_in_texts_and_comments(letter: str) -> None:
    assert printed(f"# {letter}\nx = '{letter}'  # {letter}\nd = {{'{letter}': f'{letter}{{x}}'}}\nprint(d[x])") == (
        f"{letter * 2}\n"
    )


@for_each("name", ["ß", "名前", "µ", "größe", "\U0001d431", "ª"])
def test_letters_that_all_versions_know_may_stand_in_names(name: str) -> None:
    assert printed(f"{name} = 1\nprint({name})") == "1\n"


@for_each(
    ("written", "character"),
    [
        (r"\N{BULLET}", "•"),
        (r"\N{bullet}", "•"),
        (r"\\\N{BULLET}", "\\•"),
        (r"\N{LATIN SMALL LETTER SHARP S}", "ß"),
        (r"\N{CJK UNIFIED IDEOGRAPH-4E00}", "一"),
    ],
)
def test_the_official_names_of_old_characters_work(written: str, character: str) -> None:
    assert printed(f"print('{written}', f'{written}{{1}}')") == f"{character} {character}1\n"


@for_each(
    "written",
    [r"\N{no such character}", r"\N{}", r"\N{NULL}", r"\N{LF}", r"\N{KEYCAP DIGIT ONE}", r"\N{SHAKING FACE}",
     r"\N{CJK UNIFIED IDEOGRAPH-31350}"],
)  # fmt: skip
def test_a_name_that_is_not_that_of_an_old_character_is_a_syntax_error_with_its_line(written: str) -> None:
    for plan in (f"x = 1\ny = '{written}'", f"x = 1\ny = f'{written}{{x}}'"):
        ending = recorded(plan).ending
        assert (ending.how, ending.kind, ending.line) == ("rejected", "syntax", 2)


def test_a_backslash_that_is_escaped_begins_no_name() -> None:
    assert printed(r"print('\\N{x}', '\\\\N{BULLET}')") == "\\N{x} \\\\N{BULLET}\n"
    assert unknown_name(r"'\\N{x}'") is None
    assert unknown_name(r"'\\\N{x}'") is not None


def test_all_characters_this_python_knows_beyond_unicode_14_are_newer() -> None:
    old = unicodedata.unidata_version == "14.0.0"
    known = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs")]
    newer = [character for character in known if is_newer(character)]
    assert (newer == []) == old
    assert is_newer("\u0558")
