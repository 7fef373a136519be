"""The e-mail backends."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from crownhead.server.core import clock
from crownhead.server.core.mail import FileBackend

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


def test_a_letter_that_cannot_be_written_keeps_no_other(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_FILE_PATH = tmp_path
    to_nobody = EmailMessage("Hello", "Never", "club@club.example", ['"])\x02\x0b>:"@club.example'])
    assert FileBackend().send_messages([to_nobody, MESSAGE]) == 1
    assert len(list(tmp_path.iterdir())) == 1
    assert "a letter could not be written and is left out" in caplog.text


def test_messages_of_the_same_moment_get_separate_files(settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_FILE_PATH = tmp_path
    with clock.stopped(datetime(2026, 3, 1, tzinfo=UTC)):
        assert FileBackend().send_messages([MESSAGE, MESSAGE]) == 2
        assert FileBackend().send_messages([MESSAGE]) == 1
    assert [file.read_text().count("Subject: Hello") for file in tmp_path.iterdir()] == [1, 1, 1]
