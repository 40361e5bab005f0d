"""The meaning of the language, one row for each rule or trap: statements, actions, an expression, and its value."""

import pytest

from herobench.suites.autumn import AutumnError, Program
from tests.sizes import for_each
from tests.suites.autumn.garden import after, drawn

K = '(object K (Cell 0 0 "red"))'
LIFE = f"{K} (= a (initnext (K (Position 1 1)) (prev a)))"
HIDE = "(on right (let (= a (removeObj a)) true))"
PAIR = f"{K} (= l (initnext (list (K (Position 0 0)) (K (Position 1 0))) (prev l)))"

CASES = {
    # scope
    "a function sees the variables of its callers": ("(= x 1) (= f (fn () x)) (= g (fn (x) ((f))))", "", "(g 7)", 7),
    "a let is seen by what it calls": ("(= f (fn () q)) (= g (fn () (let (= q 3) ((f)))))", "", "((g))", 3),
    "a callee writes its caller's let": ("(= f (fn () (= q 9))) (= g (fn () (let (= q 3) ((f)) q)))", "", "((g))", 9),
    "a let ends with its frame": ("(= g (fn () (let (= q 3) q)))", "", '(list ((g)) (defined "q"))', [3, False]),
    "a let overwrites a global": ("(= q 1) (= g (fn () (let (= q 3) q)))", "", "(list ((g)) q)", [3, 3]),
    "a parameter hides a global": ("(= q 1) (= g (fn (q) (let (= q 3) q)))", "", "(list (g 2) q)", [3, 1]),
    "a handler without a let defines a global": ("(on true (= n 4))", "noop", "n", 4),
    "a later function is found": ("(on true (= n ((f)))) (= f (fn () 6))", "noop", "n", 6),
    "functions do not capture": ("(= make (--> k (--> x (+ x k)))) (= f (make 1)) (= k 10)", "", "(f 1)", 11),
    "a stored function finds the caller's variable": ("(= g (fn (k) (f 1))) (= f (--> x (+ x k)))", "", "(g 5)", 6),
    "map's function belongs to the function around it": (
        "(= g (fn (k) (map (--> x (+ x k)) (list 1 2))))",
        "",
        "(g 5)",
        [6, 7],
    ),
    "a counter in map's function": ("(= n 0)", "", "(let (map (--> x (= n (+ n x))) (list 1 2 3)) n)", 6),
    "further arguments are ignored": ("(= f (--> (a b) (+ a b)))", "", "(f 1 2 3)", 3),
    "one name in parentheses is no call": ("(= f (fn () 5)) (= g (f))", "", "(== g f)", True),
    "a function in a let sees the variables around it": (
        "(= g (fn (k) (let (= h (--> x (+ x k))) (h 1))))",
        "",
        "(g 5)",
        6,
    ),
    "an assignment defines nothing outside its function": (
        "(= f (fn () (if true then (= z 5) else 0)))",
        "",
        '(list ((f)) (defined "z"))',
        [5, False],
    ),
    "a function that updateObj stores does not capture": (
        '(object W (: act Rule) (Cell 0 0 "red")) (= w (W 1 (Position 0 0)))'
        '(= g (fn (k) (.. (updateObj w "act" (--> x (+ x k))) act)))',
        "",
        "(let (= h (g 5)) (= k 7) (h 1))",
        8,
    ),
    # state variables and handlers
    "an assigned state variable skips NEXT": (
        "(= b (initnext 0 (+ (prev b) 1))) (on left (= b b))",
        "left, noop",
        "b",
        1,
    ),
    "NEXT sees variables before it as they are now": (
        "(= c (initnext 0 (prev b))) (= b (initnext 0 (+ (prev b) 1))) (= d (initnext 0 b))",
        "noop",
        "(list c b d)",
        [0, 1, 1],
    ),
    "INIT is evaluated in program order after the statements": ("(= b (initnext q 0)) (= q 4)", "", "b", 4),
    "each handler sees what those before it did": ("(= n 0) (on true (= n 1)) (on (== n 1) (= n 5))", "noop", "n", 5),
    "prev is the global, whatever is local": (
        "(= n (initnext 3 4)) (= f (fn (n) (prev n))) (on true (= m (f 8)))",
        "noop",
        "m",
        3,
    ),
    "prev takes a string": ('(= n (initnext 3 4)) (on true (= m (prev "n")))', "noop", "m", 3),
    "prev of a value goes by identity": (f"{LIFE} (on true (= m (.. (prev (let a)) origin)))", "noop", "(.. m x)", 1),
    "prev goes by the identity that was taken over": (
        f"{LIFE} (= m 0) (on true (let (= a (moveRight a)) (= m (.. (.. (prev (let a)) origin) x))))",
        "noop",
        "m",
        1,
    ),
    # removal
    "a handler body re-creates what it removes": (
        f"{LIFE} (on left (= a (removeObj a)))",
        "left",
        '(defined "a")',
        True,
    ),
    "a let removes": (f"{LIFE} {HIDE}", "right", '(defined "a")', False),
    "a removed variable is not advanced": (f"{LIFE} {HIDE}", "right, noop, noop", '(defined "a")', False),
    "a removed variable lives again": (
        f"{LIFE} {HIDE} (on up (= a (K (Position 3 3))))",
        "right, up, noop",
        "(.. (.. a origin) x)",
        3,
    ),
    "identity survives prev": (f"{PAIR} (on left (= l (removeObj l (head (prev l)))))", "left", "(length l)", 1),
    "addObj gives new identities": (
        f"{PAIR} (on left (let (= l (addObj l (K (Position 2 0)))) (= l (removeObj l (head (prev l))))))",
        "left",
        "(length l)",
        3,
    ),
    "returning a removed element keeps it": (
        f"{PAIR} (on left (= l (updateObj l (--> o (removeObj o)))))",
        "left",
        "(length l)",
        2,
    ),
    "a list of elements is removed": (
        PAIR,
        "",
        "(length (removeObj l (filter (--> o (== (.. (.. o origin) x) 1)) l)))",
        1,
    ),
    # cells
    "a field in a cell follows updates": (
        '(object W (: w Number) (Cell w 0 "red")) (= k (initnext (W 1 (Position 0 0)) (updateObj (prev k) "w" 2)))',
        "noop",
        "(.. (.. (head (renderValue k)) position) x)",
        2,
    ),
    "a global with the name of a field freezes it": (
        '(= w 5) (object W (: w Number) (Cell w 0 "red")) (= k (initnext (W 1 (Position 0 0)) (prev k)))',
        "",
        "(.. (.. (head (renderValue k)) position) x)",
        5,
    ),
    "a cell keeps the global it captured": (
        '(= s 1) (object W (Cell 0 0 (if (> s 3) then "red" else "blue"))) (= k (initnext (W (Position 0 0)) (prev k)))'
        "(on true (= s 9))",
        "noop",
        "(.. (head (renderValue k)) color)",
        "blue",
    ),
    "a global that came later is looked up at drawing": (
        '(object W (Cell 0 0 (if (> s 3) then "red" else "blue"))) (= k (initnext (W (Position 0 0)) (prev k)))'
        "(= s (initnext 1 9))",
        "noop",
        "(.. (head (renderValue k)) color)",
        "red",
    ),
    "a function in a cell sees the fields": (
        '(object W (: day Bool) (Cell 0 0 ((tint)))) (= tint (fn () (if day then "red" else "blue")))'
        '(= k (initnext (W true (Position 0 0)) (updateObj (prev k) "day" false)))',
        "noop",
        "(.. (head (renderValue k)) color)",
        "blue",
    ),
    "an assignment in a cell that is tried is lost": (
        '(object L (Cell (= n 5) 0 "red")) (= n (initnext 0 (+ (prev n) 1))) (on true (L (Position 0 0)))',
        "noop",
        "n",
        1,
    ),
    "only the last cells of an object count": (
        '(object W (Cell 0 0 "red") (Cell 2 2 "blue"))',
        "",
        "(.. (head (renderValue (W (Position 0 0)))) color)",
        "blue",
    ),
    # truth and equality
    "0, texts and functions are true": (
        "",
        "",
        '(list (if 0 then 1 else 2) (if "" then 1 else 2) (if clicked then 1 else 2))',
        [1, 1, 1],
    ),
    "& calls a function": ("(= n 0) (on (& clicked (== n 0)) (= n 1))", "noop, click 1 1", "n", 1),
    "| stops early": ("(= n 0)", "", "(let (| true (let (= n 1) true)) n)", 0),
    "a Number may equal a Bool, but not the other way round": (
        "",
        "",
        "(list (== 1 true) (== true 1) (!= true 1))",
        [True, False, True],
    ),
    "a variable with a Bool is no Number": (
        "(= b true) (= n 1)",
        "",
        "(list (== b 1) (== n b) (== b n))",
        [False, True, False],
    ),
    "classes are not compared": (
        '(object A (Cell 0 0 "red")) (object B (Cell 0 0 "red"))',
        "",
        "(== (A (Position 1 1)) (B (Position 1 1)))",
        True,
    ),
    "cells are compared": (
        '(object A (Cell 0 0 "red")) (object B (Cell 0 0 "blue"))',
        "",
        "(== (A (Position 1 1)) (B (Position 1 1)))",
        False,
    ),
    "lists are equal by their elements": ("", "", "(== (list 1 2) (map (--> x x) (list 1 2)))", True),
    "arithmetic wraps": ("", "", "(list (+ 2147483647 1) (* 65536 65536) (- -2147483648))", [-(2**31), 0, -(2**31)]),
    "division cuts, the remainder has the sign of the dividend": (
        "",
        "",
        "(list (/ -7 2) (/ 7 -2) (% -7 3) (% 7 -3))",
        [-3, -3, -1, 1],
    ),
    "operands are evaluated from the left": ("(= a 1)", "", "(+ (let (= a 5) 2) a)", 7),
    # clicks and fields
    "click keeps its old value": ("(on clicked true)", "click 3 4, noop", "(list (.. click x) (.. click y))", [3, 4]),
    "a click off the grid is one": ("(= n 0) (on clicked (= n (.. click x)))", "click 99 -3", "n", 99),
    "the field may be quoted": (LIFE, "", '(.. (.. a "origin") x)', 1),
    "a native may be replaced": ("(= abs (--> x 42))", "", "(abs -3)", 42),
    "a field may have the name of a native": (
        '(object W (: left Number) (Cell left 0 "red"))',
        "",
        "(.. (W 3 (Position 0 0)) left)",
        3,
    ),
    "1.9 is 1": ("", "", "(+ 1.9 1)", 2),
    "a comment ends with its line": ("; (= x 1)\n (= x 2) ; x", "", "x", 2),
}


@for_each("case", CASES)
def test_a_rule_of_the_language(case: str) -> None:
    statements, actions, expression, value = CASES[case]
    found = after(statements, actions).evaluate(expression)
    assert found == value
    assert type(found) is type(value)


REFUSED = {
    "a missing variable": ("(on true (+ 1 nothing))", "noop", 1, 24, "there is no variable 'nothing'"),
    "a missing field": ("(on true (.. (Position 1 2) z))", "noop", 1, 19, "a Position has no field 'z'"),
    "too few arguments": ("(= f (--> (a b) a)) (on true (f 1))", "noop", 1, 39, "too few arguments"),
    "too few arguments of a native": ("(on true\n (moveNoCollision 1 2))", "noop", 2, 2, "moveNoCollision is called"),
    "too many arguments of addObj": ("(addObj (list) (list) 1)", "", 1, 10, "addObj is called with too many"),
    "division by zero": ("(on true (/ 1 0))", "noop", 1, 19, "expected a divisor other than 0"),
    "a Bool is no Number": ("(on true (+ 1 true))", "noop", 1, 19, "expected two Numbers for '+'"),
    "! of a function": ("(on true (! clicked))", "noop", 1, 19, "expected a Bool after '!', found a function"),
    "a condition that is a Number": ("(on 1 true)", "noop", 1, 14, "expected a Bool or a function as condition"),
    "another type": ('(= x 1) (on true (= x "a"))', "noop", 1, 27, "a String cannot replace a Number"),
    "a Number for a list": ("(= x (list)) (on true (= x 1))", "noop", 1, 32, "a Number cannot replace a List"),
    "a let of a native's name": ("(let (= sum 1) sum)", "", 1, 15, "a Number cannot replace a function"),
    "a declared type": ('(: x Number) (on true (= x "a"))', "noop", 1, 32, "'x' is declared as Number"),
    "a field of another type": (
        '(object W (: n Number) (Cell 0 0 "red")) (W true (Position 0 0))',
        "",
        1,
        51,
        "field 'n'",
    ),
    "no origin": ('(object W (: n Number) (Cell 0 0 "red")) (W 1)', "", 1, 51, "the last one is its origin"),
    "prev at loading": ("(= a 1) (= b (prev a))", "", 1, 23, "there was no variable 'a' before this step"),
    "a type is no value": ("(head Position)", "", 1, 16, "expected a value, found the type Position"),
    "an index": ("(at (list 1) 1)", "", 1, 10, "expected an index into a list of 1 elements, found 1"),
    "a colour": (
        "(object W (Cell 0 0 5)) (= w (W (Position 0 0)))",
        "",
        1,
        20,
        "expected two Numbers and a String in a Cell of W",
    ),
    "elems that are no cells": (
        f'{K}\n(= k (K (Position 0 0)))\n(on true\n (= k (updateObj k "elems" (list 5))))',
        "noop",
        2,
        1,
        "expected a Position as origin and a list of cells in a K",
    ),
    "the size of the grid": ("(= GRID_SIZE 0)", "", 1, 10, "expected a GRID_SIZE of 1 to 200, found 0"),
    "a call of a Number": ("(= x 1) (x 2)", "", 1, 18, "expected a function to call"),
}


@for_each("case", REFUSED)
def test_an_error_names_line_and_column_of_the_expression(case: str) -> None:
    statements, actions, line, column, message = REFUSED[case]
    with pytest.raises(AutumnError) as caught:
        after(statements, actions)
    error = caught.value
    assert (error.line, error.column) == (line, column), error
    assert message in error.message
    assert str(error).startswith(f"line {line}, column {column}: ")


MISREAD = {
    "(program " + "(list " * 150 + ")" * 151: "expected at most 120 nested parentheses",
    "(program": "line 1, column 1: expected a closing parenthesis",
    "": "line 1, column 1: expected '(program ...)', found the end of the text",
    "(program foo-bar)": "line 1, column 10: expected a statement in parentheses, found 'foo-bar'",
    "(program (+ 1 foo-bar))": "line 1, column 15: expected a value, found 'foo-bar'",
    "(program (== 1 1 1))": "line 1, column 10: expected exactly two operands of '==', found 3",
    "(program\n (on true))": "line 2, column 2: expected '(on CONDITION BODY)'",
    "(program (if true 1 else 2))": "expected '(if CONDITION then A else B)'",
    "(program (if true then 1))": "expected '(if CONDITION then A else B)'",
    "(program ((--> x x) 1))": "expected a function: a name or '(name)'",
    "(program (on true (on true 1)))": "column 20: expected an expression; this stands only among the statements",
    '(program (= x "a\n"))': "column 15: expected a closing quote on the same line",
    "(program (= if 1))": "column 13: expected the name of a variable, found 'if'",
    "(program (= x 99999999999))": "column 15: expected a Number of 32 bits",
    "(program (object A (: x Number)))": "expected cells after the fields",
    "(program (foldl + 0 (list)))": "column 17: expected a value, found '+'",
}


@for_each("text", MISREAD)
def test_a_text_that_is_not_autumn_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(AutumnError) as caught:
        Program.from_text(text)
    assert MISREAD[text] in str(caught.value)


# -- drawing ----------------------------------------------------------------------------------------------------------


def test_plain_variables_lie_above_state_variables_and_the_last_drawn_is_seen() -> None:
    shapes = '(object R (Cell 0 0 "Red")) (object B (Cell 0 0 "blue")) (object G (Cell 1 0 "green"))'
    world = after(
        f"{shapes} (= b (B (Position 1 1))) (= g (initnext (G (Position 0 1)) g)) (= r (initnext (R (Position 1 1)) r))"
    )
    assert drawn(world) == {(1, 1): "blue"}
    world = after(f"{shapes} (= g (initnext (G (Position 0 1)) g)) (= r (initnext (R (Position 1 1)) r))")
    assert drawn(world) == {(1, 1): "red"}
    assert drawn(after(f"{shapes} (= GRID_SIZE 3) (= l (list (R (Position 2 2)) (G (Position 2 2))))")) == {
        (2, 2): "red"
    }


def test_an_assignment_in_a_cell_that_is_tried_does_not_count_for_the_order_of_drawing() -> None:
    shapes = f'{K} (object L (Cell (= a 0) 0 "tan")) (object B (Cell 0 0 "blue"))'
    world = after(
        f"{shapes} (on left (L (Position 5 5)))(on right (= b (B (Position 1 1)))) (on right (= a (K (Position 1 1))))",
        "left, right",
    )
    assert drawn(world) == {(1, 1): "red"}


def test_free_is_what_the_last_frame_shows_so_two_objects_may_meet() -> None:
    world = after(
        f"{K} (= a (initnext (K (Position 0 0)) (moveRightNoCollision (prev a))))"
        "(= b (initnext (K (Position 2 0)) (moveLeftNoCollision (prev b))))",
        "noop",
    )
    assert drawn(world) == {(1, 0): "red"}


def test_cells_off_the_grid_are_dropped_but_occupied() -> None:
    world = after(f"(= GRID_SIZE 3) {K} (= k (K (Position 3 -1)))")
    assert drawn(world) == {}
    assert world.evaluate("(list (isFreePos (Position 3 -1)) (isFreePos (Position -1 3)))") == [False, True]


def test_the_background_and_the_size_are_variables() -> None:
    world = after('(= GRID_SIZE 3) (= background "Tan") (on left (= GRID_SIZE 4))', "")
    assert world.grid == [["tan"] * 3] * 3
    world.act("left")
    assert (len(world.grid), world.size, world.frame_rate) == (4, 4, 8)
