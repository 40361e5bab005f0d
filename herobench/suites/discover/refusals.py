"""The errors of the suite discover, each with its sentence."""

from herobench.data.errors import Fault


class DiscoverFault(Fault):
    """The kinds of errors of the suite discover."""

    NO_MYSTERY = "No mystery was found for number {number} of the seed {seed}: take another seed."
    NO_TWIN = "No twin of {id!r} was found with the seed {seed}: take another seed."
    TOO_MANY = "A seed has {most:,} mysteries: ask for fewer."
