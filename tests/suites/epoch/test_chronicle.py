"""The chronicle of a game for the report: its turns played again, where facts belong, and what deeds were built on."""

from typing import Any

from herobench.suites.epoch import load_level
from herobench.suites.epoch.game.chronicle import Lanes, chronicle_of
from herobench.suites.epoch.game.world import atom_of
from herobench.task_gen.epoch.prover import call_of


def test_facts_and_deeds_belong_to_epochs() -> None:
    lanes = Lanes(load_level("L05"))
    found = [
        lanes.of(atom_of(fact)) for fact in ("(tree-exists green-present)", "(has quill almanac)", "(opened cabinet)")
    ]
    assert found == ["present", "future", "present"]
    assert lanes.of(atom_of("(convinced founder)")) == "past"
    assert lanes.of(atom_of("(amendment-in-constitution)")) is None
    assert lanes.of_action(atom_of("(take hester sapling green-past)")) == "past"


def test_a_deed_knows_the_turns_that_made_true_what_it_needs() -> None:
    level = load_level("L02")
    game, turns = level.start(), []
    for action in level.reference_plan:
        turn: dict[str, Any] = {"call": call_of(level, action)}
        turns.append({"turn": turn, "feedback": game.turn(turn)})
    told = chronicle_of(level, turns)
    assert told.differs_at is None
    planted = next(number for number, turn in enumerate(told.turns, 1) if turn["said"].startswith("plant-tree"))
    assert any(origin == planted for turn in told.turns[planted:] for _, origin in turn["built_on"])

    changed = [turns[0], {**turns[1], "feedback": {**turns[1]["feedback"], "clock": 9}}, turns[2]]
    assert (len(chronicle_of(level, changed).turns), chronicle_of(level, changed).differs_at) == (1, 1)
    assert chronicle_of(level, [{"turn": 5}]).differs_at == 0
    assert chronicle_of(level, [*turns, turns[0]]).differs_at == len(turns), "the game was over"
