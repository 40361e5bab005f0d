"""A level while it is drawn: regions with a person and a booth each, places, things, and facts.

Every region is a tree of places around its booth, and only its own person walks there. So whatever is needed in
another region has to be sent. All names and all choices come from one seeded source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

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

SENTENCES: Mapping[str, tuple[str, ...]] = {
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


def spell(name: str) -> str:
    """Return a name as people write it: `ice-house-past` is the `ice house of the past`."""
    word, _, last = name.rpartition("-")
    return f"{spell(word)} of the {last}" if word and last in EPOCHS else name.replace("-", " ")


_ABROAD = 0.8
"""How often a thing is kept in another region than the one where it is needed."""
_BRANCH, _KNOWN = 0.6, 0.25
"""How often a site is at the end of a new branch, and how often it is a place that is there already."""
_CORRIDOR = 0.3
"""How often a corridor leads to a new place."""
_CHAINED = 0.3
"""How often booths reach the neighbouring epochs only."""
_AT_BOOTH, _HELD = 0.5, 0.12
"""How often a person starts at the booth, and how often somebody has a needed thing from the start."""


class DraftSpent(Exception):
    """A draft has no more words, or nothing left that could be made harder to get."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of an epoch from which its person never leaves."""

    epoch: int
    person: str
    booth: str


@dataclass(slots=True)
class Loose:
    """A thing that somebody needs, and that so far lies there for the taking."""

    item: str
    region: Region
    place: str


class LevelDraft:
    """The level so far."""

    def __init__(self, chance: Random, people: int, ease: float = 0) -> None:
        """Draw people and booths. With an ease up to 1 things are nearer to where they are needed."""
        self.chance, self.ease = chance, ease
        self.objects: dict[str, str] = {}
        self.facts: dict[str, None] = {}
        """Without parentheses, in the order in which they came."""
        self.goal: list[str] = []
        self.loose: list[Loose] = []
        self.sentences: list[str] = []
        self.title = ""
        self.key_of: dict[str, str] = {}
        """The key of each lock that has one."""
        self.epoch_of: dict[str, str] = {}
        """The epoch in which each thing and each lock is at first."""
        self.region_of: dict[str, Region] = {}
        """The region of each place."""
        self.open: dict[str, None] = {}
        """The places that nothing closes."""
        self.edges: list[tuple[str, str]] = []
        self.regions = list(self._regions(people))
        self._link()
        for region in self.regions:
            at_booth = not self.rarer(1 - _AT_BOOTH)
            self.add(f"at {region.person} {region.booth if at_booth else self.place(region, region.booth)}")

    # -- people and booths --------------------------------------------------------------------------------------------

    def _regions(self, people: int) -> Iterator[Region]:
        epochs = sorted(self.chance.sample(range(len(EPOCHS)), min(people, len(EPOCHS))))
        region_epochs = [epochs[number % len(epochs)] for number in range(people)]
        names = self.chance.sample(PEOPLE, people)
        for number, (epoch, person) in enumerate(zip(sorted(region_epochs), names, strict=True)):
            again = sorted(region_epochs)[:number].count(epoch)
            booth = self._declare("-".join(("far",) * again + ("booth", EPOCHS[epoch])), "place")
            region = Region(epoch, self._declare(person, "character"), booth)
            self._settle(booth, region)
            self.add(f"booth {booth}")
            yield region

    def _link(self) -> None:
        """Link the booths of different epochs, or of neighbouring ones only."""
        apart = 1 if len(self.regions) > 2 and self.chance.random() < _CHAINED else len(EPOCHS)
        least = sorted({region.epoch for region in self.regions})
        for one, other in product(self.regions, repeat=2):
            if 0 < abs(least.index(one.epoch) - least.index(other.epoch)) <= apart:
                self.add(f"linked {one.booth} {other.booth}")

    def earlier(self, region: Region) -> list[Region]:
        """Return the regions of earlier epochs."""
        return [other for other in self.regions if other.epoch < region.epoch]

    # -- places -------------------------------------------------------------------------------------------------------

    def site(self, region: Region) -> str:
        """Return a place of a region that nothing closes: mostly a new one."""
        places = [place for place in self.open if self.region_of[place] is region and place != region.booth]
        draw = self.chance.random()
        if not places or draw < _BRANCH:
            return self.place(region, region.booth)
        return self.chance.choice(places) if draw < _BRANCH + _KNOWN else self.place(region, self.chance.choice(places))

    def place(self, region: Region, beside: str, *, word: str | None = None, is_open: bool = True) -> str:
        """Add a place beside another one, perhaps with a corridor between them."""
        if self.rarer(_CORRIDOR):
            beside = self._join_place(self._place_name(CORRIDORS, region), region, beside)
        name = f"{word}-{EPOCHS[region.epoch]}" if word else self._place_name(PLACES, region)
        return self._join_place(name, region, beside, is_open=is_open)

    def spot(self, words: Sequence[str], epochs: Sequence[int]) -> str:
        """Return a word for a place that has this name in none of some epochs yet."""
        return self._word([word for word in words if not any(f"{word}-{EPOCHS[e]}" in self.objects for e in epochs)])

    def _place_name(self, words: Sequence[str], region: Region) -> str:
        return f"{self.spot(words, [region.epoch])}-{EPOCHS[region.epoch]}"

    def _join_place(self, name: str, region: Region, beside: str, *, is_open: bool = True) -> str:
        self._settle(self._declare(name, "place"), region, is_open=is_open)
        self._join(beside, name)
        return name

    def _settle(self, place: str, region: Region, *, is_open: bool = True) -> None:
        self.region_of[place] = region
        if is_open:
            self.open[place] = None
            self.add(f"unlocked {place}")

    def _join(self, one: str, other: str) -> None:
        self.edges.append((one, other))
        self.add(f"path {one} {other}")
        self.add(f"path {other} {one}")

    def lengthen(self, one: str, other: str) -> str:
        """Put a corridor between two neighbouring places, and return it."""
        region = self.region_of[one]
        for start, end in ((one, other), (other, one)):
            del self.facts[f"path {start} {end}"]
        self.edges = [edge for edge in self.edges if set(edge) != {one, other}]
        corridor = self._join_place(self._place_name(CORRIDORS, region), region, one)
        self._join(corridor, other)
        return corridor

    # -- things -------------------------------------------------------------------------------------------------------

    def thing(self, kind: str, names: Sequence[str]) -> str:
        """Add an object under a name that is not taken yet."""
        return self._declare(self._word([name for name in names if name not in self.objects]), kind)

    def key(self) -> str:
        """Add a key."""
        return self.thing("key", [f"{metal}-key" for metal in METALS])

    def sapling(self) -> str:
        """Add a sapling."""
        return self.thing("sapling", [f"{tree}-sapling" for tree in TREES])

    def lay_out(self, item: str, region: Region) -> None:
        """Lay a thing, which is needed in a region, somewhere for the taking."""
        abroad = [other for other in self.regions if other is not region]
        home = self.chance.choice(abroad) if abroad and self.rarer(_ABROAD) else region
        if self.chance.random() < _HELD + (1 - _HELD) * self.ease:
            self.add(f"has {home.person} {item}")
            self.add(f"free {item}")
            self.epoch_of[item] = EPOCHS[home.epoch]
            return
        place = self.site(home)
        self.lay(item, place)
        self.loose.append(Loose(item, home, place))

    def lay(self, item: str, place: str) -> None:
        """Lay a thing at a place."""
        self.add(f"lies {item} {place}")
        self.add(f"free {item}")
        self.epoch_of[item] = EPOCHS[self.region_of[place].epoch]

    # -- facts and words ----------------------------------------------------------------------------------------------

    def rarer(self, share: float) -> bool:
        """Draw whether something is so that makes a level longer: in this share of levels, and rarer with ease."""
        return self.chance.random() < share * (1 - self.ease)

    def add(self, fact: str) -> None:
        """Add a fact."""
        self.facts[fact] = None

    def remove(self, fact: str) -> None:
        """Take a fact away."""
        del self.facts[fact]

    def say(self, kind: str, **values: str) -> None:
        """Add a sentence."""
        words = {name: spell(value) for name, value in values.items()}
        words["Who"] = words.get("who", "").capitalize()
        self.sentences.append(self.chance.choice(SENTENCES[kind]).format(**words))

    def problem(self, name: str) -> str:
        """Return the problem in PDDL."""
        kinds: dict[str, list[str]] = {}
        for thing, kind in self.objects.items():
            kinds.setdefault(kind, []).append(thing)
        objects = "\n".join(f"    {' '.join(things)} - {kind}" for kind, things in kinds.items())
        facts = "\n".join(f"    ({fact})" for fact in self.facts)
        goal = " ".join(f"({fact})" for fact in self.goal)
        return (
            f"(define (problem {name})\n  (:domain epochs)\n  (:objects\n{objects})\n"
            f"  (:init\n{facts})\n  (:goal (and {goal})))\n"
        )

    def _declare(self, name: str, kind: str) -> str:
        self.objects[name] = kind
        return name

    def _word(self, free: Sequence[str]) -> str:
        if not free:
            raise DraftSpent
        return self.chance.choice(free)
