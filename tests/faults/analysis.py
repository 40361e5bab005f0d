"""Faults in the statistics."""

from tests.faults.fault import Fault

_INTERVAL = "analysis/reading/interval.py"
_RATES = "analysis/statistics/rates.py"
_PAIRED = "analysis/statistics/paired.py"

FAULTS = (
    Fault("interval-empty", _INTERVAL, "return 0.0, 1.0", "return 0.0, 0.0", "analysis/reading/test_interval.py"),
    Fault(
        "interval-freedom",
        _INTERVAL,
        "/ 2, tasks - 1)",
        "/ 2, samples - 1)",
        "analysis/reading/test_interval.py analysis",
    ),
    Fault(
        "interval-added",
        _INTERVAL,
        "size * (size + _ADDED) / (size * share + _ADDED)",
        "size / max(share, 1e-9)",
        "analysis/statistics/test_epochs.py",
    ),
    Fault(
        "epochs-size",
        "analysis/statistics/rates.py",
        "sum(len(group) ** 2 for group in groups.values())",
        "found.samples",
        "analysis/statistics/test_epochs.py",
    ),
    Fault(
        "epochs-factor",
        "analysis/statistics/rates.py",
        "sqrt(len(groups) / (len(groups) - 1) * squares)",
        "sqrt(squares)",
        "analysis/statistics/test_epochs.py",
    ),
    Fault("rates-all", _RATES, "comb(c, k) / comb(n, k))", "(c / n) ** k)", "analysis/statistics/test_rates.py"),
    Fault(
        "rates-one",
        _RATES,
        "(comb(n, k) - comb(n - c, k)) / comb(n, k)",
        "1 - (1 - c / n) ** k",
        "analysis/statistics/test_rates.py",
    ),
    Fault(
        "paired-sign",
        _PAIRED,
        "range(min(better, worse) + 1)",
        "range(min(better, worse))",
        "analysis/statistics/test_paired.py",
    ),
    Fault(
        "paired-rounding",
        _PAIRED,
        "0.0 if isclose(first, second, rel_tol=_ROUNDING) else first - second",
        "first - second",
        "analysis/statistics/test_paired.py",
    ),
    Fault(
        "summary-tokens",
        "analysis/statistics/summary.py",
        "group.tokens / group.with_tokens",
        "group.tokens / group.count",
        "analysis/statistics/test_summary.py",
    ),
    Fault(
        "waste-moves",
        "analysis/suites/rpg/reading.py",
        "max(0, idle_moves - 1)",
        "idle_moves",
        "analysis/suites/rpg/test_reading.py",
    ),
    Fault(
        "calls-asked-again",
        "analysis/samples/calls.py",
        '{row["call"]: row for row in rows',
        '{row["call"]: row for row in reversed(list(rows))',
        "analysis/samples/test_calls.py",
    ),
    Fault(
        "calls-beyond",
        "analysis/samples/calls.py",
        'row["call"] < count',
        'row["call"] <= count',
        "analysis/samples/test_calls.py",
    ),
    Fault(
        "modes-together",
        "analysis/suites/rpg/reading.py",
        'separates = ("track", "mode")',
        'separates = ("track",)',
        "cli/test_analyze.py",
    ),
    Fault(
        "talk-room",
        "analysis/report/talk.py",
        "self._left -= len(kept)",
        "self._left -= 0",
        "analysis/report/test_talk.py",
    ),
)
