"""The few values that columns of games and of what belongs to them can have."""

from __future__ import annotations

from django.db import models

from crownhead.server.play.clocks.time_control import Pace

NO_SHOW = "Did not come to the board in time."  # the club's reason to forfeit a game
FORFEIT = "forfeit"  # a termination of which the laws know nothing: declared lost, by one side or by both


ABORTED = "aborted"  # a live game that somebody called off before both had moved
ABANDONED = "abandoned"  # a live game won because the opponent had left it
LENGTH = "length"  # a draw: the game has as many moves as the club lets a game have
TOO_MANY_MOVES = "too-many-moves"  # a draw: from a start of their own players came to what no page can show


class Seat(models.TextChoices):
    """A player's place in a game: who moves first in it, whatever the colour."""

    FIRST = "first", "first"
    SECOND = "second", "second"

    @property
    def opponent(self) -> Seat:
        """The other seat."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST


class Status(models.TextChoices):
    """Where a game stands between being offered and being over."""

    WAITING = "waiting", "waiting for an opponent"
    PLAYING = "playing", "in progress"
    FINISHED = "finished", "finished"
    WITHDRAWN = "withdrawn", "withdrawn by its creator"
    DECLINED = "declined", "declined by the one who was invited"
    EXPIRED = "expired", "nobody joined in time"


class Unrated(models.TextChoices):
    """Why a game that was to be rated is not, now that it is over."""

    PAIR = "pair", "the two have played enough rated games that day"
    LEFT = "left", "its loser has left several games early"
    WON = "won", "its winner has won several games that others left early"


class DrawRulesKey(models.TextChoices):
    """Whose draw rules a game is played by."""

    OFFICIAL = "official", "the federation's"
    ITSYOURTURN = "itsyourturn", "ItsYourTurn"
    YOURTURNMYTURN = "yourturnmyturn", "YourTurnMyTurn"


class MatchKind(models.TextChoices):
    """How many games a match has."""

    TWO = "two", "two games at once, with the sides swapped"
    GAMES = "games", "so many games, one after another"
    WINS = "wins", "until somebody has won so many games"


class Claim(models.TextChoices):
    """What a player asks the staff to declare."""

    WIN = "win", "a win"
    DRAW = "draw", "a draw"


class StaffVerb(models.TextChoices):
    """What staff do to games."""

    ADJUDICATED = "adjudicated", "adjudicated"
    ANNULLED = "annulled", "annulled"
    REFUSED = "refused", "refused a player's request"
    FORFEITED = "forfeited", "declared lost"
    ADJOURNED = "adjourned", "adjourned"
    RESUMED = "resumed", "resumed"


class PaceKey(models.TextChoices):
    """Which kind of clock a game has; see ``clocks.time_control.Pace``."""

    DAYS = Pace.DAYS.value, "days per move"
    BANK = Pace.BANK.value, "a bank of hours, a bonus a move"
    LIVE = Pace.LIVE.value, "live, a bonus a move"
