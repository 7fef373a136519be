"""House variants on a club: offered, played and shown like any other, by rules that never change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client

from crownhead import Variant
from crownhead.rules.house import register
from crownhead.rules.schema import DIAGONALLY_FORWARD
from crownhead.rules.variants import _known
from crownhead.server.accounts.models import User
from crownhead.server.ladders.services.founding import ensure_defaults
from crownhead.server.pages.presenters.rule_pictures import pictures
from crownhead.server.play.models import HouseVariant
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.variants.selectors import (
    ChangedRules,
    has_games,
    house_variants,
    require_unchanged,
)
from crownhead.server.play.variants.services import remember_house_variants
from tests.house_rows import FULL, ROWS, SMALL, TALL, WIDE
from tests.server.conftest import Api
from tests.server.play.factories import NOW, make_offer
from tests.server.play.test_every_variant import assert_exported, body, play_at_random

HOUSE = (SMALL, WIDE, TALL, FULL)
EACH = pytest.mark.parametrize("row", HOUSE, ids=lambda row: row.key)
OTHER_RULES = replace(SMALL, rules=replace(SMALL.rules, man_captures=DIAGONALLY_FORWARD))


@pytest.fixture
def registered(house: None) -> None:
    """The club has the rows."""
    register(HOUSE)


def with_row(row: Variant | None) -> None:
    """As if the club had started again, with another row for the key of the small one, or with none."""
    _known.pop(SMALL.key, None)
    if row is not None:
        register([row])


# ----------------------------------------------------------------------- like any other
@EACH
def test_a_house_variant_is_created_played_and_exported(
    registered: None, alice: User, bob: User, row: Variant
) -> None:
    course = play_at_random(alice, bob, row.key, plies=30)
    assert_exported(course)
    page = Client().get(f"/games/{course['id']}/")
    assert page.status_code == 200
    assert row.name in page.content.decode()


@EACH
def test_a_house_variant_is_on_every_list(registered: None, alice: User, row: Variant) -> None:
    (listed,) = [one for one in body_of_list(Api().get("/variants")) if one["key"] == row.key]
    assert (listed["name"], listed["width"], listed["game_type"]) == (row.name, row.board.width, None)
    browser = Client()
    browser.force_login(alice)
    paths = (
        "/new/?",
        "/new/computer/?",
        "/analysis/?",
        "/analysis/?setup=1&",
        "/waiting-room/?",
        "/ratings/?",
    )
    for path in paths:
        page = browser.get(f"{path}variant={row.key}", follow=True)
        assert page.status_code == 200, path
        assert row.name in page.content.decode(), path
    assert row.name in browser.get(f"/new/?variant={row.key}").content.decode()


@EACH
def test_the_rules_of_a_house_variant_are_written_out(registered: None, db: None, row: Variant) -> None:
    assert row.name in Client().get("/rules/").content.decode()
    page = Client().get(f"/rules/{row.key}/")
    assert page.status_code == 200
    text = page.content.decode()
    assert f"<h1>{row.name}</h1>" in text
    assert f"{row.board.width} by {row.board.height}" in text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_pictures_of_rules_fit_any_board(row: Variant) -> None:
    assert all(picture.title for picture in pictures(row))


def test_a_house_variant_is_named_by_its_row(registered: None) -> None:
    assert variant_name(SMALL) == "Small Russian"


def test_a_house_variant_has_ladders(registered: None, db: None) -> None:
    ensure_defaults(now=NOW)
    text = Client().get("/ladders/", {"variant": SMALL.key}).content.decode()
    assert SMALL.name in text


# ----------------------------------------------------------------------- rules that games are played by
def test_the_club_notes_the_rules_of_its_house_variants(registered: None, db: None) -> None:
    assert house_variants() == {row.key: row for row in HOUSE}
    remember_house_variants(is_used=has_games)
    remember_house_variants(is_used=has_games)
    assert set(HouseVariant.objects.values_list("key", flat=True)) == {row.key for row in HOUSE}
    assert "width=6" in HouseVariant.objects.get(key=SMALL.key).rules
    assert str(HouseVariant.objects.get(key=SMALL.key)) == SMALL.key


@pytest.mark.parametrize("check", [remember_house_variants, require_unchanged])
@pytest.mark.parametrize(("row", "missing"), [(OTHER_RULES, False), (None, True)])
def test_rules_with_games_neither_change_nor_go(
    registered: None, alice: User, row: Variant | None, missing: bool, check: Callable[..., None]
) -> None:
    remember_house_variants(is_used=has_games)
    make_offer(alice, variant=SMALL.key)
    with_row(row)
    with pytest.raises(ChangedRules) as refused:
        check(is_used=has_games)
    assert (refused.value.key, refused.value.missing) == (SMALL.key, missing)
    with_row(replace(SMALL, name="Another name", summary="Other words"))
    check(is_used=has_games)


@pytest.mark.parametrize("row", [OTHER_RULES, None])
def test_rules_without_games_may_change_and_go(registered: None, db: None, row: Variant | None) -> None:
    remember_house_variants(is_used=has_games)
    with_row(row)
    require_unchanged(is_used=has_games)
    remember_house_variants(is_used=has_games)
    noted = HouseVariant.objects.filter(key=SMALL.key).first()
    assert (noted is None) == (row is None)
    require_unchanged(is_used=lambda _: True)


def body_of_list(answer: object) -> list[dict[str, object]]:
    """The rows of an answer that is a list."""
    found: object = body(200, answer)
    assert isinstance(found, list)
    return found
