"""The oracle: plans for tasks, made with full knowledge of the world, that reach the full score in few actions.

Everything is done as rarely as possible: each node, each hunt and the exchange are visited once, every item is crafted
in one go. What is left to choose is the order. Hunts need gear, gear needs workshops, and workshops need each other's
products, so a search finds the fewest visits to workshops with which all gets done; on the way a hunt is taken up as
soon as something that the hero owns by then wins it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from herobench.hero import Hero
from herobench.rules import Rules
from herobench.task import Task
from herobench.task_gen.oracle.crafting import Requirements
from herobench.task_gen.oracle.gathering import Visit, gathering
from herobench.task_gen.oracle.hunting import Hunt, hunting
from herobench.task_gen.oracle.steps import Do, FightUntil, Step, as_code
from herobench.task_gen.oracle.unplannable import Unplannable
from herobench.task_gen.oracle.wardrobe import Slots, Wardrobe
from herobench.world import Code, Place, World

ANY_SHOP = ""


def oracle_plan(world: World, rules: Rules, task: Task) -> list[Step]:
    """The oracle's plan for a task under the task's own rules. Raises Unplannable where it finds none."""
    return _Planner(world, rules, task).steps()


def oracle_code(world: World, edition: Rules, task: Task) -> str:
    """The oracle's plan for a task under an edition of the rules, as code. Raises Unplannable where it finds none."""
    return as_code(oracle_plan(world, task.rules(edition), task))


@dataclass(frozen=True)
class Work:
    """What a task asks for, by where it comes from."""

    requirements: Requirements
    bought: Mapping[Code, int]
    gathered: Mapping[Code, int]
    hunted: Mapping[Code, int]
    """What monsters drop; of what is gathered all the same, none."""

    @classmethod
    def of(cls, world: World, task: Task) -> Work:
        """The work of a task. Drops count only in kill tasks: craft tasks earn nothing by fights."""
        order = Counter(task.missing.values()) if task.kind == "kill" else Counter([task.target])
        requirements = Requirements.of(world, order)
        need = {code: max(0, n - task.hero.inventory.get(code, 0)) for code, n in requirements.raw.items()}
        sold = {code for code in need if code in task.knowledge.sold}
        gathered = {code for code in need if code in world.nodes} - sold
        hunted = {code for code in need if code in world.droppers and task.kind == "kill"}
        bought = need.keys() - gathered - hunted
        return cls(
            requirements,
            bought={code: need[code] for code in sorted(bought) if need[code]},
            gathered={code: max(1, need[code]) for code in sorted(gathered)},
            hunted={code: 0 if code in gathered else need[code] for code in sorted(hunted)},
        )


class _State(NamedTuple):
    """How far the work has come: what is crafted, and who is beaten."""

    crafted: frozenset[Code]
    beaten: frozenset[Code]


class _Planner:
    """The plan of one task in the making."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self.world = world
        self.rules = rules
        self.task = task
        self.hero = Hero(world, task.hero)
        self.work = Work.of(world, task)
        self.wardrobe = Wardrobe(world, rules, task)
        self.hunts = hunting(world, rules, self.work.hunted, task.target)
        told = task.knowledge.places
        self._told_places = frozenset(told)
        self._known_places: tuple[Place, ...] = (*told, *world.tiles)
        self._place = task.hero.place
        self._steps: list[Step] = []

    def steps(self) -> list[Step]:
        """The whole plan."""
        nodes = {node for leaf in self.work.gathered for node in self.world.nodes[leaf]}
        visits = self._visits(nodes)
        route = self._route()
        for visit in visits:
            self._go("resource", visit.node)
            self._steps += visit.steps(self.rules, self.task.hero.inventory)
        for code, quantity in self.work.bought.items():
            self._go("grand_exchange")
            self._steps.append(Do("buy", (code, quantity)))
        self._follow(route)
        if self.task.kind == "kill":
            self._go("monster", self.task.target)
            self._steps.append(Do("fight"))
        return self._steps

    def _visits(self, nodes: set[Code]) -> list[Visit]:
        """The visits to nodes. Other nodes than those of what is needed serve only to raise skills."""
        known = {node for node in self.world.resources if self._is_told(node)} or nodes
        return gathering(self.world, self.rules, self.hero, self.work.gathered, self.work.requirements.skills, known)

    # -- the order of the work --------------------------------------------------------------------------------------

    def _route(self) -> list[str]:
        """The fewest workshops, by skill, after which everything is made and everyone is beaten."""
        crafts = frozenset(self.work.requirements.crafts)
        hunts = frozenset(self.hunts)
        start = self._with_hunts(_State(frozenset(), frozenset()))
        most = self._as_far_as_possible(start)
        if most != (crafts, hunts):
            raise Unplannable(self._obstacle(most))
        ways = deque([(start, list[str]())])
        seen = {start}
        while ways:
            state, route = ways.popleft()
            if state == most:
                return route
            for shop in self._open_shops(state):
                then = self._with_hunts(self._after(state, shop))
                if then not in seen:
                    seen.add(then)
                    ways.append((then, [*route, shop]))
        raise AssertionError("what can be done can be done in some order")

    def _as_far_as_possible(self, state: _State) -> _State:
        """The state when nothing more can be made and nobody more be beaten: more of either never stands in the way."""
        then = state
        for shop in self._open_shops(state):
            then = self._with_hunts(self._after(then, shop))
        return state if then == state else self._as_far_as_possible(then)

    def _open_shops(self, state: _State) -> list[str]:
        return sorted({self._shop(code) for code in self.work.requirements.crafts if code not in state.crafted})

    def _obstacle(self, state: _State) -> str:
        unbeaten = [who for who in self.hunts if who not in state.beaten]
        if unbeaten:
            return f"the hero cannot beat {', '.join(unbeaten)} with what he can have by then"
        unmade = [code for code in self.work.requirements.crafts if code not in state.crafted]
        return f"the hero is not skilled enough for {', '.join(unmade)}"

    def _after(self, state: _State, shop: str) -> _State:
        """The state when all that can be made in a workshop is made."""
        crafted = set(state.crafted)
        for code in self.work.requirements.crafts:
            if self._shop(code) == shop and code not in crafted and self._can_make(code, crafted, state.beaten):
                crafted.add(code)
        return _State(frozenset(crafted), state.beaten)

    def _can_make(self, code: Code, crafted: set[Code], beaten: frozenset[Code]) -> bool:
        recipe = self.world.items[code].recipe
        if recipe is None or self.hero.skills[recipe.skill].level < recipe.level:
            return False
        return all(self._has(part, crafted, beaten) for part in recipe.ingredients)

    def _has(self, code: Code, crafted: Iterable[Code], beaten: frozenset[Code]) -> bool:
        if self.world.recipe_of(code):
            return code in crafted
        return not self.work.hunted.get(code) or all(
            who in beaten for who in self.world.droppers[code] if who in self.hunts
        )

    def _with_hunts(self, state: _State) -> _State:
        """The state when all hunts that can be won by now are."""
        owned = self._owned(state)
        won = {who for who in self.hunts if who not in state.beaten and self.wardrobe.can_beat(who, owned)}
        return self._with_hunts(_State(state.crafted, state.beaten | won)) if won else state

    def _owned(self, state: _State) -> Slots:
        """The slots whose missing gear the hero has."""
        missing = self.task.missing.items()
        return frozenset(slot for slot, code in missing if self._has(code, state.crafted, state.beaten))

    def _shop(self, code: Code) -> str:
        recipe = self.world.recipe_of(code)
        return recipe.skill if recipe and self.rules.workshop == "matching" else ANY_SHOP

    # -- the steps --------------------------------------------------------------------------------------------------

    def _follow(self, route: list[str]) -> None:
        """Hunt and craft along a route, and end in the missing gear."""
        dress: Slots = frozenset()
        state, dress = self._hunt(_State(frozenset(), frozenset()), dress)
        for shop in route:
            then = self._after(state, shop)
            self._go("workshop", shop)
            for code, quantity in self.work.requirements.crafts.items():
                if code in then.crafted - state.crafted:
                    self._steps.append(Do("craft", (code, quantity)))
            state, dress = self._hunt(then, dress)
        self._steps += self.wardrobe.change(dress, frozenset(self.task.missing))

    def _hunt(self, state: _State, dress: Slots) -> tuple[_State, Slots]:
        """Take up all hunts that can be won, those with the least changes of dress first."""
        while True:
            owned = self._owned(state)
            open_hunts = [who for who in self.hunts if who not in state.beaten]
            ways = [(who, self.wardrobe.cheapest(who, owned, dress)) for who in open_hunts]
            winning = [(self.wardrobe.effort(dress, way), who, way) for who, way in ways if way is not None]
            if not winning:
                return state, dress
            _, who, way = min(winning, key=lambda found: found[0])
            self._steps += self.wardrobe.change(dress, way)
            dress = way
            self._take(who, self.hunts[who])
            state = _State(state.crafted, state.beaten | {who})

    def _take(self, who: Code, hunt: Hunt) -> None:
        self._go("monster", who)
        wins = hunt.wins - bool(hunt.until)  # to go on until there is enough begins with a fight
        if wins:
            self._steps.append(Do("fight", (), wins))
        if hunt.until:
            owned = self.task.hero.inventory
            self._steps.append(FightUntil(tuple((code, owned.get(code, 0) + n) for code, n in hunt.until.items())))

    def _go(self, kind: str, code: Code = ANY_SHOP) -> None:
        """Move to the next tile that holds something, unless he is on one; a tile that is told is preferred."""
        standing = self.world.standing(kind)
        places = [place for place in self._known_places if place in standing and code in (ANY_SHOP, standing[place])]
        if not places:
            raise Unplannable(f"there is no {kind} {code} on the map")
        if self._place not in places:
            self._place = places[0]
            self._steps.append(Do("move", self._place))

    def _is_told(self, node: Code) -> bool:
        return not self._told_places.isdisjoint(self.world.places_of("resource", node))
