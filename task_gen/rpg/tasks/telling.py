"""Choose what a task tells: recipes, materials, monsters and places, as much as its knowledge level says, and noise.

Called by the generator once a task has a proven plan: what that plan uses is told in any case. All facts stand in
the world's order, so the order gives nothing away.

Noise is told gear that looks at least as good as the needed gear, and that nobody can make. A third comes from the
world's catalogue of distractors; the rest is invented for the task, so that nobody can learn it by heart. An invented
item copies type, level and stats of real gear, takes its name from words of the world, and needs an ingredient that has
no source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import cycle, islice
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING

from herobench.suites.rpg.game.events import Fought, Gathered
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Knowledge, KnowledgeLevel, Task
from herobench.suites.rpg.game.world import Code, Item, Place, Recipe, World, item_from_row, item_row, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_candidates, gear_slots, sources
from herobench.task_gen.rpg.oracle.gathering import Requirements, fewest_nodes, items_to_make, skills_for
from herobench.task_gen.rpg.oracle.loadouts import QuickLoadouts
from herobench.task_gen.rpg.oracle.steps import Unplannable
from herobench.task_gen.rpg.tasks.decoys import Matchup, decoys_for
from herobench.task_gen.rpg.tasks.drafts import craftable_like
from herobench.task_gen.rpg.tasks.spec import Spec

if TYPE_CHECKING:
    from herobench.task_gen.rpg.tasks.proven_tasks import Rehearsal

_OTHER_CRAFTS = 4
"""The number of other recipes of the same skill in a craft task with decoys."""


@dataclass
class KnowledgeTelling:
    """A collection of facts to tell, from which the knowledge of a task is made."""

    world: World
    level: KnowledgeLevel
    items: set[Code] = field(default_factory=set)
    """Items that are told with their recipes, or as materials."""
    nodes: set[Code] = field(default_factory=set)
    monsters: set[Code] = field(default_factory=set)
    sold: set[Code] = field(default_factory=set)
    stats: set[Code] = field(default_factory=set)
    noise: tuple[Item, ...] = ()

    def add_item(self, code: Code) -> None:
        """Add an item, all its ingredients, and every monster that drops one of them."""
        if code in self.items:
            return
        self.items.add(code)
        recipe = self.world.recipe_of(code)
        for part in recipe.ingredients if recipe else ():
            self.add_item(part)
        if not recipe and code not in self.sold:
            self.monsters.update(self.world.droppers.get(code, ()))

    def knowledge(self) -> Knowledge:
        """Return the facts in the form that a task holds."""
        world = self.world
        recipes = tuple(code for code in world.items if code in self.items and world.recipe_of(code))
        materials = tuple(code for code in world.items if code in self.items and not world.recipe_of(code))
        return Knowledge(
            recipes=recipes,
            materials=materials,
            sold=frozenset(self.sold),
            monsters=tuple(code for code in world.monsters if code in self.monsters),
            places=tuple(self._places(recipes)),
            stats=tuple(code for code in world.items if code in self.stats and code not in self.items),
            noise=self.noise,
            level=self.level,
        )

    def _places(self, recipes: Collection[Code]) -> Iterable[Place]:
        shops = {recipe.skill for recipe in map(self.world.recipe_of, recipes) if recipe}
        for place, tile in self.world.tiles.items():
            if tile.content:
                kind, code = tile.content
                codes_by_kind: dict[str, set[Code]] = {
                    "monster": self.monsters,
                    "resource": self.nodes,
                    "workshop": shops,
                }
                if code in codes_by_kind.get(kind, ()) or (kind == "grand_exchange" and self.sold):
                    yield place


def knowledge_for(world: World, rules: Rules, spec: Spec, task: Task, rehearsal: Rehearsal, rng: Random) -> Knowledge:
    """Return the knowledge of a task. Raises Unplannable if there are not enough decoys."""
    if spec.knowledge == "world":
        items, nodes, monsters = set(world.items), set(world.resources), set(world.monsters)
        telling = KnowledgeTelling(world, "world", items, nodes, monsters, set(task.knowledge.sold))
    else:
        telling = _what_is_needed(world, spec, task, rehearsal)
        if spec.knowledge == "decoys":
            _add_decoys(world, telling, _drawn_decoys(world, rules, task, rehearsal, rng))
    if spec.noise:
        telling.noise = noise_for(world, _likeness(world, task, telling), spec.noise, rng)
    return telling.knowledge()


def _what_is_needed(world: World, spec: Spec, task: Task, rehearsal: Rehearsal) -> KnowledgeTelling:
    """Return just what the oracle's plan needed: its recipes, nodes and monsters."""
    # The played plan is the source of truth: what it used is what a solver needs.
    telling = KnowledgeTelling(world, spec.knowledge, sold=set(task.knowledge.sold))
    details = [event.detail for event in rehearsal.game.events]
    telling.nodes = {detail.resource for detail in details if isinstance(detail, Gathered)}
    telling.monsters = {detail.monster for detail in details if isinstance(detail, Fought)}
    for code in items_to_make(task):
        telling.add_item(code)
    # Sorted, because the order of a set of strings differs between processes.
    for node in sorted(telling.nodes):
        _add_what_is_gathered(world, telling, node)
    telling.stats = {code for slot, code in task.hero.worn.items() if slot in task.missing or spec.knowledge != "exact"}
    return telling


def _add_what_is_gathered(world: World, telling: KnowledgeTelling, node: Code) -> None:
    """Add an item that a node gives, if none of its items is told: prompts name nodes by what they give."""
    drops = world.resources[node].drops
    if not any(drop.item in telling.items for drop in drops):
        telling.items.add(min(drops, key=lambda drop: drop.one_in).item)


def _drawn_decoys(world: World, rules: Rules, task: Task, rehearsal: Rehearsal, rng: Random) -> Collection[Code]:
    """Return the decoys of a task."""
    if task.kind == "craft":
        # Recipes of the same skill only: others would not look like answers.
        others = [code for code in craftable_like(world, task.target) if _can_make(world, task, rehearsal, code)]
        return rng.sample(others, min(_OTHER_CRAFTS, len(others)))
    target = world.monsters[task.target]
    loadouts = QuickLoadouts(world, rules, task)
    candidates = {
        kind: [item for item in items if _can_make(world, task, rehearsal, item.code, loadouts)]
        for kind, items in gear_candidates(world, target, task.hero.combat[0]).items()
    }
    decoys = decoys_for(Matchup(world, rules, target, task.hero, task.missing), candidates, rng)
    if decoys is None:
        raise Unplannable("there are no decoys that hide the right gear")
    return decoys


def _add_decoys(world: World, telling: KnowledgeTelling, decoys: Iterable[Code]) -> None:
    for code in decoys:
        telling.add_item(code)
    # Decoys need nodes as well; the fewest of them keep the prompt short.
    leaves = {code for code in telling.items if code in world.nodes and not world.recipe_of(code)} - telling.sold
    drops = {drop.item for node in telling.nodes for drop in world.resources[node].drops}
    telling.nodes |= set(fewest_nodes(world, sorted(leaves - drops), world.resources))


def _can_make(
    world: World, task: Task, rehearsal: Rehearsal, code: Code, loadouts: QuickLoadouts | None = None
) -> bool:
    """Return whether the hero can make an item now.

    His skills have to suffice, and he has to beat every monster that drops a part, in the gear that he wears at the
    start or in the end.
    """
    if sources(world, code) is None:
        return False
    skills = rehearsal.game.hero.skills
    if any(skills[skill].level < level for skill, level in skills_for(world, 1, Counter([code])).items()):
        return False
    droppers = Requirements.of(world, {code: 1}).monsters(world)
    if loadouts is None:
        return not droppers
    # Decoys must be makeable now, so intermediate states of gear do not count.
    states = (frozenset[str](), frozenset(task.missing))
    return all(any(loadouts.beats(who, state) for state in states) for who in droppers)


def _likeness(world: World, task: Task, telling: KnowledgeTelling) -> list[Item]:
    """Return the items that noise imitates: the craftable missing gear, or the target of a craft task.

    Without any, return any told gear; without that, the missing gear, although only monsters drop it.
    """
    items_needed = list(items_to_make(task))
    crafts = [code for code in dict.fromkeys(items_needed) if world.recipe_of(code)]
    craftable = [code for code in sorted(telling.items) if world.recipe_of(code)]
    return [world.items[code] for code in crafts or craftable or dict.fromkeys(items_needed)]


# -- the check of what is told ----------------------------------------------------------------------------------------


def knowledge_faults(world: World, task: Task) -> Iterator[str]:
    """Yield the faults in what a task tells."""
    yield from _left_out(world, task)
    yield from _sold(world, task)
    yield from _level(world, task)
    yield from _noise(world, task)


def _left_out(world: World, task: Task) -> Iterator[str]:
    """Check that the task tells of all parts, and of the stats of the gear that has to come off."""
    knowledge, work = task.knowledge, Requirements.of(world, items_to_make(task))
    known_codes = {*knowledge.recipes, *knowledge.materials}
    unknown = [code for code in (*work.crafts, *work.raw) if code not in known_codes]
    if unknown:
        yield f"it does not tell of {', '.join(unknown)}"
    # dict.fromkeys drops repeats and keeps the order, so that messages are stable.
    coming_off = dict.fromkeys(task.hero.worn[slot] for slot in task.missing if slot in task.hero.worn)
    unseen = [code for code in coming_off if code not in known_codes and code not in knowledge.stats]
    if unseen:
        yield f"it does not tell the stats of {', '.join(unseen)}, which the hero wears and has to replace"


def _sold(world: World, task: Task) -> Iterator[str]:
    """Check that the task does not sell what the hero has to make or find."""
    if task.mechanics.exchange == "world":
        yield "the exchange sells more than the task tells, so nothing has to be made"
    work = Requirements.of(world, items_to_make(task))
    obtainable_codes = {*work.crafts, *(code for code in work.raw if task.kind == "kill" or code in world.nodes)}
    # Starter items belong to every hero, so their sale replaces no work.
    for_sale = sorted(obtainable_codes & task.knowledge.sold - world.starter_items)
    if for_sale:
        yield f"it sells what the hero has to make or find: {', '.join(for_sale)}"


def _level(world: World, task: Task) -> Iterator[str]:
    """Check that the task tells as much as its knowledge level says."""
    knowledge, crafts = task.knowledge, Requirements.of(world, items_to_make(task)).crafts
    more = [code for code in knowledge.recipes if code not in crafts]
    if knowledge.level == "exact" and more:
        yield f"its knowledge level is exact, but it also tells of {', '.join(more)}"
    if knowledge.level == "decoys" and task.kind == "kill":
        types = {slot_type(slot) for slot in task.missing}
        others = {world.items[code].type for code in (*more, *knowledge.materials) if code not in task.missing.values()}
        if not types <= others:
            yield f"it has no decoys for {', '.join(sorted(types - others))}"
    if knowledge.level == "world" and len(knowledge.monsters) < len(world.monsters):
        yield "its knowledge level is world, but it does not tell of all monsters"


def _noise(world: World, task: Task) -> Iterator[str]:
    """Check that noise cannot be made from anything that the task tells or its monsters drop."""
    knowledge = task.knowledge
    sources = {*knowledge.recipes, *knowledge.materials, *(item.code for item in knowledge.noise)}
    sources.update(drop.item for who in knowledge.monsters for drop in world.monsters[who].drops)
    for place in knowledge.places:
        content = world.tiles[place].content
        if content and content.type == "resource":
            sources.update(drop.item for drop in world.resources[content.code].drops)
    for item in knowledge.noise:
        if not item.recipe or all(part in sources for part in item.recipe.ingredients):
            yield f"the noise item {item.code} can be made from what the task tells"
    if len({item.code for item in knowledge.noise}) < len(knowledge.noise):
        yield "it tells the same noise item twice"
    types = {item.type for item in world.items.values()}
    strange = [item.code for item in knowledge.noise if item.type not in types]
    if strange:
        yield f"it tells noise items of a type that the world does not have: {', '.join(strange)}"


# -- noise ------------------------------------------------------------------------------------------------------------


_FROM_CATALOGUE = 1 / 3
_TRIES = 100
"""The number of tries per noise item: an ingredient of one must not be another one, so some tries fail."""
_STRONGER = (1.0, 1.3)
"""The range of the factor by which the effects of an invented item differ from the item it copies."""


def most_noise(world: World, kinds: Iterable[str]) -> int:
    """Return how many noise items of some types can be invented: as many as there are new names."""
    return len({name for kind in kinds for name in _names(world, kind)})


def noise_for(world: World, likeness: Sequence[Item], number: int, rng: Random) -> tuple[Item, ...]:
    """Return noise items, each at least as strong as one of `likeness` and at its level; these are taken in turns.

    Raises Unplannable if the world does not have enough names.
    """
    most = most_noise(world, {item.type for item in likeness})
    if number > most:
        raise Unplannable(f"no more than {most} noise items can be invented")
    noise_items: dict[Code, Item] = {}
    strange: set[Code] = set()
    for like in islice(cycle(likeness), number * _TRIES):
        if len(noise_items) == number:
            break
        # Two noise items with one name would show that they are invented.
        used_codes = noise_items.keys() | strange
        item = _from_catalogue(world, like, used_codes, rng) or _invent(world, like, used_codes, rng)
        if item is not None and item.recipe and noise_items.keys().isdisjoint(item.recipe.ingredients):
            noise_items[item.code] = item
            # Remembered, so that no later noise item is one of these ingredients.
            strange |= item.recipe.ingredients.keys() - world.items.keys()
    if len(noise_items) < number:
        raise Unplannable(f"only {len(noise_items)} noise items were found that are not ingredients of each other")
    # Noise items take the form that they have when a task is read back, so both ways give equal tasks.
    return tuple(item_from_row(item_row(noise_items[code]), ()) for code in sorted(noise_items))


def _from_catalogue(world: World, like: Item, used_codes: Collection[Code], rng: Random) -> Item | None:
    """Return a distractor of the same type and level that is at least as strong."""
    if rng.random() >= _FROM_CATALOGUE:
        return None
    fitting = [
        item
        for item in world.distractors.values()
        if item.type == like.type
        and item.level == like.level
        and item.power >= like.power
        and item.recipe
        and item.recipe.skill in world.skills
        and item.code not in used_codes
        # A distractor whose ingredients all exist could be made, and would be no noise.
        and not all(part in world.items for part in item.recipe.ingredients)
    ]
    return rng.choice(fitting) if fitting else None


def _invent(world: World, like: Item, used_codes: Collection[Code], rng: Random) -> Item | None:
    # Free names only: two noise items with one name would show that they are invented.
    names = [name for name, code in _names(world, like.type).items() if code not in used_codes]
    if not names:
        return None
    name = rng.choice(names)
    recipe = like.recipe or _usual_recipe(world, like)
    effects = {effect: _stronger(value, rng) for effect, value in like.effects.items()}
    return replace(
        like,
        code=_code(name),
        name=name,
        effects=MappingProxyType(effects),
        recipe=_impossible(world, recipe, rng),
    )


def _stronger(value: int, rng: Random) -> int:
    # Negative effects stay: a weaker drawback would be another way to look too good.
    return round(value * rng.uniform(*_STRONGER)) if value > 0 else value


def _usual_recipe(world: World, like: Item) -> Recipe:
    """Return a recipe for gear that only monsters have: the recipe of the nearest level among gear of its type."""
    items = [item for item in world.items.values() if item.type == like.type and item.recipe]
    items = items or [item for item in world.items.values() if item.recipe]
    nearest = min(items, key=lambda item: abs(item.level - like.level))
    assert nearest.recipe
    return nearest.recipe


def _impossible(world: World, recipe: Recipe, rng: Random) -> Recipe:
    """Return a recipe in which one ingredient is replaced by one that does not exist."""
    parts = list(recipe.ingredients.items())
    index = rng.randrange(len(parts))
    # One ingredient without a source is enough to make the whole item impossible.
    parts[index] = (_code(rng.choice(_strange_materials(world))), parts[index][1])
    return recipe._replace(ingredients=MappingProxyType(dict(parts)))


# -- names ------------------------------------------------------------------------------------------------------------


def _code(name: str) -> Code:
    return "_".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())


@lru_cache(maxsize=1000)
def _names(world: World, kind: str) -> Mapping[str, Code]:
    """Return new names for items of a type, with their codes.

    They have the first word of a similar item, and the last word of one of the type.
    """
    gear = {slot_type(slot) for slot in gear_slots(world)}
    family = [item for item in world.items.values() if (item.type in gear) == (kind in gear)]
    names = _mix_names(world, family, [item for item in family if item.type == kind])
    return MappingProxyType({name: _code(name) for name in names})


@lru_cache(maxsize=100)
def _strange_materials(world: World) -> tuple[str, ...]:
    """Return names for materials that do not exist."""
    ingredients = {part for item in world.items.values() if item.recipe for part in item.recipe.ingredients}
    materials = [item for item in world.items.values() if item.code in ingredients]
    # A world with one-word names only leaves nothing to mix, so a prefix makes the name new.
    return _mix_names(world, materials, materials) or tuple(f"Strange {item.name}" for item in materials)


def _mix_names(world: World, beginnings: Iterable[Item], endings: Iterable[Item]) -> tuple[str, ...]:
    """Combine first and last words of item names to new names; a word that ends names does not begin one."""
    last = dict.fromkeys(item.name.split()[-1] for item in endings)
    first = dict.fromkeys(item.name.split()[0] for item in beginnings)
    names = (f"{one} {other}" for one in first if one not in last for other in last)
    used_codes = {"", *world.items, *world.distractors}
    return tuple(name for name in names if _code(name) not in used_codes)
