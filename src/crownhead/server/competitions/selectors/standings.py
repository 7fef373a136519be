"""The contest of a tournament and its tables as they stand, worked out once for each change."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import cache

from crownhead.contest import Contest, Table, formats
from crownhead.server.competitions.models import Entrant, PairingGame, Tournament
from crownhead.server.competitions.services import contest_rows

_KEPT = 3600  # seconds


@dataclass(frozen=True, slots=True)
class Standing:
    """A contest with its tables; ``names``, ``users`` and ``ratings`` by the keys of its players.

    ``games``: the ids of the games, by round, table and number.
    """

    contest: Contest
    tables: tuple[Table, ...]
    names: dict[str, str]
    users: dict[str, int]
    ratings: dict[str, int]
    games: dict[tuple[int, int, int], str]

    def key_of(self, user_id: int | None) -> str | None:
        """The player who is somebody."""
        return next((key for key, user in self.users.items() if user == user_id), None)


def standing_of(tournament: Tournament) -> Standing:
    """The tournament as it stands."""
    key = f"tournament:{tournament.pk}:{tournament.version}:{tournament.status}"
    found = cache.get(key)
    if not isinstance(found, Standing):
        found = _work_out(tournament)
        cache.set(key, found, timeout=_KEPT)
    return found


def _work_out(tournament: Tournament) -> Standing:
    entrants = list(Entrant.objects.filter(tournament=tournament).select_related("user").order_by("pk"))
    contest = contest_rows.contest_of(tournament, entrants, contest_rows.rounds_of(tournament))
    rows = PairingGame.objects.filter(pairing__round__tournament=tournament, replaced=False)
    places = rows.exclude(game_id=None).values_list(
        "pairing__round__number", "pairing__table", "number", "game_id"
    )
    return Standing(
        contest=contest,
        tables=formats.standings(contest) if contest.rounds else (),
        names={contest_rows.key_of(row.pk): row.user.username for row in entrants},
        users={contest_rows.key_of(row.pk): row.user_id for row in entrants},
        ratings={contest_rows.key_of(row.pk): row.rating for row in entrants},
        games={(number, table, game): str(key) for number, table, game, key in places},
    )
