"""The services of teams; each is one transaction, and ``team_id`` and ``match_id`` are public ids."""

from __future__ import annotations

from crownhead.server.teams.services.availability import be_available
from crownhead.server.teams.services.board import take_down, write
from crownhead.server.teams.services.founding import (
    answer_leading,
    create_team,
    disband,
    edit_team,
    hand_over,
)
from crownhead.server.teams.services.matches import answer as answer_match
from crownhead.server.teams.services.matches import line_up, propose, withdraw
from crownhead.server.teams.services.membership import answer, decline, invite, join, leave, remove

__all__ = [
    "answer",
    "answer_leading",
    "answer_match",
    "be_available",
    "create_team",
    "decline",
    "disband",
    "edit_team",
    "hand_over",
    "invite",
    "join",
    "leave",
    "line_up",
    "propose",
    "remove",
    "take_down",
    "withdraw",
    "write",
]
