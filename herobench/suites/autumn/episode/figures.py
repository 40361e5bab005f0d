"""The figures of an episode, as the details of its sample have them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import exp, log
from typing import Any, Literal

from herobench.data.columns import blank
from herobench.suite.contract import Verdict
from herobench.suites.autumn.episode.challenge import Challenge
from herobench.suites.autumn.episode.columns import DETAILS
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.options import ChallengeStyle, Mode
from herobench.suites.autumn.episode.phase import RESET
from herobench.suites.autumn.episode.tests import DetectionTest, PredictionTest
from herobench.suites.autumn.language.world import KEYS

Failure = Literal["wrong_choice", "too_early", "no_change", "gave_up", "out_of_steps", "unfinished", "program"]


def episode_failure(episode: Episode) -> Failure | None:
    """Return the class of an episode; None for one that is worth something."""
    if episode.result and episode.result.score > 0:
        return None
    match episode.ending:
        case "answered" if isinstance(episode.test, DetectionTest):
            return "no_change" if episode.test.trigger is None else "too_early"
        case "answered":
            return "wrong_choice"
        case "quit":
            return "gave_up"
        case "steps":
            return "out_of_steps"
        case "failed":
            return "program"
        case _:
            return "unfinished"


CLASSES = ("click", "arrow", "noop", "reset")


def effective_actions(turns: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the actions of an interaction that did something in the world: moves and resets."""
    return [turn["action"] for turn in turns if "refused" not in turn and action_class(turn["action"])]


def action_class(action: str) -> str | None:
    """Return the class of an action; None for `quit` and the like."""
    if action.startswith("click"):
        return "click"
    if action in KEYS:
        return "arrow"
    return action if action in CLASSES else None


def count_actions(actions: Sequence[str]) -> dict[str, Any]:
    """Return the number of distinct actions, the share of each class among them, and the resets.

    A click on another cell is another action. The shares are None without an action.
    """
    distinct = set(actions)
    classes = [action_class(action) for action in distinct]
    shares = {f"{name}_share": classes.count(name) / len(distinct) if distinct else None for name in CLASSES}
    return {"distinct_actions": len(distinct), **shares, "resets": actions.count(RESET)}


Kind = Literal["excess", "share"]


def curve(actions: Iterable[Hashable], window: int, kind: Kind = "excess") -> Iterator[float]:
    """Yield the value of each full window."""
    counts: Counter[Hashable] = Counter()
    latest: deque[Hashable] = deque()
    total = 0.0  # of c ln c over the counts: one action changes two of them
    for action in actions:
        total += _change(counts, action, 1)
        latest.append(action)
        if len(latest) > window:
            oldest = latest.popleft()
            total += _change(counts, oldest, -1)
            if not counts[oldest]:
                del counts[oldest]
        if len(latest) == window:
            yield _normalize(exp(log(window) - total / window), len(counts), kind)


def _change(counts: Counter[Hashable], action: Hashable, by: int) -> float:
    before = counts[action]
    after = counts[action] = before + by
    return _c_ln_c(after) - _c_ln_c(before)


def _c_ln_c(count: int) -> float:
    return count * log(count) if count > 1 else 0.0


def _normalize(perplexity: float, distinct: int, kind: Kind) -> float:
    if kind == "share":
        return min(1.0, perplexity / distinct)
    return min(1.0, max(0.0, (perplexity - 1) / (distinct - 1))) if distinct > 1 else 0.0


def area(values: Sequence[float]) -> float | None:
    """Return the area under a curve whose positions go from 0 to 1; None without a value."""
    if len(values) < 2:
        return values[0] if values else None
    return (sum(values) - (values[0] + values[-1]) / 2) / (len(values) - 1)


def known_details(challenge: Challenge, mode: Mode, style: ChallengeStyle) -> dict[str, Any]:
    """Return the details that are known without a reply; null in the others."""
    names = ("family", "environment", "category", "stochastic")
    return {**blank(DETAILS), **{name: getattr(challenge, name) for name in names}, "mode": mode, **style.as_row()}


def episode_figures(episode: Episode, window: int) -> dict[str, Any]:
    """Return the figures of an episode; `window` is that of the perplexity."""
    answers, right = _answers(episode)
    turns = [turn for phase in episode.film.phases for turn in phase["turns"]]
    return {
        "ending": episode.ending,
        "task_score": episode.result.score if episode.result else 0.0,
        "reference_reward": episode.result.reference_reward if episode.result else 0.0,
        "interaction_steps": episode.interaction.steps,
        "test_steps": episode.turns - episode.interaction.steps,
        "unknown_actions": sum("refused" in turn for turn in turns),
        "chosen": answers,
        "right": right,
        **exploration_figures(episode, window),
    }


def exploration_figures(episode: Episode, window: int) -> dict[str, Any]:
    """Return the figures of the interaction."""
    actions = effective_actions(episode.film.phases[0]["turns"])
    excess, share = (list(curve(actions, window, kind)) for kind in ("excess", "share"))
    return {
        **count_actions(actions),
        "perplexity_auc": area(excess),
        "perplexity_last": excess[-1] if excess else None,
        "perplexity_share_auc": area(share),
        "perplexity_share_last": share[-1] if share else None,
    }


def _answers(episode: Episode) -> tuple[int | None, int | None]:
    """Return the chosen number and the right one."""
    match episode.test:
        case PredictionTest() as test:
            return test.chosen, test.asked.choice
        case DetectionTest() as test:
            return test.chosen, None if test.trigger is None else test.trigger - 1
        case _:
            return None, None


def judge_episode(episode: Episode, mode: Mode, style: ChallengeStyle) -> Verdict:
    """Return the verdict on an episode."""
    figures = episode_figures(episode, style.span)
    error = None if episode.error is None else str(episode.error)
    return Verdict(
        figures["task_score"] > 0,
        100.0 * figures["task_score"],
        failure=episode_failure(episode),
        details={**known_details(episode.challenge, mode, style), **figures},
        events={**episode.film.as_row(), "error": error},
    )
