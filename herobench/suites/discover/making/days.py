"""Writes days as calls: what a design chooses, in the order in which the laws are met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from herobench.suites.discover.game.day import Call
from herobench.suites.discover.game.land import BENCH, FORGE, HiddenLand, Land
from herobench.suites.discover.game.laws import FULL, Choice, JointChoice
from herobench.suites.discover.making.halving import Design, Lab


def choices_of(lab: Lab, design: Design) -> list[Choice]:
    """Return what a design chooses in each medium, as far as it goes."""
    choices = [table.choices[number] for table, number in zip(lab.tables, design, strict=False)]
    return [part for choice in choices for part in (choice if isinstance(choice, JointChoice) else (choice,))]


def lode_calls(land: Land, beasts: Choice) -> Iterator[Call]:
    """Yield the calls that beat some beasts, and gather."""
    for number in sorted(beasts.whole):
        yield Call("move", land.place_of[land.beasts[number]])
        yield Call("fight")
    yield Call("move", land.place_of[land.lode])
    yield Call("gather")


def forge_calls(land: Land, wares: Choice) -> Iterator[Call]:
    """Yield the calls that make some wares, and forge."""
    if wares.whole:
        yield Call("move", land.place_of[BENCH])
        yield from (Call("craft", (land.wares[number],)) for number in sorted(wares.whole))
    yield Call("move", land.place_of[FORGE])
    yield Call("craft", (land.blade,))


def lord_calls(land: Land, rings: Choice) -> Iterator[Call]:
    """Yield the calls that put on the keen blade and some rings, and fight the lord."""
    codes = [land.rings[number] for number in sorted(rings.touched) for _ in range(1 + (number in rings.whole))]
    yield Call("equip", ("weapon", land.blades[FULL]))
    yield from (Call("equip", (f"ring{number}", code)) for number, code in enumerate(codes, 1))
    yield Call("move", land.place_of[land.lord])
    yield Call("fight")


def whole_day(land: Land, choices: Sequence[Choice]) -> list[Call]:
    """Return the calls of a day that makes these choices."""
    beasts, wares, rings = choices
    return [*lode_calls(land, beasts), *forge_calls(land, wares), *lord_calls(land, rings)]


def winning_day(hidden: HiddenLand) -> list[Call]:
    """Return the shortest day that wins in a land."""
    return whole_day(hidden.land, [Choice.of(frozenset(secret.wanted)) for secret in hidden.truth])
