"""The figures of an episode, as the details of its sample have them."""

from __future__ import annotations

from typing import Any

from herobench.columns import blank
from herobench.suite import Verdict
from herobench.suites.autumn.census import census_of, explored
from herobench.suites.autumn.challenge import Challenge
from herobench.suites.autumn.columns import DETAILS
from herobench.suites.autumn.detection import DetectionTest
from herobench.suites.autumn.episode import Episode
from herobench.suites.autumn.failure import failure_of
from herobench.suites.autumn.modes import Mode
from herobench.suites.autumn.perplexity import area, curve
from herobench.suites.autumn.prediction import PredictionTest
from herobench.suites.autumn.style import Style


def facts_of(challenge: Challenge, mode: Mode, style: Style) -> dict[str, Any]:
    """Return the details that are known without a reply; null in the others."""
    names = ("family", "environment", "category", "stochastic")
    return {**blank(DETAILS), **{name: getattr(challenge, name) for name in names}, "mode": mode, **style.as_row()}


def figures_of(episode: Episode, window: int) -> dict[str, Any]:
    """Return the figures of an episode; `window` is that of the perplexity."""
    chosen, right = _answers(episode)
    turns = [turn for phase in episode.film.phases for turn in phase["turns"]]
    return {
        "ending": episode.ending,
        "task_score": episode.result.score if episode.result else 0.0,
        "reference_reward": episode.result.reference_reward if episode.result else 0.0,
        "interaction_steps": episode.interaction.steps,
        "test_steps": episode.turns - episode.interaction.steps,
        "unknown_actions": sum("refused" in turn for turn in turns),
        "chosen": chosen,
        "right": right,
        **exploration_of(episode, window),
    }


def exploration_of(episode: Episode, window: int) -> dict[str, Any]:
    """Return the figures of the interaction."""
    actions = explored(episode.film.phases[0]["turns"])
    excess, share = (list(curve(actions, window, kind)) for kind in ("excess", "share"))
    return {
        **census_of(actions),
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


def verdict_of(episode: Episode, mode: Mode, style: Style) -> Verdict:
    """Return the verdict on an episode."""
    figures = figures_of(episode, style.span)
    error = None if episode.error is None else str(episode.error)
    return Verdict(
        figures["task_score"] > 0,
        100.0 * figures["task_score"],
        failure=failure_of(episode),
        details={**facts_of(episode.challenge, mode, style), **figures},
        events={**episode.film.as_row(), "error": error},
    )
