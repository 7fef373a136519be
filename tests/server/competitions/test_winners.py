"""Who has won is what the contest said when it ended: on the page, in lists and in what players hear."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, selectors, services
from crownhead.server.competitions.models import Entrant, PairingGame, Tournament, Trophy
from crownhead.server.competitions.presenters import tournaments as presenter
from crownhead.server.notices.models import Notice
from crownhead.server.play.models import Seat
from tests.server.competitions.factories import end, fresh, make_running_tournament, open_rows, opponents
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


def final_of(tournament: Tournament) -> tuple[PairingGame, PairingGame]:
    """The open games of the final and for third place."""
    for row in open_rows(tournament):
        end(row.game_id or "", winner=Seat.FIRST, by=tournament.host)
    jobs.advance_due(NOW)
    final, third = sorted(open_rows(tournament), key=lambda row: row.pairing.table)
    return final, third


def texts_of_the_end() -> set[str]:
    return {
        *Notice.objects.filter(subject="The tournament Spring cup is over").values_list("text", flat=True)
    }


def page_of(tournament: Tournament) -> str:
    return Client().get(f"/tournaments/{tournament.public_id}/").content.decode()


def test_of_a_knockout_whose_champion_has_left_nobody_hears_that_the_loser_of_the_final_won(
    alice: User,
) -> None:
    tournament, _users = make_running_tournament(alice, 4, format="single-elimination")
    final, third = final_of(tournament)
    champion, _loser = opponents(final)
    end(final.game_id or "", winner=Seat.FIRST, by=alice)
    services.withdraw(user=champion, tournament_id=tournament.public_id, now=NOW)
    end(third.game_id or "", winner=Seat.FIRST, by=alice)
    jobs.advance_due(NOW)
    tournament = fresh(tournament)
    assert (tournament.status, tournament.winners) == ("finished", [])
    assert "Finished without a winner." in page_of(tournament)
    assert texts_of_the_end() == {""}


def test_the_page_names_whom_the_contest_said(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4)
    tournament = play_all(tournament)
    assert tournament.winners == [Entrant.objects.get(place=1).pk]
    other = Entrant.objects.filter(place=2).latest("pk")
    Tournament.objects.update(winners=[other.pk])
    assert f"{other.user.username} won." in page_of(tournament)
    assert selectors.winners_of([fresh(tournament)])[tournament.pk].names == (other.user.username,)


def test_of_a_tournament_that_an_older_version_has_ended_the_first_are_the_winners(alice: User) -> None:
    tournament = play_all(make_running_tournament(alice, 4)[0])
    ended = selectors.winners_of([tournament])
    assert [(len(won.names), won.count) for won in ended.values()] == [(1, 1)]
    Tournament.objects.update(winners=None)
    assert selectors.winners_of([fresh(tournament)]) == ended


def shared_by(count: int, tournament: Tournament, *, said: bool) -> Tournament:
    """The finished tournament as if so many had won it, as the contest said or by their places."""
    User.objects.bulk_create(
        User(username=f"winner-{at:03}", folded=f"winner-{at:03}", likeness=f"winner-{at:03}", email="")
        for at in range(count)
    )
    Entrant.objects.filter(tournament=tournament).update(place=2)
    Entrant.objects.bulk_create(
        Entrant(tournament=tournament, user=user, place=1, entered_at=NOW)
        for user in User.objects.filter(username__startswith="winner-").order_by("username")
    )
    won = Entrant.objects.filter(tournament=tournament, place=1).order_by("pk").values_list("pk", flat=True)
    Tournament.objects.filter(pk=tournament.pk).update(winners=[*won] if said else None)
    return fresh(tournament)


@pytest.mark.parametrize("said", [True, False])
def test_of_very_many_winners_a_few_are_named_with_the_count_of_the_others(
    alice: User, *, said: bool
) -> None:
    tournament = shared_by(30, play_all(make_running_tournament(alice, 4)[0]), said=said)
    with CaptureQueriesContext(connection) as asked:
        won = selectors.winners_of([tournament])[tournament.pk]
    assert len(asked) == 1
    assert won.names == tuple(f"winner-{at:03}" for at in range(selectors.MAX_NAMED))
    assert won.count == 30
    assert "winner-019 and 10 others shared first place." in page_of(tournament)
    texts = Client().get("/tournaments/?status=finished").content.decode()
    assert "winner-019 and 10 others" in texts
    assert "winner-020" not in texts


def test_of_very_many_trophies_a_page_names_some(alice: User) -> None:
    tournament = shared_by(
        presenter.MAX_TROPHIES + 2, play_all(make_running_tournament(alice, 4)[0]), said=True
    )
    Trophy.objects.bulk_create(
        Trophy(user=user, tournament=tournament, name="Cup", place=1, won_at=NOW)
        for user in User.objects.filter(username__startswith="winner-")
    )
    text = page_of(tournament)
    assert text.count("<b>Cup</b>") == presenter.MAX_TROPHIES
    assert "2 other players have one of these trophies, too." in text


def play_all(tournament: Tournament) -> Tournament:
    """Play it to its end; who has entered first wins all games."""
    first = Entrant.objects.filter(tournament=tournament).earliest("pk").user
    while rows := open_rows(tournament):
        for row in rows:
            winner = Seat.FIRST if opponents(row)[0] == first else Seat.SECOND
            end(row.game_id or "", winner=winner if first in opponents(row) else None, by=tournament.host)
        jobs.advance_due(NOW)
    return fresh(tournament)
