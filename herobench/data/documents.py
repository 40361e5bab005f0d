"""Read JSON from outside: parse it, check it against its schema, and name each problem with file, path and value.

Everything from a file or a line passes here once; after that the types are trusted. Problems must be collected and not
raised one by one, so that the author of a world sees all of them at once. fastjsonschema decides whether a document is
valid; jsonschema, which is slow, only explains the faults.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from herobench.data.errors import LONGEST_MISSPELT, Problem
from herobench.data.files import read_bytes, unreadable

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

Json = Any
_CODE = "^[a-z0-9]+(_[a-z0-9]+)*$"
_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*+")\s*:|"(?:[^"\\]|\\.)*+"|[{}]')
"""The tokens that show the nesting of objects in JSON: names of properties (group 1), other texts, and braces."""
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_PATTERNS = {
    r"^[^\u0000-\u001f\u007f\ud800-\udfff]*$": "text without control characters",
    r"^[^\ud800-\udfff]*$": "text without half surrogate pairs",
}
"""Patterns that are hard to read, with the words that problems use for them."""
MOST_EXACT = 2**53 - 1
"""The largest whole number up to which a float holds every one exactly. Beyond it, readers of JSON may lose digits."""
_WORDS = {
    "minimum": "VALUE or more",
    "maximum": "VALUE or less",
    "exclusiveMinimum": "more than VALUE",
    "exclusiveMaximum": "less than VALUE",
    "pattern": "text that matches VALUE",
    "minLength": "text of VALUE characters or more",
    "maxLength": "text of VALUE characters or less",
    "minItems": "VALUE entries or more",
    "maxItems": "VALUE entries or less",
    "minProperties": "VALUE entries or more",
    "uniqueItems": "no entry twice",
}
"""Schema keywords, with the words that problems use for them."""
_SLIPS = {
    "Expecting ',' delimiter": "is a comma missing?",
    "Expecting ':' delimiter": "is a colon missing?",
    "Expecting property name enclosed in double quotes": "is there a comma too many, or a name without quotes?",
    "Illegal trailing comma before end of array": "remove the last comma",
    "Illegal trailing comma before end of object": "remove the last comma",
    "Extra data": "is there a bracket too many, or a second document?",
}
"""Messages of the JSON parser, with their usual cause."""


_SCHEMA = ".schema.json"
"""The ending of the file of a JSON Schema."""


def content_folder() -> Traversable:
    """Return the folder of the content that comes with the package: worlds, editions, schemas."""
    return resources.files("herobench.world_data")


def data_of(suite: str) -> Traversable:
    """Return the folder of the data that comes with the package of a suite, `herobench.suites.NAME`."""
    return resources.files(suite).joinpath("data")


def read_document(
    file: Path | Traversable, name: str, *, whole: bool = False, piped: bool = False
) -> tuple[Json, list[Problem]]:
    """Read the document in a file, or return the problems with it. `name` is the name of the file in problems.

    With `whole`, 60.0 is read as 60. A schema accepts both as whole numbers, so they must give the same world.
    `piped` says whether the caller also accepts standard input.
    """
    try:
        text = read_text(file)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None, [Problem(name, "", "a file that exists", advice=other_file(file))]
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return None, [Problem(name, f"line {line}", "UTF-8 text", advice="save it as UTF-8")]
    except OSError as error:
        return None, [unreadable(name, error, piped=piped)]
    return parse(text, name, whole=whole)


def read_text(file: Path | Traversable) -> str:
    """Read a whole text. Raises OSError, and UnicodeDecodeError if it is not UTF-8."""
    if isinstance(file, Path):  # a file of the user may be anything, even a device
        return read_bytes(file).decode("utf-8")
    return file.read_text(encoding="utf-8")  # a file of the package


def other_file(file: Path | Traversable) -> str:
    """Ask whether another file, with a similar name, is meant; empty if no name is similar."""
    names: dict[str, str] = {}
    if isinstance(file, Path):
        with contextlib.suppress(OSError):
            names = {other.stem.lower(): other.name for other in file.parent.iterdir() if other.is_file()}
    near = get_close_matches(file.name.removesuffix(".json"), names, 1)
    return f"is {names[near[0]]} meant?" if near else ""


def parse(text: str, name: str, *, whole: bool = False) -> tuple[Json, list[Problem]]:
    """Parse a text. Return the document, or the problems with it."""
    text = text.removeprefix("\ufeff")  # the byte order mark that some editors write
    if not text.strip():
        return None, [Problem(name, "", "JSON, and the file is empty")]
    number = _whole if whole else finite
    try:
        return json.loads(text, parse_constant=no_constant, parse_float=number, object_pairs_hook=_unique_keys), []
    except json.JSONDecodeError as error:
        # A row of a JSONL file is one line, and its number in the file is already in the name.
        line = f"line {error.lineno} " if "\n" in text else ""
        place = f"{line}column {error.colno}"
        return None, [Problem(name, place, f"JSON ({error.msg})", advice=_slip(text, error))]
    except _KeyTwice as error:
        line = f"line {_line_of_second(text, error.key)}" if "\n" in text else ""
        return None, [Problem(name, line, f"JSON ({error})")]
    except RecursionError:
        return None, [Problem(name, "", "JSON that is nested less deeply")]
    except ValueError as error:
        return None, [Problem(name, "", f"JSON ({error})")]


def parse_line(line: bytes, place: str) -> tuple[Json, list[Problem]]:
    """Parse a line of a JSONL file. Return its row, or the problems with it.

    Equal short texts are one object, so later work with rows is faster too.
    """
    import jiter  # imported late: scoring must not load it, since a trainer may pin another version

    if not _may_overflow(line):
        with contextlib.suppress(ValueError):  # jiter also refuses half a surrogate pair, which is valid here
            return jiter.from_json(line, allow_inf_nan=False), []
    try:
        text = line.decode("utf-8-sig", "surrogatepass")
    except UnicodeDecodeError as error:
        return None, [Problem(place, f"byte {error.start}", "UTF-8 text")]
    try:
        return _ROWS.decode(text), []
    except (ValueError, RecursionError):
        return parse(text.strip(), place)  # slower, but it says what is wrong


_SHAPE = bytes.maketrans(b"123456789E", b"000000000e")  # all digits to 0, and E to e
_LARGE = re.compile(rb'0e000+(?![\w"])')
"""An exponent of three digits or more, outside a text."""
_MANY_DIGITS = b"0" * 200


def _may_overflow(line: bytes) -> bool:
    """Return whether a line may have a number that is too large for a float, which jiter reads as infinite: one with
    an exponent of three digits, or one of hundreds of digits."""
    shape = line.translate(_SHAPE, b"+")
    return _LARGE.search(shape) is not None or _MANY_DIGITS in shape


def json_object(text: str | bytes) -> dict[str, Json] | None:
    """Return the object that a text of a model or a client is in JSON; None for any other text."""
    with contextlib.suppress(ValueError, RecursionError):
        document = json.loads(text)
        return document if isinstance(document, dict) else None
    return None


def _slip(text: str, error: json.JSONDecodeError) -> str:
    """Return the usual cause of a parser's error, as advice; empty if none is known."""
    before, after = text[: error.pos].rstrip(), text[error.pos :]
    is_torn = any(word.startswith(after.strip()) for word in ("true", "false", "null"))
    if is_torn or error.msg.startswith("Unterminated string"):
        return "it ends in the middle: was it cut off?"
    if after.startswith(("//", "/*", "#")):
        return "JSON has no comments"
    if after.startswith(("]", "}")) and before.endswith(","):
        return "remove the comma before it"
    return _SLIPS.get(error.msg, "")


class _KeyTwice(ValueError):
    """Raised when an object has a key twice."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"the key {key[:80]!r} appears twice in one object")


def _line_of_second(text: str, key: str) -> int:
    """Return the line of the second appearance of a key in one object."""
    objects: list[int] = []  # how often the key has appeared in each object around the token
    # The parser gives no place for this error, so the text is read again.
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            objects.append(0)
        elif token[0] == "}":
            objects.pop()
        elif token[1] and json.loads(token[1]) == key:
            objects[-1] += 1
            if objects[-1] > 1:
                return text.count("\n", 0, token.start()) + 1
    return 1


def no_constant(constant: str) -> float:
    """Refuse NaN and the infinities, which Python reads although they are no JSON."""
    raise ValueError(f"{constant} is not a JSON number")


def finite(text: str) -> float:
    """Return a number. Raises ValueError for one that is too large for a float."""
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text:.80} is too large a number")
    return number


_ROWS = json.JSONDecoder(parse_constant=no_constant, parse_float=finite)
"""The parser of rows. `json.loads` would make one for each row."""


def _whole(text: str) -> float:
    return _without_point(finite(text))


def _without_point(number: float) -> float:
    return int(number) if number.is_integer() and abs(number) <= MOST_EXACT else number


def with_whole_numbers(document: Json) -> Json:
    """Return a document in which 60.0 is 60, as `read_document` does it with `whole`."""
    match document:
        case dict():
            return {key: with_whole_numbers(value) for key, value in document.items()}
        case list():
            return list(map(with_whole_numbers, document))
        case float():
            return _without_point(document)
    return document


def _unique_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    values = dict(pairs)
    if len(values) < len(pairs):  # json keeps the last value without a word, and a row would be lost
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise _KeyTwice(twice)
    return values


def schema_problems(document: Json, schema: str, name: str) -> list[Problem]:
    """Check a document against a schema, and return its first 100 problems: it may have millions. See `load_schema`."""
    if _is_valid(schema, document):
        return []
    try:
        errors = list(islice(_validator(schema).iter_errors(document), 100))
    except RecursionError:
        return [Problem(name, "$", "JSON that is nested less deeply")]
    problems = (problem for error in errors for problem in _problems(error, name))
    return list({str(problem): problem for problem in problems}.values())  # two keywords may give the same words


def _is_valid(schema: str, document: Json) -> bool:
    """Say whether a document is valid. jsonschema would take 60 times as long for a task."""
    from fastjsonschema import JsonSchemaValueException

    try:
        _compile(schema)(document)
    except (JsonSchemaValueException, RecursionError):
        return False
    return True


@cache
def _compile(schema: str) -> Callable[[Json], object]:
    from fastjsonschema import compile  # imported late: --help and most sandbox workers do not need it

    plain = _as_2019(inlined_schema(schema))
    check: Callable[[Json], object] = compile(plain, use_default=False, use_formats=False)
    return check


def _as_2019(part: Json) -> Json:
    """Return a schema with the one keyword of draft 2020-12 that fastjsonschema lacks under its older name."""
    if isinstance(part, dict):
        return {"items" if key == "prefixItems" else key: _as_2019(value) for key, value in part.items()}
    return [_as_2019(value) for value in part] if isinstance(part, list) else part


@cache
def _validator(schema: str) -> Validator:
    from jsonschema import Draft202012Validator, validators  # a tenth of a second to import: only where it is needed

    extend: Callable[..., type[Validator]] = validators.extend
    return extend(Draft202012Validator, {"pattern": _pattern})(inlined_schema(schema))


def inlined_schema(schema: str) -> Json:
    """Return the schema of this name without references."""
    whole = load_schema(schema)
    return _inline(whole, whole.get("$defs", {}))


def _inline(part: Json, definitions: Mapping[str, Json]) -> Json:
    """Return a schema with each reference replaced by its definition: to follow references takes half of the time."""
    if isinstance(part, dict):
        if "$ref" in part:
            return _inline(definitions[part["$ref"].removeprefix("#/$defs/")], definitions)
        return {key: _inline(value, definitions) for key, value in part.items() if key != "$defs"}
    return [_inline(value, definitions) for value in part] if isinstance(part, list) else part


def _pattern(_: Validator, pattern: str, instance: Json, __: Json) -> Iterator[ValidationError]:
    """Check the keyword `pattern`. In JSON Schema `$` is the end of the text; in Python it also matches before a final
    line break."""
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and not re.search(pattern.replace("$", r"\Z"), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def load_schema(schema: str) -> Mapping[str, Json]:
    """Return a JSON Schema, either a shipped one by its name, or any by its text."""
    is_text = schema.startswith("{")
    content: Mapping[str, Json] = json.loads(schema if is_text else schema_file(schema).read_text(encoding="utf-8"))
    return content


def schema_file(name: str) -> Traversable:
    """Return the file of a shipped schema. Those of a suite begin with its name, and lie in its package."""
    file = f"{name}{_SCHEMA}"
    own = content_folder().joinpath("schemas", file)
    if own.is_file():  # to look for packages takes longer than to read the schema
        return own
    suites = map(_schemas_of, entry_points(group="herobench.suites", name=name.partition("-")[0]))
    return next((folder.joinpath(file) for folder in suites if folder.joinpath(file).is_file()), own)


def _schemas_of(suite: EntryPoint) -> Traversable:
    """Return the folder of the schemas of a suite, which may not exist."""
    return resources.files(suite.module.rpartition(".")[0] or suite.module).joinpath("schemas")


def schema_names() -> list[str]:
    """Return the names of the shipped JSON Schemas."""
    folders = [content_folder().joinpath("schemas"), *map(_schemas_of, entry_points(group="herobench.suites"))]
    names = (file.name for folder in folders if folder.is_dir() for file in folder.iterdir())
    return sorted({name.removesuffix(_SCHEMA) for name in names if name.endswith(_SCHEMA)})


def json_path(parts: Iterable[object]) -> str:
    """Return a path in JSON notation, such as `$.items[3].level`."""
    steps = (
        f".{part}" if isinstance(part, str) and _PLAIN_KEY.match(part) else f"[{json.dumps(part)}]" for part in parts
    )
    return "$" + "".join(steps)


def _problems(error: ValidationError, name: str) -> Iterator[Problem]:
    """Yield the problems for one error of jsonschema: one for each missing or unknown property, else one in all."""
    path = json_path(error.absolute_path)
    schema, instance = cast("Mapping[str, Any]", error.schema), cast("Any", error.instance)
    if error.validator == "required":
        missing = (key for key in schema["required"] if key not in instance)
        yield from (Problem(name, path, f"the property {key!r}") for key in missing)
    elif error.validator == "additionalProperties" and schema["additionalProperties"] is False:
        names = schema["properties"]
        for key in instance:
            if key not in names:
                inside, expected = json_path([*error.absolute_path, key]), f"one of the properties {', '.join(names)}"
                yield Problem(name, inside, expected, advice=_spelling_hint(key, names))
    else:
        expected = _expectation(str(error.validator), error.validator_value, error.message)
        yield Problem(name, path, expected, instance, _fitting(str(error.validator), error.validator_value, instance))


def _fitting(keyword: str, value: Json, instance: Json) -> str:
    """Return a guess at the value that was meant in place of a wrong one; empty without a guess."""
    match keyword, instance:
        case "enum", str():
            return _spelling_hint(instance, [each for each in value if isinstance(each, str)])
        case "type", str() if "integer" in value and re.fullmatch(r"-?[0-9]{1,9}", instance):
            return f"is {int(instance)} meant, without quotes?"
        case "pattern", "" if value == "^every item$":
            return "write [] for nothing"
        case "pattern", str() if re.fullmatch(r"\^[a-z ]+\$", value):
            return _spelling_hint(instance, [value[1:-1]])
        case "pattern", str() if value == _CODE:
            code = re.sub(r"[^a-z0-9]+", "_", instance.lower()).strip("_")
            return f"is {code!r} meant?" if code else ""
        case _:
            return ""


def _spelling_hint(text: str, names: Iterable[str]) -> str:
    by_lower_case = {name.lower(): name for name in names}
    near = get_close_matches(text[:LONGEST_MISSPELT].lower(), by_lower_case, 1)
    return f"is {by_lower_case[near[0]]!r} meant?" if near else ""


def _expectation(keyword: str, value: Json, message: str) -> str:
    match keyword:
        case "type":
            return " or ".join([value] if isinstance(value, str) else value).replace("null", "nothing")
        case "const":
            return json.dumps(value)
        case "enum":
            return "one of " + ", ".join(map(json.dumps, value))
        case "pattern" if value in _PATTERNS:
            return _PATTERNS[value]
        case "oneOf" if all("required" in form for form in value):
            return "exactly one of these forms: " + "; ".join(" with ".join(form["required"]) for form in value)
        case _:
            return _WORDS.get(keyword, f"what the schema asks for ({message[:200]})").replace("VALUE", str(value))
