"""`crownhead serve` and `crownhead admin create`, as a host types them."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from crownhead.server.ops.first_start import Unusable
from crownhead.server.ops.serve import bind, names_for
from tests.club import Club, free_port


def crownhead(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "crownhead.cli", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
        check=False,
    )


def assert_sentence(done: subprocess.CompletedProcess[str], *words: str, status: int = 1) -> None:
    """The command refused in one line that holds these words."""
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith("crownhead")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def test_a_port_in_use_says_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = crownhead("serve", "--port", str(port), "--data", str(tmp_path))
    assert_sentence(done, f"Port {port} is in use", "--port")


@pytest.mark.parametrize("host", ["no.such.host.invalid", "203.0.113.9", "a b", "é" * 80])
def test_a_host_that_is_not_this_machine_says_what_to_do(host: str) -> None:
    with pytest.raises(Unusable, match=r"--host 0\.0\.0\.0"):
        bind(host, 0)


@pytest.mark.parametrize(
    ("host", "names"),
    [("127.0.0.1", ["127.0.0.1"]), ("club.example", ["club.example"]), ("fd00::5", ["[fd00::5]"])],
)
def test_the_club_answers_to_the_address_it_listens_on(host: str, names: list[str]) -> None:
    assert names_for(host) == names


def test_the_club_that_listens_everywhere_answers_to_the_machines_own_addresses_alone() -> None:
    for everywhere in ("0.0.0.0", "::", ""):
        names = names_for(everywhere)
        assert names
        assert not {"*", "0.0.0.0", "[::]"} & set(names)


def test_a_privileged_port_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(Unusable, match="above 1023"):
        bind("127.0.0.1", 80)


@pytest.mark.parametrize("port", ["x", "-1", "65536", "99999999", "80.5", ""])
def test_what_is_no_port_is_wrong_usage(port: str) -> None:
    assert_sentence(crownhead("serve", f"--port={port}"), "expected a port", status=2)


def test_a_data_folder_that_is_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = crownhead("serve", "--port", "0", "--data", str(tmp_path / "file"))
    assert_sentence(done, "a file", "--data")


def test_a_setting_that_makes_no_sense_is_named(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('smtp = "mail.example"\n')
    assert_sentence(crownhead("serve", "--port", "0", "--data", str(tmp_path)), "smtp: expected")
    (tmp_path / "settings.toml").write_text('[limits]\nsignup = "often"\n')
    assert_sentence(
        crownhead("serve", "--port", "0", "--data", str(tmp_path)), "limits: signup: expected a rate"
    )


def test_a_data_folder_with_a_spoilt_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "db.sqlite3").write_bytes(b"this is no database" * 100)
    done = crownhead("serve", "--port", "0", "--data", str(tmp_path))
    assert_sentence(done, "db.sqlite3")


def test_an_administrator_is_made_on_an_empty_folder_and_can_sign_in(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    done = crownhead(
        "admin", "create", "warden", "--email", "W@club.example", "--password-stdin", "--data", str(folder),
        stdin="a quiet corner\n",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "warden is an administrator" in done.stdout
    assert "a quiet corner" not in done.stdout
    with sqlite3.connect(folder / "db.sqlite3") as database:
        row = database.execute("SELECT username, email, is_staff, is_superuser FROM accounts_user").fetchone()
    database.close()
    assert row == ("warden", "w@club.example", 1, 1)
    again = crownhead(
        "admin", "create", "Warden", "--password-stdin", "--data", str(folder), stdin="a quiet corner\n"
    )
    assert_sentence(again, "is taken")


def test_a_password_is_made_up_and_shown_where_none_is_given(tmp_path: Path) -> None:
    done = crownhead("admin", "create", "warden", "--data", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "The password, shown this once: " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "password", "word"),
    [
        (["a b"], "a quiet corner", "A name has 3 to 20"),
        (["warden"], "12345678", "too common"),
        (["warden"], "", "too short"),
        (["warden", "--email", "nowhere"], "a quiet corner", "valid email"),
    ],
)
def test_an_administrator_that_will_not_do_is_refused(
    tmp_path: Path, arguments: list[str], password: str, word: str
) -> None:
    done = crownhead(
        "admin", "create", *arguments, "--password-stdin", "--data", str(tmp_path), stdin=f"{password}\n"
    )
    assert_sentence(done, word)


def test_the_address_is_printed_and_both_signals_end_the_server_cleanly(tmp_path: Path) -> None:
    club = Club(tmp_path / "club", free_port())
    club.start()
    assert f"Crownhead is at http://127.0.0.1:{club.port}/\n" in club.log()
    assert club.stop() == 0
    assert "Traceback" not in club.log()


def test_the_data_folder_may_come_from_the_environment(tmp_path: Path) -> None:
    done = crownhead("admin", "create", "warden", CROWNHEAD_DATA=str(tmp_path / "club"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "club" / "db.sqlite3").is_file()
