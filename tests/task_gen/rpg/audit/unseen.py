"""How often learned sums win short tasks of a world that nobody has seen: `python -m tests.task_gen.rpg.audit.unseen`.

The trees and the weights are fitted on the shipped set, in five folds as in an audit, and each of the five plays each
task of 4 to 31 decisions of `courses:SEED:COUNT`. A set of 360 has some 36 tasks on a rung, too few for a rate.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, partial
from multiprocessing import Pool
from statistics import mean, stdev

from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.case import Case, Known
from herobench.task_gen.rpg.audit.families import FAMILIES
from herobench.task_gen.rpg.audit.fitted import learners
from herobench.task_gen.rpg.audit.sums import Rate
from herobench.task_gen.rpg.courses.course_tasks import course_task
from herobench.task_gen.rpg.courses.course_world import CourseWish, draw_shard, world_and
from herobench.task_gen.rpg.datasets import dataset, load_task_world, shipped_tasks
from herobench.task_gen.rpg.tasks.spec import DEFAULT_DATASET, LENGTHS, length_on_ladder

Rated = Mapping[str, Rate]
LONGEST = 31


@cache
def fitted() -> Sequence[Rated]:
    """Return how the learners of all folds of the shipped set rate pieces, by the family."""
    world = load_task_world(None)
    found = filter(None, learners([(world, task) for task in shipped_tasks().values()]).learners)
    return [{"sum_logistic": learner.by_weights, "sum_boosted": learner.by_trees} for learner in found]


def played(wish: CourseWish, number: int) -> tuple[int, dict[str, float]]:
    """Make a task and return its rung, and the share of the learners by which each family wins it."""
    rules, shard = load_rules(), draw_shard(wish, number)
    world = world_and(None, wish, {number: shard})
    task = course_task(world, rules, dataset(DEFAULT_DATASET).spec, wish, number)
    wins = Counter[str]()
    for rated in fitted():
        for name, rate in rated.items():
            rates = {name.removeprefix("sum_"): rate}
            journey = FAMILIES[name].play(Case(world, rules, task, known=Known(rates=rates)))
            wins[name] += journey.judged().outcome == "win"
    assert task.certificate, "a course has a certificate"
    length = plan_decisions(task.certificate) or 0
    return 1 << length.bit_length() - 1, {name: wins[name] / len(fitted()) for name in fitted()[0]}


def main(seed: int = 301, count: int = 3000) -> None:
    """Print the mean share of each family on each rung, with its 95 % interval over tasks."""
    wish = CourseWish(seed, count)
    numbers = [number for number in range(count) if length_on_ladder(*LENGTHS, number) <= LONGEST]
    shares = defaultdict[tuple[int, str], list[float]](list)
    with Pool() as pool:
        for rung, found in pool.imap(partial(played, wish), numbers, chunksize=4):
            for name, share in found.items():
                shares[rung, name].append(share)
    for (rung, name), some in sorted(shares.items()):
        off = 1.96 * stdev(some) / len(some) ** 0.5 if len(some) > 1 else 1
        print(f"{rung}-{2 * rung - 1} {name}: {mean(some):.1%} +- {off:.1%} of {len(some)} tasks")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
