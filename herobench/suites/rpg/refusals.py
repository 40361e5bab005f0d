"""The errors of the suite rpg and its worlds, each with its sentence."""

from herobench.data.errors import Fault


class RpgFault(Fault):
    """The kinds of errors of the suite rpg."""

    CHANCE = "A road with chance is answered by a policy: {advice}."
    LANE_IN_OTHER_MODE = "The lane {lane} is asked in the mode {mode} only: in others the game tells more."
    LANE_NOT_READ = "The agent does not read the prompt of the lane {lane}: ask one-shot or best-of:N."
    NAME_IS_EMPTY = "A world's name is empty: give a shipped world or a folder."
    NAME_OF_OPTION = "The folder cannot be called {name!r}: a name with a dash first is read as an option."
    NAME_OF_WORLD = "The folder cannot be called {name!r}, which is the name of another world: name another."
    NOT_CERTIFIED = "Plans of the suite {suite} are not repaired: it has no certified plans."
    NOT_EMPTY = "The folder {folder} is not empty: name an empty folder or a new one."
    NOT_SCORED_BY = "Answers of the suite rpg are scored by world, names and rules, and not by {option!r}."
    NO_CODE = "The name {name!r} has no letter from a to z and no digit to make a code of: give a --name."
    NO_DOCUMENTS = "{shown} is no world: it has no world.json{ending}"
    NO_FOLDER = "{file} is a file, and a world is a folder: name another folder."
    NO_LEVEL = "There is no level {level} under {rules} rules: give one from 1 to {most}."
    NO_RULES = "There are no rules {name!r}: give one of {editions}."
    NO_RUN = "There is no run at {path}."
    NO_TASK_TO_REPAIR = "The run's folder has no task {task_id!r}: repairs need tasks.jsonl as it was."
    NO_THING = "There is no {what} {text!r}: {advice}"
    NO_TILE = "There is no tile at {x}, {y}: see map.json of the world for the tiles."
    NO_WORLD = "There is no world {name!r}: give a folder, or one of {known}."
    ROWS_ONLY = "{path} is a file of rows: repairs need the folder of a run, with its tasks."
    WORLD_CHANGED = "The run's {file} was changed and is no world: name the world with --world."
