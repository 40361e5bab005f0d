from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.combat import Fighter, damage, duel, hits
from herobench.suites.rpg.game.world import Stats
from herobench.task_gen.rpg.gear.candidates import rounds_needed, verdict
from tests.sizes import many

ROUNDS = 49


def numbers(least: int, most: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(least, most) | st.just(0)] * 3)


heroes = st.builds(Stats, st.integers(-60, 400), numbers(-10, 60), numbers(-120, 150), numbers(-120, 150), st.just(()))
monsters = st.builds(Stats, st.integers(1, 400), numbers(0, 60), st.just((0, 0, 0)), numbers(-150, 150), st.just(()))


@st.composite
def close_fights(draw: st.DrawFn) -> tuple[Stats, Stats]:
    """A fight that ends at exactly nought for one of them, or a point beside it."""
    hero, monster = draw(heroes), draw(monsters)
    rounds = draw(st.integers(1, 9))
    beside = st.sampled_from([0, 0, 0, 1, -1])
    dealt, taken = damage(hero, monster) * rounds, damage(monster, hero) * (rounds - 1)
    if dealt >= 200:
        monster = monster._replace(hp=max(1, dealt // 100 + draw(beside)))
    if draw(st.booleans()):
        hero = hero._replace(hp=taken // 100 + draw(beside))
    return hero, monster


@settings(max_examples=many(300))
@given(st.tuples(heroes, monsters) | close_fights(), st.integers(0, 12) | st.just(ROUNDS))
def test_a_verdict_is_what_the_duel_says(fight: tuple[Stats, Stats], rounds: int) -> None:
    hero, monster = fight
    found = verdict(hero, monster, rounds)
    assert found is None or found == duel(Fighter(hero), monster, rounds).won


@settings(max_examples=many(200))
@given(heroes, monsters)
def test_a_verdict_is_missing_only_where_a_fight_ends_at_nought_or_the_hero_is_healed(
    hero: Stats, monster: Stats
) -> None:
    if verdict(hero, monster, ROUNDS) is None:
        dealt, taken = damage(hero, monster), damage(monster, hero)
        rounds = rounds_needed(monster.hp, dealt)
        assert taken < 0 or dealt * rounds == 100 * monster.hp or taken * (rounds - 1) == 100 * hero.hp


@given(heroes, monsters)
def test_damage_is_that_of_the_duel_in_hundredths(hero: Stats, monster: Stats) -> None:
    assert abs(damage(hero, monster) - 100 * sum(hits(hero, monster))) < 1e-6
    assert abs(damage(monster, hero) - 100 * sum(hits(monster, hero))) < 1e-6


def test_rounds_are_counted_whole() -> None:
    assert [rounds_needed(10, dealt) for dealt in (1000, 999, 500, 499, 1, 100_000)] == [1, 2, 2, 3, 1000, 1]


def stats(hp: int, attack: int = 0, damage: int = 0, resistance: int = 0) -> Stats:
    return Stats(hp, (attack,), (damage,), (resistance,))


def test_who_deals_nothing_loses() -> None:
    assert verdict(stats(100), stats(1), ROUNDS) is False
    assert verdict(stats(100, attack=-5), stats(1), ROUNDS) is False
    assert verdict(stats(100, attack=5), stats(1, resistance=100), ROUNDS) is False


def test_the_hero_strikes_first_and_has_to_stand_one_round_less() -> None:
    monster = stats(15, attack=10)
    assert verdict(stats(11, attack=10), monster, ROUNDS) is True
    assert verdict(stats(9, attack=10), monster, ROUNDS) is False
    assert verdict(stats(-5, attack=20), monster, ROUNDS) is True
    assert verdict(stats(-5, attack=10), monster, ROUNDS) is False


def test_a_fight_that_takes_too_long_is_lost() -> None:
    monster = stats(15)
    assert verdict(stats(100, attack=2), monster, 8) is True
    assert verdict(stats(100, attack=2), monster, 7) is False


def test_what_ends_at_nought_is_left_to_the_duel() -> None:
    assert verdict(stats(10, attack=10), stats(15, attack=10), ROUNDS) is None
    assert verdict(stats(100, attack=5), stats(15), ROUNDS) is None
