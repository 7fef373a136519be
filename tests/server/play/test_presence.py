"""Players who leave: their live offers end, opponents are told, and may claim the game after a minute."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict
from crownhead.server.live.models import Outbox
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.games.services import create_game
from crownhead.server.play.models import Absence, Game
from crownhead.server.play.presence.services import claim_abandoned, note_back, note_left
from tests.server.play.factories import NOW, api_of, fresh, make_game, play_moves

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
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
