"""The files beside a large page: what is in them, what is replaced, and what the browser loads of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.report import page_text, write_report
from herobench.data.errors import InputError
from tests.analysis.report.browser import Page, address
from tests.analysis.report.made import LAZY, mixed_run, run, sample, task
from tests.analysis.report.page_blocks import read_rows
from tests.refusals import misread

FILES = "report é #1_files"


def written(folder: Path, most_in_page: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(page_text, "_A_BLOCK", 12_000)
    write_report(folder / "report é #1.html", [mixed_run("a"), mixed_run("b")], most_in_page)
    return folder / "report é #1.html"


def held(folder: Path) -> list[str]:
    """The texts of the blocks in the files."""
    texts = []
    for number, file in enumerate(sorted(folder.iterdir())):
        head, _, rest = file.read_text("ascii").partition(", ")
        assert (file.name, head) == (f"blocks-{number:04d}.js", f"herobenchBlock({number}")
        texts.append(json.loads(rest.removesuffix(");\n")))
    return texts


def test_a_large_page_has_its_blocks_in_files_and_a_small_one_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = written(tmp_path, 0, monkeypatch)
    text = page.read_text("utf-8")
    split = held(tmp_path / FILES)
    assert len(split) > 4
    assert "octet-stream" not in text
    written(tmp_path, 1 << 20, monkeypatch)
    assert [path.name for path in tmp_path.iterdir()] == [page.name], "files of an older page are removed"
    whole = page.read_text("utf-8")
    assert all(f'id="block{number}">{value}</script>' in whole for number, value in enumerate(split))
    assert len(split) == whole.count("octet-stream")
    assert [len(read_rows(whole, kind)) for kind in ("sample", "given")] == [36, 18]
    assert "file:" not in whole


def test_a_folder_of_others_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILES).mkdir()
    (tmp_path / FILES / "letter.txt").write_text("mine", "utf-8")
    with misread("", tmp_path / FILES):
        written(tmp_path, 0, monkeypatch)
    assert (tmp_path / FILES / "letter.txt").read_text("utf-8") == "mine"
    assert len(list(tmp_path.iterdir())) == 1


def test_what_fails_while_it_is_written_leaves_the_old_page_with_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = written(tmp_path, 0, monkeypatch)
    before, files = page.read_bytes(), held(tmp_path / FILES)

    def broken() -> Any:
        yield sample(task(1), LAZY)
        raise InputError([])

    with pytest.raises(InputError):
        write_report(page, [run("a", broken(), [task(1)])], 0)
    assert (page.read_bytes(), held(tmp_path / FILES)) == (before, files)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_sample_loads_the_files_that_hold_it_and_a_lost_file_is_named(
    driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(driver, written(tmp_path, 0, monkeypatch)).open()
    assert len(page.requests()) == 1, "the first page needs no file"
    page.run("location.hash = arguments[0]", address("b", task(2, "3").id))
    page.wait("return !document.getElementById('sample').hidden")
    assert page.text("#counter") == "0 of 10"
    asked = page.requests()
    assert 1 <= len(asked) <= 2
    assert all(url.startswith("file://") for url in asked)
    page.run("location.hash = arguments[0]", address("a", task(2, "3").id) + "/1/with/b/0")
    page.wait("return document.querySelectorAll('.attempt').length === 2")
    assert page.complaints() == []
    for file in (tmp_path / FILES).iterdir():
        file.unlink()
    page.open(address("a", task(1, "1").id))
    page.wait("return document.getElementById('sample').textContent.includes('It has to lie beside the page')")
    page.run("location.hash = '#'")
    page.wait("return document.getElementById('sample').hidden")


def test_no_other_script_runs_in_a_large_page(driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(driver, written(tmp_path, 0, monkeypatch)).open()
    (tmp_path / "evil.js").write_text("document.title = 'x'", "utf-8")
    stopped = """
        const script = document.createElement("script");
        try { script.src = "evil.js"; } catch (error) { return error.name; }
        document.head.append(script); return "let through";"""
    assert page.run(stopped) == "TypeError"
    assert page.run("try { trustedTypes.createPolicy('other', {}); return 'made'; } catch (e) { return e.name; }") == (
        "TypeError"
    )
