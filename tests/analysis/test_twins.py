from herobench.analysis.twins import are_twins, paired_names
from tests.analysis.samples import sample, table_of

PUBLIC = table_of(sample("5/1_Lich_kill", True), sample("5/2_Imp_kill", False))
PRIVATE = table_of(
    sample("5/2_Gor_kill", True, twin_of="5/2_Imp_kill"), sample("5/1_Imp_kill", True, twin_of="5/1_Lich_kill")
)
OTHER = table_of(sample("5/1_Zed_kill", False, twin_of="5/1_Lich_kill"), sample("6/1_Zed_kill", False, twin_of="6/9"))


def test_a_twin_goes_by_the_name_of_its_original_wherever_that_is_known() -> None:
    assert paired_names(PUBLIC, PRIVATE) == ["5/1_Lich_kill", "5/2_Imp_kill"]
    assert paired_names(PRIVATE, PUBLIC) == ["5/2_Imp_kill", "5/1_Lich_kill"]
    assert paired_names(OTHER, PRIVATE) == ["5/1_Lich_kill", "6/1_Zed_kill"]


def test_runs_on_the_same_twins_meet_too() -> None:
    assert paired_names(PRIVATE, PRIVATE) == ["5/2_Imp_kill", "5/1_Lich_kill"]


def test_it_is_known_whether_there_are_twins() -> None:
    assert are_twins(PRIVATE, PUBLIC)
    assert not are_twins(PUBLIC, PRIVATE)
    assert not are_twins(PUBLIC, PUBLIC)
