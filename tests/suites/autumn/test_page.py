"""The page for people, without a browser: the seat in a run, and what the server refuses."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.data.errors import UsageError
from herobench.page.server import PageServer, Seat
from herobench.runs.options import RunRequest
from herobench.runs.session import RunCallbacks, begin, resume
from herobench.runs.standing import News
from herobench.suites.autumn.episode.challenge import FAMILIES
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.options import ChallengeStyle, read_choice
from herobench.suites.autumn.page.attempt import AutumnPage, page_view
from herobench.suites.autumn.refusals import AutumnFault
from tests.golden import Golden
from tests.page.visitor import Browser
from tests.program import herobench, read_jsonl, write_jsonl
from tests.refusals import raises
from tests.suites.autumn.challenges import BEAD, LED, challenge, row

PLAYS = [
    ["right", "reset", "go-to-test", *["step"] * 4, "choose_option_2"],
    ["go-to-test", "right", "right", "down"],
    ["go-to-test", *["right"] * 3, "I found the change!", "choose_frame_3", "Submit choice"],
]
"""What wins the three challenges, in their order."""


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "beads.jsonl", [row(family) for family in FAMILIES])


def served(tasks: Path, folder: Path, actions: list[str], *, stop: bool = False) -> Any:
    """Play a run at the page, as far as these actions go. Return the ending and what the page was told last."""
    seat, told = Seat(AutumnPage()), []
    wishes = RunRequest(
        model="ann",
        suite="autumn",
        tasks=tasks,
        options={"mode": "page"},
        conduct={"connections": 1, "jobs": 1},
        person=seat,
    )
    with PageServer(seat) as server:

        def play() -> None:
            try:
                told.append(Browser(server).play(actions))
            finally:
                if stop or not told:  # else a run that nobody plays would wait for ever
                    seat.leave()

        person = threading.Thread(target=play)

        def heard(news: News) -> None:
            if news["event"] == "sample":
                seat.finish({})

        audience = RunCallbacks(
            heard, lambda standing: (seat.expect(standing.before, standing.total), person.start())[0]
        )
        ending = begin(wishes, folder, audience)
        person.join()
    return ending, told[0]


def test_a_person_plays_a_run_and_a_session_that_was_cut_short_goes_on(tasks: Path, tmp_path: Path) -> None:
    whole, told = served(tasks, tmp_path / "whole", [action for play in PLAYS for action in play])
    assert (whole.standing.wins, whole.standing.owed, told) == (3, 0, {"over": "done"})
    samples = {sample["task_id"]: sample for sample in read_jsonl(tmp_path / "whole" / "samples.jsonl")}
    for sample in samples.values():
        assert schema_problems(sample["details"], "autumn-details", "details") == []
        assert (sample["model"], sample["details"]["mode"]) == ("ann", "page")
    assert samples["bead-prediction"]["details"]["resets"] == 1

    cut, told = served(tasks, tmp_path / "cut", [*PLAYS[0], *PLAYS[1][:2]], stop=True)
    assert (cut.standing.owed, told["place"], told["view"]["turn"]) == (2, 2, 2)
    rest, told = served(tasks, tmp_path / "cut", [*PLAYS[1][2:], *PLAYS[2]])
    assert (rest.standing.wins, rest.standing.owed, told["over"]) == (3, 0, "done")
    again = {sample["task_id"]: sample for sample in read_jsonl(tmp_path / "cut" / "samples.jsonl")}
    assert [again[id]["events"] for id in again] == [samples[id]["events"] for id in again]
    assert len(again) == len(read_jsonl(tmp_path / "cut" / "samples.jsonl")) == 3


def test_a_question_is_answered_once_and_only_by_an_action(tasks: Path, tmp_path: Path) -> None:
    seat = Seat(AutumnPage())
    assert not seat.act(1, "right</action><action>quit")
    assert seat.act(1, "right")  # nobody asked: nothing happens
    assert seat.state(0, 0.0) == {"number": 0, "view": None}


@pytest.mark.slow
def test_the_oracle_wins_in_the_mode_of_the_page(tasks: Path, tmp_path: Path) -> None:
    options = ("--suite", "autumn", "--tasks", tasks, "--set", "mode=page", "--jobs", 1)
    assert herobench("run", *options, "--model", "oracle", "-o", tmp_path / "run").returncode == 0
    assert [sample["won"] for sample in read_jsonl(tmp_path / "run" / "samples.jsonl")] == [True] * 3


def test_a_view_tells_no_more_than_a_model_is_told() -> None:
    hidden = ChallengeStyle(disclosure="later")
    for family in FAMILIES:
        asked = challenge(family, title="SECRET", hints=["HINT"])
        episode = Episode(asked)
        view = page_view(episode, hidden)
        assert view["family"] is None
        told = json.dumps([view, page_view(episode, ChallengeStyle())])
        assert not any(word in told for word in ("SECRET", "HINT", '"goal"', '"choices"'))
        episode.act("go-to-test")
        assert page_view(episode, hidden)["family"] == family
        assert ("goal" in page_view(episode, hidden)) == (family == "planning")
    assert "HINT" in json.dumps(page_view(episode, ChallengeStyle(prompt="react+hints")))


def test_the_page_tells_what_was_done_before_a_detection() -> None:
    episode = Episode(challenge("detection", **LED))
    assert "before" not in page_view(episode, ChallengeStyle())
    episode.act("go-to-test")
    assert page_view(episode, ChallengeStyle())["before"] == ["right", "down"]


def test_time_goes_on_only_where_an_idle_step_changes_something() -> None:
    _, real = read_choice({"mode": "page", "pace": "real"})
    moving = BEAD.replace(
        "(= moves (initnext 0 (prev moves)))", "(= FRAME_RATE 5)(= moves (initnext 0 (+ (prev moves) 1)))"
    )
    for program, rate in ((BEAD, 0), (moving, 5)):
        episode = Episode(challenge("detection", program=program))
        assert page_view(episode, real)["rate"] == rate
        assert page_view(episode, ChallengeStyle())["rate"] == 0
        episode.act("go-to-test")
        assert page_view(episode, real)["rate"] == 0, "the changed program stands still"
    with raises(AutumnFault.PACE_OF_PEOPLE, "mode page"):
        read_choice({"pace": "real"})


@pytest.fixture
def browser() -> Iterator[Browser]:
    with PageServer(Seat(AutumnPage())) as server:
        yield Browser(server)


def test_the_page_and_its_files_are_sent_with_a_strict_policy(browser: Browser) -> None:
    for name in ("", "page.js", "page.css"):
        status, body = browser.ask("GET", browser.path(name), Origin=None)
        assert (status, bool(body)) == (200, True)
        policy = browser.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert not any(word in policy for word in ("unsafe", "http", "*"))
        assert browser.headers["X-Content-Type-Options"] == "nosniff"


def test_the_server_refuses_what_is_not_its_own_page(browser: Browser) -> None:
    act = browser.path("act")
    body = b'{"number": 1, "action": "noop"}'
    refused: dict[int, list[tuple[str, str, bytes | None, dict[str, str | None]]]] = {
        403: [
            ("GET", browser.path(), None, {"Host": "evil.example"}),
            ("GET", browser.path(), None, {"Host": None}),
            ("GET", browser.path("state"), None, {"Origin": "http://evil.example"}),
            ("POST", act, body, {"Origin": "null"}),
            ("POST", act, body, {"Origin": None}),
            ("POST", act, body, {"Host": "localhost"}),
        ],
        404: [
            ("GET", "/", None, {}),
            ("GET", f"/{'x' * 32}/", None, {}),
            ("GET", browser.path("../../../../etc/passwd"), None, {}),
            ("GET", browser.path("%2e%2e/server.py"), None, {}),
            ("GET", browser.path("page.html"), None, {}),
            ("POST", "/act", body, {}),
            ("POST", browser.path("leave"), body, {}),
        ],
        411: [("POST", act, None, {"Content-Length": None}), ("POST", act, None, {"Content-Length": "-1"})],
        413: [("POST", act, None, {"Content-Length": "1001"}), ("POST", act, None, {"Content-Length": "9" * 30})],
        415: [("POST", act, body, {"Content-Type": "text/plain"})],
        400: [
            ("POST", act, b"[" * 900, {}),
            ("POST", act, b"[]", {}),
            ("POST", act, b"\xff", {}),
            ("POST", act, b'{"number": true, "action": "noop"}', {}),
            ("POST", act, b'{"number": 1, "action": "<b>"}', {}),
            ("POST", act, b'{"number": 1}', {}),
        ],
        501: [("PUT", act, body, {}), ("OPTIONS", act, None, {})],
    }
    for status, requests in refused.items():
        for method, path, sent, headers in requests:
            assert browser.ask(method, path, sent, **headers)[0] == status, (method, path, headers)
            assert "Content-Security-Policy" in browser.headers
    assert browser.server.server_address[0] == "127.0.0.1"


def test_a_run_of_a_model_or_a_player_is_not_continued_by_a_person(tasks: Path, tmp_path: Path, golden: Golden) -> None:
    run = tmp_path / "run"
    herobench("run", "--suite", "autumn", "--tasks", tasks, "--model", "oracle", "--jobs", 1, "-o", run)
    golden(herobench("play", "-o", run, "--no-browse"))
    golden(herobench("play", "--suite", "autumn", "--tasks", tasks, "--name", "oracle", "--no-browse"))
    golden(herobench("play", "--suite", "autumn", "--tasks", tasks, "--total", "2000", "--no-browse"))
    wishes = RunRequest(person=Seat(AutumnPage()))
    with pytest.raises(UsageError):
        resume(wishes, tmp_path / "none", RunCallbacks())
