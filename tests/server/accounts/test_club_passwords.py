"""Passwords that are the name of a club or its host, where there are digits in them."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from pytest_django import Settings

from crownhead.server.accounts.validators import ClubNameValidator


@pytest.mark.parametrize(
    ("club", "host", "password"),
    [
        ("Dammen1945", "localhost:8000", "Dammen1945"),
        ("Dammen1945", "localhost:8000", "dammen-1945"),
        ("Dammen1945", "localhost:8000", "5491nemmad"),
        ("Damclub 1919 Utrecht", "localhost:8000", "Damclub 1919 Utrecht"),
        ("Damclub 1919 Utrecht", "localhost:8000", "damclub1919utrecht!"),
        ("Damclub 1919 Utrecht", "localhost:8000", "damclub utrecht"),
        ("Checkers4All", "localhost:8000", "Checkers4All"),
        ("Checkers4All", "localhost:8000", "checkers-4-all-2026"),
        ("64 Velden", "localhost:8000", "64 velden"),
        ("64 Velden", "localhost:8000", "64velden"),
        ("DVSG'95", "localhost:8000", "dvsg'95!"),
        ("Kingsrow", "dam100.example", "dam100.example"),
        ("Kingsrow", "www.dam100.example", "dam100.example"),
        ("Kingsrow", "dam100.example", "dam100100"),
        ("Kingsrow", "dam100.example", "dam-100-!"),
        ("Kingsrow", "play4fun.example", "play4fun.example"),
        ("Kingsrow", "play4fun.example", "play4fun2026"),
        ("Kingsrow", "play4fun.example", "nuf4yalp"),
        ("Kingsrow", "play4fun.example:8443", "playfun!"),
        ("Дамки 64", "localhost:8000", "дамки64!"),
        ("Kingsrow", "dam.example", "dam-8471-x"),
        ("Crown Head", "localhost:8000", "crown1head2026"),
        ("跳棋", "localhost:8000", "跳棋2026!!!!"),
        ("Go", "localhost:8000", "Go2026!!!!"),
        ("64", "localhost:8000", "64 64 64!"),
        ("Kingsrow", "192.168.1.10:8000", "192.168.1.10"),
        ("Kingsrow", "www.dam100.example", "www.dam100.example"),
        ("Damclub Utrecht", "localhost:8000", "Damclub12345Utrecht"),
    ],
)
def test_a_name_with_digits_is_no_password_of_its_club(
    settings: Settings, club: str, host: str, password: str
) -> None:
    settings.CLUB_NAME, settings.SERVED_AT = club, f"https://{host}"
    with pytest.raises(ValidationError):
        ClubNameValidator().validate(password)


@pytest.mark.parametrize(
    ("host", "password"),
    [
        ("dam.example", "dam-8471902736-x"),
        ("dam.example", "7d1a94826m4"),
        ("dam.example", "8d-27a-6534m-91"),
        ("192.168.1.10:8000", "192 correct horses 168"),
        ("play4fun.example", "play all day for fun"),
    ],
)
def test_a_password_with_many_digits_between_such_letters_will_do(
    settings: Settings, host: str, password: str
) -> None:
    settings.CLUB_NAME, settings.SERVED_AT = "Kingsrow", f"https://{host}"
    ClubNameValidator().validate(password)
