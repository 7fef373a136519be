"""What directors do to pairings and games: adjourn, forfeit, adjudicate, annul.

Directors who play only resume adjourned pairings, unless they are staff. Games are locked before their
tournament, so what somebody may decide is asked twice: before the games are touched, and once it is locked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from crownhead.contest import ResultKind
from crownhead.server.accounts.access import player_named
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions import selectors
from crownhead.server.competitions.access import (
    NOTICE,
    SOON,
    begins_at_once,
    checked_reason,
    expect_director,
    expect_impartial,
    expect_status,
    format_of_tournament,
    lock_tournament,
    log,
    schedule,
)
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Status, Tournament, Verb
from crownhead.server.competitions.services import appointments, leaving, results, unplayed
from crownhead.server.competitions.services.impartial import expect_spectator
from crownhead.server.core.problems import Conflict, NotFound, Unprocessable
from crownhead.server.play.choices import Seat
from crownhead.server.play.staff import services as staff_services
from crownhead.server.teams.selectors.terms import is_live

BOTH, DRAW = "both", "draw"


def adjourn(
    *,
    user: User,
    tournament_id: str,
    number: int,
    table: int,
    until: datetime | None,
    reason: str,
    now: datetime,
) -> None:
    """Adjourn a pairing until a time: clocks stop, the next round does not wait. ``until`` None: resume.

    Raises ``Conflict`` if a live clock would run before its owner can know of it, or to resume what isn't
    adjourned, and ``Forbidden`` for a director who plays, unless they resume.
    """
    reason = checked_reason(reason)

    def stop(pairing: Pairing) -> bool:
        _expect_goes_on_attended(pairing, until, now)
        games = _open(pairing)
        for game in games:
            staff_services.adjourn(
                by=user, game_id=game, until=until, reason=reason, now=now, as_director=True
            )
        return not games

    def note(pairing: Pairing) -> None:
        if until is None:
            _expect_may_resume(pairing, now)
        pairing.adjourned = until is not None
        pairing.save(update_fields=["adjourned"])
        if until is None:
            appointments.catch_up(pairing, now)

    verb = Verb.RESUMED if until is None else Verb.ADJOURNED
    _decide(user, tournament_id, number, table, stop, verb=verb, reason=reason, now=now, then=note)


def forfeit(
    *,
    user: User,
    tournament_id: str,
    number: int,
    table: int,
    loser: str,
    reason: str,
    now: datetime,
) -> None:
    """Declare the remaining games of a pairing lost for one player or for ``both``, started or not."""
    reason = checked_reason(reason)

    def declare(pairing: Pairing) -> bool:
        entrant = None if _means(loser, BOTH, pairing) else _of_pairing(pairing, loser)
        for row in _open_rows(pairing):
            seat = None if entrant is None else _seat(row, entrant)
            staff_services.forfeit(
                by=user, game_id=row.game_id or "", loser=seat, reason=reason, now=now, as_director=True
            )
        return unplayed.decide(pairing, None if entrant is None else entrant.pk) > 0

    text = f"against {loser}"
    _decide(
        user, tournament_id, number, table, declare, verb=Verb.FORFEITED, reason=reason, now=now, more=text
    )


def adjudicate(
    *, user: User, tournament_id: str, game_id: str, result: str, reason: str, now: datetime
) -> None:
    """Set the result of a game: end one in progress, or correct one that is over in the tables.

    ``result``: the name of the winner, or ``draw``. Raises ``Conflict`` to correct a result that a
    bracket has built on.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        row = _row(user, tournament_id, game_id)
        is_draw = _means(result, DRAW, row.pairing)
        winner = None if is_draw else _seat(row, _of_pairing(row.pairing, result))
        if row.first_points is None:
            staff_services.adjudicate(
                by=user,
                game_id=game_id,
                result=winner.value if winner else DRAW,
                reason=reason,
                now=now,
                as_director=True,
            )
        row.pairing = _lock(user, row.pairing)
        tournament = row.pairing.round.tournament
        if row.first_points is not None:
            _expect_bracket_waits(tournament, row.pairing)
            _correct(row, winner)
        _finish(tournament, user, Verb.ADJUDICATED, row.pairing, reason, now, more=f"{game_id}: {result}")


def annul(*, user: User, tournament_id: str, game_id: str, again: bool, reason: str, now: datetime) -> None:
    """Annul a game in the tournament; ``again``: it is played again.

    Raises ``Conflict`` for that if a player has left, or the bracket has gone on, or for a live game unless
    both are here. By appointment both agree on a time again.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        row = _row(user, tournament_id, game_id)
        if again:
            _expect_here_to_play_again(row.pairing)
        if row.first_points is None:
            staff_services.adjudicate(
                by=user, game_id=game_id, result="nothing", reason=reason, now=now, as_director=True
            )
            row.refresh_from_db()
        row.pairing = _lock(user, row.pairing)
        tournament = row.pairing.round.tournament
        if again:
            _expect_both_play_on(row.pairing)
            _expect_bracket_waits(tournament, row.pairing)
        row.replaced, row.first_points, row.second_points = again, None, None
        row.save(update_fields=["replaced", "first_points", "second_points"])
        if again:
            appointments.meet_again(row.pairing, now)
        else:
            results.set_aside(row)
        _finish(tournament, user, Verb.ANNULLED, row.pairing, reason, now, more=game_id)


def forfeit_open_games(tournament: Tournament, player: User, *, by: User, reason: str, now: datetime) -> None:
    """Forfeit the open games of an expelled player; of many a worker forfeits most."""
    games = selectors.open_game_ids(tournament.public_id, player.pk)
    leaving.end_games(games, leaving.Ending(player, by, reason), now)


def _decide(
    user: User,
    tournament_id: str,
    number: int,
    table: int,
    change: Callable[[Pairing], bool],
    *,
    verb: Verb,
    reason: str,
    now: datetime,
    more: str = "",
    then: Callable[[Pairing], None] = lambda _pairing: None,
) -> None:
    """Apply a change to a pairing of a running tournament and log it; ``then``: what needs the tournament.

    ``change`` returns whether it concerns games that have not begun: of the others the players are told.
    Only resuming may directors who play.
    """
    decides = verb != Verb.RESUMED
    with transaction.atomic():
        tournament = selectors.access_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.RUNNING)
        rows = Pairing.objects.select_related("first__user", "second__user", "round")
        pairing = rows.filter(round__tournament=tournament, round__number=number, table=table).first()
        if pairing is None or pairing.second is None:
            raise NotFound(
                _("Round %(number)s has no table %(table)s with two players.")
                % {"number": number, "table": table}
            )
        pairing.round.tournament = tournament
        expect_impartial(user, pairing)
        if decides:
            expect_spectator(user, tournament)
        is_news = change(pairing)
        pairing = _lock(user, pairing, decides=decides)
        tournament = pairing.round.tournament
        then(pairing)
        _finish(tournament, user, verb, pairing, reason, now, more=more, is_news=is_news)


def _lock(user: User, pairing: Pairing, *, decides: bool = True) -> Pairing:
    """The pairing of the now locked tournament; asks again what others may have changed in the meantime.

    ``decides``: more than that a game goes on. Raises ``Forbidden`` for a director who has come to play.
    """
    tournament = lock_tournament(pairing.round.tournament.public_id)
    expect_director(user, tournament)
    expect_status(tournament, Status.RUNNING)
    pairing = Pairing.objects.select_related("first__user", "second__user", "round").get(pk=pairing.pk)
    pairing.round.tournament = tournament
    expect_impartial(user, pairing)
    if decides:
        expect_spectator(user, tournament)
    return pairing


def _finish(
    tournament: Tournament,
    user: User,
    verb: Verb,
    pairing: Pairing,
    reason: str,
    now: datetime,
    *,
    more: str = "",
    is_news: bool = True,
) -> None:
    schedule(tournament, now)
    players = [entrant.user for entrant in (pairing.first, pairing.second) if entrant]
    names = " – ".join(player.username for player in players)
    text = f"{pairing.round.number}.{pairing.table} {names}"
    log(
        tournament,
        by=user,
        verb=verb,
        text=f"{text}, {more}" if more else text,
        reason=reason,
        now=now,
        people=players,
        concerns=[player.pk for player in players if is_news],
    )


def _row(user: User, tournament_id: str, game_id: str) -> PairingGame:
    """A game of a tournament that the user directs and does not play in."""
    rows = PairingGame.objects.select_related(
        "pairing__round__tournament", "pairing__first__user", "pairing__second__user"
    )
    row = rows.filter(
        game_id=game_id, replaced=False, pairing__round__tournament__public_id=tournament_id
    ).first()
    if row is None:
        raise NotFound(_("There is no game %(given)s in this tournament.") % {"given": game_id[:60]})
    expect_director(user, row.pairing.round.tournament)
    expect_impartial(user, row.pairing)
    expect_spectator(user, row.pairing.round.tournament)
    return row


def _expect_may_resume(pairing: Pairing, now: datetime) -> None:
    """Raise ``Conflict`` unless the pairing of a locked tournament was adjourned, or a game of it.

    Raise it too if a live game would begin soon while a player is away; who is gone isn't waited for. Before
    that its start is the one that was announced with the round.
    """
    if not pairing.adjourned and not _open_rows(pairing):
        raise Conflict(_("This pairing is not adjourned."))
    begins = selectors.begins_at(pairing.round, pairing)
    if not begins_at_once(pairing.round.tournament) or begins is None or begins >= now + SOON:
        return
    players = [entrant for entrant in (pairing.first, pairing.second) if entrant]
    is_played = selectors.awaited(pairing, pairing.games.all()) and not any(map(unplayed.is_gone, players))
    if is_played and not selectors.both_here(pairing):
        raise Conflict(_("This live game would begin while a player is away. Resume it when both are here."))


def _expect_goes_on_attended(pairing: Pairing, until: datetime | None, now: datetime) -> None:
    """Raise ``Conflict`` unless a live game in progress goes on with both players here, or a day later.

    A pairing whose game hasn't begun waits for the director, who resumes it: see ``_expect_may_resume``.
    """
    if not is_live(pairing.round.tournament.terms) or not _open_rows(pairing):
        return
    if until is not None and until >= now + NOTICE:
        return
    if not selectors.both_here(pairing) or (until is not None and until > now + SOON):
        raise Conflict(
            _(
                "A live game goes on within an hour if both players are here now. Otherwise adjourn it until "
                "at least %(hours)s hours from now, so that both can be there."
            )
            % {"hours": NOTICE // timedelta(hours=1)},
            field="until",
        )


def _expect_here_to_play_again(pairing: Pairing) -> None:
    """Raise ``Conflict`` if a live game would begin again at once while a player is away."""
    if begins_at_once(pairing.round.tournament) and not selectors.both_here(pairing):
        raise Conflict(
            _("The new game would begin at once, and not both players are here. Wait for them."),
            field="again",
        )


def _expect_both_play_on(pairing: Pairing) -> None:
    both = Q(pk=pairing.first_id) | Q(pk=pairing.second_id)
    for entrant in Entrant.objects.filter(both).select_related("user"):
        if unplayed.is_gone(entrant):
            raise Conflict(
                _("%(username)s plays no more, so this game can't be played again.")
                % {"username": entrant.user.username},
                field="again",
            )


def _expect_bracket_waits(tournament: Tournament, pairing: Pairing) -> None:
    """Raise ``Conflict`` if later rounds of a bracket were paired by the results of this one."""
    if format_of_tournament(tournament).brackets and pairing.round.number < tournament.rounds_made:
        raise Conflict(
            _("The bracket has gone on since round %(number)s, so a result of that round can't change.")
            % {"number": pairing.round.number}
        )


def _means(text: str, word: str, pairing: Pairing) -> bool:
    """Whether a text is this word, and not the name of a player of the pairing: some may have such a name."""
    players = (entrant.user.username for entrant in (pairing.first, pairing.second) if entrant)
    return text == word and word not in players


def _of_pairing(pairing: Pairing, name: str) -> Entrant:
    player = player_named(name)
    for entrant in (pairing.first, pairing.second):
        if entrant is not None and entrant.user_id == player.pk:
            return entrant
    raise Unprocessable(
        _("%(username)s does not play at this table.") % {"username": player.username}, field="player"
    )


def _seat(row: PairingGame, entrant: Entrant) -> Seat:
    is_first = (row.pairing.first_id == entrant.pk) != row.swapped
    return Seat.FIRST if is_first else Seat.SECOND


def _correct(row: PairingGame, winner: Seat | None) -> None:
    points = (1, 1) if winner is None else (2, 0) if winner is Seat.FIRST else (0, 2)
    row.first_points, row.second_points = points
    row.how = ResultKind.ADJUDICATED.value
    row.save(update_fields=["first_points", "second_points", "how"])


def _open_rows(pairing: Pairing) -> list[PairingGame]:
    rows = PairingGame.objects.filter(pairing=pairing, replaced=False, first_points=None)
    return list(rows.exclude(game_id=None).select_related("pairing").order_by("number"))


def _open(pairing: Pairing) -> list[str]:
    return [row.game_id for row in _open_rows(pairing) if row.game_id]
