"""The models of tournaments, their rounds and games."""

from __future__ import annotations

from crownhead.server.competitions.choices import Answer, Entry, Meeting, Start, Status, Verb, Withdrawal
from crownhead.server.competitions.models.rounds import Appointment, Pairing, PairingGame, Round
from crownhead.server.competitions.models.tournaments import (
    LONGEST_NAME,
    Director,
    DirectorAction,
    Entrant,
    FinalTables,
    Invitation,
    Tournament,
    Trophy,
)

__all__ = [
    "LONGEST_NAME",
    "Answer",
    "Appointment",
    "Director",
    "DirectorAction",
    "Entrant",
    "Entry",
    "FinalTables",
    "Invitation",
    "Meeting",
    "Pairing",
    "PairingGame",
    "Round",
    "Start",
    "Status",
    "Tournament",
    "Trophy",
    "Verb",
    "Withdrawal",
]
