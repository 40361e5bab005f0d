"""Repairs of published lost episodes by failure class: `python -m tests.conformance.published_repairs`."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import quantiles
from typing import NamedTuple

from herobench.analysis.suites.rpg.repair.edits import KINDS
from herobench.analysis.suites.rpg.repair.repair import Repair, repair
from herobench.analysis.suites.rpg.repair.work import attempted_calls
from herobench.suites.rpg.game.calls import Call, straight_calls
from herobench.suites.rpg.game.episode import write_trace
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import as_code
from tests.conformance.published import RUNS, replay, tasks, world


class Mended(NamedTuple):
    """A lost episode: the paper's class, its repair if its code ran, and the CPU seconds that this took."""

    failure: str
    repair: Repair | None
    seconds: float


def mended(run: str, limit: int | None = None) -> Iterator[Mended]:
    """Yield the lost episodes of a published run, at most so many."""
    about = RUNS[run]
    lost = [one for one in replay(run) if one.result.score.outcome != "win"]
    for _, task, result in lost[:limit]:
        episode, failure = result.episode, result.failure
        calls = attempted_calls({"ended": episode.ending.how}, None, write_trace(episode.events))
        plan = _certified(about["tasks"], task.id, about["edition"])
        began = time.process_time()
        rules = load_rules(about["edition"])
        found = repair(GamePosition(world(), rules, task), calls, plan) if calls is not None else None
        yield Mended(str(failure.bucket), found, time.process_time() - began)


@cache
def _certified(source: str, task_id: str, edition: str) -> Sequence[Call]:
    """Return the calls of the oracle's plan under an edition of the rules."""
    task = tasks(source)[task_id]
    return straight_calls(as_code(oracle_plan(world(), task.rules(load_rules(edition)), task))) or ()


def main(limit: int | None) -> None:
    """Print a row for each failure class."""
    found = [one for run in RUNS for one in mended(run, limit)]
    seconds = [one.seconds for one in found]
    for failure in dict.fromkeys(one.failure for one in found):
        of_class = [one.repair for one in found if one.failure == failure]
        repairs = [one for one in of_class if one is not None and one.edits is not None]
        exact = sum(one.is_exact for one in repairs)
        kinds = Counter(kind for one in repairs for kind in one.kinds)
        shares = [f"{100 * kinds[kind] / max(1, kinds.total()):.0f}" for kind in KINDS]
        most = sorted(len(one.edits or ()) for one in repairs)
        middle = most[len(most) // 2] if most else "-"
        least = sorted(one.least for one in repairs)
        low = least[len(least) // 2] if least else "-"
        lost = sum(one.lost_by is not None for one in repairs)
        cells = (failure, len(of_class), len(repairs), exact, low, middle, lost, *shares)
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
    cuts = quantiles(seconds, n=20)
    print(f"{len(found)} episodes; CPU seconds: median {cuts[9]:.2f}, 95 % {cuts[18]:.2f}, in all {sum(seconds):.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
