"""Names, addresses and keys of models."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from herobench.conversation import Message, Request
from herobench.data.errors import UsageError
from herobench.models.endpoint import address, advised, build_model, is_openai, key_for, parse_model_name
from herobench.models.model import Endpoint, ModelSpec
from herobench.models.model_error import ErrorKind, ModelError, ModelFault
from herobench.models.openai_api import ServedModel, build
from herobench.models.recording import RecordedModel
from tests.loopback import Loopback
from tests.models.asked import CHAT, CHAT_STREAM, KEY, MODEL, RESPONSE, Way, ask, expect_reply, setting
from tests.program import write_jsonl
from tests.refusals import raises
from tests.sizes import for_each

PLAYERS = ["greedy", "noop", "oracle", "shortcut"]
LOCAL = Endpoint("http://127.0.0.1:9/v1")


@for_each(
    ("name", "maker", "argument"),
    [
        ("replay", "replay", ""),
        ("replay:", "replay", ""),
        ("replay:a.jsonl", "replay", "a.jsonl"),
        ("replay:C:/a b.jsonl", "replay", "C:/a b.jsonl"),
        ("gpt-x", "openai", "gpt-x"),
        ("openai", "openai", "openai"),
        ("openai:replay", "openai", "replay"),
        ("openai:oracle", "openai", "oracle"),
        ("openai:openai:x", "openai", "openai:x"),
        ("openai/gpt-x", "openai", "openai/gpt-x"),
        ("qwen3:8b", "openai", "qwen3:8b"),
        ("oracle", "openai", "oracle"),
        ("Replay", "openai", "Replay"),
        ("replay-2", "openai", "replay-2"),
    ],
)
def test_a_name_says_who_makes_the_model_and_of_what(name: str, maker: str, argument: str) -> None:
    assert parse_model_name(name) == (maker, argument)


def test_each_name_makes_its_model(tmp_path: Path) -> None:
    answers = write_jsonl(tmp_path / "answers.jsonl", [{"task_id": "t", "answer": "a"}])
    assert isinstance(build_model(ModelSpec(f"replay:{answers}", "?")), RecordedModel)
    served = build_model(ModelSpec("replay-2", "?", endpoint=LOCAL), PLAYERS)
    assert isinstance(served, ServedModel)
    asyncio.run(served.close())


def test_a_served_model_that_is_called_like_one_of_ours_is_asked_for_by_its_own_name() -> None:
    async def asked(url: str) -> None:
        model = build_model(ModelSpec("openai:noop", "?", endpoint=Endpoint(url)), PLAYERS)
        await model.reply(Request("t", 0, [Message("user", "p")]))
        await model.close()

    with Loopback() as server:
        asyncio.run(asked(server.url))
        assert [record.body["model"] for record in server.records()] == ["noop"]


@for_each(
    ("name", "meant"), [("orcale", "oracle"), ("Oracle", "oracle"), ("shortcuts:a", "shortcut"), ("repaly:a", "replay")]
)
def test_openai_is_not_asked_for_what_is_nearly_one_of_ours(name: str, meant: str) -> None:
    with raises(ModelFault.NO_MODEL, repr(name), meant):
        build_model(ModelSpec(name, "?"), PLAYERS)
    asyncio.run(build_model(ModelSpec(name, "?", endpoint=LOCAL), PLAYERS).close())
    asyncio.run(build_model(ModelSpec(f"openai:{name}", "?"), PLAYERS).close())


def test_without_players_only_entry_points_are_suggested() -> None:
    asyncio.run(build_model(ModelSpec("orcale", "?")).close())


OURS = "http://localhost:8000/v1"
OPENAI = "https://api.openai.com/v1"


def test_what_was_asked_for_goes_before_the_environment_and_that_before_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    assert address(None) == OPENAI
    monkeypatch.setenv("OPENAI_BASE_URL", "http://there/v1")
    assert address(None) == "http://there/v1"
    assert address(OURS) == OURS


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000/v1", "ftp://localhost/v1", "http://", "http:///v1", "/v1", "http://[::1/v1",
        "http://localhost:port/v1", "http://localhost:99999/v1", "http://local\x00host/v1", "http://localhost/v1\n",
    ],
)  # fmt: skip
def test_a_base_url_that_is_none_is_refused_and_told(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    with raises(ModelFault.BAD_URL) as raised:
        build(setting(url, CHAT))
    assert repr(url) in str(raised.value)
    if "\x00" not in url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        with raises(ModelFault.BAD_URL):
            build(ModelSpec(MODEL, MODEL))


@for_each("url", ["htp://me:SECRET@host/v1", "http:/me:SECRET@host", "host/v1?api_key=SECRET", "SECRET@"])
def test_a_base_url_that_is_none_is_told_without_what_may_be_secret(url: str) -> None:
    with raises(ModelFault.BAD_URL) as raised:
        address(url)
    assert "SECRET" not in str(raised.value)


@given(st.text() | st.text("[]:/@?#.%1ax ").map("http://".__add__))
@example("http://a:-1")
@example("http://[")
def test_any_text_is_an_address_or_is_refused(text: str) -> None:
    try:
        url = address(text)
    except UsageError:
        return
    assert url.lower().startswith("http") or not text


@for_each(
    ("error", "url", "way", "advice"),
    [
        ((404, "Not Found"), "http://me:secret@host:1/", CHAT, "--base-url http://host:1/v1 "),
        ((405, "Method Not Allowed"), "http://host/api", CHAT, "--base-url http://host/api/v1 "),
        ((404, "Not Found"), "http://host/v1", RESPONSE, "leave out --api responses"),
        ((400, "This model is only supported in v1/responses."), OURS, CHAT, "add --api responses"),
        ((404, "This is not a chat model and not supported here."), OURS, CHAT, "add --api responses"),
        ((400, "Unknown parameter: 'stream_options'."), OURS, CHAT_STREAM, "add --no-stream"),
        ((403, "Streaming requests are not yet allowed."), OURS, CHAT_STREAM, "add --no-stream"),
    ],
)
def test_a_failure_that_looks_like_a_wrong_option_says_what_to_type(
    error: tuple[int, str], url: str, way: Way, advice: str
) -> None:
    status, words = error
    kind = ErrorKind.NO_MODEL if status == 404 else ErrorKind.REFUSED
    told = advised(ModelError(kind, words, status=status), setting(url, way).endpoint, url).message
    assert told.startswith(words.rstrip("."))
    assert advice in told
    assert "secret" not in told


@for_each(
    ("error", "url", "way"),
    [
        ((404, "The model `m` does not exist."), "http://host", CHAT),
        ((404, "Not Found"), OURS, CHAT),
        ((404, "Resource not found"), "https://x/openai/deployments/m?api-version=1", CHAT),
        ((401, "No such key."), "http://host", CHAT),
        ((500, "stream_options"), OURS, CHAT_STREAM),
        ((400, "Unknown parameter: 'stream_options'."), OURS, CHAT),
    ],
)
def test_other_failures_are_told_as_they_are(error: tuple[int, str], url: str, way: Way) -> None:
    status, words = error
    failure = ModelError(ErrorKind.REFUSED, words, status=status)
    assert advised(failure, setting(url, way).endpoint, url) is failure


def test_the_query_of_an_address_stands_behind_the_path_of_the_api_and_its_key_has_azure_s_name() -> None:
    with Loopback(base="/openai/deployments/m?api-version=2024-10-21") as server:
        for way in (CHAT, CHAT_STREAM):
            assert expect_reply(ask(setting(server.url, way))[0]).text
        assert {record.headers.get("api-key") for record in server.records()} == {KEY}
        assert {record.path for record in server.records()} == {
            "/openai/deployments/m/chat/completions?api-version=2024-10-21"
        }


def test_only_openais_own_host_is_openai() -> None:
    assert is_openai("https://API.openai.com/v1")
    assert not any(map(is_openai, [OURS, "https://api.openai.com.evil.example/v1", "https://x/api.openai.com"]))


def test_the_key_is_in_the_usual_variable_or_in_the_one_that_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-mine")
    assert (key_for(None, OURS), key_for("MY_KEY", OURS), key_for("MY_KEY", OPENAI)) == (KEY, "sk-mine", "sk-mine")


@pytest.mark.parametrize("url", [OURS, OPENAI])
@pytest.mark.parametrize("value", [None, ""])
def test_a_variable_that_was_named_must_be_set(monkeypatch: pytest.MonkeyPatch, value: str | None, url: str) -> None:
    if value is not None:
        monkeypatch.setenv("MY_KEY", value)
    with raises(ModelFault.NO_KEY, "MY_KEY"):
        key_for("MY_KEY", url)


def test_openai_needs_a_key_and_other_servers_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert key_for(None, OURS) == "none"
    with raises(ModelFault.NO_SERVER, "OPENAI_API_KEY"):
        key_for(None, OPENAI)


def test_without_a_key_the_suite_and_its_players_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(build_model(ModelSpec("exact", "?"), PLAYERS, "stairs").close())
    monkeypatch.delenv("OPENAI_API_KEY")
    with raises(ModelFault.NO_SERVER, "suite stairs", ", ".join(PLAYERS)):
        build_model(ModelSpec("exact", "?"), PLAYERS, "stairs")
    asyncio.run(build_model(ModelSpec("exact", "?", endpoint=LOCAL), PLAYERS, "stairs").close())


@pytest.mark.parametrize("key", [f"{KEY}\n", f" {KEY}", "sk-loop\rback", "sk-löopback", "sk-loop back", "\n"])
@pytest.mark.parametrize("key_name", [None, "MY_KEY"])
def test_what_cannot_be_a_key_is_refused_before_it_is_sent_and_not_told(
    monkeypatch: pytest.MonkeyPatch, key: str, key_name: str | None
) -> None:
    monkeypatch.setenv(key_name or "OPENAI_API_KEY", key)
    with pytest.raises(UsageError, match=key_name or "OPENAI_API_KEY") as raised:
        key_for(key_name, OURS)
    assert "sk-" not in str(raised.value)
