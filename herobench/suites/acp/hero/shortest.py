"""The length of a shortest plan from a state, proven by a search over jobs.

A job is a stop at a resource, at the exchange, at a workshop or at a monster, with all that has to be done there. The
work is the same in any order, so the search minimizes the moves and the changes of gear:

- A stop takes one move, except where the hero is at the start.
- Gathering and buying need nothing, so these stops come first, right after the stop where the hero is.
- A hunt comes as soon as what is worn wins, with all its victories: its stop takes one move at any time.
- A visit to a workshop crafts everything possible, each item in the full amount.
- Gear is changed just before a fight, by no more than that fight needs.

The last three hold if each thing is made at once. The search is run twice. The strict search keeps to that, so it has a
plan for its length. The loose one lets the hero have more than he can: an ingredient counts as there when the bag has
enough for one piece, further pieces of told gear come for less than their price. No plan is shorter than that. Where
both give the same length, it is proven.

The oracle's search over job orders (`task_gen/rpg/oracle/job_order.py`) starts at a task, where every stop costs a move
and further gear is only bounded; here the hero is on his way, so the place and the bag count. Both use the same A*, the
same loadouts and the same requirements.

Only the items of a loadout count. So the pieces of an item are numbered, and a loadout has the first ones of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from herobench.suites.acp.hero.errand import Errand, Unclear, Way
from herobench.suites.acp.hero.scene import HeroScene
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.world import Code, slot_type
from herobench.task_gen.rpg.gear.candidates import LoadoutSearch, gear_slots
from herobench.task_gen.rpg.oracle.a_star import a_star


class Copy(NamedTuple):
    """A piece of an item, by its number from 0."""

    code: Code
    number: int


Copies = frozenset[Copy]


def first_copies(pieces: Mapping[Code, int]) -> Copies:
    """Return the loadout with these numbers of pieces of each item."""
    return frozenset(Copy(code, number) for code, count in pieces.items() for number in range(count))


class GoalLoadouts(LoadoutSearch[Copy]):
    """The loadouts of a hero of some level. They do not depend on what he has and wears now."""

    def __init__(self, scene: HeroScene, goal: Counter[Code]) -> None:
        world, hero = scene.world, scene.task.hero
        self._goal = first_copies(goal)
        self._level = hero.combat[0]
        self._ends: dict[tuple[Code, Copies, Copies], int | None] = {}
        room = Counter(map(slot_type, gear_slots(world)))
        gear = [item.worn for item in world.items.values() if item.type in room]
        super().__init__(world, scene.rules, Hero(world, replace(hero, worn={})).stats, room, gear)

    def wearable(self, code: Code) -> bool:
        """Return whether an item is gear that the hero may put on."""
        item = self._world.items.get(code)
        return item is not None and item.type in self._room and item.level <= self._level

    def room(self, code: Code) -> int:
        """Return how many pieces of an item can be worn at once."""
        return self._room[self._world.items[code].type]

    def left(self, loadout: Copies) -> int:
        """Return the least cost of wearing all that the goal asks for."""
        return self.lacking(loadout, self._goal)

    def end(self, who: Code, now: Copies, owned: Copies) -> int | None:
        """Return the least cost of a loadout that has all that the goal asks for and beats the target; None if none."""
        key = (who, now, owned)
        if key not in self._ends:
            loadouts = self.with_all(self._goal, owned)
            self._ends[key] = min((len(now ^ each) for each in loadouts if self.beats(who, each)), default=None)
        return self._ends[key]

    def fits(self, part: Copies) -> bool:
        """Return whether no piece is worn without those of the same item before it: that would be the same loadout."""
        return all(not number or Copy(code, number - 1) in part for code, number in part)


LIMIT = 4_000
"""The most states that one search may settle."""
NEVER = 1_000_000
"""The length where there is no plan."""


def goal_gear(scene: HeroScene, worn: Mapping[str, Code]) -> Counter[Code]:
    """Return the gear that the goal of a kill asks for: the missing gear, with equal pieces that are worn at the start.

    `worn` is what the hero wears at the start of the task.
    """
    missing = Counter(scene.task.missing.values())
    kept = Counter(code for slot, code in worn.items() if code in missing and slot not in scene.task.missing)
    return missing + kept


class Shortest:
    """The lengths of shortest plans from states of one task, which share what is known of fights."""

    def __init__(self, scene: HeroScene, gear: Counter[Code]) -> None:
        """`gear` is what the goal of a kill asks to be worn in the last fight."""
        self._gear = Counter(gear)
        self._loadouts = GoalLoadouts(scene, gear)

    def length(self, scene: HeroScene) -> int | None:
        """Return the length of a shortest plan from a state; None if it is not proven."""
        most = self.bound(scene, loose=False)
        return most if most is not None and most < NEVER and most == self.bound(scene, loose=True) else None

    def begins(self, scene: HeroScene, action: Action, length: int) -> bool | None:
        """Return whether an action begins a shortest plan from a state, of a known length; None if not proven."""
        after = scene.after([action])
        most = self.bound(after, loose=False)
        if most is not None and most < length:
            return True
        least = self.bound(after, loose=True)
        return None if least is None or least < length else False

    def bound(self, scene: HeroScene, *, loose: bool) -> int | None:
        """Return a length that some plan has, or if `loose`, that no plan falls below.

        It is NEVER if there is no plan, and None if the search does not cover the work or hits its limit.
        """
        errand = Errand(scene, self._gear)
        hero = scene.task.hero
        # What is above his level could not be put on again once it is taken off.
        if any(scene.world.items[code].level > hero.combat[0] for code in hero.worn.values()):
            return None
        try:
            every = (Jobs(errand, self._loadouts, way, loose=loose) for way in errand.ways())
            return min(map(_cheapest, every), default=NEVER)
        except Unclear:
            return None


def _cheapest(jobs: Jobs) -> int:
    found = a_star(jobs, LIMIT)
    if found is None:
        return NEVER
    if found.path is None:
        raise Unclear
    return jobs.fixed + found.cost


class SearchState(NamedTuple):
    """A state of the search."""

    crafted: frozenset[Code]
    beaten: frozenset[Code]
    loadout: Copies
    gone: bool = False
    """True once the hero has left the place of the start, with everything gathered and bought."""
    helped: bool = False
    """True if he wears gear that has nothing to do with the work: he is taken to win every fight then."""
    over: bool = False


class Jobs:
    """The orders of the jobs of one way, as a problem for A*."""

    def __init__(self, errand: Errand, loadouts: GoalLoadouts, way: Way, *, loose: bool) -> None:
        self._errand, self._loadouts, self._way, self._loose = errand, loadouts, way, loose
        self._world = errand.scene.world
        task = errand.scene.task
        self._target = task.target if task.kind == "kill" else None
        self._stops = len(way.stops) - (errand.here in way.stops)
        self.fixed = way.actions + way.wins + len(errand.crafts) + (self._target is not None)
        self._here = errand.here or ("", "")
        worn = first_copies(Counter(task.hero.worn.values()))
        self.start = SearchState(frozenset(), frozenset(), worn)

    # -- the problem ------------------------------------------------------------------------------------------------

    def is_goal(self, state: SearchState) -> bool:
        """Return whether all is over."""
        return state.over

    def estimate(self, state: SearchState) -> int:
        """Return the moves that are left at least, and the changes of gear up to that of the goal."""
        if state.over:
            return 0
        shops, hunts = self._shops(state), self._hunts(state)
        moves = len(shops) + len(hunts) + (self._target is not None)
        if not state.gone:
            kind, code = self._here
            begun = (kind == "workshop" and code in shops) or (kind == "monster" and code in (*hunts, self._target))
            moves += self._stops - begun
        return moves + self._loadouts.left(state.loadout)

    def steps(self, state: SearchState) -> Iterator[tuple[int, SearchState]]:
        """Yield what may be done next."""
        yield from self._stay_or_go(state)
        if self._loose and not state.helped and self._help < NEVER:
            helped = state._replace(helped=True)
            moved, then = self._hunted(helped) if state.gone else (0, helped)
            yield self._help + moved, then
        if self._is_done(state):
            yield from self._endings(state)
        if not state.gone:
            return
        for shop in self._shops(state):
            visited = self._visited(state, shop)
            if visited != state:
                moved, then = self._hunted(visited)
                yield 1 + moved, then
        for who in self._hunts(state):
            for loadout in self._winning(who, state):
                moved, then = self._hunted(state._replace(loadout=loadout))
                yield moved + len(state.loadout ^ loadout), then

    def _stay_or_go(self, state: SearchState) -> Iterator[tuple[int, SearchState]]:
        """Yield what may be done where the hero is at the start, without a move, and the way to all that is fetched."""
        if state.gone:
            return
        kind, code = self._here
        if kind == "workshop" and (visited := self._visited(state, code)) != state:
            yield 0, visited
        if kind == "monster" and code in self._hunts(state):
            for loadout in (state.loadout, *self._winning(code, state)):
                if self._beats(code, loadout, state):
                    yield len(state.loadout ^ loadout), state._replace(loadout=loadout, beaten=state.beaten | {code})
        moved, then = self._hunted(state._replace(gone=True))
        yield self._stops + moved, then

    def _endings(self, state: SearchState) -> Iterator[tuple[int, SearchState]]:
        if self._target is None:
            yield 0, state._replace(over=True)
            return
        move = int(state.gone or self._here != ("monster", self._target))
        change = self._loadouts.left(state.loadout) if state.helped else self._ending(state, self._target)
        if change is not None:
            yield move + change, state._replace(over=True)

    def _ending(self, state: SearchState, target: Code) -> int | None:
        return self._loadouts.end(target, state.loadout, self._owned(state))

    # -- jobs -------------------------------------------------------------------------------------------------------

    def _is_done(self, state: SearchState) -> bool:
        if state.crafted != self._errand.crafts.keys() or state.beaten != self._way.hunts.keys():
            return False
        # He who never left has fetched nothing.
        return state.gone or not self._way.stops or self._way.stops == {self._here}

    def _shops(self, state: SearchState) -> list[Code]:
        recipes = (self._world.recipe_of(code) for code in self._errand.crafts if code not in state.crafted)
        return sorted({recipe.skill for recipe in recipes if recipe})

    def _hunts(self, state: SearchState) -> list[Code]:
        return [who for who in self._way.hunts if who not in state.beaten]

    def _visited(self, state: SearchState, shop: Code) -> SearchState:
        """Return the state after everything possible is crafted in a workshop."""
        for code in self._errand.crafts:
            recipe = self._world.recipe_of(code)
            if recipe and recipe.skill == shop and code not in state.crafted:
                skilled = self._errand.scene.task.hero.skills[shop][0] >= recipe.level
                parts = recipe.ingredients.items()
                if skilled and all(self._has(part, quantity, state) for part, quantity in parts):
                    state = state._replace(crafted=state.crafted | {code})
        return state

    def _has(self, code: Code, quantity: int, state: SearchState) -> bool:
        if self._loose and self._errand.stock[code] >= quantity:
            return True
        if code in self._errand.crafts:
            return code in state.crafted
        if code not in self._errand.raw:
            return True
        droppers = {who for who, codes in self._way.hunts.items() if code in codes}
        if not droppers:
            return state.gone or self._sources(code) == {self._here}
        return bool(droppers & state.beaten) if self._loose else droppers <= state.beaten

    def _sources(self, code: Code) -> set[tuple[str, Code]]:
        """Return the stops of the way that give a material."""
        nodes = {("resource", node) for node in self._world.nodes.get(code, ())}
        return {stop for stop in self._way.stops if stop in nodes or stop[0] == "grand_exchange"}

    # -- fights -----------------------------------------------------------------------------------------------------

    def _hunted(self, state: SearchState) -> tuple[int, SearchState]:
        """Return the moves and the state after all hunts that can be won in what is worn."""
        won = [who for who in self._hunts(state) if self._beats(who, state.loadout, state)]
        return len(won), state._replace(beaten=state.beaten.union(won))

    def _beats(self, who: Code, loadout: Copies, state: SearchState) -> bool:
        return state.helped or self._loadouts.beats(who, loadout)

    def _winning(self, who: Code, state: SearchState) -> tuple[Copies, ...]:
        return () if state.helped else self._loadouts.changes(who, state.loadout, self._owned(state))

    def _owned(self, state: SearchState) -> Copies:
        """Return the gear that the hero has by now."""
        pieces = Counter({code: count for code, count in self._errand.stock.items() if self._loadouts.wearable(code)})
        for code in state.crafted:
            if self._loadouts.wearable(code):
                more = self._loadouts.room(code) if self._loose else self._errand.crafts[code]
                pieces[code] += more
        for code in self._errand.raw:
            if self._loadouts.wearable(code) and self._has(code, 1, state):
                pieces[code] += self._loadouts.room(code) if self._loose else self._errand.raw[code]
        # More pieces than slots change nothing.
        return first_copies({code: min(count, self._loadouts.room(code)) for code, count in pieces.items()})

    @cached_property
    def _help(self) -> int:
        """The least cost of wearing told gear that is not a part of the work: to get it, and to put it on."""
        errand, world = self._errand, self._world
        other = [
            code
            for code, item in world.items.items()
            if self._loadouts.wearable(code)
            and code not in errand.crafts
            and code not in errand.raw
            and errand.stock[code] < self._loadouts.room(code)
            and (item.recipe or code in world.exchange_sells or code in world.droppers or code in world.nodes)
        ]
        falls = any(code in world.droppers or code in world.nodes for code in other)
        return 1 if falls else 2 if other else NEVER
