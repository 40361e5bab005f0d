"""The errors of suites, plugins and the choice of tasks, each with its sentence."""

from herobench.data.errors import Fault


class SuiteFault(Fault):
    """The kinds of errors of suites, plugins and the choice of tasks."""

    BAD_PART = "{where}: {part}: {fault}."
    NONE_CHOSEN = "None of the {count} tasks is in what was chosen{why}."
    NO_ARGUMENT = "The model {model} takes no argument, and {argument!r} is one."
    NO_DATASET = "The suite {suite} has the {datasets}, and no dataset {name!r}."
    NO_LENGTHS = "Tasks are chosen by their lengths, and those of the suite {suite} have none."
    NO_PARTS = "{where}: expected a sequence of {module}.Part."
    NO_PLAYER = "The suite {suite} has no player {name!r}: give one of {players}."
    NO_PLUGIN = "There is no {name} among {group}: {advice}"
    NO_TASKS_FILES = "The suite {suite} reads no tasks files, only its dataset {dataset}: leave --tasks out."
    NO_TASK_FITS = "No task fits {pattern}: the nearest are {near}."
    NO_TWINS = "The suite {suite} makes no private twins of its tasks: leave --fresh out."
    OF_INPUT = "Standard input does not tell of which suite its tasks are: add {suites}."
    OF_SEVERAL = "The suites {suites} all have a dataset {name!r}: add --suite {first}, or another one."
    ONE_MACHINE = (
        "The suite {suite} makes its tasks one after the other, on one machine: herobench generate "
        "--suite {suite} without --on makes them."
    )
    PART_TWICE = "The suites {first} and {suite} both have a part {part} of a checkup."
