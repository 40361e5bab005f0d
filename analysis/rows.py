"""One line as a row that can be trusted: read strictly, each column that is looked at of the type that it should have.

Rows come from runs of older formats and from other people's programs. A column that is missing is None, which is not
known; a column that is there and makes no sense is refused by name, because every figure after it would be wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from herobench.documents import finite, no_constant, parse
from herobench.errors import InputError, Problem

Row = Mapping[str, Any]
Holds = Callable[[Any], bool]

_NEEDED = {"task_id", "epoch", "outcome", "score"}
_PUBLISHED = {"task", "result", "reward", "score"}
_MOST = 1e15
"""Beyond it sums of whole numbers are not exact, and nothing that is counted here is so large."""
_MOST_EPOCHS = 10**9


def parsed(line: bytes, place: str) -> tuple[Any, list[Problem]]:
    """The JSON of a line, or what is wrong with it."""
    try:
        text = line.decode("utf-8-sig", "surrogatepass")
    except UnicodeDecodeError as error:
        return None, [Problem(place, f"byte {error.start}", "UTF-8 text")]
    try:
        return json.loads(text, parse_constant=no_constant, parse_float=finite), []
    except (ValueError, RecursionError):
        return parse(text.strip(), place)  # the same once more, with words for what is wrong


def row_of(found: Any, name: str, place: str) -> Row:
    """What was parsed as a row with our columns. Raises InputError where it is none; `name` is that of its source."""
    if isinstance(found, dict) and found.keys() >= _NEEDED:
        return _checked({**_UNTOLD, **found}, place)
    if isinstance(found, dict) and found.keys() >= _PUBLISHED:
        if not isinstance(found["task"], str):
            raise InputError([Problem(place, "$.task", _TEXT, found["task"])])
        return _checked(_published(found, name), place)
    raise InputError([Problem(place, "$", "a scored row, a sample of a run, or a published result", found)])


def _published(row: Row, model: str) -> dict[str, Any]:
    """A published result with our names."""
    won = row["result"] == "win"
    return {
        **_UNTOLD,
        "task_id": row["task"],
        "epoch": 0,
        "status": "ok",
        "model": model,
        "outcome": "win" if won else "lose",
        "reward": row["reward"],
        "ideal_reward": row.get("ideal"),
        "score": row["score"],
        "tokens": row.get("tokens"),
        "kind": row["task"].rpartition("_")[2],
    }


# -- what columns hold ------------------------------------------------------------------------------------------------


def _checked(row: dict[str, Any], place: str) -> Row:
    for column, (holds, expected) in _COLUMNS.items():
        if column in row and not holds(row[column]):
            raise InputError([Problem(place, f"$.{column}", expected, row[column])])
    if row.get("status", "ok") == "ok":
        for column, expected in (("outcome", '"win" or "lose"'), ("score", _NUMBER)):
            if row[column] is None:
                raise InputError([Problem(place, f"$.{column}", expected, None, "this sample was measured")])
    return row


def _is_text(value: Any) -> bool:
    return value is None or type(value) is str


def _is_number(value: Any) -> bool:
    return value is None or (type(value) in (int, float) and -_MOST < value < _MOST)


def _is_flag(value: Any) -> bool:
    return value is None or type(value) is bool


def _is_list(value: Any) -> bool:
    return value is None or type(value) is list


def _is_texts(value: Any) -> bool:
    return value is None or (type(value) is list and all(type(part) is str for part in value))


def _is_named_texts(value: Any) -> bool:
    return value is None or (type(value) is dict and all(type(part) is str for part in value.values()))


def _is_milestones(value: Any) -> bool:
    return value is None or (
        type(value) is dict
        and value.keys() >= {"reached", "missed"}
        and all(type(value[part]) is list and _is_texts(value[part]) for part in ("reached", "missed"))
    )


def _is_error(value: Any) -> bool:
    return value is None or (type(value) is dict and type(value.get("kind")) is str)


def _is_refusal(value: Any) -> bool:
    return value is None or (type(value) is dict and value.keys() >= {"action", "code"})


def _is_epoch(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST_EPOCHS


_TEXT, _NUMBER = "text", f"a number of less than {_MOST:.0e}"
_TEXTS = (
    "model", "kind", "target", "knowledge", "twin_of", "rules", "world", "failure", "ended", "end_kind", "end_reason",
    "answer", "plan", "code",
)  # fmt: skip
_NUMBERS = (
    "score", "reward", "ideal_reward", "progress_before_end", "difficulty", "high_level_errors", "execution_errors",
    "end_line", "actions", "oracle_actions", "tokens", "input_tokens", "output_tokens", "reasoning_tokens", "cost",
    "seconds", "retries",
)  # fmt: skip
_COLUMNS: Mapping[str, tuple[Holds, str]] = {
    "task_id": (lambda value: type(value) is str, _TEXT),
    "epoch": (_is_epoch, f"a whole number from 0 to {_MOST_EPOCHS}"),
    "status": (lambda value: value in ("ok", "unmeasured"), '"ok" or "unmeasured"'),
    "outcome": (lambda value: value in (None, "win", "lose"), '"win", "lose" or nothing'),
    "error": (_is_error, "an object with the text kind, or nothing"),
    **dict.fromkeys(_TEXTS, (_is_text, f"{_TEXT} or nothing")),
    **dict.fromkeys(_NUMBERS, (_is_number, f"{_NUMBER}, or nothing")),
    **dict.fromkeys(("leveling", "stochastic"), (_is_flag, "true, false or nothing")),
    "noise": (_is_texts, "a list of texts, or nothing"),
    "missing": (_is_named_texts, "an object of texts, or nothing"),
    "milestones": (_is_milestones, "an object with the lists reached and missed, or nothing"),
    "first_error": (_is_refusal, "an object with action and code, or nothing"),
    "events": (_is_list, "a list, or nothing"),
}
"""What is held against each column, and how it is said."""
_UNTOLD: Mapping[str, None] = dict.fromkeys(
    ("kind", "target", "missing", "noise", "milestones", "ended", "end_kind", "end_line", "end_reason", "events")
)
"""What rows of older formats do not have, and a cause is told from."""
