"""The page for any suite, without a browser: a person gets what a model gets, and the session is a run like others."""

import json
import re
import threading
from pathlib import Path
from typing import Any

from herobench.conversation import Message, Request, Tool, ToolCall
from herobench.data.documents import schema_problems
from herobench.page.server import ConversationPage, PageServer, Seat
from herobench.runs.options import RunRequest
from herobench.runs.session import RunCallbacks, begin, resume
from herobench.runs.standing import News
from tests.golden import Golden
from tests.page.visitor import Browser
from tests.program import herobench, read_jsonl
from tests.sizes import for_each

TASK = "1/1_Cooked Beef_craft"
"""A task of four calls."""
WORDS = ("--dataset", "base", "--task-id", TASK)
ANSWERS: list[Any] = [
    {"name": "move", "arguments": {"x": 5, "y": 1}},
    {"name": "buy", "arguments": {"code": "raw_beef", "quantity": 1}},
    {"name": "move", "arguments": {"x": 1, "y": 1}},
    {"name": "craft", "arguments": {"code": "cooked_beef", "quantity": 1}},
]


def session(folder: Path, answers: list[Any], *, stop: bool = False) -> tuple[Any, list[Any]]:
    """Answer so many questions of a run at the page. Return the ending and what the page was told each time."""
    seat, told = Seat(ConversationPage()), list[Any]()
    with PageServer(seat) as server:

        def answer() -> None:
            try:
                browser = Browser(server)
                told.append(json.loads(browser.ask("GET", browser.path("state"))[1]))
                told.extend(browser.act(told[-1]["number"], each) for each in answers)
            finally:
                if stop or not told or "over" not in told[-1]:  # else the run would wait for ever
                    seat.leave()

        person = threading.Thread(target=answer)

        def heard(news: News) -> None:
            if news["event"] == "sample":
                seat.finish({})

        callbacks = RunCallbacks(
            heard, lambda standing: (seat.expect(standing.before, standing.total), person.start())[0]
        )
        if (folder / "run.json").exists():
            ending = resume(RunRequest(person=seat), folder, callbacks)
        else:
            wished = RunRequest(
                model="ann",
                dataset="base",
                task_ids=(TASK,),
                agent="tools",
                conduct={"connections": 1, "jobs": 1},
                person=seat,
            )
            ending = begin(wished, folder, callbacks)
        person.join()
    return ending, told


def test_a_person_gets_what_a_model_gets_and_the_sample_is_one_of_a_run(tmp_path: Path) -> None:
    ending, told = session(tmp_path / "ann", ANSWERS)
    assert (ending.standing.wins, told[-1]) == (1, {"over": "done"})
    herobench("run", *WORDS, "-m", "oracle", "--mode", "tools", "-o", tmp_path / "oracle")
    calls = {name: read_jsonl(tmp_path / name / "calls.jsonl") for name in ("ann", "oracle")}
    opening, tools = (calls["oracle"][0][column] for column in ("messages", "tools"))
    assert calls["ann"][0]["messages"] == opening
    assert told[0]["view"]["messages"][0]["text"] == opening[0]["content"]
    assert [tool["name"] for tool in told[0]["view"]["tools"]] == [tool["name"] for tool in tools]
    (sample,) = read_jsonl(tmp_path / "ann" / "samples.jsonl")
    assert (sample["model"], sample["won"], sample["calls"]) == ("ann", True, len(ANSWERS))
    assert sample["seconds"] > 0
    for name, is_told in (("ann", True), ("oracle", False)):
        said = herobench("analyze", tmp_path / name).stdout
        assert (re.search(r"minutes, \d+ to \d+ decisions +\d+\.\d \(median of 1 won\)", said) is not None) is is_told
        document = json.loads(herobench("analyze", tmp_path / name, "--format", "json").stdout)
        assert schema_problems(document, "analysis", "stdout") == []
        (figures,) = document["runs"]
        assert [found["won"] for found in figures.get("minutes", [])] == [1] * is_told
        page = tmp_path / f"{name}.html"
        herobench("report", tmp_path / name, "-o", page)
        assert ("(median of 1 won)" in page.read_text("utf-8")) is is_told


def test_a_session_that_was_cut_short_goes_on_where_it_ended(tmp_path: Path) -> None:
    cut, told = session(tmp_path / "ann", ANSWERS[:2], stop=True)
    assert cut.standing.owed == 1
    rest, again = session(tmp_path / "ann", ANSWERS[2:])
    assert (rest.standing.wins, rest.standing.owed) == (1, 0)
    assert again[0]["view"] == told[-1]["view"]


@for_each(
    "answer",
    [None, 5, [], {}, {"name": "look"}, {"name": 1, "arguments": {}}, {"name": "look", "arguments": [], "more": 1}],
)
def test_what_is_neither_a_text_nor_a_call_is_no_answer(answer: object) -> None:
    assert ConversationPage().reply(answer) is None
    assert ConversationPage().reply({"name": "look", "arguments": {}, "id": "x"}) is None


def test_the_page_is_told_words_calls_and_pictures() -> None:
    call = ToolCall("1", "go", '{"x": 1}')
    messages = [Message("user", "Play.", pictures=("data:image/png;base64,AA==",)), Message("assistant", "", (call,))]
    view = ConversationPage().view(Request("t", 0, messages, [Tool("go", "Go.", {"type": "object"})]))
    assert [message["pictures"] for message in view["messages"]] == [["data:image/png;base64,AA=="], []]
    assert view["messages"][1]["calls"] == [["go", '{"x": 1}']]
    assert json.loads(json.dumps(view)) == view


def test_a_run_of_a_model_or_a_player_is_not_continued_by_a_person(tmp_path: Path, golden: Golden) -> None:
    run = tmp_path / "run"
    herobench("run", *WORDS, "--model", "oracle", "-o", run)
    golden(
        herobench("play", "-o", run, "--no-browse"),
        herobench("play", "--suite", "rpg", "--task-id", "1/4_*", "--name", "oracle", "--no-browse"),
        herobench("play", "--suite", "nothing", "--no-browse"),
    )
