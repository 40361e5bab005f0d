"""The generator of the RPG behind the contract: reads its options, and makes new tasks, a named set, or twins."""

from __future__ import annotations

from collections.abc import Generator as Rows
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from herobench.data.columns import COUNT, TEXT, Column
from herobench.data.errors import InputError, UsageError
from herobench.data.options import parse_brackets
from herobench.data.rows import read_lines
from herobench.suite.generating import GenerateRequest, GeneratorOption, Made, Numbered, TaskGenerator
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import KnowledgeLevel, PlanTrack, Task
from herobench.suites.rpg.game.world import PLAIN, Names, World
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, load_world, thing_named
from herobench.suites.rpg.worlds.renamed import names_in, renamed_row, with_names
from herobench.task_gen.rpg.datasets import DATASETS, dataset, load_task_world, named_world, tasks_at
from herobench.task_gen.rpg.generator import Generator, generator, task_rows
from herobench.task_gen.rpg.tasks.spec import NOISE, KindWish, Spec

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
    wanted = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(spec).items()}
    identity = {**wanted, "rules": rules.name, "world": with_names(world, names).digest}
    return Numbered(TaskRows(world.source, rules, spec, names), identity, COLUMNS, numbers)


def tasks_by_options(world: str = DEFAULT_WORLD, rules: str = "standard", names: str = PLAIN, **spec: Any) -> Numbered:
    """Return tasks by a world, an edition, the names of things, and the fields of a spec. Raise UsageError."""
    try:
        wanted = Spec(**spec)
    except TypeError as error:
        raise UsageError(f"These are no options of tasks: {error}.") from error
    return numbered_tasks(load_world(world), load_rules(rules), wanted, names=names_in({"names": names}))


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


class TaskMaker(TaskGenerator):
    """Makes certified tasks."""

    count = 20
    options = (
        GeneratorOption(
            "difficulty", "Brackets, such as 9, 1-9 or 1,3,5-7; they take turns.", "1-9", "N", parse_brackets
        ),
        GeneratorOption("kind", "Kill a monster, craft an item, or both kinds.", "mixed", "", kind=KindWish),
        GeneratorOption("monster", "Only tasks against this one.", metavar="NAME"),
        GeneratorOption(
            "item", "Only tasks that need this item: as target, missing gear, part or material.", metavar="NAME"
        ),
        GeneratorOption("level", "The hero's level; one that suits when left out.", metavar="", kind=int),
        GeneratorOption(
            "knowledge",
            "What the prompt tells: only what is needed; also other gear for the same slots; everything.",
            "exact",
            "",
            kind=KnowledgeLevel,
        ),
        GeneratorOption(
            "noise", f"Tell N more items that cannot be made; {NOISE} when N is left out.", "0", "[N]", kind=int,
            least=0, bare=f"{NOISE}",
        ),
        GeneratorOption("leveling", "The hero's gathering skills start at level 1.", is_flag=True),
        GeneratorOption("stochastic", "Drops fall by chance.", is_flag=True),
        GeneratorOption(
            "plan", "What plans may hold: calls of actions in counted loops, or a program.", "program", "",
            kind=PlanTrack,
        ),
        GeneratorOption(
            "defeat", "A lost fight costs nothing, a tenth of the score, or the rest of the plan.", "free", "",
            kind=Literal["free", "counted", "final"],
        ),
        GeneratorOption(
            "budget", "Plans may take this multiple of the proven lower bound of actions, 1 or more.", None, "FACTOR",
            kind=float,
        ),
        GeneratorOption(
            "unsolvable", "Close places, so that this share of the tasks is impossible.", metavar="SHARE", kind=float,
            least=0, most=1,
        ),
        GeneratorOption("from", "The number of the first task.", "0", "", kind=int, least=0),
        GeneratorOption(_SET, f"A named set instead: {', '.join(DATASETS)}."),
        GeneratorOption(_TWINS, "For each task of a set or file another one like it.", metavar="SET|FILE"),
        GeneratorOption(
            "world", "A shipped world, a folder of one or of a pack, or remix:SEED; without it that of the set, or "
            f"{DEFAULT_WORLD}.",
        ),
        GeneratorOption("names", "How things are called: as in the world, or by opaque codes.", PLAIN, "", kind=Names),
    )  # fmt: skip

    by_options = staticmethod(tasks_by_options)

    def make(self, request: GenerateRequest) -> Made:
        """Make tasks. Raise UsageError for options that contradict each other."""
        world = _world(request)
        if request.values[_TWINS] is not None:
            return _made_twins(request, world)
        spec, numbers = _wanted(request, world)
        rows = _renamed(task_rows(world, load_rules(), spec, numbers, request.jobs), request, world)
        return Made(len(numbers), rows, _settings(request))

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return the same tasks by their numbers. Raise UsageError for twins."""
        if request.values[_TWINS] is not None:
            raise UsageError("--on makes no twins: each has to differ from all others, which one machine sees to.")
        world = _world(request)
        spec, numbers = _wanted(request, world)
        return numbered_tasks(world, load_rules(), spec, numbers, request.values["names"])


def _world(request: GenerateRequest) -> World:
    return load_task_world(request.values["world"], request.values[_SET])


def _settings(request: GenerateRequest) -> dict[str, str]:
    """Return the settings with which commands read the file that is made."""
    named = named_world(request.values["world"], request.values[_SET])
    settings = {} if named is None else {"world": named}
    return settings if request.values["names"] == PLAIN else {**settings, "names": request.values["names"]}


def _renamed(rows: Rows[Mapping[str, Any]], request: GenerateRequest, world: World) -> Rows[Mapping[str, Any]]:
    """Yield the rows of tasks of a world under the names that are asked for."""
    with closing(rows):
        yield from (renamed_row(row, world, request.values["names"]) for row in rows)


def _wanted(request: GenerateRequest, world: World) -> tuple[Spec, Sequence[int]]:
    """Return the spec of the tasks, and their numbers in it."""
    given = request.values
    if given[_SET] is not None:
        _refuse_beside(_SET, request)
        asked = dataset(given[_SET]).with_seed(request.seed if "seed" in request.given else None)
        return asked.spec, asked.numbers()
    same = ("kind", "level", "knowledge", "leveling", "noise", "stochastic", "plan", "budget", "unsolvable")
    spec = Spec(
        seed=request.seed,
        brackets=given["difficulty"],
        monster=None if given["monster"] is None else thing_named(given["monster"], world.monsters, "monster").code,
        item=None if given["item"] is None else thing_named(given["item"], world.items, "item").code,
        defeat=None if given["defeat"] == "free" else given["defeat"],
        **{name: given[name] for name in same},
    )
    return spec, range(given["from"], given["from"] + (request.count or TaskMaker.count))


def _refuse_beside(option: str, request: GenerateRequest) -> None:
    """Raise UsageError for an option beside a set or beside twins: it would make other tasks."""
    for name in request.given:
        if name != option and name not in _BESIDE_A_SET:
            raise UsageError(f"--{option} fixes all options of its tasks: leave out --{name}.")


def _made_twins(request: GenerateRequest, world: World) -> Made:
    """Make a twin of each task of a set or file."""
    from herobench.task_gen.rpg.twins import Twins, originals  # tasks need it seldom

    _refuse_beside(_TWINS, request)
    tasks = _tasks_of_any_world(request.values[_TWINS])
    wanted = list(originals(tasks, request.seed))
    twins = Twins(world, load_rules(), tasks, wanted)
    return Made(len(wanted), _renamed(twins.rows(request.jobs), request, world), _settings(request), twins.notes())


def _tasks_of_any_world(name: str) -> list[Task]:
    """Return the tasks of a shipped set or of a file. Raise UsageError if there are none."""
    with tasks_at(Path(name)) as path:
        lines = list(read_lines(path, "task"))
    problems = [problem for line in lines for problem in line.problems]
    if problems:
        raise InputError(problems)
    if not lines:
        raise UsageError(f"{name} holds no task: give a file or a set with at least one.")
    return [Task.from_row(line.row) for line in lines]
