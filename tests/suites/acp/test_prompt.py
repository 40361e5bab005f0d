"""The prompts: published words as published, and our own where none are."""

from herobench.suites.acp.prompts.prompt import QuestionStyle
from herobench.suites.acp.questions.questions import TASKS, shots
from tests.sizes import for_each
from tests.suites.acp.asked import lamps, of


@for_each("task", TASKS)
def test_a_plain_prompt_is_context_question_and_published_instruction(task: str) -> None:
    question = next(of(task))
    (message,) = QuestionStyle(shots="zero").messages(question)
    told = f"{question.context} {question.question} {shots()[task]['instruction']}"
    assert (message.role, message.text) == ("user", told.strip())


@for_each("task", TASKS)
def test_the_two_examples_are_earlier_turns(task: str) -> None:
    question = next(of(task))
    messages = list(QuestionStyle().messages(question))
    assert [message.role for message in messages] == ["user", "assistant"] * 2 + ["user"]
    assert [message.text for message in messages[1::2]] == [shot["answer"] for shot in shots()[task]["shots"]]
    assert messages[-1:] == list(QuestionStyle(shots="zero").messages(question))
    assert all(message.text.endswith(shots()[task]["instruction"]) for message in messages[::2])


def test_pddl_takes_the_place_of_the_context_or_stands_beside_it() -> None:
    question = lamps("app")
    (pddl,) = QuestionStyle("pddl", "zero").messages(question)
    (both,) = QuestionStyle("both", "zero").messages(question)
    for message in (pddl, both):
        assert question.pddl_domain.strip() in message.text
        assert question.pddl_problem.strip() in message.text
        assert message.text.endswith(f"What? {shots()['app']['instruction']}")
    assert "Lamps." not in pddl.text
    assert both.text.startswith("Lamps.\n\n")


def test_a_chain_of_thought_ends_with_a_marked_answer() -> None:
    style = QuestionStyle(shots="few", thought="cot")
    messages = list(style.messages(lamps("app")))
    assert messages[1].text == f"Final answer: {shots()['app']['shots'][0]['answer']}"
    assert "Final answer:" in messages[-1].text


@for_each(
    ("response", "answer"),
    [
        ("I see (a b). Final answer: (c d)", " (c d)"),
        ("**Final Answer**: (c d)", " (c d)"),
        ("Final answer: (a)\nNo.\nFinal  answer: (b)", " (b)"),
        ("(a b)", "(a b)"),
    ],
)
def test_only_the_last_marked_answer_of_a_chain_of_thought_is_graded(response: str, answer: str) -> None:
    assert QuestionStyle(thought="cot").answer_in(response) == answer
    assert QuestionStyle().answer_in(response) == response
