"""The errors of made tasks, each with its sentence."""

from herobench.data.errors import Fault


class TaskFault(Fault):
    """The kinds of errors of options of tasks, of datasets and of twins."""

    BAD_BUDGET = "The budget is {budget:g}: give a number from {least} to {most}."
    BAD_CRAFT_SHARE = "The share of craft tasks is {share:g}: give a number from 0 to 1."
    BAD_LEVEL = "The hero's level is {level}: give a number from 1 to {most}."
    BAD_NOISE = "The number of noise items is {noise}: give 0 or more."
    BAD_SHARE = "The share of impossible tasks is {share:g}: give a number from 0 to 1."
    BUDGET_AND_CHANCE = "Drops that fall by chance decide how many actions a plan takes: leave out the budget."
    BUDGET_WITHOUT_FACTOR = "The task {id!r} has a budget without a factor, and its twin needs one."
    DIFFICULTY_TWICE = "A difficulty is given twice: give each once."
    DROPS_AT_SCALE = "The task {id!r} has drops at {scale:g} times their rates; twins have {scale_of_twins:g}."
    IMPOSSIBLE_AND_NEEDED = (
        "A task that tells only what it needs shows at once which closed place matters: ask for impossible tasks "
        "with the knowledge 'world'."
    )
    IMPOSSIBLE_CRAFT = (
        "What a craft needs stands in its recipe, which shows at once which closed place matters: ask for "
        "impossible tasks with kills."
    )
    MONSTER_OF_CRAFT = "A craft task has no monster: leave out the monster, or ask for kill tasks."
    NOT_SHIPPED = (
        "The dataset {name!r} is not shipped: give one of {datasets}, or generate it with `herobench generate "
        "--dataset`."
    )
    NO_DATASET = "There is no dataset {name!r}: give one of {datasets}."
    NO_DIFFICULTIES = "No difficulty is given: give numbers from 1 to {most}."
    NO_DIFFICULTY = "There is no difficulty {number}: give numbers from 1 to {most}."
    NO_FAMILY = "There is no family {name!r}: give some of {families}."
    NO_ITEM = "There is no item {item!r} in the world {code!r}."
    NO_MONSTER = "There is no monster {name!r} in the world {code!r}: try one of {near}."
    NO_SHORTCUT = "There is no shortcut {rule!r}: give one of {rules}."
    NO_TASK = "No {asked} could be made in the world {code!r}: {advice}."
    NO_TWIN = (
        "The task {id!r} can have no twin in the world {code!r}, which has no task of its bracket with the same "
        "kind, knowledge and mechanics: a larger world may have one."
    )
    OPTIONS_FIXED = "--{option} fixes all options of its tasks: leave out --{name}."
    PLAYER_OF_PLANS = "The player {name} makes whole plans and calls no tools: take oracle, or another agent."
    READ_TWICE = "A datasheet reads its file twice, for the tasks and for the digest: give a file, not -."
    STRAIGHT_AND_CHANCE = "No straight plan can react to drops that fall by chance: ask for one of the two."
    TOO_MUCH_NOISE = "{noise} noise items are too many: the world {code!r} has names for {most}; ask for fewer."
