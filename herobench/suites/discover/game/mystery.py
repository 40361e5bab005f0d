"""A mystery: a land whose laws are told by their forms, with the secrets of the true world and the certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.rows import NamedRows, shipped_rows
from herobench.suites.discover.game.land import Land
from herobench.suites.discover.game.laws import Law, Laws, Secret, Truth

SCHEMA = 2
"""The number of the format of rows."""
DATASET = "discover-v5"
FILE = f"{DATASET}.jsonl.xz"


class Certificate(NamedTuple):
    """What was proven of a mystery. `making.proof` proves it again."""

    plan: str
    """The plan of one day that wins in the true world."""
    needed: int
    """The days after which the best halving knows this plan for sure."""
    expected: float
    """The days that it needs on average over all possible worlds."""
    certain: float
    """The share of the possible worlds, in percent, in which it knows a plan for sure within the days."""
    fixed: float
    """The share, in percent, that no list of days fixed beforehand exceeds, whatever is concluded from it."""


@dataclass(frozen=True)
class Mystery:
    """One task of the suite."""

    id: str
    land: Land
    laws: Laws
    truth: Truth
    days: int
    """The days of the exploration."""
    certificate: Certificate
    twin_of: str | None = None
    """The id of the task that this one was made to resemble."""

    def __hash__(self) -> int:
        return hash((self.id, self.truth))

    @classmethod
    def of(cls, row: Mapping[str, Any], place: str = "the task") -> Mystery:
        """Return the mystery of a row. Raise InputError with what is wrong with it."""
        if problems := schema_problems(row, "discover-task", place):
            raise InputError(problems)
        mystery = build_mystery(row)
        if not mystery.land.fits(mystery.laws):
            raise InputError([Problem(place, "$.land", "names and places, as many as the laws say, all different", "")])
        for name, law, secret in zip(Laws._fields, mystery.laws, mystery.truth, strict=True):
            if secret not in law.secrets:
                expected = "a secret that the form of its law allows"
                raise InputError([Problem(place, f"$.truth.{name}", expected, list(secret))])
        return mystery

    def as_row(self) -> dict[str, Any]:
        """Return the mystery as a line of a tasks file."""
        laws = {
            name: {"things": law.things, "form": law.form, "exception": law.exception, "hidden": law.hidden}
            for name, law in self.laws._asdict().items()
        }
        truth = {
            name: {"wanted": list(secret.wanted), "spoiler": secret.spoiler}
            for name, secret in self.truth._asdict().items()
        }
        row = {
            "schema": SCHEMA,
            "id": self.id,
            "days": self.days,
            "laws": laws,
            "truth": truth,
            "land": self.land.as_row(),
            "certificate": self.certificate._asdict(),
        }
        return row if self.twin_of is None else {**row, "twin_of": self.twin_of}


def build_mystery(row: Mapping[str, Any]) -> Mystery:
    """Return the mystery of a row that was checked."""
    truth = (Secret(tuple(each["wanted"]), each["spoiler"]) for each in (row["truth"][name] for name in Truth._fields))
    return Mystery(
        id=row["id"],
        land=Land.from_row(row["land"]),
        laws=Laws(*(Law(**row["laws"][name]) for name in Laws._fields)),
        truth=Truth(*truth),
        days=row["days"],
        certificate=Certificate(**row["certificate"]),
        twin_of=row.get("twin_of"),
    )


MYSTERIES: NamedRows[Mystery] = NamedRows("discover-task", Mystery.of, attrgetter("id"))


@cache
def shipped_mysteries() -> Mapping[str, Mystery]:
    """Return the mysteries of the shipped set by id, in the order of the file."""
    rows = shipped_rows("herobench.suites.discover", FILE)
    return MappingProxyType({mystery.id: mystery for mystery in map(build_mystery, rows)})
