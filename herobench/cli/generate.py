"""Make tasks that are proven and certified; the same options and seed give the same bytes.

`herobench generate --suite NAME --help` shows the options of another suite.
"""

# The docstring above is the help text of the command.

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from herobench.cli.on_cluster import FormatOption, OnOption, ShardRowsOption, cluster_of
from herobench.cli.options import JobsOption, SuiteOption, TaskWorldOption, named, said_options
from herobench.cli.rows_out import target_of, write_made
from herobench.cli.say import say
from herobench.data.errors import InputError, UsageError
from herobench.data.ranges import brackets_of, least_and_most
from herobench.task_gen.rpg.tasks.spec import CRAFT_SHARE

if TYPE_CHECKING:
    from herobench.cli.on_cluster import OnCluster
    from herobench.suites.rpg.game.rules import Rules
    from herobench.suites.rpg.game.task import Task
    from herobench.suites.rpg.game.world import World
    from herobench.task_gen.rpg.tasks.spec import Spec

KindChoice = Literal["kill", "craft", "mixed"]
KnowledgeChoice = Literal["exact", "decoys", "world"]
PlanChoice = Literal["straight", "program"]
DefeatChoice = Literal["free", "counted", "final"]

CraftShareOption = Annotated[
    float, typer.Option(min=0, max=1, help="Of mixed tasks, the share of crafts where a difficulty has them.")
]
KnowledgeOption = Annotated[
    KnowledgeChoice,
    typer.Option(help="What is told: just what is needed; other gear for the same slots too; everything."),
]
NoiseOption = Annotated[
    int, typer.Option(min=0, metavar="[N]", help="Tell N more items that cannot be made; 5 when N is left out.")
]
GoalsOption = Annotated[int | None, typer.Option(help="Campaigns: so many goals in order for each task.")]
DecisionsOption = Annotated[
    str | None,
    typer.Option(
        metavar="N|N-M", help="Campaigns of about so many decisions, or from N to M, evenly over the logarithm."
    ),
]
DefeatOption = Annotated[
    DefeatChoice, typer.Option(help="A lost fight costs nothing, a tenth of the score, or the rest of the plan.")
]
BudgetOption = Annotated[
    float | None,
    typer.Option(metavar="FACTOR", help="Plans may take so many times the proven lower bound of actions, 1 or more."),
]
PlanOption = Annotated[
    PlanChoice, typer.Option(help="What plans may hold: calls of actions in counted loops, or a program.")
]
StockOption = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        metavar="SHARE",
        help="The share of told gear that the hero of campaigns with decoys has at first.",
    ),
]
LevelingOption = Annotated[
    bool,
    typer.Option("--leveling", help="The hero starts too low: his skills, and in campaigns with decoys his level."),
]
LevelingShareOption = Annotated[
    float,
    typer.Option(min=0, max=1, metavar="SHARE", help="Of campaigns with --leveling, the share that have it."),
]
UnsolvableOption = Annotated[
    float | None,
    typer.Option(min=0, max=1, metavar="SHARE", help="Close places, so that this share of the tasks is impossible."),
]
OutputOption = Annotated[
    str | None, typer.Option("--output", "-o", help="The file to write, - for the screen. \\[default: tasks.jsonl]")
]
SetOption = Annotated[
    str | None, typer.Option(help="A named set instead: horizon, base, leveling, noise, decoys or paper.")
]
TwinOption = Annotated[
    str | None, typer.Option(metavar="SET|FILE", help="For each task of a set or file another one like it.")
]

_GO_WITH_A_SET = frozenset(
    ["dataset", "twin_of", "seed", "output", "world_name", "jobs", "suite", "on", "shard_rows", "format"]
)


def generate(
    context: typer.Context,
    difficulty: Annotated[str, typer.Option(help="Brackets, such as 9, 1-9 or 1,3,5-7; they take turns.")] = "1-9",
    count: Annotated[int, typer.Option(min=1, help="How many tasks.")] = 20,
    kind: Annotated[KindChoice, typer.Option(help="Kill a monster, craft an item, or both kinds.")] = "mixed",
    craft_share: CraftShareOption = CRAFT_SHARE,
    monster: Annotated[str | None, typer.Option(help="Only tasks against this one.")] = None,
    level: Annotated[int | None, typer.Option(help="The hero's level; one that suits when left out.")] = None,
    knowledge: KnowledgeOption = "exact",
    noise: NoiseOption = 0,
    goals: GoalsOption = None,
    decisions: DecisionsOption = None,
    stock: StockOption = None,
    leveling: LevelingOption = False,
    leveling_share: LevelingShareOption = 1.0,
    stochastic: Annotated[bool, typer.Option("--stochastic", help="Drops fall by chance.")] = False,
    plan: PlanOption = "program",
    defeat: DefeatOption = "free",
    budget: BudgetOption = None,
    unsolvable: UnsolvableOption = None,
    seed: Annotated[
        int | None, typer.Option(help="Of the tasks: another seed makes other tasks. \\[default: 0]")
    ] = None,
    start: Annotated[int, typer.Option("--from", min=0, help="The number of the first task.")] = 0,
    dataset: SetOption = None,
    twin_of: TwinOption = None,
    output: OutputOption = None,
    world_name: TaskWorldOption = None,
    jobs: JobsOption = None,
    suite: SuiteOption = "rpg",
    on: OnOption = None,
    shard_rows: ShardRowsOption = None,
    format: FormatOption = None,
) -> None:
    """Make tasks."""
    from herobench.suites.rpg.worlds.content import load_rules
    from herobench.task_gen.rpg.datasets import named_world, world_of

    cluster = cluster_of(on, output, shard_rows, format, jobs)
    world, rules = world_of(world_name, dataset), load_rules()
    target = None if cluster else target_of(output)
    if twin_of is not None:
        if cluster:
            raise UsageError("--on makes no twins: each has to differ from all others, which one machine sees to.")
        _goes_alone(context, "twin_of")
        _make_twins(world, rules, _tasks(twin_of), seed or 0, jobs, target, named_world(world_name))
        return
    if dataset is not None:
        spec, numbers = _named_set(context, dataset, seed)
    else:
        spec, numbers = _spec(context, world), range(start, start + count)
    if cluster:
        _make_on(cluster, world, rules, spec, numbers)
    else:
        _make(world, rules, spec, numbers, jobs, target, named_world(world_name, dataset))


def _refuse_difficulty(context: typer.Context, goals: int | None, decisions: str | None) -> None:
    """Raise UsageError if a campaign is asked for by its difficulty, which follows from its goals."""
    if (goals is not None or decisions is not None) and "difficulty" in said_options(context):
        raise UsageError("Campaigns are made by their goals or decisions: leave out --difficulty.")


def _spec(context: typer.Context, world: World) -> Spec:
    """Return the options of the tasks. Those that a spec has by the same name are taken as they were given."""
    from herobench.task_gen.rpg.tasks.spec import Spec

    given = context.params
    _refuse_difficulty(context, given["goals"], given["decisions"])
    same = (
        "kind", "craft_share", "level", "knowledge", "leveling", "leveling_share", "noise", "stochastic", "plan",
        "budget", "goals",
    )  # fmt: skip
    return Spec(
        seed=given["seed"] or 0,
        brackets=brackets_of(given["difficulty"]),
        monster=named(given["monster"], world.monsters, "monster").code if given["monster"] is not None else None,
        defeat=None if given["defeat"] == "free" else given["defeat"],
        decisions=_range_of(given["decisions"]),
        stock=given["stock"],
        unsolvable=given["unsolvable"],
        **{name: given[name] for name in same},
    )


def _range_of(decisions: str | None) -> tuple[int, int] | None:
    """Read the value of --decisions: one number, or the least and the most."""
    if decisions is None:
        return None
    ends = least_and_most(decisions)
    if ends is None:
        raise UsageError(f"--decisions is {decisions!r}: give a number or a range, such as 100 or 4-4000.")
    return ends


def _named_set(context: typer.Context, name: str, seed: int | None) -> tuple[Spec, Sequence[int]]:
    from herobench.task_gen.rpg.datasets import dataset

    _goes_alone(context, "dataset")
    asked = dataset(name).with_seed(seed)
    return asked.spec, asked.numbers()


def _make(
    world: World,
    rules: Rules,
    spec: Spec,
    numbers: Sequence[int],
    jobs: int | None,
    target: Path | None,
    named: str | None,
) -> None:
    from herobench.task_gen.rpg.stream import processes, task_rows

    # Closing ends the workers if the file cannot be written.
    with closing(task_rows(world, rules, spec, numbers, processes(len(numbers), jobs))) as rows:
        write_made(target, rows, len(numbers), world=named)


def _make_on(cluster: OnCluster, world: World, rules: Rules, spec: Spec, numbers: Sequence[int]) -> None:
    from herobench.task_gen.rpg.task_maker import numbered_tasks

    cluster.make(numbered_tasks(world, rules, spec, numbers))


def _make_twins(
    world: World,
    rules: Rules,
    tasks: Sequence[Task],
    seed: int,
    jobs: int | None,
    target: Path | None,
    named: str | None,
) -> None:
    from herobench.task_gen.rpg.stream import processes, rows_of
    from herobench.task_gen.rpg.twins import Twins, originals, twin

    wanted = list(originals(tasks, seed))
    twins = Twins(world, rules, tasks, wanted)
    with closing(rows_of(world, rules, twin, wanted, processes(len(wanted), jobs))) as rows:
        write_made(target, twins.told_apart(rows), len(wanted), world=named)
    for note in twins.notes():
        say(note, err=True)


def _tasks(name: str) -> list[Task]:
    """Return the tasks of a shipped set or of a file, whatever their world."""
    from herobench.data.rows import read_lines
    from herobench.suites.rpg.game.task import Task
    from herobench.task_gen.rpg.datasets import tasks_at

    with tasks_at(Path(name)) as path:
        lines = list(read_lines(path, "task"))
    problems = [problem for line in lines for problem in line.problems]
    if problems:
        raise InputError(problems)
    if not lines:
        raise UsageError(f"{name} holds no task: give a file or a set with at least one.")
    return [Task.from_row(line.row) for line in lines]


def _goes_alone(context: typer.Context, named: str) -> None:
    """Raise UsageError if options stand beside a named set: they would make it another set."""
    for name in said_options(context):
        other = name not in _GO_WITH_A_SET or (name in ("dataset", "twin_of") and name != named)
        if other:
            option = "from" if name == "start" else name.replace("_", "-")
            raise UsageError(f"--{named.replace('_', '-')} fixes all options of its tasks: leave out --{option}.")
