"""The errors of the suite acp, each with its sentence."""

from herobench.data.errors import Fault


class AcpFault(Fault):
    """The kinds of errors of the suite acp."""

    FOREIGN_DOMAIN = "No question of --twin-of {split} is of the domain {domain}: leave out --domain {domain}."
    NONE_PUBLISHED = "There is no published question of the split {split} to make a twin of: choose others."
    NOT_PUBLISHED = "The question {key} is not a published one, so it has no twin."
    NO_CHOICE = "The option {option} of the suite acp is some of {choices}, and {foreign!r} is none of them."
    NO_DOMAIN = "--domain is {domain!r}: give some of {names}, or folders of PDDL files such as ./towers."
    NO_GRADING = "An answer is graded by reference or by sound, and not by {how!r}."
    NO_QUESTION = "There is no question of {description}: name others with --set."
    NO_DRAW = (
        "No {more}question of the task {task} can be proven on {domain} within {draws} draws: ask for fewer "
        "questions, other tasks, or give more or smaller problems."
    )
    NO_SHORTCUT = "There is no shortcut {rule!r}: give one of {rules}."
