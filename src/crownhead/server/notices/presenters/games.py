"""A game as notifications describe it: its players, name and page, and the texts in the active language."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from crownhead import VARIANTS, Colour, Termination, Variant
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import display_name
from crownhead.server.competitions.selectors.boards import no_show_minutes
from crownhead.server.notices.kinds import GAME_PREFIX, Kind
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.notices.selectors.replays import Replayed
from crownhead.server.notices.services.notify import NotificationText
from crownhead.server.play.choices import ABORTED, FORFEIT, NO_SHOW, Seat
from crownhead.server.play.clocks.time_control import Pace, Reminder
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.selectors import replay
from crownhead.server.play.presenters.board.words import (
    decision_reason,
    first_move_sentence,
    result_sentence,
    side,
)
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.play.presenters.games import unrated_sentence
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Game

SEATS = ("first", "second")
CHOICES = "notice_choices"  # read along with a game that is changed
_TABLE = re.compile(r":t\d+$")  # of a round of a tournament
_LONGEST_MESSAGE = 300  # characters of what goes with an invitation; all of it stands on the page

REMINDERS = {
    Reminder.HALF.value: Kind.HALF,
    Reminder.FIFTH.value: Kind.FIFTH,
    Reminder.TWO_HOURS.value: Kind.TWO_HOURS,
}


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """A game and its two seats."""

    game: Game

    @property
    def about(self) -> str:
        """The subject of this game's notifications."""
        return about_game(self.game.public_id)

    @property
    def link(self) -> str:
        """The path of its page."""
        return game_link(self.game.public_id)

    @property
    def is_live(self) -> bool:
        """Whether both players are at the board: their page shows changes within a second."""
        return self.game.pace == Pace.LIVE

    @property
    def name(self) -> str:
        """``American checkers``, with the name of its contest."""
        variant = variant_name(VARIANTS[self.game.variant])
        return variant if self.contest is None else f"{variant} ({self.contest.name})"

    @property
    def contest(self) -> Contest | None:
        """The ladder, tournament or team match that it belongs to."""
        return self.game.contest

    @property
    def about_contest(self) -> str:
        """The subject of notifications about the contest as a whole."""
        return about_contest(self.contest.event) if self.contest else ""

    @property
    def occasion(self) -> str:
        """What started it: a tournament round, a challenge, a team match; or the game itself."""
        if self.contest is None:
            return f"{self.about}:begun"
        return f"begun:{_TABLE.sub('', self.contest.key)}"

    @property
    def on_turn(self) -> int | None:
        """The key of the player to move."""
        return self.key(self.game.turn) if self.game.turn else None

    @property
    def is_no_show(self) -> bool:
        """Whether it was lost by a player who did not come, which nobody decided."""
        return self.game.adjudication_reason == NO_SHOW

    @property
    def last_move(self) -> str:
        """The last move as text; empty before the first."""
        return self.game.moves.split()[-1] if self.game.moves else ""

    @property
    def last_move_was_planned(self) -> bool:
        """Whether the last move was a conditional move."""
        return bool(self.game.planned) and self.game.planned[-1] == len(self.game.moves.split()) - 1

    def player(self, seat: str | None) -> User | None:
        """Return the player on a seat."""
        return self.game.first_player if seat == "first" else self.game.second_player

    def key(self, seat: str | None) -> int | None:
        """Return the key of the player on a seat."""
        user = self.player(seat)
        return None if user is None else user.pk

    def has_choices(self, seat: str) -> bool:
        """Whether the player may have changed what they are notified of, or has a browser that takes push."""
        return bool(getattr(self.game, f"{seat}_{CHOICES}", True))

    def opponent(self, seat: str) -> User | None:
        """Return the player on the other seat."""
        return self.player("second" if seat == "first" else "first")

    def deadline_text(self, person: Person) -> str:
        """Return the sentence that says when the player to move runs out of time."""
        if self.game.deadline_at is None or self.is_live:
            return ""
        return _("Your time runs out on %(moment)s.") % {"moment": person.moment(self.game.deadline_at)}


def about_game(game_id: str) -> str:
    """Return the subject of notifications about a game."""
    return f"{GAME_PREFIX}{game_id}"


def about_contest(event: str) -> str:
    """Return the subject of notifications about a contest as a whole."""
    return f"contest:{event}"


def seated_game(game_id: str) -> SeatedGame:
    """Load a game as it is in the current transaction."""
    return SeatedGame(Game.objects.with_players().get(public_id=game_id))


GameText = Callable[[SeatedGame, str, Person], NotificationText]  # of a game, for the player on a seat


def turn(seated: SeatedGame, seat: str, person: Person) -> NotificationText:
    """The opponent has moved."""
    facts = _facts(seated, seat)
    if seated.last_move:
        text = _("%(name)s played %(move)s in %(game)s.") % {**facts, "move": seated.last_move}
    else:
        text = _("You have the first move in %(game)s.") % facts
    return NotificationText(
        _("Your turn against %(name)s") % facts, _join(text, seated.deadline_text(person))
    )


def turned_back(seated: SeatedGame, seat: str, person: Person) -> NotificationText:
    """Your last move was taken back, and it is your turn again."""
    facts = _facts(seated, seat)
    text = _("Your last move in %(game)s was taken back. It is your turn.") % facts
    return NotificationText(
        _("%(name)s accepted your take-back") % facts, _join(text, seated.deadline_text(person))
    )


def begun(seated: SeatedGame, seat: str, person: Person) -> NotificationText:
    """A game has started that you did not start yourself."""
    return _started(seated, seat, person, _("Your game against %(name)s has started"))


def replayed(before: Replayed) -> GameText:
    """A game has started that replays another one."""

    def compose(seated: SeatedGame, seat: str, person: Person) -> NotificationText:
        opponent = seated.opponent(seat)
        if before.tied:
            subject = _("You tied with %(name)s and play again")
        elif opponent is None or opponent.pk in before.player_ids:
            subject = _("Your game against %(name)s starts again")
        else:
            subject = _("A substitute, %(name)s, plays on against you")
        return _started(seated, seat, person, subject)

    return compose


def others_begun(seated: SeatedGame) -> NotificationText:
    """More games of a contest have started along with the first."""
    contest = seated.contest
    facts = {"contest": contest.name if contest else seated.name}
    return NotificationText(_("More of your games in %(contest)s have started") % facts)


def accepted(seated: SeatedGame, seat: str, person: Person) -> NotificationText:
    """Your invitation was accepted."""
    return _started(seated, seat, person, _("%(name)s accepted your invitation"))


def time_short(reminder: str) -> GameText:
    """Some part of your time is left."""
    subjects = {
        Reminder.HALF.value: lambda: _("Half of your time is left against %(name)s"),
        Reminder.FIFTH.value: lambda: _("A fifth of your time is left against %(name)s"),
        Reminder.TWO_HOURS.value: lambda: _("Two hours left against %(name)s"),
    }

    def compose(seated: SeatedGame, seat: str, person: Person) -> NotificationText:
        facts = _facts(seated, seat)
        text = _("It is your turn in %(game)s.") % facts
        return NotificationText(subjects[reminder]() % facts, _join(text, seated.deadline_text(person)))

    return compose


def draw_offered(seated: SeatedGame, seat: str, _person: Person) -> NotificationText:
    """The opponent offers a draw."""
    return _compose(
        seated,
        seat,
        _("%(name)s offers a draw"),
        _("This is about your game of %(game)s. If you move without answering, you decline."),
    )


def draw_declined(seated: SeatedGame, seat: str, _person: Person) -> NotificationText:
    """The opponent declined your draw offer."""
    return _compose(seated, seat, _("%(name)s declined the draw"), _("Your game of %(game)s continues."))


def take_back_asked(seated: SeatedGame, seat: str, _person: Person) -> NotificationText:
    """The opponent asks to take back a move."""
    return _compose(
        seated,
        seat,
        _("%(name)s asks to take back a move"),
        _("This is about your game of %(game)s. Answer on its page; if you move instead, you decline."),
    )


def take_back_declined(seated: SeatedGame, seat: str, _person: Person) -> NotificationText:
    """The opponent declined your take-back."""
    return _compose(
        seated, seat, _("%(name)s declined your take-back"), _("Your game of %(game)s continues.")
    )


def chat(seated: SeatedGame, seat: str, _person: Person) -> NotificationText:
    """The opponent wrote in the chat."""
    return _compose(
        seated, seat, _("%(name)s wrote to you"), _("Read it in the chat of your game of %(game)s.")
    )


def ended(seated: SeatedGame, seat: str, person: Person) -> NotificationText:
    """The game is over."""
    facts, game = _facts(seated, seat), seated.game
    if game.winner is None:
        subject, result = _without_winner(seated, seat)
    else:
        subject = _("You won against %(name)s") if game.winner == seat else _("You lost to %(name)s")
        result = _join(_result(seated, seat), _what_counts(game))
    sentences = [f"{seated.name}: {result}"]
    if seated.is_no_show:
        sentences.append(decision_reason(NO_SHOW, loser=facts["name"] if game.winner == seat else ""))
    elif game.adjudication_reason and not person.has_blocked(game.adjudicated_by_id):
        sentences.append(_decision(game))
    return NotificationText(subject % facts, _join(*sentences))


def _without_winner(seated: SeatedGame, seat: str) -> tuple[str, str]:
    """How a game ended that nobody won: the subject and the first sentence."""
    game, result = seated.game, _result(seated, seat)
    if game.termination == FORFEIT:
        return _("You and %(name)s both lost"), result
    if game.termination == ABORTED:
        return _("Your game against %(name)s was aborted"), result
    if game.termination == Termination.ADJUDICATION and game.annulled:
        return _("Your game against %(name)s was annulled"), _("The game does not count.")
    return _("You drew with %(name)s"), _join(result, _what_counts(game))


def _what_counts(game: Game) -> str:
    if not game.annulled:
        return unrated_sentence(game)
    if not (game.contest_kind and game.winner):
        return _("The game does not count.")
    return _("Not rated: each side must make at least two moves.") if game.rated else ""


def _decision(game: Game) -> str:
    """Who decided a game, and why, in one line: a director speaks for themselves, and not for the club."""
    facts = {"reason": " ".join(game.adjudication_reason.split())}
    by = game.adjudicated_by
    if by is None or by.is_staff:
        return _("From the staff: %(reason)s") % facts
    return _("From the director %(name)s: %(reason)s") % (facts | {"name": by.username})


def match_ended(person: Person, winner_id: int | None) -> NotificationText:
    """All games of a match are over."""
    if winner_id is None:
        subject = _("Your match is drawn")
    elif winner_id == person.user.pk:
        subject = _("You won your match")
    else:
        subject = _("You lost your match")
    return NotificationText(subject, _("All games of the match are over."))


def annulled(seated: SeatedGame, seat: str, _person: Person) -> NotificationText:
    """The staff, or a director, annulled a finished game."""
    return _compose(
        seated,
        seat,
        _("Your game against %(name)s was annulled"),
        _("Your game of %(game)s does not count."),
    )


def appeal_answered(seated: SeatedGame, seat: str, _person: Person) -> NotificationText:
    """The staff answered your request."""
    return _compose(
        seated,
        seat,
        _("The staff answered you about your game against %(name)s"),
        _("You can read the answer on the page of your game of %(game)s."),
    )


def appeal_made(seated: SeatedGame, seat: str, _person: Person) -> NotificationText:
    """A player asks the staff for a decision; for one of the staff."""
    player = seated.player(seat)
    facts = {"name": display_name(player.username) if player else "?", "game": seated.name}
    return NotificationText(
        _("%(name)s asks the staff for a decision") % facts,
        _("It is about a game of %(game)s. The details are in the back office.") % facts,
    )


def adjourned(until: datetime | None) -> GameText:
    """A director stopped the clock until a time, or restarted it."""

    def compose(seated: SeatedGame, seat: str, person: Person) -> NotificationText:
        facts = _facts(seated, seat)
        if until is None:
            text = _("The clock is running again in %(game)s.") % facts
            return NotificationText(
                _("Your game against %(name)s continues") % facts,
                _join(text, _whose_turn(seated, seat, person)),
            )
        facts["moment"] = person.moment(until)
        text = _("The clock in %(game)s is stopped until %(moment)s.") % facts
        return NotificationText(_("Your game against %(name)s is adjourned") % facts, text)

    return compose


def invited(seated: SeatedGame, _seat: str, person: Person) -> NotificationText:
    """Somebody invites you to a game."""
    game = seated.game
    facts = {
        "name": display_name(game.creator.username),
        "game": seated.name,
        "moment": person.moment(game.expires_at),
    }
    return NotificationText(
        _("%(name)s invites you to a game of %(game)s") % facts,
        _join(_message(seated), _("Accept or decline before %(moment)s.") % facts),
    )


def _message(seated: SeatedGame) -> str:
    """Return the message of the invitation, or its beginning."""
    invitation = getattr(seated.game, "invitation", None)
    message = " ".join(invitation.message.split()) if invitation is not None else ""
    return _("“%(words)s”") % {"words": Truncator(message).chars(_LONGEST_MESSAGE)} if message else ""


def declined(seated: SeatedGame, _seat: str, _person: Person) -> NotificationText:
    """Your invitation was declined."""
    invited_one = seated.game.invited
    facts = {
        "name": display_name(invited_one.username) if invited_one else _("Your guest"),
        "game": seated.name,
    }
    return NotificationText(
        _("%(name)s declined your invitation") % facts, _("You offered a game of %(game)s.") % facts
    )


def expired(seated: SeatedGame, _seat: str, _person: Person) -> NotificationText:
    """Nobody joined your game in time."""
    facts = {"game": seated.name}
    if seated.game.open:
        subject = _("Nobody joined your game of %(game)s")
        text = _("It is no longer in the waiting room. Create it again, or join another game.")
    else:
        subject = _("Your invitation to a game of %(game)s has expired")
        text = _("Nobody answered it. Invite somebody else, or put the game in the waiting room.")
    return NotificationText(subject % facts, text)


def _started(seated: SeatedGame, seat: str, person: Person, subject: str) -> NotificationText:
    """That a game has started; ``subject`` has a gap for the opponent's name."""
    facts = {**_facts(seated, seat), "side": _my_side(seated, seat)}
    text = _("You play %(game)s as %(side)s.") % facts
    return NotificationText(
        subject % facts, _join(text, _whose_turn(seated, seat, person), _first_move(seated))
    )


def _whose_turn(seated: SeatedGame, seat: str, person: Person) -> str:
    if seated.game.turn != seat:
        return ""
    return _join(_("It is your turn."), seated.deadline_text(person))


def _first_move(seated: SeatedGame) -> str:
    """How soon a first move is due, where the game is lost without."""
    minutes = no_show_minutes(seated.contest.event) if seated.is_live and seated.contest else None
    return first_move_sentence(minutes) if minutes else ""


def _result(seated: SeatedGame, seat: str) -> str:
    game, variant = seated.game, _variant(seated)
    winner = None if game.winner is None else _colour(seated, game.winner)
    return result_sentence(
        variant=variant, winner=winner, termination=game.termination, reader=_colour(seated, seat)
    )


def _my_side(seated: SeatedGame, seat: str) -> str:
    return side(_colour(seated, seat), _variant(seated))


def _facts(seated: SeatedGame, seat: str) -> dict[str, str]:
    opponent = seated.opponent(seat)
    return {"name": display_name(opponent.username) if opponent else "?", "game": seated.name}


def _compose(seated: SeatedGame, seat: str, subject: str, text: str) -> NotificationText:
    """A subject and a text, both with the opponent's name and the game filled in."""
    facts = _facts(seated, seat)
    return NotificationText(subject % facts, text % facts)


def _join(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _variant(seated: SeatedGame) -> Variant:
    return VARIANTS[seated.game.variant]


def _colour(seated: SeatedGame, seat: str) -> Colour:
    return replay.colour_of(_variant(seated), Seat(seat))
