"""Programs in the language of plans, written at random: what `test_fuzz` runs in the sandbox and in plain Python.

Left out is what differs by design (see the end of the docstring of the sandbox), what depends on hashes,
and whatever grows without bound. Half of what is written may fail at run time: the errors are compared as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from hypothesis import strategies as st

from tests.suites.rpg.sandbox.plans import ACTIONS

Kind = Literal["int", "float", "str", "bool", "list", "dict", "tuple", "set"]
KINDS: tuple[Kind, ...] = ("int", "float", "str", "bool", "list", "dict", "tuple", "set")

Choice = TypeVar("Choice")

_WORDS = ("iron", "Axe", "", "a b", "x1", "drake", "12", "é")
_KEYS = ("a", "b", "iron")
_ERRORS = ("ValueError", "KeyError", "IndexError", "TypeError", "ZeroDivisionError", "Exception", "LookupError")
_SPECS = ("", ":5", ":<6", ":>4", ":^7", "!r", "!s", "!a", "!r:>9")
_NUMBER_SPECS = ("", ":5", ":05", ":+", ":,", ":.2f", ":.1%", ":e", ":>8.3f", ":x", ":d")
_DEEPEST = 3


def programs() -> st.SearchStrategy[str]:
    """The source text of a program: each choice in it takes a byte, which is fast to draw and shrinks well."""
    return st.binary(min_size=800, max_size=800).map(lambda choices: _Writer(choices).program())


class _Writer:
    """Writes one program, choice by choice."""

    def __init__(self, choices: bytes) -> None:
        self._choices = iter(choices)
        self._names: dict[Kind, list[str]] = {kind: [] for kind in KINDS}
        self._functions: list[tuple[str, int]] = []
        self._made = 0
        self._in_loop = False
        self._in_function = False

    # -- choosing -----------------------------------------------------------------------------------------------------

    def _below(self, most: int) -> int:
        return next(self._choices, 0) % most

    def _of(self, options: Sequence[Choice]) -> Choice:
        return options[self._below(len(options))]

    def _one(self, *writers: Callable[[], str]) -> str:
        return self._of(writers)()

    def _chance(self, one_in: int) -> bool:
        return self._below(one_in) == one_in - 1

    def _new(self, stem: str) -> str:
        self._made += 1
        return f"{'_' if self._chance(6) else ''}{stem}{self._made}"

    # -- programs -----------------------------------------------------------------------------------------------------

    def program(self) -> str:
        lines = []
        for kind in KINDS:
            name = self._new(kind[0])
            lines.append(f"{name} = {self._literal(kind)}")
            self._names[kind].append(name)
        for _ in range(4 + self._below(12)):
            lines += self._function() if self._chance(7) else self._statement(0) if self._chance(4) else self._tried()
        if self._chance(4):
            lines += ['if __name__ == "__main__":', *self._block(1)]
        return "\n".join([*lines, f"print({', '.join(self._names[kind][0] for kind in KINDS)})", ""])

    def _tried(self) -> list[str]:
        """A statement whose error is shown and does not end the program."""
        name = self._new("e")
        return ["try:", *self._block(0), f"except Exception as {name}:", f"    print(repr({name}), {name})"]

    def _block(self, depth: int) -> list[str]:
        kept = {kind: list(names) for kind, names in self._names.items()}
        lines = [line for _ in range(1 + self._below(3)) for line in self._statement(depth)]
        self._names = kept
        return [f"    {line}" for line in lines]

    # -- statements ---------------------------------------------------------------------------------------------------

    def _statement(self, depth: int) -> list[str]:
        simple = (
            self._assign, self._assign, self._unpack, self._augment, self._augment_item, self._action_call,
            self._action_call, self._print, self._method_call, self._method_call, self._item, self._delete,
            self._walrus, self._expression_statement, self._raise_or_assert,
        )  # fmt: skip
        compound = (self._if, self._for, self._for, self._while, self._try, self._try)
        if depth < _DEEPEST and self._chance(3):
            return self._of(compound)(depth)
        if self._in_loop and self._chance(12):
            return [f"if {self._bool()}:", f"    {self._of(('break', 'continue'))}"]
        return self._of(simple)()

    def _assign(self) -> list[str]:
        kind = self._of(KINDS)
        value = self._expression(kind)
        if self._chance(3):
            name = self._of(self._names[kind])
            hint = f": {kind}" if self._chance(4) and not self._in_function else ""
            return [f"{name}{hint} = {value}"]
        name = self._new(kind[0])
        self._names[kind].append(name)
        return [f"{name} = {value}"]

    def _unpack(self) -> list[str]:
        first, second = self._new("i"), self._new("i")
        names, ints = self._names["int"], self._names["list"]
        way = self._below(5)
        if way == 0:
            line = f"{first}, {second} = {self._int()}, {self._int()}"
        elif way == 1:
            line = f"{first} = {second} = {self._int()}"
        elif way == 2:
            first, second = self._of(names), self._of(names)
            return [f"{first}, {second} = {second}, {first}"]
        elif way == 3:
            rest = self._new("l")
            line = f"{self._of((f'{first}, *{rest}', f'*{rest}, {first}'))}, {second} = {self._list()}"
            ints.append(rest)
        else:
            line = f"({first}, {second}) = {self._tuple()}"
        names += [first, second]
        return [line]

    def _augment(self) -> list[str]:
        way = self._below(6)
        if way < 3:
            sign = self._of(("+=", "-=", "//=", "%=", "|=", "&=", "^=", ">>="))
            return [f"{self._of(self._names['int'])} {sign} {self._small()}"]
        if way == 3:
            return [f"{self._of(self._names['str'])} += {self._piece()}"]
        if way == 4:
            return [f"{self._of(self._names['list'])} += {self._of((self._display, self._short_list))()}"]
        return [f"{self._of(self._names['set'])} {self._of(('|=', '&=', '-=', '^='))} {self._set()}"]

    def _augment_item(self) -> list[str]:
        where = f"{self._of(self._names['list'])}[{self._index()}]"
        if self._chance(2):
            where = f"{self._of(self._names['dict'])}[{self._key()}]"
        return [f"{where} {self._of(('+=', '-=', '*=', '%='))} {self._small()}"]

    def _action_call(self) -> list[str]:
        call = self._action()
        way = self._below(6)
        if way == 0:
            name = self._new("t")
            return [f"{name} = {call}", f"print({name}[0])"]
        if way == 1:
            return [f"if {call}[0] == 200:", f"    {self._of(ACTIONS)}('Hero', {self._int()})"]
        if way == 2:
            return [f"{self._of(ACTIONS)}(", "    'Hero',", f"    {self._int()},", f"    quantity={self._int()},", ")"]
        return [call]

    def _print(self) -> list[str]:
        values = ", ".join(self._expression(self._of(KINDS)) for _ in range(self._below(4)))
        extra = self._of(("", "", "", "sep='-'", "end=';'", "sep='', end='|\\n'"))
        return [f"print({', '.join(filter(None, (values, extra)))})"]

    def _method_call(self) -> list[str]:
        values, pairs, uniques = (self._of(self._names[kind]) for kind in ("list", "dict", "set"))
        number = self._int()
        calls = (
            f"{values}.append({number})",
            f"{values}.extend({self._short_list()})",
            f"{values}.insert({self._index()}, {number})",
            f"{values}.pop({self._of(('', self._index()))})",
            f"{values}.remove({number})",
            f"{values}.reverse()",
            f"{values}.sort({self._of(('', 'reverse=True', 'key=lambda n: -n', 'key=lambda n: (n % 3, n)'))})",
            f"{pairs}.update({self._display_dict()})",
            f"{pairs}.update(b={number})",
            f"{pairs}.setdefault({self._key()}, {number})",
            f"{pairs}.pop({self._key()}{self._of(('', f', {number}'))})",
            f"{uniques}.add({number})",
            f"{uniques}.discard({number})",
            f"{uniques}.remove({number})",
            f"{uniques}.update({self._short_list()})",
        )
        return [self._of(calls)]

    def _item(self) -> list[str]:
        values, pairs = self._of(self._names["list"]), self._of(self._names["dict"])
        stores = (
            f"{values}[{self._index()}] = {self._int()}",
            f"{values}[{self._slice()}] = {self._short_list()}",
            f"{pairs}[{self._key()}] = {self._int()}",
        )
        return [self._of(stores)]

    def _delete(self) -> list[str]:
        values, pairs = self._of(self._names["list"]), self._of(self._names["dict"])
        items = f"{values}[{self._index()}]", f"{values}[{self._slice()}]", f"{pairs}[{self._key()}]"
        return [f"del {self._of(items)}"]

    def _walrus(self) -> list[str]:
        name = self._new("i")
        self._names["int"].append(name)
        return [f"if ({name} := {self._int()}) > {self._small()}:", f"    print({name})"]

    def _expression_statement(self) -> list[str]:
        return [self._expression(self._of(KINDS))]

    def _raise_or_assert(self) -> list[str]:
        if self._chance(3):
            return [f"if {self._bool()} and {self._bool()}:", f"    raise {self._of(_ERRORS)}({self._str()})"]
        if self._chance(3):
            return [f"assert {self._bool()} or {self._bool()}, {self._str()}"]
        return ["pass"]

    def _if(self, depth: int) -> list[str]:
        lines = [f"if {self._bool()}:", *self._block(depth + 1)]
        if self._chance(3):
            lines += [f"elif {self._bool()}:", *self._block(depth + 1)]
        return [*lines, "else:", *self._block(depth + 1)] if self._chance(2) else lines

    def _for(self, depth: int) -> list[str]:
        name, other = self._new("i"), self._new("i")
        values, pairs = self._short_list(), self._of(self._names["dict"])
        targets, source = self._of(
            (
                ((name,), f"range({1 + self._below(4)})"),
                ((name,), f"range({self._below(9)}, {self._below(5)}, -2)"),
                ((name,), values),
                ((name,), f"sorted({values})"),
                ((name,), f"reversed({values})"),
                ((name, other), f"enumerate({values})"),
                ((name, other), f"enumerate({values}, start=2)"),
                ((name, other), f"zip({values}, {self._short_list()})"),
                ((name, other), "[(1, 2), (3, 4)]"),
                ((f"_{name}", other), f"list({pairs}.items())"),
            )
        )
        kept = {kind: list(names) for kind, names in self._names.items()}
        self._names["int"] += [target for target in targets if not target.startswith("_i")]
        lines = [f"for {', '.join(targets)} in {source}:", *self._loop_body(depth)]
        self._names = kept
        return [*lines, "else:", *self._block(depth + 1)] if self._chance(5) else lines

    def _while(self, depth: int) -> list[str]:
        name = self._new("n")
        body = [f"    {name} += 1", *self._loop_body(depth)]
        if self._chance(3):
            body = [*body, f"    if {self._bool()}:", "        break"]
            return [f"{name} = 0", "while True:", f"    if {name} > 3:", "        break", *body]
        return [f"{name} = 0", f"while {name} < {1 + self._below(4)}:", *body]

    def _loop_body(self, depth: int) -> list[str]:
        kept, self._in_loop = self._in_loop, True
        lines = self._block(depth + 1)
        self._in_loop = kept
        return lines

    def _try(self, depth: int) -> list[str]:
        name = self._new("e")
        lines = ["try:", *self._block(depth + 1)]
        if self._chance(2):
            lines.append(
                f"    {self._of(('1 / 0', '[][1]', '{}[7]', 'int(str())', 'undefined', 'raise ValueError(3, 4)'))}"
            )
        way = self._below(4)
        caught = (
            ["except:", f"    print({self._str()})"],
            [f"except {self._of(_ERRORS)} as {name}:", f"    print({name}, repr({name}), {name}.args)"],
            [f"except ({self._of(_ERRORS)}, {self._of(_ERRORS)}):", *self._block(depth + 1)],
            [f"except {self._of(_ERRORS)}:", "    raise", "except Exception:", *self._block(depth + 1)],
        )[way]
        final: list[str] = []
        if self._chance(3):
            kept, self._in_loop = self._in_loop, False
            final = ["finally:", *self._block(_DEEPEST)]
            self._in_loop = kept
        otherwise = ["else:", *self._block(depth + 1)] if self._chance(4) else []
        return [*lines, *([] if final and self._chance(3) else [*caught, *otherwise]), *final]

    def _function(self) -> list[str]:
        """A function with parameters of every sort, which changes what is around it."""
        name, first, second = self._new("f"), self._new("i"), self._new("i")
        counted = self._of(self._names["int"])
        kept, loop = {kind: list(names) for kind, names in self._names.items()}, self._in_loop
        signature = self._of(
            (f"{first}, {second}={self._small()}", f"{first}, *{second}s", f"{first}: int, /, *, {second}: int = 2",
             f"{first}, **{second}s")
        )  # fmt: skip
        self._names["int"] = [counted, first, *([second] if f"{second}s" not in signature else [])]
        for kind in KINDS[1:]:  # what it reads of the outside it may not assign to
            self._names[kind] = []
        lines = [f"def {name}({signature}){self._of(('', ' -> int'))}:", f"    global {counted}"]
        if self._chance(3):
            lines[-1:] = [f'    """{name}."""', f"    global {counted}"]
        inner = {kind: [self._new(kind[0])] for kind in KINDS[1:]}
        lines += [f"    {inner[kind][0]} = {self._literal(kind)}" for kind in KINDS[1:]]
        self._names.update(inner)
        functions, self._functions = self._functions, []
        self._in_loop, self._in_function = False, True
        lines += self._block(1)
        if self._chance(3):
            lines += self._nested(inner["str"][0])
        lines += [f"    {counted} += 1", f"    return {first} + {counted} % 5"]
        self._in_loop, self._in_function = loop, False
        self._names, self._functions = kept, [*functions, (name, self._takes(signature))]
        return [*lines, f"print({self._call()})"]

    @staticmethod
    def _takes(signature: str) -> int:
        return 1 if "/" in signature or "**" in signature else 9 if "*" in signature else 2

    def _nested(self, text: str) -> list[str]:
        name = self._new("f")
        return [
            f"    def {name}():",
            f"        nonlocal {text}",
            f"        {text} += {self._piece()}",
            f"        return lambda n=1: {text} * n",
            f"    print({name}()(), {name}()(n=2))",
        ]

    # -- expressions --------------------------------------------------------------------------------------------------

    def _expression(self, kind: Kind) -> str:
        writers: dict[Kind, Callable[[], str]] = {
            "int": self._int, "float": self._float, "str": self._str, "bool": self._bool, "list": self._list,
            "dict": self._dict, "tuple": self._tuple, "set": self._set,
        }  # fmt: skip
        return writers[kind]()

    def _literal(self, kind: Kind) -> str:
        if kind == "int":
            return str(self._below(12) - 2)
        if kind == "float":
            return self._of(("0.5", "-1.25", "3.0", "1e3"))
        if kind == "str":
            return repr(self._of(_WORDS))
        if kind == "bool":
            return self._of(("True", "False"))
        numbers = [str(self._below(9) - 1) for _ in range(self._below(5))]
        if kind == "list":
            return f"[{', '.join(numbers)}]"
        if kind == "set":
            return f"{{{', '.join(numbers)}}}" if numbers else "set()"
        if kind == "tuple":
            return f"({self._below(9)}, {self._below(9)})"
        return f"{{{', '.join(f'{key!r}: {self._below(9)}' for key in _KEYS[: self._below(4)])}}}"

    def _name(self, kind: Kind) -> str:
        return self._of(self._names[kind]) if self._names[kind] else self._literal(kind)

    def _small(self) -> str:
        return self._one(lambda: self._name("int"), lambda: self._literal("int"), lambda: self._literal("int"))

    def _int(self) -> str:
        if self._chance(2):
            return self._small()
        values, pairs = self._name("list"), self._name("dict")
        return self._one(
            lambda: f"({self._small()} {self._of(('+', '-', '*', '//', '%', '&', '|', '^'))} {self._small()}) % 97",
            lambda: f"-{self._small()}",
            lambda: f"({self._small()} % 5) ** ({self._small()} % 4)",
            lambda: f"({self._small()} % 9 << {self._below(5)} >> {self._below(3)})",
            lambda: f"len({self._expression(self._of(('list', 'str', 'dict', 'tuple', 'set')))})",
            lambda: f"sum({values})",
            lambda: f"sum(n * {self._small()} for n in {values} if n % 2)",
            lambda: f"{self._of(('min', 'max'))}({values}, default={self._small()})",
            lambda: f"{self._of(('min', 'max'))}({self._small()}, {self._small()}, key=lambda n: n % 4)",
            lambda: f"abs({self._small()})",
            lambda: f"int({self._of((self._float, self._str, self._bool))()})",
            lambda: f"round({self._float()})",
            lambda: f"{values}[{self._index()}]",
            lambda: f"{pairs}[{self._key()}]",
            lambda: f"{pairs}.get({self._key()}, {self._small()})",
            lambda: f"{values}.count({self._small()})",
            lambda: f"{values}.index({self._small()})",
            lambda: f"{self._name('str')}.find({self._piece()})",
            lambda: f"({self._small()} if {self._bool()} else {self._small()})",
            lambda: f"({self._small()} or {self._small()})",
            lambda: f"(lambda a, b=2, *c: a + b + len(c))({self._small()})",
            lambda: f"divmod({self._small()}, {self._small()})[{self._below(2)}]",
            self._call,
        )

    def _float(self) -> str:
        return self._one(
            lambda: self._name("float"),
            lambda: self._literal("float"),
            lambda: f"{self._small()} / {self._small()}",
            lambda: f"round({self._small()} / 7, {self._of(('2', 'ndigits=1'))})",
            lambda: f"float({self._small()})",
            lambda: f"({self._name('float')} + {self._small()}) % 100",
        )

    def _piece(self) -> str:
        """A short text."""
        return self._one(lambda: repr(self._of(_WORDS)), lambda: f"{self._name('str')}[{self._slice()}][:3]")

    def _str(self) -> str:
        text = self._name("str")
        return self._one(
            lambda: text,
            self._piece,
            lambda: f"{text}[:4] + {self._piece()}",
            lambda: f"{text}[:3] * {self._below(4)}",
            lambda: f"str({self._expression(self._of(KINDS))})",
            lambda: f"repr({self._expression(self._of(('str', 'list', 'tuple')))})",
            lambda: f'f"{self._fields()}"',
            lambda: f"'%s-%5d|%.2f' % ({text}, {self._small()}, {self._small()})",
            lambda: f"'%r %(a)s'[:2] % ({text},)",
            lambda: f"'{{}}: {{:>4}} {{n!r:<5}}'.format({self._small()}, {self._small()}, n={text})",
            lambda: f"{text}{self._of(('.upper()', '.title()', '.strip()', '[::-1]', '.zfill(6)', '.center(9)'))}",
            lambda: f"{text}.replace({self._piece()}, {self._piece()})[:9]",
            lambda: f"{self._piece()}.join(str(n) for n in {self._name('list')}[:3])",
            lambda: f"{self._piece()}.join({text}.split())",
            lambda: f"{text}.{self._of(('l', 'r'))}just(7, '.')",
            lambda: f"{text}[{self._index()}]",
            lambda: f"sorted({text}, reverse=True)[{self._index()}]",
        )

    def _fields(self) -> str:
        parts = []
        for _ in range(1 + self._below(3)):
            if self._chance(2):
                parts.append(f"n={{{self._small()}{self._of(_NUMBER_SPECS)}}}")
            else:
                kind = self._of(KINDS)
                parts.append(f"{{{self._name_only(kind)}{self._of(_SPECS if kind == 'str' else ('', '!r', '='))}}}")
        return " ".join(parts)

    def _name_only(self, kind: Kind) -> str:
        return self._of(self._names[kind]) if self._names[kind] else self._of(self._names["int"])

    def _bool(self) -> str:
        return self._one(
            lambda: f"{self._small()} {self._of(('<', '<=', '>', '>=', '==', '!='))} {self._int()}",
            lambda: (
                f"{self._small()} {self._of(('<', '<='))} {self._small()} {self._of(('<', '<=', '=='))} {self._small()}"
            ),
            lambda: f"not {self._small()}",
            lambda: (
                f"{self._small()} {self._of(('in', 'not in'))} {self._expression(self._of(('list', 'set', 'tuple')))}"
            ),
            lambda: f"{self._key()} {self._of(('in', 'not in'))} {self._name('dict')}",
            lambda: f"{self._piece()} in {self._name('str')}",
            lambda: f"{self._of(('any', 'all'))}(n > {self._small()} for n in {self._name('list')})",
            lambda: f"{self._of(('any', 'all'))}({self._effect()} for n in {self._short_list()})",
            lambda: (
                f"isinstance({self._name(self._of(KINDS))}, {self._of(('int', '(str, list)', 'dict', '(int, float)'))})"
            ),
            lambda: f"{self._list()} == {self._list()}",
            lambda: f"{self._name('tuple')} < {self._tuple()}",
            lambda: f"{self._name('set')} <= {self._set()}",
            lambda: f"{self._name('str')} is {self._of(('None', 'not None'))}",
            lambda: f"{self._name('str')}.{self._of(('isdigit()', 'isalpha()', 'isupper()'))}",
            lambda: f"{self._name('str')}.{self._of(('startswith', 'endswith'))}({self._piece()})",
            lambda: f"({self._small()} > 1 and {self._small()} < 5 or {self._name('bool')})",
            lambda: f"bool({self._expression(self._of(KINDS))})",
            lambda: self._name("bool"),
        )

    def _effect(self) -> str:
        """A condition on `n` that acts."""
        return f"{self._of(ACTIONS)}('Hero', n)[0] == 200 and n < {self._small()}"

    def _short_list(self) -> str:
        return self._one(
            lambda: f"{self._name('list')}[:4]",
            self._display,
            lambda: f"list(range({self._below(5)}))",
            lambda: f"[n % 7 for n in {self._name('list')}[:3]]",
        )

    def _display(self) -> str:
        return f"[{', '.join(self._small() for _ in range(self._below(4)))}]"

    def _list(self) -> str:
        values = self._name("list")
        return self._one(
            lambda: values,
            self._display,
            lambda: f"{values}[{self._slice()}]",
            lambda: f"{values}[:5] + {self._display()}",
            lambda: f"[*{values}[:4], {self._small()}, *{self._tuple()}]",
            lambda: f"{self._display()} * {self._below(3)}",
            lambda: f"[n + {self._small()} for n in {values}[:6]{self._of(('', ' if n > 1', ' if n % 2 if n'))}]",
            lambda: f"[n * m for n in {self._short_list()} for m in {self._short_list()} if n != m][:8]",
            lambda: f"[{self._of(ACTIONS)}('Hero', n)[0] for n in {self._short_list()}]",
            lambda: f"sorted({self._of((values, self._name('set'), self._name('tuple')))})",
            lambda: f"sorted({values}, key=lambda n: (n % 3, -n), reverse=True)",
            lambda: f"list({self._of((self._name('tuple'), self._name('set'), f'reversed({values})'))})",
            lambda: f"list(map(lambda n: n * 2, {values}))[:9]",
            lambda: f"list(filter({self._of(('None', 'lambda n: n > 2'))}, {values}))",
            lambda: f"[a - b for a, b in zip({values}, {self._short_list()})]",
            lambda: f"[a for a, *b in [(1, 2, 3), {self._tuple()}]]",
            lambda: f"list({self._name('dict')}.values())",
            lambda: f"{values}.copy()",
        )

    def _display_dict(self) -> str:
        return f"{{{', '.join(f'{self._key()}: {self._small()}' for _ in range(self._below(3)))}}}"

    def _dict(self) -> str:
        pairs = self._name("dict")
        return self._one(
            lambda: pairs,
            self._display_dict,
            lambda: f"{{**{pairs}, {self._key()}: {self._small()}}}",
            lambda: f"{pairs} | {self._display_dict()}",
            lambda: f"{{key: value + 1 for key, value in {pairs}.items()}}",
            lambda: f"dict(zip({_KEYS!r}, {self._short_list()}))",
            lambda: f"dict({pairs}, b={self._small()})",
            lambda: f"{{str(n): n for n in {self._short_list()}}}",
        )

    def _tuple(self) -> str:
        return self._one(
            lambda: self._name("tuple"),
            lambda: f"({self._small()}, {self._small()})",
            lambda: f"tuple({self._short_list()})",
            lambda: f"{self._name('tuple')}[:1] + ({self._small()},)",
            lambda: f"tuple(sorted({self._name('set')}))[:3]",
        )

    def _set(self) -> str:
        uniques = self._name("set")
        return self._one(
            lambda: uniques,
            lambda: f"set({self._short_list()})",
            lambda: f"{{{self._small()}, {self._small()}}}",
            lambda: f"{{*{self._short_list()}, {self._small()}}}",
            lambda: f"{{n % 4 for n in {self._name('list')}}}",
            lambda: f"({uniques} {self._of(('|', '&', '-', '^'))} {{{self._small()}}})",
            lambda: f"{uniques}.{self._of(('union', 'intersection', 'difference'))}({self._short_list()})",
        )

    def _index(self) -> str:
        return self._one(lambda: str(self._below(3)), lambda: "-1", lambda: self._small())

    def _slice(self) -> str:
        return self._of((":2", "1:", "-2:", ":-1", f"{self._small()}:", f":{self._small()}", "::2", "1:3", "::-1"))

    def _key(self) -> str:
        return repr(self._of(_KEYS))

    def _action(self) -> str:
        arguments = [
            "'Hero'",
            *(self._expression(self._of(("int", "str", "tuple", "list"))) for _ in range(self._below(3))),
        ]
        if self._chance(4):
            arguments.append(f"*{self._tuple()}")
        if self._chance(4):
            arguments.append(f"quantity={self._int()}")
        elif self._chance(6):
            arguments.append(f"**{self._dict()}")
        return f"{self._of(ACTIONS)}({', '.join(arguments)})"

    def _call(self) -> str:
        if not self._functions:
            return self._small()
        name, most = self._of(self._functions)
        return f"{name}({', '.join(self._small() for _ in range(1 + self._below(min(most, 3))))})"
