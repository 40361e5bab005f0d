"""The generator of the RPG behind the contract: reads its options, and makes new tasks or a named set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal

from herobench.data.columns import COUNT, TEXT, Column
from herobench.data.errors import UsageError
from herobench.data.options import Option, parse_numbers
from herobench.suite.generating import GenerateRequest, Made, Numbered, TaskGenerator
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import KnowledgeLevel, PlanTrack
from herobench.suites.rpg.game.world import PLAIN, Names, World
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, load_world, thing_named
from herobench.suites.rpg.worlds.renamed import renamed_row, with_names
from herobench.task_gen.rpg.datasets import DATASETS, dataset
from herobench.task_gen.rpg.generator import WORTH, generator, task_row
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.tasks.spec import BRACKETS, NOISE, KindWish, Spec

COLUMNS = (
    Column("id", TEXT, "The task."),
    Column("kind", TEXT, "kill or craft."),
    Column("target", TEXT, "The code of the monster to beat or the item to make."),
    Column("difficulty", COUNT, "The total difficulty."),
)


_BESIDE_A_SET = frozenset(["dataset", "seed", "world", "names"])
"""The options that may stand beside a named set, which fixes all others."""
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
    world: Annotated[
        str | None,
        Option(
            "A shipped world or a folder.",
            shown=f"that of the set, or {DEFAULT_WORLD}",
        ),
    ] = None
    names: Annotated[Names, Option("How things are called: as in the world, or by opaque codes.")] = PLAIN


class TaskMaker(TaskGenerator):
    """Makes certified tasks."""

    count = 20
    worth = WORTH
    options = TaskOptions

    def make(self, request: GenerateRequest) -> Made:
        """Make tasks. Raise UsageError for options that contradict each other."""
        return replace(super().make(request), settings=_settings(request))

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return the same tasks by their numbers."""
        world, rules, names = load_world(request.options.world or DEFAULT_WORLD), load_rules(), request.options.names
        spec, numbers = _spec_and_numbers(request, world)
        generator(world, rules, spec)  # a bad spec fails here, before any process starts
        settings = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(spec).items()}
        identity = {**settings, "rules": rules.name, "world": with_names(world, names).digest}
        return Numbered(partial(_named_row, world, rules, spec, names), identity, COLUMNS, numbers)


def _named_row(world: World, rules: Rules, spec: Spec, names: Names, number: int) -> dict[str, Any]:
    """Return the row of a task under the names that are asked for."""
    return dict(renamed_row(task_row(world, rules, spec, number), world, names))


def _settings(request: GenerateRequest) -> dict[str, str]:
    """Return the settings with which commands read the file that is made."""
    world_name = request.options.world
    settings = {} if world_name in (None, DEFAULT_WORLD) else {"world": world_name}
    return settings if request.options.names == PLAIN else {**settings, "names": request.options.names}


def _spec_and_numbers(request: GenerateRequest, world: World) -> tuple[Spec, Sequence[int]]:
    """Return the spec of the tasks, and their numbers in it."""
    options: TaskOptions = request.options
    if options.dataset is not None:
        _refuse_beside_a_set(request)
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


def _refuse_beside_a_set(request: GenerateRequest) -> None:
    """Raise UsageError for an option beside a set: it would make other tasks."""
    for name in request.given:
        if name not in _BESIDE_A_SET:
            raise UsageError(TaskFault.OPTIONS_FIXED, option="dataset", name=name)
