"""Help, questions and their links: every page is there, says something, and leads where it says."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from crownhead.problems.collection import shipped
from crownhead.server.social.selectors.help_pages import TOPICS
from tests.server.social.conftest import Open

pytestmark = pytest.mark.django_db

_CODE = re.compile(r"<code>.*?</code>", re.DOTALL)
_LINK = re.compile(r'href="(/[^"#]*)(?:#[^"]*)?"')


@pytest.mark.parametrize("key", TOPICS)
def test_every_page_of_the_help_has_a_title_a_beginning_and_parts(window: Open, key: str) -> None:
    page = window().get(f"/help/{key}/")
    assert page.status == 200
    assert len(re.findall(r"<h1>[^<]{4,60}</h1>", page.html)) == 1
    assert re.search(r'<p class="lead">[^<]{40,220}</p>', page.html)
    assert re.search(r"<h2>[^<]+</h2>", page.html.partition('class="prose rich-text help"')[2])
    prose = _CODE.sub("", page.html)
    assert [rest for rest in ("{%", "{{", "**", "](", "&amp;lt;") if rest in prose] == []


def test_every_link_of_the_help_leads_somewhere(client: Client) -> None:
    links: set[str] = set()
    for path in ("/help/", "/questions/", *(f"/help/{key}/" for key in TOPICS)):
        content = client.get(path).content.decode().partition('<main class="page"')[2].partition("</main>")[0]
        links |= set(_LINK.findall(content))
    assert len(links) > len(TOPICS) + 10
    lost = {link: status for link in links if (status := client.get(link).status_code) not in {200, 302}}
    assert lost == {}


def test_the_help_begins_with_the_first_game_and_leads_on(window: Open) -> None:
    assert window().get("/help/").text.index("Your first game") > 0
    assert "Next: The board and its keys" in window().get("/help/first-game/").text


def test_there_is_no_page_of_another_name(window: Open) -> None:
    for key in ("nothing", "questions", "en"):
        assert window().get(f"/help/{key}/").status == 404


def test_questions_can_be_linked_one_by_one(window: Open) -> None:
    page = window().get("/questions/")
    anchors = re.findall(r'<details class="box question" id="([a-z0-9-]+)">', page.html)
    assert len(anchors) == len(set(anchors)) >= 20
    assert "who-reads-my-messages" in anchors


def test_the_settings_of_the_host_are_announced(window: Open, settings: Settings) -> None:
    settings.VACATION_HOURS = 77
    assert "77 hours of vacation a year" in window().get("/help/time/").text
    settings.VACATION_HOURS = 0
    assert "no hours of vacation" in window().get("/help/time/").text


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/help/first-game/", "join a casual game"),
        ("/help/starting/", "without an account"),
        ("/questions/", "play as a guest"),
    ],
)
def test_the_help_says_what_guests_can_do_where_the_host_has_guests(
    window: Open, settings: Settings, path: str, said: str
) -> None:
    assert said in window().get(path).text
    settings.GUESTS = False
    assert said not in window().get(path).text
    assert "This club has no guests" in window().get("/help/guests/").text


def test_without_a_translation_the_help_is_english(window: Open) -> None:
    with translation.override("nl"):
        assert "Your first game" in window().get("/help/first-game/").text


def test_the_host_may_put_texts_in_the_place_of_ours(
    window: Open, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "en" / "help").mkdir(parents=True)
    (tmp_path / "en" / "help" / "terms.md").write_text(
        "# House rules\n\nBe kind.\n\n# At the board\n\nNo coffee.\n"
    )
    engine = copy.deepcopy(settings.TEMPLATES[0])
    engine["DIRS"] = [tmp_path, *engine["DIRS"]]
    settings.TEMPLATES = [engine]

    page = window().get("/help/terms/")

    assert "House rules" in page.text
    assert "No coffee." in page.text


def test_how_to_get_better_leads_to_the_problems_of_each_variant_that_has_some(window: Open) -> None:
    page = window().get("/help/learning/").html
    linked = set(re.findall(r'href="/problems/next/\?variant=([\w-]+)"', page))
    assert linked == {problem.variant for problem in shipped().values()}
