"""The units for systemd run commands that exist, as a user without privileges, and stop in time."""

from __future__ import annotations

import shlex
from configparser import ConfigParser, RawConfigParser
from pathlib import Path

import pytest

from crownhead.cli.main import parser
from crownhead.server.core.hosting.data_folder import VARIABLE
from crownhead.server.core.hosting.options import KNOWN
from crownhead.server.ops.processes import serve
from tests.house.tree import HOUSE

FOLDER = HOUSE / "deploy" / "systemd"
UNITS = sorted(FOLDER.iterdir())
SERVICES = [path for path in UNITS if path.suffix == ".service"]


def unit(path: Path) -> ConfigParser:
    """A unit; no key may come twice."""
    read = RawConfigParser()
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(path.read_text("utf-8"))
    return read  # type: ignore[return-value]


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_a_service_runs_a_command_that_exists(path: Path) -> None:
    service = unit(path)["Service"]
    program, *arguments = shlex.split(service["ExecStart"].replace("%i", "8001"))
    assert program == "/srv/crownhead/bin/crownhead"
    assert callable(parser().parse_args(arguments).run)
    variables = dict(pair.split("=") for pair in service["Environment"].split())
    settings = (name.removeprefix("CROWNHEAD_").lower() for name in variables if name != VARIABLE)
    assert set(settings) <= set(KNOWN)
    assert variables[VARIABLE] in service["ReadWritePaths"].split()
    assert (service["User"], service["NoNewPrivileges"], service["ProtectSystem"]) == (
        "club",
        "yes",
        "strict",
    )


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_a_service_that_stays_gets_the_time_that_it_needs_to_stop(path: Path) -> None:
    service = unit(path)["Service"]
    if service["Type"] == "exec":
        assert int(service["TimeoutStopSec"]) > serve.STOP_WITHIN
        assert service["Restart"] == "always"


def test_the_socket_and_the_timer_belong_to_services_that_are_there() -> None:
    others = [path for path in UNITS if path not in SERVICES]
    assert {path.suffix for path in others} == {".socket", ".timer"}
    assert all(path.with_suffix(".service") in SERVICES for path in others)
    port = unit(FOLDER / "crownhead.socket")["Socket"]["ListenStream"].rpartition(":")[2]
    assert f"--port {port}" in unit(FOLDER / "crownhead.service")["Service"]["ExecStart"]


def test_the_page_names_every_unit() -> None:
    page = (HOUSE / "docs" / "operating.md").read_text("utf-8")
    stems = {path.name for path in UNITS if path.suffix != ".timer"}
    assert {name for name in stems if f"`{name}`" not in page} == set()
