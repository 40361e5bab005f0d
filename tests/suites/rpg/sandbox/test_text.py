"""Values as text: as Python shows them, but for what has an address."""

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from herobench.suites.rpg.sandbox.bounds import LimitReached, PlanBudget
from herobench.suites.rpg.sandbox.text import Text
from herobench.suites.rpg.sandbox.values import Scale
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import HUGE, outcome, plain_values, plan_error, printed, scalars, steadily

NESTED_ERROR = RuntimeError(ValueError("inner"))


def text() -> Text:
    return Text(Scale(PlanBudget(HUGE)))


@steadily
@given(plain_values)
def test_plain_values_show_as_in_python(value: object) -> None:
    assert text().plain(value) == str(value)
    assert text().represent(value) == repr(value)


@for_each(
    "value",
    [
        range(3), range(1, 9, 2), (), (1,), set(), frozenset(), frozenset({1}), {1: 2}.keys(), {1: 2}.values(),
        {1: [2]}.items(), float("inf"), float("nan"), -0.0, 1e300, ..., None, 10**100, slice(1, None),
    ],
)  # fmt: skip
def test_odd_values_show_as_in_python(value: object) -> None:
    assert text().plain(value) == str(value)
    assert text().represent([value]) == repr([value])


@for_each(
    "error",
    [
        ValueError(), ValueError("x"), ValueError(1), ValueError(["x"]), ValueError("x", 2), KeyError("x"), KeyError(),
        KeyError("x", "y"), NESTED_ERROR, ValueError((1, 2)), ValueError(None),
    ],
)  # fmt: skip
def test_errors_show_as_in_python(error: Exception) -> None:
    assert text().plain(error) == str(error)
    assert text().represent([error]) == repr([error])


@for_each(
    "expression",
    [
        "move", "print", "len", "str", "range", "ValueError", "lambda: 0", "[].append", "'a'.join", "(n for n in [])",
        "map(str, [])", "zip([])", "reversed([])", "{}.get", "int", "[f]", "{'f': f}", "(f, [f])", "ValueError(f)",
        "enumerate([])", "filter(None, [])",
    ],
)  # fmt: skip
def test_what_has_an_address_shows_none(expression: str) -> None:
    ways = ["[x]", "repr(x)", "str(x)", "f'{x}'", "f'{x!r}'", "f'{x!a}'", "'%s %r' % (x, x)", "'{} {!r}'.format(x, x)"]
    ways += ["'%s' % {'x': x}", "'%(x)s' % {'x': x}", "ValueError(x)", "repr(ValueError(x))"]
    shown = printed(f"def f(): pass\nx = {expression}\nprint(x, {', '.join(ways)})")
    assert re.search(r"0x|\bat\b|\d{6}|herobench|_Builtins|<locals>", shown) is None
    assert "<" in shown


# -- formatting --------------------------------------------------------------------------------------------------------

_specs = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "<", ">", "^", "=", "*<", "0>", " ^"]),
        st.sampled_from(["", "+", "-", " "]),
        st.sampled_from(["", "#"]),
        st.sampled_from(["", "0"]),
        st.sampled_from(["", "1", "8", "20"]),
        st.sampled_from(["", ",", "_"]),
        st.sampled_from(["", ".0", ".2", ".10"]),
        st.sampled_from(["", *"bcdeEfFgGnosxX%"]),
    ),
)


@steadily
@given(scalars, _specs | st.text("<>^=+- #0123456789,_.defgsxbo%r!z", max_size=6))
@example(1, "99.99f")
def test_a_field_is_formatted_as_in_python(value: object, spec: str) -> None:
    assert outcome(text().field, value, -1, spec)[0] == outcome(format, value, spec)[0] or _is_wide(spec)
    if outcome(format, value, spec)[0] == "value" and not _is_wide(spec):
        assert text().field(value, -1, spec) == format(value, spec)


def _is_wide(spec: str) -> bool:
    return re.search(r"\d{3}", spec) is not None


@steadily
@given(plain_values)
def test_a_field_without_a_format_is_the_value_as_text(value: object) -> None:
    assert text().field(value) == f"{value}"
    assert text().field(value, ord("r")) == f"{value!r}"
    assert text().field(value, ord("s"), ">40") == f"{value!s:>40}"
    assert text().field(value, ord("a")) == f"{value!a}"


@for_each("value", [[1], (1,), {1: 2}, {1}])
def test_collections_take_no_format(value: object) -> None:
    assert outcome(text().field, value, -1, ">5") == outcome(format, value, ">5")


@for_each("spec", ["1000", ".100f", ">1000", "0001000", "9" * 30, "0" * 30 + "9" * 9])
def test_a_field_that_is_too_wide_is_a_limit(spec: str) -> None:
    with pytest.raises(LimitReached) as reached:
        text().field(1, -1, spec)
    assert (reached.value.kind, reached.value.reason) == ("memory", "the plan formats to more than 999 characters")


def test_a_field_of_the_greatest_width_is_formatted() -> None:
    assert text().field(1.5, -1, ">999.99f") == f"{1.5:>999.99f}"
    assert text().percent("%999.99f", 1.5) == f"{1.5:>999.99f}"


_fields = st.sampled_from(
    [
        "%s", "%r", "%a", "%d", "%5d", "%-6s|", "%05.1f", "%.f", "%x", "%c", "%%", "%e", "%+d", "% d", "%i", "%ld",
        " and ", "é",
    ]
)  # fmt: skip


@steadily
@given(st.lists(_fields, max_size=4).map("".join), st.lists(plain_values, max_size=3).map(tuple) | plain_values)
def test_percent_formats_as_in_python(template: str, values: Any) -> None:
    ours, theirs = outcome(text().percent, template, values), outcome(lambda: template % values)
    assert ours == theirs or ours[0] == theirs[0] != "value" or _takes_a_list_for_a_mapping(values, theirs)


def _takes_a_list_for_a_mapping(values: object, theirs: tuple[str, object]) -> bool:
    """Python overlooks operands that are left over where they could be looked up in; nobody writes that."""
    return isinstance(values, list | range) and theirs[0] == "value"


@steadily
@given(st.dictionaries(st.sampled_from(["a", "b c", "é", ""]), plain_values, max_size=4))
def test_percent_formats_by_name_as_in_python(values: dict[str, Any]) -> None:
    template = "%(a)s %(b c)5r %% %(é).3s"
    assert outcome(text().percent, template, values) == outcome(lambda: template % values)


@for_each("template", ["%", "%5", "%(a", "%*d", "100%, sure", "%(a)", "%!"])
def test_percent_refuses_what_is_incomplete(template: str) -> None:
    with pytest.raises(ValueError, match="unsupported format"):
        text().percent(template, (1, 2))


@for_each("template", ["%1000d", "%.100f", "%0000000001000d", "%(a)1000s"])
def test_percent_that_is_too_wide_is_a_limit(template: str) -> None:
    with pytest.raises(LimitReached):
        text().percent(template, {"a": 1})


_templates = st.lists(
    st.sampled_from(
        [
            "{}", "{0}", "{1}", "{n}", "{:>5}", "{0!r}", "{n:<4}", "{!s:^7}", "{!x}", "{{", "}}", "gold ", "{2}",
            "{m}", "{",
        ]
    ),
    max_size=4,
).map("".join)  # fmt: skip


@steadily
@given(_templates, st.lists(scalars, max_size=2), st.dictionaries(st.just("n"), scalars))
def test_str_format_formats_as_in_python(template: str, values: list[Any], named: dict[str, Any]) -> None:
    ours, theirs = outcome(text().format, template, values, named), outcome(template.format, *values, **named)
    assert ours == theirs or "value" not in (ours[0], theirs[0])


@for_each("template", ["{0.real}", "{0[1]}", "{n.__class__}", "{:{n}}", "{0.__init__.__globals__}"])
def test_str_format_reaches_into_nothing(template: str) -> None:
    with pytest.raises(ValueError, match="only plain fields"):
        text().format(template, [[1, 2]], {"n": 5})


def test_a_template_cannot_be_taken_from_elsewhere_to_reach_into_anything() -> None:
    assert plan_error("'{.__class__}'.format(move)").startswith("ValueError: only plain fields")
    assert plan_error("print(list(map('{0.__class__}'.format, [1])))").startswith("ValueError: only plain fields")
