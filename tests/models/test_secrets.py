import json

import pytest

from herobench.conversation import Reply, ToolCall
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.sampling import Sampling
from herobench.models.secrets import Secrets
from herobench.models.server_errors import shortened
from tests.loopback import Behaviour, Loopback
from tests.loopback import Kind as Wrong
from tests.loopback.echoes import DISGUISES
from tests.models.asked import CHAT, KEY, Way, ask, every_way, failure_of, reply_of, setting, told
from tests.sizes import for_each

URL = "http://localhost/v1"
PLAN = "move(0, 1)\nfight()  # 100% sure: the EMPTY slot x, none of them, sk-no-key-required, not-needed\n"


def sent(key: str = "none", url: str = URL, body: object = None) -> Secrets:
    return Secrets.sent(key, url, body or {})


# -- what is secret ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("key", ["x", "EMPTY", "ollama", "lm-studio", "sk-no-key-required", "Not-Needed", "7" * 7])
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


def test_an_ordinary_reply_is_the_same_as_without_a_key() -> None:
    reply = Reply(PLAN, reasoning=PLAN, stop="stop", model="m", id="7")
    assert sent(KEY).reply(reply) == reply


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


@pytest.mark.parametrize(
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
        replies = map(reply_of, ask(setting(server.url, way), list(DISGUISES)))
        for disguise, reply in zip(DISGUISES, replies, strict=True):
            said = DISGUISES[disguise](KEY)
            row = json.dumps(reply.as_row(), ensure_ascii=False)
            assert letters(KEY) not in letters(row), disguise
            assert json.dumps(said, ensure_ascii=False)[1:-1] not in row, disguise
            assert reply.text.startswith("move(0, 1)\n# ")
            assert all("[key]" in str(told) for told in (reply.text, reply.reasoning, reply.model, reply.id)), disguise


@every_way
@pytest.mark.parametrize("wrong", [Wrong.UNAUTHORIZED, Wrong.SERVER_ERROR, Wrong.STREAM_ERROR])
def test_a_failure_in_whose_words_the_key_is_disguised_does_not_tell_it(way: Way, wrong: Wrong) -> None:
    with Loopback(lambda key, attempt: Behaviour(wrong, echo=key)) as server:
        failures = map(failure_of, ask(setting(server.url, way), list(DISGUISES)))
        for disguise, error in zip(DISGUISES, failures, strict=True):
            assert letters(KEY) not in letters(told(error)), disguise
            assert "[key]" in error.message, disguise


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
    assert reply_of(outcome).text == "It is [key] and [key]."
