"""Names and summaries of variants reach people in their own language, and every text belongs to a variant."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from crownhead import VARIANTS
from tests.house.tree import files, name

SERVER = "src/crownhead/server"
FALLBACK = f"{SERVER}/play/presenters/variant_texts.py"
# Records and the API tell programs, whose texts stay the same in every language.
FOR_PROGRAMS = {f"{SERVER}/play/games/selectors/replay.py", f"{SERVER}/play/schemas.py"}
_ROW_ASKED = re.compile(r"(?:\bvariant|VARIANTS\[[^]]+\])\.(?:name|summary)\b")


def test_pages_and_mails_ask_for_texts_in_the_language_of_the_reader() -> None:
    asked = [
        f"{name(path)}: {found.group()}"
        for path in files(SERVER, suffixes=(".py", ".html", ".txt"))
        if name(path) not in {FALLBACK, *FOR_PROGRAMS}
        for found in _ROW_ASKED.finditer(path.read_text("utf-8"))
    ]
    assert asked == [], "expected `variant_name` or `variant_summary`"


@pytest.mark.parametrize(
    "source", ["{{ page.variant.name }}", "VARIANTS[game.variant].name", "with variant=variant.summary"]
)
def test_the_check_notices_a_text_that_is_taken_from_the_row(source: str) -> None:
    assert _ROW_ASKED.search(source)


def test_every_text_belongs_to_a_variant() -> None:
    (folder,) = settings.LANGUAGE_FOLDERS
    assert {path.stem for path in folder.glob("*/introductions/*")} == set(VARIANTS)
