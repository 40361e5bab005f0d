"""The RPG behind the contract of a suite: prompts from the world, replies judged by running their plans.

Runs open it by the entry point `rpg`. Its options are `world`, `names`, `rules`, `mode` and `lane`. The sandbox and
what plays attempts are imported late: commands that only make or list tasks do not wait for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.resources import as_file
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.data.errors import UsageError
from herobench.suite.browsing import TaskBrowser
from herobench.suite.contract import (
    Attempt,
    Distance,
    FreshSuite,
    Help,
    Layer,
    Machine,
    Suite,
    SuiteSetting,
    TaskInfo,
    Verdict,
)
from herobench.suite.generating import TaskGenerator
from herobench.suites.rpg.game.task import TOLD, to_bracket
from herobench.suites.rpg.game.world import PLAIN, RANDOM, Names, World
from herobench.suites.rpg.play.options import MODES, AuditOptions, ListOptions, RpgOptions
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, is_shipped_world, kept_world, load_rules, load_world
from herobench.suites.rpg.worlds.renamed import with_names
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.rpg.datasets import (
    dataset_path,
    dataset_version,
    load_tasks_at,
    renamed_tasks,
    shipped_tasks,
)
from herobench.task_gen.rpg.tasks.spec import DEFAULT_DATASET, PLAYERS

if TYPE_CHECKING:
    from herobench.conversation import Model
    from herobench.suite.validating import TaskFigures, Watch
    from herobench.suites.rpg.game.position import GamePosition
    from herobench.suites.rpg.game.task import Task
    from herobench.suites.rpg.play.answer_work import AnswerWork
    from herobench.task_gen.rpg.oracle.distance import Distances
    from herobench.task_gen.rpg.validation import TaskProofs

_WORLD_FILE = "world.json"


class Rpg(Suite):
    """Tasks of one world, under one edition of the rules, with the sandbox that runs their plans."""

    name = "rpg"
    modes = MODES
    run_options = (RpgOptions,)
    one_turn_mode = MODES[0]
    lanes = TOLD
    task_fields = ("hero", "target", "knowledge")
    length_column = "decisions"
    has_brackets = True
    datasets = ("base-v2", "leveling-v1", "noise-v2", "decoys-v2")
    audit_options = AuditOptions
    list_options = ListOptions
    players = PLAYERS
    former_players = ("exact", "lookup", "sum", "gatherer", "visitor", "collector")

    @staticmethod
    def as_reply(text: str) -> str:
        """Put a plan that stands alone into a fence."""
        from herobench.suites.rpg.play.execution import with_fence

        return with_fence(text)

    @staticmethod
    def names_files(option: str, text: str) -> bool:
        """Return whether a setting names a world that is not shipped."""
        return option == "world" and not is_shipped_world(text)

    @staticmethod
    def explain_loss(verdict: Verdict) -> tuple[str, int | None]:
        """Return how the plan ended or, if it was carried out, its first refused action; and the line."""
        details = verdict.details
        if details["end_reason"] is not None:
            return details["end_reason"], details["end_line"]
        if refusal := details["first_error"]:
            return f"{refusal['action']}: {refusal['code']}, {refusal['reason']}", refusal["line"]
        return "no action was refused, and the goal was not reached", None

    @staticmethod
    def help(details: Mapping[str, Any]) -> Help:
        """Return the help by the mode; for a whole plan that may be a program, as all once could, it is `code`."""
        usual = Suite.help(details)
        return "code" if usual == "bare" and details.get("track") != "straight" else usual

    @staticmethod
    def generator() -> TaskGenerator:
        """Return what makes new tasks."""
        from herobench.task_gen.rpg.task_maker import TaskMaker  # a run does not need it

        return TaskMaker()

    @staticmethod
    def machine() -> Machine:
        """Return the usual world, and which layers of the sandbox hold here."""
        from herobench.suites.rpg.sandbox import Sandbox
        from herobench.suites.rpg.sandbox.confine import LAYERS

        world = load_world()
        with Sandbox(world, load_rules()) as sandbox:
            active_layers = sandbox.layers
        layers = {layer: Layer(layer in active_layers, meaning) for layer, meaning in LAYERS.items()}
        return Machine({"world": f"{world.code} {world.digest}"}, layers)

    @staticmethod
    def browser(setting: SuiteSetting) -> TaskBrowser:
        """Return what shows tasks with their goals, knowledge and proofs."""
        from herobench.task_gen.rpg.task_browser import RpgBrowser  # a run does not need it

        return RpgBrowser(setting)

    @staticmethod
    def answer_work(setting: SuiteSetting) -> AnswerWork:
        """Return what scores rows of answers files. Its options are `world`, `names` and `rules`."""
        from herobench.suites.rpg.play.answer_work import AnswerWork

        if foreign := sorted(setting.options.keys() - {"world", "names", "rules"}):
            raise UsageError(RpgFault.NOT_SCORED_BY, option=foreign[0])
        options, world = RpgOptions.of(setting.options), _world(setting)
        tasks = setting.tasks or Path(dataset_version(setting.dataset or DEFAULT_DATASET))
        tasks_by_id = load_tasks_at(tasks, world, options.names)
        return AnswerWork.of(with_names(world, options.names), load_rules(options.rules), tasks_by_id)

    @staticmethod
    def audit(setting: SuiteSetting, watch: Watch) -> TaskFigures:
        """Return what each family of players wins."""
        from herobench.task_gen.rpg.audit_report import audit_tasks  # a run does not need it

        return audit_tasks(setting, watch)

    @staticmethod
    def proof_work(setting: SuiteSetting) -> TaskProofs:
        """Return what proves tasks of a world by running their plans."""
        from herobench.task_gen.rpg.validation import TaskProofs

        return TaskProofs(_world(setting), load_rules(), RpgOptions.of(setting.options).names)

    def __init__(self, setting: SuiteSetting, tasks: Mapping[str, Task] | None = None) -> None:
        """Take the setting's tasks, or these ones in their place."""
        from herobench.suites.rpg.sandbox import Sandbox

        options, plain = RpgOptions.of(setting.options), _world(setting)
        self._mode, self._lane, names = options.mode, options.lane, options.names
        self._world = plain if names == PLAIN else with_names(plain, names)
        self._rules = load_rules(options.rules)
        # the world is kept as a file; what is usual is left out, as in runs from before there were modes and names
        choices = (("mode", self._mode, MODES[0]), ("names", self._world.names, PLAIN), ("lane", self._lane, TOLD[0]))
        unusual = {name: value for name, value, usual in choices if value != usual}
        self.options = {"rules": self._rules.name, **unusual}
        self.dataset = setting.tasks_name or dataset_version(setting.dataset or DEFAULT_DATASET)
        self._setting = setting
        self._tasks = _read_tasks(setting, plain, names) if tasks is None else tasks
        self._sandbox = Sandbox(self._world, self._rules, workers=setting.workers)

    def tasks(self) -> Iterator[TaskInfo]:
        """Yield the tasks in their file's order, grouped by bracket of difficulty."""
        for task in self._tasks.values():
            yield TaskInfo(task.id, str(to_bracket(task.difficulty)), task.as_row())

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the world's code and digest, the rules, the mode, the lane and the digest of the prompts' words.

        Raise UsageError for a task of which the lane has nothing to tell.
        """
        from herobench.prompts.rpg.modes import mode_digest
        from herobench.prompts.rpg.render import prompt_digest
        from herobench.prompts.rpg.told import lane_digest, refuse_untold

        identity = {
            "world": self._world.digest,
            "world_code": self._world.code,
            "rules": self._rules.name,
            "prompts": prompt_digest(self._tasks[task_id] for task_id in task_ids),
        }
        # left out for the usual one: runs from before there were modes had no other
        if self._mode != MODES[0]:
            identity |= {"mode": self._mode, "mode_prompts": mode_digest(self._mode)}
        if self._lane != TOLD[0]:
            for task_id in task_ids:
                refuse_untold(self._tasks[task_id], self._lane)
            identity |= {"told": self._lane, "told_prompts": lane_digest(self._lane)}
        return identity

    def files(self) -> Mapping[str, str]:
        """Return the world's documents, because folders of worlds are edited and moved."""
        return {_WORLD_FILE: f"{self._world.source}\n"}

    def prepare(self) -> None:
        """Start the sandbox's workers in the background."""
        self._sandbox.warm_up()

    def open(self, task_id: str, epoch: int) -> Attempt:
        """Start an attempt in the mode of the suite: of one turn, or with feedback to parts of a plan or to calls."""
        from herobench.suites.rpg.play.attempts import FeedbackAttempt, PlanAttempt, ToolAttempt

        task = self._tasks[task_id]
        match self._mode:
            case "feedback":
                return FeedbackAttempt(self._sandbox, task, self._distance)
            case "tools":
                return ToolAttempt(self._sandbox, task, self._distance)
            case _:
                return PlanAttempt(self._sandbox, task, epoch, self._lane)

    def _distance(self, position: GamePosition) -> Distance:
        """Return how many actions a position is from a win."""
        return self._distances(position)

    @cached_property
    def _distances(self) -> Distances:
        from herobench.task_gen.rpg.oracle.distance import Distances  # with the planner, which few attempts need

        return Distances(self._world, self._rules)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the details of an attempt without a reply."""
        from herobench.suites.rpg.play.execution import blank_details

        return blank_details(self._sandbox, self._tasks[task_id], self._mode, self._lane)

    def player(self, name: str) -> Model:
        """Return the oracle, a shortcut, or the player that does nothing."""
        from herobench.task_gen.rpg.players import build_player  # scoring does not need it

        return build_player(name, self._world, self._rules, self._tasks, self._mode)

    def fresh(self, seed: int, task_ids: Sequence[str]) -> FreshSuite:
        """Return the suite on private twins of these tasks: drawn in its world from the seed, under opaque names."""
        from herobench.task_gen.rpg.twins import fresh_twins  # the generator is slow to import

        twins, notes = fresh_twins(self._world, self._tasks.values(), task_ids, seed, self._setting.workers)
        # The twins keep their world as a file and name their rules, so that a run on them resumes like any other.
        files = {_WORLD_FILE: with_names(self._world, RANDOM).source}
        setting = replace(self._setting, options={**self.options, "names": RANDOM}, files=files)
        return FreshSuite(Rpg(setting, renamed_tasks(twins, self._world, RANDOM)), notes)

    def close(self) -> None:
        """End the sandbox's workers."""
        self._sandbox.close()


def _world(setting: SuiteSetting) -> World:
    """Load the world: the one that is named, or the one that the run keeps, or the default."""
    if "world" not in setting.options and _WORLD_FILE in setting.files:
        return _kept_world(setting.files[_WORLD_FILE])
    return load_world(setting.options.get("world") or DEFAULT_WORLD)


def _kept_world(source: str) -> World:
    """Read a run's world.json, which this program wrote: whatever is wrong with it, somebody changed it since."""
    try:
        return kept_world(source)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise UsageError(RpgFault.WORLD_CHANGED, file=_WORLD_FILE) from error


def _read_tasks(setting: SuiteSetting, world: World, names: Names) -> Mapping[str, Task]:
    if setting.tasks is not None:
        return load_tasks(setting.tasks, world, names)
    name = setting.dataset or DEFAULT_DATASET
    if world.digest == load_world().digest:
        return renamed_tasks(shipped_tasks(name), world, names)
    with as_file(dataset_path(name)) as path:
        return load_tasks(path, world, names)
