"""Write tasks as a dataset for Hugging Face: rows, a card and eval.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.export.knobs import KnobsOption, wanted_of
from herobench.cli.options import SuiteOption
from herobench.cli.say import say
from herobench.suite import DEFAULT_SUITE


def hf(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write, or to add tasks to.")],
    suite: SuiteOption = DEFAULT_SUITE,
    knobs: KnobsOption = None,
) -> None:
    """Write a folder for `datasets.load_dataset`."""
    from herobench.scorer import Scorer
    from herobench.surfaces.exports.dataset import write_dataset

    with Scorer(wanted_of(suite, knobs)) as scorer:
        path = write_dataset(folder, scorer)
        say(f"{len(scorer.tasks)} tasks written to {path}")
