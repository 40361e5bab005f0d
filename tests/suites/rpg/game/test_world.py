import pytest

from herobench.suites.rpg.game.world import World


def test_the_classic_world_has_the_published_counts(classic: World) -> None:
    assert len(classic.monsters) == 25
    assert len(classic.resources) == 17
    assert len(classic.items) == 208
    assert len(classic.tiles) == 357
    assert sum(tile.content is not None for tile in classic.tiles.values()) == 70
    assert len(classic.distractors) == 46


def test_a_world_survives_the_way_through_its_source(classic: World) -> None:
    again = World.from_source(classic.source)
    assert again == classic
    assert again.digest == classic.digest
    assert again.source == World.from_source(f"{classic.source}\n").source == classic.source
    for code, item in classic.items.items():
        assert list(again.items[code].effects) == list(item.effects), "order is what a plan gets to see"


def test_look_ups_answer_where_and_whence(tiny: World) -> None:
    assert tiny.standing("monster") == {(1, 0): "rat", (2, 0): "drake", (3, 0): "wall"}
    assert tiny.places_of("workshop", "smithing") == ((2, 1),)
    assert tiny.places_of("workshop", "digging") == ()
    assert tiny.droppers["fur"] == ("rat",)
    assert tiny.nodes["pearl"] == ("clay_pit",)
    assert tiny.recipe_tree("bar_sword") == {"bar_sword", "bar", "ore", "fur"}


def test_starter_items_are_no_part_of_a_recipe_tree(tiny: World) -> None:
    assert tiny.recipe_tree("club") == {"club", "brick", "clay"}
    assert tiny.recipe_tree("twig") == frozenset()


def test_a_world_cannot_be_changed(tiny: World) -> None:
    with pytest.raises(AttributeError):
        tiny.code = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        tiny.items["club"] = tiny.items["twig"]  # type: ignore[index]
    with pytest.raises(TypeError):
        tiny.items["club"].effects["attack_heat"] = 99  # type: ignore[index]
