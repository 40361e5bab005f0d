"""Find which single skill of a model predicts that its long plans are lost.

Name runs of the suite rpg and runs of the suite acp that asked questions about the hero's world, of the same models:

    herobench run --suite acp --dataset hero-v3 -m MODEL -o runs/questions
    herobench diagnose runs/plans runs/questions

Plans and answers are joined by task. A skill predicts lost plans if, among
tasks of one bracket, plans are won more often where the answer is right.
Beside that stand the first skill that fails along a chain, and the success
that the rate of right next actions predicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from herobench.analysis.diagnosis.diagnosis import Diagnosis, Policy, SkillChain, write_page
from herobench.analysis.diagnosis.diagnosis import diagnose as diagnosed
from herobench.analysis.diagnosis.prediction import probes_in, subjects
from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import GroupNames
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.samples.frame import frame
from herobench.analysis.samples.sources import Source, lacking, read_sources, refuse_inputs
from herobench.analysis.statistics.findings import mixtures
from herobench.cli.options import JobsOption, RunsArgument
from herobench.cli.say import say, write_document
from herobench.cli.table import plain_console, print_facts, print_table
from herobench.data.documents import parse_line
from herobench.data.errors import InputError, UsageError
from herobench.task_gen.rpg.twins import content_digest
from herobench.work.engine import Local

if TYPE_CHECKING:
    import pandas as pd

    from herobench.cli.screen import Screen

Format = Literal["table", "json", "html"]
_PERCENT = 100.0


def diagnose(
    runs: RunsArgument,
    form: Annotated[Format, typer.Option("--format", help="How to show it.")] = "table",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write; needed for html.")] = None,
    jobs: JobsOption = None,
) -> None:
    """Find the skill that predicts lost plans."""
    if form == "html" and output is None:
        raise UsageError("Say where the page goes: -o diagnosis.html.")
    if form == "table" and output is not None:
        raise UsageError("A table is for the screen: choose another --format for a file.")
    sources = read_sources(runs)
    if output is not None:
        refuse_inputs(sources, output)
    samples = frame(sources, Local(jobs or 1))
    _refuse_empty(sources, samples)
    suite, probes = probes_in(samples)
    found = [diagnosed(one, probes) for one in subjects(samples, _digests(sources, probes.suite))]
    settings = {**load_reading(probes.suite).settings, **load_reading(suite).settings}
    notes = [*lacking(sources, samples.run), *mixtures([samples], settings)]
    group = load_reading(probes.suite).group
    if form == "json":
        write_document({"schema": 1, "group": group, "models": [one.as_row() for one in found], "notes": notes}, output)
        return
    for note in notes:
        say(note, err=True)
    names = load_reading(probes.suite).group_names({each.name for one in found for each in one.groups})
    found = [_named(one, names) for one in found]
    if form == "html" and output is not None:
        write_page(output, found, names.title, notes)
        say(f"{len(found)} model{'s' * (len(found) != 1)} in {output}", err=True)
        return
    for one in found:
        _print(one, names.title)


def _named(found: Diagnosis, names: GroupNames) -> Diagnosis:
    """Return a diagnosis with the names under which groups are shown."""
    return replace(found, groups=tuple(replace(group, name=names.short(group.name)) for group in found.groups))


def _refuse_empty(sources: Sequence[Source], samples: pd.DataFrame) -> None:
    """Raise UsageError for a run or file without samples: what it was meant to bring would be missed elsewhere."""
    for source in sources:
        if not (samples.run == source.name).any():
            raise UsageError(f"There are no samples in {source.path} yet.")


def _digests(sources: Sequence[Source], suite: str) -> dict[tuple[str, str], str]:
    """Return the digest of each task that the runs of a suite keep, by run and task id."""
    found = {}
    for source in sources:
        tasks = source.folder / "tasks.jsonl" if source.folder else None
        if (
            tasks is None
            or not tasks.exists()
            or source.manifest is None
            or source.manifest["config"]["suite"] != suite
        ):
            continue
        for number, line in enumerate(tasks.read_bytes().splitlines(), 1):
            row, problems = parse_line(line, f"{tasks}:{number}")
            if problems:
                raise InputError(problems)
            found[source.name, str(row["id"])] = content_digest(row).hex()
    return found


# -- for people -------------------------------------------------------------------------------------------------------


def _print(found: Diagnosis, group: str) -> None:
    console = plain_console()
    console.print(found.name, soft_wrap=True)
    console.print(found.finding, soft_wrap=True)
    print_table(console, ["skill"], _SKILL_COLUMNS, _skill_rows(found))
    if found.groups:
        skills = list(found.groups[0].accuracy)
        console.print(f"{found.name}, by {group}: plans won, and accuracy in percent", soft_wrap=True)
        print_table(console, [group], ("tasks", "plans won", "predicted", *skills), _group_rows(found, skills))
        if any(one.low is not None for each in found.groups for one in each.difference.values()):
            console.print(f"{found.name}, by {group}: difference with its interval", soft_wrap=True)
            print_table(console, [group], skills, _difference_rows(found, skills))
    for chain in found.chains:
        _print_chain(console, chain)
    alone = f"{found.plans_alone} with plans only; {found.answers_alone} answers without a plan"
    facts = {
        "tasks": f"{found.tasks} with plans and answers; {alone}",
        "plans won": f"{_rate(found.success)}",
        "predicted by next actions": _policy_words(found.policy) if found.policy else "",
    }
    print_facts(console, facts)
    console.print()


_SKILL_COLUMNS = (
    "accuracy %", "95 % interval", "won if right %", "won if wrong %", "difference", "95 % interval", "p",
    "beyond the first", "verdict",
)  # fmt: skip


def _skill_rows(found: Diagnosis) -> Iterator[tuple[str, ...]]:
    for skill in found.skills:
        told = skill.prediction
        yield (
            skill.name,
            skill.accuracy.figure(_PERCENT),
            skill.accuracy.span(_PERCENT),
            skill.if_right.figure(_PERCENT),
            skill.if_wrong.figure(_PERCENT),
            _points(told.difference),
            _points_interval(told.difference),
            "" if told.p is None else f"{told.p:.4f}",
            " ".join(filter(None, [_points(told.beyond), _in_brackets(_points_interval(told.beyond))])),
            told.verdict,
        )


def _group_rows(found: Diagnosis, skills: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for group in found.groups:
        yield (
            group.name,
            str(group.tasks),
            group.success.figure(_PERCENT),
            group.policy.predicted.figure(_PERCENT) if group.policy else "",
            *(group.accuracy[skill].figure(_PERCENT) for skill in skills),
        )


def _difference_rows(found: Diagnosis, skills: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for group in found.groups:
        told = (group.difference[skill] for skill in skills)
        cells = (f"{_points(one)} {_in_brackets(_points_interval(one)) or '(too few)'}" for one in told)
        yield group.name, *(cell.lstrip() for cell in cells)


def _print_chain(console: Screen, chain: SkillChain) -> None:
    """Print of how many lost and won plans each skill is the first that fails."""
    names = [link.skill for link in chain.links if link.skill is not None]
    if len(names) < 2:
        return
    console.print(f"the first that fails of {' > '.join(names)}, in {chain.tasks} tasks", soft_wrap=True)
    rows = (
        (link.skill or "none fails", _share(link.lost, chain.lost), _share(link.won, chain.won)) for link in chain.links
    )
    print_table(console, ["skill"], (f"of {chain.lost:g} lost plans", f"of {chain.won:g} won plans"), rows)


def _policy_words(policy: Policy) -> str:
    """Return what next actions predict, beside what was won, in a sentence."""
    if policy.predicted.estimate is None:
        return ""
    better = (policy.real.estimate or 0.0) > policy.predicted.estimate
    what = "more" if better else "fewer"
    gap = f"the whole plans win {what} than that" if policy.differs else "no difference from the whole plans is shown"
    return f"{_rate(policy.predicted)} of {policy.actions:.1f} actions; {gap}"


def _share(part: float, whole: float) -> str:
    return f"{part:g} ({_PERCENT * part / whole:.0f} %)" if whole else ""


def _rate(rate: Estimate) -> str:
    return f"{rate.figure(_PERCENT)} %{' ' if rate.low is not None else ''}{_in_brackets(rate.span(_PERCENT))}"


def _points(difference: Estimate) -> str:
    return difference.figure(_PERCENT, 0, sign="+")


def _points_interval(difference: Estimate) -> str:
    return difference.span(_PERCENT, 0, sign="+")


def _in_brackets(text: str) -> str:
    return f"({text})" if text else ""
