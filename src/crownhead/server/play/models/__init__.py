"""The rows of games and of what belongs to them."""

from __future__ import annotations

from crownhead.server.play.choices import DrawRulesKey, MatchKind, PaceKey, Seat, Status
from crownhead.server.play.models.appeals import Appeal, StaffAction
from crownhead.server.play.models.games import Game, Games
from crownhead.server.play.models.matches import Invitation, Match
from crownhead.server.play.models.outages import Heartbeat, OutageRow
from crownhead.server.play.models.plans import Plan
from crownhead.server.play.models.presence import Absence
from crownhead.server.play.models.talk import ChatLine, Note
from crownhead.server.play.models.vacations import Vacation
from crownhead.server.play.models.variants import HouseVariant

__all__ = [
    "Absence",
    "Appeal",
    "ChatLine",
    "DrawRulesKey",
    "Game",
    "Games",
    "Heartbeat",
    "HouseVariant",
    "Invitation",
    "Match",
    "MatchKind",
    "Note",
    "OutageRow",
    "PaceKey",
    "Plan",
    "Seat",
    "StaffAction",
    "Status",
    "Vacation",
]
