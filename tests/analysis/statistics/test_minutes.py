"""How long people took for what they won, by doublings of the lengths."""

from math import nan

from herobench.analysis.statistics.minutes import WonMinutes, minutes_facts, minutes_of_wins


def test_minutes_are_medians_of_wins_in_each_doubling_of_the_lengths() -> None:
    attempts = [(4.0, 1.0, 60.0), (7.0, 1.0, 120.0), (5.0, 1.0, 600.0), (5.0, 0.0, 6.0), (8.0, 1.0, 300.0)]
    unknown = [(None, 1.0, 60.0), (8.0, 1.0, None), (8.0, None, 60.0), (nan, 1.0, 1.0), (8.0, 1.0, nan)]
    found = minutes_of_wins([*attempts, *unknown])
    assert found == [WonMinutes(4, 7, 3, 2.0), WonMinutes(8, 15, 1, 5.0)]
    assert minutes_facts(found, "decisions") == {
        "minutes, 4 to 7 decisions": "2.0 (median of 3 won)",
        "minutes, 8 to 15 decisions": "5.0 (median of 1 won)",
    }
    assert minutes_of_wins([(5.0, 0.0, 6.0)]) == []
