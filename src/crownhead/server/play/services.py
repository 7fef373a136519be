"""The verbs of games, for the doors; each is one transaction, ``game_id`` is the public identifier."""

from __future__ import annotations

from crownhead.server.play.beginnings import create_game
from crownhead.server.play.chat import say, write_note
from crownhead.server.play.draws import accept_draw, claim_draw, decline_draw, offer_draw, resign
from crownhead.server.play.moves import play_move
from crownhead.server.play.plans import set_plan
from crownhead.server.play.seating import start_game
from crownhead.server.play.staff import (
    LONGEST_REASON,
    adjourn,
    adjudicate,
    annul,
    answer_appeal,
    appeal,
    forfeit,
)
from crownhead.server.play.sweeps import expire_waiting, send_reminders, sweep_deadlines
from crownhead.server.play.take_backs import accept_take_back, ask_take_back, decline_take_back

__all__ = [
    "LONGEST_REASON",
    "accept_draw",
    "accept_take_back",
    "adjourn",
    "adjudicate",
    "annul",
    "answer_appeal",
    "appeal",
    "ask_take_back",
    "claim_draw",
    "create_game",
    "decline_draw",
    "decline_take_back",
    "expire_waiting",
    "forfeit",
    "offer_draw",
    "play_move",
    "resign",
    "say",
    "send_reminders",
    "set_plan",
    "start_game",
    "sweep_deadlines",
    "write_note",
]
