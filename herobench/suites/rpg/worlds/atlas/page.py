"""Draw a world as one HTML page: the map, its legend, and lists of everything with its places. Used by `world map`.

The page must work without scripts and without a network, and its policy allows nothing but its own style. A wide map
scrolls in its frame, so that the page itself does not.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from herobench.suites.rpg.game.world import Drop, Place, World
from herobench.suites.rpg.worlds.atlas.marks import PlacedContent, keys_of, placed_contents
from herobench.suites.rpg.worlds.atlas.svg import anchor, map_of, style

_HEADINGS = {"monster": "Monsters", "resource": "Resources"}
_OTHERS = "Workshops and other places"


def page_of(world: World) -> str:
    """Return the page of a world."""
    looks, drawing = _style(), map_of(world)  # the policy holds the hash of exactly this style
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(looks)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{escape(world.name)}: map</title>
<style>{looks}</style>
</head>
<body>
<main>
<h1>{escape(world.name)}</h1>
<p>{escape(world.description)}</p>
<p class="soft">{_figures(world)}</p>
<div class="frame" tabindex="0" role="region" aria-label="Map">
{drawing.opened(world)}
{drawing.body}
</svg>
</div>
<ul class="keys">
{_keys(world)}
</ul>
{"".join(_lists(world))}</main>
</body>
</html>
"""


@cache
def _style() -> str:
    return files("herobench.suites.rpg.worlds.atlas").joinpath("page.css").read_text("utf-8") + style()


def _policy(looks: str) -> str:
    """Return a policy that allows one style, by its hash, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(looks.encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _figures(world: World) -> str:
    counts = (
        (len(world.tiles), "tiles"),
        (len(world.monsters), "monsters"),
        (len(world.resources), "kinds of resources"),
        (len(world.items), "items"),
    )
    figures = ", ".join(f"{count:,} {what}" for count, what in counts)
    return f"{figures}; digest <code>{world.digest[:12]}</code>; heroes begin at {_places([world.start])}"


def _keys(world: World) -> str:
    drawn = '<svg class="map" width="28" height="28" viewBox="-14 -14 28 28" aria-hidden="true">{}</svg>'
    return "\n".join(f"<li>{drawn.format(shape)}{escape(words)}</li>" for shape, words in keys_of(world))


# -- what stands where ------------------------------------------------------------------------------------------------


def _lists(world: World) -> Iterator[str]:
    """Yield the lists of a page. There is no list for a kind that the world does not have."""
    things = placed_contents(world).values()
    monsters = [_monster(world, thing) for thing in things if thing.kind == "monster"]
    resources = [_resource(world, thing) for thing in things if thing.kind == "resource"]
    others = [[escape(thing.name), _places(thing.places)] for thing in things if thing.kind not in _HEADINGS]
    yield _table("Monsters", ["name", "#level", "#meant for level", "#health", "drops", "places"], monsters)
    yield _table("Resources", ["name", "skill", "#level", "gives", "places"], resources)
    yield _table(_OTHERS, ["name", "places"], others)


def _monster(world: World, thing: PlacedContent) -> list[str]:
    monster = world.monsters[thing.code]
    figures = (monster.level, monster.intended_level, monster.stats.hp)
    return [escape(thing.name), *map(str, figures), _drops(world, monster.drops), _places(thing.places)]


def _resource(world: World, thing: PlacedContent) -> list[str]:
    node = world.resources[thing.code]
    return [escape(thing.name), escape(node.skill), str(node.level), _drops(world, node.drops), _places(thing.places)]


def _drops(world: World, drops: Iterable[Drop]) -> str:
    return ", ".join(escape(world.items[drop.item].name) for drop in drops)


def _places(places: Iterable[Place]) -> str:
    """Return links to the places of something on the map."""
    return " ".join(f'<a href="#{anchor((x, y))}">({x}, {y})</a>' for x, y in places)


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of rows of HTML. A # before the name of a column marks it as numbers."""
    if not rows:
        return ""
    classes = [' class="num"' if column.startswith("#") else "" for column in columns]
    heads = "".join(
        f'<th scope="col"{kind}>{column.lstrip("#")}</th>' for kind, column in zip(classes, columns, strict=True)
    )
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(classes[1:], rest, strict=True))
        lines.append(f'<tr><th scope="row">{first}</th>{cells}</tr>\n')
    return (
        f'<h2>{title}</h2>\n<div class="list"><table>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{''.join(lines)}</tbody>\n</table></div>\n"
    )
