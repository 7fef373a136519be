"""The table of kinds: whatever its rows say is what pages, API and columns have."""

from __future__ import annotations

from crownhead.server.notices.kinds import TIMINGS, Channel, Group, Kind, kind_choices
from crownhead.server.notices.models import Choice, Delivery, Notice
from tests.server.contract import document


def test_the_words_are_those_that_are_stored() -> None:
    assert [str(kind) for kind in Kind][:4] == ["turn", "half", "fifth", "two-hours"]
    assert Kind("take-back") is Kind.TAKE_BACK
    assert max(len(kind) for kind in Kind) <= (Notice._meta.get_field("kind").max_length or 0)


def test_every_kind_stands_in_its_group_once() -> None:
    assert sorted(kind for group in Group for kind in group.kinds) == sorted(Kind)


def test_a_default_is_one_of_the_timings_of_its_channel() -> None:
    wrong = [
        (kind, channel)
        for kind in Kind
        for channel in Channel
        if kind.default(channel) not in TIMINGS[channel]
    ]
    assert wrong == []


def test_columns_ask_for_their_choices_when_they_need_them() -> None:
    for model in (Choice, Delivery, Notice):
        field = model._meta.get_field("kind")
        assert field.deconstruct()[3]["choices"] is kind_choices
        assert list(field.flatchoices) == [(kind.value, kind.label) for kind in Kind]


def test_the_api_names_every_kind() -> None:
    assert document()["components"]["schemas"]["Kind"]["enum"] == [kind.value for kind in Kind]
