"""The errors of scorers and of what they are asked, each with its sentence."""

from herobench.data.errors import Fault


class ScorerFault(Fault):
    """The kinds of errors of scorers and of what they are asked."""

    BAD_ANSWER = "An answer is a text or the turns of a conversation, and not a {kind}."
    BAD_EPOCH = "epoch is {epoch}: give a whole number of 0 or more."
    BAD_FIELD = "{field} is {value}: {error}."
    BAD_PAIR = "A verdict is {told}: give a pair of a task's id, and whether it was won."
    BAD_GAMMA = "gamma is {gamma}: give a number above 0, and 1 at most."
    BAD_LENGTH = "The length of {task_id} is {length}: a number above 0 is needed."
    BAD_PREFIX = "prefix is {prefix}: give a list of turns, or a number of turns."
    BAD_REWARD = "reward is {reward}: give one of {rewards}."
    BAD_TURN = "A turn is a text or a message of the assistant, and not a {kind}."
    BAD_SHARE = "The verdict on {task_id} is {told}: give True, False, a share of wins from 0 to 1, or None."
    EMPTY_FRONTIER = "A frontier needs tasks, and there are none."
    EMPTY_MESSAGE = "A message of the assistant has content or tool_calls, and not only {message}."
    KNOB_WITHOUT_SEED = "{name} is a knob of tasks that are made anew: give a seed too."
    LONG_PREFIX = "The prefix has {turns:,} turns, and the attempt at {task_id} is over after {most:,}: give fewer."
    MANY_TURNS = "The suite {suite} is played in many turns, and this tool asks for one reply alone."
    MODE_OF_TURNS = "This tool asks for one reply alone: leave out mode={mode} of {suite}."
    NOT_IN_FRONTIER = "There is no task {task_id} among the {count} tasks of the frontier."
    NO_SUCH_KNOB = "The suite {suite} makes no tasks by {name}: leave it out."
    NO_TASK = "There is no task {task_id} among the {count} tasks of {dataset}."
    READ_TWICE = "Tasks of the suite {suite} are read more than once: write them to a file first."
    SEED_AND_TASKS = "A seed makes tasks anew: leave out the dataset and the tasks file."
    TASKS_AND_DATASET = "tasks and dataset both say which tasks: leave one out."
