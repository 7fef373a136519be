"""What the front page of the back office says before its lists: what waits for an answer of the staff."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import ngettext

from crownhead.server.accounts.selectors import User
from crownhead.server.play.staff.selectors import Appeal
from crownhead.server.social.selectors.reports import open_count

register = template.Library()


@register.simple_tag(takes_context=True)
def waiting_for_staff(context: dict[str, Any]) -> list[tuple[str, str]]:
    """Text and link of each list with something to decide, of those that the reader may see."""
    user = context["request"].user
    assert isinstance(user, User)
    waiting = []
    if user.has_perm("social.view_report") and (count := open_count()):
        text = ngettext("%(count)s open report", "%(count)s open reports", count) % {"count": count}
        waiting.append((text, f"{reverse('admin:social_report_changelist')}?state=open"))
    if user.has_perm("play.view_appeal") and (count := Appeal.objects.filter(answered_at=None).count()):
        text = ngettext("%(count)s open appeal", "%(count)s open appeals", count) % {"count": count}
        waiting.append((text, f"{reverse('admin:play_appeal_changelist')}?granted__isnull=True"))
    return waiting
