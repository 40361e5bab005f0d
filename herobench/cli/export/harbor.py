"""Write tasks for harbor, each with a verifier in a container of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.export.knobs import KnobsOption, wanted_of
from herobench.cli.options import SuiteOption
from herobench.cli.say import say
from herobench.suite import DEFAULT_SUITE


def harbor(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write.")],
    suite: SuiteOption = DEFAULT_SUITE,
    knobs: KnobsOption = None,
) -> None:
    """Write a folder for `harbor run --path`."""
    from herobench.scorer import Scorer
    from herobench.surfaces.exports.harbor import write_tasks

    with Scorer(wanted_of(suite, knobs).one_turn()) as scorer:
        written = write_tasks(folder, scorer)
    say(f"{len(written)} tasks written to {folder}")
