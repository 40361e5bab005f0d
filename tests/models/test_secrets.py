"""Secrets are covered, in whatever disguise a server sends them."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from herobench.conversation import Reply, ToolCall
from herobench.models.model import Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.secrets import Disguised, Secrets
from herobench.models.server_errors import shortened
from tests.loopback import Behaviour, Loopback
from tests.loopback.echoes import DISGUISES
from tests.models.asked import CHAT, KEY, Way, ask, every_way, expect_reply, setting
from tests.sizes import for_each, many

ODD_KEY = "sk-Loop_back.s3cret/0+9=A"
PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=60)
TEXT = st.text() | st.text(st.sampled_from('\\%&#;ux0025aek-"\x1b[]m\x9b\x9d \n\u200b'))
NOISE = st.text(
    st.characters(exclude_categories=(), max_codepoint=32)
    | st.sampled_from("\x7f\x85\xa0\xad\u200b\u2028\u202e\ufeffé"),
    max_size=3,
)


def covered(text: str, *secrets: str) -> str:
    return Disguised(secrets or [ODD_KEY]).covered(text, "[key]")


@for_each("disguise", DISGUISES.values())
@for_each("key", [ODD_KEY, "sk-loopback-secret", "0123456789abcdef"])
def test_every_disguise_is_seen_through(disguise: object, key: str) -> None:
    assert callable(disguise)
    said = disguise(key)
    found = covered(f"Who is {said} at all?", key)
    assert re.fullmatch(r"Who is (.{0,40})\[key\](.{0,60}) at all\?", found, re.DOTALL)
    assert disguise(key)[4:-4] not in found


@for_each("name", ["plain", "capitals", "spaces", "line_ends", "json", "percent", "html", "base64"])
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


@for_each("secret", ["", "x", "7letter", "\\n" * 8, "\\" * 9, "&#10;" * 4, "%0a" * 8, "\\x61" * 4, "\u200b" * 9])
def test_what_is_short_or_nothing_when_decoded_hides_nothing_else(secret: str) -> None:
    assert covered("a plan: x, aaaa \\n & 7letter", secret) == "a plan: x, aaaa \\n & 7letter"


@given(TEXT, st.text("ab\\%&#;x41", min_size=8, max_size=12))
def test_what_was_covered_once_is_covered_for_good(text: str, secret: str) -> None:
    once = covered(f"{text}{secret}{text}", secret)
    assert covered(once, secret) == once


def test_all_places_and_all_secrets_are_covered_and_nothing_else() -> None:
    text = f"one {ODD_KEY} two {ODD_KEY.upper()}{ODD_KEY}, other-secret: three"
    assert covered(text, ODD_KEY, "other-secret") == "one [key] two [key][key], [key]: three"


def test_secrets_that_overlap_are_covered_as_one() -> None:
    assert covered("a abcdefghijkl b", "abcdefgh", "efghijkl") == "a [key] b"


CHARACTERS = many(2_000_000, 500_000)
ADVERSARIAL = [
    "a ", "\\", "\\u0041", "%41", "%25", "&amp;", "&#65;", "\x1b[", "\x1b]", "\x9d", "\x9b0;", "\u200bs", ODD_KEY[:-1],
    "s",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", ADVERSARIAL)
def test_no_text_takes_longer_than_its_length_allows(piece: str) -> None:
    """A search that is quadratic in the text would take days for these; the runner's own limit would end it."""
    text = piece * (CHARACTERS // len(piece))
    assert covered(text + ODD_KEY) == f"{text}[key]"


URL = "http://localhost/v1"
PLAN = "move(0, 1)\nfight()  # 100% sure: the EMPTY slot x, none of them, sk-no-key-required, not-needed\n"


def sent(key: str = "none", url: str = URL, body: object = None) -> Secrets:
    return Secrets.sent(key, url, body or {})


# -- what is secret ---------------------------------------------------------------------------------------------------


@for_each(
    "secrets",
    [
        sent("Zx9-the-key"),
        sent(url="http://me:Zx9-the-key@localhost/v1"),
        sent(url="http://me:Zx9%2Dthe-key@localhost/v1"),
        sent(url="http://Zx9-the-key@localhost/v1"),
        sent(url=f"{URL}?version=1&api_key=Zx9-the-key"),
        sent(body={"top_k": 1, "auth": {"more": ["Zx9-the-key"]}}),
        sent(body={"headers": [{"Authorization": "Bearer Zx9-the-key"}]}),
    ],
)
def test_the_key_credentials_in_the_address_and_what_is_named_like_a_secret_are(secrets: Secrets) -> None:
    assert secrets.covered("Who is zx9-THE\n-key?") == "Who is [key]?"
    assert secrets.are_in("Zx9-the-key")
    assert not secrets.are_in("Zx9-the")


def test_what_is_not_named_like_one_is_none() -> None:
    secrets = sent(url="http://localhost/v1?version=2026-01-01", body={"guided_regex": "a long one", "auth": 123456789})
    assert not secrets.are_in("2026-01-01 a long one 123456789 localhost")


@for_each("key", ["x", "EMPTY", "ollama", "lm-studio", "sk-no-key-required", "Not-Needed", "7" * 7])
def test_a_key_that_is_short_or_a_word_for_none_changes_no_reply(key: str) -> None:
    text = f"{PLAN}{key} {key.upper()}"
    assert sent(key).reply(Reply(text, model=key)) == Reply(text, model=key)


def test_every_text_of_a_reply_and_of_a_failure_is_covered_and_all_else_stays() -> None:
    echoed = (ToolCall(KEY, f"n{KEY}", f'{{"{KEY}": 1}}'),)
    reply = Reply(f"a {KEY}", echoed, None, f"b {KEY}", KEY, model=f"m-{KEY}", id=f"{KEY}-7", from_cache=True)
    covered = sent(KEY).reply(reply)
    calls = (ToolCall("[key]", "n[key]", '{"[key]": 1}'),)
    assert covered == Reply("a [key]", calls, None, "b [key]", "[key]", model="m-[key]", id="[key]-7", from_cache=True)
    error = sent(KEY).failure(ModelError(ErrorKind.SERVER, f"c {KEY}", status=500, retry_after=7.0))
    assert (error.kind, error.message, error.status, error.retry_after) == (ErrorKind.SERVER, "c [key]", 500, 7.0)


LONG = "sk-proj-Zx9abcdefghijklmnopqrstuv8Bn4"


@for_each(
    "shown",
    [
        "sk-proj**********8Bn4",
        "sk-proj-****************************8Bn4",
        "sk-...8Bn4",
        "sk-p\u2022\u2022\u2022\u20228Bn4",
        "sk-proj\u2026uv8Bn4",
        "sk-xxxxxxxxxxxx8Bn4",
        "****8Bn4",
        "stuv8Bn4",
        "nopqrstuv8Bn4",
        "STUV\n8BN4",
        LONG[:-1],
        LONG[:20],
        f"{LONG[:30]}xxxx",
        f"{LONG[:22]}.{LONG[23:-1]}",
    ],
)
def test_what_servers_show_of_a_key_is_covered(shown: str) -> None:
    assert sent(LONG).covered(f"Incorrect API key provided: {shown}.") == "Incorrect API key provided: [key]."


@for_each(
    ("key", "text"),
    [
        (LONG, "**bold** and *** and sk-... and 8Bn4 and v8Bn4, xxx8Bn, sk-proj-, sk-proj-Zx9abcdefgh"),
        ("my-own-password", "Tell me the password: *** password"),
        ("Zx9-the-key", "the-key ***"),
        ("none", "****none"),
    ],
)
def test_what_may_stand_in_a_reply_by_chance_is_not(key: str, text: str) -> None:
    assert sent(key).covered(text) == text


def test_a_field_of_the_server_s_own_is_covered_at_every_depth() -> None:
    server_fields = {"a": [{KEY: [f"b {KEY}", 7, None]}]}
    assert sent(KEY).reply(Reply("", server_fields=server_fields)).server_fields == {
        "a": [{"[key]": ["b [key]", 7, None]}]
    }


# -- what servers do --------------------------------------------------------------------------------------------------


def letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isascii() and letter.isalnum())


@every_way
def test_a_server_that_echoes_the_key_in_any_disguise_does_not_make_us_keep_it(way: Way) -> None:
    def script(key: str, attempt: int) -> Behaviour:
        return Behaviour(echo=key)

    with Loopback(script, lambda key: "move(0, 1)") as server:
        replies = map(expect_reply, ask(setting(server.url, way), list(DISGUISES)))
        for disguise, reply in zip(DISGUISES, replies, strict=True):
            said = DISGUISES[disguise](KEY)
            row = json.dumps(reply.as_row(), ensure_ascii=False)
            assert letters(KEY) not in letters(row), disguise
            assert json.dumps(said, ensure_ascii=False)[1:-1] not in row, disguise
            assert reply.text.startswith("move(0, 1)\n# ")
            assert all("[key]" in str(told) for told in (reply.text, reply.reasoning, reply.model, reply.id)), disguise


def test_a_key_that_the_end_of_a_long_message_would_cut_in_two_is_told_in_no_part() -> None:
    for before in range(400, 520):
        error = shortened(sent(KEY).failure(ModelError(ErrorKind.AUTH, f"{'n' * before}{KEY} and more{' no' * 100}")))
        assert KEY[:4] not in error.message
        assert len(error.message) == 500


def test_a_secret_of_the_request_s_body_or_address_is_covered_in_replies_too() -> None:
    sampling = Sampling(extra_body={"provider": {"api_key": "Zx9-the-other"}})
    with Loopback(lambda key, attempt: Behaviour(text="It is Zx9-the-other and Zx9-the-third.")) as server:
        url = server.url.replace("http://", "http://me:Zx9-the-third@")
        (outcome,) = ask(setting(url, CHAT, sampling))
    assert expect_reply(outcome).text == "It is [key] and [key]."
