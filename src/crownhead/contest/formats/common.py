"""Parts shared by several formats: waiting, winners, and common options."""

from __future__ import annotations

from crownhead.contest.formats.format import TIE_BREAKS_OPTION
from crownhead.contest.i18n import gettext_noop as _
from crownhead.contest.model import Contest, Player, Table, Wait, WaitReason
from crownhead.contest.options import Choices, Option
from crownhead.contest.seeding import by_strength, in_random_order

GAMES = Option("games", 1, _("games per pairing; the second has colours swapped and the same opening"), 1, 2)
SEEDING = Option(
    "seeding",
    "rating",
    _("how players are ordered: by seed and rating, or at random"),
    choices=(_("rating"), _("lot")),
)


def tie_breaks_option(default: str) -> Option:
    """Return the option that lists the tie-breaks of a format, separated by commas."""
    return Option(TIE_BREAKS_OPTION, default, _("the tie-breaks, in order"))


def waiting(contest: Contest) -> Wait:
    """Return the step for a round with games in progress."""
    still = sum(not pairing.over for _, pairing in contest.pairings())
    return Wait(WaitReason.GAMES, f"Waiting for {still} pairing{'s' * (still != 1)} to be played.", still)


def winners(made: Table) -> tuple[str, ...]:
    """Return the players who share the best place among those who have not withdrawn."""
    there = [row for row in made.rows if not row.withdrawn]
    return tuple(row.player for row in there if row.place == there[0].place)


def ordered(players: list[Player], contest: Contest, choices: Choices) -> list[Player]:
    """Sort players in the order chosen by the host."""
    if choices.text("seeding") == "rating":
        return by_strength(players)
    return in_random_order(players, dice=contest.dice, about="seeding")
