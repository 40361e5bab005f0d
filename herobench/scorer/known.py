"""Refuses a knob that neither the scorer nor the suite knows, and names all that are known."""

from __future__ import annotations

from difflib import get_close_matches

from herobench.checked_suite import suite_modes, suite_run_options
from herobench.errors import LONGEST_MISSPELT, UsageError, quoted
from herobench.generating import generator_of
from herobench.scorer.wanted import OWN, Wanted


def refuse_unknown(wanted: Wanted) -> None:
    """Raise UsageError for an unknown knob. A suite that declares no settings reads them itself, and may take any."""
    declared = suite_run_options(wanted.suite)
    if declared is None:
        return
    settings = [option.name for option in declared]
    if suite_modes(wanted.suite) and "mode" not in settings:
        settings.append("mode")
    others = [name for name, _ in wanted.others if name not in settings]
    if not others:  # a generator is slow to load
        return
    generator = generator_of(wanted.suite)
    made = [option.name for option in generator.options if option.name not in settings] if generator else []
    for name in others:
        if name not in made:
            raise UsageError(_unknown(wanted.suite, name, settings, made))
        if wanted.seed is None:
            raise UsageError(f"{_spelt(name)} is a knob of tasks that are made anew: give a seed too.")


def _unknown(suite: str, name: str, settings: list[str], made: list[str]) -> str:
    """Return what to say of an unknown knob."""
    # a generator's own difficulty is that of all suites
    anew = [_spelt(each) for each in made if each not in OWN]
    named = [*OWN, *map(_spelt, settings), *anew]
    near = get_close_matches(_spelt(name)[:LONGEST_MISSPELT], named, 1)
    parts = [
        f"there are {', '.join(OWN)}",
        f"of the suite {suite} {', '.join(map(_spelt, settings))}" if settings else "",
        f"with a seed {', '.join(anew)}" if anew else "",
    ]
    told = "; ".join(filter(None, parts))
    advice = f"is {near[0]} meant? {told[0].upper()}{told[1:]}" if near else told
    return f"There is no knob {quoted(_spelt(name))}: {advice}."


def _spelt(name: str) -> str:
    """Return a knob as other tools spell it: most take names of Python alone."""
    return name.replace("-", "_")
