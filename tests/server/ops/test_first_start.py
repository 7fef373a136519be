"""The data folder on the first start."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from crownhead.server.ops.starting.first_start import CommandError, prepare


def test_a_missing_folder_is_created_with_its_own_secret_key(tmp_path: Path) -> None:
    prepare(tmp_path / "far" / "away")
    prepare(tmp_path / "near")
    secrets = [(tmp_path / name / "secret_key").read_text() for name in ("far/away", "near")]
    assert all(len(secret) >= 50 for secret in secrets)
    assert secrets[0] != secrets[1]
    assert (tmp_path / "near" / "mail").is_dir()


def test_the_secret_key_and_mail_are_readable_only_by_their_owner(tmp_path: Path) -> None:
    prepare(tmp_path / "club")
    assert stat.S_IMODE((tmp_path / "club" / "secret_key").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "club" / "mail").stat().st_mode) == 0o700


def test_a_folder_that_was_there_before_is_closed_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    (folder / "mail").mkdir(parents=True)
    for name in ("db.sqlite3", "db.sqlite3-wal", "settings.toml", "mail/a.eml", "notes.txt"):
        (folder / name).write_text("x")
        (folder / name).chmod(0o644)
    for path in (folder, folder / "mail"):
        path.chmod(0o755)

    prepare(folder)

    modes = {str(path.relative_to(tmp_path)): stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    assert stat.S_IMODE(folder.stat().st_mode) == modes["club/mail"] == 0o700
    assert modes.pop("club/notes.txt") == 0o644, "not ours"
    assert {mode for name, mode in modes.items() if name != "club/mail"} == {0o600}


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.toml"
    elsewhere.write_text("")
    elsewhere.chmod(0o644)
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "settings.toml").symlink_to(elsewhere)
    prepare(tmp_path / "club")
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


def test_a_second_start_keeps_the_secret_key_and_leaves_no_temporary_files(tmp_path: Path) -> None:
    prepare(tmp_path)
    secret = (tmp_path / "secret_key").read_text()
    prepare(tmp_path)
    assert (tmp_path / "secret_key").read_text() == secret
    assert {entry.name for entry in tmp_path.iterdir()} == {"secret_key", "push_key.pem", "mail"}


def test_a_folder_that_is_a_file_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "deeper"):
        with pytest.raises(
            CommandError, match=r"The data folder .* cannot be used: the path is a file or leads through one"
        ):
            prepare(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_without_write_permission_is_reported_with_a_suggestion(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(CommandError, match=r"is not writable\. Give your user write permission"):
            prepare(tmp_path / "club")
    finally:
        tmp_path.chmod(0o700)


def test_a_permission_error_suggests_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(CommandError, match="--data"):
        prepare(tmp_path / "club")
