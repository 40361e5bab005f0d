"""A journey: a task with its road, its dials and its certificate; and the sets that come with HeroBench."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Annotated, Any, Literal

from herobench.data.documents import content_folder
from herobench.data.errors import InputError, Problem
from herobench.data.options import Option
from herobench.data.rows import NamedRows
from herobench.suites.rpg.journey.road import Code, Road
from herobench.suites.rpg.journey.walk import Call

SCHEMA = 1
"""The number of the format of rows."""
DATASETS = ("horizon-v4", "roads-v1", "luck-v1")
"""The shipped sets, the default one first: regions with maps, regions with all at hand, and regions with chance."""
Sites = Literal["maps", "hand"]
Chance = Literal["off", "on"]


@dataclass(frozen=True)
class Dials:
    """What a road is like."""

    regions: Annotated[int, Option("The regions of a road.", least=2, most=1000)] = 8
    sites: Annotated[Sites, Option("Whether the sites of a region lie apart on a map, or are all at hand.")] = "maps"
    width: Annotated[int, Option("How much the hero can carry, and how many kinds there are.", least=1, most=3)] = 2
    reach: Annotated[int, Option("How long gear lasts, and how rare workshops and inns are.", least=1, most=3)] = 2
    chance: Annotated[Chance, Option("Whether gear breaks and wounds are drawn by chance.")] = "off"

    def as_row(self) -> dict[str, Any]:
        """Return the dials as plain data; only roads with chance have that dial."""
        return {name: value for name, value in asdict(self).items() if (name, value) != ("chance", "off")}


@dataclass(frozen=True)
class Journey:
    """One task of the suite."""

    id: str
    dials: Dials
    road: Road
    least: float
    """The least time in which the hero can leave the last region; on a road with chance, the least expected one."""
    plan: tuple[Call, ...]
    """A plan that takes this time; on a road with chance, the walk of a best policy with the luck of the seed ""."""
    sights: Mapping[int, float]
    """The times of planners that see so many regions."""
    reaches: tuple[int, ...]
    """How many regions a planner must see to take each decision of the plan rightly."""
    twin_of: str | None = None
    """The id of the task that this one was made to resemble."""

    def as_row(self) -> dict[str, Any]:
        """Return the task as a row."""
        certificate = {
            "least": self.least,
            "plan": [list(call) for call in self.plan],
            "sights": {str(sight): time for sight, time in self.sights.items()},
            "reaches": list(self.reaches),
        }
        twin = {} if self.twin_of is None else {"twin_of": self.twin_of}
        task = {"dials": self.dials.as_row(), "road": self.road.as_row(), "certificate": certificate}
        return {"schema": SCHEMA, "id": self.id, **twin, **task}


def _read_journey(row: Mapping[str, Any], place: str) -> Journey:
    """Read a row that fits its schema. Raise InputError for a road that names things it does not have."""
    road, dials, certificate = Road.from_row(row["road"]), Dials(**row["dials"]), row["certificate"]
    if problems := [*_false_dials(road, dials, place), *_problems(road, place)]:
        raise InputError(problems)
    return Journey(
        row["id"],
        dials,
        road,
        certificate["least"],
        tuple(map(tuple, certificate["plan"])),
        {int(sight): time for sight, time in certificate["sights"].items()},
        tuple(certificate["reaches"]),
        row.get("twin_of"),
    )


def _false_dials(road: Road, dials: Dials, place: str) -> Iterator[Problem]:
    """Yield the dials that say something else than the road: samples would have wrong columns."""
    sites, chance = "hand" if road.side is None else "maps", "on" if road.has_chance else "off"
    for name, actual in (("regions", len(road.regions)), ("sites", sites), ("chance", chance)):
        dial = getattr(dials, name)
        if dial != actual:
            yield Problem(place, f"$.dials.{name}", f"what the road has, {actual}", dial)


def _problems(road: Road, place: str) -> Sequence[Problem]:
    """Return what is wrong with a road beyond its schema: names of nothing, and names that stand for two things."""
    problems = []
    for number, region in enumerate(road.regions):
        path = f"$.road.regions[{number}]"
        nodes, foes = [node.material for node in region.nodes], [foe.code for foe in region.monsters]
        makes = list(region.workshop.makes) if region.workshop else []
        problems += [
            Problem(place, f"{path}.{name}", f"names that are each there once, of {what}", codes)
            for name, codes, known_codes, what in (
                ("nodes", nodes, road.materials, "materials of recipes"),
                ("workshop.makes", makes, road.gear, "the road's gear"),
                ("monsters", foes, foes, "monsters"),
            )
            if len(set(codes)) < len(codes) or not set(codes) <= set(known_codes)
        ]
        problems += [
            Problem(place, f"{path}.monsters", "monsters that a hero with all hearts beats with bare hands", foe.code)
            for foe in region.monsters
            if road.most_wounds(foe, None) >= road.limits.hearts
        ]
    if road.has_chance and road.limits.uses > 1:
        problems.append(Problem(place, "$.road.limits.uses", "1 where gear breaks by chance", road.limits.uses))
    shared_names: set[Code] = set(road.gear) & set(road.materials)
    if shared_names:
        problems.append(Problem(place, "$.road.gear", "names that no material has", sorted(shared_names)))
    return problems


JOURNEYS: NamedRows[Journey] = NamedRows("journey-task", _read_journey, attrgetter("id"))
"""Reads rows of journeys."""


@cache
def shipped_journeys(name: str) -> Mapping[str, Journey]:
    """Return the tasks of a shipped set, in their order."""
    content = content_folder().joinpath("datasets", f"{name}.jsonl.xz").read_bytes()
    rows = map(json.loads, lzma.decompress(content).decode("utf-8").splitlines())
    return MappingProxyType({journey.id: journey for journey in (_read_journey(row, name) for row in rows)})
