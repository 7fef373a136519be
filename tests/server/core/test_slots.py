"""Ways and slots: what templates show of the apps above theirs."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.utils.html import format_html

from crownhead.server.core import slots


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house with one way and two slots."""
    monkeypatch.setattr(slots, "_ways", {})
    monkeypatch.setattr(slots, "_fills", {})
    slots.open_ways(person="people:player")

    @slots.fill("greeting")
    def greeting(context: Context, name: str) -> str:
        return format_html("<b>{}, {}</b>", context["word"], name)

    @slots.fill("plain")
    def plain(_context: Context) -> str:
        return "<b>"


def shown(text: str) -> str:
    return Template(text).render(Context({"word": "Hello", "name": "A & B"}))


def test_a_way_leads_to_an_address_of_an_app_above(opened: None) -> None:
    assert shown("{% way 'person' 'ada' %}") == "/players/ada/"
    assert shown("{% way 'person' 'ada' as there %}<{{ there }}>") == "</players/ada/>"


def test_a_slot_is_filled_by_who_knows_the_page(opened: None) -> None:
    assert shown("{% slot 'greeting' name %}") == "<b>Hello, A &amp; B</b>"


def test_what_does_not_say_that_it_is_safe_is_escaped(opened: None) -> None:
    assert shown("{% slot 'plain' %}") == "&lt;b&gt;"


def test_where_nobody_opens_or_fills_it_there_is_nothing(opened: None) -> None:
    assert shown("{% way 'nowhere' 1 %}{% slot 'nothing' name %}") == ""
