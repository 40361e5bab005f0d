"""Write a package for OpenEnv, which runs as a Space of Hugging Face."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.export.knobs import KnobsOption, wanted_of
from herobench.cli.options import SuiteOption
from herobench.cli.say import say
from herobench.suite import DEFAULT_SUITE


def openenv(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write.")],
    suite: SuiteOption = DEFAULT_SUITE,
    knobs: KnobsOption = None,
) -> None:
    """Write a folder for `openenv validate` and `openenv push`."""
    from herobench.scorer import Scorer
    from herobench.surfaces.exports.openenv import write_package

    with Scorer(wanted_of(suite, knobs)) as scorer:
        path = write_package(folder, scorer)
        say(f"{len(scorer.tasks)} tasks served by {path}")
