"""The manual's page on design: every token has its use there, and every part is drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from manual import design

_SHEETS = {sheet.name: sheet.read_text("utf-8") for sheet in design.sheets()}


def test_every_token_is_listed_with_its_use() -> None:
    assert list(dict.fromkeys(design.USES)) == list(design.USES)
    assert set(design.USES) == set(design.values("tokens.css"))


@pytest.mark.parametrize("token", design.USES)
def test_a_token_is_used(token: str) -> None:
    assert any(f"var({token})" in text or f"var({token}," in text for text in _SHEETS.values())


def test_dark_pages_have_no_token_of_their_own() -> None:
    assert set(design.values("dark.css")) <= set(design.USES)


@pytest.mark.parametrize("look", ["light", "dark", "forced"])
def test_every_part_is_drawn_with_the_style_sheets_of_the_site(look: str, tmp_path: Path) -> None:
    design.write(tmp_path)
    page = (tmp_path / f"{look}.html").read_text("utf-8")
    for part in (
        "button",
        "field",
        "notice",
        "box",
        "empty",
        "board",
        "diagram",
        "badge",
        "standings",
        "chart",
        "people",
    ):
        assert re.search(rf'class="(?:[^"]* )?{part}[" ]', page), part
    sheets = re.findall(r'href="css/(\w+\.css)">', page)
    assert {"tokens.css", "base.css", "components.css", "board.css", "club.css"} <= set(sheets)
    assert all((tmp_path / "css" / sheet).read_text("utf-8") == _SHEETS[sheet] for sheet in sheets)
    assert ("dark.css" in sheets, "forced.css" in sheets) == (look == "dark", look == "forced")
