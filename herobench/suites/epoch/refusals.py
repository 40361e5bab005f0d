"""The errors of the suite epoch, each with its sentence."""

from herobench.data.errors import Fault


class EpochFault(Fault):
    """The kinds of errors of the suite epoch."""

    BAD_GATES = "Roads have from {fewest} to {most} gates, and not {gates}."
    BAD_LIMITS = "The hours that win are from 1 to 2 times the least hours, and not {limit}."
    BAD_SIGHT = "sight takes how many actions it looks ahead, from 1 to {most}, such as sight:2, and not {argument!r}."
    GAME_OVER = "The game is over: {stop}."
    NONE_CHOSEN = "There are {count} levels, and none with a number of {numbers}."
    NO_CALLS = "{path} is no run: a trace needs the calls in a run's folder."
    NO_DRAFT = (
        "No road of {gates} gates with traps of the reach {reach} was found in {drafts} drafts: give a smaller "
        "limit or reach, or another seed."
    )
    NO_EPOCH = "{name} has no game of {level} in epoch {epoch}: it has epochs {epochs}."
    NO_GAME = "{name} has no game of the level {level!r}. Its levels: {levels}."
    NO_LEVEL = "There is no level {id}: the levels are {levels}."
    NO_NUMBERS = "The option levels of the suite epoch has numbers such as 1-3 or 1,4-6, and not {text!r}."
    OTHER_SUITE = "{name} is a run of the suite {suite}, and not of {own}."
