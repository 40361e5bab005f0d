"""The lenient parser: what it reads, drops and supplies, exactly as the reference harness does."""

from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.acp.questions.lenient import ACTION, ACTION_OR_NONE, ACTIONS, EFFECTS, INDEX, AnswerMachine
from tests.sizes import for_each


@for_each(
    ("text", "read"),
    [
        ("[(a b), (c d)]", ("(a b)", "(c d)")),
        ("1. (a b) and (c d); `(e)`", ("(a b)", "(c d)", "(e)")),
        ("(a b)(c d)", ("(a b)", "(c d)")),
        ("( a b) (a  b) (a, b) (\"a\" b)", ("(a b)",) * 4),
        ("a(b, c)", ("(b c)",)),
        ("a b", ()),
        ("None", ()),
        ("[]", ()),
        ("", ()),
        ("(all of them): (a b)", ("(all of them)", "(a b)")),
        ("(not (a b))", ("(not a b)",)),
        ("(a b ) (c d)", ("(a b c d)",)),  # the blank swallows the bracket
        ("(a b) (c d", ("(a b)", "(c d)")),  # a bracket is supplied
        ("(a\tb)", ("(a)",)),
        ("(f3-2f x_1 7up)", ("(f3-2f x_1 up)",)),
        ("(None a)", ("(None a)",)),
    ],
)  # fmt: skip
def test_lists_of_actions(text: str, read: tuple[str, ...]) -> None:
    assert ACTIONS.read(text) == (read,)


@for_each("text", ["(a b) (", "(a ", "(a b "])
def test_a_list_that_ends_where_a_name_is_due_cannot_be_read(text: str) -> None:
    assert ACTIONS.read(text) is None


@for_each(
    ("text", "read"),
    [
        ("None", "None"),
        ("The answer is None.", "None"),
        ("Nonetheless, all can be reached", "None"),
        ("x=None", "None"),
        ("None (a b)", "None"),
        ("(a b) None", "(a b)"),
        ("aNone (a b)", "(a b)"),
        ("<think>(x y)</think>(a b)", "(x y)"),
        ("(a b", "(a b)"),
        ("(None)", "(None)"),
        ("none", None),
        ("NONE", None),
        ("a b", None),
        ("", None),
        ("(", None),
    ],
)
def test_an_action_or_none(text: str, read: str | None) -> None:
    assert ACTION_OR_NONE.read(text) == (((read,),) if read else None)


@for_each(("text", "read"), [("None (a b)", "(a b)"), ("None", None), ("(a b) (c d)", "(a b)"), ("(a b )", None)])
def test_an_action_is_never_none(text: str, read: str | None) -> None:
    assert ACTION.read(text) == (((read,),) if read else None)


@for_each(
    ("text", "read"),
    [
        ("14", "14"),
        ("Step 1 is fine. Answer: 14", "1"),
        ("f3-2f 7", "3"),
        ("-1", "1"),
        ("4.5", "4"),
        ("014", "014"),
        ("four", None),
        ("\uff11\uff14", None),
        ("", None),
    ],
)
def test_an_index(text: str, read: str | None) -> None:
    assert INDEX.read(text) == (((read,),) if read else None)


@for_each(
    ("text", "read"),
    [
        ("[(a)] [(b), (c)]", (("(a)",), ("(b)", "(c)"))),
        ("[(a)][(b)]", (("(a)",), ("(b)",))),
        ("[[(a)], [(b)]]", (("(a)",), ("(b)",))),
        ('{"pos": ["(a)"], "neg": ["(b)"]}', (("(a)",), ("(b)",))),
        ("[(a)] [(b)] [(c)]", (("(a)",), ("(b)",))),
        ("[] [(b)]", ((), ("(b)",))),
        ("[(a) (b)] []", (("(a)", "(b)"), ())),
        ("[(a) (b), (c)] []", (("(a)", "(b)", "(c)"), ())),
        ("[(a), (b) (c)] []", (("(a)", "(b)"), ())),  # once there are commas, an action needs one
        ("[(a)] [(not (b))]", (("(a)",), ("(not b)",))),
        ("[(a)]", None),
        ("(a) ; (b)", None),
        ("[(a),] [(b)]", None),
        ("[(a)] [(b)", None),
        ("[(a)] [(b", None),
        ("", None),
    ],
)
def test_two_lists_of_effects(text: str, read: tuple[tuple[str, ...], ...] | None) -> None:
    assert EFFECTS.read(text) == read


MACHINES = (ACTIONS, ACTION, ACTION_OR_NONE, INDEX, EFFECTS)
PIECES = st.sampled_from([*"()[], -_19é\t\n", "None", "none", "a", "x-1", "(a b)", "] ["])


@given(st.sampled_from(MACHINES), st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map("".join)))
def test_every_text_is_read_to_its_end_or_refused(machine: AnswerMachine, text: str) -> None:
    found = machine.read(text)
    assert found is None or all(isinstance(item, str) for items in found for item in items)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_what_was_read_is_read_again_as_the_same(text: str) -> None:
    found = ACTIONS.read(text)
    assert found is None or ACTIONS.read(" ".join(found[0])) == found


def test_a_long_text_is_read_in_one_pass() -> None:
    assert ACTIONS.read("(a b) " * 50_000) == (("(a b)",) * 50_000,)
    assert ACTION_OR_NONE.read("x " * 200_000) is None
