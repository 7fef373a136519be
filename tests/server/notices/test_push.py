"""Push messages: encrypted for one browser, signed by the club, to push services alone."""

from __future__ import annotations

import base64
import io
import json
import stat
from pathlib import Path
from typing import Any

import pytest
import requests
from django.contrib.sessions.models import Session
from django.test import Client
from http_ece import ECEException
from pytest_django import Settings
from urllib3.util import parse_url

from crownhead.server.accounts.events import credential_of_session, credential_of_token
from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.security import sessions
from crownhead.server.accounts.tokens import services as token_services
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.notices.channels import delivery, vapid
from crownhead.server.notices.channels import push as push_channel
from crownhead.server.notices.channels.delivery import Batch
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Device
from crownhead.server.notices.selectors.devices import devices_of
from crownhead.server.notices.services import devices
from crownhead.server.notices.validators import check_endpoint
from tests.server.notices.browsers import Browser, Service, is_signed
from tests.server.notices.factories import DAY, MINUTE, make_notice, make_online, set_timing
from tests.server.play.factories import NOW, make_game, play_moves

pytestmark = pytest.mark.django_db


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def browser(alice: User) -> Browser:
    """Alice's browser takes messages of anything, at once."""
    set_timing(alice, Kind.TROPHY, Channel.PUSH, Timing.NOW)
    made = Browser()
    made.subscribe(alice)
    return made


def push(service: Service, now: object = NOW) -> int:
    """Let go what is due."""

    def send(batch: Batch) -> None:
        push_channel.send(batch, session=service)

    return delivery.send_due(channel=Channel.PUSH, send=send, now=now)  # type: ignore[arg-type]


def test_a_message_can_be_read_by_that_browser_alone(alice: User, browser: Browser, service: Service) -> None:
    make_notice(alice, "The hall is heated")
    assert push(service) == 1
    address, headers, body = service.last
    assert address == browser.endpoint
    assert headers["content-encoding"] == "aes128gcm"
    assert browser.read(body)["title"] == "The hall is heated"
    with pytest.raises(ECEException):
        Browser().read(body)


def test_a_message_is_signed_with_the_clubs_key(
    alice: User, browser: Browser, service: Service, settings: Settings
) -> None:
    make_notice(alice, "The hall is heated")
    push(service)
    _, headers, _ = service.last
    assert is_signed(headers["authorization"])
    assert headers["authorization"].endswith(f"k={vapid.public_text(settings.DATA / vapid.FILE)}")
    token = headers["authorization"].split("t=")[1].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    assert (claims["aud"], claims["sub"]) == (
        "https://updates.push.services.mozilla.com",
        "https://club.example",
    )


def test_a_turn_is_announced_at_once_and_names_the_game(alice: User, bob: User, service: Service) -> None:
    browser = Browser()
    browser.subscribe(bob)
    make_online(bob, NOW)
    game = play_moves(make_game(alice, bob), "11-15")
    assert push(service) == 1
    _, headers, body = service.last
    assert headers["urgency"] == "high"
    assert headers["topic"] == f"game-{game.public_id}"
    assert int(headers["ttl"]) == 86400
    assert browser.read(body) == {
        "title": "Your turn against alice",
        "body": "alice played 11-15 in American checkers. Your time runs out on 4 March 2026, 12:00 UTC.",
        "link": f"/games/{game.public_id}/",
        "tag": f"game:{game.public_id}",
        "on_turn": 1,
        "pressing": True,
    }


def test_every_browser_of_a_person_gets_it_and_nobody_elses(
    alice: User, bob: User, browser: Browser, service: Service
) -> None:
    Browser("two").subscribe(alice)
    Browser("of-bob").subscribe(bob)
    make_notice(alice, "The hall is heated")
    push(service)
    assert sorted(address.rpartition("/")[2] for address, _, _ in service.taken) == ["one", "two"]


def test_a_player_who_has_no_browser_has_nothing_to_send(alice: User, service: Service) -> None:
    set_timing(alice, Kind.TROPHY, Channel.PUSH, Timing.NOW)
    make_notice(alice, "The hall is heated")
    assert not Delivery.objects.filter(channel="push").exists()


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(
    alice: User, browser: Browser, service: Service, status: int
) -> None:
    Browser("two").subscribe(alice)
    service.answers[:] = [status]
    make_notice(alice, "The hall is heated")
    assert push(service) == 1
    assert [device.endpoint.rpartition("/")[2] for device in Device.objects.all()] == ["two"]


def test_the_last_browser_that_is_gone_leaves_nothing_to_try(
    alice: User, browser: Browser, service: Service
) -> None:
    service.answers[:] = [410]
    make_notice(alice, "The hall is heated")
    assert push(service) == 0
    assert not Device.objects.exists()
    assert Delivery.objects.get(channel="push").state == "failed"


def test_a_service_cannot_send_us_somewhere_else() -> None:
    asked: list[str] = []

    class Elsewhere(requests.adapters.BaseAdapter):
        def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
            asked.append(request.url or "")
            answer = requests.Response()
            answer.status_code, answer.url, answer.request = 307, request.url or "", request
            answer.headers["Location"] = "http://127.0.0.1:5432/"
            answer.raw = io.BytesIO()
            return answer

        def close(self) -> None:
            pass

    session = push_channel.session()
    session.mount("https://", Elsewhere())
    session.mount("http://", Elsewhere())
    assert session.post("https://push.example/x", b"").status_code == 307
    assert asked == ["https://push.example/x"]


@pytest.mark.parametrize("trouble", [429, 503, requests.ConnectionError("no route")])
def test_trouble_at_the_service_is_tried_again(
    alice: User, browser: Browser, service: Service, trouble: int | Exception
) -> None:
    service.answers[:] = [trouble]
    make_notice(alice, "The hall is heated")
    assert push(service) == 0
    assert push(service, NOW + MINUTE) == 1
    assert push(service, NOW + DAY) == 0
    assert browser.read(service.last[2])["title"] == "The hall is heated"


def test_one_browser_that_took_it_is_enough(alice: User, browser: Browser, service: Service) -> None:
    Browser("two").subscribe(alice)
    service.answers[:] = [503]
    make_notice(alice, "The hall is heated")
    assert push(service) == 1
    assert push(service, NOW + DAY) == 0


def test_more_than_three_things_are_one_message(alice: User, browser: Browser, service: Service) -> None:
    for number in range(4):
        make_notice(alice, f"Thing {number}")
    push(service)
    assert len(service.taken) == 1
    message = browser.read(service.last[2])
    assert message["title"] == "4 new notifications"
    assert message["body"] == "Thing 3\nThing 2\nThing 1\nThing 0"
    assert message["link"] == "/notices/"


def test_a_long_text_fits_into_a_message(alice: User, browser: Browser, service: Service) -> None:
    make_notice(alice, "ö" * 200)
    push(service)
    assert len(service.last[2]) < 3000  # push services take 4096 bytes


def test_an_email_and_a_push_message_are_two_ways_and_each_tells_once(
    alice: User, browser: Browser, service: Service
) -> None:
    make_notice(alice, "The hall is heated")
    assert push(service) == 1
    assert push(service, NOW + DAY) == 0
    assert Delivery.objects.get(channel="mail").state == "waiting"


# ----------------------------------------------------------------------------------------- browsers


def test_a_browser_that_changes_hands_tells_its_new_owner_alone(alice: User, bob: User) -> None:
    browser = Browser()
    browser.subscribe(alice)
    browser.subscribe(bob)
    assert Device.objects.get().user == bob


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://updates.push.services.mozilla.com/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://localhost/x",
        "https://push.services.mozilla.com.evil.example/x",
        "https://evilpush.apple.com.example/x",
        "https://user@fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com:port/x",
        "https://notfcm.googleapis.com/x",
        "https://169.254.169.254\\.fcm.googleapis.com/x",
        "https://127.0.0.1\\@fcm.googleapis.com/x",
        "https:/\\127.0.0.1/.fcm.googleapis.com",
        "https://127.0.0.1#.fcm.googleapis.com",
        "https://127.0.0.1%2f.fcm.googleapis.com/x",
        "https://127.0.0.1\t/.fcm.googleapis.com/x",
        "https://127.0.0.1;.fcm.googleapis.com/x",
        "https://fcm.googleapis.com/x\\..",
        "https://fcm.googleapis.com/x\n",
        "https://ｆcm.googleapis.com/x",
        "file:///etc/passwd",
        "",
    ],
)
def test_an_address_that_is_no_push_services_is_refused(alice: User, endpoint: str) -> None:
    with pytest.raises(Unprocessable, match="endpoint: "):
        check_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/a:b-c_d%20e?f=g#h",
        "https://FCM.googleapis.com.:443/x",
        "https://web.push.apple.com",
        "https://fcm.googleapis.com?https://127.0.0.1/",
        "https://fcm.googleapis.com/@127.0.0.1:80/",
    ],
)
def test_what_is_sent_to_is_the_host_that_was_checked(endpoint: str) -> None:
    check_endpoint(endpoint)
    sent = requests.Request("POST", endpoint).prepare()
    host = parse_url(sent.url or "").host or ""
    assert host.rstrip(".") in {"fcm.googleapis.com", "web.push.apple.com"}


def test_a_host_may_name_further_services(settings: Settings) -> None:
    settings.PUSH_SERVICES = [*settings.PUSH_SERVICES, "push.club.example"]
    check_endpoint("https://push.club.example/abc")


@pytest.mark.parametrize(
    ("p256dh", "auth", "where"),
    [
        ("AAAA", "c2l4dGVlbiBieXRlcyBvbg", "p256dh"),
        ("not base64!", "c2l4dGVlbiBieXRlcyBvbg", "p256dh"),
        ("", "c2l4dGVlbiBieXRlcyBvbg", "p256dh"),
        (Browser().p256dh, "c2hvcnQ", "auth"),
        (Browser().p256dh, "?", "auth"),
    ],
    ids=["a short key", "a key of other signs", "no key", "a short secret", "a secret of other signs"],
)
def test_keys_that_are_none_are_refused(alice: User, p256dh: str, auth: str, where: str) -> None:
    with pytest.raises(Unprocessable, match=rf"keys\.{where}"):
        devices.note_device(
            user=alice,
            endpoint=Browser().endpoint,
            p256dh=p256dh,
            auth=auth,
            name="",
            credential=None,
            now=NOW,
        )


def test_only_the_twenty_newest_browsers_are_kept(alice: User) -> None:
    for number in range(22):
        Browser(str(number)).subscribe(alice)
    kept = {device.endpoint.rpartition("/")[2] for device in Device.objects.all()}
    assert kept == {str(number) for number in range(2, 22)}


def test_nobody_forgets_somebody_elses_browser(alice: User, bob: User) -> None:
    device = Browser().subscribe(alice)
    with pytest.raises(NotFound):
        devices.forget_device(user=bob, public_id=device.public_id)
    devices.forget_endpoint(user=bob, endpoint=device.endpoint)
    assert Device.objects.get().user == alice


# ----------------------------------------------------------------------------------------- the key


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = vapid.make_key(tmp_path)
    before = path.read_bytes()
    assert vapid.make_key(tmp_path) == path
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["push_key.pem"]


def test_a_file_that_holds_no_key_is_named(tmp_path: Path) -> None:
    (tmp_path / vapid.FILE).write_text("-----BEGIN NOTHING-----\n")
    with pytest.raises(ValueError, match="PEM"):
        vapid.private_key(vapid.make_key(tmp_path))


def test_the_public_key_is_what_browsers_take(tmp_path: Path) -> None:
    point = base64.urlsafe_b64decode(vapid.public_text(vapid.make_key(tmp_path)) + "=")
    assert (len(point), point[0]) == (65, 4)


def test_a_new_password_ends_push_messages(alice: User, browser: Browser) -> None:
    alice.set_password("a new one for the hall")
    alice.save()
    assert not Device.objects.filter(user=alice).exists()


def test_a_browser_is_forgotten_when_the_session_expires_that_added_it(alice: User, browser: Browser) -> None:
    client = Client()
    client.force_login(alice)
    Device.objects.update(credential=credential_of_session(client.cookies["sessionid"].value))
    with clock.stopped(Session.objects.get().expire_date):
        sessions.delete_ended(now=clock.now())
    assert not Device.objects.exists()


def test_a_browser_gets_nothing_once_the_token_has_expired_that_added_it(
    alice: User, browser: Browser, service: Service
) -> None:
    with clock.stopped(NOW):
        token_services.new_token(user=alice, now=NOW, days=1)
    Device.objects.update(credential=credential_of_token(ApiToken.objects.get().pk))
    make_notice(alice, "The hall is heated")
    assert push(service) == 1

    make_notice(alice, "The hall is cold")
    push(service, NOW + 2 * DAY)

    assert len(service.taken) == 1
    assert not devices_of(alice, NOW + 2 * DAY).exists()
