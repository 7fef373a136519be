"""What very many are told at once: news, and that a ladder is closed. Tasks of the worker, safe to repeat."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django_tasks import task

from crownhead.server.ladders import selectors as ladders
from crownhead.server.ladders.services import terms
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.notices.services.localized import Matter, Say, Words, speak_to_all
from crownhead.server.notices.services.preferences import who_chose

_AT_ONCE = 200


@task()
def spread_news(news_id: str, title: str) -> int:
    """Tell everybody who wants news; how many. Begun anew, it tells nobody twice."""
    link = reverse("social:one_news", args=[news_id])
    matter = Matter(kind=Kind.NEWS, key=f"news:{news_id}", about=f"news:{news_id}", link=link)
    readers = who_chose(Kind.NEWS)
    _tell_all(readers, matter, lambda _person: Words(title, _("There is news from the club.")))
    return len(readers)


@task()
def spread_closing(ladder_id: str) -> int:
    """Tell everybody on a ladder that it is closed, and what becomes of his open challenge; how many."""
    ladder = ladders.ladder(ladder_id)
    about = f"ladder:{ladder_id}"
    matter = Matter(kind=Kind.TOURNAMENT, key=f"{about}:closed", about=about, link=terms.link_of(ladder))
    called_off = ladders.whose_challenges_were_called_off(ladder)

    def words(person: Person) -> Words:
        subject = _("%(ladder)s is closed") % {"ladder": terms.name_of(ladder)}
        if person.user.pk not in called_off:
            return Words(subject, _("The standings stay as they are."))
        return Words(
            subject, _("Your open challenge no longer counts on the ladder, but you can finish the game.")
        )

    people = ladders.who_stands_on(ladder)
    _tell_all(people, matter, words)
    return len(people)


def _tell_all(people: Sequence[int], matter: Matter, say: Say) -> None:
    """Some at a time, each once."""
    for start in range(0, len(people), _AT_ONCE):
        speak_to_all(people[start : start + _AT_ONCE], matter, say)
