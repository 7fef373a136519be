"""Pages that guests get again while nothing changes: made once, changed at once, and never a member's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences, set_profile
from crownhead.server.competitions import services as competitions
from crownhead.server.core import clock
from crownhead.server.ladders.services import memberships
from crownhead.server.ladders.services.founding import ensure_defaults
from crownhead.server.people.services.closing import close_confirmed
from crownhead.server.play.draws.services import resign
from crownhead.server.ratings.models import PlayerRating
from crownhead.server.social.models import News
from crownhead.server.teams import services as teams
from crownhead.server.web import page_cache
from crownhead.server.web.page_cache import LONG_MAX_AGE, MAX_AGE, cached_while_unchanged
from tests.server.competitions.factories import make_tournament
from tests.server.conftest import make_user
from tests.server.ladders.factories import make_ladder
from tests.server.play.factories import NOW, make_game, play_moves

pytestmark = pytest.mark.django_db

PATHS = (
    "/players/",
    "/players/alice/",
    "/players/alice/games/",
    "/players/alice/ratings/american/",
    "/ratings/american/",
    "/ladders/",
    "/tournaments/",
    "/teams/",
    "/news/",
    "/help/",
    "/help/board/",
    "/questions/",
)


def text(path: str, **headers: str) -> str:
    """The page, as a new guest gets it."""
    answer = Client(headers=headers).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def seen(user: User) -> None:
    User.objects.filter(pk=user.pk).update(last_seen_at=NOW)


@pytest.mark.parametrize("path", PATHS)
def test_a_guest_gets_the_same_page_again_and_a_member_their_own(alice: User, bob: User, path: str) -> None:
    seen(bob)
    member = Client()
    member.force_login(alice)
    with clock.stopped(NOW):
        member.get(path)  # so that it is known that they are here
        first = text(path)
        own, again = member.get(path).content.decode(), text(path)
    assert len(page_cache._answers) == 1  # noqa: SLF001
    assert first == again
    assert "Sign out" in own
    assert "Sign out" not in again


@pytest.mark.parametrize("path", PATHS)
def test_languages_and_contents_alone_are_kept_apart(alice: User, path: str) -> None:
    with clock.stopped(NOW):
        whole, content = text(path), text(path, **{"HX-Request": "true"})
        text(path, **{"Accept-Language": "nl"})
    assert "<!doctype html>" in whole
    assert "<!doctype html>" not in content
    assert text(path) == whole


def offer_cup(alice: User, _bob: User) -> None:
    make_tournament(alice, name="Summer cup")


def found_team(alice: User, _bob: User) -> None:
    teams.create_team(user=alice, name="Blue Dogs", about_text="", joining="open", now=NOW)


def publish_news(alice: User, _bob: User) -> None:
    times = dict.fromkeys(("written_at", "published_at", "changed_at"), NOW)
    News.objects.create(title="New boards", text="", author=alice, **times)


def come_online(_alice: User, bob: User) -> None:
    seen(bob)


def start_game(alice: User, bob: User) -> None:
    make_game(alice, bob)


def write_profile(alice: User, _bob: User) -> None:
    set_profile(user=alice, now=NOW, text="I like long endgames.")


def be_rated(_alice: User, bob: User) -> None:
    PlayerRating.objects.create(
        user=bob,
        variant="american",
        points=1777,
        value=1777.0,
        deviation=50.0,
        volatility=0.06,
        games=30,
        won=30,
        updated_at=NOW,
        listed_until=NOW + timedelta(days=30),
    )


CHANGES: list[tuple[str, Callable[[User, User], None], str]] = [
    ("/players/", come_online, "bob"),
    ("/players/alice/", write_profile, "I like long endgames."),
    ("/players/alice/", start_game, "bob"),
    ("/players/alice/games/?show=running", start_game, "bob"),
    ("/ratings/american/", be_rated, "1777"),
    ("/tournaments/", offer_cup, "Summer cup"),
    ("/teams/", found_team, "Blue Dogs"),
    ("/news/", publish_news, "New boards"),
]


@pytest.mark.parametrize(("path", "change", "told"), CHANGES)
def test_what_has_changed_is_shown_at_once(
    alice: User, bob: User, path: str, change: Callable[[User, User], None], told: str
) -> None:
    with clock.stopped(NOW):
        assert told not in text(path)
        assert told not in text(path)
        change(alice, bob)
        assert told in text(path)


def test_what_begins_between_two_looks_is_shown_by_the_second(alice: User) -> None:
    with clock.stopped(NOW):
        assert "alice" not in text("/players/")
    later = NOW + timedelta(seconds=MAX_AGE - 1)
    User.objects.filter(pk=alice.pk).update(last_seen_at=later)
    with clock.stopped(later):
        assert "alice" in text("/players/")


def test_a_ladder_shows_who_joins(alice: User) -> None:
    ladder = make_ladder()
    path = f"/ladders/{ladder.public_id}/"
    with clock.stopped(NOW):
        assert "alice" not in text(path)
        memberships.join(user=alice, ladder_id=ladder.public_id, now=NOW)
        assert "alice" in text(path)


def test_a_tournament_shows_who_enters_and_a_finished_game_how_it_ended(alice: User, bob: User) -> None:
    cup = make_tournament(alice)
    game = play_moves(make_game(alice, bob), "11-15")
    with clock.stopped(NOW):
        assert "bob" not in text(f"/tournaments/{cup.public_id}/players/")
        competitions.enter(user=bob, tournament_id=cup.public_id, now=NOW)
        assert "bob" in text(f"/tournaments/{cup.public_id}/players/")
        resign(user=bob, game_id=game.public_id, now=NOW)
        assert "resign" in text(f"/games/{game.public_id}/")
        assert text(f"/games/{game.public_id}/") == text(f"/games/{game.public_id}/")
        type(game).objects.filter(pk=game.pk).update(hidden=True)
        assert Client().get(f"/games/{game.public_id}/").status_code == 404


def test_a_profile_that_is_closed_to_guests_is_closed_at_once(alice: User, bob: User) -> None:
    make_game(alice, bob)
    set_profile(user=alice, now=NOW, text="I like long endgames.")
    with clock.stopped(NOW):
        assert "long endgames" in text("/players/alice/")
        assert "bob" in text("/players/alice/games/?show=running")
        text("/players/alice/games/")
        set_preferences(user=alice, changes={"visibility": "members"})
        shown = text("/players/alice/")
        assert "long endgames" not in shown
        assert "bob" not in shown
        assert Client().get("/players/alice/games/").status_code == 302


def test_a_closed_account_is_gone_at_once() -> None:
    dora = make_user("dora")
    set_profile(user=dora, now=NOW, text="I like long endgames.")
    with clock.stopped(NOW):
        assert "long endgames" in text("/players/dora/")
        close_confirmed(user=dora, now=NOW)
        answer = Client().get("/players/dora/")
    assert "long endgames" not in answer.content.decode()


def test_times_are_brought_up_to_date_after_a_while(alice: User) -> None:
    calls = []

    @cached_while_unchanged(LONG_MAX_AGE)
    def view(_request: HttpRequest) -> HttpResponse:
        calls.append(clock.now())
        return HttpResponse(f"{User.objects.count()} at {clock.now()}")

    request = RequestFactory().get("/")
    request.user = type("Guest", (), {"is_authenticated": False})()
    for seconds in (0, LONG_MAX_AGE - 1, LONG_MAX_AGE, 0):
        with clock.stopped(NOW + timedelta(seconds=seconds)):
            view(request)
    assert len(calls) == 3  # also when the clock goes back


def test_a_page_with_a_query_or_a_cookie_of_a_session_is_not_kept(alice: User) -> None:
    with clock.stopped(NOW):
        text("/players/?name=al")
        Client(headers={"Cookie": "sessionid=unknown"}).get("/players/")
    assert not page_cache._answers  # noqa: SLF001


def test_what_writes_is_not_kept(alice: User) -> None:
    @cached_while_unchanged()
    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(str(User.objects.update(last_seen_at=clock.now())))

    request = RequestFactory().get("/")
    request.user = type("Guest", (), {"is_authenticated": False})()
    assert view(request).content == b"1"
    assert not page_cache._answers  # noqa: SLF001


def test_the_number_of_pages_is_bounded(monkeypatch: pytest.MonkeyPatch, alice: User) -> None:
    monkeypatch.setattr(page_cache, "MOST", 3)
    ensure_defaults(now=NOW)
    for path in PATHS[:6]:
        text(path)
    assert len(page_cache._answers) == 3  # noqa: SLF001
