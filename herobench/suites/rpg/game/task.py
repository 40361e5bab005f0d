"""The task: what a hero has to reach in a world, his start, and what he is told. Built from rows that are valid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, get_args

from herobench.suites.rpg.game.events import Crafted, Event, Fought
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Code, Item, Place, item_from_row, item_row


@dataclass(frozen=True)
class Reach:
    """An upper bound on what a hero can reach: his levels, the items he can have, the monsters he can beat."""

    level: int
    skills: Mapping[str, int]
    items: frozenset[Code]
    beaten: frozenset[Code]

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Reach:
        """Build from the `impossible` of a task row."""
        skills = MappingProxyType({skill: int(level) for skill, level in row["skills"].items()})
        return cls(int(row["level"]), skills, frozenset(row["items"]), frozenset(row["beaten"]))

    def as_row(self) -> dict[str, Any]:
        """Return the `impossible` of a task row."""
        return {
            "level": self.level,
            "skills": dict(self.skills),
            "items": sorted(self.items),
            "beaten": sorted(self.beaten),
        }


Kind = Literal["kill", "craft"]
KnowledgeLevel = Literal["exact", "decoys", "world"]
"""The amount of knowledge: only what is needed, also other gear for the same slots, or the whole world."""
Exchange = Literal["world", "told"]
"""The goods of the grand exchange: all that the world lists (as published), or only those that the task tells. With the
first, a hero who finds the exchange need not make anything."""
PlanTrack = Literal["straight", "program"]
"""What a plan may contain: calls of actions in counted loops, as in the paper, or a program that computes and reacts.
The planning happens in the model, or it may happen in the plan, so figures of the two tracks cannot be compared."""
Ground = Literal["world", "told"]
"""The places that the hero can enter: all of the world, or only what the task tells, beside the place where he starts.
With the second, only what is told can be come by, so a length can be proven over all ways to win."""
DefeatRule = Literal["counted", "final"]
"""The costs of a lost fight that a task can set: `rules.Defeat` without `free`."""
BoundProof = Literal["counts", "search", "loadouts"]
"""The proof of a lower bound: by counts of each kind of action, by a search over all orders of the work, or by counts
and the fewest changes between all loadouts that win the fights."""
BoundScope = Literal["full_score", "all_ways"]
"""The plans to which a lower bound applies: plans with the full score, or all plans that win."""
Told = Literal["plan", "gear", "steps"]
"""The lane of a prompt: what it tells beside the task and its world. `plan` is nothing more, `gear` the gear in which
the certified plan wins each fight, `steps` all steps of that plan. Figures of two lanes cannot be compared; their
difference is the cost of planning."""
TOLD: tuple[Told, ...] = get_args(Told)
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the hero is told about, by code. The world has the facts."""

    recipes: tuple[Code, ...]
    materials: tuple[Code, ...]
    sold: frozenset[Code]
    """The materials that are told to be for sale. The ideal plan buys these and does not gather them."""
    monsters: tuple[Code, ...]
    places: tuple[Place, ...]
    stats: tuple[Code, ...]
    noise: tuple[Item, ...] = ()
    """Gear that is told like other gear, but is not in the world and cannot be made: an ingredient has no source."""
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
        """Return the `knowledge` of a task row."""
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
    """The switches that make a task harder than usual."""

    leveling: bool = False
    drop_scale: float | None = None
    """None if every drop falls every time; otherwise drops go by their rates times this factor."""
    exchange: Exchange = "world"
    plan: PlanTrack = "program"
    defeat: DefeatRule | None = None
    """None if a lost fight costs what the edition says."""
    budget: int | None = None
    """The number of actions that a plan may take, including refused ones; None for no limit."""
    budget_factor: float | None = None
    """The factor on the lower bound that gave the budget; None if it was set otherwise."""
    closed: tuple[Place, ...] = ()
    """The places that the hero cannot enter. A task with closed places may be impossible, and accepts a refusal."""
    ground: Ground = "world"

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Mechanics:
        """Build from the `mechanics` of a task row."""
        return cls(
            leveling=bool(row["leveling"]),
            drop_scale=row["drop_scale"],
            exchange=row.get("exchange", "world"),
            plan=row.get("plan", "program"),
            defeat=row.get("defeat"),
            budget=row.get("budget"),
            budget_factor=row.get("budget_factor"),
            closed=tuple((int(x), int(y)) for x, y in row.get("closed", ())),
            ground=row.get("ground", "world"),
        )

    def as_row(self) -> dict[str, Any]:
        """Return the `mechanics` of a task row. Except for the first three, switches that are not set are left out."""
        row: dict[str, Any] = {"leveling": self.leveling, "drop_scale": self.drop_scale, "exchange": self.exchange}
        # Rows of older datasets have no such fields, and must keep their bytes.
        usual = Mechanics()
        for part in ("plan", "defeat", "budget", "budget_factor", "ground"):
            if (value := getattr(self, part)) != getattr(usual, part):
                row[part] = value
        return {**row, "closed": [list(place) for place in self.closed]} if self.closed else row


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proof that a task can be solved: a plan, with figures that `validate` checks again."""

    plan: str
    actions: int
    """The number of actions of the plan."""
    lower_bound: int
    """No plan in the `scope` takes fewer actions."""
    seeds: int
    """The number of seeds with which the plan was run; 1 if nothing is random."""
    wins: int
    """The number of these seeds with which the plan won."""
    without: Mapping[str, float]
    """For each slot of missing gear, the health that the target keeps if the item is left out."""
    proof: BoundProof = "counts"
    scope: BoundScope = "full_score"

    @property
    def optimal(self) -> bool:
        """True if the lower bound proves that no plan in its scope is shorter."""
        return self.actions == self.lower_bound

    @property
    def shortest_win(self) -> int | None:
        """The number of actions of the shortest way to win; None if it is not proven."""
        return self.actions if self.optimal and self.scope == "all_ways" else None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Certificate:
        """Build from the `certificate` of a task row."""
        return cls(
            **{part: int(row[part]) for part in ("actions", "lower_bound", "seeds", "wins")},
            plan=row["plan"],
            without=MappingProxyType({slot: float(hp) for slot, hp in row["without"].items()}),
            proof=row.get("proof", "counts"),
            scope=row.get("scope", "full_score"),
        )

    def as_row(self) -> dict[str, Any]:
        """Return the `certificate` of a task row."""
        row = {part: getattr(self, part) for part in ("plan", "actions", "lower_bound", "seeds", "wins")}
        row["without"] = dict(self.without)
        # Rows of older datasets have no such fields, and must keep their bytes.
        if self.proof != "counts":
            row["proof"] = self.proof
        if self.scope != "full_score":
            row["scope"] = self.scope
        return row


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `missing` is the gear that has to be made and worn, by slot; empty for a craft task."""

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
    """The id of the task whose twin this one is."""
    impossible: Reach | None = None
    """The proof that no plan wins: a bound on what the hero can reach. None for a task that can be done."""

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
            impossible=Reach.from_row(row["impossible"]) if row.get("impossible") else None,
        )

    def as_row(self) -> dict[str, Any]:
        """Return the task as one line of a tasks file."""
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
        # Left out rather than null, for the same reason: few tasks are twins or impossible.
        row |= {} if self.impossible is None else {"impossible": self.impossible.as_row()}
        return row if self.twin_of is None else {**row, "twin_of": self.twin_of}

    def rules(self, edition: Rules) -> Rules:
        """Return an edition of the rules, changed by the mechanics of this task."""
        mechanics = self.mechanics
        changes: dict[str, Any] = {}
        if mechanics.drop_scale is not None:
            changes |= {"drops": "by_rate", "drop_scale": mechanics.drop_scale}
        if mechanics.defeat is not None:
            changes["defeat"] = mechanics.defeat
        if mechanics.budget is not None:
            changes["budget"] = mechanics.budget
        if mechanics.exchange == "told":
            changes["for_sale"] = tuple(sorted(self.knowledge.sold))
        if mechanics.closed:
            changes["closed"] = mechanics.closed
        if mechanics.ground == "told":
            changes["ground"] = (*self.knowledge.places, self.hero.place)
        return replace(edition, **changes) if changes else edition


def reaches(task: Task, event: Event) -> bool:
    """Return whether an event does what a task asks for."""
    match event.detail:
        case Fought(monster=monster, won=True):
            return task.kind == "kill" and monster == task.target
        case Crafted(item=item):
            return task.kind == "craft" and item == task.target
        case _:
            return False


LEAST_DIFFICULTY = 3
"""The first difficulty of bracket 1: no crafted item has a lower one."""
BRACKETS = range(1, 11)
STEPS = 10
"""The number of difficulties in a bracket."""


def to_bracket(difficulty: int) -> int:
    """Return the bracket of a total difficulty. The last bracket has no upper end."""
    return min(max(1, (difficulty - LEAST_DIFFICULTY) // STEPS + 1), BRACKETS[-1])


def bracket_steps(bracket: int) -> range:
    """Return the total difficulties of a bracket; for the last one, its first ten."""
    first = LEAST_DIFFICULTY + (bracket - 1) * STEPS
    return range(first, first + STEPS)
