"""Prints what a run would ask and what it would cost, for `herobench run --dry-run`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from herobench.agents.agent import Agent, Unfinished
from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.interval import length_text
from herobench.cli.say import say_json, say_text
from herobench.cli.table import plain_console, print_facts
from herobench.conversation import Form, Message, Reply, Request, Tool, Usage
from herobench.data.errors import HeroBenchError, UsageError
from herobench.models.model import ask_model
from herobench.models.model_error import ModelError
from herobench.runs.asking import count_characters, guess_tokens
from herobench.runs.config import DEFAULT_AGENT, MODE
from herobench.runs.refusals import RunFault
from herobench.runs.spec import RunSpec
from herobench.suite.checked import load_player, suite_class, suite_errors, task_lengths
from herobench.suite.contract import Suite, TurnLimit
from herobench.suite.players import ORACLE, help_words
from herobench.suite.recorded import RecordedAttempt

_CURRENCY = " in the currency of the prices"
_SHOWN_LINES = 10
"""The lines of a long prompt that a dry run shows, at its beginning and at its end."""


def print_spec(spec: RunSpec, *, as_json: bool) -> None:
    """Print the ends of a run's first prompt, what the run would be, and last about how much it would cost."""
    config = spec.config
    openings = [first_request(spec.suite, spec.agent, task_id) for task_id in spec.tasks]
    prompt = "\n\n".join(message.text for message in openings[0].messages)
    sizes = list(map(count_characters, openings))
    guess, largest = guess_tokens(sum(sizes) * config.epochs, None), guess_tokens(max(sizes), None).input or 0
    most = _most_tokens(spec, openings)
    winning = None if _may_call_again(spec) else longest_answer(spec, openings)
    answer = None if winning is None or spec.makes else winning.tokens
    reach = winning.length_within(config.sampling.max_tokens) if winning else None
    if as_json:
        plan: dict[str, Any] = {"config": config.as_row(), "conduct": spec.conduct.as_row(), "tasks": list(spec.tasks)}
        plan |= {"notes": list(spec.notes), "prompt": prompt}
        plan |= {"prompt_tokens": guess.input, "largest_prompt_tokens": largest}
        plan |= {"longest_answer_tokens": answer} if answer else {}
        plan |= {"longest_in_reply": reach} if reach else {}
        say_json({**plan, "most_prompt_tokens": most} if most else plan, indent=None)
        return
    facts = {name: str(value) for name, value in _flat_config(spec).items()}
    say_text(_abridge(prompt))
    console = plain_console()
    console.print()
    print_facts(console, facts)
    console.print()
    count = len(openings) * config.epochs
    precision = "at least" if _may_call_again(spec) else "about"
    calls = f"{'at least ' if _may_call_again(spec) else ''}{count} calls of the model"
    about = f"{precision} {guess.input:,} tokens of prompts{_cost(spec, guess, count)}"
    rounds = "This is the first round; more tasks are made as they are needed. " if spec.makes else ""
    console.print(f"{rounds}{len(openings)} tasks, {count} attempts, {calls}, {about}.", soft_wrap=bool(rounds))
    console.print(_context(spec, largest, answer), soft_wrap=True)
    if reach:
        console.print(_cut_short(spec, reach), soft_wrap=True)
    if most:
        bound = f"at most about {most:,} tokens of prompts, beside the model's own replies in them"
        console.print(f"If every attempt takes all of its turns: {bound}{_price_words(spec, most)}.", soft_wrap=True)
    if config.fresh is not None:
        console.print(f"These are {config.asked}.", soft_wrap=True)
    for note in spec.notes:
        console.print(note, soft_wrap=True)
    console.print(f"{_question_words(spec, openings[0])} Nothing was asked.", soft_wrap=True)


def _context(spec: RunSpec, largest: int, answer: int | None) -> str:
    """Say how large a context the model needs, for the longest task's answer too if that is known."""
    most = spec.config.sampling.max_tokens
    reply = "and its reply" if most is None else f"and a reply of at most {most:,}"
    what = "first question" if _may_call_again(spec) else "prompt"
    words = f"The largest {what} has about {largest:,} tokens: the model's context must hold it {reply}."
    if not answer:
        return words
    context = f"so the tasks need a context of {largest + answer:,}, and more for thoughts"
    return f"{words} An answer that wins the longest task has about {answer:,}, {context}."


def _cut_short(spec: RunSpec, reach: float) -> str:
    """Say from which length on no answer fits into a reply."""
    most, unit = spec.config.sampling.max_tokens, load_reading(spec.config.suite).unit
    return (
        f"A reply of at most {most:,} tokens has space for the answer that wins a task of about {length_text(reach)} "
        f"{unit}, less with thoughts: beyond that, the limit of the output ends the horizon, and not the model."
    )


def _most_tokens(spec: RunSpec, openings: Sequence[Request]) -> int | None:
    """Return the most tokens of prompts if all attempts take all of their turns; None if they have no known limit.

    The results of a turn are assumed to be as long as the last opening message. Replies that are sent again do not
    count.
    """
    limits = {}
    for opening in openings:
        with suite_errors(spec.suite.name, f"turns({opening.task_id!r})"):
            limit = spec.suite.turns(opening.task_id)
            limits[opening.task_id] = None if limit is None else TurnLimit(*map(int, limit))
    characters = 0
    for opening in openings:
        if (limit := limits[opening.task_id]) is None:
            return None
        replies = sum(min(limit.window, turn) for turn in range(limit.most))
        characters += limit.most * count_characters(opening) + replies * len(opening.messages[-1].text)
    return guess_tokens(characters * spec.config.epochs, None).input


def _price_words(spec: RunSpec, tokens: int) -> str:
    """Say what tokens of prompts cost."""
    cost = spec.price.of(Usage(input=tokens, output=0)) if spec.price else None
    return "" if cost is None else f", {cost:.2f}{_CURRENCY}"


def _abridge(prompt: str) -> str:
    """Return a prompt; of a long one the first and the last lines, so that the plan of the run stays on the screen."""
    lines = prompt.splitlines()
    left_out = len(lines) - 2 * _SHOWN_LINES
    if left_out <= 0:
        return prompt
    gap = f"[{left_out} more lines: herobench run --dry-run --json has the whole prompt]"
    return "\n".join([*lines[:_SHOWN_LINES], "", gap, "", *lines[-_SHOWN_LINES:]])


def _question_words(spec: RunSpec, opening: Request) -> str:
    """Say which question is shown, and that there are others."""
    if not _may_call_again(spec):
        return f"The prompt above is for {opening.task_id}."
    role = f", as {opening.role}" if opening.role else ""
    first = f"Above is what the agent {spec.config.agent} asks first at {opening.task_id}{role}."
    return f"{first} Its later questions depend on the replies, so only the first ones are counted."


def _flat_config(spec: RunSpec) -> dict[str, Any]:
    """Return the configuration without nesting."""
    rows = {**spec.config.as_row(), **spec.conduct.as_row()}
    rows |= {f"attempt_{name}": value for name, value in rows.pop("limits").items()}
    rows |= {
        **_mode(spec),
        "help": help_words(spec.help),
        **rows.pop("sampling"),
        # the identity has the setting `lane` as `told`
        **{name: value for name, value in rows.pop("identity").items() if name != "told"},
        **rows.pop("options"),
    }
    return {name: value for name, value in rows.items() if value not in (None, {})}


def _mode(spec: RunSpec) -> dict[str, str]:
    """Return the mode of the suite, also the usual one; nothing for a suite without modes."""
    modes = suite_class(spec.config.suite).modes
    return {MODE: spec.conduct.options.get(MODE, modes[0])} if modes else {}


def _may_call_again(spec: RunSpec) -> bool:
    """Return whether an attempt may take several calls by its agent or its mode. Only the first is known before."""
    has_turns = not {"feedback", "tools"}.isdisjoint(spec.help)
    return has_turns or spec.config.agent != DEFAULT_AGENT or MODE in spec.conduct.options


def _cost(spec: RunSpec, guess: Usage, attempts: int) -> str:
    """Say what the run would cost at least, and at most when replies have a limit."""
    if spec.price is None:
        return "" if spec.is_player else "; the cost is not known without --prices FILE"
    least = spec.price.of(guess)
    if _may_call_again(spec):
        return f", at least {least:.2f}{_CURRENCY}"
    most_tokens = spec.config.sampling.max_tokens
    if most_tokens is None:
        return f", {least:.2f}{_CURRENCY} and what the replies cost"
    most = spec.price.of(replace(guess, output=most_tokens * attempts))
    return f", {least:.2f} to {most:.2f}{_CURRENCY}"


def first_request(suite: Suite, agent: Agent, task_id: str) -> Request:
    """Return the first request of an agent at a task. Raise UsageError if it fails before it asks."""
    asked: list[Request] = []
    fault = "it asks nothing"

    async def ask(
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: Sequence[str] = (),
    ) -> Reply:
        asked.append(Request(task_id, 0, tuple(messages), tuple(tools), role, form))
        raise Unfinished("a dry run asks nothing")

    try:
        asyncio.run(agent.play(RecordedAttempt(suite, task_id, 0), ask))
    except HeroBenchError:
        raise
    except (Exception, SystemExit) as error:  # the code of others
        fault = f"{type(error).__name__}: {error}"
    if not asked:
        raise UsageError(RunFault.AGENT_FAILS, task_id=task_id, fault=fault)
    return asked[0]


@dataclass(frozen=True, slots=True)
class WinningAnswer:
    """An answer that wins the longest of some tasks."""

    length: float
    """The length of that task."""
    longest: float
    """The length of the longest task that the run may ask."""
    tokens: int
    """About the tokens of the answer."""

    def length_within(self, tokens: int | None) -> float | None:
        """Return the length of the tasks whose answers have about this many tokens; None if all answers have fewer."""
        reach = None if tokens is None else self.length * tokens / self.tokens
        return None if reach is None or reach >= self.longest else reach


def longest_answer(spec: RunSpec, openings: Sequence[Request]) -> WinningAnswer | None:
    """Return the oracle's answer to the first request at the longest task.

    None if the tasks have no lengths, or the suite has no oracle that answers.
    """
    if ORACLE not in spec.suite.players:
        return None
    try:
        lengths = task_lengths(spec.suite, spec.tasks)
        opening = max(openings, key=lambda opening: lengths[opening.task_id])
        text = asyncio.run(ask_model(load_player(spec.suite, ORACLE), opening)).text
    except (UsageError, ModelError):
        return None
    tokens = guess_tokens(len(text), None).input
    longest = max([*lengths.values(), *spec.lengths.values()])
    return WinningAnswer(lengths[opening.task_id], longest, tokens) if tokens else None
