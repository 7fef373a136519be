"""What directors may not decide because they play themselves; the staff may decide everything."""

from __future__ import annotations

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import expect_impartial
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame
from crownhead.server.competitions.selectors.contest_rows import pairing_of
from crownhead.server.core.problems import Forbidden


def expect_not_meeting(user: User, entrant: Entrant) -> None:
    """Raise ``Forbidden`` for a director with games of a pairing with the entrant still to be played."""
    rows = Pairing.objects.filter(round__tournament=entrant.tournament_id, bye="")
    both = rows.filter(first=entrant, second__user=user) | rows.filter(second=entrant, first__user=user)
    for pairing in both.select_related("first", "second"):
        games = PairingGame.objects.filter(pairing=pairing, replaced=False).order_by("number")
        if not pairing_of(pairing, games).over:
            expect_impartial(user, pairing)


def expect_may_replace(user: User, place: Entrant) -> None:
    """Raise ``Forbidden`` for a director who would replace themselves or somebody they are to play."""
    if place.user_id == user.pk and not user.acts_as_staff:
        raise Forbidden(_("You can't choose a substitute for yourself. Ask another director."))
    expect_not_meeting(user, place)
