"""Find what the lost plans of runs lack: the step from which the goal is out of reach, and the fewest edits that win.

    herobench repair runs/NAME

An edit puts a step in, leaves one out, or changes one; the same call several
times in a row is one step. Up to three edits, a search over all of them shows
that no fewer win, as far as a second of work goes. Beyond that there are two
bounds. `--calls 300000` searches longer: more repairs are exact.

It writes repairs.jsonl into the folder of each run. `analyze`, its pages and
`compare` show what is in there. No run reads it, so no model is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.samples.frame import frame
from herobench.analysis.samples.samples import FILE, Sample
from herobench.analysis.samples.sources import Source, read_sources
from herobench.cli.options import JobsOption
from herobench.cli.say import say
from herobench.cli.table import plain_console, print_table
from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.data.rows import write_rows
from herobench.suites.rpg.refusals import RpgFault
from herobench.work.engine import Local, Work


def repair(
    runs: Annotated[list[Path], Option("Folders of runs.", metavar="RUN...", is_argument=True)],
    calls: Annotated[
        int | None, Option("The calls to play for a plan; 6000 take half a second.", metavar="N", least=1)
    ] = None,
    jobs: JobsOption = None,
) -> None:
    """Find what lost plans lack."""
    if missing := [path for path in runs if not path.exists()]:
        raise UsageError(RpgFault.NO_RUN, path=missing[0])
    sources = read_sources(runs)
    works = [_work(source, calls) for source in sources]
    for source, work in zip(sources, works, strict=True):
        _repair(source, work, jobs or 1)


def _work(source: Source, calls: int | None) -> Work[Sample, dict[str, Any]]:
    """Return the work that repairs the lost plans of a run."""
    if source.folder is None or source.manifest is None:
        raise UsageError(RpgFault.ROWS_ONLY, path=source.path)
    suite = source.manifest["config"].get("suite")
    work = load_reading(str(suite)).repair_work(source.folder, source.manifest, calls)
    if work is None:
        raise UsageError(RpgFault.NOT_CERTIFIED, suite=suite)
    return work


def _repair(source: Source, work: Work[Sample, dict[str, Any]], jobs: int) -> None:
    file = source.path / FILE
    # an old file is written over, so it is not read
    with closing(Local(jobs).results(work, _lost_samples(replace(source, repairs=None)))) as rows:
        count = write_rows(file, rows)
    say(f"{count} lost plans in {file}", err=True)
    samples = frame([replace(source, repairs=file)], Local(1))
    if count:
        _print(source.name, load_reading(str(samples.suite.iloc[0])).tables(samples).get("repairs") or [])


def _lost_samples(source: Source) -> Iterator[Sample]:
    """Yield the samples that were scored and lost."""
    for sample in source.samples():
        if sample["won"] is False and sample["status"] == "ok":
            yield sample


def _print(name: str, rows: list[dict[str, Any]]) -> None:
    console = plain_console()
    console.print(f"{name}, lost plans by decisions of the task", soft_wrap=True)
    kinds = list(dict.fromkeys(kind for row in rows for kind in row["kinds"]))
    heads = ["lost", "out of reach", "edits", "exact", *kinds]
    print_table(console, ["decisions"], heads, (_cells(row, kinds) for row in rows))


def _cells(row: dict[str, Any], kinds: list[str]) -> tuple[str, ...]:
    low, high = row["edits_least"], row["edits_most"]
    edits = "-"
    if low is not None:
        edits = f"{low:.1f}" if low == high else f"{low:.1f} to {high:.1f}"
    of_kinds = (str(row["kinds"].get(kind, 0)) for kind in kinds)
    until = f"{row['least']} to {2 * row['least'] - 1}" if row["least"] > 1 else "1 to 3"
    return until, str(row["lost"]), str(row["out_of_reach"]), edits, str(row["exact"]), *of_kinds
