"""The RPG behind the contract of a suite: prompts from the world, replies judged by running their plans.

Runs open it by the entry point `rpg`. Its options are `world` and `rules`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import as_file
from typing import TYPE_CHECKING, Any

from herobench.conversation import Message, Reply, Tool
from herobench.errors import SuiteError, UsageError
from herobench.prompts.render import prompt_digest, render_prompt
from herobench.rpg.answer_file import Answer
from herobench.rpg.batch import blank_details, score_answer, verdict_of
from herobench.rpg.content import DEFAULT_EDITION, load_rules
from herobench.rpg.plan import extract_code
from herobench.rpg.task_file import load_tasks
from herobench.rpg.world import World
from herobench.sandbox import Sandbox
from herobench.suite import FreshSuite, SuiteSetting, TaskInfo, Verdict
from herobench.task_gen.datasets import dataset_path, shipped_tasks, version_of, world_of
from herobench.task_gen.defaults import DEFAULT_DATASET
from herobench.task_gen.difficulty import group_of
from herobench.task_gen.players import PLAYERS, build_player

if TYPE_CHECKING:
    from herobench.conversation import Model
    from herobench.rpg.task import Task

_OPTIONS = ("world", "rules")
_WORLD_FILE = "world.json"


class Rpg:
    """Tasks of one world, under one edition of the rules, with the sandbox that runs their plans."""

    name = "rpg"
    players = PLAYERS

    def __init__(self, setting: SuiteSetting, tasks: Mapping[str, Task] | None = None) -> None:
        """Take the setting's tasks, or these ones in their place."""
        if foreign := sorted(setting.options.keys() - set(_OPTIONS)):
            raise UsageError(f"The suite rpg has no option {foreign[0]!r}: its options are {' and '.join(_OPTIONS)}.")
        self._world = _world(setting)
        self._rules = load_rules(setting.options.get("rules", DEFAULT_EDITION))
        self.dataset = _dataset_name(setting)
        self._setting = setting
        self._tasks = _read_tasks(setting, self._world) if tasks is None else tasks
        self._sandbox = Sandbox(self._world, self._rules, workers=setting.workers)

    @property
    def options(self) -> Mapping[str, str]:
        """The rules by name; the world is kept as a file."""
        return {"rules": self._rules.name}

    def tasks(self) -> Iterator[TaskInfo]:
        """Yield the tasks in their file's order, grouped by bracket of difficulty or length of campaign."""
        for task in self._tasks.values():
            yield TaskInfo(task.id, group_of(task), task.as_row())

    def identity(self) -> Mapping[str, str]:
        """Return the world's code and digest, the rules and the digest of the prompts' words."""
        return {
            "world": self._world.digest,
            "world_code": self._world.code,
            "rules": self._rules.name,
            "prompts": prompt_digest(self._tasks.values()),
        }

    def files(self) -> Mapping[str, str]:
        """Return the world's documents, because folders of worlds are edited and moved."""
        return {_WORLD_FILE: f"{self._world.source}\n"}

    def prepare(self) -> None:
        """Start the sandbox's workers in the background."""
        self._sandbox.warm_up()

    def open(self, task_id: str, epoch: int) -> PlanAttempt:
        """Start an attempt of one turn: the prompt, and a reply with a plan in it."""
        return PlanAttempt(self._sandbox, self._tasks[task_id], epoch)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the details of an attempt without a reply."""
        return blank_details(self._sandbox, self._tasks[task_id])

    def player(self, name: str) -> Model:
        """Return the oracle, a shortcut, or the player that does nothing."""
        return build_player(name, self._world, self._rules, self._tasks)

    def fresh(self, seed: int, task_ids: Sequence[str]) -> FreshSuite:
        """Return the suite on private twins of these tasks, in a remixed world of the seed."""
        from herobench.task_gen.fresh_twins import fresh_twins, world_like  # the generator is slow to import

        world = world_like(self._world, seed)
        tasks, notes = fresh_twins(world, self._tasks.values(), task_ids, seed, self._setting.workers)
        # The twins keep their world as a file and name their rules, so that a run on them resumes like any other.
        setting = replace(self._setting, options=self.options, files={_WORLD_FILE: world.source})
        return FreshSuite(Rpg(setting, tasks), notes)

    def close(self) -> None:
        """End the sandbox's workers."""
        self._sandbox.close()


class PlanAttempt:
    """One prompt and one reply, whose plan is run in the sandbox when it is graded."""

    tools: Sequence[Tool] = ()

    def __init__(self, sandbox: Sandbox, task: Task, epoch: int) -> None:
        self._sandbox = sandbox
        self._task = task
        self._epoch = epoch
        self._reply: Reply | None = None

    @property
    def messages(self) -> Sequence[Message]:
        """The prompt."""
        return [Message("user", render_prompt(self._sandbox.world, self._task, self._sandbox.rules))]

    def step(self, reply: Reply) -> None:
        """Take the reply; the attempt is over."""
        self._reply = reply

    def grade(self) -> Verdict:
        """Run the plan and score its episode."""
        reply = self._reply
        if reply is None:
            raise SuiteError(f"The attempt at {self._task.id} was graded before it had a reply.")
        # A recording may have kept the plan alone, and an empty text is a plan too.
        plan = extract_code(reply.text) if reply.answer is None else reply.answer
        answer = Answer(self._task.id, self._epoch, plan, reply.model, reply.usage.output)
        return verdict_of(score_answer(self._sandbox, self._task, answer))


def _world(setting: SuiteSetting) -> World:
    """Load the world: the one that is named, or the one that the run keeps, or the default."""
    if "world" not in setting.options and _WORLD_FILE in setting.files:
        return _kept_world(setting.files[_WORLD_FILE])
    tasks = setting.tasks or setting.dataset or DEFAULT_DATASET
    return world_of(setting.options.get("world"), tasks)


def _kept_world(source: str) -> World:
    """Read a run's world.json, which this program wrote: whatever is wrong with it, somebody changed it since."""
    try:
        return World.from_source(source)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise UsageError(
            f"The run's {_WORLD_FILE} was changed and is no world: name the world with --world."
        ) from error


def _dataset_name(setting: SuiteSetting) -> str:
    if setting.tasks is None:
        return version_of(setting.dataset or DEFAULT_DATASET)
    return setting.tasks.stem.encode("utf-8", "backslashreplace").decode("utf-8")


def _read_tasks(setting: SuiteSetting, world: World) -> Mapping[str, Task]:
    if setting.tasks is not None:
        return load_tasks(setting.tasks, world)
    name = setting.dataset or DEFAULT_DATASET
    if world.digest == world_of(None, name).digest:
        return shipped_tasks(name)
    with as_file(dataset_path(name)) as path:
        return load_tasks(path, world)
