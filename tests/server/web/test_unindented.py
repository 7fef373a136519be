"""Pages are sent without the indentation of their templates; letters keep theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.template import engines
from django.template.engine import Engine
from django.test import Client

from crownhead.server.web.unindented import FolderLoader

WRITTEN = "<ul>\n  <li>\n\t a  word\n\n  </li>\n</ul>\n"


@pytest.mark.parametrize(
    ("name", "loaded"),
    [("page.html", "<ul>\n<li>\na  word\n\n</li>\n</ul>\n"), ("letter.txt", WRITTEN)],
)
def test_a_page_is_loaded_without_its_indentation_and_a_letter_as_it_is(
    tmp_path: Path, name: str, loaded: str
) -> None:
    (tmp_path / name).write_text(WRITTEN)
    loader = FolderLoader(Engine(dirs=[str(tmp_path)]))
    assert loader.get_template(name).source == loaded


def test_templates_of_folders_and_apps_are_loaded_so() -> None:
    for name in ("base.html", "pages/game.html", "account/login.html"):
        template: Any = engines["django"].get_template(name)
        source = Path(template.origin.name).read_text("utf-8")
        assert "\n  " in source
        assert "\n  " not in template.template.source
        assert len(template.template.source.splitlines()) == len(source.splitlines())


@pytest.mark.django_db
def test_a_page_has_no_indentation(client: Client) -> None:
    page = client.get("/rules/american/").content.decode()
    assert "</html>" in page
    assert "\n  " not in page
