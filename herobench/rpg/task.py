"""The task: what a hero has to reach in a world, from where, and what he is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

from herobench.rpg.hero import HeroStart
from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, Item, Place, item_from_row, item_row

Kind = Literal["kill", "craft"]
KnowledgeLevel = Literal["exact", "decoys", "world"]
"""How much is told: just what is needed, also other gear for the same slots, or everything."""
Exchange = Literal["world", "told"]
"""What the exchange sells: whatever it does in the world, or only what the task tells to be for sale. The first is the
published way; with it, who finds the exchange need not make anything."""
BoundProof = Literal["counts", "search"]
"""How a lower bound is proven: by the number of actions of each kind, or by a search over all orders of the work."""
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the hero is told, by code: the world has the facts."""

    recipes: tuple[Code, ...]
    materials: tuple[Code, ...]
    sold: frozenset[Code]
    """Which materials are told to be for sale; buying them is what counts then, not gathering."""
    monsters: tuple[Code, ...]
    places: tuple[Place, ...]
    stats: tuple[Code, ...]
    noise: tuple[Item, ...] = ()
    """Gear that is told like any other and that no world has: an ingredient of each has no source."""
    level: KnowledgeLevel = "exact"

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Knowledge:
        """Build from the `knowledge` of a task row."""
        return cls(
            recipes=tuple(row["recipes"]),
            materials=tuple(row["materials"]),
            sold=frozenset(row["sold"]),
            monsters=tuple(row["monsters"]),
            places=tuple((int(x), int(y)) for x, y in row["places"]),
            stats=tuple(row["stats"]),
            noise=tuple(item_from_row(item, ()) for item in row.get("noise", ())),
            level=row.get("level", "exact"),
        )

    def as_row(self) -> dict[str, Any]:
        """The `knowledge` of a task row."""
        return {
            "recipes": list(self.recipes),
            "materials": list(self.materials),
            "sold": sorted(self.sold),
            "monsters": list(self.monsters),
            "places": [list(place) for place in self.places],
            "stats": list(self.stats),
            "noise": [item_row(item) for item in self.noise],
            "level": self.level,
        }


@dataclass(frozen=True, slots=True)
class Mechanics:
    """What is harder than usual."""

    leveling: bool = False
    drop_scale: float | None = None
    """None where every drop falls every time; else drops go by their rates, multiplied with this."""
    exchange: Exchange = "world"

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Mechanics:
        """Build from the `mechanics` of a task row."""
        return cls(bool(row["leveling"]), row["drop_scale"], row.get("exchange", "world"))

    def as_row(self) -> dict[str, Any]:
        """The `mechanics` of a task row."""
        return {"leveling": self.leveling, "drop_scale": self.drop_scale, "exchange": self.exchange}


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proof that a task can be solved: a plan, and figures that anyone can prove again."""

    plan: str
    actions: int
    """How many actions the plan attempts."""
    lower_bound: int
    """No plan of full score takes fewer."""
    seeds: int
    """Over how many seeds of chance the plan was run; 1 where nothing is left to chance."""
    wins: int
    """Over how many of them it won."""
    without: Mapping[str, float]
    """For each slot of missing gear, the health that the target keeps when what belongs there is left out."""
    proof: BoundProof = "counts"

    @property
    def optimal(self) -> bool:
        """Whether the lower bound proves that no plan is shorter."""
        return self.actions == self.lower_bound

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Certificate:
        """Build from the `certificate` of a task row."""
        return cls(
            plan=row["plan"],
            actions=int(row["actions"]),
            lower_bound=int(row["lower_bound"]),
            seeds=int(row["seeds"]),
            wins=int(row["wins"]),
            without=MappingProxyType({slot: float(hp) for slot, hp in row["without"].items()}),
            proof=row.get("proof", "counts"),
        )

    def as_row(self) -> dict[str, Any]:
        """The `certificate` of a task row; it names the proof where that is not the older one."""
        row: dict[str, Any] = {
            "plan": self.plan,
            "actions": self.actions,
            "lower_bound": self.lower_bound,
            "seeds": self.seeds,
            "wins": self.wins,
            "without": dict(self.without),
        }
        return row if self.proof == "counts" else {**row, "proof": self.proof}


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `missing` is the gear that has to be made and worn, by slot; empty for craft tasks."""

    id: str
    world: str
    kind: Kind
    target: Code
    hero: HeroStart
    missing: Mapping[str, Code]
    knowledge: Knowledge
    mechanics: Mechanics
    seed: int
    difficulty: int
    certificate: Certificate | None = None
    twin_of: str | None = None
    """The id of the task, elsewhere, that this one was made to be like."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Task:
        """Build from a row that the schema accepts and `task_file.task_problems` finds nothing wrong with."""
        return cls(
            id=row["id"],
            world=row["world"],
            kind=row["kind"],
            target=row["target"],
            hero=HeroStart.from_row(row["hero"]),
            missing=MappingProxyType(dict(row["missing"])),
            knowledge=Knowledge.from_row(row["knowledge"]),
            mechanics=Mechanics.from_row(row["mechanics"]),
            seed=int(row["seed"]),
            difficulty=int(row["difficulty"]),
            certificate=Certificate.from_row(row["certificate"]) if row.get("certificate") else None,
            twin_of=row.get("twin_of"),
        )

    def as_row(self) -> dict[str, Any]:
        """The task as one line of a tasks file."""
        row: dict[str, Any] = {
            "schema": SCHEMA,
            "id": self.id,
            "world": self.world,
            "kind": self.kind,
            "target": self.target,
            "hero": self.hero.as_row(),
            "missing": dict(self.missing),
            "knowledge": self.knowledge.as_row(),
            "mechanics": self.mechanics.as_row(),
            "seed": self.seed,
            "difficulty": self.difficulty,
            "certificate": self.certificate.as_row() if self.certificate else None,
        }
        return row if self.twin_of is None else {**row, "twin_of": self.twin_of}

    def rules(self, edition: Rules) -> Rules:
        """An edition of the rules with what this task's mechanics change in it."""
        scale = self.mechanics.drop_scale
        if scale is not None:
            edition = replace(edition, drops="by_rate", drop_scale=scale)
        if self.mechanics.exchange == "told":
            edition = replace(edition, for_sale=tuple(sorted(self.knowledge.sold)))
        return edition
