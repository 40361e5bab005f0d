"""The errors of the suite discover, each with its sentence."""

from herobench.data.errors import Fault


class DiscoverFault(Fault):
    """The kinds of errors of the suite discover."""

    TOO_MANY = "A seed has {most:,} mysteries: ask for fewer."
    NO_ORDER = "The player rote takes the order `shuffled` or none, not {name!r}."
