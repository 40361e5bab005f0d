"""HeroBench: can a model plan far ahead?

    import herobench

    world = herobench.load_world()
    task = herobench.load_tasks("tasks.jsonl", world)["1/1_Gold_craft"]
    result = herobench.execute(world, task, "move('Hero', 10, -4)\\ngather('Hero', 8)")

    herobench.run("oracle", limit=20, output="runs/oracle")     # see herobench.api

`result` holds the episode (every action and its result), the score and, if the task was lost, the failure.

Each name is imported when it is first used: every command and every worker of the sandbox imports this package, and
most of them need few of the names.
"""

# Type checkers take this name for true. The one of `typing` would cost more than the rest of this module.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from herobench.api import analyze, check_suite, rescore, run
    from herobench.data.errors import HeroBenchError, InputError, Problem, SandboxError, UsageError
    from herobench.suites.rpg.game.episode import Ending, Episode
    from herobench.suites.rpg.game.events import Action, Event
    from herobench.suites.rpg.game.rules import Rules
    from herobench.suites.rpg.game.scoring import Failure, Score
    from herobench.suites.rpg.game.task import Task
    from herobench.suites.rpg.game.world import World
    from herobench.suites.rpg.play.execution import JudgedEpisode, execute, extract_code, judge
    from herobench.suites.rpg.sandbox import Limits, Sandbox
    from herobench.suites.rpg.worlds.content import load_rules, load_world
    from herobench.suites.rpg.worlds.task_file import load_tasks
else:
    from herobench.data.lazy import lazy_names as _lazy_names

    __getattr__, __dir__ = _lazy_names(
        __name__,
        {
            "herobench.api": ("analyze", "check_suite", "rescore", "run"),
            "herobench.data.errors": ("HeroBenchError", "InputError", "Problem", "SandboxError", "UsageError"),
            "herobench.suites.rpg.worlds.content": ("load_rules", "load_world"),
            "herobench.suites.rpg.game.episode": ("Ending", "Episode"),
            "herobench.suites.rpg.game.events": ("Action", "Event"),
            "herobench.suites.rpg.play.execution": ("JudgedEpisode", "execute", "extract_code", "judge"),
            "herobench.suites.rpg.game.rules": ("Rules",),
            "herobench.suites.rpg.game.scoring": ("Failure", "Score"),
            "herobench.suites.rpg.game.task": ("Task",),
            "herobench.suites.rpg.worlds.task_file": ("load_tasks",),
            "herobench.suites.rpg.game.world": ("World",),
            "herobench.suites.rpg.sandbox": ("Limits", "Sandbox"),
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
    "JudgedEpisode",
    "Limits",
    "Problem",
    "Rules",
    "Sandbox",
    "SandboxError",
    "Score",
    "Task",
    "UsageError",
    "World",
    "analyze",
    "check_suite",
    "execute",
    "extract_code",
    "judge",
    "load_rules",
    "load_tasks",
    "load_world",
    "rescore",
    "run",
]
