"""Storing the pairings of a round: thousands of a large one, for which Django takes several times as long."""

from __future__ import annotations

from django.db import DEFAULT_DB_ALIAS

from crownhead import contest
from crownhead.server.competitions.models import Appointment, Pairing, PairingGame, Round
from crownhead.server.core.batches import batched
from crownhead.server.core.queries.rows import insert_all

AT_ONCE = 200  # rows of one statement
_CONTENTS = ("table", "section", "planned", "wins", "most", "replays", "ballot", "stage")
_COLUMNS = ("round", "first", "second", "bye", "adjourned", *_CONTENTS)


def store_pairings(made: contest.Round, row: Round) -> None:
    """Store the pairings of a round that the contest has paired."""
    values = [_values(pairing, row) for pairing in made.pairings]
    for some in batched(values, AT_ONCE):
        insert_all(Pairing, _COLUMNS, some)


def empty_round(row: Round) -> None:
    """Delete the pairings of a round, with their games and appointments; Django would read them all."""
    for model in (PairingGame, Appointment):
        model.objects.filter(pairing__round=row).delete()
    Pairing.objects.filter(round=row)._raw_delete(DEFAULT_DB_ALIAS)  # noqa: SLF001


def _values(pairing: contest.Pairing, row: Round) -> tuple[object, ...]:
    """The columns of a pairing."""
    second = None if pairing.second is None else int(pairing.second)
    bye = pairing.bye.value if pairing.bye else ""
    contents = (getattr(pairing, name) for name in _CONTENTS)
    return (row.pk, int(pairing.first), second, bye, pairing.adjourned, *contents)
