"""A quick yes: whether a document surely is as its schema asks, without a word on what is wrong where it is not.

Full validation walks a schema anew for every value, which takes seconds for the thousands of rows of a large world. A
schema is made into functions here, once, and these only ever say yes where validation would find nothing. Whatever
they cannot tell, a keyword that they do not know or a value of a rare kind, is a no, and left to validation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Json = Any
Accepts = Callable[[Json], bool]

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_SAYS_NOTHING = frozenset({"$schema", "$id", "title", "description", "default", "$comment", "$defs"})
_BESIDE = frozenset({"properties", "additionalProperties"})
"""Keywords that are looked at together."""


def acceptance(schema: Json) -> Accepts:
    """What says yes to values that a schema, in which nothing is referred to elsewhere, has nothing against."""
    if not isinstance(schema, dict):
        return (lambda value: True) if schema is True else _no
    checks = [_check(keyword, value) for keyword, value in schema.items() if keyword not in _SAYS_NOTHING | _BESIDE]
    if schema.keys() & _BESIDE:
        checks.append(_of_object(schema.get("properties", {}), schema.get("additionalProperties", True)))
    return checks[0] if len(checks) == 1 else lambda value: all(check(value) for check in checks)


def _no(value: Json) -> bool:
    return False


def _check(keyword: str, asked: Json) -> Accepts:
    """One keyword as a function."""
    return _KEYWORDS[keyword](asked) if keyword in _KEYWORDS else _no


def _of_type(asked: Json) -> Accepts:
    types = frozenset(each for name in ([asked] if isinstance(asked, str) else asked) for each in _TYPES[name])
    return lambda value: type(value) in types


def _one_of_these(asked: list[Json]) -> Accepts:
    return lambda value: any(type(value) is type(each) and value == each for each in asked)


def _matching(asked: str) -> Accepts:
    found = re.compile(asked.replace("$", r"\Z")).search
    return lambda value: not isinstance(value, str) or found(value) is not None


def _with_all(asked: list[str]) -> Accepts:
    return lambda value: not isinstance(value, dict) or all(key in value for key in asked)


def _of_items(asked: Json) -> Accepts:
    accepts = acceptance(asked)
    return lambda value: not isinstance(value, list) or all(map(accepts, value))


def _of_names(asked: Json) -> Accepts:
    accepts = acceptance(asked)
    return lambda value: not isinstance(value, dict) or all(map(accepts, value))


def _of_object(asked: Mapping[str, Json], others: Json) -> Accepts:
    known = {key: acceptance(schema) for key, schema in asked.items()}
    unknown = acceptance(others)
    return lambda value: (
        not isinstance(value, dict) or all(known.get(key, unknown)(each) for key, each in value.items())
    )


def _is_number(value: Json) -> bool:
    return type(value) is int or type(value) is float


_KEYWORDS: Mapping[str, Callable[[Json], Accepts]] = {
    "type": _of_type,
    "const": lambda asked: _one_of_these([asked]),
    "enum": _one_of_these,
    "pattern": _matching,
    "required": _with_all,
    "items": _of_items,
    "propertyNames": _of_names,
    "minimum": lambda asked: lambda value: not _is_number(value) or value >= asked,
    "maximum": lambda asked: lambda value: not _is_number(value) or value <= asked,
    "minLength": lambda asked: lambda value: not isinstance(value, str) or len(value) >= asked,
    "maxLength": lambda asked: lambda value: not isinstance(value, str) or len(value) <= asked,
    "minItems": lambda asked: lambda value: not isinstance(value, list) or len(value) >= asked,
    "maxItems": lambda asked: lambda value: not isinstance(value, list) or len(value) <= asked,
    "minProperties": lambda asked: lambda value: not isinstance(value, dict) or len(value) >= asked,
    "uniqueItems": lambda asked: (
        lambda value: (
            not asked
            or not isinstance(value, list)
            or (all(type(each) is str for each in value) and len(set(value)) == len(value))
        )
    ),
}
"""The keywords that the schemas of worlds are written in."""
