"""How the pieces of a variant move and take, in words, from its row of the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import reduce

from django.utils.translation import gettext as _

from crownhead import PieceKind, Variant
from crownhead.rules.schema import (
    ANYWHERE,
    DIAGONALLY,
    DIAGONALLY_BACKWARD,
    DIAGONALLY_FORWARD,
    NOWHERE,
    ORTHOGONALLY,
    SIDEWAYS,
    Crowning,
    Direction,
    Grid,
    Landing,
    Objective,
    Priority,
    Promotion,
    Removal,
)


def directions(ways: Collection[Direction]) -> str:
    """A set of directions: ``diagonally forward and sideways``."""
    chosen = frozenset(ways)
    if chosen in _WHOLE:
        return _WHOLE[chosen]()
    sentences = [phrase() for part, phrase in _PARTS if part <= chosen]
    return sentences[0] if len(sentences) == 1 else _("%(most)s and %(last)s") % _listed(sentences)


def _listed(sentences: list[str]) -> dict[str, str]:
    return {"most": ", ".join(sentences[:-1]), "last": sentences[-1]}


_WHOLE: Mapping[frozenset[Direction], Callable[[], str]] = {
    NOWHERE: lambda: _("not at all"),
    ANYWHERE: lambda: _("in all eight directions"),
    DIAGONALLY: lambda: _("diagonally, forward and backward"),
    ORTHOGONALLY: lambda: _("along rows and files, forward, backward and sideways"),
}
_PARTS: tuple[tuple[frozenset[Direction], Callable[[], str]], ...] = (
    (frozenset({Direction.FORWARD}), lambda: _("straight forward")),
    (DIAGONALLY_FORWARD, lambda: _("diagonally forward")),
    (SIDEWAYS, lambda: _("sideways")),
    (frozenset({Direction.BACKWARD}), lambda: _("straight backward")),
    (DIAGONALLY_BACKWARD, lambda: _("diagonally backward")),
)


def pieces(variant: Variant) -> str:
    """What each side begins with."""
    men, marked = len(variant.start.white), len(variant.start.white & variant.start.marked)
    facts = {"men": men - marked, "marked": marked}
    match variant.rules.marked:
        case PieceKind.MULE:
            return _("%(men)s men and %(marked)s mules a side") % facts
        case PieceKind.PARACHUTIST:
            return _("%(men)s men and %(marked)s parachutists a side") % facts
    return _("%(men)s men a side") % facts


def men(variant: Variant) -> list[str]:
    """What men do, a sentence each."""
    rules = variant.rules
    if rules.jumps_only:
        return [
            _("Each side begins by taking one of its own pieces off the board."),
            _("From then on every move is a capture: %(ways)s, in one line, as far as you like.")
            % {"ways": directions(rules.man_captures)},
        ]
    sentences = [
        _("They move one square %(steps)s and take %(captures)s.")
        % {"steps": directions(rules.man_steps), "captures": directions(rules.man_captures)}
        if rules.man_steps != rules.man_captures
        else _("They move one square %(ways)s and take the same way.") % {"ways": directions(rules.man_steps)}
    ]
    if variant.board.grid is Grid.CHECKERED and rules.man_captures & ORTHOGONALLY:
        sentences.append(
            _("To take along a row or file, they jump over a piece two squares away to the next square.")
        )
    if rules.man_captures_again != rules.man_captures:
        sentences.append(
            _("After its first capture, a man goes on capturing %(ways)s.")
            % {"ways": directions(rules.man_captures_again)}
        )
    if rules.lines_step:
        sentences.append(
            _("A man may also jump over an unbroken line of its own men to the free square beyond.")
        )
    if rules.rests_on_far_row:
        sentences.append(_("On the far row a man can only take."))
    if not rules.man_captures_king:
        sentences.append(_("They can't take kings."))
    if rules.one_way:
        sentences.append(_("The men of both sides move the same way, up the board."))
    return sentences


def kings(variant: Variant) -> list[str]:
    """What kings do, a sentence each; a variant without them says so."""
    rules = variant.rules
    if rules.crowning is Crowning.NEVER:
        return [_("There are no kings.")]
    if rules.objective is Objective.FIRST_KING:
        return [_("The first king wins the game.")]
    facts = {"steps": directions(rules.king_steps), "captures": directions(rules.king_captures)}
    if rules.king_steps == rules.king_captures:
        sentences = [
            (
                _("They move any distance %(steps)s and take the same way.")
                if rules.flying_king
                else _("They move one square %(steps)s and take the same way.")
            )
            % facts
        ]
    elif rules.flying_king:
        sentences = [_("They move any distance %(steps)s and take %(captures)s.") % facts]
    else:
        sentences = [_("They move one square %(steps)s and take %(captures)s.") % facts]
    if rules.flying_king:
        sentences.append(_LANDING[rules.landing]())
    if rules.flying_king and rules.removal is Removal.AT_ONCE:
        sentences.append(
            _("Between two captures of one move, a king may turn around 180°.")
            if rules.may_reverse
            else _("During a capture, a king may not turn around 180°.")
        )
    if rules.king_run:
        sentences.append(
            _("While a side has men, it may not step with the same king more than %(count)s times in a row.")
            % {"count": rules.king_run}
        )
    return sentences


_LANDING = {
    Landing.ANYWHERE: lambda: _("After a capture they may stop on any free square behind the piece taken."),
    Landing.BEHIND: lambda: _("They stop on the square directly behind the piece taken."),
    Landing.BEHIND_LAST_KING: lambda: _(
        "Behind a piece taken they may stop on any free square, but if the last one taken is a king, only "
        "directly behind it."
    ),
}


def marked_men(variant: Variant) -> list[str]:
    """What the marked men of a variant do, a sentence each; nothing where there are none."""
    match variant.rules.marked:
        case PieceKind.MULE:
            return [
                _("They move and take as men do."),
                _("A player with no mules left wins; so does one who takes all the opponent's other pieces."),
                _("A player whose mule reaches the far row loses."),
            ]
        case PieceKind.PARACHUTIST:
            return [
                _("They wait on the opponent's first row."),
                _("A parachutist can only jump backward over a piece on the next row."),
                _("It then becomes a man, and the move ends."),
            ]
    return []


def which_capture(variant: Variant) -> str:
    """Which of several captures must be made."""
    rules = variant.rules
    if rules.jumps_only:
        return _("free choice, and you may stop after any piece taken")
    if not rules.priority:
        return _("compulsory, but free choice; once started it must be completed")
    order = reduce(_one_after_another, (_PRIORITY[key]() for key in rules.priority))
    return _("compulsory: %(order)s; once started it must be completed") % {"order": order}


def _one_after_another(first: str, second: str) -> str:
    return _("%(first)s, then %(second)s") % {"first": first, "second": second}


_PRIORITY = {
    Priority.MAX_PIECES: lambda: _("the one that takes the most pieces"),
    Priority.MAX_VALUE: lambda: _("the most valuable one, a king counting a little less than two men"),
    Priority.WITH_KING: lambda: _("the one made by a king"),
    Priority.MAX_KINGS: lambda: _("the one that takes the most kings"),
    Priority.KINGS_FIRST: lambda: _("the one that takes a king earliest"),
}


def pieces_taken(variant: Variant) -> str:
    """When taken pieces leave the board."""
    if variant.rules.removal is Removal.AT_ONCE:
        return _("leave the board at once, which can open a path within the move")
    return _("leave the board after the move; until then they block the way, and none can be jumped twice")


def crowning(variant: Variant) -> str:
    """Where men are crowned, and what that means within a capture; empty where none is."""
    rules = variant.rules
    if rules.crowning is Crowning.NEVER:
        return ""
    where = (
        _("on the two squares beside the far corner")
        if rules.crowning is Crowning.FAR_CORNER
        else _("on the far row")
    )
    return _("%(where)s; %(within)s") % {"where": where, "within": _PROMOTION[rules.promotion]()}


_PROMOTION = {
    Promotion.STOP: lambda: _("a man that gets there by a capture is crowned and its move ends"),
    Promotion.PASS: lambda: _("a man that gets there by a capture and can go on stays a man"),
    Promotion.CONTINUE: lambda: _("a man that gets there by a capture goes on as a king"),
}


def who_wins(variant: Variant) -> str:
    """How a game is won."""
    return _OBJECTIVE[variant.rules.objective]()


_OBJECTIVE = {
    Objective.OPPONENT_WINS: lambda: _("a player with no pieces or no moves on their turn loses"),
    Objective.MOVER_WINS: lambda: _("a player with no pieces or no moves on their turn wins"),
    Objective.FIRST_KING: lambda: _(
        "the first to crown a man; a player with no pieces or no moves before that loses"
    ),
}
