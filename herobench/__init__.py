"""HeroBench: can a model plan far ahead?

    import herobench

    world = herobench.load_world()
    task = herobench.load_tasks("tasks.jsonl", world)["1/1_Gold_craft"]
    result = herobench.execute(world, task, "move('Hero', 10, -4)\\ngather('Hero', 8)")

    herobench.run("oracle", limit=20, output="runs/oracle")     # see herobench.api

`result` holds the episode (every action with what came of it), the score and, where it was lost, the failure.
"""

from herobench.api import analyze, rescore, run
from herobench.errors import HeroBenchError, InputError, Problem, SandboxError, UsageError
from herobench.rpg.content import load_rules, load_world
from herobench.rpg.episode import Ending, Episode
from herobench.rpg.events import Action, Event
from herobench.rpg.execution import Result, execute, judge
from herobench.rpg.failure import Failure
from herobench.rpg.plan import extract_code
from herobench.rpg.rules import Rules
from herobench.rpg.scoring import Score
from herobench.rpg.task import Task
from herobench.rpg.task_file import load_tasks
from herobench.rpg.world import World
from herobench.sandbox import Limits, Sandbox

__all__ = [
    "Action",
    "Ending",
    "Episode",
    "Event",
    "Failure",
    "HeroBenchError",
    "InputError",
    "Limits",
    "Problem",
    "Result",
    "Rules",
    "Sandbox",
    "SandboxError",
    "Score",
    "Task",
    "UsageError",
    "World",
    "analyze",
    "execute",
    "extract_code",
    "judge",
    "load_rules",
    "load_tasks",
    "load_world",
    "rescore",
    "run",
]
