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
        said = _("%(name)s played %(move)s in %(game)s.") % {**facts, "move": table.last_move}
    else:
        said = _("You have the first move in %(game)s.") % facts
    return Words(_("Your turn against %(name)s") % facts, _join(said, table.time_is_out(person)))


def turned_back(table: Table, seat: str, person: Person) -> Words:
    """One's own last move was given back."""
    facts = _facts(table, seat)
    said = _("%(name)s let you take back your last move in %(game)s. It is your turn.") % facts
    return Words(
        _("You can take your move back against %(name)s") % facts, _join(said, table.time_is_out(person))
    )


def begun(table: Table, seat: str, person: Person) -> Words:
    """A game begins that one did not begin oneself."""
    facts = {**_facts(table, seat), "side": _my_side(table, seat)}
    said = _("You play %(game)s as %(side)s.") % facts
    return Words(
        _("Your game against %(name)s has started") % facts, _join(said, _whose_turn(table, seat, person))
    )


def others_begun(table: Table) -> Words:
    """More games of a contest have begun along with the first."""
    contest = table.contest
    facts = {"contest": contest.name if contest else table.name}
    return Words(_("More of your games in %(contest)s have started") % facts)


def accepted(table: Table, seat: str, person: Person) -> Words:
    """An invitation of one's own was accepted."""
    facts = {**_facts(table, seat), "side": _my_side(table, seat)}
    said = _("You play %(game)s as %(side)s.") % facts
    return Words(
        _("%(name)s accepted your invitation") % facts, _join(said, _whose_turn(table, seat, person))
    )


def time_short(reminder: str) -> Speak:
    """So much is left of one's time."""
    subjects = {
        Reminder.HALF.value: lambda: _("Half of your time is left against %(name)s"),
        Reminder.FIFTH.value: lambda: _("A fifth of your time is left against %(name)s"),
        Reminder.TWO_HOURS.value: lambda: _("Two hours left against %(name)s"),
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
        _("In your game of %(game)s. If you move without answering, the offer is declined.") % facts,
    )


def draw_declined(table: Table, seat: str, _person: Person) -> Words:
    """The opponent turned one's offer down."""
    facts = _facts(table, seat)
    return Words(_("%(name)s declined the draw") % facts, _("Your game of %(game)s continues.") % facts)


def take_back_asked(table: Table, seat: str, _person: Person) -> Words:
    """The opponent wants his last move back."""
    facts = _facts(table, seat)
    return Words(
        _("%(name)s asks to take back a move") % facts,
        _("In your game of %(game)s. Answer on the page of the game; if you move, that counts as no.")
        % facts,
    )


def take_back_declined(table: Table, seat: str, _person: Person) -> Words:
    """The opponent does not give the move back."""
    facts = _facts(table, seat)
    return Words(_("%(name)s declined your take-back") % facts, _("Your game of %(game)s continues.") % facts)


def chat(table: Table, seat: str, _person: Person) -> Words:
    """The opponent wrote beside the board."""
    facts = _facts(table, seat)
    return Words(_("%(name)s wrote to you") % facts, _("In the chat of your game of %(game)s.") % facts)


def ended(table: Table, seat: str, _person: Person) -> Words:
    """The game is over."""
    facts, game = _facts(table, seat), table.game
    if game.winner == seat:
        subject = _("You won against %(name)s")
    elif game.winner is None and game.termination != FORFEIT:
        subject = _("You drew with %(name)s")
    else:
        subject = _("You lost to %(name)s")
    said = [f"{table.name}: {_result(table, seat)}"]
    if game.adjudication_reason:
        said.append(_("From the staff: %(reason)s") % {"reason": game.adjudication_reason})
    if game.annulled:
        said.append(_("The game does not count."))
    return Words(subject % facts, _join(*said))


def match_ended(person: Person, winner_id: int | None) -> Words:
    """All games of a match are over."""
    if winner_id is None:
        subject = _("Your match is drawn")
    elif winner_id == person.user.pk:
        subject = _("You won your match")
    else:
        subject = _("You lost your match")
    return Words(subject, _("All games of the match are over."))


def annulled(table: Table, seat: str, _person: Person) -> Words:
    """The staff say that a finished game counts for nothing."""
    facts = _facts(table, seat)
    return Words(
        _("Your game against %(name)s was annulled") % facts,
        _("The staff annulled your game of %(game)s. It does not count.") % facts,
    )


def appeal_answered(table: Table, seat: str, _person: Person) -> Words:
    """The staff have answered what one asked of them."""
    facts = _facts(table, seat)
    return Words(
        _("The staff answered you about your game against %(name)s") % facts,
        _("You can read the answer on the page of your game of %(game)s.") % facts,
    )


def appeal_made(table: Table, seat: str, _person: Person) -> Words:
    """A player asks the staff for a decision; to one of them."""
    player = table.player(seat)
    facts = {"name": shown_name(player.username) if player else "?", "game": table.name}
    return Words(
        _("%(name)s asks the staff for a decision") % facts,
        _("It is about a game of %(game)s. The details are in the back office.") % facts,
    )


def adjourned(until: datetime | None) -> Speak:
    """The clock stands still until then by a director's word, or goes on."""

    def speak(table: Table, seat: str, person: Person) -> Words:
        facts = _facts(table, seat)
        if until is None:
            said = _("The clock is running again in %(game)s.") % facts
            return Words(
                _("Your game against %(name)s continues") % facts,
                _join(said, _whose_turn(table, seat, person)),
            )
        facts["moment"] = person.moment(until)
        said = _("The clock in %(game)s is stopped until %(moment)s.") % facts
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
        _join(_message(table), _("Accept or decline before %(moment)s.") % facts),
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
    return Words(_("%(name)s declined your invitation") % facts, _("You offered a game of %(game)s.") % facts)


def expired(table: Table, _seat: str, _person: Person) -> Words:
    """Nobody took one's game in time."""
    facts = {"game": table.name}
    if table.game.open:
        subject = _("Nobody took your game of %(game)s")
        text = _("It is no longer in the waiting room. Offer it again, or join another game.")
    else:
        subject = _("Your invitation to a game of %(game)s has expired")
        text = _(
            "Nobody answered it. Invite somebody else, or offer the game to everybody in the waiting room."
        )
    return Words(subject % facts, text)


def _whose_turn(table: Table, seat: str, person: Person) -> str:
    if table.game.turn != seat:
        return ""
    return _join(_("It is your turn."), table.time_is_out(person))


def _result(table: Table, seat: str) -> str:
    game, variant = table.game, _variant(table)
    winner = None if game.winner is None else _colour(table, game.winner)
    return result_sentence(
        variant=variant, winner=winner, termination=game.termination, reader=_colour(table, seat)
    )


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
