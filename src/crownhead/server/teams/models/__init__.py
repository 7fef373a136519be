"""The rows of teams and of the matches between them."""

from __future__ import annotations

from crownhead.server.teams.choices import Joining, KnockKind, MatchStatus, Side
from crownhead.server.teams.models.matches import Board, BoardGame, LineUp, TeamMatch
from crownhead.server.teams.models.teams import LONGEST_NAME, Knock, Member, Post, Team

__all__ = [
    "LONGEST_NAME",
    "Board",
    "BoardGame",
    "Joining",
    "Knock",
    "KnockKind",
    "LineUp",
    "MatchStatus",
    "Member",
    "Post",
    "Side",
    "Team",
    "TeamMatch",
]
