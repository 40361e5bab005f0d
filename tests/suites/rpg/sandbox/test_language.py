"""The language of plans, construct by construct, and the constructs that are refused."""

import contextlib
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.sandbox.language import Rejected, compile_plan
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import (
    ACTIONS,
    plan_error,
    printed,
    recorded,
    seen_in_python,
    seen_in_the_sandbox,
    steadily,
)

ALLOWED = {
    "calls": "move('Hero', 1, y=-2)\nprint(len('ab'))",
    "underscore names": (
        "_a = 1\n__b = 2\n_tick_ = 3\nfor _ in [4]:\n    for __ in [5]:\n        print(_a, __b, _tick_, _, __)"
    ),
    "underscore keywords": "def f(_a, **_rest):\n    return _a, _rest\nprint(f(_a=1, _b=2), dict(_c=3))",
    "main": "def main():\n    print('go')\nif __name__ == '__main__':\n    main()",
    "docstrings": '"""A plan."""\ndef f():\n    """A part."""\nprint(f())',
    "type hints": (
        "x: int = 3\ndef f(a: int = 2, *b: int, **c: str) -> list[int]:\n    y: int\n    z: float = 1\n    return [a]\n"
        "print(f(), x)"
    ),
    "augmented names": (
        "x = 7\nx += 1\nx -= 2\nx *= 5\nx //= 4\nx **= 2\nx %= 40\nx <<= 2\nx >>= 1\nx |= 1\nx &= 7\nx ^= 1\nx /= 4\n"
        "print(x)"
    ),
    "augmented items": "d = {'a': 1}\nd['a'] += 2\nl = [1, 2]\nl[-1] *= 3\nn = [[0]]\nn[0][0] -= 1\nprint(d, l, n)",
    "augmented in place": "a = b = [1]\na += (2,)\na *= 2\ns = t = {1}\ns |= {2}\nprint(b, t)",
    "bare except": "try:\n    1 / 0\nexcept:\n    print('caught')",
    "try": "try:\n    pass\nexcept ValueError:\n    pass\nelse:\n    print('else')\nfinally:\n    print('finally')",
    "handlers": (
        "for x in ('1', 'a', []):\n    try:\n        print(int(x))\n    except ValueError as e:\n        print(e)\n"
        "    except (TypeError, KeyError):\n        print('T')"
    ),
    "raise from": (
        "try:\n    try:\n        1 / 0\n    except ArithmeticError as e:\n        raise KeyError('y') from e\n"
        "except LookupError as e:\n    print(repr(e), e, e.args)"
    ),
    "raise again": (
        "try:\n    try:\n        [][0]\n    except IndexError:\n        raise\nexcept Exception as e:\n    print(e)"
    ),
    "finally": "def f():\n    try:\n        return 1\n    finally:\n        print('last')\nprint(f())",
    "assert": "try:\n    assert 1 < 2\n    assert 1 > 2, 'no'\nexcept AssertionError as e:\n    print(e)",
    "nonlocal": (
        "def outer():\n    n = 0\n    def inner():\n        nonlocal n\n        n += 1\n    inner()\n    return n\n"
        "print(outer())"
    ),
    "global": "n = 1\ndef f():\n    global n\n    n = n + 1\nf()\nprint(n)",
    "recursion": "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nprint(f(10))",
    "parameters": (
        "def f(a, b=2, /, c=3, *d, e, f=6, **g):\n    return a, b, c, d, e, f, g\n"
        "print(f(1, e=5, h=8), f(1, 2, 3, 4, e=0))"
    ),
    "lambda": "f = lambda a, b=2, *c, **d: (a, b, c, d)\nprint(f(1), f(1, 3, 5, k=7))",
    "falsy lambda": "print((lambda: 0)(), (lambda: None)(), (lambda: [])())",
    "list comprehension": "l = [1, 2, 3]\nprint([n * m for n in l if n > 1 for m in l if m != n])",
    "other comprehensions": "print({n: n * n for n in (1, 2)}, {n % 2 for n in (1, 3)}, sum(n for n in (1, 2)))",
    "walrus": "n = 0\nwhile (n := n + 1) < 3:\n    print(n)\nprint([m := 5, m ** 2])",
    "star arguments": "p = (1, 2)\nk = {'sep': '-'}\nprint(*p, 3, *'ab', **k)",
    "star displays": "a = [1]\nprint([*a, *(2, 3)], (*a, 4), {*a, 5}, {**{'x': 1}, 'y': 2})",
    "unpacking": "a, (b, *c), [d] = 1, 'xyz', [2]\na, b = b, a\n*e, f = {1: 0, 2: 0}\nprint(a, b, c, d, e, f)",
    "unpacking in loops": (
        "for i, (a, *b) in enumerate(['xyz', (1,)]):\n    print(i, a, b)\nprint([a for a, *_ in [(1, 2)]])"
    ),
    "chained assignment": "a = b = c = []\na.append(1)\nprint(b is c, c)",
    "slices": "l = list(range(5))\nl[1:3] = 'xyz'\ndel l[0:1]\nprint(l, l[-2:], 'hero'[::-1], (1, 2)[:1])",
    "targets in targets": (
        "a, (b, (c, *d)), *e = 'hero', (1, ('xy', 2)), 3\nprint(a, b, c, d, e)\n"
        "for k, (v, (w, *x)) in [('ab', (1, 'cd'))]:\n    print(k, v, w, x)\n"
        "pair = a, (b, *c) = 'hero', (1, 2)\nprint(pair, a, [k for k, (v, (w, *x)) in [('ab', (1, 'cd'))]])\n"
        "l = [1, 2, 3]\n(a, (l[1:], b)), *l[:1] = ('ab', ('cd', 4)), 5, 6\nprint(a, b, l)"
    ),
    "slices of ranges": "print(list(range(10**9)[5:7]))",
    "deletion": "d = {'a': 1, 'b': 2}\ndel d['a']\nx = 1\ndel x\ntry:\n    x\nexcept NameError as e:\n    print(d, e)",
    "comparisons": "x = 5\nprint(1 < x <= 5 != 6, 1 < x < 3, x is not None, [x] is [x], [x] is not [x])",
    "membership": (
        "print(1 in [1], 1 not in (2,), 'a' in {'a': 0}, 3 in range(4), 'b' in 'abc', 2 in {1}, 1.5 in range(3))"
    ),
    "boolean operators": "print(0 or 'x', 1 and [], not 0, None or 0 or '-')",
    "conditional expression": "print('a' if 1 > 2 else 'b')",
    "for": (
        "for i in range(9):\n    if i == 1:\n        continue\n    if i == 3:\n        break\n    print(i)\n"
        "else:\n    print('no')\nprint(i)"
    ),
    "while": "n = 3\nwhile n:\n    n -= 1\nelse:\n    print('done')",
    "f-strings": (
        "n, s = 3.14159, 'ab'\nprint(f'{n:.2f}|{s!r:>6}|{s:*^6}|{n:>{4 + 4}.1f}|{s=}|{1 + 1}|{{}}|{7:03}')\n"
        "print(f'{\"é\"!a}')"
    ),
    "percent": (
        "print('%s has %d%% of %05.1f %r %-4s|' % ('a', 3, 2, 'b', 'c'))\n"
        "print('%(a b)s' % {'a b': 1}, '%x' % 255, '%.f' % 2.5)"
    ),
    "str.format": "print('{0} {1} {n:>3} {0!r}'.format('a', 2, n=3), '{:,}'.format(12345))",
    "several lines": "x = (1 +\n     2)\nmove(\n    'Hero',\n    x,\n    0,\n)\nprint('a'\n      'b'); print(x)",
    "continued lines": "x = 1 + \\\n    2\nprint(x)",
    "other alphabets": "größe = 1\nprint(größe, '竜', '\\t')",
    "ellipsis": "def later(): ...\nprint(later(), ...)",
    "builtins as values": "f = len\nprint(f('abc'), list(map(str, [1, 2])), [g(3) for g in (str, bool)])",
    "builtins shadowed": "def outer():\n    list = [1]\n    return list\nsum = 3\nprint(outer(), sum)",
    "actions as values": "go = move\nfor act in (go, gather):\n    act('Hero')\nprint({'g': gather}['g']('Hero')[0])",
    "a dispatch table": (
        "todo = {'m': lambda: move('Hero', 1, 1), 'g': gather}\nfor c in 'mm':\n    todo[c]()\ntodo['g']('Hero')"
    ),
    "nothing": "pass",
    "comments": "# nothing at all",
    "thousand elifs are no depth": "x = 90\nif x == 0:\n    pass\n"
    + "".join(f"elif x == {n}:\n    print({n})\n" for n in range(100)),
}


@for_each("plan", ALLOWED.values())
def test_what_is_allowed_does_what_it_does_in_python(plan: str) -> None:
    seen = seen_in_python(plan)
    assert seen.error is None
    assert seen_in_the_sandbox(plan) == seen


REFUSED = {
    "a star before brackets": ("*(a, b), c = 1, 2, 3", "a star before brackets has no place in a target"),
    "import": ("import os", "imports have no place in a plan"),
    "import from": ("from math import pi", "imports have no place in a plan"),
    "class": ("class Hero:\n    pass", "classes have no place in a plan"),
    "with": ("with open('x') as f:\n    pass", "with statements have no place in a plan"),
    "match": ("match 1:\n    case 1:\n        pass", "match statements have no place in a plan"),
    "yield": ("def f():\n    yield 1", "generators have no place in a plan"),
    "yield from": ("def f():\n    yield from []", "generators have no place in a plan"),
    "async def": ("async def f():\n    pass", "async functions have no place in a plan"),
    "async for": ("async def f():\n    async for x in y:\n        pass", "async functions have no place in a plan"),
    "except*": ("try:\n    pass\nexcept* ValueError:\n    pass", "except* clauses have no place in a plan"),
    "decorators": ("@print\ndef f():\n    pass", "decorators have no place in a plan"),
    "matrix multiplication": ("1 @ 2", "matrix multiplication has no place in a plan"),
    "augmented matrix multiplication": ("x = 1\nx @= 2", "matrix multiplication has no place in a plan"),
    "bytes": ("x = b'a'", "bytes values have no place in a plan"),
    "bytes as keys": ("x = {b'a': 1}", "bytes values have no place in a plan"),
    "complex": ("x = 1j", "complex values have no place in a plan"),
    "long numbers": ("x = 1" + "0" * 20, "numbers of more than 20 digits have no place in a plan"),
    "dunder read": ("print(__builtins__)", "the name __builtins__ has no place in a plan"),
    "dunder bound": ("__builtins__ = {}", "the name __builtins__ has no place in a plan"),
    "dunder parameter": ("def f(__builtins__): pass", "the name __builtins__ has no place in a plan"),
    "dunder keyword": ("f(__class__=1)", "the name __class__ has no place in a plan"),
    "dunder global": ("def f():\n    global __builtins__", "the name __builtins__ has no place in a plan"),
    "__name__ bound": ("__name__ = 'x'", "the name __name__ has no place in a plan"),
    "dunder attribute": ("x = (1).__class__", "the attribute __class__ has no place in a plan"),
    "private attribute": ("x = (1)._x", "the attribute _x has no place in a plan"),
    "attribute set": ("x = 1\nx.y = 2", "setting attributes has no place in a plan"),
    "attribute deleted": ("del x.y", "setting attributes has no place in a plan"),
    "attribute augmented": ("x.y += 1", "setting attributes has no place in a plan"),
    "attribute as a loop variable": ("for x.y in []:\n    pass", "setting attributes has no place in a plan"),
    "action as a method": ("h = 'Hero'\nh.move(1, 2)", "move is a function, not a method: call it by its name alone"),
    "action assigned": ("move = 1", "move is an action and cannot be redefined"),
    "action defined": ("def move(*a):\n    pass", "move is an action and cannot be redefined"),
    "action as a parameter": ("f = lambda move: 1", "move is an action and cannot be redefined"),
    "action as a vararg": ("def f(*move): pass", "move is an action and cannot be redefined"),
    "action as a loop variable": ("for move in []: pass", "move is an action and cannot be redefined"),
    "action in a comprehension": ("[1 for move in []]", "move is an action and cannot be redefined"),
    "action in a walrus": ("(move := 1)", "move is an action and cannot be redefined"),
    "action as a handler": ("try: pass\nexcept ValueError as move: pass", "move is an action and cannot be redefined"),
    "action as a global": ("def f():\n    global move", "move is an action and cannot be redefined"),
    "action augmented": ("move += 1", "move is an action and cannot be redefined"),
    "action deleted": ("del move", "move is an action and cannot be redefined"),
    "action annotated": ("move: int = 1", "move is an action and cannot be redefined"),
    "action in disguise": ("\uff4dove = 1", "move is an action and cannot be redefined"),
    "BaseException caught": ("try: pass\nexcept BaseException: pass", "a handler names its errors, of ArithmeticError"),
    "computed handler": ("try: pass\nexcept [ValueError][0]: pass", "a handler names its errors, of ArithmeticError"),
    "chained in": ("x = 1 in [1] == True", "chains of comparisons with `in` have no place in a plan"),
    "augmented slice": ("l[1:2] += [3]", "augmented assignment to slices has no place in a plan"),
    "return in finally": ("def f():\n    try: pass\n    finally:\n        return", "return, break and continue"),
    "break in finally": ("while 1:\n    try: pass\n    finally:\n        break", "return, break and continue have no"),
    "many parameters": (f"def f({', '.join(f'p{n}' for n in range(33))}): 1", "more than 32 parameters have no place"),
    "long names": ("n" * 201 + " = 1", "names of more than 200 characters have no place in a plan"),
}  # fmt: skip


@for_each(("plan", "reason"), REFUSED.values())
def test_what_is_refused_is_refused_in_a_sentence_with_its_line(plan: str, reason: str) -> None:
    played = recorded(f"move('Hero')\n\n{plan}")
    assert (played.ending.how, played.ending.kind, played.attempts) == ("rejected", "forbidden", ())
    assert (played.ending.reason or "").startswith(reason)
    assert played.ending.line in range(3, 4 + plan.count("\n"))


@for_each(
    ("plan", "line"),
    [
        ("x = 1\nif x:\nprint(x)", 3),
        ("move('Hero'", 1),
        ("return 1", 1),
        ("x = 1\nbreak", 2),
        ("def f():\n    x = 1\n    global x", 3),
        ("nonlocal x", 1),
        ("f(a=1, a=2)", 1),
        ("print 'x'", 1),
        ("0777", 1),
        ("x = '", 1),
        ("9" * 5000, 1),
        ("x = [1]\ny = *x", 2),
        ("x = [[1, 2]]\na, b = *x", 2),
        ("x = [[1, 2]]\n[a, *b] = *x", 2),
        ("x = [[1, 2]]\nfor a in *x: pass", 2),
        ("x = [[1, 2]]\nfor a, b in *x: pass", 2),
        ("x = [1]\ny = 1\ny += *x", 3),
        ("x = [1]\nd = {}\nd[0] += *x", 3),
        ("x = [5]\nf'{*x}'", 2),
        ("x = [5]\nf'{*x:>{3}}'", 2),
    ],
)
def test_what_is_not_python_is_a_syntax_error_with_its_line(plan: str, line: int) -> None:
    ending = recorded(plan).ending
    assert (ending.how, ending.kind, ending.line) == ("rejected", "syntax", line)
    assert (ending.reason or "").startswith("syntax error: ")


@for_each("character", ["\0", "\x0c", "\x1b", "\ufeff", "\u202e", "\u2066", "\ud800"])
def test_characters_that_deceive_the_eye_are_refused_with_their_line(character: str) -> None:
    ending = recorded(f"x = 1\ny = '{character}'").ending
    assert (ending.how, ending.kind, ending.line) == ("rejected", "forbidden", 2)
    assert ending.reason == f"the character U+{ord(character):04X} has no place in a plan"


@for_each(
    "plan",
    [
        "x = " + "(" * 250 + "1" + ")" * 250,
        "x = " + "-" * 3000 + "1",
        "x = " + "+".join(["1"] * 3000),
        "x = " + "[" * 90 + "]" * 90,
        "x = " + "f(" * 90 + ")" * 90,
        "x = " + "lambda: " * 90 + "1",
        "x = y" + ".z" * 3000,
        "\n".join("    " * depth + "if x:" for depth in range(70)) + "\n" + "    " * 70 + "pass",
        "x = [" + "1, " * 100_000 + "]",
        "x = 1\\\n" * 300,
    ],
)
def test_what_is_too_large_or_too_deep_is_rejected(plan: str) -> None:
    ending = recorded(plan).ending
    assert ending.how == "rejected"
    assert ending.kind in ("size", "syntax")


def _loops(depth: int) -> str:
    return "".join(f"{' ' * n}for x{n} in [1]:\n" for n in range(depth)) + " " * depth + "print(1)"


def _comprehensions(depth: int) -> str:
    text = "1"
    for _ in range(depth):
        text = f"[{text} for x in [1]]"
    return f"x = {text}\nprint(1)"


BOUNDS = {
    "elifs": lambda n: "x = 0\nif x:\n    pass\n" + "elif x:\n    pass\n" * (n + 184 + 1) + "print(1)",
    "loops": _loops,
    "try": lambda n: "".join(f"{' ' * m}try:\n" for m in range(n)) + " " * n + "print(1)\n" + "".join(
        f"{' ' * m}except KeyError: pass\n" for m in reversed(range(n))
    ),
    "comprehensions": _comprehensions,
    "clauses of a comprehension": lambda n: f"x = [1 {'for x in [1] ' * n}]\nprint(1)",
    "dicts of comprehensions": lambda n: "x = " + "{1: " * n + "1" + " for x in [1]}" * n + "\nprint(1)",
    "generators": lambda n: "x = " + "any(" * n + "1" + " for x in [1])" * n + "\nprint(1)",
    "loops and comprehensions": lambda n: (
        "for x in [1]:\n    " + _comprehensions(n - 1).replace("\n", "\n    ")
    ),
    "continued lines": lambda n: "x = 1" + "\\\n" * (n - 15 + 1000) + "\nprint(1)",
    "formats in formats": lambda n: "print(f'{1:{1}}')" if n == 15 else "print(f'{1:{1:{1}}}')",
}  # fmt: skip


@for_each("plan", BOUNDS.values())
def test_what_may_be_nested_or_chained_has_the_same_bound_on_all_versions(plan: Callable[[int], str]) -> None:
    assert recorded(plan(15)).output == "1\n"
    ending = recorded(plan(16)).ending
    assert ending.how == "rejected"
    assert ending.kind in ("size", "forbidden")


PARSED_TOO_DEEP = {
    "not": "x = " + "not " * 4500 + "1",
    "conditions": "x = " + "1 if 0 else " * 1600 + "1",
    "elifs": "x = 0\nif x: pass\n" + "elif x: pass\n" * 4990,
    "powers": "x = " + "1**" * 6000 + "1",
    "lambdas": "x = " + "lambda: " * 2400 + "1",
    "brackets": "x = " + "[" * 19_000,
    "stars": "x = [" + "*" * 19_000 + "x]",
    "subscripts": "x = y" + "[0]" * 6000,
    "comprehensions in each other": _comprehensions(21),
    "for clauses": f"x = [1 {'for x in y ' * 1500}]",
}


@for_each("plan", PARSED_TOO_DEEP.values())
def test_what_the_parser_has_no_memory_for_is_rejected(plan: str) -> None:
    first, second = (recorded(plan).ending for _ in range(2))
    assert first.how == "rejected"
    assert first == second


def test_handlers_of_several_errors_need_their_brackets() -> None:
    ending = recorded("try:\n    pass\nexcept KeyError, ValueError:\n    pass").ending
    assert (ending.how, ending.kind, ending.line) == ("rejected", "syntax", 3)


@for_each("feature", ["annotations", "braces", "nothing"])
def test_a_feature_is_refused_as_an_import_on_every_version(feature: str) -> None:
    ending = recorded(f"# first\nfrom __future__ import {feature}\nprint(f'{{1}}')").ending
    assert (ending.how, ending.kind, ending.reason, ending.line) == (
        "rejected",
        "forbidden",
        "imports have no place in a plan",
        2,
    )


def test_the_reason_of_a_rejection_is_short_whatever_the_plan_names() -> None:
    ending = recorded("x = (1)._" + "a" * 4900).ending
    assert ending.how == "rejected"
    assert len(ending.reason or "") <= 300


@steadily
@given(st.text(max_size=60) | st.text("()[]{}:=,.'\"\\ \n\tab_019@*-+ifordenlam", max_size=80))
def test_any_text_is_a_plan_or_is_rejected(text: str) -> None:
    with contextlib.suppress(Rejected):
        compile_plan(text, ACTIONS)


# -- what is evaluated, and when ---------------------------------------------------------------------------------------


def test_an_augmented_item_evaluates_holder_and_key_once() -> None:
    functions = "def holder():\n    move('h')\n    return d\ndef key():\n    fight('k')\n    return 1\n"
    plan = f"d = {{1: 0}}\n{functions}holder()[key()] += 5\nprint(d)"
    played = recorded(plan)
    assert [action.name for action in played.attempts] == ["move", "fight"]
    assert played.output == "{1: 5}\n"


@for_each(
    ("plan", "output"),
    [
        ("d = [1]\ndef f():\n    d[0] = 100\n    return 1\nd[0] += f()\nprint(d)", "[2]\n"),
        ("d = {}\ntry:\n    d['a'] += print('never')\nexcept KeyError as e:\n    print(e)", "'a'\n"),
        ("x = 1\ndef f():\n    global x\n    x = 100\n    return 1\nx += f()\nprint(x)", "2\n"),
    ],
)
def test_an_augmented_assignment_reads_its_target_before_its_value(plan: str, output: str) -> None:
    assert printed(plan) == output
    assert seen_in_the_sandbox(plan) == seen_in_python(plan)


def test_type_hints_are_not_evaluated() -> None:
    assert printed("x: print('hint') = 1\ndef f(a: print('hint')) -> print('hint'): pass\nprint(x)") == "1\n"


def test_a_generator_acts_only_as_far_as_it_is_asked() -> None:
    plan = "print(any(gather('Hero', n)[0] == 200 for n in range(9)), 200 in (move('Hero', n)[0] for n in range(9)))"
    assert [action.args for action in recorded(plan).attempts] == [("Hero", 0), ("Hero", 0)]


def test_sets_of_constants_have_the_order_they_have_in_python() -> None:
    plan = "print({6, -1, 7}, {(0, 1), (5, 2), (3, -3)}, {8, 1, 16}, [n for n in {-5, 40, 9}])"
    assert seen_in_the_sandbox(plan) == seen_in_python(plan)


def test_a_plan_cannot_spell_the_names_of_the_guards() -> None:
    for name in ("_tick_", "_getattr_", "_caught_", "_write_"):
        assert printed(f"{name} = None\nfor _ in range(3):\n    pass\nprint({name}, 'a'.upper())") == "None A\n"


@for_each("name", ["eval", "exec", "open", "type", "getattr", "globals", "id", "hash", "iter", "next", "vars"])
def test_what_reaches_behind_values_is_not_there(name: str) -> None:
    assert plan_error(f"{name}") == f"NameError: name '{name}' is not defined"
