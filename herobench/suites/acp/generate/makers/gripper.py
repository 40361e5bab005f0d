"""Instances of the domain gripper-strips: a robot with two grippers carries balls between rooms."""

from __future__ import annotations

from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Maker, numbered

_SIZES = ((4, 2), (4, 3), (4, 5), (4, 7), (4, 10), (7, 3), (15, 3))


def _make(chance: Random, counts: Counts) -> Instance:
    balls, rooms = numbered("ball", counts["ball"], 1), numbered("room", counts["room"], 1)
    robots = numbered("robot", counts["robot"], 1)
    grippers = [f"{side}{number}" for number in range(1, len(robots) + 1) for side in ("left", "right")]
    initial = [f"at {ball} {chance.choice(rooms)}" for ball in balls]
    initial += [f"at-robby {robot} {chance.choice(rooms)}" for robot in robots]
    initial += [f"free {robot} {gripper}" for robot in robots for gripper in grippers if gripper[-1] == robot[-1]]
    goal = [f"at {ball} {chance.choice(rooms)}" for ball in balls]
    objects = {"ball": balls, "gripper": grippers, "robot": robots, "room": rooms}
    return Instance(f"gripper-{len(robots)}-{len(rooms)}-{len(balls)}", objects, initial, goal)


GRIPPER = Maker([{"ball": balls, "gripper": 2, "robot": 1, "room": rooms} for balls, rooms in _SIZES], _make)
