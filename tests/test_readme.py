"""The README: short, true to its commands, and with links that lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.reader import ROOT, Reader

README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.slow
def test_every_command_works_as_written_and_prints_what_is_shown(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.follow(README)
    assert len(reader.commands) == README.count("\n$ ")


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_every_link_into_the_tree_leads_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert {"docs/index.md", "CONTRIBUTING.md", "docs/images/report.png"} <= set(links)
    assert not [link for link in links if not (ROOT / link).exists()]


def test_the_entries_for_bibtex_name_what_the_citation_file_does() -> None:
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    paper, software = README.partition("```bibtex")[2].split("@software")
    for given, family in re.findall(r'given-names: "(.+)"\n\s*family-names: "(.+)"', cited):
        assert f"{family}, {given}" in " ".join(paper.split())
    titles, names = re.findall(r'title: "(.+)"', cited), re.findall(r'- name: "(.+)"', cited)
    assert f"{{{titles[0]}}}" in software
    assert f"{{{titles[1]}}}" in paper
    assert f"{{{{{names[0]}}}}}" in software
