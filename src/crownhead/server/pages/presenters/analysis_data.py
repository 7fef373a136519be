"""What the script of the analysis board knows: where rules and engine are, and words for the reader."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from crownhead import VARIANTS, Colour, Variant
from crownhead.notation.pdn.game_type import variant_tags
from crownhead.openings import opening_names
from crownhead.server.accounts.selectors import User
from crownhead.server.pages.presenters.editor import impossible, move_count
from crownhead.server.pages.presenters.try_out import LONGEST_TRY, Trial
from crownhead.server.play.presenters.board.moves import crowned_under_way
from crownhead.server.play.presenters.board.words import (
    WON_ON_THE_BOARD,
    move_texts,
    result_sentence,
    side,
    turn_sentence,
)
from crownhead.server.play.problems.reasons import fault_sentences

_MAX_COUNTED = 99


def analysis_data(trial: Trial, user: User | AnonymousUser) -> dict[str, Any]:
    """The position to begin with; gaps in the texts are written ``{name}``."""
    record = trial.record
    variant = record.variant
    api = f"/api/v1/variants/{variant.key}"
    return {
        "variant": variant.key,
        "fen": trial.fen,
        "start": record.start.fen(),
        "address": reverse("pages:analysis"),
        "module": static("crownhead/js/rules/all.js"),
        "api": api,
        "openings": f"{api}/openings" if has_openings(variant.key) else "",
        "guard": reverse("pages:analysis_guard") if isinstance(user, User) else "",
        "startsLate": record.start.turn is not variant.start.first,
        "longest": LONGEST_TRY,
        "crowning": crowned_under_way(variant),
        "kingRun": variant.rules.king_run,
        "tags": _tags(trial),
        "gameTypes": _game_types(),
        "texts": _texts(variant.key, get_language() or ""),
    }


def rules_in_the_browser(variant: Variant) -> dict[str, str]:
    """Where a script finds the rules alone, without an engine: ``loadRules`` in ``js/local_board.js``."""
    return {
        "module": static("crownhead/js/rules/rules.js"),
        "rules": f"/api/v1/variants/{variant.key}/rules",
    }


def setup_data(variant: Variant) -> dict[str, Any]:
    """What the script of the set-up mode knows, to judge a position as ``presenters/editor.py`` does."""
    return {**rules_in_the_browser(variant), **_setup_texts(variant.key, get_language() or "")}


@lru_cache(maxsize=256)
def _setup_texts(key: str, _language: str) -> dict[str, Any]:
    """``moves``: the sentence of each number of moves from 0 on; of more of them, the server tells.

    ``faults``: what makes a position impossible, see ``fault_sentences``.
    """
    variant = VARIANTS[key]
    moves = [move_count(count) for count in range(_MAX_COUNTED + 1)]
    texts = {**_sides(variant), **_endings(variant), "impossible": impossible(variant)}
    return {"texts": texts, "moves": moves, "faults": fault_sentences()}


def _tags(trial: Trial) -> list[tuple[str, str]]:
    """The tags of a record of this analysis."""
    start = {"FEN": trial.record.start.fen()} if trial.fen else {}
    return [("Event", _("Analysis")), *variant_tags(trial.record.variant, {}).items(), *start.items()]


@lru_cache(maxsize=1)
def _game_types() -> dict[str, str]:
    """Variants by the number that PDN gives them; those without a number by their own key."""
    found: dict[str, str] = {}
    for key, row in VARIANTS.items():
        number = variant_tags(row, {}).get("GameType", key).split(",")[0]
        found.setdefault(number, key)
    return found


@lru_cache(maxsize=256)
def has_openings(key: str) -> bool:
    """Whether openings of a variant have names; found out once."""
    return bool(opening_names(key))


@lru_cache(maxsize=256)
def _texts(key: str, _language: str) -> dict[str, str]:
    variant = VARIANTS[key]
    return {**move_texts(), **_sides(variant), **_endings(variant), **_engine_texts()}


def _sides(variant: Variant) -> dict[str, str]:
    names = {colour.value: side(colour, variant) for colour in Colour}
    turns = {f"turn:{colour.value}": turn_sentence(colour, variant) for colour in Colour}
    return names | turns


def _endings(variant: Variant) -> dict[str, str]:
    """The sentence of each ending by its winner and its reason."""
    return {
        f"{winner.value}:{reason.value}": result_sentence(variant=variant, winner=winner, termination=reason)
        for winner in Colour
        for reason in WON_ON_THE_BOARD
    }


def _engine_texts() -> dict[str, str]:
    return {
        "variations": _("Variations"),
        "refused": _("{move} can't be played there. The moves after it are left out."),
        "too-long": _("This line can't be any longer."),
        "starting": _("Starting the engine …"),
        "state": _("Depth {depth}, {nodes} positions."),
        "tables": _("The endgame tables know this position."),
        "over": _("The game is over here."),
        "waits": _("The club's engine has looked at this position."),
        "failed": _("The engine can't be fetched right now. Try again."),
        "wins-in": _("{side} wins in {count}"),
        "has-won": _("%(side)s has won") % {"side": "{side}"},
        "wins": _("{side} wins"),
        "drawn": _("draw"),
        "equal": _("equal"),
        "evaluation": _("Evaluation: {score}"),
        "no-evaluation": _("No evaluation yet"),
    }
