"""What somebody is told of his games, in the language that is in force: a line, and sentences."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from crownhead import VARIANTS, Colour, Variant
from crownhead.server.accounts.validators import shown_name
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.presenters.games import Table
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.notices.services.localized import Words
from crownhead.server.play.board.words import result_sentence, side
from crownhead.server.play.choices import FORFEIT, Seat
from crownhead.server.play.clocks.time_control import Reminder
from crownhead.server.play.games import replay

Speak = Callable[[Table, str, Person], Words]  # of a table, to the one on a seat

_LONGEST_MESSAGE = 300  # characters of what goes with an invitation; all of it stands on the page

REMINDERS = {
    Reminder.HALF.value: Kind.HALF,
    Reminder.FIFTH.value: Kind.FIFTH,
    Reminder.TWO_HOURS.value: Kind.TWO_HOURS,
}


def turn(table: Table, seat: str, person: Person) -> Words:
    """The opponent has moved."""
    facts = _facts(table, seat)
    if table.last_move:
        said = _("%(name)s has played %(move)s in %(game)s.") % {**facts, "move": table.last_move}
    else:
        said = _("The first move in %(game)s is yours.") % facts
    return Words(_("Your turn against %(name)s") % facts, _join(said, table.time_is_out(person)))


def turned_back(table: Table, seat: str, person: Person) -> Words:
    """One's own last move was given back."""
    facts = _facts(table, seat)
    said = _("%(name)s gives you your last move back in %(game)s. It is your turn.") % facts
    return Words(
        _("You may take your move back against %(name)s") % facts, _join(said, table.time_is_out(person))
    )


def begun(table: Table, seat: str, person: Person) -> Words:
    """A game begins that one did not begin oneself."""
    facts = {**_facts(table, seat), "side": _my_side(table, seat)}
    said = _("You play %(game)s as %(side)s.") % facts
    return Words(
        _("Your game against %(name)s has begun") % facts, _join(said, _whose_turn(table, seat, person))
    )


def others_begun(table: Table) -> Words:
    """More games of a contest have begun along with the first."""
    contest = table.contest
    facts = {"contest": contest.name if contest else table.name}
    return Words(_("More games of yours in %(contest)s have begun") % facts)


def accepted(table: Table, seat: str, person: Person) -> Words:
    """An invitation of one's own was accepted."""
    facts = {**_facts(table, seat), "side": _my_side(table, seat)}
    said = _("You play %(game)s as %(side)s.") % facts
    return Words(_("%(name)s accepts your invitation") % facts, _join(said, _whose_turn(table, seat, person)))


def time_short(reminder: str) -> Speak:
    """So much is left of one's time."""
    subjects = {
        Reminder.HALF.value: lambda: _("Half of your time is left against %(name)s"),
        Reminder.FIFTH.value: lambda: _("A fifth of your time is left against %(name)s"),
        Reminder.TWO_HOURS.value: lambda: _("Two hours are left against %(name)s"),
    }

    def speak(table: Table, seat: str, person: Person) -> Words:
        facts = _facts(table, seat)
        said = _("It is your turn in %(game)s.") % facts
        return Words(subjects[reminder]() % facts, _join(said, table.time_is_out(person)))

    return speak


def draw_offered(table: Table, seat: str, _person: Person) -> Words:
    """The opponent offers a draw."""
    facts = _facts(table, seat)
    return Words(
        _("%(name)s offers a draw") % facts,
        _("In your game of %(game)s. The offer lapses when you move without answering it.") % facts,
    )


def draw_declined(table: Table, seat: str, _person: Person) -> Words:
    """The opponent turned one's offer down."""
    facts = _facts(table, seat)
    return Words(_("%(name)s declines the draw") % facts, _("Your game of %(game)s goes on.") % facts)


def take_back_asked(table: Table, seat: str, _person: Person) -> Words:
    """The opponent wants his last move back."""
    facts = _facts(table, seat)
    return Words(
        _("%(name)s asks to take a move back") % facts,
        _("In your game of %(game)s. Say yes or no on its page; if you move, that is a no.") % facts,
    )


def take_back_declined(table: Table, seat: str, _person: Person) -> Words:
    """The opponent does not give the move back."""
    facts = _facts(table, seat)
    return Words(_("%(name)s lets your move stand") % facts, _("Your game of %(game)s goes on.") % facts)


def chat(table: Table, seat: str, _person: Person) -> Words:
    """The opponent wrote beside the board."""
    facts = _facts(table, seat)
    return Words(
        _("%(name)s wrote to you") % facts, _("It stands beside the board of your game of %(game)s.") % facts
    )


def ended(table: Table, seat: str, _person: Person) -> Words:
    """The game is over."""
    facts, game = _facts(table, seat), table.game
    if game.winner == seat:
        subject = _("You have won against %(name)s")
    elif game.winner is None and game.termination != FORFEIT:
        subject = _("Your game against %(name)s is drawn")
    else:
        subject = _("You have lost against %(name)s")
    said = [f"{table.name}: {_result(table)}"]
    if game.adjudication_reason:
        said.append(_("The staff say: %(reason)s") % {"reason": game.adjudication_reason})
    if game.annulled:
        said.append(_("The game counts for nothing."))
    return Words(subject % facts, _join(*said))


def match_ended(person: Person, winner_id: int | None) -> Words:
    """All games of a match are over."""
    if winner_id is None:
        subject = _("Your match is even")
    elif winner_id == person.user.pk:
        subject = _("You have won a match")
    else:
        subject = _("You have lost a match")
    return Words(subject, _("All its games are over."))


def annulled(table: Table, seat: str, _person: Person) -> Words:
    """The staff say that a finished game counts for nothing."""
    facts = _facts(table, seat)
    return Words(
        _("Your game against %(name)s counts for nothing") % facts,
        _("The staff have annulled your game of %(game)s.") % facts,
    )


def appeal_answered(table: Table, seat: str, _person: Person) -> Words:
    """The staff have answered what one asked of them."""
    facts = _facts(table, seat)
    return Words(
        _("The staff have answered you about your game against %(name)s") % facts,
        _("The answer stands on the page of your game of %(game)s.") % facts,
    )


def appeal_made(table: Table, seat: str, _person: Person) -> Words:
    """A player asks the staff for a decision; to one of them."""
    player = table.player(seat)
    facts = {"name": shown_name(player.username) if player else "?", "game": table.name}
    return Words(
        _("%(name)s asks the staff for a decision") % facts,
        _("It is about a game of %(game)s; what is asked, and why, stands in the back office.") % facts,
    )


def adjourned(until: datetime | None) -> Speak:
    """The clock stands still until then by a director's word, or goes on."""

    def speak(table: Table, seat: str, person: Person) -> Words:
        facts = _facts(table, seat)
        if until is None:
            said = _("The clock runs again in %(game)s.") % facts
            return Words(
                _("Your game against %(name)s goes on") % facts, _join(said, _whose_turn(table, seat, person))
            )
        facts["moment"] = person.moment(until)
        said = _("The clock of %(game)s stands still until %(moment)s.") % facts
        return Words(_("Your game against %(name)s is adjourned") % facts, said)

    return speak


def invited(table: Table, _seat: str, person: Person) -> Words:
    """Somebody offers one a game."""
    game = table.game
    facts = {
        "name": shown_name(game.creator.username),
        "game": table.name,
        "moment": person.moment(game.expires_at),
    }
    return Words(
        _("%(name)s invites you to a game of %(game)s") % facts,
        _join(_message(table), _("Accept or decline until %(moment)s.") % facts),
    )


def _message(table: Table) -> str:
    """What whoever invites wrote to it, or its beginning."""
    invitation = getattr(table.game, "invitation", None)
    words = " ".join(invitation.message.split()) if invitation is not None else ""
    return _("“%(words)s”") % {"words": Truncator(words).chars(_LONGEST_MESSAGE)} if words else ""


def declined(table: Table, _seat: str, _person: Person) -> Words:
    """One's invitation was declined."""
    invited_one = table.game.invited
    facts = {"name": shown_name(invited_one.username) if invited_one else _("Your guest"), "game": table.name}
    return Words(
        _("%(name)s declines your invitation") % facts, _("You had offered a game of %(game)s.") % facts
    )


def expired(table: Table, _seat: str, _person: Person) -> Words:
    """Nobody took one's game in time."""
    facts = {"game": table.name}
    if table.game.open:
        subject = _("Nobody took your game of %(game)s")
        text = _("It has left the waiting room. Offer it again, or take another.")
    else:
        subject = _("Your invitation to a game of %(game)s was not answered")
        text = _("It has expired. Invite somebody else, or offer the game to all in the waiting room.")
    return Words(subject % facts, text)


def _whose_turn(table: Table, seat: str, person: Person) -> str:
    if table.game.turn != seat:
        return ""
    return _join(_("It is your turn."), table.time_is_out(person))


def _result(table: Table) -> str:
    game, variant = table.game, _variant(table)
    winner = None if game.winner is None else _colour(table, game.winner)
    return result_sentence(variant=variant, winner=winner, termination=game.termination)


def _my_side(table: Table, seat: str) -> str:
    return side(_colour(table, seat), _variant(table))


def _facts(table: Table, seat: str) -> dict[str, str]:
    opponent = table.opponent(seat)
    return {"name": shown_name(opponent.username) if opponent else "?", "game": table.name}


def _join(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _variant(table: Table) -> Variant:
    return VARIANTS[table.game.variant]


def _colour(table: Table, seat: str) -> Colour:
    return replay.colour_of(_variant(table), Seat(seat))
