"""A case: one task as a player of the audit sees it, with the gear to choose from and the effort allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from herobench.suites.rpg.game.rules import Defeat, Rules
from herobench.suites.rpg.game.task import KnowledgeLevel, PlanTrack, Task
from herobench.suites.rpg.game.world import Code, Item, World, slot_type
from herobench.task_gen.rpg.audit.journey import Journey, ToldItems
from herobench.task_gen.rpg.audit.workshop import make
from herobench.task_gen.rpg.gear.candidates import gear_slots

if TYPE_CHECKING:
    from herobench.task_gen.rpg.audit.sums import PublicFight, Rate

Guesses = Mapping[Code, float]
"""The log-odds that each item of a task is needed, from a classifier that was trained on other tasks."""


@dataclass(frozen=True)
class Budget:
    """The effort that the searching families may spend on one task."""

    tries: int = 100
    """The most sets of gear that are tried in a fight with the target."""
    fights: int = 5_000
    """The most fights for levels: half of the actions that the sandbox allows."""
    evaluations: int = 50_000
    """The most sets of gear whose fight the simulator computes."""


@dataclass(frozen=True)
class Known:
    """The knowledge of a player from other tasks."""

    guesses: Guesses | None = None
    """None without a classifier."""
    fights: Sequence[PublicFight] = ()
    """The monsters of other tasks, each with the gear that beat it."""
    rates: Mapping[str, Rate] = field(default_factory=dict)
    """The ratings of pieces that were fitted on other tasks, by the method."""


@dataclass(frozen=True)
class OpenSlot:
    """A slot that a player may fill, and the items that the prompt offers for it.

    The player must be able to compare gear for the slot: the slot is empty, or holds an item whose effects the prompt
    tells.
    """

    slot: str
    number: int
    """The number of slots of the same type that are filled before this one."""
    told: tuple[Item, ...]
    """Gear that the prompt tells how to get and that the hero can make, in the order of the prompt."""
    worn: Item | None
    """The item that the hero wears in the slot."""

    @property
    def either(self) -> list[Item]:
        """The items that may end up in the slot, the worn one last."""
        return [*self.told, *([self.worn] if self.worn else [])]


Craftable = dict[frozenset[Code], tuple[frozenset[Code], Counter[Code]]]
"""Maps a set of owned gear to the further gear that can be made, and to the gear worn when that was found."""


class Case:
    """One task under its own rules, with the gear that a player can make in it."""

    def __init__(
        self,
        world: World,
        edition: Rules,
        task: Task,
        budget: Budget | None = None,
        known: Known | None = None,
        craftable: Craftable | None = None,
    ) -> None:
        """`craftable` has the known results for owned gear: goals of a course share it."""
        self.world = world
        self.task = task
        self.rules = task.rules(edition)
        self.budget, self.known = budget or Budget(), known or Known()
        self.told = ToldItems(world, task)
        self._craftable = {} if craftable is None else craftable

    def journey(self) -> Journey:
        """Return a journey that has not begun."""
        return Journey(self.told, self.rules)

    def with_everything(self) -> Journey:
        """Return a journey on which all gear that can be made was made, enough for each slot."""
        return Journey(self.told, self.rules, self._made.steps)

    @cached_property
    def _made(self) -> Journey:
        # A rehearsal without the budget: finding out what can be made costs no action.
        journey = Journey(self.told, replace(self.rules, budget=None))
        make_everything(journey)
        return journey

    @cached_property
    def craftable(self) -> frozenset[Code]:
        """The told gear that can be made. A player without a simulator finds out by trying."""
        start, worn = self.task.hero, Counter(self.task.hero.worn.values())
        owned = frozenset({*worn, *start.inventory})
        if owned not in self._craftable:
            made = self._made.hero
            self._craftable[owned] = frozenset(made.inventory) | (Counter(made.worn.values()) - worn).keys(), worn
        craftable, before = self._craftable[owned]
        # Gear that he has taken off since then is in his bag now.
        return craftable | (before - worn).keys()

    @cached_property
    def slots(self) -> tuple[OpenSlot, ...]:
        """The slots that may be filled, in the world's order, with craftable gear that is no part of other gear."""
        gear = _wearable(self.told, self.craftable, self.task.hero.combat[0])
        return tuple(_slots(self.told, _whole(gear, self.told)))

    @cached_property
    def all_slots(self) -> tuple[OpenSlot, ...]:
        """The slots that may be filled, each also with the spare gear that the hero owns."""
        level = self.task.hero.combat[0]
        spare = [self.world.items[code] for code in self.spare if self.world.items[code].level <= level]
        return tuple(_slots(self.told, [*_whole(_wearable(self.told, self.craftable, level), self.told), *spare]))

    @cached_property
    def spare(self) -> Mapping[Code, int]:
        """The number of pieces in the bag by item, for gear with told effects and no told way to make it."""
        gear = {slot_type(slot) for slot in gear_slots(self.world)}
        owned, told = self.task.hero.inventory, self.told
        return {
            code: number
            for code, number in owned.items()
            if self.world.items[code].type in gear and code not in told.items and told.knows_effects(code)
        }

    @cached_property
    def full_slots(self) -> tuple[OpenSlot, ...]:
        """The slots that may be filled, each also with gear that is a part of other gear."""
        return tuple(open_slots(self.told, self.craftable, self.task.hero.combat[0]))


def open_slots(told: ToldItems, owned: Container[Code], level: int) -> list[OpenSlot]:
    """Return the slots that a hero of a level may fill, each with all told gear that he owns, parts included."""
    return list(_slots(told, _wearable(told, owned, level)))


def _wearable(told: ToldItems, owned: Container[Code], level: int) -> list[Item]:
    return [item for item in told.gear if item.code in owned and item.level <= level]


def _slots(told: ToldItems, gear: Iterable[Item]) -> Iterator[OpenSlot]:
    by_type: dict[str, list[Item]] = {}
    for item in gear:
        by_type.setdefault(item.type, []).append(item)
    filled = dict.fromkeys(by_type, 0)
    for slot in gear_slots(told.world):
        kind, worn = slot_type(slot), told.task.hero.worn.get(slot)
        # A worn item with unknown effects cannot be compared, so the player leaves it on.
        if kind in by_type and (worn is None or told.knows_effects(worn)):
            yield OpenSlot(slot, filled[kind], tuple(by_type[kind]), told.world.items[worn] if worn else None)
            filled[kind] += 1


def make_everything(journey: Journey) -> None:
    """Make all told gear that the hero can make and wear now, until he owns enough for each slot."""
    told, hero = journey.told, journey.hero
    room = Counter(map(slot_type, gear_slots(told.world)))
    owned = Counter(hero.inventory) + Counter(hero.worn.values())
    wanted = {item.code: room[item.type] - owned[item.code] for item in told.gear if item.level <= hero.combat.level}
    make(journey, {code: number for code, number in wanted.items() if number > 0})


def made(case: Case, gear: Iterable[Item]) -> Journey:
    """Return a journey that only makes some gear: the pieces that are not in the bag."""
    journey = case.journey()
    make(journey, Counter(item.code for item in gear) - Counter(case.task.hero.inventory))
    return journey


def wearing(case: Case, gear: Mapping[str, Item]) -> Journey:
    """Make the pieces of some gear that the hero lacks, put it on and fight."""
    worn = case.task.hero.worn
    changed = {slot: item for slot, item in gear.items() if worn.get(slot) != item.code}
    journey = made(case, changed.values())
    journey.challenge({slot: item.code for slot, item in changed.items()})
    return journey


def _whole(gear: Iterable[Item], told: ToldItems) -> list[Item]:
    """Return the gear that is no part of other told gear. If a type has only parts, keep them."""
    gear = list(gear)
    whole = [item for item in gear if not told.uses[item.code]]
    kinds = {item.type for item in whole}
    return [item for item in gear if item in whole or item.type not in kinds]


BOTH_TRACKS: tuple[PlanTrack, ...] = ("straight", "program")
Play = Callable[[Case], Journey]


@dataclass(frozen=True)
class Family:
    """One family of players."""

    rule: str
    """Its way to play, in a few words."""
    play: Play
    tracks: tuple[PlanTrack, ...] = BOTH_TRACKS
    """The tracks in which it can play. It gets no tasks of other tracks."""
    learns: bool = False
    """True if it uses the guesses of a classifier."""
    reads: bool = False
    """True if it uses the certificates of other tasks."""
    computes: bool = False
    """True if it computes fights."""


# -- groups of tasks ---------------------------------------------------------------------------------------------------

AuditKind = Literal["kill", "craft", "campaign"]
Closed = Literal["", "solvable", "impossible"]


class AuditGroup(NamedTuple):
    """Tasks that are counted together."""

    kind: AuditKind
    knowledge: KnowledgeLevel
    noise: bool
    defeat: Defeat
    budget: bool
    track: PlanTrack
    closed: Closed
    """`solvable` if a task can be done although places are closed, else `impossible`; empty if none is closed."""

    @classmethod
    def of(cls, task: Task) -> AuditGroup:
        """Return the group of a task."""
        asked = task.mechanics
        kind: AuditKind = "campaign" if task.is_course else task.kind
        noise, defeat = bool(task.knowledge.noise), asked.defeat or "free"
        closed: Closed = "" if not asked.closed else "solvable" if task.impossible is None else "impossible"
        return cls(kind, task.knowledge.level, noise, defeat, asked.budget is not None, asked.plan, closed)

    @property
    def place(self) -> tuple[int, int, bool, int, bool, bool, int]:
        """The key that orders the table: kill tasks first, then by how much a task tells, then usual tasks first."""
        # Listed by hand: alphabetical order would put craft before kill, and decoys before exact.
        kinds, levels, defeats, closed = (
            ("kill", "craft", "campaign"),
            ("exact", "decoys", "world"),
            ("free", "counted", "final"),
            ("", "solvable", "impossible"),
        )
        told = kinds.index(self.kind), levels.index(self.knowledge), self.noise
        return *told, defeats.index(self.defeat), self.budget, self.track == "straight", closed.index(self.closed)
