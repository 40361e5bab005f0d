"""The errors of runs, each with its sentence."""

from herobench.data.errors import Fault


class RunFault(Fault):
    """The kinds of errors of runs."""

    AGENT_FAILS = "The agent fails at {task_id} before it asks: {fault}."
    AGENT_OF_OTHER_SUITES = "The agent {agent} plays {suites} only, not {suite}."
    AGENT_WITHOUT_MODE = "The agent {agent} does not play the mode {mode}, only {played}."
    BAD_SEED = "A seed of fresh twins is a whole number from 0 to {most_exact}, and not {seed}."
    CACHE_OF_PLAYER = "The model {model} is not served, so a cache cannot help: leave --cache out."
    FOREIGN_ATTEMPTS = "{told}, such as {task_id}, epoch {epoch}."
    FOREIGN_TASK = "{place}: {task_id} is not among the tasks of the run."
    IN_USE = "Another process works on {path}: wait for it, or use another folder."
    KEY_IN_OPTION = "{option} has the key in it and would be kept: the key goes into the environment alone."
    MAKES_ITS_TASKS = "A run that makes its tasks is there: herobench run --resume {folder}"
    NAME_OF_PLAYER = "{model} is a player of the suite {suite}: a person needs another name."
    NOT_EMPTY = "{path} is no run, and not empty: {names} is in it."
    NO_COMMON_MODE = "The agent {agent} plays {played}, and the suite {suite} has {modes}."
    NO_LIMIT = "This run makes its tasks as they are needed, without end: give --until a limit."
    NO_MODE = "The suite {suite} has no mode {mode!r}: its modes are {modes}."
    NO_MODEL = "Say which model to run: --model NAME, or --model oracle to see how it goes."
    NO_PRICE = "A cost limit needs the model's price, and {prices} has none for {model}: add it."
    NO_PRICES = "A cost limit needs the model's price: give --prices FILE."
    NO_RUN = "{path} is no run: there is no run.json in it."
    OTHER_CONFIGURATION = (
        "The run began with other options, and resumes only with the same ones. Give those, or another folder by -o:"
    )
    OTHER_SCORES = "{told}: write other scores to a file, -o FILE."
    OTHER_SUITE = "The run is of the suite {suite}, not of {name}."
    ROUND_NOT_MADE = "run.json has {task_id!r} in $.rounds, and no such task can be made."
    ROUND_WITHOUT_TASK = "run.json has {task_id!r} in $.rounds, and the run has no such task."
    BODY_NOT_KEPT = "A part of the run's --extra-body is secret and was not kept: give it again."
    URL_NOT_KEPT = "A part of the run's --base-url is secret and was not kept: give it again."
    SHARD_OF_ROUNDS = "--until chooses tasks by all verdicts so far, and a shard has only its own: leave one out."
    SMALL_CONTEXT = (
        "No task fits a context of {context:,} tokens: the shortest prompt with a reply of {reply:,} needs {least:,}. "
        "Name a larger context, lower --max-tokens, or choose tasks with shorter prompts."
    )
    TASKS_AND_DATASET = "--tasks and --dataset both say which tasks: leave one out."
    TASKS_ARE_DATASET = "There is no file {name}, but a set of the suite {suite} has this name: --dataset {name}."
    TASKS_MISSING = "{count} of the run's tasks are not in {tasks}: {names}."
    TOO_MANY_SHARDS = "{tasks} tasks cannot be shared among {parts} shards: make fewer of them."
