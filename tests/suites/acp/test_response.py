"""How responses are prepared for the parser, and in what the sound reading differs."""

from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.acp.questions.lenient import answer_text, read_as_reference, read_soundly
from herobench.suites.acp.questions.questions import TASKS
from tests.sizes import for_each


@for_each(
    ("task", "response", "read"),
    [
        ("app", "(a\nb)", (("(ab)",),)),  # a line break is deleted, so names merge
        ("val", "1\n4", (("14",),)),
        ("app", "  (a b ", (("(a b)",),)),  # the end is stripped
        ("prog", "Positive effects: (a)\nNegative Effects: (b)", (("(a)",), ("(b)",))),
        ("prog", "**Positive Effects**: [(a)] **Negative effects**: [(b)]", (("(a)",), ("(b)",))),
        ("prog", "Negative effects: (b) positive effects: (a)", None),
        ("prog", "[(a)] [(a)]", (("(a)",),)),  # equal lists: the second is lost
        ("prog", "[(a), (b)] [(b), (a)]", (("(a)", "(b)"), ("(b)", "(a)"))),
        ("prog", "[] []", ((),)),
        ("just", "I leave out (x). **Simplified Plan:** (A b)", (("(a b)",),)),
        ("just", "simplified plan: (a) Simplified plan: (b)", (("(a)",),)),
        ("just", "(A b)", (("(A b)",),)),
        ("nexta", "none", None),
    ],
)
def test_the_reference_reading(task: str, response: str, read: object) -> None:
    assert read_as_reference(task, response) == read


@for_each(
    ("task", "response", "read"),
    [
        ("app", "(a\nb)  (c\td)", (("(a b)", "(c d)"),)),
        ("app", "(a b ) (c d )", (("(a b)", "(c d)"),)),
        ("prog", "[(a)] [(a)]", (("(a)",), ("(a)",))),
        ("reach", "none", (("None",),)),
        ("land", "**NONE.**", (("None",),)),
        ("areach", "None of them is sure; none", (("None",),)),
        ("reach", "As none of them moves: (a b)", (("(a b)",),)),  # an answer comes before a lower-case none
        ("reach", "nonesuch", None),
        ("nexta", "none", None),
        ("val", "1\n4", (("14",),)),
    ],
)
def test_the_sound_reading(task: str, response: str, read: object) -> None:
    assert read_soundly(task, response) == read


@given(st.sampled_from(TASKS), st.text(alphabet="()[],ab1 \n\tNone:positvegafcsmld*", max_size=60))
def test_no_response_breaks_a_reading(task: str, response: str) -> None:
    for read in (read_as_reference, read_soundly):
        found = read(task, response)
        assert found is None or answer_text(found) is not None


def test_an_answer_is_shown_on_one_line() -> None:
    assert answer_text(None) is None
    assert answer_text((("(a b)", "(c)"),)) == "(a b), (c)"
    assert answer_text(((),)) == ""
    assert answer_text((("(a)",), ("(b)", "(c)"))) == "[(a)] [(b), (c)]"
