"""Programs of strangers: all that a program can make dear is counted as work before it is done, memory included."""

import tracemalloc

import pytest

from herobench.suites.autumn import AutumnError, AutumnWorld, Limits, Program
from herobench.suites.autumn.episode.picture import Letters
from herobench.suites.autumn.language.chance import Script
from herobench.suites.autumn.language.errors import LONGEST_STRING
from herobench.suites.autumn.language.program import examine
from herobench.suites.autumn.making import search
from herobench.suites.autumn.making.search import explore
from tests.data.test_errors import assert_lines_are_short
from tests.sizes import for_each

WORK = 10_000
FIELDS = 500
WIDE = f"""(object W {" ".join(f"(: a{n} Number)" for n in range(FIELDS))} (Cell 0 0 "red"))
  (= w (W {"0 " * FIELDS} (Position 0 0)))"""
BAR = """(object R (map (--> i (Cell i 0 "red")) (range 0 1000))) (= r (R (Position 0 0)))"""
SHARED = f"{BAR} (= rs (map (--> x r) (range 0 20)))"
LONG = "(= l (range 0 1000))"
CELLS = " ".join(f'(Cell {n} 0 "red")' for n in range(1000))
SEEN = "(on false (removeObj (list) (Position 0 0)))"


def each(expression: str) -> str:
    """A handler that evaluates an expression for 20 values, which is 20 units of work beside that of the expression."""
    return f"(on true (map (--> x {expression}) (range 0 20)))"


def many(text: str, count: int = 1000) -> str:
    return " ".join(text.format(n) for n in range(count))


NATIVES = " ".join(["(movePos p p)"] * 12)
LOCALS, FIELD_NAMES = many("(= g{} 0)", 300), many("a{}", 300)
CAPTURING = f"(Cell 0 0 (let {many('g{}', 300)}))"
PUBLISHING = f"""(object K {many("(: a{} Number)", 300)} (map (--> i (Cell i 0 (f i))) (range 0 40)))
  (= f (--> i (let {FIELD_NAMES} "red"))) (= k (K {"0 " * 300} (Position 0 0)))"""
DEAR = {
    "drawing a shared object": f"{SHARED} (= s (initnext (list) rs))",
    "addObj of a long list": f"{LONG} {each('(addObj (list) l)')}",
    "copies of wide objects": f"{WIDE} (= ws (map (--> x w) (range 0 30))) {each('(addObj ws w)')} {SEEN}",
    "changed wide objects": f'{WIDE} {each("(updateObj w a)")} (= a (--> o (updateObj o "a1" 1)))',
    "wide objects": f"{WIDE} {each('(W ' + '0 ' * FIELDS + '(Position 0 0))')}",
    "wide objects that are equal to nothing": f"{WIDE} {each('(== (Position 0 0) w)')}",
    "lists in the body of a function": f"{LONG} (on true (map (--> x (list {'(list) ' * 12})) l))",
    "positions in the body of a function": f"{LONG} (on true (map (--> x (list {'(Position 0 0) ' * 12})) l))",
    "natives in the body of a function": f"{LONG} (= p (Position 0 0)) (on true (map (--> x (let {NATIVES})) l))",
    "neighbours": "(= ps (map (--> x (Position 1 1)) (range 0 3000))) (on true (map adjPositions ps))",
    "a long function of cells": f'(object K (let {many("(isFreePos origin)")} (Cell 0 0 "red"))) '
    + each("(K (Position 0 0))"),
    "a cell that is evaluated at each drawing": f'(object K (: p Number) (Cell 0 0 (let {many("(- p)")} "red"))) '
    "(= ks (map (--> i (K i (Position i 0))) (range 0 400)))",
    "a cell that captures much": f"(on true (let {LOCALS} (map (--> x {CAPTURING}) (range 0 40))))",
    "a cell that is tried among many variables": f'{many("(= g{} 0)")} (= c (list "red")) '
    + each("(Cell 0 0 (uniformChoice c))"),
    "a cell that publishes many fields": PUBLISHING,
}


def acted(text: str, limits: Limits, steps: int = 1) -> AutumnWorld:
    world = Program.from_text(f"(program {text})", limits=limits).start(1, generator="even")
    for _ in range(steps):
        world.act("noop")
    return world


@for_each("kind", DEAR)
def test_work_that_a_program_shares_or_hides_is_counted(kind: str) -> None:
    with pytest.raises(AutumnError, match=f"more than {WORK} units of work"):
        acted(DEAR[kind], Limits(work=WORK))


@pytest.mark.parametrize(
    "statement",
    [
        "(on (intersects many many) 1)",
        "(on (isFree many) 1)",
        "(on (isWithinBounds many) 1)",
        "(on (clicked many) 1)",
        "(on true (renderValue many))",
        f"{WIDE} (on true (map (--> x (moveLeft w)) (range 0 5000)))",
        pytest.param(
            f"(on true (map (--> x (map (--> y (list {'(list) ' * 19})) (range 0 100))) (range 0 300)))",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_is_refused_is_not_made_before(statement: str) -> None:
    limits = Limits(work=40_000, items=5_000, cells=5_000)
    text = statement.replace("many", "(map (--> x r) (range 0 3000))")
    world = Program.from_text(f"(program {BAR} {text})", limits=limits).start()
    tracemalloc.start()
    try:
        with pytest.raises(AutumnError, match=r"units of work|cells are drawn"):
            world.act("click 0 0")
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


def test_objects_that_keep_how_they_are_drawn_count_their_shared_cells() -> None:
    text = f"(object R (list {CELLS})) (= rs (map (--> i (R (Position 0 i))) (range 0 30)))"
    with pytest.raises(AutumnError, match="the variables hold more than 20000 values"):
        acted(text, Limits(values=20_000), steps=20)  # the values are counted now and then


def test_a_name_of_a_colour_is_not_told_at_length_for_each_cell() -> None:
    acted(f'(= s "{"x" * LONGEST_STRING}")', Limits())
    with pytest.raises(AutumnError, match=rf"line 1, column 15: expected a String of at most {LONGEST_STRING} char"):
        acted(f'(= s "{"x" * (LONGEST_STRING + 1)}")', Limits())


def test_cells_of_one_colour_share_its_name() -> None:
    drawn = '(object R (: c String) (Cell 0 0 c)) (= rs (map (--> p (R "Red" p)) (allPositions 16)))'
    assert len({id(color) for row in acted(drawn, Limits()).grid for color in row}) == 1


def test_frames_of_many_colours_are_told_by_counting_once() -> None:
    class Counted(str):
        compared = 0
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            Counted.compared += 1
            return str.__eq__(self, other)

    grid = [[Counted(chr(0x4E00 + 50 * row + column)) for column in range(50)] for row in range(50)]
    assert Letters(grid).draw(grid).splitlines()[0][0] == "."
    assert Counted.compared < 10 * 50 * 50


def test_random_play_keeps_no_frames() -> None:
    program = Program.from_text("(program (= GRID_SIZE 60) (= c 0) (on true (= GRID_SIZE (- GRID_SIZE 1))))")
    tracemalloc.start()
    assert examine(program, steps=30, episodes=1).frames == 31
    assert tracemalloc.get_traced_memory()[1] < 300_000
    tracemalloc.stop()


def test_numbers_that_are_told_in_advance_are_work() -> None:
    program = Program.from_text("(program (= l (range 0 9)) (= m (uniformChoice l 3000)))", limits=Limits(work=WORK))
    program.start(1, generator="even")
    with pytest.raises(AutumnError, match="units of work"):
        program.start(Script(beyond=1), generator="even")


def test_a_search_is_not_caught_in_a_state_that_shares_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_MOST_TOLD", 5_000)
    world = Program.from_text("(program (= n (initnext (list) (list (prev n) (prev n)))))").start()
    with pytest.raises(AutumnError, match="a state of at most 5,000 values"):
        explore(world, steps=100, depth=100)


def test_an_error_leaves_nothing_that_the_step_has_made() -> None:
    world = Program.from_text("(program (= l (list)) (on left (= l (range 0 1000))) (on left (= l 1)))").start()
    with pytest.raises(AutumnError):
        world.act("left")
    assert world.held["l"] == []


def test_no_line_of_an_error_is_very_long() -> None:
    assert_lines_are_short(AutumnError(8_000_000 * "a", 3, 4))
