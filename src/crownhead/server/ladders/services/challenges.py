"""Challenges: making one starts its games at once, and it is settled as they end."""

from __future__ import annotations

import random
import secrets
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from crownhead.contest.ladders import Ending
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core import limits
from crownhead.server.core.events import emit
from crownhead.server.core.problems import NotFound
from crownhead.server.ladders import access
from crownhead.server.ladders.choices import Happening, Outcome, Side, Style
from crownhead.server.ladders.events import Challenged, ChallengeEnded, GamesLeft, PlaceTaken
from crownhead.server.ladders.models import Challenge, ChallengeGame, Ladder, Member
from crownhead.server.ladders.selectors import eligibility
from crownhead.server.ladders.selectors.played import was_played
from crownhead.server.ladders.selectors.styles import moved, outcome_of
from crownhead.server.ladders.selectors.terms import contest_of, options_of
from crownhead.server.ladders.services import positions
from crownhead.server.play.games.services.seating import start_game


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a game ended: points in halves of its first and second seat, None without a result.

    ``fled``: the seat that lost on time or gave the game up at once; ``closed``: with their account.
    """

    game_id: str
    first_id: int
    half_points: tuple[int, int] | None
    fled: str | None = None
    closed: bool = False


def challenge(
    *, user: User, ladder_id: str, opponent: str, now: datetime, dice: random.Random | None = None
) -> Challenge:
    """Challenge another member by name; they cannot decline, and the games start.

    Raises ``NotOnLadder``, ``LadderIsClosed``, ``ChallengeRefused`` with the reason, and ``TooMany`` for
    somebody who challenges all day.
    """
    person = accounts.player(opponent)
    if person is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(opponent[:60])})
    with transaction.atomic():
        ladder = access.lock_open_ladder(ladder_id)
        me = access.member(ladder, user)
        them = eligibility.expect_eligible(ladder, me, person, now)
        limits.spend(scope="challenges", who=f"user:{user.pk}")
        made = Challenge.objects.create(
            ladder=ladder,
            challenger=user,
            challenged=person,
            made_at=now,
            challenger_rank=me.rank,
            challenged_rank=them.rank,
        )
        games = _start(made, now, dice or secrets.SystemRandom())
        Member.objects.filter(pk=me.pk).update(active_at=now)
        access.add_to_history(
            ladder,
            Happening.CHALLENGED,
            at=now,
            user=user,
            other=person,
            before=me.rank,
            after=them.rank,
            game_id=games[0],
        )
        emit(
            Challenged(
                **access.event_fields(ladder, now),
                challenge_id=made.pk,
                challenger_id=user.pk,
                challenged_id=person.pk,
                game_ids=games,
            )
        )
    return made


def count(*, ladder_id: str, result: Result, now: datetime) -> None:
    """Count a finished game in its challenge; counting it again changes nothing."""
    with transaction.atomic():
        ladder = access.lock_ladder(ladder_id)
        rows = ChallengeGame.objects.select_related("challenge").filter(game_id=result.game_id, over=False)
        game = rows.first()
        if game is None:
            return
        made = game.challenge
        made.ladder = ladder
        game.over = True
        if result.half_points is not None and (not result.closed or was_played(made)):
            first = made.challenger_id == result.first_id
            game.points, game.opponent_points = result.half_points if first else result.half_points[::-1]
            if result.fled is not None:
                game.fled = Side.CHALLENGER if (result.fled == "first") is first else Side.CHALLENGED
        game.save()
        if made.ended_at is None and ladder.closed_at is not None:
            _void(ladder, made, ladder.closed_at)
        elif made.ended_at is None and not made.games.filter(over=False).exists():
            _settle(made, now)


def annul_game(*, ladder_id: str, game_id: str) -> None:
    """Annul a game of a challenge that is still open."""
    with transaction.atomic():
        access.lock_ladder(ladder_id)
        ChallengeGame.objects.filter(game_id=game_id, over=True, challenge__ended_at__isnull=True).update(
            points=None, opponent_points=None, fled=""
        )


def forfeit(*, ladder_id: str, challenge_id: int, user_id: int, now: datetime) -> None:
    """Lose an open challenge of a member who leaves; nothing if it is over."""
    with transaction.atomic():
        ladder = access.lock_ladder(ladder_id)
        for made in _open(ladder).filter(pk=challenge_id):
            _forfeit(ladder, made, user_id, now)


def open_of(member: Member) -> list[int]:
    """The keys of the open challenges of a member of a ladder."""
    return list(_of(member.ladder, member.user).values_list("pk", flat=True))


def forfeit_open_challenges(ladder: Ladder, user: User, now: datetime) -> None:
    """Lose all open challenges of a member who leaves; their games no longer count here."""
    for made in _of(ladder, user):
        _forfeit(ladder, made, user.pk, now)


def void_open_challenges(ladder: Ladder, now: datetime, *, most: int) -> None:
    """Void the first open challenges of a ladder that closes."""
    for made in _open(ladder)[:most]:
        _void(ladder, made, now)


def void_of_closed_ladder(*, ladder_id: str, challenge_id: int) -> None:
    """Void a challenge as of when its ladder was closed; nothing if it is over, or the ladder open."""
    with transaction.atomic():
        ladder = access.lock_ladder(ladder_id)
        if ladder.closed_at is not None:
            for made in _open(ladder).filter(pk=challenge_id):
                _void(ladder, made, ladder.closed_at)


def _void(ladder: Ladder, made: Challenge, now: datetime) -> None:
    made.ladder = ladder
    _conclude(made, Outcome.VOID, Ending.VOID, now)


def _open(ladder: Ladder) -> QuerySet[Challenge]:
    return Challenge.objects.filter(ladder=ladder, ended_at__isnull=True).order_by("id")


def _of(ladder: Ladder, user: User) -> QuerySet[Challenge]:
    return _open(ladder).filter(Q(challenger=user) | Q(challenged=user))


def _forfeit(ladder: Ladder, made: Challenge, user_id: int, now: datetime) -> None:
    """Lose a challenge; one that was not played is void, so that nobody wins by others who leave."""
    if ladder.closed_at is not None:
        _void(ladder, made, ladder.closed_at)
        return
    made.ladder = ladder
    is_challenger = made.challenger_id == user_id
    going_on = made.games.filter(over=False)
    game_ids = tuple(going_on.values_list("game_id", flat=True))
    going_on.update(fled=Side.CHALLENGER if is_challenger else Side.CHALLENGED)
    if was_played(made):
        _conclude(made, Outcome.LOST if is_challenger else Outcome.WON, Ending.FLED, now)
    else:
        _conclude(made, Outcome.VOID, Ending.VOID, now)
        emit(GamesLeft(game_ids=game_ids, user_id=user_id))


def _start(made: Challenge, now: datetime, dice: random.Random) -> tuple[str, ...]:
    """Start the games: random sides, swapped in the second game, which has the ballot of the first."""
    ladder = made.ladder
    sides = [made.challenger, made.challenged]
    dice.shuffle(sides)
    opening: int | None = None
    games: list[str] = []
    for number in range(1, ladder.games + 1):
        game = start_game(
            first=sides[0],
            second=sides[1],
            options=options_of(ladder),
            now=now,
            dice=dice,
            opening=opening,
            contest=contest_of(ladder, made.pk),
        )
        ChallengeGame.objects.create(challenge=made, number=number, game_id=game.public_id)
        games.append(game.public_id)
        opening = game.opening
        sides.reverse()
    return tuple(games)


def _settle(made: Challenge, now: datetime) -> None:
    """Conclude a challenge whose games are all over."""
    games = [(_points(game), game.fled) for game in made.games.all()]
    outcome, ending = outcome_of(games)
    _conclude(made, outcome, ending, now)


def _points(game: ChallengeGame) -> tuple[int, int] | None:
    """The points of challenger and challenged, in halves."""
    if game.points is None or game.opponent_points is None:
        return None
    return game.points, game.opponent_points


def _conclude(made: Challenge, outcome: Outcome, ending: Ending, now: datetime) -> None:
    made.ended_at, made.outcome = now, outcome
    made.save(update_fields=["ended_at", "outcome"])
    challenger, challenged = (access.member(made.ladder, user) for user in (made.challenger, made.challenged))
    if outcome == Outcome.WON:
        _apply_win(made, challenger, challenged, ending, now)
    elif outcome == Outcome.LOST:
        _apply_win(made, challenged, challenger, ending, now)
    else:
        _change_nothing(made, challenger, challenged, outcome, now)
    emit(
        ChallengeEnded(
            **access.event_fields(made.ladder, now),
            challenge_id=made.pk,
            challenger_id=made.challenger_id,
            challenged_id=made.challenged_id,
            winner_id=_winner_id(made),
            void=outcome == Outcome.VOID,
        )
    )


def _apply_win(made: Challenge, winner: Member, loser: Member, ending: Ending, now: datetime) -> None:
    """Count a win and move both players."""
    ladder = made.ladder
    Member.objects.filter(pk=winner.pk).update(won=F("won") + 1, active_at=now)
    Member.objects.filter(pk=loser.pk).update(lost=F("lost") + 1, active_at=now)
    access.add_to_history(
        ladder,
        Happening.FLED if ending is Ending.FLED else Happening.WON,
        at=now,
        user=winner.user,
        other=loser.user,
        before=winner.rank,
        after=loser.rank,
        game_id=made.games.order_by("number").values_list("game_id", flat=True)[0],
    )
    to_winner, to_loser = moved(
        ladder.style, winner=winner.rank, loser=loser.rank, ending=ending, size=ladder.size
    )
    move_member(ladder, winner, to_winner, now, taken_from=loser)
    loser.refresh_from_db()
    move_member(ladder, loser, to_loser, now)


def _change_nothing(
    made: Challenge, challenger: Member, challenged: Member, outcome: Outcome, now: datetime
) -> None:
    """Count a draw or a void challenge, which moves nobody."""
    drawn = int(outcome == Outcome.DRAWN)
    Member.objects.filter(pk__in=[challenger.pk, challenged.pk]).update(
        drawn=F("drawn") + drawn, active_at=now
    )
    access.add_to_history(
        made.ladder,
        Happening.DRAWN if drawn else Happening.VOID,
        at=now,
        user=challenger.user,
        other=challenged.user,
        before=challenger.rank,
        after=challenged.rank,
    )


def move_member(
    ladder: Ladder,
    member: Member,
    rank: int,
    now: datetime,
    *,
    kind: Happening = Happening.MOVED,
    taken_from: Member | None = None,
    staff: User | None = None,
    reason: str = "",
) -> None:
    """Move a member to another place or step, with history and event; nothing if they are there already."""
    before = member.rank
    if rank == before:
        return
    positions.move(member, rank)
    other = taken_from.user if taken_from is not None and taken_from.place == rank else None
    access.add_to_history(
        ladder,
        kind,
        at=now,
        user=member.user,
        other=other,
        before=before,
        after=rank,
        staff=staff,
        reason=reason,
    )
    emit(
        PlaceTaken(
            **access.event_fields(ladder, now),
            user_id=member.user_id,
            before=before,
            after=rank,
            is_step=ladder.style == Style.STAIRS,
            taken_from=None if other is None else other.pk,
        )
    )


def _winner_id(made: Challenge) -> int | None:
    return {Outcome.WON: made.challenger_id, Outcome.LOST: made.challenged_id}.get(Outcome(made.outcome))
