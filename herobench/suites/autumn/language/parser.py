"""Makes the tree of a program out of its text.

The reader makes nested forms, which know their place in the text. It does not recurse and limits the depth of
parentheses, so no text can exhaust the stack, neither here nor in what walks the forms later. Only the first form of a
text is read, as in the reference.

What the reference ignores without a word (an operand too many, text after the program) is ignored here too, and noted:
`herobench autumn check` shows the notes. What the reference misreads (`foo-bar` as `foo`) is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from herobench.suites.autumn.language import tree
from herobench.suites.autumn.language.errors import DEEPEST_SOURCE, LONGEST_SOURCE, LONGEST_STRING, AutumnError

_TOKEN = re.compile(r'\s+|;[^\n]*|"(?:[^"\\\n]|\\.)*"|[()]|"|[^\s()"][^\s()]*')
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class Word(NamedTuple):
    """One atom of the text, as it is spelled."""

    text: str
    at: int

    @property
    def quoted(self) -> bool:
        """Whether the atom is a string."""
        return self.text.startswith('"')

    @property
    def string(self) -> str:
        """The text between the quotes of a string, with its escapes resolved."""
        return _ESCAPE.sub(_unescape, self.text[1:-1])


@dataclass(slots=True)
class ProgramForm:
    """A pair of parentheses and what is between them."""

    at: int
    items: list[Word | ProgramForm] = field(default_factory=list)
    end: int = 0
    """The offset after it."""

    @property
    def head(self) -> str:
        """The first word; empty if the form does not begin with a word."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""


Node = Word | ProgramForm


@dataclass(frozen=True, slots=True)
class ProgramText:
    """The text of a program, and of the condition that may come with it. Offsets count through both."""

    program: str
    condition: str = ""

    @property
    def text(self) -> str:
        """Both texts, the condition in parentheses of its own."""
        return f"{self.program}\n({self.condition})" if self.condition else self.program

    def error(self, at: int, message: str) -> AutumnError:
        """Return the error with a message about a place."""
        if self.condition and at > len(self.program):
            return AutumnError(message, *_place(self.condition, max(0, at - len(self.program) - 2)), "condition")
        return AutumnError(message, *_place(self.program, max(0, min(at, len(self.program)))))

    def mismatch(self, node: Node | int, what: str) -> AutumnError:
        """Return the error that says what was expected at a place and what was found there."""
        at = node if isinstance(node, int) else node.at
        return self.error(at, f"expected {what}, found {self._excerpt(at)}")

    def place(self, at: int) -> tuple[int, int]:
        """Return line and column of an offset in the program."""
        return _place(self.program, at)

    def _excerpt(self, at: int) -> str:
        """Return what stands at a place, short and in ASCII."""
        match = _TOKEN.match(self.text, at)
        return ascii(match[0][:40]) if match and match[0].strip() else "the end of the text"

    def read_program(self) -> ProgramForm:
        """Return the form of the program."""
        if len(self.program) > LONGEST_SOURCE:
            raise self.error(0, f"expected at most {LONGEST_SOURCE} characters")
        return self._read(0, len(self.program))

    def read_condition(self) -> ProgramForm | None:
        """Return the form of the condition; None if there is none."""
        if not self.condition:
            return None
        if len(self.condition) > LONGEST_SOURCE:
            raise self.error(len(self.program) + 2, f"expected at most {LONGEST_SOURCE} characters")
        text = self.text
        form = self._read(len(self.program) + 1, len(text))
        if form.end != len(text):
            raise self.mismatch(form.end, "the end of the condition")
        return form

    def _read(self, start: int, end: int) -> ProgramForm:
        """Return the first form after a place."""
        text = self.text
        open_forms: list[ProgramForm] = []
        position = start
        while match := _TOKEN.match(text, position, end):
            word, at, position = match[0], position, match.end()
            if word == "(":
                form = ProgramForm(at)
                if open_forms:
                    open_forms[-1].items.append(form)
                open_forms.append(form)
                if len(open_forms) > DEEPEST_SOURCE:
                    raise self.error(at, f"expected at most {DEEPEST_SOURCE} nested parentheses")
            elif word == ")":
                if not open_forms:
                    break
                form = open_forms.pop()
                form.end = position
                if not open_forms:
                    return form
            elif word[0] == ";" or word.isspace():
                continue
            elif word == '"':
                raise self.error(at, "expected a closing quote on the same line")
            elif not open_forms:
                raise self.mismatch(at, "'(program ...)'")
            else:
                open_forms[-1].items.append(Word(word, at))
        if open_forms:
            raise self.error(open_forms[-1].at, "expected a closing parenthesis for the one opened here")
        raise self.mismatch(min(position, end), "'(program ...)'")


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "x":
        return chr(int(code[1:], 16)) if len(code) > 1 else code
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _ESCAPED.get(code, code)


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"([-+]?[0-9]{1,12})(\.[0-9]*)?")
_RESERVED = frozenset("program object on if then else let fn initnext and or true false nil".split())
_ARITHMETIC = frozenset("+ - * / % < <= > >= == !=".split())
_LOGIC = {"&": "&", "|": "|", "and": "&", "or": "|"}
_LARGEST = 2**31
_BUILT_IN = frozenset({"origin", "elems"})
"""Fields that every object has. A declared field cannot have one of these names."""


def parse(source: ProgramText) -> tree.Tree:
    """Return the tree of a program and its condition. Raises AutumnError."""
    form = source.read_program()
    parser = _Parser(source)
    if source.program[form.end :].strip():
        parser.note(form.end, "the text after the program is ignored")
    statements = [parser.statement(item) for item in form.items[1:]]
    program = tree.Tree(statements, notes=parser.notes)
    names: set[str] = set()
    for statement in statements:
        if isinstance(statement, tree.ObjectType):
            if statement.name in names | {"Position", "Cell", "RenderedElem"}:
                raise source.error(statement.at, f"expected a new name, the type {statement.name} is there already")
            names.add(statement.name)
    condition = source.read_condition()
    if condition is not None:
        alone = len(condition.items) == 1
        program.condition = parser.expr(condition.items[0] if alone else condition)
    return program


class _Parser:
    """Parses the forms of one source. Its depth is that of the parentheses, which the reader limits."""

    def __init__(self, source: ProgramText) -> None:
        self.source = source
        self.notes: list[str] = []

    def note(self, at: int, what: str) -> None:
        line, column = self.source.place(at)
        self.notes.append(f"line {line}, column {column}: {what}")

    # -- statements ---------------------------------------------------------------------------------------------------

    def statement(self, node: Node) -> tree.Expr | tree.ObjectType | tree.StateVariable | tree.Handler:
        if isinstance(node, Word):
            raise self.source.mismatch(node, "a statement in parentheses")
        if node.head == "object":
            return self.object_type(node)
        if node.head == "on":
            condition, body = self.parts(node, 2, "'(on CONDITION BODY)'")
            return tree.Handler(node.at, self.expr(condition), self.expr(body))
        if node.head == ":":
            return self.declaration(node)
        if node.head == "=":
            target, value = self.parts(node, 2, "'(= NAME EXPRESSION)'")
            if isinstance(value, ProgramForm) and value.head == "initnext":
                init, following = self.parts(value, 2, "'(initnext INIT NEXT)'")
                name = self.name(target, "the name of a state variable")
                return tree.StateVariable(node.at, name, self.expr(init), self.expr(following))
        return self.expr(node)

    def object_type(self, node: ProgramForm) -> tree.ObjectType:
        if len(node.items) < 3:
            raise self.source.mismatch(node, "'(object NAME (: FIELD TYPE)* CELLS)'")
        name = self.name(node.items[1], "the name of an object type")
        fields: list[str] = []
        kinds: list[str] = []
        cells: tree.Expr | None = None
        for item in node.items[2:]:
            if isinstance(item, ProgramForm) and item.head == ":":
                field = self.declaration(item)
                if field.name in fields or field.name in _BUILT_IN:
                    raise self.source.mismatch(item.items[1], "the name of a new field")
                fields.append(field.name)
                kinds.append(field.type)
            else:
                if cells is not None:
                    self.note(cells.at, "only the last cells of an object count; these are ignored")
                cells = self.expr(item)
        if cells is None:
            raise self.source.mismatch(node, "cells after the fields of the object")
        return tree.ObjectType(node.at, name, fields, kinds, cells)

    def declaration(self, node: ProgramForm) -> tree.Declare:
        name, kind = self.parts(node, 2, "'(: NAME TYPE)'")
        if isinstance(kind, ProgramForm):
            if kind.head != "List" or len(kind.items) != 2:
                raise self.source.mismatch(kind, "a type: a name, or '(List TYPE)'")
            return tree.Declare(node.at, self.name(name, "a name"), "List")
        return tree.Declare(node.at, self.name(name, "a name"), self.name(kind, "the name of a type"))

    # -- expressions --------------------------------------------------------------------------------------------------

    def expr(self, node: Node) -> tree.Expr:
        if isinstance(node, Word):
            return self.atom(node)
        if not node.items:
            raise self.source.mismatch(node, "an expression, not '()'")
        first = node.items[0]
        if isinstance(first, ProgramForm):
            return self.call_of_form(node, first)
        if first.quoted or _NUMBER.fullmatch(first.text) or first.text in ("true", "false"):
            if len(node.items) > 1:
                raise self.source.mismatch(first, "a function")
            return self.atom(first)
        special = _SPECIAL.get(first.text)
        if special is not None:
            return special(self, node)
        if first.text in _ARITHMETIC or first.text in _LOGIC or first.text == "!":
            return self.operation(node, first)
        name = self.name(first, "a function or a special form")
        if len(node.items) == 1:
            return tree.Name(first.at, name)
        return tree.CallExpression(node.at, tree.Name(first.at, name), [self.expr(item) for item in node.items[1:]])

    def atom(self, word: Word) -> tree.Expr:
        if word.quoted:
            if len(word.string) > LONGEST_STRING:
                raise self.source.mismatch(word, f"a String of at most {LONGEST_STRING} characters")
            return tree.Literal(word.at, word.string)
        if match := _NUMBER.fullmatch(word.text):
            value = int(match[1])
            if not -_LARGEST <= value < _LARGEST:
                raise self.source.mismatch(word, "a Number of 32 bits")
            return tree.Literal(word.at, value)
        if word.text in ("true", "false"):
            return tree.Literal(word.at, word.text == "true")
        if word.text == "list":
            return tree.ListOf(word.at, [])
        return tree.Name(word.at, self.name(word, "a value"))

    def call_of_form(self, node: ProgramForm, first: ProgramForm) -> tree.Expr:
        head = self.expr(first)
        if not isinstance(head, tree.Name):
            raise self.source.mismatch(first, "a function: a name or '(name)'")
        return tree.CallExpression(node.at, head, [self.expr(item) for item in node.items[1:]])

    def operation(self, node: ProgramForm, first: Word) -> tree.Expr:
        op, operands = first.text, node.items[1:]
        if op in _LOGIC and len(operands) == 2:
            return tree.Logic(node.at, _LOGIC[op], self.expr(operands[0]), self.expr(operands[1]))
        if op in _ARITHMETIC and len(operands) == 2:
            return tree.Binary(node.at, op, self.expr(operands[0]), self.expr(operands[1]))
        if op in ("-", "+", "!") and len(operands) == 1:
            return tree.Unary(node.at, op, self.expr(operands[0]))
        number = "one operand" if op == "!" else "exactly two operands"
        raise self.source.error(node.at, f"expected {number} of '{op}', found {len(operands)}")

    def if_(self, node: ProgramForm) -> tree.Expr:
        words = [item.text if isinstance(item, Word) else "" for item in node.items]
        if len(words) < 6 or words[2] != "then" or words[4] != "else":
            raise self.source.mismatch(node, "'(if CONDITION then A else B)'")
        self.note_ignored(node, 6)
        return tree.If(node.at, *(self.expr(node.items[number]) for number in (1, 3, 5)))

    def let(self, node: ProgramForm) -> tree.Expr:
        if len(node.items) < 2:
            raise self.source.mismatch(node, "'(let EXPRESSION ...)'")
        items = [
            self.declaration(item) if isinstance(item, ProgramForm) and item.head == ":" else self.expr(item)
            for item in node.items[1:]
        ]
        if isinstance(items[-1], tree.Declare):
            raise self.source.mismatch(node.items[-1], "an expression at the end of 'let'")
        return tree.Let(node.at, items)

    def assign(self, node: ProgramForm) -> tree.Expr:
        target, value = self.parts(node, 2, "'(= NAME EXPRESSION)'")
        if isinstance(target, ProgramForm) and len(target.items) == 1:
            target = target.items[0]
        return tree.Assign(node.at, self.name(target, "the name of a variable"), self.expr(value))

    def get(self, node: ProgramForm) -> tree.Expr:
        thing, field = self.parts(node, 2, "'(.. OBJECT FIELD)'")
        if isinstance(field, Word) and field.quoted:
            field_name = Word(field.string, field.at)
            return tree.Get(node.at, self.expr(thing), self.name(field_name, "the name of a field"))
        return tree.Get(node.at, self.expr(thing), self.name(field, "the name of a field"))

    def list_(self, node: ProgramForm) -> tree.Expr:
        return tree.ListOf(node.at, [self.expr(item) for item in node.items[1:]])

    def function(self, node: ProgramForm) -> tree.Expr:
        params, body = self.parts(node, 2, "'(--> PARAMETERS BODY)'")
        words = params.items if isinstance(params, ProgramForm) else [params]
        names = [self.name(word, "the name of a parameter") for word in words]
        return tree.Lambda(node.at, names, self.expr(body))

    def refuse_misplaced(self, node: ProgramForm) -> tree.Expr:
        raise self.source.mismatch(node.items[0], "an expression; this stands only among the statements of a program")

    # -- small parts --------------------------------------------------------------------------------------------------

    def parts(self, node: ProgramForm, number: int, expected: str) -> list[Node]:
        """Return a number of items after the head of a form."""
        if len(node.items) < number + 1:
            raise self.source.mismatch(node, expected)
        self.note_ignored(node, number + 1)
        return node.items[1 : number + 1]

    def note_ignored(self, node: ProgramForm, number: int) -> None:
        """Note what stands after the last item that counts."""
        if len(node.items) > number:
            self.note(node.items[number].at, f"what follows here in '({node.head} ...)' is ignored")

    def name(self, node: Node, what: str) -> str:
        """Return a node that has to be a name."""
        if isinstance(node, ProgramForm) or not _NAME.fullmatch(node.text) or node.text in _RESERVED:
            raise self.source.mismatch(node, what)
        return node.text


_SPECIAL = {
    "if": _Parser.if_,
    "let": _Parser.let,
    "=": _Parser.assign,
    "..": _Parser.get,
    "list": _Parser.list_,
    "-->": _Parser.function,
    "fn": _Parser.function,
    "on": _Parser.refuse_misplaced,
    "object": _Parser.refuse_misplaced,
    "initnext": _Parser.refuse_misplaced,
    ":": _Parser.refuse_misplaced,
}
