"""Players who leave: their live offers end, opponents are told, and may claim the game after a minute."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead import server
from crownhead.server.accounts.models import User
from crownhead.server.core import clock, events
from crownhead.server.core.problems import Conflict
from crownhead.server.live import messages, signs
from crownhead.server.live.models import Outbox
from crownhead.server.play.draws.services import resign
from crownhead.server.play.events import GameWithdrawn, PlayerLeft
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.games.selectors import terms
from crownhead.server.play.games.services import create_game, join
from crownhead.server.play.invitations import services as invitations
from crownhead.server.play.models import Absence, Game, Heartbeat, Invitation, OutageRow
from crownhead.server.play.presence import services as presence_services
from crownhead.server.play.presence.selectors import CLAIM_AFTER, absent_lately
from crownhead.server.play.presence.services import claim_abandoned, note_back, note_left
from crownhead.server.play.problems import TooManyGames
from crownhead.server.play.staff.services import adjourn
from tests.server.guests import browser_of, make_guest
from tests.server.play.factories import (
    DAY,
    NOW,
    api_of,
    fresh,
    make_game,
    make_offer,
    play_moves,
    recorded_events,
)

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
SCRIPTS = Path(server.__file__).parent / "static" / "crownhead" / "js"
LIVE: dict[str, Any] = {"days_per_move": None, "clock": LiveClock(initial=300)}


def leave(user: User) -> None:
    note_left(user_id=user.pk, since=NOW, now=NOW + 10 * SECOND)


def test_live_offers_end_when_their_maker_leaves_and_others_stay(alice: User, bob: User) -> None:
    def offer(user: User, **terms: Any) -> Game:
        options = GameOptions(variant="american", colour="random", **terms)
        return create_game(creator=user, options=options, now=NOW)

    live, slow, other = offer(alice, **LIVE), offer(alice, days_per_move=3), offer(bob, **LIVE)
    leave(alice)
    assert [fresh(game).status for game in (live, slow, other)] == ["withdrawn", "waiting", "waiting"]


def test_nothing_is_locked_for_who_comes_and_leaves_without_a_live_game(alice: User, bob: User) -> None:
    make_game(alice, bob)  # by mail
    with CaptureQueriesContext(connection) as queries:
        leave(alice)
        note_back(user_id=alice.pk)
    assert [query["sql"] for query in queries if not query["sql"].startswith("SELECT")] == []


def accept(user: User, game: Game, *, now: datetime) -> Game:
    link = Invitation.objects.get(game=game).token
    if link:
        return invitations.accept_link(user=user, token=link, now=now)
    return invitations.accept(user=user, game_id=game.public_id, now=now)


@pytest.mark.parametrize("how", ["by name", "by link", "again"])
def test_a_live_offer_to_one_player_can_be_taken_while_its_maker_is_in_another_program(
    alice: User, bob: User, how: str
) -> None:
    options = GameOptions(variant="american", colour="first", rated=how != "by link", **LIVE)
    if how == "by name":
        game = invitations.invite(
            creator=alice, opponent="bob", options=options, message="", site="", now=NOW
        )
    elif how == "by link":
        game = invitations.offer_by_link(creator=alice, options=options, now=NOW)
    else:
        before = make_game(alice, bob, **LIVE)
        resign(user=bob, game_id=before.public_id, now=NOW)
        game = invitations.invite_again(user=alice, game_id=before.public_id, message="", now=NOW)
    leave(alice)
    assert accept(bob, game, now=NOW + 30 * SECOND).status == "playing"


def test_an_offer_by_days_is_taken_though_its_maker_is_away(alice: User, bob: User) -> None:
    options = GameOptions(variant="american", colour="first", days_per_move=3)
    game = invitations.offer_by_link(creator=alice, options=options, now=NOW)
    leave(alice)
    assert not Absence.objects.exists()
    assert accept(bob, game, now=NOW).status == "playing"


@pytest.mark.parametrize("is_away", [False, True])
def test_a_live_match_does_not_go_on_without_a_player(alice: User, bob: User, is_away: bool) -> None:
    game = make_game(alice, bob, games=3, **LIVE)
    play_moves(game, "11-15", "23-19", "8-11", "22-17", now=NOW)
    if is_away:
        leave(alice)
    resign(user=bob, game_id=game.public_id, now=NOW + 30 * SECOND)
    assert Game.objects.filter(status="playing").count() == (0 if is_away else 1)


def test_a_live_match_goes_on_with_a_player_who_is_back_without_a_stream(alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=3, **LIVE)
    play_moves(game, "11-15", "23-19", "8-11", "22-17", now=NOW)
    leave(alice)
    with clock.stopped(NOW + 20 * SECOND):
        signed_in(alice).get(f"/games/{game.public_id}/")
    assert Absence.objects.filter(user=alice).exists()
    resign(user=bob, game_id=game.public_id, now=NOW + 30 * SECOND)
    assert Game.objects.filter(status="playing").count() == 1


def test_a_live_offer_waits_an_hour_at_most(alice: User) -> None:
    options = GameOptions(variant="american", colour="random", **LIVE)
    assert create_game(creator=alice, options=options, now=NOW).expires_at == NOW + 3600 * SECOND


def test_the_opponent_is_told_when_a_player_leaves_and_comes_back(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)

    def told() -> Any:
        return Outbox.objects.filter(topic=f"user:{bob.pk}").order_by("-id")[0].payload["presence"]

    leave(alice)
    assert told() == {"first": (NOW + 60 * SECOND).isoformat()}
    note_back(user_id=alice.pk)
    assert told() == {"first": None}
    before = Outbox.objects.count()
    note_back(user_id=alice.pk)
    assert Outbox.objects.count() == before
    assert fresh(game).status == "playing"


def test_nothing_is_noted_of_people_without_a_live_game(alice: User, bob: User) -> None:
    make_game(alice, bob)
    leave(alice)
    assert not Absence.objects.exists()


def test_an_abandoned_game_can_be_claimed_after_a_minute(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)
    for user in (alice, bob):
        with pytest.raises(Conflict):
            claim_abandoned(user=user, game_id=game.public_id, now=NOW + 100 * SECOND)
    leave(alice)
    with pytest.raises(Conflict):
        claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 59 * SECOND)
    game = claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 60 * SECOND)
    assert (game.winner, game.termination, game.annulled) == ("second", "abandoned", True)
    body = api_of(bob).get(f"/games/{game.public_id}").json()
    assert body["outcome"] == {"winner": "second", "termination": "abandoned", "result": "0-1"}


def test_a_player_who_is_back_cannot_lose_by_having_been_away(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)
    leave(alice)
    note_back(user_id=alice.pk)
    with pytest.raises(Conflict):
        claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 100 * SECOND)


def test_who_moves_is_here_whether_a_stream_is_open_or_not(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)
    leave(alice)
    play_moves(game, "11-15", now=NOW + 30 * SECOND)
    with pytest.raises(Conflict):
        claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 100 * SECOND)
    leave(alice)
    claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 100 * SECOND)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, "crownhead.server.accounts.backends.ClubBackend")
    return client


def cannot_claim(user: User, game: Game, *, after: int = 100) -> None:
    """Nobody has been away for a minute after so many seconds."""
    with pytest.raises(Conflict):
        claim_abandoned(user=user, game_id=game.public_id, now=NOW + after * SECOND)


@pytest.mark.parametrize(
    "path", ["/games/{}/", "/games/{}/?ply=1", "/games/", "/api/v1/games/{}", "/api/v1/games/nothing"]
)
def test_who_asks_for_anything_by_a_session_is_here(alice: User, bob: User, path: str) -> None:
    game = make_game(alice, bob, **LIVE)
    leave(alice)
    with clock.stopped(NOW + 50 * SECOND):
        signed_in(alice).get(path.format(game.public_id))
    cannot_claim(bob, game)


def test_who_asks_for_anything_by_a_token_is_here(alice: User, bob: User) -> None:
    game, program = make_game(alice, bob, **LIVE), api_of(alice)
    leave(alice)
    with clock.stopped(NOW + 50 * SECOND):
        program.get(f"/games/{game.public_id}")
    cannot_claim(bob, game)


def test_a_move_that_is_refused_is_a_sign_of_life_all_the_same(alice: User, bob: User) -> None:
    game, program = make_game(alice, bob, **LIVE), api_of(alice)
    leave(alice)
    with clock.stopped(NOW + 30 * SECOND):
        sent = program.post(f"/games/{game.public_id}/moves", {"move": "1-32", "version": 0})
    assert sent.status_code == 422
    cannot_claim(bob, game)


def test_a_guest_who_asks_for_the_game_is_here(bob: User) -> None:
    guest = make_guest()
    game = make_game(bob, guest, rated=False, **LIVE)
    leave(guest)
    with clock.stopped(NOW + 50 * SECOND):
        browser_of(guest).get(f"/games/{game.public_id}/")
    cannot_claim(bob, game)


def test_requests_of_others_and_of_nobody_are_no_sign_of_life(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)
    leave(alice)
    with clock.stopped(NOW + 50 * SECOND):
        for client in (signed_in(bob), Client()):
            client.get(f"/games/{game.public_id}/")
    assert claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 60 * SECOND).winner == "second"


def test_what_was_heard_before_somebody_left_is_no_sign_of_life(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)
    with clock.stopped(NOW - SECOND):
        signed_in(alice).get(f"/games/{game.public_id}/")
    leave(alice)
    assert claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 60 * SECOND).winner == "second"


def test_a_sign_of_life_takes_no_query_and_makes_a_session_known(alice: User) -> None:
    client = signed_in(alice)
    client.get("/games/")
    name = signs.name_of(token=None, session=client.session.session_key)
    assert signs.holder_of(name) == alice.pk
    with CaptureQueriesContext(connection) as queries:
        client.get("/games/")
    assert not any("play_absence" in query["sql"] for query in queries)


def test_a_made_up_token_beside_a_session_is_known_to_nobody(alice: User) -> None:
    signed_in(alice).get("/games/", headers={"Authorization": "Bearer made-up"})
    assert signs.holder_of(signs.name_of(token="made-up", session=None)) is None


def test_the_opponent_sees_the_page_of_one_who_was_heard_without_a_claim(alice: User, bob: User) -> None:
    game, opponent = make_game(alice, bob, **LIVE), signed_in(bob)
    leave(alice)
    with clock.stopped(NOW + 30 * SECOND):
        assert b"data-claim-in" in opponent.get(f"/games/{game.public_id}/").content
        signed_in(alice).get(f"/games/{game.public_id}/")
        assert b"data-claim-in" not in opponent.get(f"/games/{game.public_id}/").content


def test_time_in_which_the_club_heard_nobody_is_no_absence(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game(alice, bob, **LIVE)
    leave(alice)
    monkeypatch.setattr(signs, "_listening_since", NOW + 90 * SECOND)  # it was started then
    cannot_claim(bob, game, after=149)
    assert claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 150 * SECOND).winner == "second"


def test_who_was_away_before_a_game_has_a_minute_to_come_to_it(alice: User, bob: User) -> None:
    make_game(alice, bob, **LIVE)
    leave(alice)
    game = make_game(bob, alice, now=NOW + 100 * SECOND, **LIVE)
    cannot_claim(bob, game, after=159)
    assert claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 160 * SECOND).winner == "first"


def test_an_adjourned_game_is_abandoned_by_nobody(alice: User, bob: User, charlie: User) -> None:
    game, until = make_game(alice, bob, **LIVE), NOW + 1000 * SECOND
    adjourn(by=charlie, game_id=game.public_id, until=until, reason="dinner", now=NOW, as_director=True)
    with recorded_events(PlayerLeft) as told:
        leave(alice)
    assert [event.claim_at for event in told] == [until + 60 * SECOND]
    cannot_claim(bob, game)
    cannot_claim(bob, game, after=1059)
    play_moves(game, "11-15", now=NOW + 1055 * SECOND)
    with recorded_events(PlayerLeft) as told:
        note_left(user_id=alice.pk, since=NOW, now=NOW + 1056 * SECOND)
    assert [event.claim_at for event in told] == [NOW + 1115 * SECOND]
    cannot_claim(bob, game, after=1114)  # the adjournment of an earlier turn is not forgotten
    assert claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 1115 * SECOND).winner == "second"


def test_the_first_moves_of_a_contest_are_for_its_no_shows(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)
    contest = {
        "contest_kind": "tournament",
        "contest_event": "a",
        "contest_key": "a:1",
        "contest_name": "Open",
    }
    Game.objects.filter(pk=game.pk).update(**contest)
    leave(alice)
    cannot_claim(bob, game)
    play_moves(game, "11-15", "23-19", now=NOW)
    leave(alice)
    assert claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 60 * SECOND).winner == "second"


def test_an_absence_of_another_day_says_nothing(alice: User, bob: User) -> None:
    make_game(alice, bob, **LIVE)
    leave(alice)
    game = make_game(alice, bob, now=NOW + DAY, **LIVE)
    cannot_claim(bob, game, after=24 * 3600 + 100)


def test_time_in_which_nobody_could_play_is_no_absence(alice: User, bob: User) -> None:
    game = make_game(alice, bob, days_per_move=None, clock=LiveClock(initial=3600))
    leave(alice)
    Heartbeat.objects.create(pk=1, at=NOW + 13 * SECOND)
    cannot_claim(bob, game, after=600)  # no sign of life since: the first request after an outage
    outage = OutageRow.objects.create(begins_at=NOW + 13 * SECOND, ends_at=NOW + 600 * SECOND)
    Heartbeat.objects.update(at=NOW + 600 * SECOND)
    cannot_claim(bob, game, after=601)
    OutageRow.objects.filter(pk=outage.pk).update(done_at=NOW + 602 * SECOND)
    cannot_claim(bob, game, after=659)
    assert claim_abandoned(user=bob, game_id=game.public_id, now=NOW + 660 * SECOND).winner == "second"


def test_so_many_live_games_at_a_time(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "MAX_LIVE", 2)
    make_game(alice, bob, **LIVE)
    waiting = make_offer(bob, **LIVE)
    make_offer(alice, **LIVE)
    with pytest.raises(TooManyGames, match="2 live games at a time"):
        make_offer(alice, **LIVE)
    with pytest.raises(TooManyGames):
        join(user=alice, game_id=waiting.public_id, now=NOW)
    make_offer(alice)


def test_who_leaves_many_games_asks_few_questions(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence_services, "_AT_ONCE", 2)
    for _ in range(5):
        make_game(alice, bob, **LIVE)
    with recorded_events(PlayerLeft) as told, CaptureQueriesContext(connection) as queries:
        leave(alice)
    assert len({event.game_id for event in told}) == 5
    assert sum("play_outagerow" in query["sql"] for query in queries) == 3


def test_an_offer_that_cannot_be_withdrawn_holds_up_nothing_else(alice: User, bob: User) -> None:
    make_game(alice, bob, **LIVE)
    offers = [make_offer(alice, **LIVE) for _ in range(3)]

    @events.on(GameWithdrawn)
    def refuse(event: GameWithdrawn) -> None:
        if event.game_id == offers[1].public_id:
            raise RuntimeError("this one cannot be withdrawn")

    leave(alice)
    assert [fresh(offer).status for offer in offers] == ["withdrawn", "waiting", "withdrawn"]
    assert Absence.objects.filter(user=alice).exists()


def test_of_games_that_are_left_those_are_not_told_whose_player_is_back(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence_services, "_AT_ONCE", 2)
    for _ in range(5):
        make_game(alice, bob, **LIVE)
    tell, parts = presence_services._tell, []  # noqa: SLF001

    def come_back_after(games: Any, user_id: int, since: datetime) -> None:
        tell(games, user_id, since)
        parts.append(user_id)
        note_back(user_id=user_id)

    monkeypatch.setattr(presence_services, "_tell", come_back_after)
    leave(alice)
    assert parts == [alice.pk]


def test_who_leaves_during_a_long_adjournment_can_be_claimed_after_it(
    alice: User, bob: User, charlie: User
) -> None:
    game, until = make_game(alice, bob, **LIVE), NOW + 3 * DAY
    adjourn(by=charlie, game_id=game.public_id, until=until, reason="fair", now=NOW, as_director=True)
    leave(alice)
    with pytest.raises(Conflict):
        claim_abandoned(user=bob, game_id=game.public_id, now=until + 59 * SECOND)
    assert claim_abandoned(user=bob, game_id=game.public_id, now=until + 60 * SECOND).winner == "second"


def test_those_who_left_lately_are_asked_for_together(alice: User, bob: User) -> None:
    make_game(alice, bob, **LIVE)
    leave(alice)
    assert absent_lately(NOW + 60 * SECOND) == {alice.pk: NOW}
    assert absent_lately(NOW + DAY) == {}


def test_pages_try_to_come_back_before_an_opponent_may_claim() -> None:
    script = (SCRIPTS / "time_left.js").read_text("utf-8")
    longest = re.search(r"^const LONGEST = ([\d_]+);", script, re.MULTILINE)
    assert longest is not None
    assert timedelta(milliseconds=int(longest[1])) <= CLAIM_AFTER - 20 * SECOND
    retry = messages.encode_retry(100_000).decode().split()[1]
    assert timedelta(milliseconds=int(retry)) <= CLAIM_AFTER - 20 * SECOND
