from pathlib import Path

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.atlas.svg import draw_svg
from tests.builders import TINY
from tests.golden import Golden
from tests.program import herobench
from tests.sizes import for_each
from tests.suites.rpg.worlds.atlas.test_terminal import MAP
from tests.suites.rpg.worlds.packs.made import write_pack


def test_without_a_file_the_map_is_on_the_screen() -> None:
    done = herobench("world", "map", TINY)
    assert (done.returncode, done.stdout, done.stderr) == (0, MAP, "")


def test_the_screen_may_be_narrow() -> None:
    lines = herobench("world", "map", TINY, columns=11).stdout.splitlines()
    assert lines[0] == "   -1  0  1"


@for_each("name", ["map.svg", "MAP.SVG"])
def test_a_file_has_the_map_as_svg(name: str, tmp_path: Path, tiny: World) -> None:
    done = herobench("world", "map", TINY, "-o", tmp_path / name)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"The map is in {tmp_path / name}.\n"
    assert (tmp_path / name).read_text("utf-8") == draw_svg(tiny)


@for_each("name", ["map.html", "map", "svg", ".svg"])
def test_another_kind_of_file_is_refused(name: str, tmp_path: Path, golden: Golden) -> None:
    golden(herobench("world", "map", TINY, "-o", tmp_path / name))


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("world", "map", TINY, "-o", tmp_path / "no" / "map.svg"))


def test_a_pack_has_a_map_too(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack", map={"add": [{"x": 4, "y": 0, "name": "Far", "skin": ""}]})
    assert herobench("world", "map", pack).stdout.splitlines()[2] == " 0     . m1 m3 m2  ."


def test_what_is_no_world_is_refused(golden: Golden) -> None:
    golden(herobench("world", "map", "nowhere"))
