"""The models of teams and of the matches between them."""

from __future__ import annotations

from crownhead.server.teams.choices import Joining, JoinRequestKind, MatchStatus, Side
from crownhead.server.teams.models.matches import Availability, Board, BoardGame, LineUp, TeamMatch
from crownhead.server.teams.models.teams import LONGEST_NAME, JoinRequest, Member, Post, Team

__all__ = [
    "LONGEST_NAME",
    "Availability",
    "Board",
    "BoardGame",
    "JoinRequest",
    "JoinRequestKind",
    "Joining",
    "LineUp",
    "MatchStatus",
    "Member",
    "Post",
    "Side",
    "Team",
    "TeamMatch",
]
