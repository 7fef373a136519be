"""News for those who asked for them, which may be very many: a task of the worker, safe to repeat."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _
from django_tasks import task

from crownhead.server.notices.choosing import who_chose
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.speaking import Matter, Words, speak_to_all

_AT_ONCE = 200


@task()
def spread_news(news_id: str, title: str) -> int:
    """Tell everybody who wants news; how many. Begun anew, it tells nobody twice."""
    link = reverse("social:one_news", args=[news_id])
    matter = Matter(kind=Kind.NEWS, key=f"news:{news_id}", about=f"news:{news_id}", link=link)
    readers = who_chose(Kind.NEWS)
    for start in range(0, len(readers), _AT_ONCE):
        speak_to_all(
            readers[start : start + _AT_ONCE],
            matter,
            lambda _person: Words(title, _("The host has written news of the club.")),
        )
    return len(readers)
