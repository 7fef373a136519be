"""Several doing things at the same moment, each over their own connection to one database file."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, connections, transaction
from pytest_django import Settings

from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.guests import services as guests
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core.problems import Conflict, OutOfDate, Problem
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.play.chat import services as chat
from crownhead.server.play.draws.services import offer_draw, resign
from crownhead.server.play.games import endings
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.selectors.places import has_room
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.invitations import services as invitations
from crownhead.server.play.models import Game, Note
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.problems import AskedAlready, TooManyGames
from crownhead.server.play.vacation import selectors as vacation_selectors
from crownhead.server.ratings.models import Change
from tests.server.conftest import make_user
from tests.server.held_rows import PATIENCE, beside, needs_held_rows, until_somebody_waits
from tests.server.play.factories import DAY, NOW, fresh, make_game, make_offer, play_moves
from tests.server.ratings.factories import OPENING
from tests.server.tasks import run_tasks

ROUNDS = 8
Act = Callable[[], Any]


@pytest.fixture
def in_a_file(transactional_db: None, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Call it once the people sit: from then on threads, and it, see a database in a file.

    The test database lives in memory, where connections cannot wait for one another.
    """
    if connection.vendor != "sqlite":
        yield lambda: None
        return
    held, name = connections["default"], connection.settings_dict["NAME"]

    def move() -> None:
        path = tmp_path / "club.sqlite3"
        with sqlite3.connect(path) as target:
            connection.connection.backup(target)
            # As in a club that has been started: the change of mode waits for nobody.
            target.execute("PRAGMA journal_mode=WAL")
        target.close()
        settings = dict(held.settings_dict, NAME=str(path))
        connections.settings["default"] = settings
        connections["default"] = connections.create_connection("default")

    try:
        yield move
    finally:
        if connections["default"] is not held:
            connections["default"].close()
        connections["default"] = held
        connections.settings["default"] = held.settings_dict
        assert held.settings_dict["NAME"] == name


def at_once(acts: Sequence[Act]) -> Counter[type]:
    """Run the acts in threads that start together; count what they returned or raised, by type."""
    barrier, outcomes, surprises = threading.Barrier(len(acts)), Counter[type](), []

    def run(act: Act) -> None:
        barrier.wait()
        try:
            outcomes[type(act())] += 1
        except Problem as problem:
            outcomes[type(problem)] += 1
        except Exception as surprise:
            surprises.append(surprise)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not surprises
    return outcomes


def test_of_two_moves_with_one_version_one_is_made(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    games = [make_game(alice, bob) for _ in range(ROUNDS)]
    in_a_file()
    for game in games:
        outcomes = at_once([_move(alice, game, move) for move in ("11-15", "11-16", "9-14", "12-16")])
        assert outcomes == {Game: 1, OutOfDate: 3}
        assert fresh(game).version == len(fresh(game).moves.split()) == 1


def test_the_same_move_sent_at_once_is_made_once_and_answered_alike(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    games = [make_game(alice, bob) for _ in range(ROUNDS)]
    in_a_file()
    for game in games:
        assert at_once([_move(alice, game, "11-15")] * 4) == {Game: 4}
        assert (fresh(game).moves, fresh(game).version) == ("11-15", 1)


def test_of_two_who_take_a_game_one_gets_it(
    alice: User, bob: User, charlie: User, in_a_file: Callable[[], None]
) -> None:
    games = [make_offer(alice) for _ in range(ROUNDS)]
    in_a_file()
    for game in games:
        outcomes = at_once([_join(user, game) for user in (bob, charlie, bob, charlie)])
        assert outcomes[Game] == 1
        assert fresh(game).second_player in {bob, charlie}


def test_of_all_who_ask_for_a_game_at_once_at_most_one_waits(
    alice: User, bob: User, charlie: User, in_a_file: Callable[[], None]
) -> None:
    in_a_file()
    for days in range(1, ROUNDS):
        at_once([_ask(user, days) for user in (alice, bob, charlie, alice, bob, charlie)])
        games = Game.objects.filter(days_per_move=days)
        begun = games.filter(status="playing")
        assert begun.count() >= 1
        assert games.filter(status="waiting").count() <= 1
        assert all(game.first_player_id != game.second_player_id for game in begun)


def test_a_game_is_either_taken_or_withdrawn(alice: User, bob: User, in_a_file: Callable[[], None]) -> None:
    games = [make_offer(alice) for _ in range(ROUNDS)]
    in_a_file()
    for game in games:
        outcomes = at_once([_join(bob, game), _withdraw(alice, game)])
        assert outcomes[Game] == 1
        assert fresh(game).status in {"playing", "withdrawn"}


def test_two_offers_at_once_are_an_agreement(alice: User, bob: User, in_a_file: Callable[[], None]) -> None:
    games = [make_game(alice, bob) for _ in range(ROUNDS)]
    in_a_file()
    for game in games:
        assert at_once([_offer_draw(alice, game), _offer_draw(bob, game)]) == {Game: 2}
        assert fresh(game).termination == "agreement"


def test_sweepers_that_run_together_end_each_game_once(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    for _ in range(ROUNDS):
        make_game(alice, bob)
    in_a_file()
    ended: list[int] = []
    at_once([lambda: ended.append(end_overdue_games(now=NOW + 4 * DAY))] * 4)
    assert sum(ended) == ROUNDS
    assert set(Game.objects.values_list("termination", flat=True)) == {"time"}


def test_hours_of_vacation_used_by_many_at_once_are_used_once(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    games = [make_game(alice, bob, vacation=True, days_per_move=1) for _ in range(ROUNDS)]
    in_a_file()
    later = NOW + DAY + timedelta(hours=2)
    sweep: Act = lambda: end_overdue_games(now=later)  # noqa: E731
    acts = [
        _move_late(alice, games[0], later),
        _resign(bob, games[1], later),
        _resign(alice, games[2], later),
    ]
    outcomes = at_once([sweep, *acts, sweep, sweep])
    assert outcomes == {int: 3, Game: 3}
    assert vacation_selectors.budget(user_id=alice.pk, year=later.year).used == 3
    running = Game.objects.filter(status="playing", turn="first")
    assert {game.deadline_at for game in running} == {NOW + DAY + timedelta(hours=3)}


def test_two_who_look_for_a_game_at_the_same_moment_find_each_other(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    in_a_file()
    for days in range(1, ROUNDS + 1):
        assert at_once([_ask(alice, days), _ask(bob, days)]) == {Game: 2}
    assert set(Game.objects.values_list("status", flat=True)) == {"playing"}
    assert Game.objects.count() == ROUNDS


def test_of_many_links_made_at_once_there_are_as_many_as_one_may_have(
    alice: User, in_a_file: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "_MAX_BY_LINK", 2)
    in_a_file()
    offer: Act = lambda: invitations.offer_by_link(creator=alice, options=_terms(3), now=NOW)  # noqa: E731
    assert at_once([offer] * 8) == {Game: 2, Conflict: 6}


def test_the_same_player_is_invited_as_often_as_one_may_however_many_do_it_at_once(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    in_a_file()
    ask: Act = lambda: invitations.invite(  # noqa: E731
        creator=alice, opponent="bob", options=_terms(3), message="", site="", now=NOW
    )
    assert at_once([ask] * 8) == {Game: 5, AskedAlready: 3}


def test_of_many_offers_made_at_once_there_are_as_many_as_one_may_have_games(
    alice: User, in_a_file: Callable[[], None], settings: Settings
) -> None:
    settings.GAMES_PER_PLAYER = 3
    in_a_file()
    offer: Act = lambda: game_services.create_game(creator=alice, options=_terms(3), now=NOW)  # noqa: E731
    assert at_once([offer] * 8) == {Game: 3, TooManyGames: 5}


def _move_late(user: User, game: Game, now: datetime) -> Act:
    return lambda: play_move(user=user, game_id=game.public_id, move="11-15", version=0, now=now)


def _resign(user: User, game: Game, now: datetime) -> Act:
    return lambda: resign(user=user, game_id=game.public_id, now=now)


def test_two_who_ask_for_a_rematch_at_once_play_it(
    alice: User, bob: User, in_a_file: Callable[[], None]
) -> None:
    games = [make_game(alice, bob) for _ in range(ROUNDS)]
    for game in games:
        resign(user=alice, game_id=game.public_id, now=NOW)
    in_a_file()
    for game in games:
        at_once([_rematch(user, game) for user in (alice, bob)])
    again = Game.objects.exclude(pk__in=[game.pk for game in games])
    assert Counter(again.values_list("status", flat=True)) == {"playing": ROUNDS}


def _rematch(user: User, game: Game) -> Act:
    return lambda: invitations.invite_again(user=user, game_id=game.public_id, message="", now=NOW)


def test_of_notes_written_at_once_a_member_keeps_as_many_as_one_may(
    alice: User, bob: User, in_a_file: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "MAX_NOTES", 2)
    games = [make_game(alice, bob) for _ in range(ROUNDS)]
    in_a_file()
    assert at_once([_note(alice, game) for game in games]) == {type(None): 2, Conflict: ROUNDS - 2}
    assert Note.objects.count() == 2


@needs_held_rows
@pytest.mark.django_db(transaction=True)
def test_a_note_does_not_wait_for_who_holds_its_game_and_wants_its_writer(alice: User, bob: User) -> None:
    games = [make_offer(alice), make_game(alice, bob)]
    for game in games:
        with transaction.atomic():
            endings.lock_game(game.public_id)
            note = threading.Thread(target=at_once, args=([_note(bob, game)],))
            note.start()
            note.join(10)
            assert not note.is_alive()
            hold_user(bob.pk)
    assert Note.objects.count() == 2


def _note(user: User, game: Game) -> Act:
    return lambda: chat.write_note(user=user, game_id=game.public_id, text="an idea")


def _move(user: User, game: Game, move: str) -> Act:
    return lambda: play_move(user=user, game_id=game.public_id, move=move, version=0, now=NOW)


def _join(user: User, game: Game) -> Act:
    return lambda: game_services.join(user=user, game_id=game.public_id, now=NOW)


def _ask(user: User, days: int) -> Act:
    return lambda: game_services.auto_match(user=user, options=_terms(days), now=NOW)


def _terms(days: int) -> GameOptions:
    return GameOptions(variant="american", colour="random", days_per_move=days)


def _withdraw(user: User, game: Game) -> Act:
    return lambda: game_services.withdraw_waiting(user=user, game_id=game.public_id, now=NOW)


def _offer_draw(user: User, game: Game) -> Act:
    return lambda: offer_draw(user=user, game_id=game.public_id, now=NOW)


def test_games_given_up_at_once_do_not_all_count(
    alice: User, bob: User, in_a_file: Callable[[], None], settings: Any
) -> None:
    settings.EARLY_LEAVES_PER_DAY = 3
    games = [make_game(alice, bob, rated=True) for _ in range(8)]
    for game in games:
        play_moves(game, *OPENING)
    in_a_file()
    outcomes = at_once([partial(resign, user=bob, game_id=game.public_id, now=NOW) for game in games])
    assert outcomes == {Game: 8}
    rated = Game.objects.filter(rated=True).count()
    assert rated == 3 if connection.vendor == "sqlite" else 1 <= rated <= 3


@needs_held_rows
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_guest", [False, True])
def test_who_holds_a_game_may_write_of_a_player_whose_account_is_being_closed(
    alice: User, bob: User, is_guest: bool
) -> None:
    before = NOW - timedelta(hours=1)
    running = play_moves(make_game(alice, bob, days_per_move=1, now=before), "11-15", now=before)
    offer = make_offer(alice)
    User.objects.filter(pk=alice.pk).update(is_guest=is_guest, is_active=not is_guest)

    def close() -> None:
        if is_guest:
            guests.close(guest_id=alice.pk, now=NOW)
        else:
            closing.close(user=alice, now=NOW)

    with beside(close) as start, transaction.atomic():
        for game in (running, offer):
            endings.lock_game(game.public_id)
        start()
        until_somebody_waits()
        play_move(user=bob, game_id=running.public_id, move="22-18", version=1, now=NOW)
        game_services.join(user=bob, game_id=offer.public_id, now=NOW)
        Note.objects.create(user=alice, game=running, text="whatever refers to a player")
    run_tasks(GENERAL)
    assert (fresh(running).moves, fresh(running).winner) == ("11-15 22-18", "second")
    assert (fresh(offer).second_player, fresh(offer).status) == (bob, "finished")
    alice.refresh_from_db()
    assert alice.closed_at == NOW


def test_games_won_at_once_because_others_give_up_do_not_all_count(
    alice: User, in_a_file: Callable[[], None], settings: Any
) -> None:
    settings.EARLY_WINS_PER_DAY = 3
    games = [make_game(alice, make_user(f"puppet-{number}"), rated=True) for number in range(8)]
    for game in games:
        play_moves(game, *OPENING)
    in_a_file()
    users = [game.second_player for game in games]
    outcomes = at_once(
        [
            partial(resign, user=user, game_id=game.public_id, now=NOW)
            for user, game in zip(users, games, strict=True)
            if user is not None
        ]
    )
    assert outcomes == {Game: 8}
    rated = Game.objects.filter(rated=True)
    assert rated.count() == 3 if connection.vendor == "sqlite" else 1 <= rated.count() <= 3
    assert Change.objects.filter(user=alice).count() == rated.count()


@needs_held_rows
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("most", "is_rated"), [(2, True), (1, False)])
def test_a_game_given_up_in_the_same_moment_as_another_is_rated_where_both_may_be(
    alice: User, bob: User, settings: Any, most: int, is_rated: bool
) -> None:
    settings.EARLY_WINS_PER_DAY = most
    game = play_moves(make_game(alice, bob, rated=True), *OPENING)
    is_over = threading.Event()

    def give_up() -> None:
        resign(user=bob, game_id=game.public_id, now=NOW)
        is_over.set()

    with beside(give_up) as start, transaction.atomic():
        assert has_room(f"won {alice.pk}", lambda: most)  # as another game does that ends now
        start()
        assert is_over.wait(PATIENCE)
    assert fresh(game).rated is is_rated
