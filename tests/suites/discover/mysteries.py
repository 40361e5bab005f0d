"""Mysteries for tests, and how a player's game goes through an attempt."""

import asyncio
from collections.abc import Sequence
from random import Random

from herobench.conversation import Message, Request
from herobench.suite.contract import Attempt, SuiteSetting, Verdict
from herobench.suites.discover.game.mystery import Call, Mystery, shipped_mysteries
from herobench.suites.discover.suite import Discover


def some(count: int, most: int = 500) -> list[Mystery]:
    """Mysteries of the shipped set of at most so many decisions, spread over all of them."""
    fitting = [mystery for mystery in shipped_mysteries().values() if mystery.decisions <= most]
    return fitting[:: max(1, len(fitting) // count)][:count]


def with_family(family: str) -> Mystery:
    """The shortest mystery in which a family differs."""
    fitting = [each for each in shipped_mysteries().values() if any(one.family == family for one in each.changes)]
    return min(fitting, key=lambda each: each.decisions)


def played(player: str, mystery: Mystery, **options: str) -> tuple[Attempt, list[Message], Verdict]:
    """The attempt of a player, all that it was told, and the verdict."""
    suite = Discover(SuiteSetting(options=options))
    model, attempt = suite.player(player), suite.open(mystery.id, 0)
    conversation = list(attempt.messages)
    told: Sequence[Message] | None = conversation
    while told is not None:
        reply = asyncio.run(model.reply(Request(mystery.id, 0, conversation)))
        told = attempt.step(reply)
        conversation += [reply.as_message(), *(told or [])]
    return attempt, conversation, attempt.grade()


def sensible_calls(mystery: Mystery, chance: Random, count: int) -> list[Call]:
    """Calls of which most are carried out: places are visited, and what is there is used."""
    world, knows = mystery.told.world, mystery.task.knowledge
    owned = [
        (world.items[code].type, code) for code in mystery.task.hero.inventory if world.items[code].type in world.slots
    ]
    calls: list[Call] = []
    while len(calls) < count:
        place = chance.choice(knows.places)
        content = world.tiles[place].content
        calls.append(("move", place))
        if content and content.type == "monster":
            if owned and chance.random() < 0.7:
                slot, code = chance.choice(owned)
                calls += [("unequip", (slot,)), ("equip", (slot, code))]
            calls += [("fight", ()), ("reset", ())]
        elif content and content.type == "resource":
            calls.append(("gather", (chance.randint(1, 40),)))
        elif knows.recipes:
            calls.append(("craft", (chance.choice(knows.recipes), 1)))
    return calls
