"""Looking for players by country and rating."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.test import Client

from crownhead.server.accounts.models import Preferences, User
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.core import clock, pagination
from crownhead.server.people.selectors.search import Wanted, find_by_name, find_players
from crownhead.server.ratings.models import PlayerRating
from tests.server.conftest import Api, make_user
from tests.server.people.conftest import NOW, window_of
from tests.server.ratings.test_leaderboards import rated

pytestmark = pytest.mark.django_db


def from_country(code: str, *names: str) -> list[User]:
    people = [make_user(name) for name in names]
    for person in people:
        preferences_services.set_profile(now=NOW, user=person, country=code)
    return people


def names(wanted: Wanted, *, cursor: str | None = None, limit: int = 10) -> list[str]:
    return [player.user.username for player in find_players(wanted, cursor=cursor, limit=limit)[0]]


def test_players_are_found_by_country_who_joined_last_first() -> None:
    from_country("NL", "anton", "bram")
    from_country("PL", "celina")
    assert names(Wanted(country="NL")) == ["bram", "anton"]
    assert names(Wanted(country="XX")) == []
    assert names(Wanted(country="NL", name="AN")) == ["anton"]


def test_players_are_found_by_rating_the_highest_first() -> None:
    rated([1900, 1800, 1700, 1600])
    assert names(Wanted(variant="american", least=1700, most=1850)) == ["p1", "p2"]
    assert names(Wanted(variant="american", least=2000)) == []
    assert names(Wanted(variant="russian")) == []


def test_rating_country_and_name_go_together() -> None:
    players = rated([1900, 1800, 1700])
    for player in players[:2]:
        preferences_services.set_profile(now=NOW, user=player, country="NL")
    assert names(Wanted(variant="american", country="NL")) == ["p0", "p1"]
    assert names(Wanted(variant="american", country="NL", name="p1")) == ["p1"]


def test_somebody_who_has_left_is_not_found() -> None:
    (gone,) = from_country("NL", "anton")
    gone.is_active = False
    gone.save()
    assert names(Wanted(country="NL")) == []


def test_a_long_list_comes_in_pages() -> None:
    from_country("NL", *(f"p{number}" for number in range(5)))
    seen, cursor = [], None
    for _ in range(3):
        found, cursor = find_players(Wanted(country="NL", name="p"), cursor=cursor, limit=2)
        seen += [player.user.username for player in found]
    assert (seen, cursor) == (["p4", "p3", "p2", "p1", "p0"], None)


def test_a_page_looks_at_so_many_rows_and_the_next_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", 2)
    from_country("NL", "anton", "bram", "cas")
    found, cursor = find_players(Wanted(country="NL", name="anton"), cursor=None, limit=10)
    assert (found, cursor is None) == ([], False)
    assert names(Wanted(country="NL", name="anton"), cursor=cursor) == ["anton"]


def test_the_words_of_a_name_may_stand_anywhere_in_it() -> None:
    from_country("NL", "jan-van-dam", "dam-breaker", "vandaag")
    from_country("PL", "amsterdam")
    assert names(Wanted(country="NL", name="Dam")) == ["dam-breaker", "jan-van-dam"]
    assert names(Wanted(country="NL", name="dam van")) == ["jan-van-dam"]
    assert names(Wanted(country="NL", name="_")) == []


def test_the_words_of_a_name_are_sought_among_those_who_were_here_last(alice: User) -> None:
    for name in ("jan-van-dam", "dam-breaker", "van-jan"):
        make_user(name)
    User.objects.update(last_seen_at=NOW)
    page = window_of().get("/players/?name=dam+jan")
    assert "Names with “dam jan” in them" in page.text
    assert re.findall(r'href="/players/([\w-]+)/"', page.html) == ["jan-van-dam"]


def found_first(query: str) -> tuple[list[str], list[str]]:
    """The players of the first page of a search, along an index and by their names."""
    html = window_of().get(f"/players/?{query}").html
    along, _heading, by_name = html[html.index('id="found"') :].partition("Names with")
    first, second = (re.findall(r'href="/players/([\w-]+)/"', part) for part in (along, by_name))
    return first, second


@pytest.mark.usefixtures("alice")
def test_in_a_large_club_players_with_the_name_come_on_the_first_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", 2)
    from_country("NL", "long-ago-dam", "dam-long-ago", "anton", "bram")
    from_country("PL", "dam-of-poland")
    User.objects.update(last_seen_at=NOW)
    assert found_first("country=NL&name=dam") == ([], ["dam-long-ago", "long-ago-dam"])
    assert found_first("country=NL&name=bram") == (["bram"], [])


def test_in_a_large_club_rated_players_with_the_name_come_on_the_first_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", 2)
    players = rated([1900, 1800, 1700, 1600, 1500])
    User.objects.update(last_seen_at=NOW)
    preferences_services.set_profile(now=NOW, user=players[4], country="NL")
    assert found_first("variant=american&name=p4") == ([], ["p4"])
    assert found_first("variant=american&name=4") == ([], ["p4"])
    assert found_first("variant=american&name=4&from=1600") == ([], [])
    assert found_first("variant=american&country=NL&name=4") == ([], ["p4"])
    assert found_first("variant=american&country=PL&name=4") == ([], [])
    assert found_first("variant=russian&name=p4") == ([], [])


def test_the_page_has_the_filters_and_keeps_them() -> None:
    players = rated([1900, 1700])
    preferences_services.set_profile(now=NOW, user=players[0], country="NL")
    page = window_of().get("/players/?country=NL&variant=american&from=1800&to=2000")
    assert "Players found" in page.text
    assert "p0 1900 Netherlands" in page.text
    assert "/players/p1/" not in page.html
    assert '<option value="NL" selected>' in " ".join(page.html.split())
    assert 'value="1800"' in page.html
    nobody = window_of().get("/players/?country=NL&variant=american&from=2000")
    assert "No players found." in nobody.text


@pytest.mark.parametrize("query", ["country=xx", "variant=ludo", "from=-1&to=many"])
def test_what_makes_no_sense_counts_as_not_asked(query: str) -> None:
    assert "Online now" in window_of().get(f"/players/?{query}").text


def test_programs_look_for_players_too(api: Api) -> None:
    rated([1900, 1700])
    found = api.get("/players?variant=american&min_rating=1800").json()
    assert [player["username"] for player in found["items"]] == ["p0"]
    assert api.get("/players?country=NL").json() == {"items": [], "next": None}
    assert api.get("/players").status_code == 422
    assert api.get("/players?country=NLD").status_code == 422


def test_programs_find_names_with_the_words_elsewhere_behind_those_that_begin_with_them(api: Api) -> None:
    for name in ("dam-breaker", "jan-van-dam", "amsterdam"):
        make_user(name)
    User.objects.update(last_seen_at=NOW)
    found = [player["username"] for player in api.get("/players?name=dam").json()["items"]]
    assert found == ["dam-breaker", "amsterdam", "jan-van-dam"]
    first = api.get("/players?name=dam&limit=1").json()
    assert [player["username"] for player in first["items"]] == ["dam-breaker"]


def test_the_country_of_a_profile_for_members_is_not_told_to_guests(client: Client) -> None:
    shy, open_ = from_country("NL", "anton", "bram")
    Preferences.objects.create(user=shy, visibility="members")
    facts = {"points": 1700, "value": 1700, "deviation": 60, "volatility": 0.06, "games": 9, "won": 9}
    until = clock.now() + timedelta(days=9)
    for user in (shy, open_):
        PlayerRating.objects.create(
            user=user, variant="american", updated_at=NOW, listed_until=until, **facts
        )
    for wanted in ({}, {"variant": "american"}, {"name": "a"}, {"variant": "american", "name": "a"}):
        query = {"country": "NL", **wanted}
        for asked, found in ((Api(), {"bram"}), (Api().as_(open_), {"anton", "bram"})):
            items = asked.get(f"/players?{urlencode(query)}").json()["items"]
            assert {item["username"] for item in items} == found
            assert {item["country"] for item in items} == {"Netherlands"}
        assert "/players/anton/" not in client.get("/players/", query).content.decode()
    assert Api().get("/players?name=anton").json()["items"][0]["country"] == ""
    assert Api().get("/players/anton").json()["country"] == ""
    assert Api().as_(open_).get("/players/anton").json()["country"] == "Netherlands"
    page = client.get("/players/", {"name": "anton"}).content.decode()
    assert "<span>Netherlands</span>" not in page
    client.force_login(open_)
    page = client.get("/players/", {"name": "anton"}).content.decode()
    assert "<span>Netherlands</span>" in page
    (named,) = find_by_name(Wanted(name="anton", country="NL"), limit=9)
    assert named.user == shy
    assert find_by_name(Wanted(name="anton", country="NL", by_guest=True), limit=9) == []
