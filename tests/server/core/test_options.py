"""The options of a site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from crownhead.server.core.hosting.options import BadOption, Options


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CLUB", "PROXIES", "HOSTS", "CONFIRM_EMAIL", "LIMITS"):
        monkeypatch.delenv(f"CROWNHEAD_{name}", raising=False)
    return tmp_path


def options(folder: Path, text: str) -> Options:
    (folder / "settings.toml").write_text(text, "utf-8")
    return Options(folder)


def test_without_a_file_the_defaults_apply(folder: Path) -> None:
    empty = Options(folder)
    assert empty.text("club", "Crownhead") == "Crownhead"
    assert empty.flag("confirm_email") is False
    assert empty.number("proxies", 0) == 0
    assert empty.texts("hosts") == []
    assert empty.table("limits") == {}


def test_the_file_is_read(folder: Path) -> None:
    read = options(
        folder,
        'club = "The Long Diagonal"\nconfirm_email = true\nproxies = 1\nhosts = ["a.example", "b.example"]\n'
        '[limits]\nsignup = "20/h"\n',
    )
    assert read.text("club") == "The Long Diagonal"
    assert read.flag("confirm_email") is True
    assert read.number("proxies", 0) == 1
    assert read.texts("hosts") == ["a.example", "b.example"]
    assert read.table("limits") == {"signup": "20/h"}


def test_the_environment_overrides_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROWNHEAD_CLUB", "The Short Diagonal")
    monkeypatch.setenv("CROWNHEAD_CONFIRM_EMAIL", "no")
    monkeypatch.setenv("CROWNHEAD_PROXIES", "2")
    monkeypatch.setenv("CROWNHEAD_HOSTS", "a.example, b.example")
    monkeypatch.setenv("CROWNHEAD_LIMITS", "signup=20/h token=none")
    read = options(folder, 'club = "The Long Diagonal"\nconfirm_email = true\n')
    assert read.text("club") == "The Short Diagonal"
    assert read.flag("confirm_email") is False
    assert read.number("proxies", 0) == 2
    assert read.texts("hosts") == ["a.example", "b.example"]
    assert read.table("limits") == {"signup": "20/h", "token": "none"}


@pytest.mark.parametrize("text", ["club = ", "club", "[[", 'clubb = "x"\n', "\x00"])
def test_an_invalid_file_is_named(folder: Path, text: str) -> None:
    with pytest.raises(BadOption, match=r"settings\.toml"):
        options(folder, text)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("club", "text"),
        ("confirm_email", "flag"),
        ("proxies", "number"),
        ("hosts", "texts"),
        ("limits", "table"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_by_name(folder: Path, name: str, kind: str) -> None:
    read = options(folder, f"{name} = 1979-05-27\n")
    readers: dict[str, Callable[[str], object]] = {
        "text": read.text,
        "flag": read.flag,
        "number": lambda option: read.number(option, 0),
        "texts": read.texts,
        "table": read.table,
    }
    with pytest.raises(BadOption, match=f"^{name}: expected"):
        readers[kind](name)


def test_a_rate_without_a_name_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROWNHEAD_LIMITS", "20/h")
    with pytest.raises(BadOption, match="limits: expected"):
        options(folder, "").table("limits")


def test_no_option_is_read_that_a_file_could_not_set(folder: Path) -> None:
    with pytest.raises(LookupError, match="colour_of_the_sky"):
        Options(folder).text("colour_of_the_sky")


def test_a_file_may_say_whether_staff_need_a_second_factor(folder: Path) -> None:
    assert options(folder, "staff_second_factor = true\n").flag("staff_second_factor") is True
