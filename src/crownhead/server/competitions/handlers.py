"""Handlers of events: results count in tournaments, closed accounts withdraw, open lists are told."""

from __future__ import annotations

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.competitions import events, tasks
from crownhead.server.competitions.access import publish_list_change
from crownhead.server.competitions.services import appointments, entries, results
from crownhead.server.competitions.services.beginning import KIND
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.play.events import GameAnnulled, GameEnded

# What a line of the list shows: how many have entered, which round is played. Of rounds that start and of the
# end it is told once, however many players are notified.
_CHANGE_THE_LIST: tuple[type[events.TournamentChanged], ...] = (
    events.TournamentCreated,
    events.Entered,
    events.Withdrew,
    events.StartSet,
    events.TournamentStarted,
    events.TournamentCancelled,
    events.RoundHeld,
)


@on(GameEnded)
def count_game_in_tournament(event: GameEnded) -> None:
    """Count a game of a tournament that has ended."""
    if event.contest is not None and event.contest.kind == KIND:
        results.count(event)
        if event.half_points is None:
            appointments.without_result(game_id=event.game_id, now=event.seen_at)


@on(GameAnnulled)
def annul_game_in_tournament(event: GameAnnulled) -> None:
    """Annul a game of a tournament that the staff have annulled."""
    if event.contest is not None and event.contest.kind == KIND:
        now = clock.now()
        results.annul(game_id=event.game_id, now=now)
        appointments.without_result(game_id=event.game_id, now=now)


@on(events.GamesLeft)
def end_games_of_who_left(event: events.GamesLeft) -> None:
    """Leave the games that are too many for one request to the worker."""
    tasks.end_games_of_who_left.enqueue(
        list(event.game_ids), event.user_id, event.director_id, event.reason, nothing=event.nothing
    )


@on(events.TimesChanged)
def tell_times(event: events.TimesChanged) -> None:
    """Leave the players of pairings that are too many for one request to the worker."""
    tasks.tell_times.enqueue([(key, at.isoformat() if at else None) for key, at in event.pairings])


@on(AccountClosed)
def withdraw_closed_account(event: AccountClosed) -> None:
    """Withdraw the user of a closed account from tournaments."""
    if entries.is_expected(event.user_id):
        tasks.forget_closed_account.enqueue(event.user_id)


def publish_change_of_list(_event: events.TournamentChanged) -> None:
    """Let open lists of tournaments refresh."""
    publish_list_change()


for kind in _CHANGE_THE_LIST:
    on(kind)(publish_change_of_list)
