"""Whether a task tells what it should: all that is needed, no more than it says, and noise that stays out of reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from herobench.rpg.task import Task
from herobench.rpg.world import World, slot_type
from herobench.task_gen.oracle.crafting import Requirements


def honesty(world: World, task: Task) -> Iterator[str]:
    """What is wrong with what a task tells."""
    yield from _left_out(world, task)
    yield from _sold(world, task)
    yield from _level(world, task)
    yield from _noise(world, task)


def _order(task: Task) -> Counter[str]:
    return Counter(task.missing.values()) if task.kind == "kill" else Counter([task.target])


def _left_out(world: World, task: Task) -> Iterator[str]:
    """That all parts are told of, and what the gear does that has to come off."""
    told, work = task.knowledge, Requirements.of(world, _order(task))
    known = {*told.recipes, *told.materials}
    unknown = [code for code in (*work.crafts, *work.raw) if code not in known]
    if unknown:
        yield f"it does not tell of {', '.join(unknown)}"
    if task.kind == "kill":
        replaced = dict.fromkeys(task.hero.worn[slot] for slot in task.missing if slot in task.hero.worn)
        unseen = [code for code in replaced if code not in known and code not in told.stats]
        if unseen:
            yield f"it does not tell the stats of {', '.join(unseen)}, which the hero wears"


def _sold(world: World, task: Task) -> Iterator[str]:
    """That nothing is for sale that has to be made, or come by in another way."""
    if task.mechanics.exchange == "world":
        yield "the exchange sells more than is told, so nothing has to be made"
    work = Requirements.of(world, _order(task))
    made = {*work.crafts, *(code for code in work.raw if task.kind == "kill" or code in world.nodes)}
    for_sale = sorted(made & task.knowledge.sold - world.starter_items)
    if for_sale:
        yield f"what has to be made or found is for sale: {', '.join(for_sale)}"


def _level(world: World, task: Task) -> Iterator[str]:
    """That it tells as much as its knowledge level says."""
    told, needed = task.knowledge, Requirements.of(world, _order(task)).crafts
    more = [code for code in told.recipes if code not in needed]
    if told.level == "exact" and more:
        yield f"it is said to tell just what is needed, and tells of {', '.join(more)}"
    if told.level == "decoys" and task.kind == "kill":
        types = {slot_type(slot) for slot in task.missing}
        others = {world.items[code].type for code in (*more, *told.materials) if code not in task.missing.values()}
        if not types <= others:
            yield f"it has no decoys for {', '.join(sorted(types - others))}"
    if told.level == "world" and len(told.monsters) < len(world.monsters):
        yield "it is said to tell everything, and does not tell of all monsters"


def _noise(world: World, task: Task) -> Iterator[str]:
    """That noise cannot be made from anything that is told, be it gathered or dropped."""
    told = task.knowledge
    sources = {*told.recipes, *told.materials, *(item.code for item in told.noise)}
    sources.update(drop.item for who in told.monsters for drop in world.monsters[who].drops)
    for place in told.places:
        content = world.tiles[place].content
        if content and content.type == "resource":
            sources.update(drop.item for drop in world.resources[content.code].drops)
    for item in told.noise:
        if not item.recipe or all(part in sources for part in item.recipe.ingredients):
            yield f"the noise item {item.code} can be made from what is told"
    if len({item.code for item in told.noise}) < len(told.noise):
        yield "it tells the same noise twice"
    types = {item.type for item in world.items.values()}
    strange = [item.code for item in told.noise if item.type not in types]
    if strange:
        yield f"noise of a type that the world does not have: {', '.join(strange)}"
