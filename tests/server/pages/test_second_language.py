"""A page in a second language holds no other: the rules of a variant, the list of games to choose from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client
from django.utils.translation import override
from pytest_django import Settings

from crownhead import VARIANTS
from crownhead.server.play.presenters.variant_texts import variant_name, variant_summary
from tests.server.languages import CLOSE, OPEN, second_language

pytestmark = pytest.mark.django_db

LANGUAGES = [("en", "English"), ("nl", "Nederlands")]
# What is called the same in every language: houses whose rules are followed, and articles of their laws.
NAMES = re.compile(r"ItsYourTurn|YourTurnMyTurn|Crownhead|(FRI|WCDF) [\d.]+")
_SPOKEN = {"alt", "aria-label", "placeholder", "title"}
_WORD = re.compile(r"[^\W\d_]{2,}")
_INNERMOST = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")


class Reader(HTMLParser):
    """Collects what a page says, to the eye and to the ear."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in {"script", "style"}
        self.said += [value for name, value in attrs if name in _SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in {"script", "style"}

    def handle_data(self, data: str) -> None:
        if not self._unseen and data.strip():
            self.said.append(data)


def foreign(html: str) -> Iterator[str]:
    """What a page says in no second language."""
    reader = Reader()
    reader.feed(html)
    for said in reader.said:
        left = said
        while _INNERMOST.search(left):
            left = _INNERMOST.sub("", left)
        if _WORD.search(NAMES.sub("", left)):
            yield said


@pytest.fixture(scope="module")
def locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue of all that is marked in the sources."""
    return second_language(tmp_path_factory.mktemp("locale"), "nl")


@pytest.fixture
def dutch(settings: Settings, tmp_path: Path, locale: Path) -> Client:
    """A reader for whom all is translated: what the sources mark, and what is written about the games."""
    texts = tmp_path / "languages" / "nl" / "introductions"
    texts.mkdir(parents=True)
    for variant in VARIANTS.values():
        paragraphs = f"# «{variant.name}»\n\n> «{variant.summary}»\n\n«Over {variant.name}.»\n\n«Nog iets.»\n"
        (texts / f"{variant.key}.md").write_text(paragraphs, "utf-8")
    settings.LANGUAGES = LANGUAGES
    settings.LOCALE_PATHS = [locale]
    english = tmp_path / "english" / "en"  # without a translation that the site may really have
    english.parent.mkdir()
    english.symlink_to(settings.LANGUAGE_FOLDERS[0] / "en", target_is_directory=True)
    settings.LANGUAGE_FOLDERS = [texts.parents[1], english.parent]
    return Client(headers={"accept-language": "nl"})


@pytest.mark.parametrize("path", ["/rules/frisian/", "/rules/pro/", "/rules/hawaiian/", "/rules/", "/new/"])
def test_a_whole_page_comes_out_in_a_second_language(dutch: Client, path: str) -> None:
    assert list(foreign(dutch.get(path).content.decode())) == []


def test_the_list_of_games_names_every_game_in_the_second_language(dutch: Client) -> None:
    page = unescape(dutch.get("/new/").content.decode())
    assert [variant.key for variant in VARIANTS.values() if f"«{variant.name}»" not in page] == []


def test_a_page_holds_the_translated_introduction_and_not_the_english_one(dutch: Client) -> None:
    page = dutch.get("/rules/frisian/").content.decode()
    assert "«Over Frisian draughts.»" in page
    assert "Friesland" not in page
    assert "Friesland" in Client().get("/rules/frisian/").content.decode()


def test_what_nobody_has_translated_stays_english(dutch: Client, settings: Settings, tmp_path: Path) -> None:
    some = tmp_path / "some" / "nl" / "introductions"
    some.mkdir(parents=True)
    (some / "russian.md").write_text("# Russisch dammen\n", "utf-8")
    settings.LANGUAGE_FOLDERS = [some.parents[1], settings.LANGUAGE_FOLDERS[-1]]

    page = unescape(dutch.get("/rules/russian/").content.decode())

    assert "<h1>Russisch dammen</h1>" in page
    assert VARIANTS["russian"].summary in page
    assert "Russian draughts, shashki," in page
    assert "<h1>Frisian draughts</h1>" in dutch.get("/rules/frisian/").content.decode()


def test_a_regional_language_takes_what_its_language_has(dutch: Client, settings: Settings) -> None:
    settings.LANGUAGES = [*LANGUAGES, ("nl-be", "Vlaams")]
    page = dutch.get("/rules/frisian/", headers={"accept-language": "nl-be"}).content.decode()
    assert "<h1>«Frisian draughts»</h1>" in page


def test_where_no_page_is_asked_for_the_active_language_counts(dutch: Client) -> None:
    with override("nl"):
        assert variant_name(VARIANTS["russian"]) == "«Russian draughts»"
        assert " ".join(variant_summary(VARIANTS["russian"]).split()) == f"«{VARIANTS['russian'].summary}»"
