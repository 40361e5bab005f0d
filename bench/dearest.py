"""The dearest step: what one step of a plan's budget can cost in processor time, by a search over operations and sizes.

Each example is a plan made of one operation, repeated on values that were made for it: collections that collide, tables
that were emptied, numbers that compare slowly, texts that are found late. The search asks hypothesis for the example
with the most microseconds a step. `python -m bench.dearest SECONDS` searches for that long and prints the worst.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from hypothesis import HealthCheck, Phase, Verbosity, given, settings, target
from hypothesis import strategies as st

from herobench.suites.rpg.sandbox.bounds import LimitReached, Limits, PlanBudget
from herobench.suites.rpg.sandbox.language import compile_plan
from herobench.suites.rpg.sandbox.worker import _surroundings

_SHOWN = 5
_SECONDS = 120
_PLENTY = Limits(steps=10**9, actions=10**9, output=10**9)
_ENOUGH = 0.01
"""Seconds of processor time after which an example has been measured well."""
_SUSPECT = 8.0
"""Microseconds a step from which an example is measured twice more, as the machine may have been busy."""
_ACTS = dict.fromkeys(("move",), lambda action, looks: (200, {}))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


SETUP = """
def emptied(values, keep):
    for key in list(values)[:len(values) - keep]:
        values.pop(key) if isinstance(values, dict) else values.discard(key)
    return values
def ones(n):
    return [tuple([-1 - (i >> j & 1) for j in range(16)]) for i in range(min(n, 6000))]
def halves(i):
    return tuple([2 ** 60 if i >> j & 1 else 0.5 for j in range(14)])
def orbit(n):
    found, key, most = [], 1, 1
    while most < n * 3 // 2:
        most = most * 2
    for _ in range(min(n, 40000)):
        found.append(key)
        key = (5 * key + 1) % most
    return found
def nested(n):
    value = []
    for _ in range(min(n, 50)):
        value = [value]
    return value
def shared(n):
    value = (0, 1)
    while n > 4:
        value, n = (value, value), n // 2
    return value
def paired(n):
    value = [0]
    while n > 4:
        value, n = [value, value], n // 2
    return value
MASK = 2 ** 64 - 1
P1, P2, P5 = 11400714785074694791, 14029467366897019727, 2870177450012600261
I1, I2 = pow(P1, -1, 2 ** 64), pow(P2, -1, 2 ** 64)
def collide(n):
    found, a = [], 0
    while len(found) < min(n, 5000):
        acc = P5 + a * P2 & MASK
        acc = ((acc << 31 | acc >> 33) & MASK) * P1 & MASK
        want = 12345678901234567 * I1 & MASK
        b = ((want >> 31 | want << 33) & MASK) - acc & MASK
        b = b * I2 & MASK
        if b < 2 ** 60:
            found.append((a, b))
        a += 1
    return found
def f(k, work):
    return f(k - 1, work) if k else work()
def g(*a, **k):
    return 0
"""
"""Functions that make hostile values; `n` is their size."""
VALUES: Mapping[str, tuple[str, ...]] = {
    "number": _lines("""
        -1
        1e308 / 3
        5e-324
        2**60 + 1
        2.0**60
        2**509 + 7
        -(2**511)
        2**250 + 1
        123456789.25
        n
        -n * 0.1
        True
        (-1) ** 0.5
    """),
    "text": _lines(r"""
        'a' * n
        'ab' * (n // 2)
        '\u0130' * n
        '\U0001f600' * n
        ' ' * n
        '\n' * n
        '9' * min(n, 200)
        '1.' + '7' * min(n, 190) + 'e-300'
        'a' * n + 'b'
        'b' + 'a' * n
        'a' * (n // 2) + 'b' + 'a' * (n // 2)
        'a.' * (n // 2)
        '\u00df' * n
        '\x00' * n
        str(n)
    """),
    "template": _lines("""
        '{' * n
        '{}' * (n // 2)
        '{0}' * (n // 3)
        '{0:9}' * (n // 5)
        '{x' * (n // 2)
        '{!' * (n // 2)
        '{{' * (n // 2) + '{'
        '%s' * (n // 2)
        '%%' * (n // 2) + '%'
        '%' * n
        '%(a)s' * (n // 5)
        '%9.9f' * (n // 5)
        'a' * n + '%'
        'a' * n + '{'
    """),
    "row": _lines("""
        list(range(n))
        [2**60 + i if i % 2 else 2.0**60 for i in range(n)]
        [str(i) for i in range(n)]
        ['a' * 50 + str(i) for i in range(n)]
        [i * 7919 % (n + 1) + 0.5 for i in range(n)]
        [2**500 + i * 7919 % (n + 1) for i in range(n)]
        [[] for i in range(n)]
        [list(range(9)) for i in range(n // 9)]
        [(7, 7, 7, 7, 7, 7, i * 7919 % (n + 1)) for i in range(n // 8)]
        [None, 0] * (n // 2)
        tuple(range(n))
        ones(n)
        collide(n)
        orbit(n)
        [halves(i) for i in range(n // 14)]
        [(None, i) for i in range(n // 2)]
        nested(n)
        shared(n)
        paired(n)
        range(n)
        range(2**60, 2**60 + n)
    """),
    "table": _lines("""
        set(range(n))
        set(str(i) for i in range(n))
        {i: i for i in range(n)}
        {str(i): [i] for i in range(n)}
        emptied(set(range(n)), 1)
        emptied(set(range(n)), n // 9)
        emptied({i: i for i in range(n)}, 1)
        emptied({i: i for i in range(n)}, n // 9)
        emptied(set(range(n)), n // 2)
        set(ones(n))
        {key: 0 for key in ones(n)}
        set(collide(n))
        {key: 0 for key in collide(n)}
        set(orbit(n))
        {key: 0 for key in orbit(n)}
        {halves(i) for i in range(n // 14)}
        {frozenset(range(i, i + 9)): 0 for i in range(n // 9)}
        {(None, i) for i in range(n // 2)}
        frozenset(range(n))
        {i: i for i in range(n)}.items()
        {i: i for i in range(n)}.values()
        emptied({i: i for i in range(n)}, n // 9).keys()
    """),
}
"""Expressions by the kind of their values. Those of the last two kinds may be keys, or hold some."""
KINDS: Mapping[str, tuple[str, ...]] = {
    "n": ("number",), "s": ("text",), "f": ("template",), "r": ("row",), "t": ("table",), "c": ("row", "table"),
    "k": ("number", "text", "row", "table"), "a": ("number", "text", "template", "row", "table"),
}  # fmt: skip
OPERATIONS = _lines("""
    nn  x + y | x - y | x * y | x % y | x // y | x / y | x ** y | x & y | x << 3 | x == y | x < y | -x
    nn  divmod(x, y)
    nn  pow(x, y, 2**510 + 1) | pow(x, -1, 2**511 - 1) | pow(x, -1, y) | round(x, 99) | round(x, -99) | abs(x)
    nn  int(x)
    nn  float(x) | str(x) | f'{x:.99f}' | f'{x:999.99e}' | f'{x:,}' | f'{x!a:>9}' | '%.99f' % x
    nn  '%r %s' % (x, y) | bool(x)
    nn  '{:.99g}'.format(x) | x.bit_length() | x.is_integer() | {x: y} | {x, y} | hash | min(x, y) | sum([x, y])
    nn  x in range(2**60) | range(n).count(x) | range(n).index(x) | sorted([x, y, x]) | move(x, y) | move(k=x)
    nn  x is y
    ss  x + y | x == y | x < y | x in y | x.find(y) | x.rfind(y) | x.index(y) | x.rindex(y) | x.count(y)
    ss  x.split(y)
    ss  x.rsplit(y) | x.partition(y) | x.rpartition(y) | x.replace(y, 'x') | x.replace('', 'x', 9) | x.strip(y)
    ss  x.lstrip(y)
    ss  x.startswith(y) | x.endswith(y) | x.removeprefix(y) | x.split() | x.rsplit(None, 1) | x.splitlines()
    ss  x.upper()
    ss  x.casefold() | x.title() | x.swapcase() | x.capitalize() | x.islower() | x.isidentifier() | x.isalnum()
    ss  x.istitle()
    ss  x.center(999, '-') | x.zfill(999) | x.join(y) | x[::-1] | x[1:] | x[0] | x * 3 | str(x) | repr(x)
    ss  f'{x}' | f'{x!r}'
    ss  f'{x!a}' | f'{x:>999}' | int(x) | float(x) | list(x) | set(x) | sorted(x) | max(x) | {x: 0} | {}[x]
    ss  print(x, end='')
    ss  move(x) | ValueError(x) == y | {y: 0}.get(x) | '%s' % x | '{}'.format(x) | x.isprintable()
    ss  x.find(y, 1, -1)
    fa  x % y | x % (y, y) | x % {'a': y} | x.format(y) | x.format(y, y) | x.format(x=y) | x.format(*[y])
    cc  x == y | x < y | x in y | x + y | x * 2 | x[::-1] | x[::7] | x[1:] | x[:] = y | x[0:0] = y | x[::2] = y
    cc  a, b = x
    cc  a, *b = x | for i in x: break | for i in x: pass | [0 for i in x] | {i for i in x} | {i: 0 for i in x}
    cc  list(i for i in x)
    cc  [*x, *y] | {*x} | g(*x) | str(x) | repr(x) | f'{x}' | '%s' % (x,) | list(x) | tuple(x) | set(x)
    cc  frozenset(x)
    cc  dict(zip(x, y)) | len(x) | sum(x) | sum(x, []) | min(x) | max(x, key=str) | sorted(x)
    cc  sorted(x, reverse=True) | any(x)
    cc  all(x) | enumerate(x) | list(zip(x, y)) | list(map(g, x, y)) | list(filter(None, x)) | list(reversed(x))
    cc  print(x, end='')
    cc  ','.join(x) | x.reverse() | x.sort() | x.sort(key=str) | x.copy() | x.clear() | x.extend(y) | x += y
    cc  del x[0]
    cc  x.insert(0, 0) | x.pop() | x.pop(0) | del x[1:3] | ValueError(x) == ValueError(y) | raise ValueError(x)
    cc  str(ValueError(x, y))
    cc  next | isinstance(x, y) | move(x) | x is y | not x | x and y | (x, y) == (y, x) | [x, y] == [x, x]
    cc  x <= y | x != y
    ck  x.index(y) | x.count(y) | x.remove(y) | x.append(y) | y in x | x[0] = y | x[-1]
    ck  sorted(x, key=lambda i: y)
    ck  max(x, key=lambda i: y) | x.sort(key=lambda i: y) | [y] * 9 == x | x.insert(n, y) | x[y] | del x[y]
    tk  y in x | x[y] | x[y] = 0 | x[y] += 1 | del x[y] | x.get(y) | x.setdefault(y, 0) | x.pop(y, 0) | x.add(y)
    tk  x.discard(y)
    tt  x | y | x & y | x - y | x ^ y | x.union(y) | x.update(y) | x.intersection(y) | x.difference(y)
    tt  x.isdisjoint(y)
    tt  x.symmetric_difference(y) | x.issubset(y) | x.issuperset(y) | x.difference_update(y)
    tt  x.intersection_update(y)
    tt  x |= y | x &= y | x -= y | x ^= y | {**x, **y} | g(**x) | dict(x) | x.items() == y.items()
    tt  x.keys() & y.keys()
    tt  x.popitem() | x.pop() | x.keys() | list(x.items()) | x == y | x < y | x <= y | {frozenset(x): 0}
    tt  {tuple(x): 0}
    kk  {x: 0}[y] | {x, y} | (x, y) in {} | {(x, y): 0} | f(140, lambda: x) | f(20, lambda: f(100, g)) | x()
    kk  missing
    kk  x.missing | 1 / 0 | x < y < x | [x, y] | g(x, k=y) | lambda: x | x if y else 0 | print(x, y, end='')
    """)
"""Operations on x and y, after the kinds of these."""


class Example(NamedTuple):
    """A plan of one operation on two values."""

    operation: str
    values: tuple[str, str]
    sizes: tuple[int, int]

    @property
    def setup(self) -> str:
        """What comes before the operation is repeated."""
        (first, second), (size, other) = self.values, self.sizes
        return f"{SETUP}\nn = {other}\ny = {second}\nn = {size}\nx = {first}"

    @property
    def loop(self) -> str:
        """The operation, repeated whatever it raises."""
        return f"while True:\n    try:\n        {self.operation}\n    except Exception: pass"

    def __str__(self) -> str:
        (first, second), (size, other) = self.values, self.sizes
        return f"{self.operation}    x = {first} (n = {size})    y = {second} (n = {other})"


def _examples(line: str) -> st.SearchStrategy[Example]:
    kinds, operations = line[:2], line[2:]
    values = [st.sampled_from([value for kind in KINDS[letter] for value in VALUES[kind]]) for letter in kinds]
    chosen = st.sampled_from([operation.strip() for operation in operations.split(" | ")])
    return st.builds(Example, chosen, st.tuples(*values), st.tuples(sizes, sizes))


sizes = st.sampled_from([1, 2, 5, 16, 64, 200, 700, 2000, 6000, 20_000, 49_000])
examples = st.one_of(*map(_examples, OPERATIONS))


def microseconds_a_step(example: Example) -> float:
    """Measure an example: processor time by steps; 0 where it cannot be made, or ends the plan at once."""
    budget = PlanBudget(_PLENTY)
    table = _surroundings(_ACTS, [], budget)
    try:
        exec(compile_plan(example.setup, _ACTS), table)
    except (LimitReached, Exception):
        return 0.0
    code, steps = compile_plan(example.loop, _ACTS), 100
    while True:
        budget._steps, budget.reached = steps, None
        took, kind = _played(lambda: exec(code, table))
        if kind != "steps":
            return 0.0
        if took > _ENOUGH or steps > 20_000:
            return 1e6 * took / steps
        steps *= 8


def _played(work: Callable[[], None]) -> tuple[float, str | None]:
    begun = time.process_time()
    kind: str | None = None
    try:
        work()
    except LimitReached as reached:
        kind = reached.kind
    except RecursionError:
        kind = "depth"
    return time.process_time() - begun, kind


def search(seconds: float) -> tuple[int, list[tuple[float, Example]]]:
    """Search for so many seconds; return how many examples were measured, and the worst one of each operation."""
    worst: dict[str, tuple[float, Example]] = {}
    measured = 0
    ends = time.monotonic() + seconds

    @settings(
        max_examples=10**9,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.target],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(examples)
    def look(example: Example) -> None:
        nonlocal measured
        if time.monotonic() > ends:
            raise _Over
        measured += 1
        price = microseconds_a_step(example)
        if price > _SUSPECT:
            price = min(price, *(microseconds_a_step(example) for _ in range(2)))
        worst[example.operation] = max(worst.get(example.operation, (0.0, example)), (price, example))
        target(price)

    while time.monotonic() < ends:
        with suppress(_Over):
            look()
    return measured, sorted(worst.values(), reverse=True)


class _Over(BaseException):
    """Raised when the time of the search is over."""


def measure() -> dict[str, float]:
    """Microseconds a step of the worst five examples that two minutes of search find."""
    measured, worst = search(_SECONDS)
    return {"examples measured": measured} | {
        f"microseconds a step: {example}": price for price, example in worst[:_SHOWN]
    }


if __name__ == "__main__":
    count, found = search(float(sys.argv[1]))
    print(f"{count} examples; microseconds a step:")
    for price, example in found[:40]:
        print(f"{price:8.2f}  {example}")
