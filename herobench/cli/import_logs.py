"""Make runs of the logs of other tools."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

from herobench.analysis.reading.interval import mean_of_means
from herobench.cli.commands import with_options
from herobench.cli.say import say
from herobench.data.imported import LogOptions, import_logs
from herobench.data.options import Option, options_in
from herobench.suite import plugins

_LOGS = (
    "Logs of Inspect (.eval, .json), lm-eval (samples_*.jsonl) and verifiers (traces.jsonl), jobs of harbor, folders "
    "of any of them; tables of item x model as CSV, JSONL or Parquet."
)


@with_options(LogOptions)
def import_(
    fields: Mapping[str, Any],
    logs: Annotated[list[Path], Option(_LOGS, metavar="LOG...", is_argument=True)],
    output: Annotated[Path, Option("The new folder, with a run for each model.", "output", short="-o", metavar="DIR")],
) -> None:
    """Make runs of logs of Inspect, lm-eval, harbor and verifiers, and of tables of item x model.

    A file of tasks or answers of the published benchmark becomes such a file of this program: -o FILE.
    """
    own_imports = (plugins.load(plugins.IMPORTS, suite) for suite in plugins.names(plugins.IMPORTS))
    named = [f"--{option.name}" for option in options_in(LogOptions) if option.field in fields]
    if len(logs) == 1 and any(import_own(logs[0], output, named) for import_own in own_imports):
        return
    for run in import_logs(logs, output, LogOptions(**fields)):
        attempts = [(task, value) for task, values in run.outcomes.items() for value in values]
        mean = mean_of_means(*zip(*attempts, strict=True))
        lost = f", {len(attempts) - mean.samples} unmeasured" if mean.samples < len(attempts) else ""
        figures = ""
        if mean.estimate is not None:
            of_attempts = fmean(value for _, value in attempts if value is not None)
            figures = f"; mean {of_attempts:.4f}, of tasks {mean.estimate:.4f}"
        figures += f" ± {mean.standard_error:.4f}" if mean.standard_error is not None else ""
        say(f"{run.folder}: {len(attempts)} attempts at {len(run.outcomes)} tasks{lost}{figures}")
