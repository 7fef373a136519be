"""Invariants that hold after any simulation, whatever the members have done."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from django.db.models import Q

from crownhead import VARIANTS
from crownhead.contest import glicko2
from crownhead.contest.formats import FORMATS
from crownhead.server.accounts.models import Ignored
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Tournament
from crownhead.server.competitions.selectors.contest_rows import load
from crownhead.server.ladders.models import Challenge, Ladder
from crownhead.server.ladders.models import Member as Climber
from crownhead.server.notices.models import Notice
from crownhead.server.play.clocks import time_control, timing
from crownhead.server.play.games.selectors import replay
from crownhead.server.play.models import Game
from crownhead.server.ratings.models import Change, PlayerRating
from crownhead.server.ratings.services import recounting
from crownhead.server.social.models import Message
from crownhead.server.teams.models import BoardGame, TeamMatch
from tests.server.simulation.club import Club
from tests.server.simulation.timings import KINDS, PERSONAL

_CLOSE = 1e-6
_UNDECIDED = {"forfeit", "aborted"}  # where nobody has won: to the laws, such a game is not over
_ENDINGS = {"resignation", "agreement", "time"}
_CHALLENGES = {"won", "lost", "drawn"}
_ACTS = (
    "visits", "moves", "offers", "messages", "unheard", "pages", "tasks", "letters", "pushes", "declined",
    "annulled", "left",
)  # fmt: skip
_PERIOD = timedelta(days=glicko2.PERIOD_DAYS)


def check(club: Club) -> None:
    """Check all invariants."""
    games_follow_from_their_records()
    ratings_follow_from_the_results()
    nothing_came_from_blocked_people(club)
    ladders_have_each_place_once()
    tournaments_add_up()
    team_matches_add_up()


def games_follow_from_their_records() -> None:
    """Every game equals the replay of its moves, and its clock follows the time control."""
    for game in Game.objects.exclude(started_at=None).iterator():
        course = replay.replay_game(game)
        assert game.version == len(course.moves) + game.turned_back, game.public_id
        outcome = course.outcome()
        is_open = game.winner is None and game.termination in _UNDECIDED
        assert (outcome is not None) == (game.status == "finished" and not is_open), game.public_id
        if game.status != "playing":
            assert (game.turn, game.deadline_at, game.remind_at) == (None, None, None), game.public_id
            assert game.ended_at is not None
            continue
        turn = timing.turn_of(game)
        assert game.turn == replay.seat_of(course.variant, course.turn), game.public_id
        assert game.deadline_at == time_control.deadline(turn), game.public_id
        coming = [moment for moment, _ in time_control.reminders(turn) if moment == game.remind_at]
        assert bool(coming) == (game.remind_at is not None), game.public_id


def ratings_follow_from_the_results() -> None:
    """Every rating is Glicko-2 over the games that count, in the order in which they ended."""
    at = dict(Change.objects.values_list("game_id", "at"))
    order = {key: number for number, key in enumerate(Change.objects.order_by("pk").values_list("game_id"))}
    counting = [game for game in Game.objects.filter(status="finished", rated=True) if _counts(game)]
    assert {game.public_id for game in counting} == set(at)
    counting.sort(key=lambda game: order[(game.public_id,)])
    had: dict[tuple[int, str], tuple[glicko2.Rating, datetime | None]] = {}
    played: Counter[tuple[int, str]] = Counter()
    for game in counting:
        assert at[game.public_id] >= (game.ended_at or at[game.public_id])
        keys = [(player or 0, game.variant) for player in (game.first_player_id, game.second_player_id)]
        before = [had.get(key, (glicko2.Rating(), None)) for key in keys]
        points = {"first": 2, "second": 0, None: 1}[game.winner]
        for mine, other, own in ((0, 1, points), (1, 0, 2 - points)):
            (rating, since), (opponent, theirs) = before[mine], before[other]
            now = at[game.public_id]
            made = glicko2.after_game(
                rating, opponent, own, periods=_periods(since, now), opponent_periods=_periods(theirs, now)
            )
            had[keys[mine]] = made, now
            played[keys[mine]] += 1
    for row in PlayerRating.objects.all():
        expected = had.get((row.user_id, row.variant), (glicko2.Rating(), None))[0]
        found = row.value, row.deviation, row.volatility
        wanted = expected.value, expected.deviation, expected.volatility
        assert all(abs(one - other) < _CLOSE for one, other in zip(found, wanted, strict=True)), row.pk
        assert row.games == played[row.user_id, row.variant]
    assert sum(recounting.recalculate(variant=variant) for variant in VARIANTS) == 0


def nothing_came_from_blocked_people(club: Club) -> None:
    """No message, invitation or challenge has reached a member from somebody they had blocked."""
    rows = Ignored.objects.filter(user__is_active=True, ignored__is_active=True)
    for user, ignored, since in rows.values_list("user_id", "ignored_id", "created_at"):
        names = f"{club.people[user].name} ignores {club.people[ignored].name} since {since}"
        received = Notice.objects.filter(user=user, actor=ignored, created_at__gte=since)
        assert not received.filter(kind__in=PERSONAL).exists(), names
        messages = Message.objects.filter(recipient=user, sender=ignored, sent_at__gt=since)
        assert not messages.filter(delivered=True).exists(), names
        assert not Game.objects.filter(invited=user, creator=ignored, created_at__gt=since).exists(), names
        pair = Q(challenger=user, challenged=ignored) | Q(challenger=ignored, challenged=user)
        assert not Challenge.objects.filter(pair, made_at__gt=since).exists(), names
        assert ignored in club.people[user].ignored


def ladders_have_each_place_once() -> None:
    """Places are a permutation, and every open challenge has a running game."""
    for ladder in Ladder.objects.exclude(size=0):
        ranks = sorted(member.rank for member in Climber.objects.filter(ladder=ladder))
        assert len(ranks) == ladder.size
        if ladder.style == "places":
            assert ranks == list(range(1, ladder.size + 1)), ladder
    for challenge in Challenge.objects.prefetch_related("games"):
        states = [
            Game.objects.get(public_id=game.game_id).status == "playing" for game in challenge.games.all()
        ]
        if challenge.ended_at is None:
            assert any(states), challenge.pk
        elif challenge.outcome in {"won", "lost", "drawn"} and challenge.ladder.closed_at is None:
            there = Climber.objects.filter(ladder=challenge.ladder)
            left = there.filter(user__in=[challenge.challenger_id, challenge.challenged_id]).count() < 2
            assert not any(states) or left, challenge.pk


def tournaments_add_up() -> None:
    """Points come from games; two games of a pairing swap sides and share a ballot."""
    for tournament in Tournament.objects.exclude(started_at=None):
        state = load(tournament)
        given: Counter[str] = Counter()
        for _, pairing in state.pairings():
            for game in pairing.games:
                assert game.points is None or sum(game.points) in ({2} if game.counted else {0, 2})
            for key in pairing.players:
                given[key] += sum(game.points_of(key) for game in pairing.games)
            if len(pairing.games) > 1 and pairing.second is not None:
                one, other = pairing.games[:2]
                assert (one.first, one.second) == (other.second, other.first), tournament
        entrants = Entrant.objects.filter(tournament=tournament)
        whole = tournament.format == "round-robin" and not entrants.exclude(left=None).exists()
        if tournament.status == "finished" and whole:  # the games of a player who leaves early may not count
            for entrant in entrants:
                assert entrant.points == given[str(entrant.pk)], (tournament, entrant)
        _results_are_those_of_the_games(tournament)
        _one_ballot_for_two(tournament)


def _results_are_those_of_the_games(tournament: Tournament) -> None:
    rows = PairingGame.objects.filter(pairing__round__tournament=tournament, replaced=False)
    for row in rows.exclude(game_id=None).filter(how="played", first_points__isnull=False):
        game = Game.objects.get(public_id=row.game_id)
        assert game.status == "finished"
        points = {"first": (2, 0), "second": (0, 2), None: (1, 1)}[game.winner]
        assert (row.first_points, row.second_points) == points, row.pk
    playing = {row.game_id for row in rows if row.first_points is None}
    running = Game.objects.filter(contest_event=tournament.public_id, status="playing")
    assert set(running.values_list("public_id", flat=True)) <= playing | set(
        PairingGame.objects.filter(pairing__round__tournament=tournament, replaced=True).values_list(
            "game_id", flat=True
        )
    )


def _one_ballot_for_two(tournament: Tournament) -> None:
    for pairing in Pairing.objects.filter(round__tournament=tournament).exclude(ballot=0):
        keys = [row.game_id for row in pairing.games.filter(replaced=False, number__in=[1, 2]) if row.game_id]
        openings = set(Game.objects.filter(public_id__in=keys).values_list("opening", flat=True))
        assert len(openings) <= 1, pairing.pk


def team_matches_add_up() -> None:
    """The points of a team match are those of its boards, and it ends with the last of them."""
    for match in TeamMatch.objects.filter(status__in=["playing", "finished"]):
        rows = BoardGame.objects.filter(board__match=match, annulled=False)
        home = sum(row.home_points or 0 for row in rows)
        away = sum(row.away_points or 0 for row in rows)
        assert (match.home_points, match.away_points) == (home, away), match.pk
        over = all(row.home_points is not None for row in rows)
        assert over == (match.status == "finished"), match.pk


def left_out(club: Club) -> set[str]:
    """What people can do or be told, and nobody has done or was told."""
    told = {kind for kind, count in club.expected.count.items() if count}
    ended = set(Game.objects.filter(status="finished").values_list("termination", flat=True))
    held = set(Tournament.objects.exclude(started_at=None).values_list("format", flat=True))
    climbed = set(Challenge.objects.exclude(ended_at=None).values_list("outcome", flat=True))
    return {
        *(f"notified of {kind}" for kind in set(KINDS) - told),
        *(f"ended by {how}" for how in _ENDINGS - ended),
        *(f"a {key} tournament" for key in set(FORMATS) - held),
        *(f"a challenge {outcome}" for outcome in _CHALLENGES - climbed),
        *(act for act in _ACTS if not club.count[act]),
        *(() if club.stopped else ("letters stopped",)),
    }


def summary(club: Club) -> str:
    """A summary in one line."""
    count, games = club.count, Game.objects.exclude(started_at=None)
    endings = Counter(Game.objects.filter(status="finished").values_list("termination", flat=True))
    over = Tournament.objects.filter(status="finished").count()
    variants = set(games.values_list("variant", flat=True))
    matches = TeamMatch.objects.filter(status="finished").count()
    return (
        f"{len(club.people)} members, {club.calendar.day - 1} days: {games.count()} games of {len(variants)} "
        f"variants ({dict(endings)}), {count['moves']} moves, {club.expected.count.total()} notices in "
        f"{count['letters']} letters, {count['pushes']} pushes and on the site; {over} tournaments ended, "
        f"{Challenge.objects.exclude(ended_at=None).count()} challenges, "
        f"{matches} team matches, {count['annulled']} games annulled."
    )


def _counts(game: Game) -> bool:
    """Whether the result counts for ratings."""
    return not game.annulled and game.termination != "forfeit"


def _periods(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max((now - since) / _PERIOD, 0.0)
