"""What draw rules say, in sentences."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead.rules.schema import (
    BalanceDraw,
    DrawRule,
    DrawRules,
    MaterialDraw,
    NoProgressDraw,
    RepetitionDraw,
)

_NO_SOURCE = "UNVERIFIED: "  # how the table begins an article that is a default of ours


def draw_rules_sentence(rules: DrawRules) -> str:
    """What a set of draw rules says, in a sentence or two."""
    if not rules.rules:
        return _("A game is drawn by agreement only.")
    return " ".join(draw_rule_sentence(rule) for rule in rules.rules)


def article_of(rule: DrawRule) -> str:
    """Where a draw rule is written; says so where it is written nowhere."""
    if rule.article.startswith(_NO_SOURCE):
        return _("not found in print; the custom of this club")
    return rule.article


def draw_rule_sentence(rule: DrawRule) -> str:
    """What one draw rule says."""
    if isinstance(rule, RepetitionDraw):
        facts = {"count": rule.times}
        return (
            _("The same position %(count)s times is a draw.") % facts
            if rule.automatic
            else _("The same position %(count)s times lets a player claim a draw.") % facts
        )
    if isinstance(rule, NoProgressDraw):
        return _no_progress(rule)
    return _lasting(rule)


def _no_progress(rule: NoProgressDraw) -> str:
    facts = {"count": rule.moves_each}
    return (
        ngettext(
            "%(count)s move by each side without progress is a draw.",
            "%(count)s moves by each side without progress are a draw.",
            rule.moves_each,
        )
        % facts
        if rule.automatic
        else _("%(count)s moves by each side without progress let a player claim a draw.") % facts
    )


def _lasting(rule: MaterialDraw | BalanceDraw) -> str:
    facts = {"what": _forces(rule), "count": rule.moves_each}
    if rule.automatic:
        return _("%(what)s: a draw after %(count)s moves by each side.") % facts
    return _("%(what)s: after %(count)s moves by each side a player may claim a draw.") % facts


def _forces(rule: MaterialDraw | BalanceDraw) -> str:
    if isinstance(rule, BalanceDraw):
        fewest, most = rule.pieces
        return _("Kings on both sides, %(fewest)s to %(most)s pieces in all, none taken or crowned") % {
            "fewest": fewest,
            "most": most,
        }
    facts = {"strong": _either(rule.strong), "weak": _either(rule.weak)}
    if rule.on_main_road:
        return _("%(strong)s against %(weak)s on the long diagonal") % facts
    return _("%(strong)s against %(weak)s") % facts


def _either(forces: Collection[str]) -> str:
    """Forces in words: kings alone, or pieces with a king among them."""
    sizes = {len(force) for force in forces}
    if not any("M" in force for force in forces):
        return _kings(min(sizes), max(sizes))
    if min(sizes) == max(sizes):
        return _("%(count)s pieces with a king") % {"count": min(sizes)}
    return _("%(count)s pieces or fewer with a king") % {"count": max(sizes)}


def _kings(fewest: int, most: int) -> str:
    if fewest < most:
        return _("%(count)s kings or more") % {"count": fewest}
    return ngettext("%(count)s king", "%(count)s kings", most) % {"count": most}
