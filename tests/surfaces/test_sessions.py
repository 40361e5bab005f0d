"""What servers keep for their clients, without any library of theirs: sessions, the queue, long conversations."""

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from herobench.conversation import Reply, ToolCall
from herobench.data.errors import HeroBenchError, SandboxError
from herobench.scorer import Play, Result, Scorer, TaskQuery
from herobench.surfaces.sessions import Refused, ScoringQueue, Sessions, refuse_oracle_prefix, say_within
from tests.golden import Golden
from tests.program import herobench
from tests.sizes import many
from tests.surfaces.environment import ROOT


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(TaskQuery(dataset="base", difficulty="1", limit=2, jobs=1)) as scorer:
        yield scorer


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def refused(refusal: pytest.ExceptionInfo[Refused]) -> tuple[int, str]:
    return refusal.value.status, str(refusal.value)


def test_a_session_is_played_to_its_end_and_closed_once(scorer: Scorer) -> None:
    sessions = Sessions(scorer)
    task_id = next(iter(scorer.tasks))
    session = sessions.open(task_id)
    opening = session.opening_state()
    assert opening["messages"][0]["role"] in ("system", "user")
    assert (opening["over"], opening["result"]) == (False, None)
    (solution,) = scorer.solution(task_id)
    done = sessions.at(session.key).play_turn(solution.text)
    assert done["over"]
    assert done["result"] == scorer.score(task_id, solution).as_row(details=False)
    assert done["result"]["reward"] == 1.0
    with pytest.raises(Refused, match="over") as refusal:
        session.play_turn("again")
    assert refusal.value.status == 409
    assert sessions.end(session.key).reward == 1.0
    with pytest.raises(Refused, match="no such session") as refusal:
        sessions.close(session.key)
    assert refusal.value.status == 404


def test_a_long_name_of_a_task_is_not_told_back_whole(scorer: Scorer) -> None:
    for call in (Sessions(scorer).open, scorer.play, scorer.score):
        with pytest.raises(HeroBenchError, match=r"^There is no task 'aaa") as refusal:
            call("a" * 8_000_000, "")  # type: ignore[operator]
        assert len(str(refusal.value)) < 300


def test_sessions_are_bounded_and_expire_unless_they_are_used(scorer: Scorer) -> None:
    clock = Clock()
    sessions = Sessions(scorer, most=2, expiry=10, clock=clock)
    kept, lost = (sessions.open(task_id).key for task_id in scorer.tasks)
    with pytest.raises(Refused) as refusal:
        sessions.open(next(iter(scorer.tasks)))
    assert refused(refusal) == (429, "All 2 sessions are taken: close one, or try again later.")
    with pytest.raises(Refused) as refusal:
        sessions.open("nowhere")
    assert refusal.value.status == 404
    clock.now = 8
    sessions.at(kept)
    clock.now = 12
    assert len(sessions) == 1
    sessions.at(kept)
    with pytest.raises(Refused) as refusal:
        sessions.at(lost)
    assert refusal.value.status == 404


def test_a_session_takes_one_turn_at_a_time_and_does_not_expire_in_one(scorer: Scorer) -> None:
    clock = Clock()
    sessions = Sessions(scorer, expiry=10, clock=clock)
    session = sessions.open(next(iter(scorer.tasks)))
    with session.turn():
        clock.now = 100
        assert len(sessions) == 1
        for call in (sessions.end, sessions.close):
            with pytest.raises(Refused) as refusal:
                call(session.key)
            assert refusal.value.status == 409

    def play_later() -> bool:
        with session.turn(wait=True):
            return held.is_set()

    held = Event()
    with ThreadPoolExecutor(1) as pool:
        with session.turn():
            later = pool.submit(play_later)
            held.set()
        assert later.result(20)


def test_a_session_whose_result_cannot_be_had_stays(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Play) -> Result:
        raise SandboxError("no worker starts")

    sessions = Sessions(scorer)
    session = sessions.open(next(iter(scorer.tasks)))
    with monkeypatch.context() as patch:
        patch.setattr(Play, "result", fail)
        with pytest.raises(SandboxError):
            sessions.end(session.key)
    assert sessions.end(session.key).reward == 0.0
    with pytest.raises(Refused, match="no such session"):
        sessions.end(session.key)


def test_a_conversation_that_grows_too_long_takes_no_turn_more_and_the_attempt_stays(scorer: Scorer) -> None:
    sessions = Sessions(scorer)
    task_id = next(iter(scorer.tasks))
    session = sessions.open(task_id)
    calls = tuple(ToolCall("c", "f", "{}") for _ in range(20_000))  # few characters, and much memory
    for said in ("x" * 2**24, Reply("", reasoning="x" * 2**24), Reply("", calls)):
        with pytest.raises(Refused, match="16,777,216 characters") as refusal:
            session.play_turn(said)
        assert refusal.value.status == 413
    assert session.play.turns == 0
    (solution,) = scorer.solution(task_id)
    assert session.play_turn(solution)["result"]["reward"] == 1.0


def test_the_size_of_a_conversation_has_all_that_was_said_and_told() -> None:
    with Scorer(TaskQuery(dataset="base", limit=1, mode="feedback", jobs=1)) as scorer:
        play = scorer.play(next(iter(scorer.tasks)))
        opening = sum(len(message.text) for message in play.conversation)
        assert opening < play.size < opening + 5_000
        for turn in (1, 2):
            before = play.size
            told = say_within(play, "I wait." * 1_000, play.size + 10_000)
            said = 7_000 + sum(len(message.text) for message in told)
            assert before + said < play.size < before + said + 5_000
            assert play.turns == turn
        with pytest.raises(Refused, match=r"say less, or end the attempt"):
            say_within(play, "I wait." * 1_000, play.size + 7_000)


def test_long_conversations_wait_for_others_to_end_and_short_ones_go_on() -> None:
    with Scorer(TaskQuery(dataset="base", limit=1, mode="feedback", jobs=1)) as scorer:
        task_id = next(iter(scorer.tasks))
        held = scorer.play(task_id)
        say_within(held, "x" * 2_000_000)
        play = scorer.play(task_id)
        with pytest.raises(Refused, match="those of more than 1,048,576 take no turns") as refusal:
            say_within(play, "x" * 2_000_000, in_all=3_000_000)
        assert (refusal.value.status, play.turns) == (429, 0)
        say_within(play, "x" * 20_000, in_all=2_000_000)
        del held
        say_within(play, "x" * 2_000_000, in_all=3_000_000)
        assert play.turns == 2


def test_the_queue_refuses_what_has_no_place_and_the_loop_goes_on() -> None:
    async def run() -> None:
        go, work = Event(), ScoringQueue(1, most=2)
        both = asyncio.create_task(work.all([lambda: go.wait(20), lambda: 2]))
        await asyncio.sleep(0)
        assert work.waiting == 2
        with pytest.raises(Refused, match="full") as refusal:
            await work.one(int)
        assert refusal.value.status == 429
        with pytest.raises(Refused, match="fewer") as refusal:
            await work.all([int, int, int])
        assert refusal.value.status == 413
        go.set()
        assert await both == [True, 2]
        assert await work.one(int, "7") == 7
        work.close()
        assert work.waiting == 0

    asyncio.run(run())


def test_a_client_that_goes_away_gives_its_places_back() -> None:
    async def run() -> None:
        go, work = Event(), ScoringQueue(1, most=3)
        first = asyncio.create_task(work.one(go.wait, 20))
        gone = asyncio.create_task(work.all([int, int]))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert work.waiting == 1
        go.set()
        assert await first
        work.close()

    asyncio.run(run())


def test_the_image_serves_as_nobody_with_options_that_there_are() -> None:
    lines = re.sub(r"\\\n", "", (ROOT / "Dockerfile").read_text("utf-8")).splitlines()
    steps = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    assert [name for name, _ in steps][:3] == ["FROM", "COPY", "RUN"]
    assert ["USER", "65534:65534"] in steps[3:]
    (entry,) = (json.loads(rest) for name, rest in steps if name == "ENTRYPOINT")
    assert entry[:2] == ["herobench", "serve"]
    done = herobench(*entry[1:], "--help")
    assert done.returncode == 0, done.stderr
    assert all(option in done.stdout for option in entry[2::2])
    (check,) = (json.loads(rest.split("CMD ")[1]) for name, rest in steps if name == "HEALTHCHECK")
    assert f":{entry[5]}/health" in check[2]


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_a_library_that_is_not_there_is_named_with_its_extra(
    command: str, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.delitem(sys.modules, "herobench.surfaces.http_server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    golden(herobench(command, "--dataset", "base", "--limit", "1"))


OPEN = many(2_000, 200)
SHORT = TaskQuery(dataset="base", difficulty="1", limit=1, mode="tools", jobs=1)
"""One task, four calls long."""


def test_turns_are_paid_and_a_stop_pays_what_is_due() -> None:
    with Scorer(SHORT) as scorer:
        (task_id,) = scorer.tasks
        sessions, way = Sessions(scorer), scorer.way(task_id)
        for gamma in (1.0, 0.5):
            first, second = (sessions.open(task_id, prefix=-3, reward="potential", gamma=gamma) for _ in range(2))
            first.play_locked(way[1])
            second.play_locked(way[1])
            second.play_locked(way[2])
            second.end(None)
            first.play_locked(way[2])
            first.end(Reply("That is all."))
            # from three actions before the goal, whatever came then: what the prefix was worth is paid back
            sums = [sum(gamma**time * paid for time, paid in enumerate(one.rewards)) for one in (first, second)]
            assert sums == pytest.approx([-1 / 4, -1 / 4])
            assert (len(first.rewards), len(second.rewards)) == (3, 2)
            for session in (first, second):
                sessions.close(session.key)


def test_turns_of_the_oracle_are_given_by_a_server_that_may_and_by_no_other() -> None:
    for prefix in (1, -1, 10**9, True):
        refuse_oracle_prefix(prefix, allowed=True)
        with pytest.raises(Refused, match="--oracle-prefixes") as refused:
            refuse_oracle_prefix(prefix, allowed=False)
        assert refused.value.status == 403
    for own in (0, [], ["a call"], "no prefix"):
        refuse_oracle_prefix(own, allowed=False)


def test_many_attempts_are_open_at_once() -> None:
    with Scorer(SHORT) as scorer:
        (task_id,) = scorer.tasks
        sessions, last = Sessions(scorer), scorer.way(task_id)[-1]
        keys = [sessions.open(task_id, prefix=-1).key for _ in range(OPEN)]
        assert len(sessions) == OPEN
        for key in keys[::50]:
            ending = sessions.at(key).play_turn(last)["result"]
            assert (ending["reward"], ending["won"], ending["given_turns"]) == (1.0, False, 3)
