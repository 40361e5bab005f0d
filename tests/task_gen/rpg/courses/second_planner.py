"""A second planner for courses, of another kind than what makes them and what proves their lengths.

It shares no code with either. It knows the told world, the rules and the task, and never looks at a certificate. It
goes forward through the goals and keeps the best states after each: a beam search. A state knows what its past visits
would have allowed: an item is *open* once all that it takes was in reach at a visit of its workshop. Work is paid for
when the first loadout that uses it is put on, and is then put back into the visits that are made anyway. The game
judges the actions that come of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import chain, combinations
from typing import NamedTuple

from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import has_won
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.told import told_world
from herobench.suites.rpg.game.world import Code, Place, World, slot_type
from tests.task_gen.rpg.courses.told_loadouts import Loadouts, Worn

WIDTH = 100
"""The number of states that are kept after each goal, for each set of hunts that are over."""
_PLENTY, _RAW_PLENTY = 1_000, 1_000_000
"""The number of pieces of a material that one craft makes for all later use, and that one gathering takes."""


def second_plan(world: World, rules: Rules, task: Task, width: int = WIDTH) -> list[Action]:
    """Return the shortest plan that this planner finds, after it has won in the game."""
    actions = _Search(told_world(world, task.knowledge, task.hero), task.rules(rules), task, width).actions()
    game = Game(world, task.rules(rules), task.hero, task.seed)
    assert all(game.act(action).ok for action in actions), "no action is refused"
    assert has_won(task, game.rules, game.events), "the plan wins"
    return actions


class _State(NamedTuple):
    cost: int
    who: Code
    """The monster that was fought last, and with `row` the loadout for it; empty at the start."""
    row: int
    place: Place
    open: int
    """The items that could have been made or won by now, as bits."""
    free: int
    """Those of them whose materials the crafts of goals would have made."""
    paid: int
    before: _State | None = None
    step: _Step | None = None


class _Step(NamedTuple):
    visits: tuple[Place, ...]
    """The workshops that are visited first, for what is put on."""
    place: Place
    who: Code = ""
    worn: Worn = ()
    made: Code = ""


class _Search:
    def __init__(self, told: World, rules: Rules, task: Task, width: int) -> None:
        self._told, self._task, self._width = told, task, width
        owned = {*task.hero.inventory, *task.hero.worn.values()}
        monsters, nodes = (set(told.standing(kind).values()) for kind in ("monster", "resource"))
        self._nodes = {code: some[0] for code, some in told.nodes.items() if some[0] in nodes and code not in owned}
        self._droppers = {
            code: [who for who in some if who in monsters]
            for code, some in told.droppers.items()
            if code not in owned and code not in self._nodes
        }
        shops = {skill: place for place, skill in reversed(told.standing("workshop").items())}
        recipes = {code: item.recipe for code, item in told.items.items() if item.recipe and code not in owned}
        self._shop = {code: shops[recipe.skill] for code, recipe in recipes.items() if recipe.skill in shops}
        self._parts = {code: [part for part in recipes[code].ingredients if part not in owned] for code in self._shop}
        self._bit = {code: 1 << n for n, code in enumerate(sorted({*self._nodes, *self._droppers, *self._shop}))}
        types = set(map(slot_type, told.slots))
        gear = [code for code in (*owned, *self._bit) if code in told.items and told.items[code].type in types]
        self._loadouts = Loadouts(told, rules, task, gear)
        self._wins = cache(self._winners)
        self._kills = [goal.target for goal in task.goals if goal.kind == "kill"]
        drops = {part for parts in self._parts.values() for part in parts if part in self._droppers}
        self._prey = sorted({who for code in drops for who in self._droppers[code]}.difference(self._kills))
        self._efforts = cache(self._all_efforts)
        self._ahead = cache(self._changes_ahead)
        self._price = cache(self._price_items)
        self._update = cache(self._visited)
        self._sure = cache(self._sure_items)
        self._rounds = cache(self._all_rounds)

    def _bits(self, codes: Iterable[Code]) -> int:
        return reduce(int.__or__, (self._bit[code] for code in codes), 0)

    # -- loadouts and what they take --------------------------------------------------------------------------------

    def _winners(self, who: Code) -> list[tuple[Worn, int]]:
        """Return the loadouts that beat a monster, or what is worn at the start, each with the items that are made."""
        found = self._loadouts.winners(who) if who else [self._loadouts.start]
        return [(worn, self._bits(code for code in worn if code in self._bit)) for worn in found]

    def _all_efforts(self, now: Code, then: Code) -> list[list[int]]:
        """Return the actions of a change from each winner of one monster to each of another."""
        return [
            [
                sum((a is not None) + (b is not None) for a, b in zip(one, two, strict=True) if a != b)
                for two, _ in self._wins(then)
            ]
            for one, _ in self._wins(now)
        ]

    def _changes_ahead(self, who: Code, kills: int) -> list[int]:
        """Return for each winner the fewest changes of all later goals, if he had everything: a guess for the order."""
        best = [0] * len(self._wins(self._kills[-1])) if self._kills else []
        for number in range(len(self._kills) - 1, kills, -1):
            best = self._least(self._kills[number - 1], self._kills[number], tuple(best))
        return (
            self._least(who, self._kills[kills], tuple(best))
            if kills < len(self._kills)
            else [0] * len(self._wins(who))
        )

    def _least(self, now: Code, then: Code, ahead: Sequence[int]) -> list[int]:
        return [min(map(int.__add__, row, ahead)) for row in self._efforts(now, then)]

    def _price_items(self, items: int, free: int, paid: int) -> tuple[int, int]:
        """Return the actions that items take which are not paid for, and all that is paid for then."""
        cost = 0
        for code, bit in self._bit.items():
            if items & bit & ~paid and code not in self._droppers:
                # a raw material takes a move and a gathering, whenever it is fetched
                cost, paid = cost + (2 if code in self._nodes else 1), paid | bit
                if not bit & free:
                    more, paid = self._price(self._bits(self._parts.get(code, ())), free, paid)
                else:
                    raw = [part for part in self._parts[code] if part in self._nodes]
                    more, paid = self._price(self._bits(raw), free, paid)
                cost += more
        return cost, paid

    # -- visits -----------------------------------------------------------------------------------------------------

    def _visited(self, place: Place, opened: int, free: int, made: Code = "") -> tuple[int, int]:
        """Return what is open and what is free after a visit of a workshop, in which a goal is made or none."""
        raw = self._bits(self._nodes)
        free |= self._bit[made] if made else 0
        here = [code for code, shop in self._shop.items() if shop == place]
        for _ in here:
            for code in here:
                parts = self._bits(self._parts[code])
                opened |= 0 if parts & ~(opened | raw) else self._bit[code]
                crafted = parts & ~raw & ~self._bits(self._droppers)
                free |= self._bit[code] if crafted and not crafted & ~free and not parts & ~(opened | raw) else 0
        return opened, free

    def _visits(self, items: int, opened: int) -> tuple[Place, ...] | None:
        """Return the workshops to visit, in order, so that items are open; None if a drop is lacking."""
        found: list[Place] = []
        for code in [code for code, bit in self._bit.items() if items & bit & ~opened and code not in self._nodes]:
            if code not in self._shop:
                return None
            earlier = self._visits(self._bits(self._parts[code]), opened)
            if earlier is None:
                return None
            found = [*(place for place in earlier if place not in found), *found, self._shop[code]]
        return tuple(dict.fromkeys(found))

    def _all_rounds(self, items: int, opened: int, kills: int) -> Sequence[tuple[Place, ...]]:
        """Return the visits to choose from before items are put on: for them, or for what is made there later too."""
        alone = self._visits(items, opened)
        if not alone:
            return [alone] if alone is not None else []
        later = self._sure(kills) & ~opened & ~items
        there = [self._bit[code] for code, shop in self._shop.items() if shop in alone and self._bit[code] & later]
        there = [bit for bit in there if self._visits(bit, opened) is not None]
        some = chain.from_iterable(combinations(there, size) for size in range(1, len(there) + 1))
        wider = (self._visits(items | sum(bits), opened) for bits in some)
        return list(dict.fromkeys([alone, *filter(None, wider)]))

    def _sure_items(self, kills: int) -> int:
        """Return the items without which some later goal cannot be won."""
        every = ([items for _, items in self._wins(who)] for who in set(self._kills[kills:]))
        return reduce(int.__or__, (reduce(int.__and__, each) for each in every), 0)

    # -- the beam ---------------------------------------------------------------------------------------------------

    def _final(self) -> _State:
        goals = self._task.goals
        raw = self._bits(part for goal in goals if goal.kind == "craft" for part in self._raws(goal.target))
        cost, paid = self._price(raw, 0, 0)
        layer, kills = [_State(cost, "", 0, self._task.hero.place, 0, 0, paid)], 0
        for goal in goals:
            if goal.kind == "craft":
                layer = [self._after_craft(state, goal.target) for state in layer]
                continue
            stages = [layer]
            for _ in self._prey:
                hunted = chain.from_iterable(
                    self._fights(state, who, kills) for state in stages[-1] for who in self._prey
                )
                stages.append(self._kept(hunted, kills))
            ways = chain.from_iterable(self._fights(state, goal.target, kills, True) for state in chain(*stages))
            kills += 1
            layer = self._kept(ways, kills)
        return min(layer, key=lambda state: state.cost)

    def _raws(self, code: Code) -> Iterator[Code]:
        for part in self._parts[code]:
            yield from [part] if part in self._nodes else self._raws(part)

    def _after_craft(self, state: _State, code: Code) -> _State:
        place = self._shop[code]
        opened, free = self._update(place, state.open, state.free, code)
        cost = state.cost + (place != state.place) + 1
        return state._replace(
            cost=cost, place=place, open=opened, free=free, before=state, step=_Step((), place, made=code)
        )

    def _fights(self, state: _State, who: Code, kills: int, is_goal: bool = False) -> Iterator[_State]:
        """Yield the states after a fight, one for each loadout that wins it and that can be had."""
        drops = self._bits(code for code, some in self._droppers.items() if who in some)
        if not is_goal and not drops & ~state.open:
            return
        (place,) = self._told.places_of("monster", who)[:1]
        efforts = self._efforts(state.who, who)[state.row]
        for row, (worn, items) in enumerate(self._wins(who)):
            for visits in self._rounds(items, state.open, kills):
                opened, free = state.open, state.free
                for shop in visits:
                    opened, free = self._update(shop, opened, free)
                more, paid = self._price(items, free, state.paid)
                cost = state.cost + more + efforts[row] + len(visits) + ((visits or (state.place,))[-1] != place) + 1
                yield _State(cost, who, row, place, opened | drops, free, paid, state, _Step(visits, place, who, worn))

    def _kept(self, states: Iterable[_State], kills: int) -> list[_State]:
        """Return the most promising states, for each set of drops, without those that another one makes useless."""
        best: dict[tuple[object, ...], _State] = {}
        for state in states:
            old = best.get(state[1:7])
            if old is None or state.cost < old.cost:
                best[state[1:7]] = state
        drops = self._bits(self._droppers)
        kept: dict[int, list[_State]] = {}
        for state in sorted(best.values(), key=self._rank(kills)):
            others = kept.setdefault(state.open & drops, [])
            if len(others) < self._width and not any(self._beats(other, state) for other in others):
                others.append(state)
        return list(chain.from_iterable(kept.values()))

    def _rank(self, kills: int) -> Callable[[_State], int]:
        """Return a guess of the length of the whole plan: what is paid, changes ahead and work that is surely ahead."""
        sure = self._sure(kills)

        def rank(state: _State) -> int:
            work = self._price(sure, state.free, state.paid)[0] + len(self._visits(sure, state.open) or ())
            return state.cost + self._ahead(state.who, kills)[state.row] + work

        return rank

    def _beats(self, one: _State, other: _State) -> bool:
        """Return whether one state can do all that another can, at no higher cost: it changes to what that wears."""
        if one.open & other.open != other.open or one.free & other.free != other.free:
            return False
        if one.paid & other.paid != other.paid or one.cost > other.cost:
            return False
        return one.cost + self._efforts(one.who, other.who)[one.row][other.row] <= other.cost

    # -- the actions ------------------------------------------------------------------------------------------------

    def actions(self) -> list[Action]:
        """Return the actions of the best plan."""
        state: _State | None = self._final()
        steps: list[_Step] = []
        while state:
            steps += [state.step] if state.step else []
            state = state.before
        flat = [part for step in steps[::-1] for part in (*(_Step((), place) for place in step.visits), step)]
        return list(self._written(flat, *self._crafts(flat)))

    def _crafts(self, steps: Sequence[_Step]) -> tuple[Mapping[int, list[Code]], set[Code]]:
        """Return what is made on the visits, by the number of the step, and the raw materials of it all."""
        first: dict[Code, int] = {}
        for number, step in enumerate(steps):
            for code in [*filter(None, step.worn), step.made]:
                first.setdefault(code, number)
        made: dict[int, list[Code]] = {}
        raw = {part for step in steps if step.made for part in self._raws(step.made)}

        def make(code: Code, until: int) -> int:
            if code in self._nodes:
                raw.add(code)
            if code not in self._shop:
                return -1
            at = next((n for n in range(until) if steps[n].made == code or code in made.get(n, ())), -1)
            if at < 0:
                at = max(n for n in range(until) if steps[n].place == self._shop[code] and not steps[n].who)
            if code not in made.setdefault(at, []):
                for part in self._parts[code]:
                    make(part, at + 1)
                made[at].append(code)
            return at

        pieces = [(number, code) for code, number in first.items() if code in self._shop and steps[number].worn]
        for number, code in sorted(pieces):
            make(code, number)
        return made, raw

    def _written(self, steps: Sequence[_Step], made: Mapping[int, list[Code]], raw: set[Code]) -> Iterator[Action]:
        place, worn = self._task.hero.place, self._loadouts.start
        for code in sorted(raw):
            (place,) = self._told.places_of("resource", self._nodes[code])[:1]
            yield Action("move", (NAME, *place))
            yield Action("gather", (NAME, _RAW_PLENTY))
        for number, step in enumerate(steps):
            if step.who:
                yield from self._changed(worn, step.worn)
                worn = step.worn
            elif not step.made and number not in made:
                continue
            if step.place != place:
                place = step.place
                yield Action("move", (NAME, *place))
            if step.who:
                yield Action("fight", (NAME,))
            for code in dict.fromkeys([*made.get(number, ()), *filter(None, [step.made])]):
                yield Action("craft", (NAME, code, self._amount(code, number, made)))

    def _amount(self, code: Code, number: int, made: Mapping[int, list[Code]]) -> int:
        is_gear = self._told.items[code].type in set(map(slot_type, self._told.slots))
        return _PLENTY if code in made.get(number, ()) and not is_gear else 1

    def _changed(self, now: Worn, then: Worn) -> Iterator[Action]:
        for slot, old, new in zip(self._loadouts.slots, now, then, strict=True):
            if old != new:
                yield from [Action("unequip", (NAME, slot))] if old else []
                yield from [Action("equip", (NAME, slot, new))] if new else []
