"""The generator of the RPG behind the contract: reads its options, and makes new tasks, a named set, or twins."""

from __future__ import annotations

from collections.abc import Generator as Rows
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from herobench.data.columns import COUNT, TEXT, Column
from herobench.data.errors import InputError, UsageError
from herobench.data.options import Option, parse_numbers
from herobench.data.rows import read_lines
from herobench.suite.generating import GenerateRequest, Made, Numbered, TaskGenerator
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import KnowledgeLevel, PlanTrack, Task
from herobench.suites.rpg.game.world import PLAIN, Names, World
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, load_world, thing_named
from herobench.suites.rpg.worlds.renamed import renamed_row, with_names
from herobench.task_gen.rpg.datasets import DATASETS, dataset, tasks_at
from herobench.task_gen.rpg.generator import Generator, generator, task_rows
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.tasks.spec import BRACKETS, NOISE, KindWish, Spec

COLUMNS = (
    Column("id", TEXT, "The task."),
    Column("kind", TEXT, "kill or craft."),
    Column("target", TEXT, "The code of the monster to beat or the item to make."),
    Column("difficulty", COUNT, "The total difficulty."),
)


def numbered_tasks(
    world: World, rules: Rules, spec: Spec, numbers: Sequence[int] = (), names: Names = PLAIN
) -> Numbered:
    """Return the tasks of a spec by their numbers. Raise UsageError for a spec that no task can have."""
    generator(world, rules, spec)  # a bad spec fails here, before any process starts
    settings = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(spec).items()}
    identity = {**settings, "rules": rules.name, "world": with_names(world, names).digest}
    return Numbered(TaskRows(world.source, rules, spec, names), identity, COLUMNS, numbers)


class TaskRows:
    """Makes the rows of tasks. It opens a generator for the first one, and is sent to other processes without it."""

    def __init__(self, world: str, rules: Rules, spec: Spec, names: Names) -> None:
        self._given = world, rules, spec, names

    def __reduce__(self) -> tuple[Any, ...]:
        return TaskRows, self._given

    @cached_property
    def _world(self) -> World:
        return World.from_source(self._given[0])

    @cached_property
    def _generator(self) -> Generator:
        _, rules, spec, _ = self._given
        return generator(self._world, rules, spec)

    def __call__(self, number: int) -> dict[str, Any]:
        """Return the row of a task. Raise UsageError if there is no such task."""
        return dict(renamed_row(self._generator.task(number).as_row(), self._world, self._given[-1]))


_TWINS, _SET = "twin-of", "dataset"
_BESIDE_A_SET = frozenset(["seed", "world", "names"])
"""The options that may stand beside one that fixes all others."""
_BRACKETS = tuple(BRACKETS[:9])


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """The options by which users choose the tasks that are made."""

    difficulty: Annotated[
        tuple[int, ...],
        Option("Brackets, such as 9, 1-9 or 1,3,5-7; they take turns.", metavar="N", shown="1-9", read=parse_numbers),
    ] = _BRACKETS
    kind: Annotated[KindWish, Option("Kill a monster, craft an item, or both kinds.")] = "mixed"
    monster: Annotated[str | None, Option("Only tasks against this one.", metavar="NAME")] = None
    item: Annotated[
        str | None,
        Option("Only tasks that need this item: as target, missing gear, part or material.", metavar="NAME"),
    ] = None
    level: Annotated[int | None, Option("The hero's level; one that suits when left out.")] = None
    knowledge: Annotated[
        KnowledgeLevel,
        Option("What the prompt tells: only what is needed; also other gear for the same slots; everything."),
    ] = "exact"
    noise: Annotated[
        int,
        Option(
            f"Tell N more items that cannot be made; {NOISE} when N is left out.",
            metavar="[N]",
            least=0,
            bare=f"{NOISE}",
        ),
    ] = 0
    leveling: Annotated[bool, Option("The hero's gathering skills start at level 1.")] = False
    stochastic: Annotated[bool, Option("Drops fall by chance.")] = False
    plan: Annotated[PlanTrack, Option("What plans may hold: calls of actions in counted loops, or a program.")] = (
        "program"
    )
    defeat: Annotated[
        Literal["free", "counted", "final"],
        Option("A lost fight costs nothing, a tenth of the score, or the rest of the plan."),
    ] = "free"
    budget: Annotated[
        float | None,
        Option("Plans may take this multiple of the proven lower bound of actions, 1 or more.", metavar="FACTOR"),
    ] = None
    unsolvable: Annotated[
        float | None,
        Option("Close places, so that this share of the tasks is impossible.", metavar="SHARE", least=0, most=1),
    ] = None
    first: Annotated[int, Option("The number of the first task.", "from", least=0)] = 0
    dataset: Annotated[str | None, Option(f"A named set instead: {', '.join(DATASETS)}.")] = None
    twin_of: Annotated[
        str | None, Option("For each task of a set or file another one like it.", metavar="SET|FILE")
    ] = None
    world: Annotated[
        str | None,
        Option(
            "A shipped world, a folder of one or of a pack, or remix:SEED.",
            shown=f"that of the set, or {DEFAULT_WORLD}",
        ),
    ] = None
    names: Annotated[Names, Option("How things are called: as in the world, or by opaque codes.")] = PLAIN


class TaskMaker(TaskGenerator):
    """Makes certified tasks."""

    count = 20
    options = TaskOptions

    def make(self, request: GenerateRequest) -> Made:
        """Make tasks. Raise UsageError for options that contradict each other."""
        world = _world(request)
        if request.options.twin_of is not None:
            return _made_twins(request, world)
        spec, numbers = _spec_and_numbers(request, world)
        rows = _rename_rows(task_rows(world, load_rules(), spec, numbers, request.jobs), request, world)
        return Made(len(numbers), rows, _settings(request))

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return the same tasks by their numbers. Raise UsageError for twins."""
        if request.options.twin_of is not None:
            raise UsageError(TaskFault.TWINS_ON_CLUSTER)
        world = _world(request)
        spec, numbers = _spec_and_numbers(request, world)
        return numbered_tasks(world, load_rules(), spec, numbers, request.options.names)


def _world(request: GenerateRequest) -> World:
    return load_world(request.options.world or DEFAULT_WORLD)


def _settings(request: GenerateRequest) -> dict[str, str]:
    """Return the settings with which commands read the file that is made."""
    world_name = request.options.world
    settings = {} if world_name in (None, DEFAULT_WORLD) else {"world": world_name}
    return settings if request.options.names == PLAIN else {**settings, "names": request.options.names}


def _rename_rows(rows: Rows[Mapping[str, Any]], request: GenerateRequest, world: World) -> Rows[Mapping[str, Any]]:
    """Yield the rows of tasks of a world under the names that are asked for."""
    with closing(rows):
        yield from (renamed_row(row, world, request.options.names) for row in rows)


def _spec_and_numbers(request: GenerateRequest, world: World) -> tuple[Spec, Sequence[int]]:
    """Return the spec of the tasks, and their numbers in it."""
    options: TaskOptions = request.options
    if options.dataset is not None:
        _refuse_beside(_SET, request)
        source = dataset(options.dataset).with_seed(request.seed if "seed" in request.given else None)
        return source.spec, source.numbers()
    same = ("kind", "level", "knowledge", "leveling", "noise", "stochastic", "plan", "budget", "unsolvable")
    spec = Spec(
        seed=request.seed,
        brackets=options.difficulty,
        monster=None if options.monster is None else thing_named(options.monster, world.monsters, "monster").code,
        item=None if options.item is None else thing_named(options.item, world.items, "item").code,
        defeat=None if options.defeat == "free" else options.defeat,
        **{name: getattr(options, name) for name in same},
    )
    return spec, range(options.first, options.first + (request.count or TaskMaker.count))


def _refuse_beside(option: str, request: GenerateRequest) -> None:
    """Raise UsageError for an option beside a set or beside twins: it would make other tasks."""
    for name in request.given:
        if name != option and name not in _BESIDE_A_SET:
            raise UsageError(TaskFault.OPTIONS_FIXED, option=option, name=name)


def _made_twins(request: GenerateRequest, world: World) -> Made:
    """Make a twin of each task of a set or file."""
    from herobench.task_gen.rpg.twins import Twins, originals  # tasks need it seldom

    _refuse_beside(_TWINS, request)
    tasks = _tasks_of_any_world(request.options.twin_of)
    originals_used = list(originals(tasks, request.seed))
    twins = Twins(world, load_rules(), tasks, originals_used)
    return Made(
        len(originals_used), _rename_rows(twins.rows(request.jobs), request, world), _settings(request), twins.notes()
    )


def _tasks_of_any_world(name: str) -> list[Task]:
    """Return the tasks of a shipped set or of a file. Raise UsageError if there are none."""
    with tasks_at(Path(name)) as path:
        lines = list(read_lines(path, "task"))
    problems = [problem for line in lines for problem in line.problems]
    if problems:
        raise InputError(problems)
    if not lines:
        raise UsageError(TaskFault.NO_TASKS, name=name)
    return [Task.from_row(line.row) for line in lines]
