"""The errors of samples that are read, shown and written, each with its sentence."""

from herobench.data.errors import Fault


class SampleFault(Fault):
    """The kinds of errors of samples."""

    BAD_VALUES = "The column {name} cannot be written as {type}; it has values such as {examples}."
    NAMED_TWICE = "{path} is named twice."
    ONE_NAME = "{times} runs of a report are called {name!r}: links to their samples would be the same."
    OUTPUT_IS_READ = "{output} is read: choose another file to write."
    SEVERAL_SUITES = "These samples are of several suites, which do not compare: {suites}. Choose one with --suite."
