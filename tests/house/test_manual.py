"""What the manual shows runs, and what it is made from is all there."""

from __future__ import annotations

import inspect
import re
import shutil
from pathlib import Path

import pytest

from crownhead import VARIANTS
from manual import commands, generated, public, remarks, variants
from tests.house.pages import blocks, complaints
from tests.house.tree import HOUSE, name

MANUAL = HOUSE / "docs"
_PLAYED_ELSEWHERE = ("api.md", "architecture.md")  # the contract is a sketch; the API has tests of its own
PAGES = sorted(
    page for page in MANUAL.rglob("*.md") if page.name not in _PLAYED_ELSEWHERE and any(blocks(page))
)
_EXPLAINED = re.compile(r"^\.\. (?:auto(?:class|function|data)|py:\w+):: ([\w.]+)", re.MULTILINE)


def explained() -> set[str]:
    """The names that the reference explains."""
    pages = (MANUAL / "reference").glob("*.md")
    return {dotted for page in pages for dotted in _EXPLAINED.findall(page.read_text("utf-8"))}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_code_of_a_page_does_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in [*(MANUAL / "files").glob("*.pdn"), HOUSE / "suites" / "games" / "american.pdn"]:
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert complaints(page) == []


def test_the_tutorials_are_among_the_pages_that_run() -> None:
    tutorials = {"databases", "diagrams", "first_board", "games", "search"}
    assert tutorials <= {page.stem for page in PAGES}


def test_every_public_name_is_in_the_reference() -> None:
    wanted = {dotted for dotted, _ in public.public()}
    assert wanted - explained() == set()


def test_the_reference_explains_nothing_that_is_not_there() -> None:
    lost = []
    for dotted in explained():
        module, _, last = dotted.rpartition(".")
        while module and not hasattr(public.module(module), last):
            module, _, above = module.rpartition(".")
            last = f"{above}.{last}"
        if not module:
            lost.append(dotted)
    assert lost == []


def test_every_public_name_says_what_it_is() -> None:
    silent = [
        dotted
        for dotted, thing in public.public()
        if (inspect.isclass(thing) or inspect.isroutine(thing)) and not inspect.getdoc(thing)
    ]
    assert silent == []


@pytest.mark.parametrize(("owner", "thing"), [pair for pair in public.public() if inspect.isclass(pair[1])])
def test_every_public_method_says_what_it_does(owner: str, thing: type) -> None:
    silent = [f"{owner}.{member}" for member, value in public.members(thing) if not public.docstring(value)]
    assert silent == []


def test_the_glance_has_a_row_for_every_variant() -> None:
    rows = variants.rows()
    assert len(rows) == len(VARIANTS)
    assert all(len(row) == len(variants.HEADINGS) for row in rows)
    for variant, row in zip(VARIANTS.values(), rows, strict=True):
        assert variant.name in row[0]
        assert f"`{variant.key}`" in row[0]


def test_the_page_of_variants_tells_every_variant_by_itself() -> None:
    page = MANUAL / "variants.md"
    made = generated.filled(page.read_text("utf-8"), page)
    for variant in VARIANTS.values():
        assert f"(variant-{variant.key})=\n### {variant.name}" in made
        assert variant.summary in made
        for rule in variant.draws.rules:
            assert rule.article in made


def test_the_facts_of_a_variant_are_those_of_the_table() -> None:
    facts = dict(variants.facts(VARIANTS["italian"]))
    assert facts["Men capture"] == "↖↗, but never a king"
    assert facts["Among captures"] == "most pieces, then with a king, then most kings, then kings earliest"
    assert dict(variants.facts(VARIANTS["russian"]))["PDN GameType"] == "25"


def test_the_page_of_the_command_line_has_every_command() -> None:
    page = MANUAL / "command_line.md"
    made = generated.filled(page.read_text("utf-8"), page)
    listed = [command.words for command in commands.commands()]
    assert {"crownhead legal", "crownhead perft", "crownhead pdn check"} <= set(listed)
    for command in commands.commands():
        assert f"## {command.words}\n" in made
        for _, arguments in command.groups:
            for argument in arguments:
                assert f"`{argument.written}`\n" in made


def test_a_remark_at_the_end_of_a_line_tells_what_a_field_is() -> None:
    board = type(VARIANTS["american"].rules)
    assert remarks.remarks(board)["one_way"] == "Black's men move in the same direction as White's"


def test_a_document_that_is_a_page_too_keeps_its_links() -> None:
    page = MANUAL / "contributing.md"
    made = generated.filled(page.read_text("utf-8"), page)
    assert "](changes.md)" in made
    assert "](architecture.md)" in made
