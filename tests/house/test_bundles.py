"""The bundles are in the tree, made from the sources as they are, so that `make serve` needs no bundler."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from crownhead.server.core.assets import bundles

FOUND = {name: Path(storage.path(name)) for f in finders.get_finders() for name, storage in f.list([])}
MADE = {name: path for name, path in FOUND.items() if bundles.is_bundled(name)}
AGAIN = "run `make bundles`"


def read(name: str) -> bytes:
    return FOUND[name].read_bytes()


def test_bundles_are_made_from_the_scripts_and_styles_as_they_are() -> None:
    assert bundles.are_current(FOUND, read), AGAIN


def test_every_source_that_pages_name_has_a_bundle() -> None:
    assert set(bundles.ENTRIES.values()) <= set(MADE), AGAIN
    assert set(bundles.ENTRIES) <= set(FOUND)


def test_bundles_import_nothing_but_each_other() -> None:
    for name in MADE:
        for imported in re.findall(r'\b(?:from|import|import\()"(\.[^"]*)"', read(name).decode()):
            assert f"{bundles.FOLDER}{imported.removeprefix('./')}" in MADE, (name, imported)


@pytest.mark.parametrize("changed", ["crownhead/js/site.js", "crownhead/css/base.css"])
def test_a_change_of_a_source_makes_them_stale(changed: str) -> None:
    assert not bundles.are_current(FOUND, lambda name: read(name) + b" " * (name == changed))


def test_a_source_that_is_new_or_gone_makes_them_stale() -> None:
    gone = [name for name in FOUND if name != "crownhead/css/base.css"]
    assert not bundles.are_current(gone, read)
    assert not bundles.are_current(
        [*FOUND, "crownhead/js/new.js"], lambda name: read(name) if name in FOUND else b""
    )
