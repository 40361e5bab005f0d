"""Writes what needs no understanding wins: players without a model on sets of questions, as a table in Markdown.

    python -m herobench.suites.acp.making.audit acpbench-hard-v1 new.jsonl -o wins.md

A column is the shipped set or a questions file. A row is a task and a player that says something of it. A cell is the
part of the questions of the task, in percent, that the player answers right by the sound grading.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from herobench.suites.acp.answers.grading import grade_response
from herobench.suites.acp.answers.players import FORMAT_ONLY, SHORTCUT, AcpPlayer
from herobench.suites.acp.answers.shortcuts import RULES
from herobench.suites.acp.questions.questions import DATASET, QUESTIONS, TASKS, Question, published

Right = Mapping[str, Mapping[str, float]]
"""For each task and player, the part of the questions that is answered right."""


def load_questions(name: str) -> Mapping[str, Question]:
    """Return the questions of the shipped set, or of a file."""
    return published() if name == DATASET else QUESTIONS.in_file(Path(name))


def audit(questions: Iterable[Question]) -> Right:
    """Return what players win of questions. A shortcut that says nothing of a task is left out of it."""
    by_task: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        by_task[question.task].append(question)
    shares: dict[str, dict[str, float]] = {}
    for task in (task for task in TASKS if by_task[task]):
        shares[task] = {}
        for name in ("random", FORMAT_ONLY, *(f"{SHORTCUT}:{rule}" for rule in RULES)):
            player = AcpPlayer(name, {})
            if any(map(player.speaks, by_task[task])):
                right = sum(grade_response(one, player.answer(one)).sound == 1 for one in by_task[task])
                shares[task][name] = right / len(by_task[task])
    return shares


def table(names: Sequence[str], sets: Sequence[Right]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| task | player | {' | '.join(names)} |"
    yield f"|{'---|' * (len(names) + 2)}"
    for task in TASKS:
        players = Counter(player for right in sets for player in right.get(task, {}))
        for player in players:
            cells = (right.get(task, {}).get(player) for right in sets)
            percentages = ("" if cell is None else f"{100 * cell:.0f}" for cell in cells)
            yield f"| `{task}` | `{player}` | {' | '.join(percentages)} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", metavar="SET|FILE")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="FILE")
    given = parser.parse_args()
    lines = table(given.sets, [audit(load_questions(name).values()) for name in given.sets])
    given.output.write_text("\n".join(lines) + "\n", "utf-8")
