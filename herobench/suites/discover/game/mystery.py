"""A mystery: lands whose laws are told by their forms, with the secrets of the true world and the certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import log2
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.rows import NamedRows, shipped_rows
from herobench.suites.discover.game.land import HiddenLand, Land
from herobench.suites.discover.game.laws import Law, Laws, Secret, Truth

SCHEMA = 3
"""The number of the format of rows."""
DATASET = "discover-v5"
FILE = f"{DATASET}.jsonl.xz"


class Certificate(NamedTuple):
    """What was proven of a mystery. `making.proof` proves it again."""

    plan: str
    """The plan that wins: a day in each land, with `next_land()` between them."""
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
    lands: tuple[HiddenLand, ...]
    """The lands, in the order in which they are explored."""
    days: int
    """The days of the exploration of all lands together."""
    certificate: Certificate
    twin_of: str | None = None
    """The id of the task that this one was made to resemble."""

    def __hash__(self) -> int:
        return hash((self.id, *(hidden.truth for hidden in self.lands)))

    @property
    def laws(self) -> tuple[Laws, ...]:
        """The forms of the laws of each land."""
        return tuple(hidden.laws for hidden in self.lands)

    @property
    def words(self) -> str:
        """The forms of the laws of a single land, or how many lands there are."""
        return self.lands[0].laws.words if len(self.lands) == 1 else f"{len(self.lands)} lands"

    @property
    def bits(self) -> float:
        """The binary logarithm of the number of worlds that are possible."""
        return sum(log2(laws.worlds) for laws in self.laws)

    @classmethod
    def of(cls, row: Mapping[str, Any], place: str = "the task") -> Mystery:
        """Return the mystery of a row. Raise InputError with what is wrong with it."""
        if problems := schema_problems(row, "discover-task", place):
            raise InputError(problems)
        mystery = build_mystery(row)
        if problems := [
            problem
            for number, hidden in enumerate(mystery.lands)
            for problem in _land_problems(hidden, place, f"$.lands[{number}]")
        ]:
            raise InputError(problems)
        return mystery

    def as_row(self) -> dict[str, Any]:
        """Return the mystery as a line of a tasks file."""
        row = {
            "schema": SCHEMA,
            "id": self.id,
            "days": self.days,
            "lands": [_land_row(hidden) for hidden in self.lands],
            "certificate": self.certificate._asdict(),
        }
        return row if self.twin_of is None else {**row, "twin_of": self.twin_of}


def _land_problems(hidden: HiddenLand, file: str, path: str) -> Iterator[Problem]:
    """Yield what is wrong with a land beyond its schema."""
    if not hidden.land.fits(hidden.laws):
        yield Problem(file, f"{path}.land", "names and places, as many as the laws say, all different", "")
        return
    for name, law in hidden.laws._asdict().items():
        if law.hidden and (name, law.form) != ("forge", "each"):
            yield Problem(
                file, f"{path}.laws.{name}.hidden", "false: only a forge of the form each can be hidden", True
            )
    for name, law, secret in zip(Laws._fields, hidden.laws, hidden.truth, strict=True):
        if secret not in law.secrets:
            yield Problem(file, f"{path}.truth.{name}", "a secret that the form of its law allows", list(secret))


def _land_row(hidden: HiddenLand) -> dict[str, Any]:
    laws = {
        name: {"things": law.things, "form": law.form, "exception": law.exception, "hidden": law.hidden}
        for name, law in hidden.laws._asdict().items()
    }
    truth = {
        name: {"wanted": list(secret.wanted), "spoiler": secret.spoiler}
        for name, secret in hidden.truth._asdict().items()
    }
    return {"laws": laws, "truth": truth, "land": hidden.land.as_row()}


def _read_land(row: Mapping[str, Any]) -> HiddenLand:
    laws = Laws(*(_read_law(row["laws"][name]) for name in Laws._fields))
    truth = Truth(*(_read_secret(row["truth"][name]) for name in Truth._fields))
    return HiddenLand(Land.from_row(row["land"]), laws, truth)


def _read_law(row: Mapping[str, Any]) -> Law:
    return Law(int(row["things"]), row["form"], row["exception"], row["hidden"])


def _read_secret(row: Mapping[str, Any]) -> Secret:
    first, second = map(int, row["wanted"])
    return Secret((first, second), None if row["spoiler"] is None else int(row["spoiler"]))


def build_mystery(row: Mapping[str, Any]) -> Mystery:
    """Return the mystery of a row that was checked."""
    return Mystery(
        id=row["id"],
        lands=tuple(map(_read_land, row["lands"])),
        days=int(row["days"]),
        certificate=Certificate(**row["certificate"]),
        twin_of=row.get("twin_of"),
    )


MYSTERIES: NamedRows[Mystery] = NamedRows("discover-task", Mystery.of, attrgetter("id"))


@cache
def shipped_mysteries() -> Mapping[str, Mystery]:
    """Return the mysteries of the shipped set by id, in the order of the file."""
    rows = shipped_rows("herobench.suites.discover", FILE)
    return MappingProxyType({mystery.id: mystery for mystery in map(build_mystery, rows)})
