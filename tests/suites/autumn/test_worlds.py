"""Worlds as Python sees them: copies, seeds, actions, limits."""

import copy
import pickle
import threading
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.autumn import AutumnError, AutumnWorld, Limits, Program
from herobench.suites.autumn.refusals import AutumnFault
from tests.refusals import raises
from tests.sizes import for_each
from tests.suites.autumn.garden import ACTIONS, PROGRAMS, RAIN, after, started

COMPILED = {name: Program.from_text(text) for name, text in PROGRAMS.items()}
K = '(object K (Cell 0 0 "red"))'
actions = st.lists(st.sampled_from(ACTIONS), max_size=12)


def frames(world: AutumnWorld, played: list[str]) -> list[list[list[str]]]:
    """The grids after each action, up to an error of the program, which is the last item."""
    found: list[list[list[str]]] = []
    for action in played:
        try:
            world.act(action)
        except AutumnError as error:
            return [*found, [[str(error)]]]
        found.append(world.grid)
    return found


@pytest.mark.parametrize("name", PROGRAMS)
@given(before=actions, first=actions, second=actions, seed=st.integers(0, 2**40))
def test_a_copy_is_independent_and_has_the_same_future(
    name: str, before: list[str], first: list[str], second: list[str], seed: int
) -> None:
    world = COMPILED[name].start(seed, generator="even")
    frames(world, before)
    if world._failed:
        return
    copies = [world.clone(), copy.deepcopy(world), pickle.loads(pickle.dumps(world))]
    grid = world.grid
    frames(world.clone(), second)
    assert world.grid == grid, "a copy plays in its original"
    expected = frames(world, first)
    for made in copies:
        assert made.grid == grid, "the original plays in its copy"
        assert frames(made, first) == expected
        assert made.evaluate("((allObjs))") == world.evaluate("((allObjs))") if not world._failed else made._failed


@for_each("name", PROGRAMS)
def test_one_seed_gives_one_run_and_another_seed_another(name: str) -> None:
    played = list(ACTIONS) * 4
    runs = [frames(COMPILED[name].start(seed), played) for seed in (7, 7, 8)]
    assert runs[0] == runs[1]
    assert (runs[0] == runs[2]) == (name == "crates")


def test_worlds_of_one_program_play_in_threads_as_they_play_alone() -> None:
    played = list(ACTIONS) * 8
    alone = [frames(COMPILED["rain"].start(seed), played) for seed in range(4)]
    found: dict[int, object] = {}

    def play(seed: int) -> None:
        found[seed] = frames(COMPILED["rain"].start(seed), played)

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in range(4)] == alone


@for_each("text", ["", "jump", "click", "click 1", "click a b", "click 1 2 3", "Left", "click 1.5 2"])
def test_any_other_action_is_refused_and_changes_nothing(text: str) -> None:
    world = after("(= n (initnext 0 (+ (prev n) 1)))", "noop")
    with raises(AutumnFault.NO_ACTION, repr(text)):
        world.act(text)
    assert world.evaluate("(+ n 0)") == 1
    assert world.steps == 1


def test_an_error_ends_the_world_with_the_last_frame() -> None:
    world = started(
        '(object K (Cell 0 0 "red")) (= k (initnext (K (Position 0 0)) (moveRight (prev k)))) (on left (= k 1))'
    )
    world.act("noop")
    grid = world.grid
    errors = []
    for action in ("left", "noop"):
        with pytest.raises(AutumnError) as caught:
            world.act(action)
        errors.append(str(caught.value))
    assert errors[0] == errors[1]
    assert world.grid == grid
    assert pickle.loads(pickle.dumps(caught.value)).place == caught.value.place


def test_an_expression_about_a_world_does_not_change_it() -> None:
    world = after("(= n 1) (= r (list 1 2 3 4))", "click 1 1", seed=5)
    same = world.clone()
    assert world.evaluate("(let (= n 5) (uniformChoice r 3) n)") == 5
    with pytest.raises(AutumnError, match=r"^condition, line 1, column 6: "):
        world.evaluate("(+ n nothing)")
    assert world.evaluate("(clicked)", "click 2 2") == "function"
    assert world.evaluate("((clicked))", "click 2 2") is True
    assert world.evaluate("((clicked))") is False
    assert world.evaluate("(uniformChoice r 3)") == same.evaluate("(uniformChoice r 3)")
    assert world.evaluate("n") == 1


def test_a_condition_is_told_and_stored_in_each_step() -> None:
    text = "(program (= n (initnext 0 (+ (prev n) 1))) (= seen 0) (on SpecialConditionTriggered (= seen (+ seen 1))))"
    world = Program.from_text(text, "or (& clicked (== n 0)) (> n 1)").start()
    assert (world.holds(), world.holds("click 0 0")) == (False, True)
    for _ in range(4):
        world.act("noop")
    assert world.holds()
    assert world.evaluate("seen") == 2
    with raises(AutumnFault.NO_CONDITION):
        started("").holds()


# -- limits -----------------------------------------------------------------------------------------------------------

HUNGRY = {
    "work": ("(= l (range 0 5000)) (on true (map (--> x (map (--> y y) l)) l))", "units of work in one step"),
    "calls": ("(= f (--> x (+ (f x) 1))) (on true (f 1))", "calls nest more than 150 deep"),
    "branching calls": ("(= f (--> n (if (< n 2) then 1 else (+ (f (- n 1)) (f (- n 2)))))) (on true (f 60))", "work"),
    "a list": ("(= l (list 1)) (on true (= l (concat (list l l))))", "a list has more than 5000 elements"),
    "lists in lists": ("(= l (list 1)) (on true (= l (list l)))", "nested at most 60 deep"),
    "objects": (f"{K} (= l (initnext (list (K (Position 0 0))) (addObj (prev l) (prev l))))", "more than 5000"),
    "cells": (
        '(object R (map (--> i (Cell i 0 "red")) (range 0 999))) (= l (map (--> i (R (Position 0 i))) (range 0 9)))',
        "cells are drawn",
    ),
    "fields": (
        '(object N (: a List) (Cell 0 0 "red")) (= n (initnext (N (list) (Position 0 0))'
        "(N (list (range 0 4000) (.. (prev n) a)) (Position 0 0))))",
        "the variables hold more than",
    ),
}


@for_each("kind", HUNGRY)
def test_a_hungry_program_ends_with_an_error(kind: str) -> None:
    statements, message = HUNGRY[kind]
    limits = Limits(work=200_000, items=5_000, cells=5_000, values=20_000)
    with pytest.raises(AutumnError, match=message):
        frames_until_error(Program.from_text(f"(program {statements})", limits=limits).start())


def test_positions_of_nothing_cost_nothing() -> None:
    world = started("")
    assert world.evaluate("(allPositions 2000000000 0)") == []
    assert world.evaluate("(rect (Position 0 0) (Position 0 2000000000))") == []


def test_a_value_that_shares_its_parts_is_not_told_without_end() -> None:
    nested = '(object N (: a List) (Cell 0 0 "red")) (= n (initnext (N (list) (Position 0 0)) '
    text = f"(program {nested}(N (list (.. (prev n) a) (.. (prev n) a)) (Position 0 0)))))"
    world = Program.from_text(text, limits=Limits(work=100_000)).start()
    for _ in range(50):
        world.act("noop")
    with pytest.raises(AutumnError, match="units of work"):
        world.evaluate("n")


def test_an_expression_that_is_asked_leaves_the_functions_of_the_program_as_they_are() -> None:
    world = started("(= l (map (--> y (+ y 1)) (list 1 2))) (= f (fn (x) 7))")
    assert world.evaluate("(map (--> total (+ total (f 1))) l)") == [9, 10]
    with pytest.raises(AutumnError, match="another name than the function 'map'"):
        world.evaluate("(let (= map 3) (f 1))")


def test_work_is_counted_alike_in_every_run() -> None:
    program = Program.from_text(RAIN, limits=Limits(work=150))
    ends = []
    for _ in range(2):
        world = program.start(3)
        with pytest.raises(AutumnError, match="more than 150 units of work"):
            frames_until_error(world)
        ends.append(world.steps)
    assert ends[0] == ends[1] > 5


def frames_until_error(world: AutumnWorld) -> None:
    for _ in range(1000):
        world.act("noop")


def test_steps_can_be_limited() -> None:
    world = Program.from_text("(program)", limits=Limits(steps=2)).start()
    world.act("noop")
    world.act("noop")
    with pytest.raises(AutumnError, match="2 steps, which is the most"):
        world.act("noop")


def test_a_program_reaches_nothing_of_python() -> None:
    for text in ("(.. 1 __class__)", "(.. map __self__)", '(.. "x" join)', "(__import__ 1)", "(type 1)", "(env 1)"):
        with pytest.raises(AutumnError, match=r"has no field|there is no variable"):
            started("").evaluate(text)
    names = "G L P M MISSING type int make_cell truthy equal assign n_map o C"
    world = started(" ".join(f"(= {name} {number})" for number, name in enumerate(names.split())))
    assert world.evaluate(f"(list {names})") == list(range(len(names.split())))
    steps = [world.evaluate(f"(+ {one} {two})") for one, two in pairwise(names.split())]
    assert steps == [2 * number + 1 for number in range(len(steps))]
