"""Letters over the wire to a mail server that takes notes."""

from __future__ import annotations

import email
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.notices import jobs
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Reader
from tests.server.conftest import make_user
from tests.server.notices.factories import MINUTE, make_notice, set_timing
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


@dataclass
class MailServer:
    """Listens on a port of this machine; refuses the addresses in ``unknown``."""

    letters: list[str] = field(default_factory=list)
    connections: int = 0
    unknown: set[str] = field(default_factory=set)
    port: int = 0


@pytest.fixture
def server(settings: Settings) -> Iterator[MailServer]:
    """A mail server, to which the club sends."""
    notes = MailServer()

    class Conversation(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            notes.connections += 1
            self.say("220 here")
            while line := self.rfile.readline():
                word, _, rest = line.decode().strip().partition(" ")
                word = word.upper()
                if word == "RCPT" and any(address in rest for address in notes.unknown):
                    self.say("550 no such mailbox")
                elif word == "DATA":
                    self.say("354 go on")
                    notes.letters.append(self.letter())
                    self.say("250 taken")
                elif word == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 fine")

        def letter(self) -> str:
            lines: list[bytes] = []
            while (line := self.rfile.readline()) != b".\r\n":
                lines.append(line.removeprefix(b"."))
            return b"".join(lines).decode()

        def say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Conversation) as listening:
        listening.daemon_threads = True
        notes.port = listening.server_address[1]
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = "crownhead.server.notices.channels.outgoing.StoredMailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", notes.port
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        yield notes
        listening.shutdown()


def people(count: int) -> list[User]:
    """Members to whom there is something to tell."""
    made = [make_user(f"member{number}") for number in range(count)]
    for user in made:
        set_timing(user, Kind.TROPHY, Channel.MAIL, Timing.NOW)
        make_notice(user, f"To {user.username}")
    return made


def test_emails_to_many_go_over_one_connection(server: MailServer) -> None:
    people(120)
    assert jobs.send_mail(NOW + MINUTE) == 120
    assert server.connections == 1
    subjects = {str(email.message_from_string(letter)["Subject"]) for letter in server.letters}
    assert len(subjects) == len(server.letters) == 120


def test_an_address_that_the_server_does_not_know_holds_up_nobody(server: MailServer) -> None:
    lost, *_ = people(3)
    server.unknown.add(lost.email)
    assert jobs.send_mail(NOW + MINUTE) == 2
    assert Reader.objects.get(user=lost).refused_why == "550 no such mailbox"
    assert sorted(Delivery.objects.values_list("state", flat=True)) == ["failed", "sent", "sent"]


def test_an_email_arrives_whole(server: MailServer) -> None:
    people(1)
    jobs.send_mail(NOW + MINUTE)
    letter = email.message_from_string(server.letters[0])
    assert [part.get_content_type() for part in letter.walk() if not part.is_multipart()] == [
        "text/plain",
        "text/html",
    ]
    assert letter["List-Unsubscribe"].strip().startswith("<https://club.example/notices/stop/")


def test_where_nobody_listens_all_wait(settings: Settings, server: MailServer) -> None:
    people(2)
    settings.EMAIL_PORT = 1
    assert jobs.send_mail(NOW + MINUTE) == 0
    assert set(Delivery.objects.values_list("state", flat=True)) == {"waiting"}
    settings.EMAIL_PORT = server.port
    assert jobs.send_mail(NOW + 2 * MINUTE) == 2
