"""A worker has imported all that plans make it use before it is confined: afterwards it can read no file."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.journey.plan import as_code
from herobench.suites.rpg.sandbox import Limits
from herobench.suites.rpg.sandbox.wire import Scene
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task
from tests.suites.rpg.journey.roads import risky_journey
from tests.suites.rpg.sandbox.test_corpus import OURS

PROGRAM = """
import json, sys
from herobench.suites.rpg.sandbox.worker import World, play_policy, play_request
told = json.load(sys.stdin)
world = World.from_source(told["world"])
before = {*sys.modules}
ends = {play_request(world, request).ending.how for request in told["requests"]}
ends |= {play_policy(request).ending.how for request in told["walks"]}
print(sorted(ends), sorted(sys.modules.keys() - before))
"""


def test_no_plan_makes_a_worker_import_anything(tiny: World) -> None:
    request = Scene(tiny, load_rules(), craft_task(tiny, "brick")).request()
    limits = asdict(Limits(steps=2_000))
    requests = [{**request, "plan": plan["code"], "track": "program", "limits": limits} for plan in OURS]
    task = risky_journey(2, 1, 1)
    scene = {"road": task.road.as_row(), "luck": "", "limits": limits}
    walks = [{**scene, "plan": code} for code in (as_code(task.plan), f"{as_code(task.plan)}\nx = 1", "leave()")]
    told = json.dumps({"world": tiny.source, "requests": requests, "walks": walks})
    done = subprocess.run(
        [sys.executable, "-s", "-P", "-c", PROGRAM], input=told, capture_output=True, text=True, check=True
    )
    assert done.stdout == "['error', 'finished', 'limit', 'rejected'] []\n"
