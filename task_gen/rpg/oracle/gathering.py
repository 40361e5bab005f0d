"""Plan the gathering (which nodes to visit, how often to gather there, in which order), and trips from place to place.

The planner calls this; the lower bound shares the choice of nodes. One action gives all drops of a node, so one node
can serve several needs, and the fewest nodes are a minimum set cover. If a skill is too low for a node or a recipe,
it is raised first, always on the highest node that is open and still gives experience.

A trip collects the steps of a plan. It adds moves, knows what the hero wears, and does not check whether he wins.

What an order requires is expanded from its recipes into crafts, raw materials and skill levels. Amounts are for the
whole order at once, so an ingredient that several recipes share is counted together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from itertools import combinations
from types import MappingProxyType

from herobench.suites.rpg.game.game import MOST_CHANCES
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import GATHERING, Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Drop, Place, Resource, World, slot_type
from herobench.task_gen.rpg.oracle.steps import Do, Piece, Pieces, Step, Unplannable, Until


@dataclass(frozen=True)
class Requirements:
    """The crafts, raw materials and skills that an order of items needs."""

    crafts: Mapping[Code, int]
    """The number of pieces to craft of each item, in topological order: ingredients come first."""
    raw: Mapping[Code, int]
    """The number needed of each item that has no recipe."""
    skills: Mapping[str, int]
    """The skill levels that the recipes need."""

    @classmethod
    def of(cls, world: World, order: Mapping[Code, int]) -> Requirements:
        """Return the requirements of an order, given as a number of pieces per item."""
        need: Counter[Code] = Counter(order)
        crafts: dict[Code, int] = {}
        skills: dict[str, int] = {}
        # In reverse topological order, the need for an item is complete before its ingredients are counted.
        for code in reversed(_work_order(world, order)):
            recipe = world.recipe_of(code)
            if recipe:
                crafts[code] = need.pop(code)
                skills[recipe.skill] = max(recipe.level, skills.get(recipe.skill, 1))
                for part, quantity in recipe.ingredients.items():
                    need[part] += quantity * crafts[code]
        in_order = dict(reversed(crafts.items()))
        return cls(MappingProxyType(in_order), MappingProxyType(dict(sorted(need.items()))), MappingProxyType(skills))

    def monsters(self, world: World) -> tuple[Code, ...]:
        """Return the monsters that drop any raw material, in the world's order."""
        return _in_world_order(world.monsters, (who for code in self.raw for who in world.droppers.get(code, ())))


def items_to_make(task: Task) -> Counter[Code]:
    """Return what a task asks to be made: the target of a craft, or the missing gear."""
    return Counter([task.target] if task.kind == "craft" else task.missing.values())


def skills_for(world: World, level: int, order: Mapping[Code, int]) -> dict[str, int]:
    """Return skills that suffice for an order: the hero's level, or more where a recipe or node needs more."""
    requirements = Requirements.of(world, order)
    needed = dict(requirements.skills)
    for leaf in requirements.raw:
        if easiest := easiest_node(world, leaf):
            needed[easiest.skill] = max(easiest.level, needed.get(easiest.skill, 1))
    return {skill: max(level, needed.get(skill, 1)) for skill in world.skills}


def easiest_node(world: World, code: Code) -> Resource | None:
    """Return the node of the lowest level that gives an item; None if no node does."""
    return min((world.resources[node] for node in world.nodes.get(code, ())), key=lambda node: node.level, default=None)


def _work_order(world: World, order: Iterable[Code]) -> list[Code]:
    """Return the items of an order and all their ingredients, ingredients first; always in the same order."""
    # The sorter gives the same order for the same insertions, so plans are reproducible.
    graph: TopologicalSorter[Code] = TopologicalSorter()
    to_visit, visited = list(order), set(order)
    while to_visit:
        code = to_visit.pop()
        recipe = world.recipe_of(code)
        parts = tuple(recipe.ingredients) if recipe else ()
        graph.add(code, *parts)
        to_visit += [part for part in parts if part not in visited]
        visited.update(parts)
    return list(graph.static_order())


def _in_world_order(all_of_them: Iterable[Code], some: Iterable[Code]) -> tuple[Code, ...]:
    codes = set(some)
    return tuple(code for code in all_of_them if code in codes)


@dataclass(frozen=True)
class NeededItems:
    """The items that a task needs, by their source."""

    requirements: Requirements
    bought: Mapping[Code, int]
    gathered: Mapping[Code, int]
    hunted: Mapping[Code, int]
    """Items that monsters drop; the number is 0 for items that are gathered anyway."""

    @classmethod
    def of(cls, world: World, task: Task) -> NeededItems:
        """Return the work of a task. Drops count in kill tasks only: in craft tasks fights earn nothing."""
        requirements = Requirements.of(world, items_to_make(task))
        need = {code: max(0, n - task.hero.inventory.get(code, 0)) for code, n in requirements.raw.items()}
        sold = {code for code in need if code in task.knowledge.sold}
        # One purchase gets any amount, so nothing that is sold is gathered.
        from_nodes = {code for code in need if code in world.nodes} - sold
        from_monsters = {code for code in need if code in world.droppers and task.kind == "kill"}
        from_exchange = need.keys() - from_nodes - from_monsters
        return cls(
            requirements,
            bought={code: need[code] for code in sorted(from_exchange) if need[code]},
            # At least one, even if the hero owns enough: the full score counts the gathering itself.
            gathered={code: max(1, need[code]) for code in sorted(from_nodes)},
            hunted={code: 0 if code in from_nodes else need[code] for code in sorted(from_monsters)},
        )


@dataclass
class Hunt:
    """The fights with one monster: a number of victories, and then more until random drops have given enough."""

    wins: int = 1
    until: dict[Code, int] = field(default_factory=dict)

    def steps(self, owned: Mapping[Code, int]) -> Iterator[Step]:
        """Yield the steps of the hunt for a hero who owns some items when he begins to wait for random drops."""
        wins = self.wins - bool(self.until)  # the loop for random drops begins with a fight
        if wins:
            yield Do("fight", (), wins)
        if self.until:
            yield Until.more("fight", self.until, owned)


def plan_hunts(world: World, rules: Rules, need: Mapping[Code, int], target: Code) -> dict[Code, Hunt]:
    """Return the hunts that give what is needed, by monster.

    An item may be needed 0 times: its droppers still have to be beaten once. The target is never hunted, because the
    task ends when it is beaten.
    """
    prey = [who for who, each in world.monsters.items() if any(drop.item in need for drop in each.drops)]
    hunts = {who: Hunt() for who in prey if who != target}
    # Leaves with few droppers first: their victories are forced, and often give enough of the other leaves as well.
    for leaf in sorted(need, key=lambda leaf: len(world.droppers.get(leaf, ()))):
        if need[leaf]:
            _take(world, rules, hunts, leaf, need[leaf])
    return hunts


def _take(world: World, rules: Rules, hunts: dict[Code, Hunt], leaf: Code, quantity: int) -> None:
    """Add the victories that give enough of a leaf, from the monster that gives most of it."""
    drops = {who: drop for who in hunts for drop in world.monsters[who].drops if drop.item == leaf}
    if not drops:
        raise Unplannable(f"{leaf} falls from the target alone")
    # Among equal yields, the weakest monster: its fight is most likely to be won early.
    best = max(drops, key=lambda who: (drop_chance(drops[who], rules) * drops[who].least, -world.monsters[who].level))
    if drop_chance(drops[best], rules) < 1:
        hunts[best].until[leaf] = quantity
        return
    sure = {who: drop.least for who, drop in drops.items() if drop_chance(drop, rules) == 1}
    # Victories that other items need give some of this one too; only the rest needs further victories.
    lacking = quantity - sum(hunts[who].wins * least for who, least in sure.items())
    if lacking > 0:
        hunts[best].wins += -(-lacking // drops[best].least)


@dataclass
class Visit:
    """A stay at a node: a number of actions, and then more until random drops have given enough."""

    node: Code
    swings: int = 0
    until: dict[Code, int] = field(default_factory=dict)

    def steps(self, rules: Rules, owned: Mapping[Code, int]) -> Iterator[Step]:
        """Yield the steps of the visit for a hero who owns some items already.

        The loop that waits for random drops begins with a full call, so that many actions come off the fixed number.
        """
        # The game limits one call only if drops are random.
        most = max(1, self.swings) if rules.drops == "sure" else MOST_CHANCES
        swings = max(0, self.swings - most) if self.until else self.swings
        if swings >= most:
            yield Do("gather", (most,), swings // most)
        if swings % most:
            yield Do("gather", (swings % most,))
        if self.until:
            yield Until.more("gather", self.until, owned)


def drop_chance(drop: Drop, rules: Rules) -> float:
    """Return the probability of a drop per action."""
    return 1.0 if rules.drops == "sure" else min(1.0, rules.drop_scale / drop.one_in)


def fewest_nodes(world: World, leaves: Iterable[Code], node_codes: Collection[Code]) -> tuple[Code, ...]:
    """Return a smallest set of known nodes that gives all leaves; of several, the one with the lowest levels."""
    choices = {leaf: [node for node in world.nodes.get(leaf, ()) if node in node_codes] for leaf in leaves}
    for leaf, nodes in choices.items():
        if not nodes:
            raise Unplannable(f"no known node gives {leaf}")
    # Reduce the set cover: a leaf with one node forces that node, and leaves that it covers drop out.
    forced_nodes = {nodes[0] for nodes in choices.values() if len(nodes) == 1}
    still_open = [set(nodes) for nodes in choices.values() if not forced_nodes.intersection(nodes)]
    # Set cover is NP-hard in general. But leaves without a common node do not concern each other, and few have one.
    choice = {node for family in _families(still_open) for node in _fewest(world, family)}
    return tuple(node for node in world.resources if node in forced_nodes or node in choice)


def _families(choices: Iterable[set[Code]]) -> list[list[set[Code]]]:
    """Return the choices of leaves in families: those with a common node, directly or not, belong together."""
    families: list[list[set[Code]]] = []
    for nodes in choices:
        joined_families = [family for family in families if any(nodes & other for other in family)]
        families = [family for family in families if family not in joined_families]
        families.append([nodes, *(other for family in joined_families for other in family)])
    return families


def _fewest(world: World, choices: Collection[set[Code]]) -> tuple[Code, ...]:
    """Return a smallest set of nodes with one of each choice. All subsets are tried, by size and then by level."""
    useful = sorted(set().union(*choices), key=lambda node: (world.resources[node].level, node))
    sizes = range(len(choices) + 1)
    return next(
        extra for size in sizes for extra in combinations(useful, size) if all(nodes & {*extra} for nodes in choices)
    )


def known_nodes(world: World, rules: Rules, task: Task, leaves: Iterable[Code]) -> Collection[Code]:
    """Return the nodes that the task tells of. Those that give nothing needed serve to raise skills."""
    open_places = frozenset(task.knowledge.places).difference(rules.closed)
    node_codes = {node for node in world.resources if not open_places.isdisjoint(world.places_of("resource", node))}
    # A task without known places has no node to choose from; then the needed ones count as known.
    return node_codes or {node for leaf in leaves for node in world.nodes[leaf]}


def plan_visits(
    world: World,
    rules: Rules,
    hero: Hero,
    need: Mapping[Code, int],
    levels: Mapping[str, int],
    node_codes: Collection[Code],
) -> list[Visit]:
    """Return visits that give what is needed and raise the hero's skills to the levels; the hero learns from them."""
    work = _share(world, rules, need, fewest_nodes(world, need, node_codes))
    return [
        visit
        for skill in world.skills
        for visit in _Apprentice(world, rules, hero, skill, node_codes).visits(
            {node: quantities for node, quantities in work.items() if world.resources[node].skill == skill},
            levels.get(skill, 1),
        )
    ]


def _share(world: World, rules: Rules, need: Mapping[Code, int], nodes: Iterable[Code]) -> dict[Code, dict[Code, int]]:
    """Return which leaves each node is worked for, and how many: each leaf at the node that gives most of it."""
    work: dict[Code, dict[Code, int]] = {node: {} for node in nodes}
    for leaf, quantity in need.items():
        yields = {
            node: max((drop_chance(drop, rules) * drop.least for drop in drops if drop.item == leaf), default=0.0)
            for node in work
            for drops in [world.resources[node].drops]
        }
        work[max(yields, key=lambda node: yields[node])][leaf] = quantity
    return work


class _Apprentice:
    """The hero in one gathering skill: which nodes are open to him, and where he gains experience."""

    def __init__(self, world: World, rules: Rules, hero: Hero, skill: str, node_codes: Collection[Code]) -> None:
        self._rules = rules
        self._hero = hero
        self._skill = skill
        self._nodes = [node for node in world.resources.values() if node.skill == skill and node.code in node_codes]
        self._world = world
        self._visits: list[Visit] = []

    @property
    def _level(self) -> int:
        return self._hero.skills[self._skill].level

    def visits(self, work: Mapping[Code, Mapping[Code, int]], level: int) -> list[Visit]:
        """Return the visits for the work on some nodes, lowest first, and for a level to reach in the end."""
        # Lowest first, because the work itself raises the skill for the higher nodes.
        for code in sorted(work, key=lambda code: self._world.resources[code].level):
            node = self._world.resources[code]
            self._reach(node.level)
            self._work(node, work[code])
        self._reach(level)
        return self._visits

    def _work(self, node: Resource, quantities: Mapping[Code, int]) -> None:
        visit = self._visit(node)
        sure = [0]
        for drop in node.drops:
            if drop.item in quantities and drop_chance(drop, self._rules) < 1:
                visit.until[drop.item] = quantities[drop.item]
            elif drop.item in quantities:
                # One action gives all drops of the node, so the largest need decides, not the sum.
                sure.append(-(-quantities[drop.item] // drop.least))
        self._swing(node, max(0, max(sure) - visit.swings))

    def _reach(self, level: int) -> None:
        """Raise the skill to a level, each time on the highest node that still gives experience."""
        while self._level < level:
            teachers = [node for node in self._nodes if node.level <= self._level and self._teaches(node)]
            if not teachers:
                raise Unplannable(
                    f"no known node takes {self._skill} beyond level {self._level}, and {level} is needed"
                )
            node = max(teachers, key=lambda node: node.level)
            # One action at a time: a new level may end the experience that this node gives.
            while self._level < level and self._teaches(node):
                self._swing(node, 1)

    def _teaches(self, node: Resource) -> bool:
        return self._level < self._rules.level_cap and self._rules.xp_gain(self._level, node.level) > 0

    def _visit(self, node: Resource) -> Visit:
        """Return the visit to a node: the current one if the hero is there, else a new one."""
        if not self._visits or self._visits[-1].node != node.code:
            self._visits.append(Visit(node.code))
        return self._visits[-1]

    def _swing(self, node: Resource, times: int) -> None:
        self._visit(node).swings += times
        self._hero.practise(self._skill, node.level, self._rules, GATHERING, times)


# -- trips ------------------------------------------------------------------------------------------------------------

ANY = ""


class Trip:
    """The steps so far, and the hero's place and gear after them."""

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        self.steps: list[Step] = []
        self._world = world
        self._rules = rules
        self._owned = task.hero.inventory
        self._place = task.hero.place
        self._worn = {slot: Piece(slot, code, new=False) for slot, code in task.hero.worn.items()}
        # Told tiles first: a plan may use only places that its task tells.
        places = (*task.knowledge.places, *world.tiles)
        self._known_places: tuple[Place, ...] = tuple(place for place in places if place not in rules.closed)

    def fetch(self, visits: Iterable[Visit], purchases: Mapping[Code, int]) -> None:
        """Go on some visits, and buy some pieces of items."""
        for visit in visits:
            self._go("resource", visit.node)
            self.steps += visit.steps(self._rules, self._owned)
        for code, quantity in purchases.items():
            self._go("grand_exchange")
            self.steps.append(Do("buy", (code, quantity)))

    def craft(self, shop: str, crafts: Mapping[Code, int], codes: Collection[Code]) -> None:
        """Go to a workshop and craft some of the crafts there, in their order."""
        self._go("workshop", shop)
        self.steps += [Do("craft", (code, quantity)) for code, quantity in crafts.items() if code in codes]

    def wear(self, loadout: Pieces) -> None:
        """Change to a loadout. A new piece goes into its own slot, or into another of its type if that one is taken."""
        for slot, piece in list(self._worn.items()):
            if piece not in loadout:
                del self._worn[slot]
                self.steps.append(Do("unequip", (slot,)))
        # Sorted, because the order of a set differs between processes.
        for piece in sorted(loadout - set(self._worn.values())):
            slots = [piece.slot, *(slot for slot in self._world.slots if slot_type(slot) == slot_type(piece.slot))]
            slot = next(slot for slot in slots if slot not in self._worn)
            self._worn[slot] = piece
            self.steps.append(Do("equip", (slot, piece.code)))

    def hunt(self, who: Code, hunt: Hunt) -> None:
        """Go to a monster and beat it as often as a hunt says."""
        self._go("monster", who)
        self.steps += hunt.steps(self._owned)

    def _go(self, kind: str, code: Code = ANY) -> None:
        """Move to a tile that holds something, unless the hero is on one. Tiles that the task tells are preferred."""
        standing = self._world.standing(kind)
        places = [place for place in self._known_places if place in standing and code in (ANY, standing[place])]
        if not places:
            raise Unplannable(f"there is no {kind} {code} on the map that the hero can enter")
        if self._place not in places:
            self._place = places[0]
            self.steps.append(Do("move", self._place))
