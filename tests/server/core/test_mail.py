"""How e-mail leaves."""

from __future__ import annotations

import smtplib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from crownhead.server.core import clock, mail
from crownhead.server.core.mail import KeptInFiles, SentApart

LETTER = EmailMessage("Hello", "It is your turn.", "club@club.example", ["dora@club.example"])


def test_a_message_is_kept_in_a_file_and_the_console_says_so(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    with caplog.at_level("INFO"):
        assert KeptInFiles().send_messages([LETTER]) == 1
    (file,) = (tmp_path / "mail").iterdir()
    assert "It is your turn." in file.read_text()
    assert f"an e-mail to dora@club.example (Hello) was written to {file.parent}" in caplog.text


def test_letters_of_the_same_moment_are_kept_apart(settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_FILE_PATH = tmp_path
    with clock.stopped(datetime(2026, 3, 1, tzinfo=UTC)):
        assert KeptInFiles().send_messages([LETTER, LETTER]) == 2
        assert KeptInFiles().send_messages([LETTER]) == 1
    assert [file.read_text().count("Subject: Hello") for file in tmp_path.iterdir()] == [1, 1, 1]


def test_a_mail_server_that_does_not_answer_fails_nobody_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr(smtplib, "SMTP", refuse)
    backend = SentApart(host="mail.example", port=25, use_ssl=False, use_tls=False)
    assert backend.send_messages([LETTER]) == 1
    mail.wait_until_sent()
    assert "1 e-mails could not be sent by mail.example:25" in caplog.text
