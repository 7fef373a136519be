"""The data folder on the first start."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from crownhead.server.ops.first_start import Unusable, prepare


def test_a_folder_that_is_not_there_is_made_with_a_secret_of_its_own(tmp_path: Path) -> None:
    prepare(tmp_path / "far" / "away")
    prepare(tmp_path / "near")
    secrets = [(tmp_path / name / "secret_key").read_text() for name in ("far/away", "near")]
    assert all(len(secret) >= 50 for secret in secrets)
    assert secrets[0] != secrets[1]
    assert (tmp_path / "near" / "mail").is_dir()


def test_the_secret_is_for_its_owner_alone(tmp_path: Path) -> None:
    prepare(tmp_path / "club")
    assert stat.S_IMODE((tmp_path / "club" / "secret_key").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "club" / "mail").stat().st_mode) == 0o700


def test_a_second_start_keeps_the_secret_and_leaves_nothing_behind(tmp_path: Path) -> None:
    prepare(tmp_path)
    secret = (tmp_path / "secret_key").read_text()
    prepare(tmp_path)
    assert (tmp_path / "secret_key").read_text() == secret
    assert {entry.name for entry in tmp_path.iterdir()} == {"secret_key", "push_key.pem", "mail"}


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "deeper"):
        with pytest.raises(
            Unusable, match=r"The data folder .* cannot be used: it is, or lies below, a file"
        ):
            prepare(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_without_write_permission_is_named_with_what_to_do(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(Unusable, match=r"cannot be written to\. Give your user write permission"):
            prepare(tmp_path / "club")
    finally:
        tmp_path.chmod(0o700)


def test_a_refusal_to_write_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(Unusable, match="--data"):
        prepare(tmp_path / "club")
