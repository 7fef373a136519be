"""What can be wrong with a request about a game, with the HTTP status of each.

| what is wrong | status | slug |
|---|---|---|
| not signed in | 401 | not-signed-in |
| no such game, or none the viewer may see | 404 | not-found |
| neither player of this game | 403 | not-a-player |
| joining your own game, withdrawing somebody else's | 403 | own-game, forbidden |
| your rating is outside the range that the creator asks for | 403 | not-in-range |
| the other player has blocked you | 403 | not-welcome |
| something that a guest without an account can't do | 403 | members-only |
| the game waits for an opponent, or never got one | 409 | not-in-progress |
| the game is over | 409 | game-over |
| the version sent is not the game's | 409 | out-of-date |
| the other player is to move | 409 | not-your-turn |
| no offer to answer, no draw to claim | 409 | no-draw-offer, no-draw-to-claim |
| no move to take back; none in rated games and contests | 409 | no-take-back, rated-game, contest-game |
| the opponent's request waits for an answer | 409 | answer-first |
| the staff have been asked already | 409 | already-asked |
| the game has left the waiting room | 409 | not-waiting |
| too many games at once | 409 | too-many-games |
| the move is not legal, ambiguous or not readable | 422 | illegal-move |
| options that make no sense or are not offered | 422 | unprocessable |

They are looked for in this order, but for a move that is sent twice with the same version: it is
answered as the first time, whatever has happened since.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable


class NotAPlayer(Forbidden):
    """Only the players of the game may do this."""

    slug, title = "not-a-player", gettext_lazy("You are not a player of this game")
    sentence = gettext_lazy("Only the two players can do this.")


class NotInProgress(Conflict):
    """The game has not begun, and may never."""

    slug, title = "not-in-progress", gettext_lazy("The game is not in progress")
    sentence = gettext_lazy("This game is not in progress.")


class GameOver(Conflict):
    """The game has ended."""

    slug, title = "game-over", gettext_lazy("The game is over")
    sentence = gettext_lazy("This game is already over.")


class NotYourTurn(Conflict):
    """The other player is to move."""

    slug, title = "not-your-turn", gettext_lazy("It is not your turn")
    sentence = gettext_lazy("It is not your turn.")


class NoDrawOffer(Conflict):
    """There is no offer of the opponent to answer."""

    slug, title = "no-draw-offer", gettext_lazy("There is no draw offer")
    sentence = gettext_lazy("There is no draw offer any more.")


class NoDrawToClaim(Conflict):
    """The game's rules give no draw to claim now."""

    slug, title = "no-draw-to-claim", gettext_lazy("There is no draw to claim")
    sentence = gettext_lazy("You can't claim a draw now.")


class RatedGame(Conflict):
    """Rated games have no take-backs."""

    slug, title = "rated-game", gettext_lazy("This game is rated")
    sentence = gettext_lazy("Rated games have no take-backs.")


class ContestGame(Conflict):
    """Ladder and tournament games have no take-backs."""

    slug, title = "contest-game", gettext_lazy("This is a ladder or tournament game")
    sentence = gettext_lazy("Ladder and tournament games have no take-backs.")


class NoTakeBack(Conflict):
    """There is no move to take back, or nobody asks for one."""

    slug, title = "no-take-back", gettext_lazy("There is no move to take back")
    sentence = gettext_lazy("There is no move to take back.")


class AnswerFirst(Conflict):
    """The opponent's request has to be answered first."""

    slug, title = "answer-first", gettext_lazy("Answer your opponent first")
    sentence = gettext_lazy("Answer your opponent's request first.")


class AlreadyAsked(Conflict):
    """The staff have not answered yet."""

    slug, title = "already-asked", gettext_lazy("You have already asked")
    sentence = gettext_lazy("The staff already have your request and will answer it.")


class AskedAlready(Conflict):
    """The player has asked for the same before; the detail says when they may again."""

    slug, title = "asked-already", gettext_lazy("You have already asked for this")


class NotWaiting(Conflict):
    """The game cannot be taken or withdrawn any more."""

    slug, title = "not-waiting", gettext_lazy("The game is no longer available")
    sentence = gettext_lazy("This game is no longer available.")


class OwnGame(Forbidden):
    """A game needs two people."""

    slug, title = "own-game", gettext_lazy("This is your own game")
    sentence = gettext_lazy("This is your own game. Somebody else has to join it.")


class NotInRange(Forbidden):
    """The game is offered to players of other ratings."""

    slug, title = "not-in-range", gettext_lazy("Your rating is outside the range of this game")
    sentence = gettext_lazy("Your rating is outside the range of this game.")


class NotWelcome(Forbidden):
    """The other player has blocked the user; the message does not say so."""

    slug, title = "not-welcome", gettext_lazy("This player is not available")
    sentence = gettext_lazy("This player is not available.")


class MembersOnly(Forbidden):
    """Somebody who plays without an account can't do this; the detail says what they can."""

    slug, title = "members-only", gettext_lazy("This is for members")


class TooManyGames(Conflict):
    """The host's limit of games at once is reached."""

    slug, title = "too-many-games", gettext_lazy("You have too many games")


class RatedLimit(Conflict):
    """No further rated game now, against this opponent or any; the detail says why."""

    slug, title = "rated-limit", gettext_lazy("This game can't be rated")


class TooFewHours(Conflict):
    """The vacation budget of a year has fewer hours left; of the type of other conflicts, for programs."""

    sentence = gettext_lazy("You don't have that many hours left for that year.")


class IllegalMove(Unprocessable):
    """The move cannot be made in this position; the detail says why, and pages say it in their language."""

    slug, title = "illegal-move", gettext_lazy("The move is not legal")
    sentence = gettext_lazy("That move is not legal here.")

    def __init__(self, text: str, *, field: str = "", reason: str = "") -> None:
        super().__init__(text, field=field)
        self.reason = reason

    @property
    def message(self) -> str:
        """The sentence of the class with the reason."""
        return f"{self.sentence} {self.reason}".rstrip()
