"""The services of tournaments; each is one transaction, and ``tournament_id`` is the public id."""

from __future__ import annotations

from crownhead.server.competitions.services.adjudication import adjourn, adjudicate, annul, forfeit
from crownhead.server.competitions.services.appointments import answer as answer_appointment
from crownhead.server.competitions.services.appointments import propose as propose_appointment
from crownhead.server.competitions.services.directing import close, enter_player, expel, extend, replace, seed
from crownhead.server.competitions.services.entries import ask_bye, be_here, decline, enter, withdraw
from crownhead.server.competitions.services.hosting import cancel, create, edit, invite, set_directors, start
from crownhead.server.competitions.services.manual_pairing import pair_by_hand, release
from crownhead.server.competitions.services.rounds import advance

__all__ = [
    "adjourn",
    "adjudicate",
    "advance",
    "annul",
    "answer_appointment",
    "ask_bye",
    "be_here",
    "cancel",
    "close",
    "create",
    "decline",
    "edit",
    "enter",
    "enter_player",
    "expel",
    "extend",
    "forfeit",
    "invite",
    "pair_by_hand",
    "propose_appointment",
    "release",
    "replace",
    "seed",
    "set_directors",
    "start",
    "withdraw",
]
