"""Pairing by hand reads little of a large contest, and holds its lock only for what it writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.access import lock_tournament
from crownhead.server.competitions.models import DirectorAction, Pairing, PairingGame, Tournament
from crownhead.server.competitions.selectors import contest_rows
from crownhead.server.competitions.services import manual_pairing
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.social.models import Mute
from tests.server.competitions.factories import end, fresh, make_running_tournament, open_rows, state
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db

Pairs = list[tuple[str, str]]


@pytest.fixture
def held(alice: User) -> Tournament:
    """A tournament of six whose second round waits for its director."""
    made, _users = make_running_tournament(
        alice, 6, format="swiss", held_rounds=True, options={"half_byes": 1, "games": 2}
    )
    services.release(user=alice, tournament_id=made.public_id, now=NOW)
    jobs.advance_due(NOW)
    while rows := open_rows(made):
        end(rows[0].game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    assert fresh(made).rounds_made == 2
    return made


def pair(cup: Tournament, pairs: Pairs, *, user: User | None = None) -> None:
    services.pair_by_hand(
        user=user or cup.host, tournament_id=cup.public_id, pairs=pairs, reason="So it is.", now=NOW
    )


def not_to_be_called(*_args: Any, **_kwargs: Any) -> Any:
    raise AssertionError("the tournament was locked, or the whole contest read")


def met() -> set[tuple[str, str]]:
    rows = Pairing.objects.filter(round__number=2, bye="")
    return set(rows.values_list("first__user__username", "second__user__username"))


WRONG: list[Pairs] = [
    [("nobody", "neither")],
    [("player-1", "player-1")],
    [("player-1", "player-2"), ("player-2", "player-3")],
    [("player-1", "player-2")] * 4,
]


@pytest.mark.parametrize("pairs", WRONG)
def test_what_cannot_be_paired_locks_nothing_and_reads_no_round_before(
    held: Tournament, monkeypatch: pytest.MonkeyPatch, pairs: Pairs
) -> None:
    monkeypatch.setattr(manual_pairing, "lock_tournament", not_to_be_called)
    monkeypatch.setattr(contest_rows, "rounds_of", not_to_be_called)
    with pytest.raises(Unprocessable, match=r"^pairs: "):
        pair(held, pairs)


def test_a_wrong_name_is_found_before_any_pairing_is_read(held: Tournament) -> None:
    with CaptureQueriesContext(connection) as asked, pytest.raises(Unprocessable):
        pair(held, [("player-1", "nobody")])
    read = [query["sql"] for query in asked]
    assert len(read) <= 12
    of_games = [sql for sql in read if 'FROM "competitions_pairing' in sql]
    assert len(of_games) == 1  # whether the director has games of their own to play
    assert '"first_points" IS NULL' in of_games[0]


def test_who_directs_nothing_or_may_not_write_locks_nothing(
    held: Tournament, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual_pairing, "lock_tournament", not_to_be_called)
    with pytest.raises(Forbidden, match="Only directors"):
        pair(held, [("player-1", "player-2")], user=bob)
    Mute.objects.create(user=held.host, reason="Insults.", muted_by=bob, muted_at=NOW)
    with pytest.raises(Forbidden):
        pair(held, [("player-1", "player-2")])


def test_a_round_paired_by_hand_is_like_those_before_though_none_is_read(
    held: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(contest_rows, "rounds_of", not_to_be_called)
        pair(held, [("player-1", "player-3"), ("player-5", "player-2")])
    assert met() == {("player-1", "player-3"), ("player-5", "player-2")}
    first, second = state(held).rounds
    assert {pairing.planned for made in (first, second) for pairing in made.pairings} == {2}
    assert PairingGame.objects.exclude(pairing__round__number=1).count() == 0


def test_games_and_pairings_of_the_round_on_hold_go_together(held: Tournament) -> None:
    gone = Pairing.objects.filter(round__number=2, bye="").select_related("first__user")[0].first.user
    services.withdraw(user=gone, tournament_id=held.public_id, now=NOW)
    for _ in range(2):
        jobs.advance_due(NOW)
    assert PairingGame.objects.filter(pairing__round__number=2, how="forfeit").count() == 2
    names = [name for name in (f"player-{number}" for number in range(1, 7)) if name != gone.username]
    pair(held, [(names[0], names[1])])
    assert met() == {(names[0], names[1])}
    assert not PairingGame.objects.filter(pairing__round__number=2).exists()


def leave(cup: Tournament, user: User) -> None:
    services.withdraw(user=user, tournament_id=cup.public_id, now=NOW)


def pair_others(cup: Tournament, _user: User) -> None:
    pair(cup, [("player-3", "player-4")])


def be_faster(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Have something happen once after a director's pairs were checked, before the tournament is locked."""

    def later(tournament_id: str) -> Tournament:
        monkeypatch.setattr(manual_pairing, "lock_tournament", lock_tournament)
        act()
        return lock_tournament(tournament_id)

    monkeypatch.setattr(manual_pairing, "lock_tournament", later)


def test_who_leaves_while_pairs_are_checked_is_not_paired(
    held: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, user = met(), User.objects.get(username="player-1")
    be_faster(monkeypatch, lambda: leave(held, user))
    with pytest.raises(Unprocessable, match="player-1 does not play in this round"):
        pair(held, [("player-1", "player-2")])
    assert met() == before
    assert not DirectorAction.objects.filter(verb="paired").exists()


def test_who_asks_for_a_bye_while_pairs_are_checked_gets_it(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup, users = make_running_tournament(alice, 4, format="swiss", options={"half_byes": 1})
    Tournament.objects.update(waiting_for="Nobody can be paired.")  # as if the rules allowed no pairing
    asked: dict[str, Any] = {"user": users[0], "tournament_id": cup.public_id, "number": 2}
    be_faster(monkeypatch, lambda: services.ask_bye(**asked))
    with pytest.raises(Unprocessable, match="player-1 does not play in this round"):
        pair(cup, [("player-1", "player-2")])


def test_of_two_directors_who_pair_at_once_both_are_heard_and_the_later_one_counts(
    held: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_faster(monkeypatch, lambda: pair(held, [("player-3", "player-4")]))
    pair(held, [("player-1", "player-2")])
    assert met() == {("player-1", "player-2")}
    assert DirectorAction.objects.filter(verb="paired").count() == 2
