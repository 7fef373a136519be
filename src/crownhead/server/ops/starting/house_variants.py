"""House variants: rows from TOML files in the data folder, which a club plays like any other variant."""

from django.conf import settings

from crownhead.server.analysis import selectors as analysis
from crownhead.server.competitions import selectors as competitions
from crownhead.server.ops.starting.first_start import WRONG_USAGE, CommandError
from crownhead.server.play.variants import selectors as games
from crownhead.server.play.variants import services
from crownhead.server.teams.selectors import matches as teams

_MISSING = "House variant {}: no file in {} has it, but the club has games of it. Put its file back."
_CHANGED = (
    "House variant {}: the files in {} give it other rules than the club has games of. Put the old rules "
    "back, and give the new ones a key of their own."
)


def remember() -> None:
    """Note by which rules they are played; raises `CommandError` if those of a key in use have changed."""
    _or_refuse(services.remember_house_variants)


def require_unchanged() -> None:
    """Raise `CommandError` if they are not as the club has noted them."""
    _or_refuse(games.require_unchanged)


def _or_refuse(service: services.Comparison) -> None:
    try:
        service(is_used=is_used)
    except games.ChangedRules as error:
        sentence = _MISSING if error.missing else _CHANGED
        raise CommandError(sentence.format(error.key, settings.HOUSE_VARIANTS), status=WRONG_USAGE) from error


def is_used(variant: str) -> bool:
    """Whether anything of the club is kept that only makes sense by the rules of this key."""
    return (
        games.has_games(variant)
        or competitions.has_tournaments_of(variant)
        or teams.has_matches_of(variant)
        or analysis.has_studies_of(variant)
    )
