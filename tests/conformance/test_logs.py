"""The published logs tell of the same actions as our events, line by line.

A log has a line for each action that was carried out, and where the rules say so for each craft that failed. Before
them stands the record of the hero's creation. A plan that did not finish left an empty log.
"""

import pytest

from herobench.suites.rpg.worlds.content import load_rules
from tests.conformance.published import RUNS, replay, world
from tests.conformance.published_log import log_lines

WITHOUT_LOGS = {"grok-4", "o3_high"}


@pytest.mark.parametrize("run", sorted(RUNS.keys() - WITHOUT_LOGS))
def test_the_events_tell_the_published_story_action_by_action(run: str) -> None:
    rules = load_rules(RUNS[run]["edition"])
    compared = 0
    for row, task, result in replay(run):
        told = list(log_lines(result.episode.events, rules, world())) if result.episode.finished else []
        assert told == row["log"], task.id
        compared += 1
    assert compared == RUNS[run]["episodes"]


def test_the_runs_without_logs_are_known() -> None:
    bare = {run for run in RUNS if any(replayed.row["log"] is None for replayed in replay(run))}
    assert bare == WITHOUT_LOGS
