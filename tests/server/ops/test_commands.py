"""`crownhead serve` and `crownhead admin create` on the command line."""

from __future__ import annotations

import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from crownhead.server.ops.processes.serve import bind, names_for
from crownhead.server.ops.starting.first_start import CommandError
from tests.club import Club, free_port


def run_crownhead(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
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


def assert_one_line_error(done: subprocess.CompletedProcess[str], *words: str, status: int = 1) -> None:
    """The command failed with one line on stderr that contains these words."""
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith("crownhead")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def test_a_port_in_use_is_reported_with_a_suggestion(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = run_crownhead("serve", "--port", str(port), "--data", str(tmp_path))
    assert_one_line_error(done, f"Port {port} is already in use", "--port")


@pytest.mark.parametrize("host", ["no.such.host.invalid", "203.0.113.9", "a b", "é" * 80])
def test_an_address_of_another_machine_is_reported_with_a_suggestion(host: str) -> None:
    with pytest.raises(CommandError, match=r"--host 0\.0\.0\.0"):
        bind(host, 0)


@pytest.mark.parametrize(
    ("host", "names"),
    [("127.0.0.1", ["127.0.0.1"]), ("club.example", ["club.example"]), ("fd00::5", ["[fd00::5]"])],
)
def test_the_site_answers_to_the_address_it_listens_on(host: str, names: list[str]) -> None:
    assert names_for(host) == names


def test_a_site_that_listens_everywhere_answers_only_to_addresses_of_the_machine() -> None:
    for everywhere in ("0.0.0.0", "::", ""):
        names = names_for(everywhere)
        assert names
        assert not {"*", "0.0.0.0", "[::]"} & set(names)


def test_a_privileged_port_is_reported_with_a_suggestion(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(CommandError, match="above 1023"):
        bind("127.0.0.1", 80)


@pytest.mark.parametrize("port", ["x", "-1", "65536", "99999999", "80.5", ""])
def test_an_invalid_port_is_a_usage_error(port: str) -> None:
    assert_one_line_error(run_crownhead("serve", f"--port={port}"), "expected a port", status=2)


def test_a_data_folder_that_is_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run_crownhead("serve", "--port", "0", "--data", str(tmp_path / "file"))
    assert_one_line_error(done, "a file", "--data")


def test_an_invalid_setting_is_named(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('smtp = "mail.example"\n')
    assert_one_line_error(run_crownhead("serve", "--port", "0", "--data", str(tmp_path)), "smtp: expected")
    (tmp_path / "settings.toml").write_text('[limits]\nsignup = "often"\n')
    assert_one_line_error(
        run_crownhead("serve", "--port", "0", "--data", str(tmp_path)), "limits: signup: expected a rate"
    )


def test_a_corrupt_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "db.sqlite3").write_bytes(b"this is not a database" * 100)
    done = run_crownhead("serve", "--port", "0", "--data", str(tmp_path))
    assert_one_line_error(done, "db.sqlite3")


def test_admin_create_works_on_an_empty_folder_and_only_once_for_a_name(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    done = run_crownhead(
        "admin", "create", "warden", "--email", "W@club.example", "--password-stdin", "--data", str(folder),
        stdin="a quiet corner\n",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"Administrator warden created for the new club in {folder}.\n" in done.stdout
    assert "/staff/" in done.stdout
    assert "name its folder with --data" in done.stderr
    assert "a quiet corner" not in done.stdout
    with sqlite3.connect(folder / "db.sqlite3") as database:
        row = database.execute("SELECT username, email, is_staff, is_superuser FROM accounts_user").fetchone()
    database.close()
    assert row == ("warden", "w@club.example", 1, 1)
    again = run_crownhead(
        "admin", "create", "Warden", "--password-stdin", "--data", str(folder), stdin="a quiet corner\n"
    )
    assert_one_line_error(again, "is taken")


def test_admin_create_names_the_club_and_does_not_warn_where_there_is_one(tmp_path: Path) -> None:
    for name in ("warden", "keeper"):
        done = run_crownhead("admin", "create", name, "--data", str(tmp_path))
    assert f"Administrator keeper created for the club in {tmp_path}.\n" in done.stdout
    assert done.stderr == ""


def test_a_password_is_generated_and_printed_if_none_is_given(tmp_path: Path) -> None:
    done = run_crownhead("admin", "create", "warden", "--data", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Password (shown only once): " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "password", "word"),
    [
        (["a b"], "a quiet corner", "A name has 3 to 20"),
        (["warden"], "12345678", "too common"),
        (["warden"], "", "too short"),
        (["warden", "--email", "nowhere"], "a quiet corner", "valid e-mail"),
    ],
)
def test_an_administrator_with_invalid_data_is_refused(
    tmp_path: Path, arguments: list[str], password: str, word: str
) -> None:
    done = run_crownhead(
        "admin", "create", *arguments, "--password-stdin", "--data", str(tmp_path), stdin=f"{password}\n"
    )
    assert_one_line_error(done, word)


def test_serve_prints_its_address_and_stops_cleanly(tmp_path: Path) -> None:
    club = Club(tmp_path / "club", free_port())
    club.start()
    assert f"Crownhead is running at http://127.0.0.1:{club.port}/\n" in club.log()
    assert club.stop() == 0
    assert "Traceback" not in club.log()


def test_the_data_folder_can_be_set_in_the_environment(tmp_path: Path) -> None:
    done = run_crownhead("admin", "create", "warden", CROWNHEAD_DATA=str(tmp_path / "club"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "club" / "db.sqlite3").is_file()


def test_serve_takes_the_socket_that_systemd_passes(tmp_path: Path) -> None:
    """`sd_listen_fds`: descriptor 3, for the process that LISTEN_PID names."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        script = (
            "import os, sys; os.dup2(int(sys.argv[1]), 3, inheritable=True);"
            "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1');"
            "from crownhead.server.ops.commands import open_folder; open_folder(None);"
            "from crownhead.server.ops.processes.serve import bind;"
            "print(bind('127.0.0.1', 1).getsockname()[1])"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, str(listening.fileno())],
            env={**os.environ, "CROWNHEAD_DATA": str(tmp_path)},
            pass_fds=[listening.fileno()],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.stdout == f"{port}\n", done.stderr
