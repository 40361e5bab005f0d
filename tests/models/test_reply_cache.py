import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Form, Message, Reply, Request, Usage
from herobench.data.errors import UsageError
from herobench.models.model import Endpoint, ModelSpec, Sampling
from herobench.models.model_error import ErrorKind, ModelError, ModelFault
from herobench.models.recording import CachedModel, clear_cache, summarize_cache
from tests.refusals import raises
from tests.sizes import for_each

SETTING = ModelSpec("m", "m", Sampling(temperature=0.5), Endpoint("http://a/v1"))
PROMPT = [Message("user", "p")]


class Counting:
    """Replies with how often it was asked; fails when it is told to."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False
        self.closed = False

    async def reply(self, request: Request) -> Reply:
        self.asked += 1
        if self.fails:
            raise ModelError(ErrorKind.SERVER, "Not now.")
        return Reply(f"reply {self.asked} \ud800", reasoning="hm", stop="stop", usage=Usage(1, 2), model="m")

    async def close(self) -> None:
        self.closed = True


def asked(
    path: Path,
    model: Counting,
    setting: ModelSpec = SETTING,
    epoch: int = 0,
    messages: Sequence[Message] = PROMPT,
    task_id: str = "t",
) -> Reply:
    return asyncio.run(CachedModel(model, setting, path).reply(Request(task_id, epoch, messages)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "cache.sqlite"


def test_what_was_asked_before_is_not_asked_again_and_says_so(path: Path) -> None:
    model = Counting()
    first, second = asked(path, model), asked(path, model)
    assert (model.asked, first.from_cache) == (1, False)
    assert second == replace(first, from_cache=True)
    assert asked(path, model) == second


@pytest.mark.parametrize(
    "other",
    [
        replace(SETTING, argument="n"),
        replace(SETTING, sampling=Sampling(temperature=0.6)),
        replace(SETTING, sampling=Sampling(temperature=0.5, extra_body={"top_k": 1})),
        replace(SETTING, endpoint=Endpoint("http://b/v1")),
        replace(SETTING, endpoint=Endpoint("http://a/v1", api="responses")),
    ],
)
def test_all_that_a_reply_depends_on_must_be_the_same(path: Path, other: ModelSpec) -> None:
    model = Counting()
    asked(path, model)
    assert not asked(path, model, other).from_cache
    assert not asked(path, model, epoch=1).from_cache
    assert not asked(path, model, messages=[Message("system", "p")]).from_cache
    assert not asked(path, model, messages=PROMPT * 2).from_cache
    assert model.asked == 5


def test_what_a_reply_does_not_depend_on_may_differ(path: Path) -> None:
    model = Counting()
    asked(path, model)
    faster = replace(SETTING, endpoint=Endpoint("http://a/v1", "MY_KEY", stream=False, timeout=1.0, connections=99))
    assert asked(path, model, faster).from_cache
    assert asked(path, model, task_id="the same prompt for another task").from_cache


def test_a_failure_is_not_kept(path: Path) -> None:
    model = Counting()
    model.fails = True
    with pytest.raises(ModelError):
        asked(path, model)
    model.fails = False
    assert not asked(path, model).from_cache


def test_many_may_ask_at_once(path: Path) -> None:
    async def many(epochs: range) -> list[Reply]:
        cached = [CachedModel(model, SETTING, path) for _ in range(4)]
        return await asyncio.gather(*(one.reply(Request("t", epoch, PROMPT)) for one in cached for epoch in epochs))

    model = Counting()
    asyncio.run(many(range(10)))
    assert [entry.replies for entry in summarize_cache(path)] == [10]
    before = model.asked
    assert all(reply.from_cache for reply in asyncio.run(many(range(10))))
    assert model.asked == before


def test_the_stock_is_told_by_model_and_taken_out_by_model_or_whole(path: Path) -> None:
    assert (summarize_cache(path), clear_cache(path, None)) == ([], 0)
    assert not path.exists()
    for name in ("m", "n"):
        for epoch in range(2):
            asked(path, Counting(), replace(SETTING, argument=name), epoch)
    assert [(entry.model, entry.replies, entry.bytes > 0) for entry in summarize_cache(path)] == [
        ("m", 2, True),
        ("n", 2, True),
    ]
    assert (clear_cache(path, "m"), clear_cache(path, "m")) == (2, 0)
    assert [entry.model for entry in summarize_cache(path)] == ["n"]
    assert (clear_cache(path, None), summarize_cache(path)) == (2, [])


def assert_refused(path: Path, told: str) -> None:
    """No use is made of a file, and it stays as it is."""
    before = path.read_bytes()
    for use in (
        lambda: CachedModel(Counting(), SETTING, path),
        lambda: summarize_cache(path),
        lambda: clear_cache(path, None),
    ):
        with pytest.raises(UsageError, match=told):
            use()
    assert path.read_bytes() == before


def test_a_file_that_is_no_cache_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are my notes, and no cache at all.\n" * 100, "utf-8")
    assert_refused(path, r"The cache .*notes\.txt cannot be used")


@for_each(
    "made",
    [
        "CREATE TABLE mine (x)",
        "CREATE TABLE replies (key, model, text)",
        "CREATE TABLE replies (key TEXT PRIMARY KEY, model TEXT, reply TEXT, had TEXT); CREATE VIEW mine AS SELECT 1",
    ],
)
def test_a_database_of_another_program_is_refused_and_left_as_it_is(made: str, tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as base:
        base.executescript(made)
    assert_refused(path, "cannot be used: it is a database of something else")


def test_a_folder_is_no_cache(tmp_path: Path) -> None:
    with raises(ModelFault.BAD_CACHE):
        CachedModel(Counting(), SETTING, tmp_path)


def test_closing_closes_the_model(path: Path) -> None:
    model = Counting()
    asyncio.run(CachedModel(model, SETTING, path).close())
    assert model.closed


def test_the_key_of_a_server_is_not_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-mine-secret")
    asked(path, Counting(), replace(SETTING, endpoint=Endpoint("http://a/v1", "MY_KEY")))
    with sqlite3.connect(path) as base:
        rows = base.execute("SELECT * FROM replies").fetchall()
    base.close()
    assert len(rows) == 1
    assert "sk-mine" not in repr(rows)


def test_equal_requests_of_an_attempt_have_replies_of_their_own(path: Path) -> None:
    model = Counting()

    def reply(**more: Any) -> str:
        return asyncio.run(CachedModel(model, SETTING, path).reply(Request("t", 0, PROMPT, **more))).text

    form = Form("choice", {"type": "object"})
    ways: list[dict[str, Any]] = [{}, {"repeat": 1}, {"repeat": 2}, {"form": form}, {"form": form, "repeat": 1}]
    first = [reply(**way) for way in ways]
    assert len(set(first)) == model.asked == len(ways)
    assert [reply(**way) for way in ways] == first
    assert reply(role="critic") == first[0], "a role is not sent"
    assert model.asked == len(ways)
