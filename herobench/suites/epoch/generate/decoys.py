"""Decoys: things and places that are of no use. They make no solution shorter and no solution necessary."""

from __future__ import annotations

from herobench.suites.epoch.generate.draft import Draft
from herobench.suites.epoch.generate.words import JUNK, TREASURES


def add_decoys(draft: Draft) -> None:
    """Add things that nobody needs, keys that fit nothing, and places at the end of a way."""
    chance = draft.chance
    for region in draft.regions:
        for _ in range(chance.randint(0, 2)):
            draft.site(region)
        for _ in range(chance.randint(0, 2)):
            draft.lay(draft.thing("item", JUNK + TREASURES), draft.site(region))
    for _ in range(chance.randint(1, 2)):
        draft.lay(draft.key(), draft.site(chance.choice(draft.regions)))
