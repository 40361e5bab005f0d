"""The errors of the suite autumn, each with its sentence."""

from herobench.data.errors import Fault


class AutumnFault(Fault):
    """The kinds of errors of the suite autumn."""

    BAD_PROGRAM = "{file}: {error}"
    EPISODE_OVER = "The episode is over: {ending}."
    NONE_CHOSEN = "There are {count} challenges, and none of them fits {filters}."
    NO_ACTION = (
        "{text!a} is no action: expected 'left', 'right', 'up', 'down', 'noop' or 'click COLUMN ROW', such as "
        "'click 3 4'."
    )
    NO_CONDITION = "The program has no condition: give one to Program.from_text."
    NO_ENVIRONMENT = "There is no environment and no folder {name!r}: the environments are {names}."
    NO_FAMILY = "The environment {name} gives only these families: {families}."
    PACE_OF_PEOPLE = "The option pace=real of the suite autumn is for people, in the mode {mode}."
    TOO_LONG = "A session has at most {most:,} actions: give total={most} or less."
