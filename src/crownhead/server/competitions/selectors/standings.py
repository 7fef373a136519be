"""The contest of a tournament and its current tables, cached until something changes."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import cache

from crownhead.contest import Contest, Table, formats
from crownhead.server.competitions.models import Entrant, PairingGame, Tournament
from crownhead.server.competitions.selectors import contest_rows
from crownhead.server.competitions.selectors.contest_rows import contest_of, rounds_of

_TIMEOUT = 3600  # seconds


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
        """The key of a user as a player."""
        return next((key for key, user in self.users.items() if user == user_id), None)


def standing_of(tournament: Tournament) -> Standing:
    """The current standing of a tournament."""
    key = f"tournament:{tournament.pk}:{tournament.version}:{tournament.status}"
    standing = cache.get(key)
    if not isinstance(standing, Standing):
        standing = _compute(tournament)
        cache.set(key, standing, timeout=_TIMEOUT)
    return standing


def _compute(tournament: Tournament) -> Standing:
    entrants = list(Entrant.objects.filter(tournament=tournament).select_related("user").order_by("pk"))
    contest = contest_of(tournament, entrants, rounds_of(tournament))
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
