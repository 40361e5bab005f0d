"""Check the knowledge of a task: it tells everything needed, no more than its level says, and only impossible noise.

Called by the validation of certificates. Each fault is a sentence; the checks trust nothing but the world.
"""

from __future__ import annotations

from collections.abc import Iterator

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World, slot_type
from herobench.task_gen.rpg.oracle.requirements import Requirements, items_to_make


def knowledge_faults(world: World, task: Task) -> Iterator[str]:
    """Yield the faults in what a task tells."""
    yield from _left_out(world, task)
    yield from _sold(world, task)
    yield from _level(world, task)
    yield from _noise(world, task)


def _left_out(world: World, task: Task) -> Iterator[str]:
    """Check that the task tells of all parts, and of the stats of the gear that has to come off."""
    told, work = task.knowledge, Requirements.of(world, items_to_make(task))
    known = {*told.recipes, *told.materials}
    unknown = [code for code in (*work.crafts, *work.raw) if code not in known]
    if unknown:
        yield f"it does not tell of {', '.join(unknown)}"
    # dict.fromkeys drops repeats and keeps the order, so that messages are stable.
    slots = dict.fromkeys(slot for goal in task.goals for slot in goal.missing)
    replaced = dict.fromkeys(task.hero.worn[slot] for slot in slots if slot in task.hero.worn)
    unseen = [code for code in replaced if code not in known and code not in told.stats]
    if unseen:
        yield f"it does not tell the stats of {', '.join(unseen)}, which the hero wears and has to replace"


def _sold(world: World, task: Task) -> Iterator[str]:
    """Check that the task does not sell what the hero has to make or find."""
    if task.mechanics.exchange == "world":
        yield "the exchange sells more than the task tells, so nothing has to be made"
    work = Requirements.of(world, items_to_make(task))
    hunts = any(goal.kind == "kill" for goal in task.goals)
    made = {*work.crafts, *(code for code in work.raw if hunts or code in world.nodes)}
    # Starter items belong to every hero, so their sale replaces no work.
    for_sale = sorted(made & task.knowledge.sold - world.starter_items)
    if for_sale:
        yield f"it sells what the hero has to make or find: {', '.join(for_sale)}"


def _level(world: World, task: Task) -> Iterator[str]:
    """Check that the task tells as much as its knowledge level says."""
    told, needed = task.knowledge, Requirements.of(world, items_to_make(task)).crafts
    more = [code for code in told.recipes if code not in needed]
    if told.level == "exact" and more:
        yield f"its knowledge level is exact, but it also tells of {', '.join(more)}"
    # The validation of a campaign looks at the decoys of each goal, which takes fights.
    if told.level == "decoys" and task.kind == "kill" and not task.campaign:
        types = {slot_type(slot) for slot in task.missing}
        others = {world.items[code].type for code in (*more, *told.materials) if code not in task.missing.values()}
        if not types <= others:
            yield f"it has no decoys for {', '.join(sorted(types - others))}"
    if told.level == "world" and len(told.monsters) < len(world.monsters):
        yield "its knowledge level is world, but it does not tell of all monsters"


def _noise(world: World, task: Task) -> Iterator[str]:
    """Check that noise cannot be made from anything that the task tells or its monsters drop."""
    told = task.knowledge
    sources = {*told.recipes, *told.materials, *(item.code for item in told.noise)}
    sources.update(drop.item for who in told.monsters for drop in world.monsters[who].drops)
    for place in told.places:
        content = world.tiles[place].content
        if content and content.type == "resource":
            sources.update(drop.item for drop in world.resources[content.code].drops)
    for item in told.noise:
        if not item.recipe or all(part in sources for part in item.recipe.ingredients):
            yield f"the noise item {item.code} can be made from what the task tells"
    if len({item.code for item in told.noise}) < len(told.noise):
        yield "it tells the same noise item twice"
    types = {item.type for item in world.items.values()}
    strange = [item.code for item in told.noise if item.type not in types]
    if strange:
        yield f"it tells noise items of a type that the world does not have: {', '.join(strange)}"
