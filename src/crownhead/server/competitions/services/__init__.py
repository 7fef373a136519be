"""The services of tournaments; each is one transaction, and ``tournament_id`` is the public id."""

from __future__ import annotations

from crownhead.server.competitions.services.adjudication import adjourn, adjudicate, annul, forfeit
from crownhead.server.competitions.services.appointments import answer as answer_appointment
from crownhead.server.competitions.services.appointments import propose as propose_appointment
from crownhead.server.competitions.services.directing import close, expel, extend, seed
from crownhead.server.competitions.services.directors import answer_directing, set_directors
from crownhead.server.competitions.services.entries import ask_bye, be_here, enter, withdraw
from crownhead.server.competitions.services.hosting import cancel, create, edit, start
from crownhead.server.competitions.services.invitations import (
    decline,
    invite,
    invite_substitute,
    withdraw_invitation,
)
from crownhead.server.competitions.services.manual_pairing import pair_by_hand, release

__all__ = [
    "adjourn",
    "adjudicate",
    "annul",
    "answer_appointment",
    "answer_directing",
    "ask_bye",
    "be_here",
    "cancel",
    "close",
    "create",
    "decline",
    "edit",
    "enter",
    "expel",
    "extend",
    "forfeit",
    "invite",
    "invite_substitute",
    "pair_by_hand",
    "propose_appointment",
    "release",
    "seed",
    "set_directors",
    "start",
    "withdraw",
    "withdraw_invitation",
]
