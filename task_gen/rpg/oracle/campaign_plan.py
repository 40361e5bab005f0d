"""The oracle's plan for a campaign: a straight list of actions and counted loops, in as few of them as is known.

All gathering and buying comes first, once for the whole campaign. Each visit to a workshop makes everything possible
by then, for whatever goal. A monster is hunted for everything it drops, as soon as the hero beats it in what he
wears anyway. Only if the next goal needs a drop that he cannot win so, he changes for the hunt, in the fewest actions.
The plan follows the order of the goals and is not proven to be the shortest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import groupby

from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Goal, Task
from herobench.suites.rpg.game.world import Code, World
from herobench.task_gen.rpg.oracle.a_star import Unplannable, fewest_steps
from herobench.task_gen.rpg.oracle.gathering import ANY, Hunt, Trip, known_nodes, plan_visits
from herobench.task_gen.rpg.oracle.loadouts import Loadout, LoadoutFights, change
from herobench.task_gen.rpg.oracle.lower_bound import CampaignWork
from herobench.task_gen.rpg.oracle.steps import Do, Step


def campaign_plan(world: World, rules: Rules, task: Task, fights: LoadoutFights | None = None) -> list[Step]:
    """Return the plan for a campaign under its own rules. Raises Unplannable if there is none.

    `fights` may come from other campaigns of the same hero.
    """
    if rules.drops != "sure":
        raise Unplannable("a campaign needs drops that fall every time")
    return list(folded(_Campaigner(world, rules, task, fights or LoadoutFights(world, rules, task.hero)).steps()))


def folded(steps: list[Step]) -> Iterator[Step]:
    """Yield the steps with equal neighbours as one counted loop: each is one decision."""
    for step, equal in groupby(steps, key=lambda step: step._replace(times=1) if isinstance(step, Do) else step):
        times = sum(each.times for each in equal if isinstance(each, Do))
        yield step._replace(times=times) if isinstance(step, Do) else step


class _Campaigner:
    """Makes the plan of one campaign, goal by goal."""

    def __init__(self, world: World, rules: Rules, task: Task, fights: LoadoutFights) -> None:
        self._world = world
        self._rules = rules
        self._task = task
        self._fights = fights
        self._work = work = CampaignWork.of(world, task)
        self._trip = Trip(world, rules, task)
        self._worn: Loadout = task.hero.worn
        self._left = Counter(work.hunted)
        """The drops that are still needed."""
        self._had = {*work.gathered, *work.bought, *task.hero.inventory, *task.hero.worn.values()}
        """Items that are complete for the whole campaign, apart from items that are crafted when they are due."""
        self._had -= work.crafts.keys() | work.hunted.keys()
        self._hunters = [
            who for who, monster in world.monsters.items() if any(d.item in work.hunted for d in monster.drops)
        ]

    def steps(self) -> list[Step]:
        """Return the steps of the whole campaign."""
        self._errands()
        for number, goal in enumerate(self._task.goals):
            self._prepare(number, goal)
            if goal.kind == "kill":
                self._wear(self._work.loadouts[number])
                self._hunt(goal.target, least=1)
            else:
                self._deliver(goal.target)
        return self._trip.steps

    def _errands(self) -> None:
        """Gather and buy everything that the campaign needs, and raise the skills for it."""
        world, task, work = self._world, self._task, self._work
        known = known_nodes(world, self._rules, task, work.gathered)
        hero = Hero(world, task.hero)
        visits = plan_visits(world, self._rules, hero, work.gathered, work.skills, known)
        self._trip.fetch(visits, work.bought)

    # -- what a goal needs ------------------------------------------------------------------------------------------

    def _prepare(self, number: int, goal: Goal) -> None:
        """Make and win everything that a goal needs."""
        recipe = self._world.recipe_of(goal.target) if goal.kind == "craft" else None
        needs = set(recipe.ingredients) if recipe else set(goal.missing.values())
        while True:
            self._hunt_at_hand(goal)
            lacking = needs - self._had
            if not lacking:
                return
            route = self._route(lacking, goal)
            if route:
                self._visit(route[0], goal)
            elif not self._hunt_changed(number, goal, lacking):
                self._visit(self._useful_shop(lacking, goal), goal)

    def _tree(self, codes: Collection[Code]) -> set[Code]:
        """Return some items and all their parts that are not there yet."""
        found: set[Code] = set()
        left = [code for code in codes if code not in self._had]
        while left:
            code = left.pop()
            if code not in found:
                found.add(code)
                recipe = self._world.recipe_of(code)
                left += [part for part in (recipe.ingredients if recipe else ()) if part not in self._had]
        return found

    def _useful_shop(self, lacking: Collection[Code], goal: Goal) -> str:
        """Return a workshop that makes a part of what is lacking. Raises Unplannable if there is none."""
        wanted = self._tree(lacking)
        for shop in self._shops(wanted):
            if self._made(shop, frozenset(self._had), wanted, goal):
                return shop
        stuck = sorted(code for code in wanted if code in self._left)
        raise Unplannable(f"the hero cannot come by {', '.join(stuck or sorted(wanted))} when he needs it")

    # -- workshops --------------------------------------------------------------------------------------------------

    def _shop(self, code: Code) -> str:
        recipe = self._world.recipe_of(code)
        assert recipe, "only crafts have a workshop"
        return recipe.skill if self._rules.workshop == "matching" else ANY

    def _shops(self, codes: Collection[Code]) -> list[str]:
        return sorted({self._shop(code) for code in codes if code in self._work.crafts})

    def _made(self, shop: str, had: frozenset[Code], among: Collection[Code], goal: Goal) -> dict[Code, None]:
        """Return what a visit to a workshop can make, ingredients first. The item that is due has to wait."""
        made: dict[Code, None] = {}
        for code in self._work.crafts:
            if code not in among or code in had or code == _due(goal) or self._shop(code) != shop:
                continue
            recipe = self._world.recipe_of(code)
            if recipe and all(part in had or part in made for part in recipe.ingredients):
                made[code] = None
        return made

    def _route(self, lacking: Collection[Code], goal: Goal) -> list[str] | None:
        """Return the fewest workshop visits after which nothing is lacking; None if that takes a hunt first."""
        wanted = self._tree(lacking)
        shops = self._shops(wanted)

        def visits(had: frozenset[Code]) -> Iterator[tuple[str, frozenset[Code]]]:
            return ((shop, had.union(self._made(shop, had, wanted, goal))) for shop in shops)

        return fewest_steps(frozenset(self._had), lambda had: had.issuperset(lacking), visits)

    def _visit(self, shop: str, goal: Goal) -> None:
        """Make everything possible in a workshop, for whatever goal."""
        made = self._made(shop, frozenset(self._had), self._work.crafts, goal)
        crafts = {code: number for code in made if (number := self._work.crafts[code])}
        self._had.update(made)
        if crafts:
            self._trip.craft(shop, crafts, crafts)

    def _deliver(self, code: Code) -> None:
        """Craft the item that is due, with all other pieces of it if they are still to be made."""
        more = 0 if code in self._had else self._work.crafts[code]
        self._had.add(code)
        self._trip.craft(self._shop(code), {code: 1 + more}, [code])

    # -- hunts ------------------------------------------------------------------------------------------------------

    def _hunt_at_hand(self, goal: Goal) -> None:
        """Hunt every monster that drops something needed and loses to the loadout; the next target has to wait."""
        for who in self._hunters:
            if who != goal.target and self._gives(who) and self._fights.beats(who, self._worn):
                self._hunt(who)

    def _hunt_changed(self, number: int, goal: Goal, lacking: Collection[Code]) -> bool:
        """Change for a hunt that the lacking items need, and hunt. Return whether there is one."""
        wanted = self._tree(lacking)
        made = {slot: code for slot, code in self._work.loadouts[number].items() if code in self._had}
        known = [*self._known_loadouts(number), made]
        ways = [
            (len(list(change(self._world, self._worn, {**self._worn, **way}))), index, who, way)
            for index, who in enumerate(self._hunters)
            if who != goal.target and wanted.intersection(self._gives(who))
            if (way := self._fights.nearest(who, self._worn, known)) is not None
        ]
        if not ways:
            return False
        _, _, who, way = min(ways, key=lambda found: found[:2])
        self._wear({**self._worn, **way})
        self._hunt(who)
        return True

    def _known_loadouts(self, number: int) -> Collection[Loadout]:
        """Return each loadout once that the hero had on for some goal before, and the one of the start."""
        loadouts = (self._task.hero.worn, *self._work.loadouts[:number])
        return {frozenset(loadout.items()): loadout for loadout in loadouts}.values()

    def _gives(self, who: Code) -> list[Code]:
        """Return the drops of a monster that are still needed."""
        return [drop.item for drop in self._world.monsters[who].drops if self._left[drop.item] > 0]

    def _hunt(self, who: Code, least: int = 0) -> None:
        """Beat a monster a least number of times, and until it has dropped everything needed."""
        drops = self._world.monsters[who].drops
        wins = max([least, *(-(-self._left[drop.item] // drop.least) for drop in drops)])
        self._trip.hunt(who, Hunt(wins))
        for drop in drops:
            self._left[drop.item] -= wins * drop.least
            if drop.item in self._work.hunted and self._left[drop.item] <= 0:
                self._had.add(drop.item)

    def _wear(self, loadout: Loadout) -> None:
        """Change to a loadout."""
        self._trip.change(change(self._world, self._worn, loadout))
        self._worn = loadout


def _due(goal: Goal) -> Code | None:
    return goal.target if goal.kind == "craft" else None
