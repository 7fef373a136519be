"""What several formats say alike: what is after_inactivity for, who has won, and options of one meaning."""

from __future__ import annotations

from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.model import Contest, Player, Table, Wait, WaitReason
from crownhead.contest.options import Choices, Option
from crownhead.contest.seeding import by_strength, in_random_order

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
    return Option("tie_breaks", default, _("what parts players with equal points, in this order"))


def waiting(contest: Contest) -> Wait:
    """Games go on."""
    still = sum(not pairing.over for _, pairing in contest.pairings())
    return Wait(WaitReason.GAMES, f"{still} pairing{'s' * (still != 1)} still to be played", still)


def winners(made: Table) -> tuple[str, ...]:
    """Everybody on the best place that somebody has who is still in."""
    there = [row for row in made.rows if not row.withdrawn]
    return tuple(row.player for row in there if row.place == there[0].place)


def ordered(players: list[Player], contest: Contest, choices: Choices) -> list[Player]:
    """A field in the order that the host has chosen."""
    if choices.text("seeding") == "rating":
        return by_strength(players)
    return in_random_order(players, dice=contest.dice, about="seeding")
