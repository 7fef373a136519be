"""The e-mail backends."""

from __future__ import annotations

import smtplib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from crownhead.server.core import clock, mail
from crownhead.server.core.mail import BackgroundSmtpBackend, FileBackend

MESSAGE = EmailMessage("Hello", "It is your turn.", "club@club.example", ["dora@club.example"])


def test_a_message_is_written_to_a_file_and_logged(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    with caplog.at_level("INFO"):
        assert FileBackend().send_messages([MESSAGE]) == 1
    (file,) = (tmp_path / "mail").iterdir()
    assert "It is your turn." in file.read_text()
    assert f"e-mail to dora@club.example (Hello) written to {file.parent}" in caplog.text


def test_messages_of_the_same_moment_get_separate_files(settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_FILE_PATH = tmp_path
    with clock.stopped(datetime(2026, 3, 1, tzinfo=UTC)):
        assert FileBackend().send_messages([MESSAGE, MESSAGE]) == 2
        assert FileBackend().send_messages([MESSAGE]) == 1
    assert [file.read_text().count("Subject: Hello") for file in tmp_path.iterdir()] == [1, 1, 1]


def test_a_failing_mail_server_is_logged_and_raises_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr(smtplib, "SMTP", refuse)
    backend = BackgroundSmtpBackend(host="mail.example", port=25, use_ssl=False, use_tls=False)
    assert backend.send_messages([MESSAGE]) == 1
    mail.wait_until_sent()
    assert "1 e-mails could not be sent by mail.example:25" in caplog.text
