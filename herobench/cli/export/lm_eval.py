"""Print the folder with the tasks for lm-eval, or write one with the knobs filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.export.knobs import KnobsOption, wanted_of
from herobench.cli.options import SuiteOption
from herobench.cli.say import say
from herobench.errors import UsageError
from herobench.suite import DEFAULT_SUITE


def lm_eval(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="The folder to write.")] = None,
    suite: SuiteOption = DEFAULT_SUITE,
    knobs: KnobsOption = None,
) -> None:
    """Print a folder for `lm-eval run --include_path`."""
    from herobench.surfaces.lm_eval.folder import SHIPPED, write_folder

    if folder is not None:
        say(str(write_folder(folder, wanted_of(suite, knobs))))
    elif knobs or suite != DEFAULT_SUITE:
        raise UsageError("The shipped folder has all suites without knobs: name a folder to write.")
    else:
        say(str(SHIPPED))
