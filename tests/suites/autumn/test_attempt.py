"""Attempts: what a model is sent, what its replies come to, and how the settings change that."""

import json
import zlib
from base64 import b64decode
from collections.abc import Mapping
from struct import unpack
from typing import Any

import pytest

from herobench.api import check_suite
from herobench.conversation import Message, Reply, Request, ToolCall
from herobench.data.documents import schema_problems
from herobench.data.options import OptionFault, option_texts
from herobench.models.chat_api import request_body
from herobench.models.model import Sampling
from herobench.models.responses_api import request_body as responses_body
from herobench.suite.contract import SuiteSetting
from herobench.suites.autumn.episode.challenge import FAMILIES
from herobench.suites.autumn.episode.options import MODES, ChallengeStyle, read_choice
from herobench.suites.autumn.episode.picture import png
from herobench.suites.autumn.prompts.telling import WORDS
from herobench.suites.autumn.suite import Autumn, AutumnAttempt
from tests.refusals import raises
from tests.sizes import for_each
from tests.suites.autumn.challenges import BEAD, LED, challenge, grid

LOST = {"prediction": "choose_option_0", "planning": "quit", "detection": "quit"}
WON = {
    "prediction": ["step"] * 4 + ["choose_option_2"],
    "planning": ["right", "right", "down"],
    "detection": ["right"] * 3 + ["I found the change!", "choose_frame_3", "Submit choice"],
}


def opened(family: str, mode: str = "actions", **settings: Any) -> AutumnAttempt:
    options = {"observation": "text"} | {name: str(value) for name, value in settings.items()}
    choice, style = read_choice(options | {"mode": mode})
    return AutumnAttempt(challenge(family), choice.mode, style)


def said(*actions: str) -> list[Reply]:
    return [Reply(f"I think.\n<action>{action}</action>") for action in actions]


def after(attempt: AutumnAttempt, *actions: str) -> list[Message] | None:
    told = None
    for reply in said(*actions):
        told = attempt.step(reply)
    return None if told is None else list(told)


@for_each("family", FAMILIES)
def test_an_episode_is_won_and_lost_and_fits_its_schemas(family: str) -> None:
    for actions, won in ((WON[family], True), ([*WON[family][:-1], LOST[family]], False)):
        attempt = opened(family)
        assert after(attempt, "right", "reset", "jump", "go-to-test", *actions) is None
        verdict = attempt.grade()
        assert (verdict.won, verdict.score, verdict.failure is None) == (won, 100.0 * won, won)
        assert schema_problems(verdict.details, "autumn-details", "details") == []
        assert schema_problems(verdict.events, "autumn-events", "events") == []
        figures = [verdict.details[name] for name in ("interaction_steps", "unknown_actions", "resets")]
        assert figures == [4, 1, 1]
    unfinished = opened(family)
    after(unfinished, "right")
    assert (unfinished.grade().failure, unfinished.grade().details["ending"]) == ("unfinished", None)


def test_failures_say_why() -> None:
    def failure(family: str, *actions: str, **settings: Any) -> str | None:
        attempt = opened(family, **settings)
        assert after(attempt, "go-to-test", *actions) is None
        return attempt.grade().failure

    assert failure("prediction", *["step"] * 4, "choose_option_0") == "wrong_choice"
    assert failure("planning", "left", "left", total=3) == "out_of_steps"
    early = ["right"] * 3 + ["I found the change!", "choose_frame_2", "Submit choice"]
    assert failure("detection", *early) == "too_early"
    assert failure("detection", "left", *early[1:]) == "no_change"
    assert failure("planning", "quit") == "gave_up"


def test_the_test_of_a_detection_tells_where_it_starts() -> None:
    led = challenge("detection", **LED)
    attempt = AutumnAttempt(led, MODES[0], ChallengeStyle())
    assert "right, down" not in "".join(message.text for message in attempt.conversation)
    told = after(attempt, "go-to-test")
    assert told is not None
    assert "these actions were done in it before: right, down." in told[-1].text
    same = opened("detection")
    assert "It starts as it did in the first phase." in (after(same, "go-to-test") or [])[-1].text


def test_the_window_sends_the_opening_and_the_latest_turns_and_keeps_the_instructions_of_the_test() -> None:
    attempt = opened("planning", window=2)
    told = after(attempt, "left", "left", "right")
    sent = attempt.conversation
    assert [message.role for message in sent] == ["system", "user", *["assistant", "user"] * 2]
    assert told == [sent[-1]]
    assert ["Available actions" in message.text for message in sent] == [False] * 5 + [True]
    assert sent[-1].text.startswith("Turn 3 of 501.\n" + json.dumps(grid(".r..", *["...."] * 3)))
    after(attempt, "go-to-test")
    assert '"highlight_mask": [[1, 1, 1, 1]' in attempt.conversation[-1].text
    first = "The first phase is over"
    assert [first in message.text for message in attempt.conversation] == [False] * 5 + [True]
    after(attempt, "noop", "noop")
    assert [first in message.text for message in attempt.conversation] == [False, True] + [False] * 4


@for_each(
    ("most", "words"),
    [
        ("unlimited", "You may reset the world as often as you like."),
        ("0", "The world cannot be reset."),
        ("1", "You may reset the world once."),
        ("3", "You may reset the world 3 times."),
    ],
)
def test_a_limit_of_resets_is_told_and_kept(most: str, words: str) -> None:
    attempt = opened("planning", resets=most)
    assert words in attempt.messages[-1].text
    allowed = 5 if most == "unlimited" else int(most)
    for number in range(5):
        offers = attempt.conversation[-1].text
        assert ("go-to-test, reset" in offers) == (number < allowed)
        told = after(attempt, "right", "reset")
        assert told is not None
        assert ("There is no reset left: nothing happened." in told[-1].text) == (number >= allowed)
    details = attempt.grade().details
    assert (details["resets"], details["unknown_actions"]) == (min(allowed, 5), max(0, 5 - allowed))
    assert details["most_resets"] == (None if most == "unlimited" else allowed)
    assert schema_problems(details, "autumn-details", "details") == []
    assert schema_problems(attempt.grade().events, "autumn-events", "events") == []


def test_a_limit_of_resets_makes_another_run_and_none_leaves_runs_as_they_were() -> None:
    def identity(**options: str) -> Mapping[str, str]:
        return Autumn(SuiteSetting(options=options)).identity(())

    usual, limited = identity(), identity(resets="02")
    assert usual == identity(resets="unlimited")
    assert "resets" not in usual
    assert limited["resets"] == "2"
    assert limited["prompts"] != usual["prompts"]
    old = WORDS.digest(lambda name: not (name.startswith("resets_") or name.endswith(("_resets", "-resets-left"))))
    assert usual["prompts"] == old, "the words of runs without a limit stay what they were"
    for wrong in ("-1", "many", "1.5", "9" * 9):
        with raises(OptionFault.BAD_VALUE, "give a number or unlimited"):
            identity(resets=wrong)


@for_each(
    ("text", "refused", "action"),
    [
        ("<action>left</action><action> click  0 1\nnow </action>", None, "click 0 1"),
        ("<action>jump", None, "noop"),
        ("<action>left</action><think>or <action>right</action>?</think>", None, "left"),
        ("<think>perhaps <action>left</action>", None, "noop"),
        ("no action", None, "noop"),
        ("<action></action>", None, "noop"),
        ("<action>click 1</action>", "unknown", "click 1"),
        ("<action>" * 100_000, None, "noop"),
    ],
)
def test_an_action_is_read_from_its_last_tag(text: str, refused: str | None, action: str) -> None:
    attempt = opened("planning")
    attempt.step(Reply(text))
    (turn,) = attempt.grade().events["phases"][0]["turns"]
    assert (turn["action"], turn.get("refused")) == (action, refused)


def test_tools_are_those_of_the_phase_and_only_the_first_call_is_carried_out() -> None:
    attempt = opened("detection", "tools")
    names = ["left", "right", "up", "down", "click", "noop", "quit"]
    assert [tool.name for tool in attempt.tools] == [*names, "go_to_test", "reset"]
    calls = [
        ("click", '{"column": 2, "row": "1"}'),
        ("right", "{}"),
        ("click", "{"),
        ("click", '{"row": 1}'),
        ("fly", ""),
    ]
    told = attempt.step(Reply("", tuple(ToolCall(f"c{n}", *call) for n, call in enumerate(calls))))
    assert told is not None
    assert [(message.role, message.text[:11]) for message in told[:2]] == [
        ("tool", "Turn 1 of 5"),
        ("tool", "not carried"),
    ]
    for call in calls[2:]:
        attempt.step(Reply("", (ToolCall("c", *call),)))
    turns = attempt.grade().events["phases"][0]["turns"]
    assert [turn.get("refused") for turn in turns] == [None, *["unknown"] * 3]
    assert turns[0]["action"] == "click 2 1"
    for name in ("go_to_test", "right", "right", "right", "found_the_change"):
        attempt.step(Reply("", (ToolCall("c", name, ""),)))
    assert [tool.name for tool in attempt.tools] == ["choose_frame", "submit_choice", "quit"]
    attempt.step(Reply("", (ToolCall("c", "choose_frame", '{"number": 3}'),)))
    assert attempt.step(Reply("", (ToolCall("c", "submit_choice", ""),))) is None
    assert attempt.grade().score == 100.0


def test_the_prompt_has_the_parts_that_are_wanted() -> None:
    plain, full = (opened("planning", prompt=prompt) for prompt in ("react", "scratchpad+reflection+hints"))
    assert "\n\n- Try each key." in full.messages[0].text
    assert full.messages[0].text.count("\n\n# ") == 5
    assert "Try each key." not in plain.messages[0].text
    assert "step by step" in plain.messages[1].text
    assert "Check what you believed" in full.messages[1].text
    full.step(Reply("<scratchpad_add>It rolls.</scratchpad_add><action>noop</action>"))
    full.step(Reply("<scratchpad_add>It stops.</scratchpad_add><action>noop</action>"))
    told = full.step(Reply("<scratchpad_del>It rolls.</scratchpad_del>"))
    assert told is not None
    assert "Your scratchpad:\nIt stops.\n" in told[-1].text
    assert "bring the same world" in plain.messages[0].text
    assert "bring the same world" not in opened("planning", disclosure="later").messages[0].text


def test_a_compact_grid_has_a_character_for_each_cell_and_a_legend() -> None:
    attempt = opened("prediction", observation="compact")
    assert "A...\n....\n....\n....\nColours: . black, A red." in attempt.messages[1].text
    told = after(attempt, "go-to-test", *["step"] * 4)
    assert told is not None
    assert "video_location: 4/4, action_took: right\n.###\n" in told[0].text
    assert "Choice 2:\n.AB\nChoice 3:" in told[0].text
    told = after(opened("planning", observation="compact"), "noop", "click 3 3")
    assert told is not None
    assert "\n...B\nColours: . black, A red, B gray.\n" in told[0].text, "a colour that was not there before"
    told = after(opened("planning", observation="compact"), "go-to-test")
    assert told is not None
    assert "highlight_mask" not in told[0].text
    assert (
        "Now:\nA...\n....\n....\n....\n\nGoal, with # for cells that do not count:\n....\n..A.\n####\n####"
        in told[0].text
    )


def read_colors(url: str, size: int) -> list[list[tuple[int, ...]]]:
    """The colour in the middle of each cell of a picture, read from its PNG."""
    data = b64decode(url.removeprefix("data:image/png;base64,"))
    chunks, at = {}, 8
    while at < len(data):
        length, kind = unpack(">I4s", data[at : at + 8])
        chunks[kind] = data[at + 8 : at + 8 + length]
        assert unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(data[at + 4 : at + 8 + length])
        at += 12 + length
    width, height = unpack(">II", chunks[b"IHDR"][:8])
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == height * (width + 1)
    cell = (width - 1) // size
    middle = [cell * number + cell // 2 for number in range(size)]
    found = [[pixels[y * (width + 1) + 1 + x] for x in middle] for y in middle]
    return [[tuple(chunks[b"PLTE"][3 * number : 3 * number + 3]) for number in row] for row in found]


def test_pictures_show_the_grid_and_go_to_both_apis() -> None:
    attempt = opened("planning", "tools", observation="picture")
    (url,) = attempt.messages[1].pictures
    red, black = (255, 0, 0), (0, 0, 0)
    assert read_colors(url, 4) == [[red, *[black] * 3], *[[black] * 4] * 3]
    told = attempt.step(Reply("", (ToolCall("c", "go_to_test", ""),)))
    assert told is not None
    assert [(message.role, len(message.pictures)) for message in told] == [("tool", 0), ("user", 2)]
    assert read_colors(told[1].pictures[1], 4)[1][:3] == [black, black, red]
    assert unpack(">II", png([["red", "blue", "green"]])[16:24]) == (3 * 129 + 1, 128 + 2)
    request = Request("t", 0, attempt.messages)
    sampling = Sampling(None)
    chat = request_body("m", request, sampling, stream=False)["messages"][1]["content"]
    assert [part["type"] for part in chat] == ["text", "image_url"]
    assert chat[1]["image_url"] == {"url": url}
    sent = responses_body("m", request, sampling, stream=False)["input"][1]["content"]
    assert [(part["type"], part.get("image_url")) for part in sent] == [("input_text", None), ("input_image", url)]


def test_stacked_frames_are_labelled() -> None:
    program = BEAD.replace("(= GRID_SIZE 4)", "(= GRID_SIZE 4) (= FRAME_RATE 2)")
    attempt = AutumnAttempt(
        challenge("planning", program=program), "actions", ChallengeStyle(observation="text", stack="all")
    )
    told = after(attempt, "right")
    assert told is not None
    assert "Frame time: 2\nAction took: right\nObservation: [[" in told[0].text
    assert "Frame time: 3\nAction took: noop\n" in told[0].text


@for_each(
    ("option", "value"),
    [("prompt", "react+reflection"), ("prompt", "cot"), ("window", "0"), ("steps", "x"), ("family", "maze"),
     ("mode", "x"), ("observation", "smell"), ("span", "1")],
)  # fmt: skip
def test_a_setting_that_does_not_exist_is_refused(option: str, value: str) -> None:
    with raises(OptionFault.BAD_VALUE, f"option {option}", value):
        read_choice({option: value})


def test_options_come_back_as_they_were_given() -> None:
    choice, style = read_choice({"prompt": "scratchpad+reflection", "family": "planning, detection", "steps": "20"})
    assert style.prompt == "reflection+scratchpad"
    assert read_choice(option_texts(choice) | option_texts(style)) == (choice, style)
    chosen = choice.of_challenges(challenge(family) for family in FAMILIES)
    assert [one.family for one in chosen] == ["planning", "detection"]


def test_a_fork_that_sees_a_new_colour_tells_it_to_no_other() -> None:
    suite = Autumn(SuiteSetting())
    attempt, alone = (suite.open("greenhouse-prediction", 0) for _ in range(2))
    for each in (attempt, alone):
        each.step(said("go-to-test")[0])
    twin = attempt.fork()
    assert twin is not None
    *_, last = [attempt.step(reply) for reply in said(*["step"] * 9)]
    told = [each.step(said("step")[0]) for each in (twin, alone)]
    assert told[0] == told[1]
    assert told[0] is not None
    assert last is not None
    assert "D tan" in last[0].text
    assert "D tan" not in told[0][0].text


@pytest.mark.slow
def test_the_suite_keeps_to_the_contract() -> None:
    assert check_suite("autumn") == []
