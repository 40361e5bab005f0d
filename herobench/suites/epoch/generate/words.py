"""The words of drawn levels: names of people, places and things, and a small grammar of sentences.

Names are lower case with hyphens, as PDDL has them. Each sentence is true of the part of the level that it goes with.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EPOCHS = ("past", "present", "future")

PEOPLE = tuple(
    "hester milo quill ada bruno celia dorian edith felix greta hugo iris jonas klara leopold mina nestor olive pavel "
    "rosa silas thea ulric vera wanda".split()
)
PLACES = tuple(
    "mill orchard quarry chapel tower cellar market library harbour garden foundry stable archive bakery bridge "
    "lighthouse museum theatre hospital school kitchen workshop observatory granary dairy brewery cloister barn "
    "pharmacy smithy laundry greenhouse infirmary armoury ropery tannery pottery printery customs-house boathouse "
    "clubhouse guildhall mint treasury hermitage vineyard apiary kennel aviary cistern ice-house pumphouse sawmill "
    "weir jetty kiln glassworks tollhouse watchhouse gatehouse almshouse beacon shrine scriptorium refectory".split()
)
CORRIDORS = tuple(
    "lane stairs corridor alley passage path arcade tunnel footbridge ramp gallery towpath colonnade landing "
    "courtyard hedgewalk causeway cutting steps walkway porch vestibule terrace ledge yard".split()
)
GREENS = tuple("green meadow hillside common glade park paddock riverbank square lawn clearing heath".split())
ROCKS = tuple("boulder menhir obelisk monolith cliff milestone cairn slab pillar dolmen".split())
METALS = tuple(
    "iron brass copper silver tin bronze pewter steel lead zinc nickel golden bone horn wooden ivory amber jade "
    "crooked notched twisted slender heavy tiny rusty blackened painted ringed forked hollow".split()
)
TREES = tuple("oak ash elm beech birch linden maple rowan chestnut alder willow larch hazel poplar".split())
CARVERS = tuple("chisel burin graver punch stone-saw pickaxe drill scorper".split())
CONTAINERS = tuple("chest cabinet strongbox trunk safe coffer locker casket".split())
COLOURS = tuple("green red blue grey white black yellow brown painted carved".split())
PAPERS = tuple("almanac atlas ledger treatise newspaper map diary census chronicle herbal".split())
TREASURES = tuple(
    "lantern compass violin barometer telescope bell crown hourglass clock kite medal music-box sextant statue vase "
    "amulet goblet mirror puppet abacus".split()
)
JUNK = tuple(
    "horseshoe umbrella feather teapot bucket thimble broom candle spoon walking-stick hatbox ribbon brick lampshade "
    "doorknob inkwell cushion basket whistle kettle".split()
)
FOUNDERS = tuple("founder chancellor lawgiver regent stadtholder consul".split())

SENTENCES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "goal-has": (
            "{Who} in the {epoch} needs the {item}.",
            "Nothing will do for {Who} in the {epoch} but the {item}.",
        ),
        "goal-opened": (
            "In the {epoch} the {lock} has been shut for as long as anyone remembers. It has to be opened.",
            "The {lock} in the {epoch} has to be opened.",
        ),
        "goal-at": (
            "{Who} has to get to the {place}, and the way is closed.",
            "The {place} is closed, and {Who} has business there.",
        ),
        "goal-knows": (
            "{Who} in the {epoch} has to learn the code that belongs on the {stone}.",
            "There is a code that belongs on the {stone}. {Who} in the {epoch} has to read it there.",
        ),
        "goal-permit": (
            "{Who} needs the {permit}. The office of the {epoch} issues it once the constitution provides for the "
            "office, and once the {other}, which stands against the {form}, is destroyed.",
        ),
        "goal-clocks": (
            "Three engines drive one clock, and all three levers have to be down at once.",
            "The clocks have fallen out of step. They align when the levers of three engines are down at once.",
        ),
        "power": ("The engines feed one another: a lever that is pulled brings power to the next engine's door.",),
        "lid": ("The {item} is locked into the {lock}.", "Somebody has put the {item} into the {lock} and locked it."),
        "door": ("The {place} is behind a locked door.", "Nobody has been in the {place} for a long time."),
        "code": ("The {lock} opens to a code that belongs on the {stone}.",),
        "hung": ("The {item} hangs out of reach, where no tree stands.",),
        "gate": ("Nobody can lift the gate of the {place}, but a tree could.",),
        "charter": ("The {place} stays closed as long as the constitution does not provide for it.",),
        "fading": ("A lever that is pulled springs back soon.", "The levers do not stay down for long."),
        "keys": ("Nobody has written down which key opens which lock.",),
    }
)


def spelled(name: str) -> str:
    """Return a name as people write it: `ice-house-past` is the `ice house of the past`."""
    word, _, last = name.rpartition("-")
    return f"{spelled(word)} of the {last}" if word and last in EPOCHS else name.replace("-", " ")
