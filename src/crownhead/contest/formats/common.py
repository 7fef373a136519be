"""What several formats say alike: what is waited for, who has won, and options of one meaning."""

from __future__ import annotations

from crownhead.contest.field import by_lot, by_strength
from crownhead.contest.formats.format import TIE_BREAKS_OPTION
from crownhead.contest.model import Contest, Player, Table, Wait, Why
from crownhead.contest.options import Choices, Option
from crownhead.contest.words import gettext_noop as _

GAMES = Option(
    "games", 1, _("games of a pairing; of two, the second has colours swapped, same opening"), 1, 2
)
SEEDING = Option(
    "seeding",
    "rating",
    _("the order of the field: seeds and then ratings, or by lot"),
    choices=(_("rating"), _("lot")),
)


def tie_breaks_option(default: str) -> Option:
    """The option that names the tie-breaks of a format, parted by commas."""
    return Option(TIE_BREAKS_OPTION, default, _("what parts players with equal points, in this order"))


def waiting(contest: Contest) -> Wait:
    """Games go on."""
    still = sum(not pairing.over for _, pairing in contest.pairings())
    return Wait(Why.GAMES, f"{still} pairing{'s' * (still != 1)} still to be played", still)


def winners(made: Table) -> tuple[str, ...]:
    """Everybody on the best place that somebody has who is still in."""
    there = [row for row in made.rows if not row.withdrawn]
    return tuple(row.player for row in there if row.place == there[0].place)


def ordered(players: list[Player], contest: Contest, choices: Choices) -> list[Player]:
    """A field in the order that the host has chosen."""
    if choices.text("seeding") == "rating":
        return by_strength(players)
    return by_lot(players, dice=contest.dice, about="seeding")
