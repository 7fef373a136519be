"""The unstarted games of players who are gone; a worker forfeits them, a few at a time."""

from __future__ import annotations

from crownhead.contest import ResultKind
from crownhead.server.competitions.access import format_of_tournament
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Tournament
from crownhead.server.competitions.selectors.contest_rows import key_of, pairing_of


def is_gone(entrant: Entrant) -> bool:
    """Whether an entrant begins no more games: they have left, or nobody can sign in as them."""
    return entrant.left is not None or not entrant.user.is_active


def decide_without(tournament: Tournament, pairing: Pairing) -> int | None:
    """Forfeit the due games of a pairing for who is gone; returns how many, None if both play on.

    In an arena who is gone is paired again only once they say that they are there.
    """
    gone = [entrant for entrant in (pairing.first, pairing.second) if entrant and is_gone(entrant)]
    if not gone:
        return None
    if format_of_tournament(tournament).timed:
        Entrant.objects.filter(pk__in=[entrant.pk for entrant in gone]).update(here=False)
    return decide(pairing, gone[0].pk if len(gone) == 1 else None)


def decide(pairing: Pairing, loser: int | None) -> int:
    """Forfeit the due games of a pairing; ``loser``: an entrant, None for both. Returns how many."""
    games = PairingGame.objects.filter(pairing=pairing, replaced=False).order_by("number")
    due = pairing_of(pairing, games).due()
    for planned in due:
        attempts = PairingGame.objects.filter(pairing=pairing, number=planned.number).count()
        first_wins = loser is not None and planned.first != key_of(loser)
        PairingGame.objects.create(
            pairing=pairing,
            number=planned.number,
            attempt=attempts + 1,
            swapped=planned.first != key_of(pairing.first_id),
            first_points=2 if first_wins else 0,
            second_points=0 if first_wins or loser is None else 2,
            how=ResultKind.FORFEIT.value,
        )
    return len(due)
