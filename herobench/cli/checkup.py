"""Check a model on all suites: one command, a price before it starts, and one page at the end.

It asks the parts that the installed suites declare, each row of them as an
ordinary run in one folder, and writes checkup.html there. Before that it
shows tokens, money and time by run.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from herobench.checkup.figures import CheckedModel
from herobench.checkup.folder import FILE, Checkup, new_seed, read_checkup
from herobench.checkup.page import as_markdown, as_rows, summary, write_checkup_page
from herobench.checkup.price import LIKELY, MODELS, THOUGHTS, Bill, Sizes, Terms
from herobench.checkup.work import check_model, is_player, work
from herobench.cli.commands import Group, with_options
from herobench.cli.run_view import duration, view
from herobench.cli.say import say, say_json, say_text, write_document, write_output
from herobench.cli.table import plain_console, print_facts, print_table
from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.runs.folder import remember
from herobench.runs.options import KEPT, RunRequest, request_of
from herobench.runs.runner import INTERRUPTED
from herobench.runs.session import RunCallbacks, made_up_path
from herobench.suite.checkup_parts import load_parts

if TYPE_CHECKING:
    from herobench.cli.table import Screen

app = Group(needs_command=False)
_OPTIONS = (
    "model", "fresh", "base-url", "api", "prices", "max-tokens", "temperature", "top-p", "reasoning-effort",
    "extra-body", "max-connections", "rpm", "tpm", "max-retries", "timeout", "stream", "jobs", "api-key-env",
    "cache", "adaptive",
)  # fmt: skip
"""The options of `run` that make sense for all its runs."""
_LATER = ("budget", "public", "fresh")
"""The options that a checkup keeps from its beginning."""


@app.callback(invoke_without_command=True)
@with_options(RunRequest, *KEPT.values(), only=_OPTIONS)
def checkup(
    context: typer.Context,
    fields: Mapping[str, Any],
    output: Annotated[
        Path | None, Option("The checkup's folder.", "output", short="-o", metavar="DIR", shown="runs/...")
    ] = None,
    resume: Annotated[Path | None, Option("Resume a checkup.", metavar="DIR")] = None,
    budget: Annotated[
        float | None,
        Option("Leave out what could cost more, by --prices.", metavar="MONEY", least=0, shown="no limit"),
    ] = None,
    public: Annotated[
        bool, Option("Ask the shipped tasks, which anyone may know by heart, and no fresh ones.", "public")
    ] = False,
    thoughts: Annotated[
        int | None,
        Option(
            "The tokens that the model thinks before each answer, for the price.",
            metavar="TOKENS",
            least=0,
            shown="1000; a player: 0",
        ),
    ] = None,
    dry_run: Annotated[bool, Option("Show what it takes, and ask nothing.", "dry-run")] = False,
    as_json: Annotated[bool, Option("Print events as JSON lines.", "json")] = False,
) -> None:
    """Check a model."""
    if context.invoked_subcommand:
        return
    request = request_of(fields, {})
    if resume is not None:
        if output is not None or dry_run or (budget, public, fields.get("fresh")) != (None, False, None):
            raise UsageError(f"--resume names a checkup that keeps its folder, {', '.join(_LATER)}: leave them out.")
        _ask_all(read_checkup(resume), request, as_json=as_json)
        return
    if public and "fresh" in request:
        raise UsageError("--public asks the shipped tasks, and --fresh private ones: leave one out.")
    plan, terms = _plan_checkup(request, output, budget, thoughts, is_public=public)
    if as_json:
        say_json({"event": "plan", **_plan_row(plan, terms)}, indent=None)
    else:
        _print_plan(plan, terms)
    if not dry_run:
        if not (as_json or is_player(plan.model, plan.parts)):
            _confirm()
        remember(plan.settings)
        plan.write()
        _ask_all(plan, request, as_json=as_json)


def _confirm() -> None:
    """Ask on a terminal whether to begin. End the command if the answer is no."""
    if sys.stdin.isatty() and sys.stderr.isatty() and not typer.confirm("Begin?", default=True, err=True):
        raise typer.Exit(0)


def _plan_checkup(
    request: RunRequest,
    output: Path | None,
    budget: float | None,
    thoughts: int | None,
    *,
    is_public: bool,
) -> tuple[Checkup, Terms]:
    """Return the checkup that is asked for and what its price follows from; one that is in the folder already stays."""
    fresh = request.pop("fresh", None)
    parts = load_parts()
    price, settings = check_model(request, budget, parts)
    model = str(request["model"])
    usual = 0 if is_player(model, parts) else THOUGHTS
    connections = int((request.get("conduct") or {}).get("connections", 10))
    terms = Terms(parts, price, usual if thoughts is None else thoughts, connections)
    folder = output or made_up_path("checkup--", model)
    before = read_checkup(folder, parts) if (folder / FILE).is_file() else None
    other = new_seed() if fresh in (None, True) else int(fresh)
    seed = before.seed if before and fresh is None else other
    if is_public:
        seed = None
    sizes = terms.within(budget)
    plan = Checkup(folder, model, seed, sizes, parts, budget, settings)
    if before and before != plan:
        raise UsageError(f"Another checkup is in {folder}: herobench checkup --resume {shlex.quote(str(folder))}")
    return plan, terms


def _ask_all(plan: Checkup, request: RunRequest, *, as_json: bool) -> None:
    """Ask all that is owed, and write the page."""
    display = view(as_json=as_json)

    def callbacks(run: str, number: int, of: int) -> RunCallbacks:
        display.begin(run, number, of)
        return RunCallbacks(display.tell, display.watch, sys.argv)

    again = f"To resume: herobench checkup --resume {shlex.quote(str(plan.folder))}"
    try:
        endings = list(work(plan, request, callbacks))
    except KeyboardInterrupt:  # while tasks are made: a run says how it ended
        say(again, err=True)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        display.close()
    stop = next((ending for ending in endings if ending.reason not in (None, "unanswered")), None)
    owing = [str(ending.path) for ending in endings if not ending.complete]
    if stop is None:
        _show_result(plan, as_json=as_json)
    if stop or owing:
        reason = stop.message if stop else f"Some attempts were not measured, in {', '.join(owing)}."
        say(f"{reason} {again}", err=True)
        raise typer.Exit(INTERRUPTED if stop and stop.reason == "interrupted" else 1)


# -- what it takes ----------------------------------------------------------------------------------------------------


def _plan_row(plan: Checkup, terms: Terms) -> dict[str, Any]:
    bills = {model: [_bill_row(bill, terms) for bill in terms.bills(plan.sizes, model)] for model in MODELS}
    steps = [{"run": run, "tasks": tasks, "cost": cost} for run, tasks, cost in terms.costs()]
    own = {"folder": str(plan.folder), "seed": plan.seed, "budget": plan.budget, "sizes": dict(plan.sizes)}
    own |= dict(zip(("largest_prompt", "longest_reply"), terms.context(plan.sizes) or (None, None), strict=True))
    return {**own, "thoughts": terms.thoughts, "bills": bills, "steps": steps if terms.price else []}


def _bill_row(bill: Bill, terms: Terms) -> dict[str, Any]:
    return {
        "run": bill.run,
        "tasks": bill.tasks,
        "calls": round(bill.calls),
        "prompt_tokens": round(bill.prompt),
        "reply_tokens": round(bill.reply),
        "seconds": round(bill.seconds),
        "cost": bill.cost(terms.price),
    }


def _print_plan(plan: Checkup, terms: Terms) -> None:
    """Print what the checkup takes by part, what of other models, and what a smaller budget leaves out."""
    console = plain_console()
    bills = list(terms.bills(plan.sizes, LIKELY))
    heads = ("tasks", "calls", "tokens of prompts", "of replies", "cost", "time")
    title = f"A checkup of {plan.model}; figures for a {LIKELY} model that thinks {terms.thoughts:,} tokens an answer."
    console.print(title, soft_wrap=True)
    print_table(console, ["run"], heads, [*map(_cells(terms), bills), _cells(terms)(_sum("all", bills))])
    others = {model: _sum(model, list(terms.bills(plan.sizes, model))) for model in MODELS}
    capped = "" if plan.budget is None else f"; a run ends when the checkup has cost its budget of {plan.budget:g}"
    console.print(f"The same for other models{capped}:", soft_wrap=True)
    print_table(console, ["model"], heads, map(_cells(terms, plan.budget), others.values()))
    if largest := terms.context(plan.sizes):
        prompt, reply = largest
        console.print(
            f"The largest prompt has about {prompt:,} tokens and the longest reply about {reply:,}: the model's "
            f"context must hold {prompt + reply:,}, or it loses the longest tasks.",
            soft_wrap=True,
        )
    _print_left_out(console, plan.sizes, terms)
    tasks = "shipped ones, which anyone may know" if plan.seed is None else f"fresh ones of the seed {plan.seed}"
    console.print(f"The tasks are {tasks}. The folder is {plan.folder}.", soft_wrap=True)


def _sum(name: str, bills: list[Bill]) -> Bill:
    whole = {field: sum(getattr(bill, field) for bill in bills) for field in Bill.__slots__ if field != "run"}
    return Bill(name, **whole)


def _cells(terms: Terms, most: float | None = None) -> Any:
    def cells(bill: Bill) -> tuple[str, ...]:
        cost = bill.cost(terms.price)
        money = "not known" if cost is None else f"{cost:.2f}"
        if cost is not None and most is not None and cost > most:
            money = f"{most:.2f} of {cost:.2f}"
        counts = (f"{round(count):,}" for count in (bill.tasks, bill.calls, bill.prompt, bill.reply))
        return (bill.run, *counts, money, duration(bill.seconds))

    return cells


def _print_left_out(console: Screen, sizes: Sizes, terms: Terms) -> None:
    """Print what is left out, and what a smaller budget would leave out: runs grow in a fixed order."""
    whole = terms.whole()
    short = [f"{run} ({sizes.get(run, 0)} of {size} tasks)" for run, size in whole.items() if sizes.get(run, 0) < size]
    if short:
        console.print(f"The budget leaves out: {', '.join(short)}.", soft_wrap=True)
    if terms.price is None:
        console.print("The money is not known without --prices FILE; it is in the currency of that file.")
        return
    console.print("A smaller budget leaves out the last of these first:")
    rows = [(run, str(tasks), f"{cost:.2f}") for run, tasks, cost in terms.costs()]
    print_table(console, ["run"], ("tasks", "from a budget of"), rows)


# -- results --------------------------------------------------------------------------------------------------------


def _show_result(plan: Checkup, *, as_json: bool) -> None:
    """Write the page and the reports, and print the main figures."""
    subject = CheckedModel.read(plan.folder)
    page = write_checkup_page([subject], plan.folder / "checkup.html", with_reports=True)
    if not as_json:
        print_facts(plain_console(), {**summary(subject), "page": str(page)}, whole=["page"])


@app.command("show")
def show(
    folders: Annotated[list[Path], Option("Folders of checkups.", metavar="DIR...", is_argument=True)],
    form: Annotated[Literal["md", "json", "html"], Option("How to show them.", "format")] = "md",
    output: Annotated[Path | None, Option("The file to write; needed for html.", "output", short="-o")] = None,
) -> None:
    """Show checkups side by side: their figures, and the ratio of their horizons."""
    if form == "html" and output is None:
        raise UsageError("Say where the page goes: -o checkups.html.")
    subjects = [CheckedModel.read(folder) for folder in folders]
    if form == "html" and output is not None:
        write_checkup_page(subjects, output)
        say(f"{len(subjects)} checkup{'s' * (len(subjects) != 1)} in {output}", err=True)
        return
    if form == "json":
        write_document(as_rows(subjects), output)
    else:
        write_output(as_markdown(subjects), output, say_text)
