"""The library: what each function returns, and which arguments it refuses."""

import pytest

from herobench.suites.autumn import AutumnError, AutumnWorld
from herobench.suites.autumn.language.library import SIGNATURES
from tests.sizes import for_each
from tests.suites.autumn.garden import started

WORLD = """(= GRID_SIZE 6)
(object Dot (: tint String) (Cell 0 0 tint))
(object Bar (list (Cell 0 0 "red") (Cell 1 0 "red") (Cell 0 1 "blue")))
(= dot (initnext (Dot "red" (Position 2 3)) (prev dot)))
(= bar (initnext (Bar (Position 4 4)) (prev bar)))
(= dots (initnext (list (Dot "blue" (Position 0 0)) (Dot "gold" (Position 2 4))) (prev dots)))
(= at5 (--> p (list (.. p x) (.. p y))))
(= xy (--> o (at5 (.. o origin))))
"""

VALUES = {
    "(sum (map abs (list -1 2 -3)))": 6,
    "(foldl (--> (a b) (- a b)) 10 (list 1 2 3))": 4,
    "(head (list 5 6))": 5,
    "(tail (list 5 6))": 6,
    "(at (list 5 6) 1)": 6,
    "(any (--> x (> x 2)) (list 1 3))": True,
    "(any (list false (list)))": False,
    "(any (list))": False,
    "(concat (list (list 1) (list) (list 2)))": [1, 2],
    "(range 2 4)": [2, 3],
    "(range 4 2)": [],
    "(sqrt 17)": 4,
    "(sign -4)": -1,
    "(max 2 3)": 3,
    "(min 2 3)": 2,
    "(length (list 1))": 1,
    "(arrayEqual (list 1 2) (list 1 3))": [True, False],
    "(in 2 (list 1 2))": True,
    "(in (Position 1 1) (list (Position 1 2)))": False,
    "(isList 1)": False,
    "(print 3)": 3,
    "(map at5 (allPositions 2))": [[0, 0], [0, 1], [1, 0], [1, 1]],
    "(map at5 (allPositions 1 2))": [[0, 0], [0, 1]],
    "(map at5 (rect (Position 1 1) (Position 3 3)))": [[1, 1], [2, 1], [1, 2], [2, 2]],
    "(map at5 (adjPositions (Position 0 5)))": [[1, 5], [0, 4]],
    '(defined "dot")': True,
    '(defined "map")': True,
    '(defined "click")': False,
    "(xy (moveLeft dot))": [1, 3],
    "(xy (moveRight dot))": [3, 3],
    "(xy (moveUp dot))": [2, 2],
    "(xy (moveDown dot))": [2, 4],
    "(at5 (movePos (Position 1 1) (Position 2 -1)))": [3, 0],
    "(at5 (moveUpPos (Position 1 1)))": [1, 0],
    "(at5 (deltaPos (Position 1 2) (Position 3 3)))": [2, 1],
    "(at5 (unitVector dot bar))": [1, 0],
    "(at5 (unitVector bar dot))": [-1, 0],
    "(at5 (unitVectorObjPos dot (Position 2 0)))": [0, -1],
    "(at5 (deltaObj dot bar))": [2, 1],
    "(at5 (displacement (Position 1 1) (Position 0 0)))": [-1, -1],
    "(adjacentPoss (Position 0 0) (Position 1 1) 2)": True,
    "(adjacentPoss (Position 0 0) (Position 1 1) 1)": False,
    "(adjacentTwoObjs dot (tail dots) 1)": True,
    "(adj dot dots 1)": True,
    "(adj dot (list) 9)": False,
    "(length (adjacentObjs dot 1))": 2,
    "(length (adjacentObjs dots 1))": 3,
    "(length (adjacentObjsDiag dot))": 2,
    "(length ((allObjs)))": 4,
    "(xy (closest dot dots))": [2, 4],
    "(xy (closest dot (list)))": [2, 3],
    "(at5 (closestPos dot (list (Position 1 3) (Position 3 3))))": [3, 3],
    "(isFree dot)": False,
    "(isFree (moveRight dot))": True,
    "(isFreePos (Position 2 3))": False,
    "(isFreePosExceptObj (Position 2 3) dot)": True,
    "(isFreeExcept (moveRight bar) bar)": True,
    "(isFreeExcept (moveDown dot) dot)": False,
    "(isWithinBounds bar)": True,
    "(isWithinBounds (moveRight bar))": False,
    "(isWithinBounds (list))": True,
    "(isWithinBounds dots)": True,
    "(intersects dot dot)": True,
    "(intersects dot dots)": False,
    "(intersects dots (list))": False,
    "(intersects (list dot bar) bar)": True,
    "(intersectsElems (renderValue bar) (renderValue dot))": False,
    "(adjacentElem (head (renderValue bar)) (tail (renderValue bar)))": True,
    "(at5 (deltaElem (head (renderValue bar)) (tail (renderValue bar))))": [0, 1],
    "(xy (moveNoCollision dot 0 1))": [2, 3],
    "(xy (moveNoCollision dot -9 0))": [-7, 3],
    "(xy (moveLeftNoCollision dot))": [1, 3],
    "(xy (moveUpNoCollision (head dots)))": [0, 0],
    "(xy (nextSolid dot))": [2, 3],
    "(xy (nextLiquid dot))": [3, 3],
    "(xy (nextLiquid (head dots)))": [0, 1],
    '(xy (nextLiquid (Dot "red" (Position 3 5))))': [3, 5],
    "(length (renderValue (list dot bar)))": 4,
    "(objClicked dots)": [],
    '(.. (updateObj dot "tint" "green") tint)': "green",
    "(xy (updateObj dot (--> o (moveUp o))))": [2, 2],
    '(map (--> o (.. o tint)) (updateObj dots (--> o (updateObj o "tint" "z")) (--> o (== (.. o tint) "gold"))))': [
        "blue",
        "z",
    ],
    "(length (addObj dots dot))": 3,
    "(length (addObj dots dots))": 4,
    "(length (removeObj dots dot))": 2,
    "(length (removeObj dots (head dots)))": 1,
}


def test_what_the_functions_of_the_library_return() -> None:
    values = started(WORLD).evaluate(f"(list {' '.join(VALUES)})")
    assert isinstance(values, list)
    assert dict(zip(VALUES, values, strict=True)) == VALUES


REFUSED = {
    "(head (list))": "an index into a list of 0 elements",
    "(tail (list))": "an index into a list of 0 elements",
    '(length "abc")': "expected a List, found a String",
    '(map abs "abc")': "expected a List, found a String",
    "(map 3 (list 1))": "expected a function to call",
    "(arrayEqual (list 1) (list))": "two lists of one length",
    "(uniformChoice (list))": "a list with elements in uniformChoice",
    "(uniformChoice (list 1) 0)": "a Number from 1 to",
    "(sqrt -1)": "a Number of 0 or more",
    "(moveLeft 3)": "expected an object to move, found a Number",
    "(move dot 3)": "expected a Position to move by",
    '(updateObj dot "nothing" 1)': "a Dot has no field 'nothing'",
    "(updateObj dot 1 1)": "the name of a field as a String",
    "(addObj dots 1)": "an object or a List",
    "(removeObj dots 1)": "a function, an object or a List",
    "(closest dot (list 1))": "expected an object, found a Number",
    "(Position true 1)": "two Numbers in a Position, found Bool and Number",
    "(allPositions 100000)": "more than 50000 elements",
    "(concat (list 1))": "expected a List, found a Number",
}


@for_each("expression", REFUSED)
def test_what_a_function_of_the_library_refuses(expression: str) -> None:
    with pytest.raises(AutumnError, match=REFUSED[expression]):
        started(WORLD).evaluate(expression)


def refusal(world: AutumnWorld, text: str) -> AutumnError | None:
    """The error of an expression, if it has one."""
    try:
        world.evaluate(text)
    except AutumnError as error:
        return error
    return None


@pytest.mark.slow
def test_every_native_refuses_arguments_of_wrong_types_with_a_place() -> None:
    world = started(WORLD)
    for name, signature in SIGNATURES.items():
        for arg in ("1", "true", '"x"', "dot", "(list 1 dot)", "(list (list 1))", "clicked", "(Position 1 1)"):
            text = f"({name} {' '.join([arg] * signature.least)})" if signature.least else f"(({name}))"
            error = refusal(world, text)
            if error is not None:
                assert (error.line, error.source) == (1, "condition"), (text, error)
                assert "wrong type" not in error.message, (text, error)


def test_the_published_generator_is_the_default() -> None:
    numbers = "(uniformChoice (range 0 1000) 4)"
    assert started("", seed=0).evaluate(numbers) == [0, 0, 0, 0]
    assert started("", seed=42).evaluate("(uniformChoice (range 0 50000) 3)") == [27382, 42363, 42533]
    assert started("", seed=1).evaluate("(map (--> p (.. p x)) (randomPositions 0 2))") == [0, 0]


def test_a_random_cell_draws_when_it_is_made_and_at_each_drawing() -> None:
    states = [1]
    for _ in range(5):
        states.append((48271 * states[-1]) % 2**32 % (2**31 - 1))
    world = started('(object K (Cell 0 0 (uniformChoice (list "red" "blue")))) (= k (K (Position 0 0)))', seed=1)
    assert world.grid[0][0] == ("red", "blue")[states[3] % 2]
    assert world.evaluate("(uniformChoice (range 0 50000))") == states[4] % 50000
    world.act("noop")
    assert world.evaluate("(uniformChoice (range 0 50000))") == states[5] % 50000
