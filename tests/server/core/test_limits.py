"""Rates, rate limits and client addresses."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache, caches
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from crownhead.server.accounts.adapter import AccountAdapter
from crownhead.server.core import clock, limits
from crownhead.server.core.http import address_behind_proxies, household
from crownhead.server.core.problems import TooMany
from crownhead.server.core.rates import Rate, parse_rate

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("600/10m", Rate(600, 600)),
        ("5/s", Rate(5, 1)),
        ("0/d", Rate(0, 86400)),
        ("20/h", Rate(20, 3600)),
        ("none", None),
    ],
)
def test_a_rate_is_parsed(text: str, rate: Rate | None) -> None:
    assert parse_rate(text) == rate


@pytest.mark.parametrize("text", ["", "5", "5/", "5/0s", "-1/s", "5/w", "five/s", "5/m/ip", "٥/s"])
def test_an_invalid_rate_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="expected a rate like 600/10m"):
        parse_rate(text)


@given(st.text(max_size=12))
def test_parsing_a_rate_raises_only_value_errors(text: str) -> None:
    with suppress(ValueError):
        parse_rate(text)


def test_a_used_up_rate_is_available_again_in_the_next_window(settings: Settings) -> None:
    settings.LIMITS = {"test": "2/10m"}
    with clock.stopped(NOON + timedelta(minutes=7)):
        limits.spend(scope="test", who="alice")
        limits.spend(scope="test", who="alice")
        with pytest.raises(TooMany) as error:
            limits.spend(scope="test", who="alice")
        assert error.value.headers == {"Retry-After": "180"}
        limits.spend(scope="test", who="bob")
    with clock.stopped(NOON + timedelta(minutes=10)):
        limits.spend(scope="test", who="alice")


@pytest.mark.parametrize(
    ("seconds", "sentence"),
    [
        (1, "Try again in 1 second."),
        (120, "Try again in 120 seconds."),
        (121, "Try again in 3 minutes."),
        (7200, "Try again in 120 minutes."),
        (7201, "Try again in 3 hours."),
        (86400, "Try again in 24 hours."),
    ],
)
def test_a_wait_is_told_as_a_sentence_and_rounded_up(seconds: int, sentence: str) -> None:
    problem = limits.too_many(seconds)
    assert problem.message == sentence
    assert problem.headers == {"Retry-After": str(seconds)}


def test_none_means_unlimited(settings: Settings) -> None:
    settings.LIMITS = {"test": "none"}
    for _ in range(1000):
        limits.spend(scope="test", who="alice")


def test_nothing_that_is_cached_and_no_number_of_addresses_begins_the_count_of_a_member_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LIMITS = {"test": "1/h"}
    for kept in caches.all():
        monkeypatch.setattr(kept, "_max_entries", 20)
    with clock.stopped(NOON):
        limits.spend(scope="test", who="user:1")
        for number in range(100):
            cache.set(f"sighting:1:{number}", 1)
            limits.spend(scope="test", who=f"address:2001:db8:0:{number:x}::")
        with pytest.raises(TooMany):
            limits.spend(scope="test", who="user:1")


def test_the_ipv6_addresses_of_a_household_count_together() -> None:
    def who(address: str) -> str:
        return limits.address(RequestFactory().get("/", REMOTE_ADDR=address))

    assert who("2001:db8:1:2::1") == who("2001:db8:1:2:ffff::9") != who("2001:db8:1:3::1")
    assert who("192.0.2.1") != who("192.0.2.2")


def test_an_ipv4_address_is_the_same_one_on_a_socket_for_both_versions() -> None:
    assert household("::ffff:192.0.2.1") == household("192.0.2.1") != household("::ffff:192.0.2.2")


@pytest.mark.parametrize(
    ("address", "counted"),
    [("fe80::1%eth0", "fe80::"), ("2001:DB8::1", "2001:db8::"), ("unknown", "unknown"), ("", "")],
)
def test_every_text_counts_as_something(address: str, counted: str) -> None:
    assert household(address) == counted


def test_signing_in_is_limited_by_the_same_household() -> None:
    for address in ("2001:db8:1:2::1", "192.0.2.1"):
        request = RequestFactory().get("/", REMOTE_ADDR=address)
        assert f"address:{AccountAdapter().get_client_ip(request)}" == limits.address(request)


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        (
            "198.51.100.1",
            0,
            "192.0.2.1",
        ),  # no proxy is configured: the header comes from the client
        ("", 1, "192.0.2.1"),
        ("198.51.100.1", 1, "198.51.100.1"),
        ("203.0.113.9, 198.51.100.1", 1, "198.51.100.1"),
        ("203.0.113.9, 198.51.100.1, 10.0.0.1", 2, "198.51.100.1"),
        ("198.51.100.1", 2, "198.51.100.1"),
        ("203.0.113.9,", 1, "192.0.2.1"),
    ],
)
def test_the_forwarded_header_is_trusted_only_for_configured_proxies(
    forwarded: str, proxies: int, address: str
) -> None:
    assert address_behind_proxies(peer="192.0.2.1", forwarded=forwarded, proxies=proxies) == address
