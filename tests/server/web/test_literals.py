"""Addresses that templates ask for by a literal name are put together once, as Django writes them."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.template import RequestContext, engines
from django.test import RequestFactory, override_settings
from django.urls import NoReverseMatch, include, path, set_script_prefix
from django.utils import translation
from django.utils.translation import gettext

from crownhead.server.web.templatetags import literals


def view(_request: HttpRequest, *_arguments: Any) -> HttpResponse:
    return HttpResponse()


class Elsewhere:
    """Other addresses for the same names."""

    app_name = "people"
    urlpatterns = [path("somebody/<str:name>", view, name="player")]


class Site:
    urlpatterns = [path("elsewhere/", include((Elsewhere.urlpatterns, "people")))]


def rendered(text: str, **values: Any) -> str:
    template = engines["django"].from_string(text)
    return str(template.render(values, RequestFactory().get("/")))


def test_a_text_is_that_of_the_language_of_the_moment() -> None:
    template = engines["django"].from_string('{% load i18n %}{% translate "Monday" %}')
    read = []
    for language in ("en", "de", "fr", "de", "en"):
        with translation.override(language):
            assert template.render() == gettext("Monday")
            read.append(template.render())
    assert len(set(read)) == 3


@pytest.mark.parametrize("name", ["alice", "A. B'C", "<b>&", "é/ü"])
def test_an_address_is_written_as_by_django_whatever_its_argument(name: str) -> None:
    text = "{% url 'people:player' name %}"
    of_django = "{% url kind name %}"  # of a page whose name is no literal
    for _time in range(2):
        try:
            expected = rendered(of_django, kind="people:player", name=name)
        except NoReverseMatch:
            with pytest.raises(NoReverseMatch):
                rendered(text, name=name)
        else:
            assert rendered(text, name=name) == expected


def test_an_address_is_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = rendered("{% url 'people:player' name %}{% url 'pages:rules' %}", name="once")
    monkeypatch.setattr(literals, "reverse", None)
    assert rendered("{% url 'people:player' name %}{% url 'pages:rules' %}", name="once") == first


def test_numbers_words_and_truths_are_told_apart() -> None:
    found = [rendered("{% url 'people:player' name %}", name=name) for name in ("1", 1, True)]
    assert found == ["/players/1/", "/players/1/", "/players/True/"]


def test_an_address_follows_the_site_and_its_place() -> None:
    text = "{% url 'people:player' 'alice' %}"
    assert rendered(text) == "/players/alice/"
    with override_settings(ROOT_URLCONF=Site):
        assert rendered(text) == "/elsewhere/somebody/alice"
    set_script_prefix("/club/")
    try:
        assert rendered(text) == "/club/players/alice/"
    finally:
        set_script_prefix("/")
    assert rendered(text) == "/players/alice/"


def test_other_uses_of_the_tag_stay_those_of_django() -> None:
    assert rendered("{% url 'people:player' name='alice' as there %}-{{ there }}") == "-/players/alice/"
    assert rendered("{% url 'nowhere' as there %}[{{ there }}]") == "[]"
    with pytest.raises(NoReverseMatch):
        rendered("{% url 'nowhere' %}")
    template: Any = engines["django"].from_string("{% url 'people:player' 'a&b' %}")
    context = RequestContext(RequestFactory().get("/"), autoescape=False)
    assert template.template.render(context) == "/players/a&b/"
