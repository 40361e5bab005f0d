"""The contract of a generator, and the command that is made of its options."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

import pytest

from herobench.cli import generate
from herobench.data.options import Option, OptionFault, declare_option, read_options
from herobench.suite import generating
from herobench.suite.generating import GenerateRequest, Made, NoOptions, Numbered, TaskGenerator
from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.refusals import raises
from tests.sizes import for_each


def read_length(text: str) -> int:
    if not text.isdecimal():
        raise ValueError("give a whole number")
    return int(text)


@dataclass(frozen=True)
class ToyOptions:
    """What toy tasks are like."""

    length: Annotated[int, Option("How long.", metavar="N", read=read_length)] = 12
    twin_of: Annotated[str | None, Option("Whose twin.")] = None
    decay: Annotated[bool, Option("Whether it decays.")] = False


@dataclass(frozen=True)
class Seeded:
    """An option that every generator has."""

    seed: Annotated[int, Option("The seed.")] = 0


class Toy(TaskGenerator):
    """A generator that says what it was asked for."""

    options = ToyOptions

    def make(self, request: GenerateRequest) -> Made:
        def rows() -> Iterator[dict[str, Any]]:
            for number in range(request.count or 1):
                yield {"number": number, "seed": request.seed, **asdict(request.options)}

        return Made(request.count or 1, rows())


@pytest.fixture
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (generating, generate):
        monkeypatch.setattr(module, "load_generator", lambda suite: Toy())


@pytest.mark.usefixtures("_toy")
def test_options_of_a_generator_are_those_of_its_command(tmp_path: Any, golden: Golden) -> None:
    out = tmp_path / "out.jsonl"
    words = ("generate", "--suite=toy", "--length", "30", "--decay", "--count", "2", "--seed", "7", "-o", str(out))
    golden(herobench(*words))
    common = {"seed": 7, "length": 30, "twin_of": None, "decay": True}
    assert read_jsonl(out) == [{"number": 0, **common}, {"number": 1, **common}]
    golden(herobench("generate", "--twin-of", "a", "-o", "-", "--suite", "toy"))


@pytest.mark.usefixtures("_toy")
def test_help_shows_the_options_of_the_suite_and_others_are_refused(golden: Golden) -> None:
    shown = herobench("generate", "--suite", "toy", "--help", columns=120).stdout
    assert all(
        text in shown for text in ("--length", "How long. [default: 12]", "--twin-of", "--decay", "--seed", "--jobs")
    )
    assert "--difficulty" not in shown
    for words in (["--difficulty", "3"], ["--lenght", "3"]):
        done = herobench("generate", "--suite", "toy", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"No such option: {words[0]}" in done.stderr
    golden(herobench("generate", "--suite", "toy", "--length", "x", "-o", "-"))


@pytest.mark.usefixtures("_toy")
def test_an_option_that_every_suite_has_is_a_fault_of_the_suite(
    monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr(Toy, "options", Seeded)
    golden(herobench("generate", "--suite", "toy"))


def test_an_unknown_suite_is_refused_and_the_rpg_keeps_its_options(golden: Golden) -> None:
    golden(herobench("generate", "--suite", "zork"))
    assert "--difficulty" in herobench("generate", "--suite", "rpg", "--help").stdout


@for_each(
    ("kind", "text", "value"),
    [
        (Literal["red", "blue"], "blue", "blue"),
        (Literal["red", "blue"], "green", "give one of red, blue"),
        (Literal["on", "off"], "false", "off"),
        (Literal["off", "all"], "true", "give one of off, all"),
        (Literal["true", "on"], "true", "true"),
        (int, "3", 3),
        (int, "1.5", "give a whole number, at least 0, at most 9"),
        (int, "10", "give a whole number, at least 0, at most 9"),
        (int, "9" * 5000, "give a whole number, at least 0, at most 9"),
        (float, "1.5", 1.5),
        (float, "-1", "give a number, at least 0, at most 9"),
    ],
)
def test_an_option_of_a_kind_says_what_to_give(kind: Any, text: str, value: object) -> None:
    option = declare_option("some", Annotated[kind, Option("Some.", least=0, most=9)], None)
    if isinstance(value, str) and value.startswith("give"):
        with pytest.raises(ValueError, match=f"^{value}$"):
            option.parse(text)
    else:
        assert option.parse(text) == value


def test_values_are_read_and_defaults_put_in() -> None:
    assert read_options(ToyOptions, {}) == ToyOptions(12, None, False)
    with raises(OptionFault.BAD_VALUE, "--length", "x", "give a whole number"):
        read_options(ToyOptions, {"length": "x"})


class Numbers(TaskGenerator):
    """A generator whose tasks can be made apart from each other."""

    def numbered(self, request: GenerateRequest) -> Numbered:
        return Numbered(lambda number: {"number": number}, {}, numbers=range(request.count or 2))


def test_tasks_that_have_numbers_are_made_by_them() -> None:
    asked = GenerateRequest(NoOptions(), 0, 3, 1)
    made = Numbers().make(asked)
    assert (made.count, [*made.rows]) == (3, [{"number": 0}, {"number": 1}, {"number": 2}])
    with pytest.raises(NotImplementedError, match="neither make nor numbered"):
        TaskGenerator().make(asked)
