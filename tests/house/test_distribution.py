"""What a wheel and the packed sources hold: all that the package opens, nothing that no build needs."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from scikit_build_core.build import build_sdist, build_wheel

import crownhead
from crownhead import _kernel
from tests import tour
from tests.club import Club
from tests.house.tree import HOUSE, ROOMS

SOURCES = {"CMakeLists.txt", "LICENSE", "PKG-INFO", "README.md", "native", "pyproject.toml", "src"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel without the kernel, which takes no compiler."""
    folder = tmp_path_factory.mktemp("wheel")
    with contextlib.chdir(HOUSE):
        return folder / build_wheel(str(folder), {"wheel.cmake": "false", "wheel.py-api": "py3"})


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in the packed sources."""
    folder = tmp_path_factory.mktemp("sources")
    with contextlib.chdir(HOUSE), tarfile.open(folder / build_sdist(str(folder))) as archive:
        return {member.name.split("/", 1)[1] for member in archive.getmembers() if member.isfile()}


def package_files() -> Iterator[str]:
    """Every file of the package that is kept in the repository, from ``crownhead/`` on."""
    for path in ROOMS.rglob("*"):
        generated = "__pycache__" in path.parts or path.name == "_kernel.pyi"
        if path.is_file() and not generated:
            yield path.relative_to(ROOMS.parent).as_posix()


def test_a_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if name.startswith("crownhead/")}
    assert held == set(package_files())


def test_a_wheel_says_its_version_and_authors(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (about,) = (archive.read(name) for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    lines = about.decode().splitlines()
    assert f"Version: {crownhead.__version__}" in lines
    (authors,) = re.findall(r"Copyright \(c\) \d+ (.+)", (HOUSE / "LICENSE").read_text("utf-8"))
    assert f"Author: {authors}" in lines


@pytest.mark.nightly
def test_a_club_runs_on_what_a_wheel_holds(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    kernel = Path(str(_kernel.__file__))
    (installed / "crownhead" / kernel.name).symlink_to(kernel)
    # Without the path file by which the checkout is installed.
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    python.chmod(0o755)
    paths = {"PYTHONPATH": os.pathsep.join([str(installed), sysconfig.get_path("platlib")])}

    assert tour.library(python, {**os.environ, **paths}, tmp_path).is_relative_to(installed)
    club = Club(tmp_path / "data", python=str(python), environment=paths)
    club.start()
    try:
        tour.site(club)
    finally:
        assert club.stop() == 0
    assert "Traceback" not in club.log()


def test_the_packed_sources_hold_what_it_takes_to_build(packed: set[str]) -> None:
    assert {name.split("/")[0] for name in packed} == SOURCES
    assert {name.removeprefix("src/") for name in packed if name.startswith("src/")} == set(package_files())
    cmake = (HOUSE / "CMakeLists.txt").read_text("utf-8")
    compiled = set(re.findall(r"\bnative/[\w/]+\.(?:cpp|py)\b", cmake))
    headers = {path.relative_to(HOUSE).as_posix() for path in (HOUSE / "native").rglob("*.hpp")}
    assert compiled
    assert compiled | {name for name in headers if not name.startswith("native/tests/")} <= packed


def test_the_packed_sources_hold_no_tests_and_nothing_that_was_built(packed: set[str]) -> None:
    foreign = re.compile(r"(^|/)(tests|build|dist|data|__pycache__|\.[^/]+)/|\.(so|pyc|o|a)$|_kernel\.pyi$")
    assert [name for name in packed if foreign.search(name)] == []
