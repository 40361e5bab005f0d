"""Makes commands of functions whose parameters are declared options. Only this module and `main` know how typer works.

    @with_options(RunRequest)
    def run(fields: Mapping[str, Any], output: Annotated[Path | None, Option("A folder.", short="-o")] = None) -> None:
        ...

A parameter with an `Option` is an option or an argument. `with_options` adds the options of tables, and passes the
values that the user gave as `fields`. `with_suite_options` adds those of the suite that the command line names or
implies, and passes their texts as `settings`; the parameter `suite` always has the name of the suite then. A command is
imported and built when it is called, so this imports no slow modules.

What has to be known before the whole line is parsed, such as the suite, is read from its words.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING
from functools import cache
from inspect import Parameter, Signature
from itertools import pairwise, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from herobench.data.errors import HeroBenchError, SuiteError, UsageError
from herobench.data.options import DeclaredOption, declare_option, options_in
from herobench.suite.plugins import default_suite, default_suites

BadUsage: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""The exception that typer raises for a wrong command line: click's own, or typer's copy of it."""
_NoSuchOption: type[Exception] = vars(sys.modules[typer.BadParameter.__module__])["NoSuchOption"]
"""The exception for an option that a command does not have."""
Function = Callable[..., None]
FindTables = Callable[[str], Sequence[type] | None]
"""Returns the tables of a suite's options by its name; None if the suite takes any."""
FindDefaults = Callable[[str], Mapping[str, str]]
_SET = "set_"
_SUITE_WORD = "suite_"
"""The names of parameters that hold options of a suite begin with this. No other parameter begins so."""


# -- decorators of functions ------------------------------------------------------------------------------------------


def with_options(*tables: type, only: Collection[str] | None = None) -> Callable[[Function], Function]:
    """Give a command the options of some tables, or `only` those named.

    Its parameter `fields` maps the fields that the user gave to their values.
    """
    fields = [each for table in tables for each in options_in(table) if each.option]
    options = [each for each in fields if only is None or each.name in only]
    bare = _bare_values(options)

    def decorate(function: Function) -> Function:
        def command(**values: Any) -> None:
            texts = {each: values.pop(_word(each)) for each in options}
            by_field = {each.field: _value(each, text) for each, text in texts.items() if text not in (None, [], ())}
            function(fields=by_field, **values)

        wrapper = _with_parameters(command, function, [*map(_of_table, options), *_parameters(function, "fields")])
        wrapper.bare_values = bare  # type: ignore[attr-defined]
        return wrapper

    return decorate


def with_suite_options(
    find: FindTables, *, with_set: bool = True, defaults: FindDefaults | None = None
) -> Callable[[Function], Function]:
    """Give a command the options that a suite declares, which `find` returns, and `--set` for all of them.

    Its parameter `settings` has the texts that the user gave, by the names of the options. `defaults` returns what the
    help shows as the defaults of other parameters with a suite.
    """

    def decorate(function: Function) -> Function:
        marked_function: Any = function
        marked_function.find_tables, marked_function.with_set, marked_function.defaults = find, with_set, defaults
        return function

    return decorate


def _value(field: DeclaredOption, text: Any) -> Any:
    if field.option is None or field.option.read is None:
        return text
    try:
        return field.option.read(text)
    except ValueError as error:
        raise UsageError(f"--{field.name} is {text!r}: {error}.") from error


def _with_parameters(command: Function, function: Function, parameters: Iterable[Parameter]) -> Function:
    """Return a command with the parameters that typer reads, and all else of the function that it calls."""
    signature = Signature([each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters])
    command.__dict__.update(function.__dict__)
    command.__name__, command.__doc__, command.__module__ = function.__name__, function.__doc__, function.__module__
    command.__signature__ = signature  # type: ignore[attr-defined]
    command.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()}
    return command


# -- parameters -------------------------------------------------------------------------------------------------------


def _parameters(function: Function, *without: str, defaults: Mapping[str, str] | None = None) -> list[Parameter]:
    """Return the parameters of a function, each option of them as typer declares it. The help shows the `defaults`."""
    own = inspect.signature(function, eval_str=True).parameters.values()
    texts = defaults or {}
    return [_of_function(each, texts.get(each.name)) for each in own if each.name not in without]


def _of_function(parameter: Parameter, default: str | None) -> Parameter:
    is_needed = parameter.default is Parameter.empty
    field = declare_option(parameter.name, parameter.annotation, MISSING if is_needed else parameter.default)
    if field.option is None:
        return parameter
    kind = field.kind | None if field.is_optional else field.kind
    return parameter.replace(
        annotation=Annotated[kind, _declare(field, default or field.option.shown, field.option.panel)]
    )


def _of_table(field: DeclaredOption) -> Parameter:
    """Return the parameter of an option of a table. Its value is None if the user leaves it out."""
    option = field.option
    assert option is not None
    kind = option.kind or (str if option.read else field.kind)
    return _optional(_word(field), kind, _declare(field, field.shown_default, option.panel, is_switch=kind is bool))


def _of_suite(field: DeclaredOption, suite: str) -> Parameter:
    """Return the parameter of an option of a suite. Its value is a text, or None if the user leaves it out."""
    annotation = _declare(field, field.shown_default, f"Options of the suite {suite}", is_text=True)
    return _optional(f"{_SUITE_WORD}{_word(field)}", bool if field.is_flag else str, annotation)


def _set_option() -> Any:
    about = "A setting of the suite, which `--suite NAME --help` shows too; repeat as needed."
    return typer.Option("--set", metavar="NAME=VALUE", help=about)


def _optional(name: str, kind: Any, option: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option])


def _word(field: DeclaredOption) -> str:
    return field.name.replace("-", "_")


def _declare(
    field: DeclaredOption, default: str | None, panel: str | None, *, is_switch: bool = False, is_text: bool = False
) -> Any:
    """Return an option or an argument as typer declares it. A switch can be turned off, and a text has no bounds."""
    option = field.option
    assert option is not None
    about = f"{option.about} \\[default: {default}]" if default else option.about
    bounds: Any = {} if is_text else {"min": option.least, "max": option.most}
    if option.is_argument:
        return typer.Argument(metavar=field.metavar, help=about, **bounds)
    names = [f"--{field.name}/--no-{field.name}" if is_switch or field.is_switch else f"--{field.name}", option.short]
    metavar = field.metavar or (field.bounds if is_text else None)
    return typer.Option(*filter(None, names), metavar=metavar, help=about, rich_help_panel=panel, **bounds)


# -- commands ---------------------------------------------------------------------------------------------------------


class DeclaredCommand(typer.core.TyperCommand):
    """A command made of a function with declared options. Those of a suite depend on the words that it is given."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Return the context of the command, with the options of the suite that the words name or imply."""
        function: Any = inspect.unwrap(self.callback) if self.callback else None
        find: FindTables | None = getattr(function, "find_tables", None)
        if find is None:
            return super().make_context(info_name, _with_bare_values(args, function), parent, **extra)

        named_suite = suite_in(args)
        wants_others = named_suite is None and "--help" in args

        def parse(suite: str) -> Any:
            epilog = _options_of_others(suite, f"{parent.command_path} {info_name}", find) if wants_others else None
            whole, command = _with_fields(function, suite, _fields_of(find, suite), self.name, self.help, epilog)
            _refuse_duplicates(suite, command)
            return command.make_context(info_name, _with_bare_values(args, whole), parent, **extra)

        suite = named_suite or _implied_suite(args, parse)
        try:
            context = parse(suite)
        except _NoSuchOption as error:
            if named_suite is None:
                _refuse_mixed(error, suite, args, find)
                if suite == default_suite():
                    raise
            raise UsageError(_unknown(error, suite, find)) from error
        if "suite" in context.params:
            context.params["suite"] = suite
        return context


def _fields_of(find: FindTables, suite: str) -> tuple[DeclaredOption, ...]:
    """Return the options of a suite."""
    return tuple(each for table in find(suite) or () for each in options_in(table))


def _refuse_duplicates(suite: str, command: Any) -> None:
    """Raise SuiteError for an option of a suite that the command has for every suite."""
    flags = Counter(["--help", *(flag for parameter in command.params for flag in parameter.opts)])
    own = (parameter.opts[0] for parameter in command.params if parameter.name.startswith(_SUITE_WORD))
    if duplicate := next((flag for flag in own if flags[flag] > 1), None):
        raise SuiteError(f"The suite {suite} declares an option {duplicate}, which every suite has already.")


def _options_of_others(suite: str, command: str, find: FindTables) -> str:
    """Return the options of the other suites that may be meant where none is named, for the end of the help."""
    flags_of = {other: [f"--{field.name}" for field in _fields_of(find, other)] for other in default_suites()}
    return " ".join(
        f"Options of the suite {other} are {', '.join(flags)}: `{command} --suite {other} --help` explains them."
        for other, flags in flags_of.items()
        if flags and other != suite
    )


def _implied_suite(args: Sequence[str], parse: Callable[[str], Any]) -> str:
    """Return the suite that is meant by a command line without one. `parse` parses it with the options of a suite."""
    from herobench.suite.choice import Clues, first_fitting

    def read_clues(suite: str) -> Clues:
        try:
            values = parse(suite).params
        except _NoSuchOption as error:
            return Clues(value_in(args, "--dataset"), [str(vars(error)["option_name"]).lstrip("-")])
        settings = read_settings(values.get(_SET) or (), {})
        is_grouped, generates = (values.get(name) is not None for name in ("difficulty", "seed"))
        mode = settings.get("mode") or values.get(f"{_SUITE_WORD}mode")
        return Clues(values.get("dataset") or values.get("tasks"), settings, is_grouped, generates, mode)

    return first_fitting(read_clues)


def _refuse_mixed(error: Any, suite: str, args: Sequence[str], find: FindTables) -> None:
    """Raise UsageError for an option of one suite beside those of another, when no suite is named."""
    flags = {other: {f"--{field.name}" for field in _fields_of(find, other)} for other in default_suites()}
    other = next((name for name, own in flags.items() if name != suite and error.option_name in own), None)
    words = [word.partition("=")[0] for word in args]
    own = next((word for word in words if other and word in flags.get(suite, set()) - flags[other]), None)
    if other is None or (own is None and not {"--dataset", "--tasks"}.isdisjoint(words)):  # tasks tell the suite
        return
    advice = f", and {own} of {suite}: give the options of one suite" if own else f": add --suite {other}"
    raise UsageError(f"No such option: {error.option_name}. It is one of the suite {other}{advice}.")


def _unknown(error: Any, suite: str, find: FindTables) -> str:
    """Return the message for an option that a command does not have with a suite."""
    flags = [f"--{field.name}" for field in _fields_of(find, suite)]
    hint = f" Is {' or '.join(error.possibilities)} meant?" if error.possibilities else ""
    its = f"has the options {', '.join(flags)}" if flags else "has no options of its own"
    if find(suite) is None:
        its = "takes its settings by --set NAME=VALUE"
    return f"No such option: {error.option_name}.{hint} The suite {suite} {its}; --help shows all."


def _take_texts(function: Function, suite: str, fields: Sequence[DeclaredOption]) -> Function:
    """Return a command's function that takes the options of a suite too, and hands on their texts."""

    def command(**values: Any) -> None:
        texts = {field.name: values.pop(f"{_SUITE_WORD}{_word(field)}") for field in fields}
        set_texts = {name: text for name, text in texts.items() if text not in (None, False)}
        function(settings=read_settings(values.pop(_SET, None) or (), set_texts), **values)

    by_name = [_optional(_SET, list[str], _set_option())] if getattr(function, "with_set", True) else []
    own = (_of_suite(field, suite) for field in fields)
    defaults = function.defaults(suite) if getattr(function, "defaults", None) else {}  # type: ignore[attr-defined]
    shared = _parameters(function, "settings", defaults=defaults)
    wrapper = _with_parameters(command, function, [*shared, *by_name, *own])
    wrapper.bare_values = {**getattr(function, "bare_values", {}), **_bare_values(fields)}  # type: ignore[attr-defined]
    return wrapper


@cache
def _with_fields(
    function: Function,
    suite: str,
    fields: tuple[DeclaredOption, ...],
    name: str | None,
    about: str | None,
    epilog: str | None,
) -> tuple[Function, Any]:
    """Return a function that takes the options of a suite too, and its command, which is built once per process."""
    whole = _take_texts(function, suite, fields)
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command(name, help=about, epilog=epilog)(whole)
    return whole, typer.main.get_command(app)


def _bare_values(fields: Iterable[DeclaredOption]) -> dict[str, str]:
    """Return the values that options have when they stand alone, by their flags."""
    return {f"--{field.name}": field.option.bare for field in fields if field.option and field.option.bare is not None}


def _with_bare_values(words: Sequence[str], function: Any) -> list[str]:
    """Give each option that stands alone the value that it has then, such as `--fresh`."""
    values: Mapping[str, str] = getattr(function, "bare_values", {})
    return [
        f"{word}={values[word]}" if word in values and not after.lstrip("-").isdigit() else word
        for word, after in zip_longest(words, words[1:], fillvalue="")
    ]


# -- groups -----------------------------------------------------------------------------------------------------------


class Group(typer.Typer):
    """Commands below one word, such as `herobench tasks list`."""

    def __init__(self, about: str | None = None, *, needs_command: bool = True) -> None:
        super().__init__(
            help=about, no_args_is_help=needs_command, add_completion=False, pretty_exceptions_enable=False
        )

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Function], Function]:  # type: ignore[override]
        """Add a function with declared options as a command."""
        return _left_as_it_is(super().command(name, cls=DeclaredCommand, **settings))

    def callback(self, **settings: Any) -> Callable[[Function], Function]:  # type: ignore[override]
        """Take a function with declared options for the word itself."""
        return _left_as_it_is(super().callback(**settings))


def _left_as_it_is(add: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Return a decorator that adds a function as a command, and returns it as it is."""

    def decorate(function: Function) -> Function:
        add(_as_typer_reads(function))
        return function

    return decorate


def _as_typer_reads(function: Function) -> Function:
    """Return a function whose declared options are those of typer. Those of a suite are added when it is called."""

    def command(**values: Any) -> None:
        function(**values)

    command.__wrapped__ = function  # type: ignore[attr-defined]
    return _with_parameters(command, function, _parameters(function, "settings"))


# -- words of a command line ------------------------------------------------------------------------------------------


def read_settings(texts: Iterable[str], by_option: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Read settings from texts such as `rules=paper`, beside those that options of their own give.

    Raise UsageError when a setting is given twice.
    """
    settings = dict(by_option)
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise UsageError(f"A setting is NAME=VALUE, such as rules=paper, and not {text!r}.")
        if name in settings:
            twice = f"as {settings[name]!r} and as {value!r}"
            raise UsageError(f"The setting {name} is given twice, {twice}: leave one out.")
        settings[name] = value
    return settings


def value_in(words: Sequence[str], option: str) -> str | None:
    """Return the value of an option on a command line; of several the last, and None if there is none."""
    value = None
    for word, after in pairwise([*words, ""]):
        if word == option and after:
            value = after
        elif word.startswith(f"{option}="):
            value = word.partition("=")[2]
    return value


def suite_in(words: Sequence[str]) -> str | None:
    """Return the suite that a command line names, or that of the run whose folder it names; None without one.

    A folder to resume may have a run for each lane.
    """
    if suite := value_in(words, "--suite"):
        return suite
    resumed = value_in(words, "--resume")
    lanes = Path(resumed).glob("*/") if resumed else ()
    manifests = map(_manifest, [*map(Path, words), *([Path(resumed)] if resumed else ()), *lanes])
    return next((str(manifest["config"]["suite"]) for manifest in manifests if manifest), None)


def _manifest(folder: Path) -> Mapping[str, Any] | None:
    """Return the run.json of a folder; None if it cannot be read. The command itself reports the fault."""
    try:
        if not (folder / "run.json").is_file():
            return None
        from herobench.runs.folder import RunFolder

        return RunFolder(folder).read_manifest()
    except (HeroBenchError, OSError, ValueError):
        return None
