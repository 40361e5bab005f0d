"""Turn values into text for a plan: `str`, `repr`, `print`, f-strings, `%` and `str.format`. Used by its guards.

Functions, methods and iterators show only their kind: an address would differ between processes. A format must never
reach into an object, and widths and precisions are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Formatter
from typing import Any

from herobench.suites.rpg.sandbox.values import SCALARS, VIEWS, Scale

_FORMATTED = SCALARS - {type(None), type(...)}
_WIDTH = 999
_PRECISION = 99
_SPEC = re.compile(r"(?:.?[<>=^])?[-+ ]?z?#?0?(\d*)[_,]?(?:\.(\d+))?[a-zA-Z%]?\Z", re.DOTALL)
_PERCENT = re.compile(r"%(?:\(([^()]*)\))?[-#0 +]*(\d*)(?:\.(\d*))?([a-zA-Z%]?)|%")
_PLAIN_FIELD = re.compile(r"\w*\Z")


class Text:
    """Renders the values of one plan."""

    __slots__ = ("_scale",)

    def __init__(self, scale: Scale) -> None:
        self._scale = scale

    def plain(self, value: Any = "") -> str:
        """`str(value)`."""
        if type(value) is str:
            return value
        return self._render(value, _error_text if isinstance(value, BaseException) else _repr)

    def represent(self, value: Any) -> str:
        """`repr(value)`."""
        return self._render(value, _repr)

    def _render(self, value: Any, render: Callable[[Any], str]) -> str:
        text = render(self._scale.deep(value))
        self._scale.budget.charge(len(text))
        return text

    def field(self, value: Any, conversion: int = -1, spec: str = "") -> str:
        """Return one field of an f-string. The conversion is -1, or the code of s, r or a."""
        if conversion != -1:
            value = self._convert(value, chr(conversion))
        text = self._format(value, spec) if spec else self.plain(value)
        self._scale.budget.charge(len(text))
        return text

    def _convert(self, value: Any, conversion: str) -> str:
        if conversion == "s":
            return self.plain(value)
        if conversion not in "ra":
            raise ValueError(f"Unknown conversion specifier {conversion!r}")
        text = self.represent(value)
        return text if conversion == "r" else text.encode("ascii", "backslashreplace").decode("ascii")

    def _format(self, value: Any, spec: str) -> str:
        """`format(value, spec)`."""
        if type(value) not in _FORMATTED:
            raise TypeError(f"unsupported format string passed to {type(value).__name__}.__format__")
        match = _SPEC.match(spec)
        if match is None:
            raise ValueError(f"Invalid format specifier {spec[:50]!r}")
        self._bound(match[1], match[2])
        text: str = format(value, spec)
        return text

    def _bound(self, width: str | None, precision: str | None) -> None:
        """End the plan if a field would be too wide, before a text of that width is made."""
        if int(width or 0) > _WIDTH or int(precision or 0) > _PRECISION:
            self._scale.budget.too_much(f"the plan formats to more than {_WIDTH} characters")

    def percent(self, template: str, values: Any) -> str:
        """`template % values`."""
        self._read(template, "%")
        fields = list(_PERCENT.finditer(template))
        for match in fields:
            if not match[4]:
                raise ValueError(f"unsupported format in {template[:50]!r}")
            self._bound(match[2], match[3])
        operands: Any
        parts: Iterable[Any]
        if type(values) is tuple:
            parts = operands = tuple(map(self._operand, values))
        elif type(values) is dict and all(match[1] is not None or match[4] == "%" for match in fields):
            # Only the values that the template names are rendered, so only these are charged.
            names = [match[1] for match in fields if match[1] is not None]
            operands = {name: self._operand(values[name]) for name in names}
            parts = map(operands.get, names)
        else:
            operands = self._operand(values)
            parts = (operands,)
        self._scale.budget.charge(sum(len(str(part)) for part in parts))
        text: str = template % operands
        return text

    def _read(self, template: str, sign: str) -> None:
        """Charge for the text and the fields of a template."""
        # Before it is read: a plan may catch the error for a bad template and retry for ever.
        self._scale.budget.charge(len(template))
        self._scale.budget.tick(template.count(sign) >> 1)

    def _operand(self, value: Any) -> Any:
        return value if type(value) in SCALARS else _Shown(self.plain(value), self.represent(value))

    def format(self, template: str, values: Sequence[Any], named: Mapping[str, Any]) -> str:
        """`template.format(*values, **named)`, for fields that name a value and not an attribute or item of it."""
        self._read(template, "{")
        parts: list[str] = []
        automatic = iter(range(len(values)))
        fields = list(Formatter().parse(template))
        # The parser accepts a mix of {} and {0}, which str.format refuses.
        if len({name == "" for _, name, _, _ in fields if name is not None and (not name or name.isdigit())}) > 1:
            raise ValueError("cannot switch between automatic field numbering and manual field specification")
        for literal, field, spec, conversion in fields:
            parts.append(literal)
            if field is None:
                continue
            if not _PLAIN_FIELD.match(field) or "{" in (spec or ""):
                raise ValueError(f"only plain fields have a place in a plan, not {field[:50]!r}")
            key: Any = int(field) if field.isdigit() else field
            if field == "":
                key = next(automatic, len(values))
            if type(key) is int and key >= len(values):
                raise IndexError("Replacement index out of range for positional args tuple")
            value = values[key] if type(key) is int else named[key]
            parts.append(self.field(value, ord(conversion) if conversion else -1, spec or ""))
        whole = "".join(parts)
        self._scale.budget.charge(len(whole))
        return whole


class _Shown:
    """A value with its texts, so that C code does not render the value itself."""

    __slots__ = ("_repr", "_str")

    def __init__(self, as_str: str, as_repr: str) -> None:
        self._str = as_str
        self._repr = as_repr

    def __str__(self) -> str:
        return self._str

    def __repr__(self) -> str:
        return self._repr


def _error_text(error: BaseException) -> str:
    """`str` of an error that has been charged for."""
    if len(error.args) != 1:
        return _repr(error.args) if error.args else ""
    [only] = error.args
    if isinstance(error, KeyError):
        return _repr(only)
    if isinstance(only, BaseException):
        return _error_text(only)
    return only if type(only) is str else _repr(only)


def _repr(value: Any) -> str:
    """`repr` of a value that has been charged for."""
    kind = type(value)
    if kind in SCALARS or kind is range or kind is slice:
        return repr(value)
    if kind is list:
        return f"[{', '.join(map(_repr, value))}]"
    if kind is tuple:
        return f"({_repr(value[0])},)" if len(value) == 1 else f"({', '.join(map(_repr, value))})"
    if kind is dict:
        return "{" + ", ".join(f"{_repr(key)}: {_repr(part)}" for key, part in value.items()) + "}"
    if kind is set or kind is frozenset:
        inside = "{" + ", ".join(map(_repr, value)) + "}" if value else ""
        return inside if kind is set and value else f"{kind.__name__}({inside})"
    if isinstance(value, BaseException):
        return f"{kind.__name__}({', '.join(map(_repr, value.args))})"
    if kind in VIEWS:
        return f"{kind.__name__}({_repr(list(value))})"
    return f"<{getattr(value, 'shown_as', None) or _KINDS.get(kind.__name__, kind.__name__)}>"


_KINDS = {"builtin_function_or_method": "function", "method": "function", "type": "class"}
