"""The score against a second scorer that searches prose, over random plans on random tasks by all editions.

The world is the tiny one with items whose codes contain others', and the hero may wear from the start what is missing.
So all that a search of prose takes for something else comes about. Examples of each case run by every edition, before
any random one.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.episode import Ended, Ending, Episode
from herobench.suites.rpg.game.events import CraftRefused, Unequipped
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import Score, has_won, score
from herobench.suites.rpg.game.task import Knowledge, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from tests.builders import TINY, Json, craft_task, documents, hero_row, tiny_task
from tests.plays import ARMED, STRONG, WINNING, played
from tests.prose_scorer import ProseScorer
from tests.published_log import log_lines
from tests.sizes import for_each, many


def gear(code: str, kind: str, *parts: str) -> Json:
    """An item that is worn, made of one piece of each part, or not made at all."""
    row: Json = {"code": code, "name": code.title(), "level": 1, "type": kind, "subtype": "", "description": ""}
    row["effects"] = {"hp": 1}
    if parts:
        row["recipe"] = {"skill": "smithing", "level": 1, "ingredients": dict.fromkeys(parts, 1)}
    return row


def overlapping() -> dict[str, Json]:
    """The documents of the tiny world with items whose codes contain other codes."""
    content = documents(TINY)
    content["items"]["items"] += [
        gear("brick_club", "blade", "club", "brick"),
        gear("mace", "blade", "bar", "club", "fur_coat"),
        gear("fur_coat_2", "coat", "fur_coat", "salt"),
        gear("drake_charm_2", "charm"),
    ]
    content["monsters"]["monsters"][0]["drops"].append({"item": "drake_charm_2", "one_in": 9, "min": 1, "max": 1})
    return content


DOCUMENTS = overlapping()
WORLD = World.from_documents(DOCUMENTS)
PROSE = ProseScorer(DOCUMENTS)
EDITIONS = {name: load_rules(name) for name in edition_names()}
PAPER = [name for name in EDITIONS if name != "standard"]
LOGGED = ["paper-late", "paper-scoring"]


class Case(NamedTuple):
    """One episode: what is asked for, by which rules, what the plan does, and how it ends."""

    task: Task
    rules: Rules
    play: str
    how: Ended = "finished"

    @property
    def episode(self) -> Episode:
        return played(WORLD, self.task, self.play, self.rules, Ending(self.how))


def scored(case: Case) -> Score:
    return score(case.task, WORLD, case.rules, case.episode)


CRAFTED = [code for code in WORLD.items if WORLD.recipe_of(code)]
WORN = {
    "blade": ["twig", "club", "bar_sword", "brick_club", "mace"],
    "coat": ["fur_coat", "fur_coat_2"],
    "charm1": ["pearl_charm", "drake_charm", "drake_charm_2"],
    "charm2": ["pearl_charm", "drake_charm", "drake_charm_2"],
}
dressed = st.fixed_dictionaries({}, optional={slot: st.sampled_from(codes) for slot, codes in WORN.items()})
skill = st.sampled_from([{"level": level, "xp": 0, "next_level_xp": 150} for level in (10, 10, 1)])
hero = st.builds(
    hero_row,
    stats=st.sampled_from([{"hp": 100}, {"hp": 90, "attack_heat": 12}, STRONG, STRONG]),
    skills=st.fixed_dictionaries(dict.fromkeys(("digging", "smithing", "brewing"), skill)),
    worn=dressed,
    inventory=st.sampled_from([20, 20, 4]).map(lambda owned: dict.fromkeys(WORLD.items, owned))
    | st.dictionaries(st.sampled_from([*WORLD.items]), st.integers(1, 9)),
)
sold = st.sets(st.sampled_from(["salt", "twig", "clay"])).map(
    lambda codes: {**Knowledge((), (), frozenset(codes), (), (), ()).as_row(), "materials": sorted(codes)}
)
kills = st.builds(
    lambda target, missing, row: tiny_task(WORLD, target=target, missing=missing, hero=row),
    st.sampled_from([*WORLD.monsters]),
    dressed,
    hero,
)


def crafts(target: str) -> st.SearchStrategy[Task]:
    return st.builds(lambda told, row: craft_task(WORLD, target, knowledge=told, hero=row), sold, hero)


def related(target: str) -> list[str]:
    """What a log line on the craft of which may mention a target: itself, what contains its code, what takes it."""
    return [code for code, parts in PROSE.recipes.items() if target in code or target in parts]


def line(text: str, **parts: st.SearchStrategy[Any]) -> st.SearchStrategy[str]:
    return st.builds(text.format, **parts)


few = st.integers(1, 3)
pieces = st.sampled_from([1, 1, 2, 30])
"""As many as thirty are more than any hero has the parts for."""
slots = st.sampled_from([*WORN])


def making(*codes: str) -> list[st.SearchStrategy[str]]:
    """The steps of a plan that makes some items, among others."""
    code = st.sampled_from(codes) | st.sampled_from(CRAFTED)
    return [
        line("move {x} 1; gather {n}", x=st.integers(0, 1), n=st.sampled_from([1, 4, 12])),
        line("move {x} 1; craft {code} {n}", x=st.sampled_from([2, 2, 2, 3]), code=code, n=pieces),
        line("craft {code} {n}", code=code, n=pieces),
        line("move 0 2; buy {code} {n}", code=st.sampled_from(["salt", "twig", "clay"]), n=few),
    ]


wearing = [
    line("move {x} 0; fight", x=few),
    slots.flatmap(lambda slot: line("equip {s} {code}", s=st.just(slot), code=st.sampled_from(WORN[slot]))),
    slots.flatmap(
        lambda slot: line("unequip {s}; equip {s} {code}", s=st.just(slot), code=st.sampled_from(WORN[slot]))
    ),
    line("unequip {slot}", slot=slots),
    st.sampled_from([ARMED, WINNING]),
]


def plans(*steps: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(st.one_of(steps), min_size=2, max_size=12).map("; ".join)


editions = st.sampled_from([*EDITIONS.values()])
endings = st.sampled_from(["finished", "finished", "finished", "error", "limit"])
kill_cases = st.builds(Case, kills, editions, plans(*making(*CRAFTED), *wearing), endings)
craft_cases = st.sampled_from([*CRAFTED, "bar", "brick", "club", "fur_coat"]).flatmap(
    lambda target: st.builds(
        Case, crafts(target), editions, plans(*making(*related(target)), st.just("fight")), endings
    )
)
cases = kill_cases | craft_cases

charmed = hero_row(worn={"charm2": "drake_charm"})
TAKEN_OFF = tiny_task(WORLD, missing={"charm1": "drake_charm"}, hero=charmed), "unequip charm2"
MADE = "move 0 1; gather 12; move 2 1; craft brick 1"
BEFORE = craft_task(WORLD, "brick"), f"craft brick 1; {MADE}"
AFTER = craft_task(WORLD, "brick"), f"{MADE}; craft club 1"
CONTAINED = craft_task(WORLD, "club", hero=hero_row(inventory={"club": 1, "brick": 1})), "move 2 1; craft brick_club 1"
FAILED_BY_NAME = (
    craft_task(WORLD, "club", hero=hero_row(inventory={"brick": 2, "twig": 1})),
    "move 2 1; craft brick_club 1; craft club 1",
)


def examples(test: Callable[..., None]) -> Callable[..., None]:
    for rules in EDITIONS.values():
        for task, play in (TAKEN_OFF, BEFORE, AFTER, CONTAINED, FAILED_BY_NAME):
            for how in ("finished", "error"):
                test = example(Case(task, rules, play, how))(test)
    return test


@settings(max_examples=many(600))
@given(cases)
@examples
def test_the_score_is_that_of_the_published_scorer(case: Case) -> None:
    episode, ours = case.episode, scored(case)
    log = [*log_lines(episode.events, case.rules, WORLD)][::-1]
    told = PROSE.judge(case.task, case.rules, log)
    counted = told if episode.finished else PROSE.judge(case.task, case.rules, [])
    reward, earned, ideal = (told.points(names, case.rules) for names in (counted.reached, told.reached, told.wanted))
    assert (ours.outcome, ours.reward) == (counted.outcome, reward)
    assert ours.ideal_reward == ideal
    assert ours.score == 100 * reward / ideal
    assert ours.progress_before_end == 100 * earned / ideal
    assert sorted(map(str, ours.reached)) == sorted(told.reached)
    assert sorted(map(str, ours.missed)) == sorted(told.wanted - told.reached)


@settings(max_examples=many(200))
@given(cases)
@examples
def test_by_standard_rules_the_target_is_reached_exactly_by_a_win(case: Case) -> None:
    standard = case._replace(rules=EDITIONS["standard"])
    result = scored(standard)
    won = has_won(case.task, standard.rules, standard.episode.events)
    assert ("target_win" in map(str, result.reached)) == won
    assert result.outcome == ("win" if won and case.how == "finished" else "lose")


def equips_by_mention(case: Case) -> bool:
    worn = replace(case.rules, equip_credit="worn")
    return len(scored(case).reached) > len(score(case.task, WORLD, worn, case.episode).reached)


def loses_with_the_target_crafted(case: Case) -> bool:
    result = scored(case)
    return case.how == "finished" and (result.outcome, "target_win" in map(str, result.reached)) == ("lose", True)


def wins_without_the_target(case: Case) -> bool:
    result = scored(case)
    return (result.outcome, "target_win" in map(str, result.reached)) == ("win", False)


def forfeits_by_what_another_recipe_lacks(case: Case) -> bool:
    failed = [event.detail for event in case.episode.events if isinstance(event.detail, CraftRefused)]
    return loses_with_the_target_crafted(case) and not any(case.task.target in refusal.item for refusal in failed)


@for_each("edition", EDITIONS)
@for_each(
    ("about", "difference", "editions"),
    [
        (TAKEN_OFF, equips_by_mention, PAPER),
        (BEFORE, loses_with_the_target_crafted, LOGGED),
        (AFTER, forfeits_by_what_another_recipe_lacks, LOGGED),
        (FAILED_BY_NAME, loses_with_the_target_crafted, LOGGED),
        (CONTAINED, wins_without_the_target, PAPER),
    ],
)
def test_the_examples_show_each_difference_by_the_editions_that_have_it(
    about: tuple[Task, str], difference: Callable[[Case], bool], editions: list[str], edition: str
) -> None:
    task, play = about
    assert difference(Case(task, EDITIONS[edition], play)) == (edition in editions)


def test_taking_off_is_told_by_words_that_contain_those_of_putting_on() -> None:
    """As the published logs have it; the second scorer stands on it."""
    task, play = TAKEN_OFF
    rules = EDITIONS["paper-late"]
    episode = played(WORLD, task, play, rules)
    assert [type(event.detail) for event in episode.events] == [Unequipped]
    (_, told) = log_lines(episode.events, rules, WORLD)
    assert told == "The character Hero has unequipped item drake_charm from slot charm2."


def test_no_recipe_of_the_classic_world_is_named_by_the_words_of_a_log_line(classic: World) -> None:
    """The published check looks for the target's code in whole lines, and ours in their codes, to the same end."""
    words = "Hero failed to craft x. On wrong map tile: {'needed': '(1, 2)', 'current': '(-3, 0)'}. "
    words += "Needed skill level: "
    words += f"{{'skill': '{' '.join(classic.skills)}', 'needed': 1, 'current': 1}}. "
    words += "Missing items: [{'code': '', 'needed': 2, 'got': 0}]."
    assert [code for code in classic.items if code in f"{words} Hero crafts x."] == []
