"""The cost of an action inside the engine: a mix of moves, gathers, crafts and fights, as plans have it."""

from __future__ import annotations

from bench.clock import seconds
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.worlds.content import load_rules, load_world

_ROUNDS = 60


def _plan() -> list[Action]:
    """A hundred rounds of work: gather and craft copper, fight chickens and slimes, change a ring."""

    def do(name: str, *args: str | int) -> Action:
        return Action(name, ("Hero", *args), (), 1)

    one_round = [
        do("move", 2, 0),
        *[do("gather")] * 24,
        do("move", 1, 5),
        *[do("craft", "copper", 1)] * 3,
        do("move", 0, 1),
        *[do("fight")] * 12,
        do("move", 4, -1),
        *[do("fight")] * 8,
        do("move", 0, 0),
        do("equip", "ring1", "copper_ring"),
        do("unequip", "ring1"),
    ]
    return one_round * _ROUNDS


def hero() -> HeroStart:
    """A hero of level 10 who can do all of it."""
    skill = {"level": 10, "xp": 0, "next_level_xp": 150}
    names = ("mining", "woodcutting", "fishing", "weaponcrafting", "gearcrafting", "jewelrycrafting", "cooking")
    return HeroStart.from_row(
        {
            **skill,
            "stats": {"hp": 165},
            "skills": dict.fromkeys(names, skill),
            "worn": {"weapon": "copper_dagger"},
            "consumables": {},
            "inventory": {"copper_ring": 1},
            "x": 0,
            "y": 0,
        }
    )


def measure() -> dict[str, float]:
    """Microseconds an action."""
    world, rules, start, plan = load_world(), load_rules(), hero(), _plan()

    def play() -> Game:
        game = Game(world, rules, start)
        for action in plan:
            game.act(action)
        return game

    done = play().events
    kinds = {kind: sum(e.ok for e in done if e.action.name == kind) for kind in ("move", "gather", "craft", "fight")}
    assert all(kinds.values()), kinds
    return {"microseconds an action": seconds(play) / len(plan) * 1e6, "actions": len(plan)}
