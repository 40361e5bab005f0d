"""Parties: the samples of one model under one setting. The tables of the suite have a row for each.

A party is named by its model, and by the settings in which the samples differ at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from herobench.suites.epoch.style import Style

if TYPE_CHECKING:
    import pandas as pd

SETTINGS = ("mode", *Style().as_options())
"""The settings in which the same levels can be played."""


class Party(NamedTuple):
    """The samples of one model under one setting."""

    model: str
    setting: str
    """The settings that differ between the parties, such as `mode plan, hints off`; empty if none does."""
    samples: pd.DataFrame

    @property
    def name(self) -> str:
        """The model and the setting."""
        return ", ".join(filter(None, (self.model, self.setting)))


def parties_of(samples: pd.DataFrame) -> Iterator[Party]:
    """Yield the parties, in the order in which the samples have them."""
    told = samples[list(SETTINGS)].astype("object").fillna("unknown").astype(str)
    differing = [name for name in SETTINGS if told[name].nunique() > 1]
    setting = told.apply(lambda row: ", ".join(f"{name} {row[name]}" for name in differing), axis=1)
    for (model, words), rows in setting.groupby([samples.model.fillna("unknown"), setting], sort=False):
        yield Party(str(model), str(words), samples.loc[rows.index])
