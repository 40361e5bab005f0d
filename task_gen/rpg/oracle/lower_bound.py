"""Lower bounds on the actions of a task or a campaign, by counting each kind of action alone; and the depth of a plan.

The bound of a task holds for every plan that makes and wears the missing gear, beats all droppers of its parts, and
buys only what the task sells. It counts one craft per item, one gathering per node of a minimum cover, the fights that
the drops need, and one move per place. Ordering and leveling are left out. A plan that meets the bound is optimal.

The bound of a campaign holds for every plan of full score: it crafts everything that an ideal plan crafts, puts on all
missing gear at least once, and reaches the goals in order. It counts one craft per item and one for each time that it
is due, one gathering per node of a minimum cover, the fights of the goals and those that drops or levels need, one
equip per missing item, and one move per stop. Changes back to gear that was on before are left out, so the bound is far
below long plans.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from herobench.suites.rpg.game.events import Crafted, Equipped, Event, Fought, Gathered, Unequipped
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import goals_reached
from herobench.suites.rpg.game.task import Goal, Task
from herobench.suites.rpg.game.world import Code, Drop, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.gathering import drop_chance, fewest_nodes
from herobench.task_gen.rpg.oracle.loadouts import Loadout, goal_loadouts
from herobench.task_gen.rpg.oracle.requirements import NeededItems, Requirements


def lower_bound(world: World, rules: Rules, task: Task) -> int:
    """Return the bound for a task under its own rules."""
    if task.campaign:
        return campaign_bound(world, rules, task)
    work = NeededItems.of(world, task)
    crafts = work.requirements.crafts
    # An item that monsters drop too may come from fights, so no node is counted for it.
    nodes = fewest_nodes(world, work.gathered.keys() - work.hunted.keys(), world.resources)
    wins = Wins.of(world, rules, task, work)
    shops = {recipe.skill for recipe in map(world.recipe_of, crafts) if recipe}
    workshops = len(shops) if rules.workshop == "matching" else min(1, len(shops))
    target = int(task.kind == "kill")
    stops = len(nodes) + len(wins.each) + workshops + target + bool(work.bought)
    # The hero may already stand on one of the places, so that one needs no move.
    moves = max(0, stops - (world.tiles[task.hero.place].content is not None))
    return moves + len(nodes) + wins.total + len(work.bought) + len(crafts) + _changes(world, task) + target


class Wins(NamedTuple):
    """The fewest victories that a task needs."""

    each: Counter[Code]
    """Victories over each monster, for items that only it drops."""
    more: int
    """Further victories over any of them, for items that several drop."""

    @classmethod
    def of(cls, world: World, rules: Rules, task: Task, work: NeededItems) -> Wins:
        """Return the victories of a task: one over every dropper of a part, and more where the drops need it.

        Of the parts that several monsters drop, only the one that needs most is counted: one victory may serve several.
        """
        droppers = {leaf: [who for who in world.droppers[leaf] if who != task.target] for leaf in work.hunted}
        wins = Counter({who: 1 for everyone in droppers.values() for who in everyone})
        for leaf, everyone in droppers.items():
            # A single dropper has to give all of it.
            if len(everyone) == 1:
                most = most_dropped(world, rules, everyone[0], leaf)
                wins[everyone[0]] = max(wins[everyone[0]], -(-work.hunted[leaf] // most))
        more = 0
        for leaf, everyone in droppers.items():
            if len(everyone) > 1:
                gives = {who: most_dropped(world, rules, who, leaf) for who in everyone}
                lacking = work.hunted[leaf] - sum(wins[who] * gives[who] for who in everyone)
                # The maximum, not the sum: the same victories may serve several of these parts.
                more = max(more, -(-lacking // max(gives.values())))
        return cls(wins, more)

    @property
    def total(self) -> int:
        """The number of victories."""
        return self.each.total() + self.more


def most_dropped(world: World, rules: Rules, who: Code, leaf: Code) -> int:
    """Return the most of an item that one victory can give."""

    # A lower bound on actions has to assume the largest drop that luck can give.
    def falls(drop: Drop) -> int:
        return drop.least if rules.drops == "sure" else drop.most

    return sum(falls(drop) for drop in world.monsters[who].drops if drop.item == leaf and drop_chance(drop, rules) > 0)


def _changes(world: World, task: Task) -> int:
    """Return the least number of equips, and of unequips in types that have too few free slots."""
    changes = len(task.missing)
    types = Counter(slot_type(slot) for slot in task.missing)
    for kind, count in types.items():
        slots = [slot for slot in gear_slots(world) if slot_type(slot) == kind]
        changes += max(0, count - sum(slot not in task.hero.worn for slot in slots))
    return changes


# -- campaigns --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CampaignWork:
    """The items that a campaign needs, by their source."""

    loadouts: tuple[Loadout, ...]
    """What the hero wears for each goal."""
    crafts: Mapping[Code, int]
    """The pieces to craft before they are due, ingredients first; 0 if all pieces are made when they are due."""
    skills: Mapping[str, int]
    gathered: Mapping[Code, int]
    bought: Mapping[Code, int]
    hunted: Mapping[Code, int]

    @classmethod
    def of(cls, world: World, task: Task) -> CampaignWork:
        """Return the work of a campaign. What is for sale is bought, what nodes give gathered, the rest hunted."""
        loadouts = goal_loadouts(task)
        due = Counter(goal.target for goal in task.goals if goal.kind == "craft")
        requirements = Requirements.of(world, pieces_worn(task, loadouts) + due)
        owned, sold = task.hero.inventory, task.knowledge.sold
        need = {code: n - owned.get(code, 0) for code, n in requirements.raw.items() if n > owned.get(code, 0)}
        bought = {code: number for code, number in need.items() if code in sold}
        gathered = {code: number for code, number in need.items() if code in world.nodes and code not in sold}
        return cls(
            loadouts,
            crafts={code: number - due[code] for code, number in requirements.crafts.items()},
            skills=requirements.skills,
            gathered=gathered,
            bought=bought,
            hunted={code: number for code, number in need.items() if code not in gathered and code not in bought},
        )


def pieces_worn(task: Task, loadouts: tuple[Loadout, ...]) -> Counter[Code]:
    """Return the pieces of gear that have to be made: of each item, the most that are worn at a time."""
    most: Counter[Code] = Counter()
    for loadout in loadouts:
        most |= Counter(loadout.values())
    return most - Counter(task.hero.worn.values()) - Counter(task.hero.inventory)


def campaign_bound(world: World, rules: Rules, task: Task) -> int:
    """Return the bound for a campaign under its own rules, if drops fall every time."""
    due = Counter(goal.target for goal in task.goals if goal.kind == "craft")
    pieces = _least_pieces(world, task, due)
    crafts = {code: recipe for code in pieces if (recipe := world.recipe_of(code))}
    leaves = {code for code in pieces if code not in crafts and pieces[code] > task.hero.inventory.get(code, 0)}
    bought = {code for code in leaves if code in task.knowledge.sold}
    # An item that monsters drop too may come from fights, and one that nodes give too need not.
    nodes = fewest_nodes(world, sorted(leaves - bought - world.droppers.keys()), world.resources)
    hunted = {
        code: pieces[code] - task.hero.inventory.get(code, 0) for code in leaves - bought if code not in world.nodes
    }
    wins = _victories(world, task, hunted)
    goal_stops = [stop for stop, _ in groupby(_stop(world, rules, goal) for goal in task.goals)]
    stops = {("monster", who) for who in wins} | {("node", node) for node in nodes}
    stops |= {_workshop(rules, recipe.skill) for recipe in crafts.values()}
    others = len(stops.difference(goal_stops)) + bool(bought)
    # The hero may already stand on one of the places, so that one needs no move.
    moves = len(goal_stops) + others - (world.tiles[task.hero.place].content is not None)
    made = sum(max(1, due[code]) for code in crafts)
    fights = max(wins.total(), _with_lessons(world, rules, task))
    return moves + made + len(nodes) + len(bought) + fights + _equips(world, task)


def _least_pieces(world: World, task: Task, due: Counter[Code]) -> Counter[Code]:
    """Return the least number of pieces of each item that have to be come by.

    A piece that is due, or worn for a goal, may later go into another item. So the uses of an item are not added up:
    the largest of them counts.
    """
    worn = pieces_worn(task, goal_loadouts(task))
    pieces = worn | due
    uses: Counter[Code] = Counter()
    for code in reversed(list(Requirements.of(world, pieces).crafts)):
        pieces[code] = max(pieces[code], uses[code])
        recipe = world.recipe_of(code)
        for part, quantity in recipe.ingredients.items() if recipe else ():
            uses[part] += quantity * pieces[code]
    return pieces | uses


def _victories(world: World, task: Task, hunted: Mapping[Code, int]) -> Counter[Code]:
    """Return the least victories over each monster: for the goals, and for what only it drops."""
    wins = Counter(goal.target for goal in task.goals if goal.kind == "kill")
    for code, number in hunted.items():
        droppers = world.droppers.get(code, ())
        if len(droppers) == 1:
            least = sum(drop.least for drop in world.monsters[droppers[0]].drops if drop.item == code)
            wins[droppers[0]] = max(wins[droppers[0]], -(-number // least))
    return wins


def _with_lessons(world: World, rules: Rules, task: Task) -> int:
    """Return the least victories that give the levels of the missing gear, and reach the goals that come after."""
    hero, strongest = Hero(world, task.hero), max(monster.level for monster in world.monsters.values())
    goals = sum(goal.kind == "kill" for goal in task.goals)
    lessons = least = 0
    for goal in task.goals:
        level = max((world.items[code].level for code in goal.missing.values()), default=0)
        while hero.combat.level < level:
            # The strongest monster teaches most.
            hero.learn_from_victory(strongest, rules)
            lessons += 1
        least = max(least, lessons + goals)
        goals -= goal.kind == "kill"
    return least


def _stop(world: World, rules: Rules, goal: Goal) -> tuple[str, str]:
    """Return where a goal is reached."""
    recipe = world.recipe_of(goal.target) if goal.kind == "craft" else None
    return _workshop(rules, recipe.skill) if recipe else ("monster", goal.target)


def _workshop(rules: Rules, skill: str) -> tuple[str, str]:
    return "workshop", skill if rules.workshop == "matching" else ""


def _equips(world: World, task: Task) -> int:
    """Return the least number of equips, and of unequips in types that have too few free slots."""
    missing = {code for goal in task.goals for code in goal.missing.values()}
    changes = len(missing)
    for kind, count in Counter(world.items[code].type for code in missing).items():
        free = sum(slot_type(slot) == kind and slot not in task.hero.worn for slot in gear_slots(world))
        changes += max(0, count - free)
    return changes


def depth_of(task: Task, events: Iterable[Event], world: World) -> int:
    """Return the length of the longest chain among the deeds of a plan: each needs what the one before it gave.

    A craft needs its ingredients, a fight the gear that is worn, a goal the goal before it. Gathering needs nothing.
    """
    events = tuple(events)
    goals = set(goals_reached(task, events))
    had: dict[Code, int] = {}
    worn: dict[str, Code] = dict(task.hero.worn)
    deepest = reached = 0
    for number, event in enumerate(events):
        depth, given = 1, list[Code]()
        match event.detail:
            case Gathered(drops=drops):
                given = [item for item, _ in drops]
            case Crafted(item=item):
                recipe = world.recipe_of(item)
                depth += max(had.get(part, 0) for part in recipe.ingredients) if recipe else 0
                given = [item]
            case Fought(drops=drops):
                depth += max((had.get(code, 0) for code in worn.values()), default=0)
                given = [item for item, _ in drops]
            case Equipped(slot, item, _):
                worn[slot] = item
                continue
            case Unequipped(slot, _, _):
                worn.pop(slot, None)
                continue
            case _:
                continue
        if number in goals:
            depth = reached = max(depth, reached + 1)
        for item in given:
            had.setdefault(item, depth)
        deepest = max(deepest, depth)
    return deepest
