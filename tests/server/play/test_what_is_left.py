"""What a member wrote about games is nobody's when they leave, and is deleted a few rows at a time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core import jobs as core_jobs
from crownhead.server.core.problems import NotFound
from crownhead.server.play import jobs
from crownhead.server.play.chat.services import write_note
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.services import account_closing
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.invitations.selectors import by_link, message_of
from crownhead.server.play.models import Game, Invitation, Note, Plan
from crownhead.server.play.moves.services import go_on_with_plans
from crownhead.server.play.plans.services import set_plan
from tests.server.conftest import make_user
from tests.server.pages.conftest import Open, the_clock_stands_still, window
from tests.server.play.factories import NOW, fresh, make_game, play_moves
from tests.server.test_query_bounds import counted

__all__ = ["the_clock_stands_still", "window"]

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
TERMS = GameOptions(variant="american", colour="first", days_per_move=3)


@pytest.fixture
def three_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The jobs change three rows at a time."""
    monkeypatch.setattr(core_jobs, "AT_ONCE", 3)
    monkeypatch.setattr(core_jobs, "_PAUSE", 0)
    monkeypatch.setattr(account_closing, "AT_ONCE", 3)


def invite(creator: User, opponent: str) -> Game:
    return invitation_services.invite(
        creator=creator, opponent=opponent, options=TERMS, message="A game?", site="http://x", now=NOW
    )


def test_the_plan_of_a_closed_account_answers_nothing_before_the_worker_comes(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    set_plan(user=alice, game_id=game.public_id, version=0, lines=[["22-18", "15x22"]], now=NOW)
    closing.close(user=alice, now=NOW)
    assert play_moves(game, "22-18", now=NOW + HOUR).moves == "11-15 22-18"
    go_on_with_plans(game_id=game.public_id, now=NOW + HOUR)
    assert (fresh(game).moves, fresh(game).status) == ("11-15 22-18", "playing")
    account_closing.end_everything_of(user_id=alice.pk, now=NOW + HOUR)
    assert (fresh(game).moves, fresh(game).winner) == ("11-15 22-18", "second")


def test_the_plan_of_a_suspended_account_answers_nothing_until_it_may_play_again(
    alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    set_plan(user=alice, game_id=game.public_id, version=0, lines=[["22-18", "15x22"]], now=NOW)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert play_moves(game, "22-18", now=NOW + HOUR).moves == "11-15 22-18"
    User.objects.filter(pk=alice.pk).update(is_active=True)
    go_on_with_plans(game_id=game.public_id, now=NOW + HOUR)
    assert fresh(game).moves == "11-15 22-18 15x22"


def test_the_words_of_an_offer_are_gone_before_the_worker_withdraws_it(alice: User, bob: User) -> None:
    offer = invite(alice, "bob")
    closing.close(user=alice, now=NOW)
    assert message_of(offer) == ""


def test_a_link_of_a_closed_account_shows_nothing_at_once(window: Open, alice: User) -> None:
    invite(alice, "eve@mail.example")
    token = Invitation.objects.get().token
    assert "A game?" in window().get(f"/join/{token}/").text
    closing.close(user=alice, now=NOW)
    assert window().get(f"/join/{token}/").status == 404
    with pytest.raises(NotFound):
        by_link(token=token)


@pytest.mark.usefixtures("three_at_once")
def test_notes_and_words_are_deleted_some_at_a_time_and_those_of_others_stay(alice: User, bob: User) -> None:
    games = [make_game(alice, bob) for _ in range(5)]
    for game in games:
        write_note(user=alice, game_id=game.public_id, text="Likes the corner.")
        write_note(user=bob, game_id=game.public_id, text="Quick.")
    Invitation.objects.bulk_create(Invitation(game=game, message="A game?") for game in games)
    theirs = invite(bob, "eve@mail.example")
    closing.close(user=alice, now=NOW)
    with counted() as statements:
        jobs.forget_closed_accounts(NOW)
    assert sum(sql.startswith('DELETE FROM "play_note"') for sql in statements) == 2
    assert sum(sql.startswith('UPDATE "play_invitation"') for sql in statements) == 2
    assert set(Note.objects.values_list("user", flat=True)) == {bob.pk}
    assert list(Invitation.objects.exclude(message="").values_list("game", flat=True)) == [theirs.pk]
    with counted() as statements:
        jobs.forget_closed_accounts(NOW)
    assert len(statements) == 2


def test_closing_an_account_costs_the_same_with_however_many_notes_and_old_offers(bob: User) -> None:
    found = []
    for count in (1, 30):
        user = make_user(f"member{count}")
        games = [make_game(user, bob) for _ in range(count)]
        Game.objects.filter(pk__in=[game.pk for game in games]).update(
            status="withdrawn", turn=None, turn_since=None, deadline_at=None, remind_at=None, remind_of=""
        )
        Note.objects.bulk_create(Note(game=game, user=user, text="So") for game in games)
        Invitation.objects.bulk_create(Invitation(game=game, message="A game?") for game in games)
        Plan.objects.bulk_create(Plan(game=game, seat="first", ply=0) for game in games)
        with counted() as statements:
            closing.close(user=user, now=NOW)
        assert not [
            sql for sql in statements if sql.startswith(('DELETE FROM "play_n', 'DELETE FROM "play_p'))
        ]
        found.append(len(statements))
    assert found[0] == found[1]


@pytest.mark.usefixtures("three_at_once")
def test_plans_of_games_that_are_over_are_deleted_and_those_of_others_stay(alice: User, bob: User) -> None:
    games = [make_game(alice, bob) for _ in range(6)]
    for game in games:
        set_plan(user=bob, game_id=game.public_id, version=0, lines=[["11-15", "22-18"]], now=NOW)
    for game in games[1:]:
        resign(user=bob, game_id=game.public_id, now=NOW)
    with counted() as statements:
        jobs.delete_old_plans(NOW)
    assert sum(sql.startswith('DELETE FROM "play_plan"') for sql in statements) == 2
    assert list(Plan.objects.values_list("game", flat=True)) == [games[0].pk]
