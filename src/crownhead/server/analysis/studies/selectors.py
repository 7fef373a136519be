"""Studies of positions, for those who ask."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.analysis.access import expect_no_own_game
from crownhead.server.analysis.models import Study
from crownhead.server.core.problems import NotFound
from crownhead.server.core.texts import is_storable


def find(study_id: str) -> Study:
    """A study by its identifier, which nobody guesses; raises ``NotFound``."""
    study = Study.objects.filter(public_id=study_id).first() if is_storable(study_id) else None
    if study is None:
        raise NotFound(_("There is no analysis %(given)s.") % {"given": repr(study_id[:40])})
    return study


def find_for(user: User | AnonymousUser | None, study_id: str) -> Study:
    """A study on behalf of a reader; raises ``NotFound``, ``OwnGameInProgress`` for what they play."""
    study = find(study_id)
    expect_no_own_game(user=user, position=study.replay().position)
    return study
