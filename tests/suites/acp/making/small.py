"""Small instances of all 13 domains, so small that all of their states can be tried out."""

from collections.abc import Iterator, Mapping
from random import Random

from herobench.suites.acp.making.scene import QuestionQuery
from herobench.suites.acp.making.source import open_source
from herobench.suites.acp.questions.questions import Question

COUNTS: Mapping[str, Mapping[str, int]] = {
    "ferry": {"car": 2, "location": 3},
    "logistics-strips": {"airplane": 1, "airport": 2, "city": 2, "location": 2, "package": 1, "truck": 2},
    "blocksworld-4ops": {"object": 4},
    "grid": {"key": 1, "place": 9, "shape": 1},
    "floor-tile": {"color": 2, "robot": 1, "tile": 6},
    "gripper-strips": {"ball": 3, "gripper": 2, "robot": 1, "room": 2},
    "rover": {"camera": 1, "lander": 1, "mode": 3, "objective": 1, "rover": 1, "store": 1, "waypoint": 2},
    "grid-visit-all": {"place": 6},
    "depots": {"crate": 2, "depot": 1, "distributor": 1, "hoist": 2, "pallet": 2, "truck": 1},
    "gold-miner-typed": {"loc": 6},
    "satellite": {"direction": 3, "instrument": 1, "mode": 2, "satellite": 1},
    "swap": {"agent": 4, "role": 4},
    "alfred": {"object": 1, "receptacle": 4},
}


def small(domain: str, task: str, count: int, seed: str = "") -> Iterator[Question]:
    """So many questions about small instances, or fewer where they are hard to find."""
    wanted, source, made = QuestionQuery(COUNTS[domain]), open_source(domain), 0
    for draw in range(count * 20):
        question = source.ask(task, Random(f"{seed}{domain}{task}{draw}"), wanted.for_draw(draw))
        if question is not None:
            yield question
            made += 1
        if made == count:
            return
