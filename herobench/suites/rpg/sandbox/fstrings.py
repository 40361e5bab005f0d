"""Parse plans in the syntax of Python 3.11 with the f-strings of Python 3.12 (PEP 701), on every Python version.

Models write f-strings whose fields hold quotes, backslashes and comments. Python 3.11 cannot read these, and later
versions differ in details. So each f-string is replaced by a plain string as a mark, the source is parsed, and then
`_FStringReader` replaces the marks by syntax trees, made from the parts that `scan` finds.
"""

from __future__ import annotations

import ast
import hashlib
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, NamedTuple

_TOKEN = re.compile(r"#[^\n]*|(\w*)('''|\"\"\"|'|\")|\w+|.", re.DOTALL)
"""A comment; the prefix and quote that begin a string; a word; any other character."""
_SIGN = re.compile(r"[#'\"]")
"""The beginning of a comment or a string."""
_PERHAPS = re.compile(r"\b(?:f|fr|rf)['\"]", re.IGNORECASE)
"""The beginning of a possible f-string. Most plans have none and take the short way."""
_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_PLAIN_TEXT = re.compile(r"[^\\{}\n'\"]+")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_STRING_PREFIXES = frozenset("b br f fr r rb rf u".split()) | {""}
_CONVERSION = re.compile(r"!([rsa])\s*(?=[:}])")
_DEBUG = re.compile(r"=(?!=)\s*(?=[!:}])")
_MOST_NESTED = 30
"""The greatest depth of nested fields. A limit is needed because the functions here are recursive."""
_SYNTAX = (3, 11)
"""The Python version whose syntax plans have, f-strings apart."""


def parse(source: str, filename: str) -> ast.Module:
    """Parse a source. Raises SyntaxError."""
    if not _PERHAPS.search(source):
        return _parse(source, filename)
    reader = _FStringReader(source, filename)
    tree = _parse(reader.put_marks(source, 1), filename)
    _restore(tree, reader)
    return tree


def _parse(text: str, filename: str) -> ast.Module:
    try:
        return ast.parse(text, filename, feature_version=_SYNTAX)
    except SyntaxError as error:
        if error.msg == "not a chance" or error.msg.startswith("future feature "):
            # Python 3.14 refuses an unknown feature here, and the plan is to be refused for its import
            return _parse(text.replace("__future__", "_future___"), filename)
        if not error.msg.startswith("except expressions without parentheses"):
            raise
        # Python 3.14 reports the line behind the clause, and other versions the clause
        lines = text.splitlines()[: error.lineno]
        line = max(number for number, text in enumerate(lines, 1) if text.lstrip().startswith("except"))
        raise SyntaxError(error.msg, (filename, line, 0, None)) from None


class ReplacementField(NamedTuple):
    """A field of an f-string, as written: `{expression=!conversion:spec}`."""

    at: int
    expression: str
    debug: str
    conversion: int
    spec: list[Part] | None


class LiteralText(NamedTuple):
    """Text between the fields of an f-string, with its escapes as written."""

    at: int
    text: str


Part = LiteralText | ReplacementField


class _Style(NamedTuple):
    """The prefix and the quotes of an f-string."""

    raw: bool
    quote: str


class _BadFString(Exception):
    """Raised where a text is not a valid f-string. `at` is the index of the error."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(f"f-string: {message}")
        self.at = at


def scan(text: str, at: int, style: _Style, depth: int = 0, spec: bool = False) -> tuple[list[Part], int]:
    """Return the parts of an f-string and the index behind it; `at` is the index behind its opening quote.

    With `spec`, read the format of a field instead, which ends at a brace."""
    if depth > _MOST_NESTED:
        raise _BadFString("expressions nested too deeply", at)
    parts: list[Part] = []
    stop = "}" if spec else style.quote
    while not text.startswith(stop, at):
        two, character = text[at : at + 2], text[at : at + 1]
        ends = text.startswith(style.quote, at) or (character == "\n" and len(style.quote) == 1)
        if character == "" or ends:
            raise _BadFString("expecting '}'" if spec else "unterminated f-string literal", at)
        if character == "\\" and two[1:] in ("{", "}"):  # a backslash does not escape a brace
            parts.append(LiteralText(at, "\\" if style.raw else "\\\\"))
            at += 1
        elif character == "\\":  # an escape; the braces of \N{...} do not begin a field
            end = text.find("}", at) + 1 if two == "\\N" and text[at + 2 : at + 3] == "{" and not style.raw else at + 2
            parts.append(LiteralText(at, text[at : end or len(text)]))
            at = end or len(text)
        elif two in ("{{", "}}") and not spec:
            parts.append(LiteralText(at, character))
            at += 2
        elif character == "{":
            field, at = _field(text, at + 1, style, depth)
            parts.append(field)
        elif character == "}":
            raise _BadFString("single '}' is not allowed", at)
        else:
            plain = _PLAIN_TEXT.match(text, at)
            parts.append(LiteralText(at, plain[0] if plain else character))
            at += len(plain[0]) if plain else 1
    return parts, at if spec else at + len(stop)


def _field(text: str, at: int, style: _Style, nesting: int) -> tuple[ReplacementField, int]:
    """Return a field and the index behind it; `at` is the index behind its opening brace."""
    end = start = _expression_end(text, at, nesting)
    debug = _DEBUG.match(text, end)
    if debug:
        end = debug.end()
    debug_text = _without_comments(text[at:end], nesting) if debug else ""
    conversion_match = _CONVERSION.match(text, end)
    if conversion_match:
        end = conversion_match.end()
    spec: list[Part] | None = None
    if text.startswith(":", end):
        spec, end = scan(text, end + 1, style, nesting + 1, spec=True)
    if not text.startswith("}", end):
        raise _BadFString("expecting '}'", at)
    # As in Python, `{value=}` shows the repr, unless a conversion or a format is given.
    usual = ord("r") if debug and spec is None else -1
    conversion = ord(conversion_match[1]) if conversion_match else usual
    return ReplacementField(at, text[at:start], debug_text, conversion, spec), end + 1


def _expression_end(text: str, at: int, nesting: int) -> int:
    """Return the index where the expression of a field ends: at a brace, a colon, a conversion or a final `=`."""
    depth, start = 0, at
    while at < len(text):
        token = _token(text, at)
        if depth == 0 and (
            token[0] in ("}", ":")
            or (token[0] == "!" and text[at + 1 : at + 2] != "=")
            or (_DEBUG.match(text, at) and text[at - 1] not in "=!<>")
        ):
            return at
        depth += _BRACKETS.get(token[0], 0)
        at = _token_end(text, token, nesting)
    raise _BadFString("expecting '}'", start)


def _without_comments(text: str, nesting: int) -> str:
    """Return an expression without its comments, as `=` shows it."""
    texts: list[str] = []
    at = 0
    while at < len(text):
        token = _token(text, at)
        end = _token_end(text, token, nesting)
        texts.append("" if token[0][0] == "#" else text[at:end])
        at = end
    return "".join(texts)


def _token(text: str, at: int) -> re.Match[str]:
    token = _TOKEN.match(text, at)
    assert token is not None, "any character is a token"
    return token


def _prefix_begins(text: str, quote: int) -> int:
    """Return the index where the string with this quote begins: before its prefix, if it has one."""
    at = quote
    while at and quote - at < 3 and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at -= 1
    return at if text[at:quote].lower() in _STRING_PREFIXES else quote


def _style(token: re.Match[str]) -> _Style | None:
    """Return the style of the f-string that a token begins; None if it begins none."""
    prefix = (token[1] or "").lower()
    return _Style("r" in prefix, token[2]) if token[2] and "f" in prefix and prefix in _STRING_PREFIXES else None


def _token_end(text: str, token: re.Match[str], nesting: int) -> int:
    """Return the index behind a token, and behind the whole string if the token begins one."""
    quote, style = token[2], _style(token)
    if not quote:
        return token.end()
    if style:
        return scan(text, token.end(), style, nesting + 1)[1]
    if (token[1] or "").lower() not in _STRING_PREFIXES:
        return token.start(2)  # the word is not a prefix but, say, `if`, and the string is another token
    sign = re.compile(rf"\\.|{quote}" + (r"|\n" if len(quote) == 1 else ""), re.DOTALL)
    ends = (match.end() for match in sign.finditer(text, token.end()) if match[0][0] != "\\")
    return next(ends, len(text))


@dataclass
class _FStringReader:
    """Makes the syntax trees of the f-strings of one source."""

    source: str
    filename: str

    def __post_init__(self) -> None:
        self._found: list[list[ast.expr]] = []
        # No source can contain its own digest, so no string that the plan wrote is taken for a mark.
        self._sign = hashlib.sha256(self.source.encode("utf-8", "surrogatepass")).hexdigest()
        self._mark = re.compile(rf"<{self._sign}:(\d+):(\d+)>")

    def put_marks(self, text: str, line: int, nesting: int = 0) -> str:
        """Return a text with a mark in place of each f-string. `line` is the line of the source that it begins at.

        A mark has as many lines as its f-string, so that the lines of everything behind it stay right."""
        texts: list[str] = []
        at = end = 0
        numbers = _LineNumbers(text, line)
        try:
            while sign := _SIGN.search(text, end):
                token = _TOKEN.match(text, _prefix_begins(text, sign.start()))
                assert token is not None, "any character is a token"
                style = _style(token)
                if not style:
                    end = _token_end(text, token, nesting)
                    continue
                parts, end = scan(text, token.end(), style, nesting)
                lines = text.count("\n", token.start(), end)
                values = self._values(parts, numbers, style, nesting)
                texts.append(text[at : token.start()])
                texts.append(f'"""<{self._sign}:{len(self._found)}:{lines}>' + "\n" * lines + '"""')
                self._found.append(values)
                at = end
        except _BadFString as bad:
            place = (self.filename, numbers.of(bad.at), 0, None)
            raise SyntaxError(str(bad), place) from None
        return "".join([*texts, text[at:]])

    def _values(self, parts: list[Part], lines: _LineNumbers, style: _Style, nesting: int) -> list[ast.expr]:
        values: list[ast.expr] = []
        literal = ""
        for part in parts:
            if isinstance(part, LiteralText):
                literal += part.text
                continue
            _add_text(values, _unescape(literal, style, part.at), lines.of(part.at))
            literal = ""
            _add_text(values, part.debug, lines.of(part.at))
            values.append(self._value(part, lines, style, nesting))
        _add_text(values, _unescape(literal, style, parts[-1].at if parts else 0), lines.first)
        return values

    def _value(self, part: ReplacementField, lines: _LineNumbers, style: _Style, nesting: int) -> ast.FormattedValue:
        line = lines.of(part.at)
        if not part.expression.strip():
            raise _BadFString("valid expression required before '}'", part.at + len(part.expression))
        text = self.put_marks(part.expression, line, nesting + 1)
        try:
            # The line end before the bracket ends a comment in the expression.
            tree = ast.parse(f"({text}\n)", self.filename, "eval", feature_version=_SYNTAX)
            tree = ast.increment_lineno(tree, line - 1)
        except SyntaxError as error:
            # Python reports an unfinished expression at the bracket below it: that is an error at its end.
            within = min(error.lineno or 1, 1 + text.rstrip().count("\n"))
            raise SyntaxError(error.msg, (self.filename, line - 1 + within, 0, None)) from None
        if isinstance(tree.body, ast.GeneratorExp) and tree.body.col_offset == 0:
            raise _BadFString("invalid syntax", part.at)  # the brackets are ours, and a generator needs its own
        if isinstance(tree.body, ast.Tuple) and tree.body.col_offset == 0:  # the same: it begins at its first value
            blank = _BLANK.match(part.expression)
            tree.body.lineno = line + part.expression.count("\n", 0, blank.end() if blank else 0)
        spec = None
        if part.spec is not None:
            spec = _at(ast.JoinedStr(self._values(part.spec, lines, style, nesting)), line)
        value = ast.FormattedValue(tree.body, part.conversion, spec)
        _at(value, line)
        return value

    def restore(self, text: str, line: int) -> list[ast.expr] | None:
        """Return the parts of a string that has marks in it; None if it has none."""
        values: list[ast.expr] = []
        at = 0
        for mark in self._mark.finditer(text):
            _add_text(values, text[at : mark.start()], line)
            for value in self._found[int(mark[1])]:
                if isinstance(value, ast.Constant):
                    _add_text(values, str(value.value), line)
                else:
                    values.append(value)
            at = mark.end() + int(mark[2])
        if at == 0:
            return None
        _add_text(values, text[at:], line)
        return values


class _LineNumbers:
    """Maps an index in a text to a line of the source; `first` is the line that the text begins at."""

    def __init__(self, text: str, first: int) -> None:
        self._ends = [end.start() for end in re.finditer("\n", text)]
        self.first = first

    def of(self, at: int) -> int:
        return self.first + bisect_left(self._ends, at)


def _restore(tree: ast.AST, reader: _FStringReader) -> None:
    """Put f-strings in place of their marks, also in the fields of other f-strings."""
    # ast.NodeTransformer would take several times as long.

    def restore_node(node: ast.AST) -> ast.AST:
        if type(node) is ast.Constant and type(node.value) is str:
            values = reader.restore(node.value, node.lineno)
            if values is not None:
                node = ast.copy_location(ast.JoinedStr(values), node)
        waiting.append(node)
        return node

    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        for name in holder._fields:
            value = getattr(holder, name, None)
            if type(value) is list:
                value[:] = [restore_node(each) if isinstance(each, ast.AST) else each for each in value]
            elif isinstance(value, ast.AST) and name != "ctx":
                setattr(holder, name, restore_node(value))


def _at(node: ast.expr, line: int) -> Any:
    """Return a node after putting it at a line."""
    node.lineno = node.end_lineno = line
    node.col_offset = node.end_col_offset = 0
    return node


def _add_text(values: list[ast.expr], text: str, line: int) -> None:
    """Add a literal part, or make the last one longer."""
    last = values[-1] if values else None
    if isinstance(last, ast.Constant):
        last.value = str(last.value) + text
    elif text:
        values.append(_at(ast.Constant(text), line))


def _unescape(text: str, style: _Style, at: int) -> str:
    """Return a text with its escapes replaced by the characters they stand for."""
    if style.raw or "\\" not in text:
        return text
    escaped = re.sub(r"\\.|\"", lambda found: found[0] if len(found[0]) == 2 else '\\"', text, flags=re.DOTALL)
    try:
        return str(ast.literal_eval(f'"""{escaped}"""'))
    except (SyntaxError, ValueError) as error:
        raise _BadFString(str(error), at) from None
