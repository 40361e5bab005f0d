"""HeroBench: can a model plan far ahead?

    import herobench

    world = herobench.load_world()
    task = herobench.load_tasks("tasks.jsonl", world)["1/1_Gold_craft"]
    result = herobench.execute(world, task, "move('Hero', 10, -4)\\ngather('Hero', 8)")

    herobench.run("oracle", limit=20, output="runs/oracle")     # see herobench.api

`result` holds the episode (every action with what came of it), the score and, where it was lost, the failure.

Each name is imported when it is first used: every command and every worker of the sandbox imports this package, and
most of them need few of the names.
"""

# Type checkers take this name for true. The one of `typing` would cost more than the rest of this module.
TYPE_CHECKING = False

if TYPE_CHECKING:
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
else:
    from herobench.lazy import lazy_names as _lazy_names

    __getattr__, __dir__ = _lazy_names(
        __name__,
        {
            "herobench.api": ("analyze", "rescore", "run"),
            "herobench.errors": ("HeroBenchError", "InputError", "Problem", "SandboxError", "UsageError"),
            "herobench.rpg.content": ("load_rules", "load_world"),
            "herobench.rpg.episode": ("Ending", "Episode"),
            "herobench.rpg.events": ("Action", "Event"),
            "herobench.rpg.execution": ("Result", "execute", "judge"),
            "herobench.rpg.failure": ("Failure",),
            "herobench.rpg.plan": ("extract_code",),
            "herobench.rpg.rules": ("Rules",),
            "herobench.rpg.scoring": ("Score",),
            "herobench.rpg.task": ("Task",),
            "herobench.rpg.task_file": ("load_tasks",),
            "herobench.rpg.world": ("World",),
            "herobench.sandbox": ("Limits", "Sandbox"),
        },
    )

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
