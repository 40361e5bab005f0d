"""A day: what the laws give, what strength allows, and that fights are exact."""

from dataclasses import replace
from random import Random

from herobench.suites.discover.game.day import LORD, MOST_ACTIONS, STRENGTH, Call, Day, Exploration, answer_to
from herobench.suites.discover.game.knowledge import Knowledge, play_day, readings_of, wins_left
from herobench.suites.discover.game.land import BENCH, FORGE, HiddenLand, Land, documents
from herobench.suites.discover.game.laws import Choice, Law, Laws, Secret, Truth
from herobench.suites.discover.making.days import lode_calls, lord_calls, whole_day, winning_day
from herobench.suites.discover.making.draw import draw_land
from herobench.suites.rpg.game.events import Fought
from herobench.suites.rpg.worlds.content import check_world
from tests.sizes import for_each
from tests.suites.discover.mysteries import some

LAWS = Laws(Law(5, "both", True), Law(5, "each", True), Law(5, "each", True))
LAND = draw_land(LAWS, Random(1))
TRUTH = Truth(Secret((0, 1), 2), Secret((1, 3), 0), Secret((2, 4), 0))
HIDDEN = HiddenLand(LAND, LAWS, TRUTH)


def choice(*numbers: int) -> Choice:
    return Choice.of(frozenset(numbers))


def levels(beasts: Choice, wares: Choice, rings: Choice) -> list[int]:
    """The levels that a day shows."""
    day = play_day(HIDDEN, whole_day(LAND, [beasts, wares, rings]))
    return [reading.level for reading in readings_of(day)]


def play(day: Day, *calls: Call) -> list[dict[str, object]]:
    return [answer_to(day, call.name, call.arguments) for call in calls]


def at(name: str) -> Call:
    return Call("move", LAND.place_of[name])


RIGHT = choice(0, 1), choice(1, 3), choice(2, 4)


@for_each(
    ("day", "shown"),
    [
        (RIGHT, [2, 2, 2]),
        ((choice(0), *RIGHT[1:]), [0]),
        ((choice(0, 1, 2), *RIGHT[1:]), [0]),
        ((choice(0, 1, 3), choice(1), choice()), [2, 1]),
        ((choice(0, 1), choice(0, 1, 3), choice()), [2, 0]),
        ((*RIGHT[:2], choice(2, 3)), [2, 2, 1]),
        ((*RIGHT[:2], choice(1, 3)), [2, 2, 0]),
        ((*RIGHT[:2], Choice(frozenset({4}), frozenset({4, 2}))), [2, 2, 1]),
        ((*RIGHT[:2], Choice(frozenset({4}), frozenset({4, 0}))), [2, 2, 0]),
    ],
)
def test_a_day_shows_the_level_of_each_law_that_it_gets_to(
    day: tuple[Choice, Choice, Choice], shown: list[int]
) -> None:
    assert levels(*day) == shown


def test_answers_say_what_came_of_a_call_and_nothing_else() -> None:
    day = Day(HIDDEN)
    first, *_, bare = play(day, at(LAND.beasts[0]), Call("fight"), at(LAND.lord), Call("fight"))
    assert first == {"status": 200, "here": LAND.beasts[0]}
    assert bare == {"status": 200, "result": "lose", "thirds_left": 3}
    assert day.is_over
    day = play_day(HIDDEN, winning_day(HIDDEN))
    assert day.won
    assert day.strength == 0, "the shortest winning day takes all strength"


def test_a_blade_that_is_not_keen_leaves_all_thirds_whatever_is_worn() -> None:
    for quality in (0, 1):
        day = Day(HIDDEN)
        day.hero.receive(LAND.blades[quality], 1)
        keen, *dress, move, fight = lord_calls(LAND, RIGHT[2])
        answers = play(day, Call("equip", ("weapon", LAND.blades[quality])), *dress, move, fight)
        assert answers[-1] == {"status": 200, "result": "lose", "thirds_left": 3}
        assert not list(readings_of(day)), "it tells nothing of the rings"
        assert keen.values == ("weapon", LAND.blades[2])


def test_a_hidden_forge_shows_how_many_things_are_right_and_not_which() -> None:
    laws = LAWS._replace(forge=replace(LAWS.forge, hidden=True))
    land = draw_land(laws, Random(1))
    hidden = HiddenLand(land, laws, TRUTH)
    for wares, rings, right in ((1, 3), (2, 4), 4), ((1, 4), (2, 4), 3), ((1, 4), (2, 1), 2), ((0, 3), (2, 1), 1):
        calls = whole_day(land, [RIGHT[0], choice(*wares), choice(*rings)])
        day = play_day(hidden, calls)
        assert [reading.level for reading in readings_of(day)] == [2, right]
        assert day.won == (right == 4)
    day = Day(hidden)
    *_, last = play_all(day, whole_day(land, [RIGHT[0], choice(1, 4), choice(2, 1)]))
    assert last == {"status": 200, "result": "lose", "fifths_left": 2}
    day = Day(hidden)
    answers = play_all(day, whole_day(land, [RIGHT[0], choice(1), choice()]))
    assert "exactly two wares" in str(answers[9]["error"])


def play_all(day: Day, calls: list[Call]) -> list[dict[str, object]]:
    return [answer_to(day, call.name, call.arguments) for call in calls]


def test_fights_are_counted_in_hundredths() -> None:
    day = play_day(HIDDEN, whole_day(LAND, [*RIGHT[:2], choice(2, 3)]))
    fight = day.events[-1].detail
    assert isinstance(fight, Fought)
    assert (fight.monster_hp, fight.rounds) == (200, 10)
    assert day.rules.fights == "exact"


def test_a_deed_without_strength_is_refused_and_takes_none() -> None:
    day = Day(HIDDEN)
    play(day, at(BENCH), *[Call("craft", (LAND.wares[0],))] * (STRENGTH - LORD + 1))
    answers = play(day, at(LAND.lord), Call("fight"), at(LAND.beasts[0]), Call("fight"))
    assert answers[1]["error"] == "The hero has too little strength left today."
    assert answers[3]["status"] == 200
    assert day.strength == LORD - 2


def test_the_lode_gives_once_a_day() -> None:
    day = Day(HIDDEN)
    answers = play(day, *lode_calls(LAND, choice(0)), Call("gather"), at(LAND.beasts[1]), Call("fight"),
                   at(LAND.lode), Call("gather"))  # fmt: skip
    assert answers[3] == {"status": 200, "items": {LAND.slag: 1}}
    assert [answers[number]["error"] for number in (4, 8)] == ["The lode is empty until the next day."] * 2


def test_only_what_came_before_counts() -> None:
    day = Day(HIDDEN)
    late = [*lode_calls(LAND, choice(0)), at(LAND.beasts[1]), Call("fight")]
    play(day, *late)
    assert [reading.level for reading in readings_of(day)] == [0]
    spoiled = [*whole_day(LAND, RIGHT)[:6], at(LAND.beasts[2]), Call("fight")]
    day = play_day(HIDDEN, spoiled)
    assert [reading.level for reading in readings_of(day)] == [2], "a spoiler that comes too late spoils nothing"


def test_each_day_begins_anew_and_the_last_one_is_told() -> None:
    lab = Exploration([HIDDEN], 2)
    lab.play([at(LAND.beasts[0]), Call("fight")])
    assert lab.left == {"strength": STRENGTH - 1, "days": 1}
    assert lab.play([Call("new_day")]) == [{"day": 2}]
    assert lab.left == {"strength": STRENGTH, "days": 0}
    assert lab.today.hero.place == (0, 0)
    assert lab.play([Call("new_day")]) == [{"error": "no day is left: call done"}]
    lab.play([at(LAND.lord), Call("fight")])
    assert lab.is_over
    assert "has ended this day" in str(lab.play([Call("fight")])[0]["error"])


def test_a_land_is_left_for_good_and_the_days_are_for_all_lands_together() -> None:
    lab = Exploration([HIDDEN, HIDDEN._replace(land=draw_land(LAWS, Random(2)))], 3)
    assert lab.left == {"strength": STRENGTH, "days": 2, "lands": 1}
    assert lab.play([Call("new_day"), Call("next_land")]) == [{"day": 2}, {"day": 3, "land": 2}]
    assert lab.left == {"strength": STRENGTH, "days": 0, "lands": 0}
    assert [len(visit) for visit in lab.visits] == [2, 1]
    assert lab.today.land.lord != LAND.lord
    assert "no day is left" in str(lab.play([Call("next_land")])[0])
    longer = Exploration([HIDDEN], 3)
    assert longer.play([Call("next_land")]) == [{"error": "there is no land after this one"}]
    assert longer.call("new_day", {"soon": True}) == {"error": "new_day has no parameters"}
    assert len(longer.days) == 1


def test_a_day_has_an_end_whatever_is_refused() -> None:
    day = Day(HIDDEN)
    answers = play(day, *[Call("move", (99, 99))] * (MOST_ACTIONS + 1))
    assert answers[-2]["error"] == "Map not found."
    assert answers[-1]["error"] == "The day has had its most actions."


def test_a_call_that_does_not_fit_is_an_error_and_no_action() -> None:
    day = Day(HIDDEN)
    for name, arguments in (("move", {"x": 1}), ("craft", {"code": "a", "quantity": 3}), ("fight", {"times": 2})):
        assert set(answer_to(day, name, arguments)) == {"error"}
    assert not day.events


def test_wins_are_counted_in_all_worlds_that_are_left() -> None:
    """A plan wins in a world exactly if the real game says so."""
    laws = Laws(Law(3, "both", True), Law(3, "each"), Law(3, "each", True))
    land = draw_land(laws, Random(2))
    worlds = [Truth(*parts) for parts in _products(laws)]
    for plan in (
        whole_day(land, [choice(0, 1), choice(0, 1), choice(1, 2)]),
        whole_day(land, [choice(0, 1), choice(0, 1, 2), choice(1, 2)]),
        whole_day(land, [choice(0, 1, 2), choice(0, 1), choice(1, 2)]),
        [Call("fight")],
    ):
        wins = sum(play_day(HiddenLand(land, laws, world), plan).won for world in worlds)
        assert wins_left(land, Knowledge.at_first(laws), plan) == wins
    assert Knowledge.at_first(laws).worlds == len(worlds)


def _products(laws: Laws) -> list[tuple[Secret, Secret, Secret]]:
    return [(one, two, three) for one in laws[0].secrets for two in laws[1].secrets for three in laws[2].secrets]


def test_told_worlds_are_sound_and_every_land_has_names_and_places_of_its_own() -> None:
    for land, laws, _ in [hidden for mystery in some(8) for hidden in mystery.lands]:
        assert check_world(documents(land), "land") == []
        assert land.fits(laws)
        assert Land.from_row(land.as_row()) == land
    twice = replace(LAND, lord=LAND.beasts[0])
    assert not twice.fits(LAWS)
    assert not replace(LAND, slag=LAND.blades[-1]).fits(LAWS)
    assert not LAND.fits(LAWS._replace(lode=Law(4, "both")))
    assert at(FORGE).values in LAND.places
