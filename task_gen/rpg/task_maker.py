"""The generator of the RPG behind the contract: reads its options, and makes new tasks or a named set.

Task number i of a spec is made from a random stream that depends on nothing else. It is drawn, then planned by the
oracle and certified. A draw that cannot be proven is followed by another one from the same stream. If a share of the
tasks is to be impossible, two tasks of one fight are drawn, and each is proven twice: solvable with some places closed,
and impossible with others. One of them is written.

Tasks do not depend on each other, so several processes can make them, in order and in constant memory; state that one
task leaves behind must never reach another. Processes exchange rows, because tasks hold read-only mappings that cannot
be pickled.
"""

from __future__ import annotations

from collections.abc import Generator as Rows
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from random import Random
from typing import Annotated, Any, Literal

from herobench.data.columns import COUNT, TEXT, Column
from herobench.data.errors import UsageError
from herobench.data.options import Option, parse_numbers
from herobench.suite.generating import GenerateRequest, Made, Numbered, TaskGenerator
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import BRACKETS, KnowledgeLevel, PlanTrack, Task, bracket_steps, to_bracket
from herobench.suites.rpg.game.world import PLAIN, Names, World
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, load_world, thing_named
from herobench.suites.rpg.worlds.renamed import renamed_row, with_names
from herobench.task_gen.rpg.datasets import DATASETS, dataset
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.tasks.proven_tasks import ProvenTasks
from herobench.task_gen.rpg.tasks.spec import NOISE, KindWish, Spec
from herobench.work.engine import Each, Local

_DRAWS = 2000
"""The number of draws at the wanted difficulty before the generator gives it up."""
_OTHER_DRAWS = 100
"""The number of draws at each other difficulty of the bracket after that."""
_PART = 4
"""The part of these draws that goes into each other bracket, to tell which of them are possible."""
WORTH = 10
"""The number of tasks that pays for the start of a process."""
_DRAWS_A_FIGHT = 20
"""The number of draws that one fight stands for: most draws of a fight that is given fail early."""


class Generator:
    """Makes the tasks of a spec in a world."""

    def __init__(self, world: World, rules: Rules, spec: Spec) -> None:
        # Bad options fail here, before any time goes into drawing.
        spec.check(world, rules)
        self.world = world
        self.rules = rules
        self.spec = spec
        self._tasks = ProvenTasks(world, rules, spec)

    def task(self, index: int) -> Task:
        """Return task number `index`. Raises UsageError if the world has no such task."""
        task = self.attempt(index)
        if task is None:
            raise self._impossible(index)
        return task

    def attempt(self, index: int, part: int = 1) -> Task | None:
        """Return task number `index`, or None if the world has no such task. A `part` of 4 draws a quarter as often."""
        rng = self.spec.rng(self.world, index)
        task = next(filter(None, self._draws(index, rng, part)), None)
        # Brackets take turns, so this is its number in its bracket, from 1 on.
        number = 1 + (index if self.spec.steps else index // len(self.spec.brackets))
        return replace(task, id=task_id(self.world, task, number)) if task else None

    def _draws(self, index: int, rng: Random, part: int) -> Iterator[Task | None]:
        """Yield draws of a task: at the wanted difficulty, then at the others of its bracket."""
        if self.spec.unsolvable is None:
            for difficulty, draws in self._difficulties(index, rng, part):
                # If the wanted kind does not exist at this difficulty, the other one is better than none.
                for kind in self._tasks.kinds(difficulty, rng):
                    yield from (self._tasks.draw(kind, difficulty, rng) for _ in range(draws))
            return
        from herobench.task_gen.rpg.unsolvable.closing import ClosedTasks  # few specs close places

        closed_tasks, is_impossible = ClosedTasks(self._tasks), self.spec.is_impossible(index)
        for difficulty, draws in self._difficulties(index, rng, part):
            yield from (closed_tasks.draw(difficulty, is_impossible, rng) for _ in range(draws // _DRAWS_A_FIGHT or 1))

    def _difficulties(self, index: int, rng: Random, part: int) -> Iterator[tuple[int, int]]:
        """Yield the wanted difficulty, then the others of its bracket, each with its number of draws."""
        target = self.spec.difficulty(index)
        # A spec with explicit difficulties gets those or nothing: twins depend on it.
        yield target, _DRAWS // part
        if not self.spec.steps:
            others = [step for step in bracket_steps(to_bracket(target)) if step != target]
            yield from ((step, _OTHER_DRAWS // part) for step in rng.sample(others, len(others)))

    # -- what is possible -------------------------------------------------------------------------------------------

    def _impossible(self, index: int) -> UsageError:
        """Return the error: why there is no such task, and which tasks there are."""
        spec = self.spec
        target = spec.difficulty(index)
        steps = bracket_steps(to_bracket(target))
        kind = "" if spec.kind == "mixed" else f"{spec.kind} "
        request_text = f"difficulty {target}" if spec.steps else f"difficulty {steps[0]} to {steps[-1]}"
        against = f" against {self.world.monsters[spec.monster].name}" if spec.monster else ""
        extras = " and ".join(spec.extras())
        extra = f" with {extras}" if extras else ""
        wish = f"{kind}task of {request_text}{against}{extra}"
        return UsageError(TaskFault.NO_TASK, asked=wish, code=self.world.code, advice=self._advice(index))

    def _advice(self, index: int) -> str:
        """Return which other brackets the same options allow. A task of each is tried: no estimate knows the extras."""
        asked = None if self.spec.steps else to_bracket(self.spec.difficulty(index))
        specs = {other: replace(self.spec, brackets=(other,), steps=()) for other in BRACKETS if other != asked}
        generators = {other: Generator(self.world, self.rules, spec) for other, spec in specs.items()}
        allowed = [str(other) for other, generator in generators.items() if generator.attempt(index, _PART)]
        if allowed:
            return f"such tasks were found for --difficulty {','.join(allowed)}"
        return "none was found for another --difficulty either, so leave an option out"


def task_id(world: World, task: Task, number: int) -> str:
    """Return the id of a task, which people read: its bracket, number, target and kind.

    Nothing parses an id but for the bracket before the slash.
    """
    name = (world.monsters if task.kind == "kill" else world.items)[task.target].name
    return f"{to_bracket(task.difficulty)}/{number}_{name}_{task.kind}"


@lru_cache(maxsize=200)
def generator(world: World, rules: Rules, spec: Spec) -> Generator:
    """Return the generator of a spec. It is cached, because its constructor looks through the whole world."""
    return Generator(world, rules, spec)


# -- many tasks -------------------------------------------------------------------------------------------------------


def task_rows(world: World, rules: Rules, spec: Spec, indices: Iterable[int], jobs: int = 1) -> Rows[dict[str, Any]]:
    """Yield the rows of a spec's tasks, in the order of the indices.

    Close the generator if you stop early, so that its workers end.
    """
    yield from Local(jobs).results(Each(partial(task_row, world, rules, spec), worth=WORTH), indices)


def task_row(world: World, rules: Rules, spec: Spec, index: int) -> dict[str, Any]:
    """Return the row of a task. Raise UsageError if there is no such task."""
    return generator(world, rules, spec).task(index).as_row()


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
        digest = world.digest if names == PLAIN else with_names(world, names).digest
        identity = {**settings, "rules": rules.name, "world": digest}
        return Numbered(partial(_named_row, world, rules, spec, names), identity, COLUMNS, numbers)


def _named_row(world: World, rules: Rules, spec: Spec, names: Names, number: int) -> dict[str, Any]:
    """Return the row of a task under the names that are asked for."""
    row = task_row(world, rules, spec, number)
    return row if names == PLAIN else dict(renamed_row(row, world, names))


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
