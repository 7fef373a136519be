"""Substitutes who accept: of whom the place is, whose word it is, and that it is what they have read."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.competitions import services
from crownhead.server.competitions.models import (
    DirectorAction,
    Entrant,
    Invitation,
    Pairing,
    Tournament,
)
from crownhead.server.competitions.services import invitations
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import limits
from crownhead.server.core.problems import Conflict, Forbidden
from crownhead.server.notices.selectors.reading import notices_of
from crownhead.server.play.models import Seat
from crownhead.server.ratings import selectors as ratings
from crownhead.server.social.models import Mute
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    advance,
    client_of,
    end,
    enter_players,
    fresh,
    invite_substitute,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
    state,
)
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW, api_of

pytestmark = pytest.mark.django_db


def enter(tournament: Tournament, user: User) -> Entrant:
    return services.enter(user=user, tournament_id=tournament.public_id, now=NOW)


def players(tournament: Tournament) -> set[str]:
    return set(Entrant.objects.filter(tournament=tournament).values_list("user__username", flat=True))


def read(client: Client, tournament: Tournament) -> dict[str, str]:
    """What the button to enter sends, as the page shows it."""
    html = client.get(f"/tournaments/{tournament.public_id}/").content.decode()
    (offer,) = re.findall(r'name="offer" value="(\w+)"', html)
    return {"do": "enter", "offer": offer}


def press(client: Client, tournament: Tournament, form: dict[str, str]) -> str:
    """The page after the button was pressed."""
    return client.post(f"/tournaments/{tournament.public_id}/take-part/", form, follow=True).content.decode()


def test_a_substitute_accepts_though_the_director_may_write_no_longer(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, users = make_running_tournament(alice, 4)
    invite_substitute(tournament, users[0], bob)
    Mute.objects.create(user=alice, reason="Harassed somebody.", muted_by=users[1], muted_at=NOW)
    spent: list[str] = []
    monkeypatch.setattr(limits, "spend", lambda *, scope, **_facts: spent.append(scope))

    answer = api_of(bob).post(f"/tournaments/{tournament.public_id}/enter")

    assert answer.status_code == 200
    assert "Harassed" not in answer.content.decode()
    assert "directing" not in spent
    assert players(tournament) == {"bob", "player-2", "player-3", "player-4"}
    act = DirectorAction.objects.get(tournament=tournament, verb="replaced")
    assert (act.by, act.text, act.reason) == (alice, "player-1 → bob", "They can't come.")


def test_a_place_is_taken_once(alice: User, bob: User, charlie: User) -> None:
    tournament, users = make_running_tournament(alice, 4)
    invite_substitute(tournament, users[0], bob)
    invite_substitute(tournament, users[0], charlie)
    elsewhere = make_user("dora")
    invite_substitute(tournament, users[1], elsewhere)
    late = client_of(charlie)
    form = read(late, tournament)
    assert notices_of(charlie).filter(subject__contains="Spring cup").exists()
    enter(tournament, bob)
    assert not notices_of(charlie).filter(subject__contains="Spring cup").exists()

    assert "This has changed since you read it." in press(late, tournament, form)
    with pytest.raises(Conflict):
        enter(tournament, charlie)
    assert players(tournament) == {"bob", "player-2", "player-3", "player-4"}
    assert set(Invitation.objects.filter(answer="open").values_list("user__username", flat=True)) == {"dora"}
    invite_substitute(tournament, bob, charlie)
    enter(tournament, charlie)
    assert players(tournament) == {"charlie", "player-2", "player-3", "player-4"}


def test_invitations_that_stood_when_their_place_was_taken_are_withdrawn(
    alice: User, bob: User, charlie: User
) -> None:
    tournament, users = make_running_tournament(alice, 4)
    invite_substitute(tournament, users[0], bob)
    enter(tournament, bob)
    for user, made_at in ((charlie, NOW - DAY), (make_user("dora"), NOW)):  # Dora's is to replace Bob
        place = Entrant.objects.get(user=bob)
        Invitation.objects.create(tournament=tournament, user=user, by=alice, place=place, made_at=made_at)
    invite_substitute(tournament, users[1], make_user("player-9"))

    name = "crownhead.server.competitions.migrations.0009_invitations_to_taken_places"
    import_module(name).withdraw(apps, SimpleNamespace(connection=connection))

    invited = Invitation.objects.filter(answer="open").values_list("user__username", flat=True)
    assert set(invited) == {"dora", "player-9"}


def test_the_word_of_a_director_who_was_removed_does_not_stand(alice: User, bob: User) -> None:
    tournament, users = make_running_tournament(alice, 4)
    judge = make_user("judge")
    key = tournament.public_id
    services.set_directors(user=alice, tournament_id=key, usernames=["judge"], now=NOW)
    services.answer_directing(user=judge, tournament_id=key, accepted=True)
    invite_substitute(tournament, users[0], bob, by=judge)
    services.set_directors(user=alice, tournament_id=key, usernames=[], now=NOW)

    with pytest.raises(Conflict, match="judge invited you, but can't decide about this place now"):
        enter(tournament, bob)
    assert "bob" not in players(tournament)
    services.withdraw_invitation(user=alice, tournament_id=key, username="bob", now=NOW)
    invite_substitute(tournament, users[0], bob)
    enter(tournament, bob)
    assert "bob" in players(tournament)


def test_who_accepts_an_invitation_takes_no_place_that_they_have_not_read_of(alice: User, bob: User) -> None:
    tournament, users = make_running_tournament(alice, 4, format="swiss", max_players=10)
    services.invite(user=alice, tournament_id=tournament.public_id, usernames=["bob"], now=NOW)
    client = client_of(bob)
    form = read(client, tournament)
    invite_substitute(tournament, users[0], bob)

    assert "This has changed since you read it." in press(client, tournament, form)
    assert players(tournament) == {"player-1", "player-2", "player-3", "player-4"}
    press(client, tournament, read(client, tournament))
    assert players(tournament) == {"bob", "player-2", "player-3", "player-4"}


def test_who_enters_enters_for_the_terms_that_they_have_read(alice: User, bob: User, charlie: User) -> None:
    tournament = make_tournament(alice, format="swiss", options={"rounds": 3})
    client = client_of(bob)
    form = read(client, tournament)
    terms = {"name": "Spring cup", "format": "swiss", "min_players": 3, "max_players": 3, "start": "full"}
    wanted = Announcement(**terms, game=LIVE, options={"rounds": 1})  # type: ignore[arg-type]
    services.edit(user=alice, tournament_id=tournament.public_id, wanted=wanted, now=NOW)
    for user in (charlie, make_user("dora")):
        enter(tournament, user)

    assert "This has changed since you read it." in press(client, tournament, form)
    assert fresh(tournament).size == 2
    assert "You have entered." in press(client, tournament, read(client, tournament))


def test_others_who_enter_and_other_texts_change_nothing_for_who_enters(alice: User, bob: User) -> None:
    tournament = make_tournament(alice)
    client = client_of(bob)
    form = read(client, tournament)
    enter_players(tournament, 2)
    terms = {"format": "round-robin", "min_players": 3, "max_players": 8, "start": "hand"}
    wanted = Announcement(**terms, name="Spring cup", about="Welcome.", game=MAIN)  # type: ignore[arg-type]
    services.edit(user=alice, tournament_id=tournament.public_id, wanted=wanted, now=NOW)

    assert "You have entered." in press(client, tournament, form)
    assert "You have entered." in press(client, tournament, form)  # twice changes nothing
    assert fresh(tournament).size == 3


def test_a_program_may_say_what_it_has_read(alice: User, bob: User, charlie: User) -> None:
    tournament = make_tournament(alice, max_players=8)
    path = f"/tournaments/{tournament.public_id}"
    offer = api_of(bob).get(path).json()["offer"]
    assert api_of(charlie).get(path).json()["offer"] == offer
    services.invite(user=alice, tournament_id=tournament.public_id, usernames=["bob"], now=NOW)

    changed = api_of(bob).post(f"{path}/enter?offer={offer}")
    assert changed.status_code == 409
    assert "changed since you read it" in changed.json()["detail"]
    offer = api_of(bob).get(path).json()["offer"]
    assert api_of(bob).post(f"{path}/enter?offer={offer}").status_code == 200
    assert api_of(charlie).post(f"{path}/enter").status_code == 200  # accepts what stands


def test_a_director_does_not_choose_themselves(alice: User) -> None:
    tournament, (leader, *_others) = make_running_tournament(alice, 4)
    with pytest.raises(Forbidden, match="You can't choose yourself as a substitute"):
        invite_substitute(tournament, leader, alice)
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    staff = User.objects.get(pk=alice.pk)
    invite_substitute(tournament, leader, staff, by=staff)


def end_open_games(tournament: Tournament) -> None:
    """The first side wins every game in progress."""
    for row in open_rows(tournament):
        end(row.game_id or "", winner=Seat.FIRST, by=tournament.host)
    advance(tournament)


def meetings(tournament: Tournament) -> Counter[frozenset[int]]:
    """How often two places meet."""
    pairs = Pairing.objects.filter(round__tournament=tournament, bye="").values_list("first", "second")
    return Counter(map(frozenset, pairs))


@pytest.mark.parametrize("points", [1300, 1700])
def test_with_a_substitute_of_any_rating_everybody_meets_everybody_once(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, points: int
) -> None:
    tournament, users = make_running_tournament(alice, 6)
    end_open_games(tournament)
    monkeypatch.setattr(ratings, "points_of", lambda *_who: points)
    invite_substitute(tournament, users[4], bob)
    enter(tournament, bob)
    for _ in range(6):
        end_open_games(tournament)
    assert fresh(tournament).status == "finished"
    assert (len(meetings(tournament)), set(meetings(tournament).values())) == (15, {1})


def test_who_was_the_better_seed_at_the_start_advances_though_a_substitute_plays_for_them(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = make_tournament(
        alice, format="single-elimination", options={"decider": "seed", "replays": 0}
    )
    best, *_others = enter_players(tournament, 4)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    advance(tournament)
    mine = next(row for row in open_rows(tournament) if best in opponents(row))
    end(mine.game_id or "", winner=None, by=alice)
    place = Entrant.objects.get(user=best)
    monkeypatch.setattr(ratings, "points_of", lambda *_who: 1300)
    invite_substitute(tournament, best, bob)
    enter(tournament, bob)
    end_open_games(tournament)
    final, *_third_place = state(tournament).rounds[1].pairings
    assert str(place.pk) in final.players


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_substitute_who_comes_before_the_first_round_is_numbered_by_their_own_rating(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, has_begun: bool
) -> None:
    tournament = make_tournament(alice)
    before, *_others = enter_players(tournament, 4)
    if has_begun:
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    monkeypatch.setattr(ratings, "points_of", lambda *_who: 1700)
    invite_substitute(tournament, before, bob)
    assert enter(tournament, bob).rating == 1700


def test_a_place_that_was_left_before_the_first_round_is_not_taken_over(alice: User, bob: User) -> None:
    tournament = make_tournament(alice)
    users = enter_players(tournament, 7)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    invite_substitute(tournament, users[0], bob)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    end_open_games(tournament)
    with pytest.raises(Conflict, match="player-1 left before their first round"):
        enter(tournament, bob)
    with pytest.raises(Conflict, match="player-1 left before their first round"):
        invite_substitute(tournament, users[0], make_user("daisy"))
    for _ in range(6):
        end_open_games(tournament)
    assert fresh(tournament).status == "finished"
    assert (len(meetings(tournament)), set(meetings(tournament).values())) == (15, {1})


@pytest.mark.parametrize("how", ["expelled", "left", "replaced"])
def test_whose_place_a_substitute_has_enters_again_only_if_invited(alice: User, bob: User, how: str) -> None:
    tournament, users = make_running_tournament(alice, 6, format="swiss", max_players=9, late_rounds=5)
    before, key = users[0], tournament.public_id
    if how == "expelled":
        services.expel(user=alice, tournament_id=key, username=before.username, reason="Cheats.", now=NOW)
    elif how == "left":
        services.withdraw(user=before, tournament_id=key, now=NOW)
    invite_substitute(tournament, before, bob)
    enter(tournament, bob)
    with pytest.raises(Forbidden, match="or a substitute has taken your place"):
        enter(tournament, before)
    services.invite(user=alice, tournament_id=key, usernames=[before.username], now=NOW)
    enter(tournament, before)
    assert {"bob", before.username} <= players(tournament)


def test_who_was_replaced_before_the_start_may_enter(alice: User, bob: User) -> None:
    tournament = make_tournament(alice)
    before, *_others = enter_players(tournament, 3)
    invite_substitute(tournament, before, bob)
    enter(tournament, bob)
    enter(tournament, before)
    assert {"bob", before.username} <= players(tournament)


def test_only_some_are_invited_to_one_place_at_a_time(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MAX_FOR_A_PLACE", 2)
    tournament, users = make_running_tournament(alice, 4)
    others = [make_user(f"other-{number}") for number in range(2)]
    for other in others:
        invite_substitute(tournament, users[0], other)
    with pytest.raises(Conflict, match="2 players are invited to this place"):
        invite_substitute(tournament, users[0], bob)
    invite_substitute(tournament, users[0], others[0])  # again, which changes nothing
    services.decline(user=others[1], tournament_id=tournament.public_id, now=NOW)
    invite_substitute(tournament, users[0], bob)
    assert Invitation.objects.filter(answer="open").count() == 2
