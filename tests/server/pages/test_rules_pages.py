"""The rules page of every variant: its introduction, its pictures, its facts, the articles of its draws."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from pytest_django import Settings

from crownhead import VARIANTS, Position, Variant
from crownhead.rules.schema import (
    ANYWHERE,
    DIAGONALLY,
    DIAGONALLY_FORWARD,
    FORWARD_OR_SIDEWAYS,
    Crowning,
    Direction,
    Objective,
    PieceKind,
    Priority,
)
from crownhead.server.pages.presenters import rules
from crownhead.server.pages.presenters.introductions import introduction
from crownhead.server.pages.presenters.rule_pictures import Picture, pictures
from crownhead.server.pages.presenters.rule_words import directions
from crownhead.server.pages.presenters.rules import start_board
from crownhead.server.play.presenters import variant_texts
from crownhead.server.play.presenters.board.diagrams import Diagram
from tests.server.pages.conftest import Open

EACH = pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda row: row.key)
FEWEST, MOST = 120, 250  # words


def by_title(variant: Variant) -> dict[str, Picture]:
    return {picture.title: picture for picture in pictures(variant)}


@EACH
def test_an_introduction_that_is_written_has_a_good_length_and_is_of_its_own(variant: Variant) -> None:
    text = " ".join(variant_texts.introduction(variant))

    assert not text or FEWEST <= len(text.split()) <= MOST
    assert not text or [row.key for row in VARIANTS.values() if introduction(row)[0] in text] == [variant.key]


@pytest.mark.parametrize(
    ("key", "paragraph"),
    [
        (
            "russian",
            "Shashki is played on squares of one colour of a board of 8 by 8, with 12 men a side.",
        ),
        ("alquerque", "Shashki is played on a board of 5 by 5 points, with 12 men a side."),
        ("gothic", "Shashki is played on every square of a board of 8 by 8, with 16 men a side."),
    ],
)
def test_a_variant_that_nobody_has_written_about_is_introduced_by_its_row(key: str, paragraph: str) -> None:
    row = replace(VARIANTS[key], key="shashki", name="Shashki")

    assert introduction(row)[0].startswith(paragraph)


def test_a_page_without_a_written_introduction_begins_with_a_paragraph_all_the_same(
    window: Open, settings: Settings
) -> None:
    settings.LANGUAGE_FOLDERS = []
    page = window().get("/rules/russian/")

    assert '<p class="lead">Russian draughts is played on squares of one colour' in page.html
    assert "shashki" not in page.text


@EACH
def test_the_page_holds_introduction_pictures_facts_and_articles(window: Open, variant: Variant) -> None:
    page = window().get(f"/rules/{variant.key}/")

    for paragraph in (*introduction(variant), variant.summary):
        assert paragraph in page.text
    for picture in pictures(variant):
        assert picture.title in page.text
    for question in (
        "Board",
        "Squares",
        "First move",
        "Men",
        "Kings",
        "Choice of capture",
        "Winning",
        "Draws",
    ):
        assert f"<dt>{question}</dt>" in page.html
    for rule in variant.draws.rules:
        assert rule.article in page.text or "not found in print" in page.text


@EACH
def test_the_start_is_drawn_with_every_piece_and_square(window: Open, variant: Variant) -> None:
    page = window().get(f"/rules/{variant.key}/")
    start = page.html[page.html.index('class="picture"') : page.html.index("</figure>")]

    kinds = [piece.kind for piece in Position.start(variant).pieces.values()]
    for kind in PieceKind:
        assert start.count(f'href="#piece-{kind}"') == kinds.count(kind)
    assert start.count('class="name"') == variant.board.squares


@EACH
def test_pictures_of_pieces_are_there_where_pieces_do_such_a_thing(variant: Variant) -> None:
    titles, rules = by_title(variant), variant.rules
    has_kings = rules.crowning is not Crowning.NEVER and rules.objective is not Objective.FIRST_KING

    assert ("A man moves" in titles) == bool(rules.man_steps)
    assert "A man takes" in titles
    assert ("A king moves" in titles) == ("A king takes" in titles) == has_kings
    assert ("A man jumps over its own men" in titles) == rules.lines_step
    assert ("One of these is removed first" in titles) == rules.jumps_only
    assert ("The king must take, not the man" in titles) == (Priority.WITH_KING in rules.priority)
    assert ("You must take two, not one" in titles) == bool(
        {Priority.MAX_PIECES, Priority.MAX_VALUE} & set(rules.priority)
    )
    parachutists = rules.marked is PieceKind.PARACHUTIST
    assert ("A parachutist takes and becomes a man" in titles) == parachutists
    assert ("Where White's men are crowned" in titles) == (
        rules.crowning is Crowning.FAR_CORNER or rules.one_way
    )


@EACH
def test_a_man_is_shown_to_step_and_take_in_every_direction_it_has(variant: Variant) -> None:
    titles, rules = by_title(variant), variant.rules

    if rules.man_steps:
        assert len(titles["A man moves"].diagram.dots) == len(rules.man_steps)
    if not rules.jumps_only:
        assert len(titles["A man takes"].diagram.arrows) == len(rules.man_captures)
        taken = sum(piece.colour == "black" for *_at, piece in titles["A man takes"].diagram.pieces)
        assert taken == len(rules.man_captures)


def test_a_flying_king_is_shown_to_land_where_the_law_lets_it() -> None:
    free, behind = (by_title(VARIANTS[key])["A king takes"].diagram for key in ("russian", "thai"))

    assert len(free.dots) == 5
    assert len(behind.dots) == 4


def test_the_pieces_to_take_off_first_are_ringed() -> None:
    diagram = by_title(VARIANTS["hawaiian"])["One of these is removed first"].diagram

    assert sorted(diagram.rings) == [(0, 0), (3, 3), (4, 4), (7, 7)]


def test_the_corners_where_men_are_crowned_are_ringed() -> None:
    diagram = by_title(VARIANTS["corner"])["Where White's men are crowned"].diagram

    assert sorted(diagram.rings) == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("ways", "words"),
    [
        (DIAGONALLY_FORWARD, "diagonally forward"),
        (DIAGONALLY, "diagonally, forward and backward"),
        (FORWARD_OR_SIDEWAYS, "straight forward and sideways"),
        (DIAGONALLY_FORWARD | FORWARD_OR_SIDEWAYS, "straight forward, diagonally forward and sideways"),
        (ANYWHERE, "in all eight directions"),
        (frozenset({Direction.BACKWARD}), "straight backward"),
        (frozenset[Direction](), "not at all"),
    ],
)
def test_directions_are_said_in_words(ways: frozenset[Direction], words: str) -> None:
    assert directions(ways) == words


@pytest.mark.parametrize(
    ("key", "sentences"),
    [
        ("frisian", ["not step with the same king more than 3 times in a row", "FRI 18", "in all eight"]),
        (
            "italian",
            ["They can't take kings.", "the one made by a king, then the one that takes the most kings"],
        ),
        ("mule", ["8 men and 4 mules a side", "A player whose mule reaches the far row loses."]),
        ("turkish", ["leave the board at once", "may not turn around 180°"]),
        ("brainking-turkish", ["a king may turn around 180°"]),
        (
            "alquerque",
            [
                "5 by 5 points where lines cross",
                "After its first capture, a man goes on capturing in all eight",
            ],
        ),
        ("pro", ["Red; the first 3 moves come from a random opening"]),
        ("makhos", ["with 1 at White's lower right", "the game type is 31"]),
        ("killer", ["if the last one taken is a king, only directly behind it"]),
        ("breakthrough", ["The first king wins the game.", "By agreement, at any time."]),
    ],
)
def test_what_is_particular_is_mentioned(window: Open, key: str, sentences: list[str]) -> None:
    page = window().get(f"/rules/{key}/")

    for sentence in sentences:
        assert sentence in page.text


def test_the_rules_are_listed_by_family_with_a_way_to_each(window: Open) -> None:
    page = window().get("/rules/")

    jumps = page.html[page.html.index('class="jumps"') : page.html.index("</nav>", page.html.index("jumps"))]
    assert jumps.count("<li>") > 1
    for key, name in re.findall(r'href="#(\w+)">([^<]+)</a>', jumps):
        assert f'id="{key}">{name}</h2>' in page.html
    links = [unescape(key) for key in re.findall(r'href="/rules/([\w-]+)/"', page.html)]
    assert sorted(links) == sorted(VARIANTS)


def test_the_boards_of_all_variants_are_drawn_once_in_each_language(
    window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Variant] = []

    def noted(variant: Variant) -> Diagram:
        drawn.append(variant)
        return start_board(variant)

    monkeypatch.setattr(rules, "start_board", noted)
    pages = [window().get("/rules/").html for _ in range(2)]

    assert drawn == list(dict.fromkeys(drawn))
    assert len(drawn) == len(VARIANTS)
    assert [page.count('class="box card"') for page in pages] == [len(VARIANTS)] * 2
