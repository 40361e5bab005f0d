import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from herobench.models.secrets import Disguised
from tests.loopback.echoes import DISGUISES
from tests.sizes import for_each, many

KEY = "sk-Loop_back.s3cret/0+9=A"
PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=60)
TEXT = st.text() | st.text(st.sampled_from('\\%&#;ux0025aek-"\x1b[]m\x9b\x9d \n\u200b'))
NOISE = st.text(
    st.characters(exclude_categories=(), max_codepoint=32)
    | st.sampled_from("\x7f\x85\xa0\xad\u200b\u2028\u202e\ufeffé"),
    max_size=3,
)


def covered(text: str, *secrets: str) -> str:
    return Disguised(secrets or [KEY]).covered(text, "[key]")


@for_each("disguise", DISGUISES.values())
@for_each("key", [KEY, "sk-loopback-secret", "0123456789abcdef"])
def test_every_disguise_is_seen_through(disguise: object, key: str) -> None:
    assert callable(disguise)
    said = disguise(key)
    found = covered(f"Who is {said} at all?", key)
    assert re.fullmatch(r"Who is (.{0,40})\[key\](.{0,60}) at all\?", found, re.DOTALL)
    assert disguise(key)[4:-4] not in found


@pytest.mark.parametrize("name", ["plain", "capitals", "spaces", "line_ends", "json", "percent", "html", "base64"])
def test_a_key_that_looks_like_codes_is_one_all_the_same(name: str) -> None:
    key = "Zm9vYmFy&amp;%41\\n\\u0041"
    assert covered(f"<{DISGUISES[name](key)}>", key).startswith("<[key]")


@given(TEXT, PRINTABLE, TEXT)
def test_nothing_around_a_secret_hides_it(before: str, secret: str, after: str) -> None:
    assert secret not in covered(before + secret + after, secret)


@given(st.data())
def test_nothing_that_cannot_be_seen_between_its_letters_hides_it(data: st.DataObject) -> None:
    secret = data.draw(PRINTABLE)
    said = "".join(letter + data.draw(NOISE) for letter in secret[:-1]) + secret[-1]
    assert covered(f"a {said} b", secret) == "a [key] b"


@given(PRINTABLE, st.integers(1, 4))
def test_codes_in_codes_do_not_hide_it(secret: str, seed: int) -> None:
    codes = (lambda c: f"\\u{ord(c):04x}", lambda c: f"%{ord(c):02x}", lambda c: f"&#{ord(c)};", lambda c: c)
    said = "".join(codes[(number * seed) % 4](letter) for number, letter in enumerate(secret))
    if not set(secret) & set("\\%&"):
        assert covered(f"<{said}>", secret) == "<[key]>"


@given(TEXT)
@example("s k - L o o p_back.s3cret")
@example("%" * 50 + "\\" * 50 + "&#" * 20)
def test_a_text_without_the_secret_is_left_as_it_is(text: str) -> None:
    assert covered(text) == text


@pytest.mark.parametrize(
    "secret", ["", "x", "7letter", "\\n" * 8, "\\" * 9, "&#10;" * 4, "%0a" * 8, "\\x61" * 4, "\u200b" * 9]
)
def test_what_is_short_or_nothing_when_decoded_hides_nothing_else(secret: str) -> None:
    assert covered("a plan: x, aaaa \\n & 7letter", secret) == "a plan: x, aaaa \\n & 7letter"


@given(TEXT, st.text("ab\\%&#;x41", min_size=8, max_size=12))
def test_what_was_covered_once_is_covered_for_good(text: str, secret: str) -> None:
    once = covered(f"{text}{secret}{text}", secret)
    assert covered(once, secret) == once


def test_all_places_and_all_secrets_are_covered_and_nothing_else() -> None:
    text = f"one {KEY} two {KEY.upper()}{KEY}, other-secret: three"
    assert covered(text, KEY, "other-secret") == "one [key] two [key][key], [key]: three"


def test_secrets_that_overlap_are_covered_as_one() -> None:
    assert covered("a abcdefghijkl b", "abcdefgh", "efghijkl") == "a [key] b"


def test_a_secret_in_the_title_of_a_terminal_is_covered() -> None:
    assert covered(f"a\x1b]0;me {KEY}\x07b") == "a\x1b]0;me [key]\x07b"


CHARACTERS = many(2_000_000, 500_000)
ADVERSARIAL = [
    "a ", "\\", "\\u0041", "%41", "%25", "&amp;", "&#65;", "\x1b[", "\x1b]", "\x9d", "\x9b0;", "\u200bs", KEY[:-1], "s",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", ADVERSARIAL)
def test_no_text_takes_longer_than_its_length_allows(piece: str) -> None:
    """A search that is quadratic in the text would take days for these; the runner's own limit would end it."""
    text = piece * (CHARACTERS // len(piece))
    assert covered(text + KEY) == f"{text}[key]"
