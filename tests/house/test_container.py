"""The recipe for a container and the example for several copy, call and set only what exists."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from django.urls import resolve

from crownhead.cli.main import parser
from crownhead.server.core.hosting.data_folder import VARIABLE
from crownhead.server.core.hosting.options import KNOWN
from tests.house.test_distribution import SOURCES
from tests.house.tree import HOUSE, project

RECIPE = HOUSE / "Containerfile"
_DEFINE = re.compile(r"\bcmake\.define\.(\w+)=")


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of each stage, with what follows them."""
    text = re.sub(r"^#.*\n", "", RECIPE.read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", "")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    made: list[list[tuple[str, str]]] = []
    for keyword, rest in lines:
        if keyword == "FROM":
            made.append([])
        made[-1].append((keyword, rest.strip()))
    return made


def told(stage: int, keyword: str) -> list[str]:
    """What follows a keyword in a stage, each time."""
    return [rest for word, rest in stages()[stage] if word == keyword]


def command() -> list[str]:
    """The arguments of ``crownhead`` that the container starts with."""
    (entry,), (arguments,) = told(-1, "ENTRYPOINT"), told(-1, "CMD")
    assert json.loads(entry) == ["crownhead"]
    return [str(argument) for argument in json.loads(arguments)]


def compose() -> dict[str, Any]:
    """The services of ``compose.yaml``."""
    services: dict[str, Any] = yaml.safe_load((HOUSE / "compose.yaml").read_text("utf-8"))["services"]
    return services


def test_the_first_stage_copies_what_a_build_takes() -> None:
    copied = {source for rest in told(0, "COPY") for source in rest.split()[:-1]}
    assert copied == SOURCES - {"PKG-INFO"}
    let_through = {
        line[1:] for line in (HOUSE / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")
    }
    assert let_through == copied
    assert all((HOUSE / path).exists() for path in copied)


def test_the_second_stage_takes_the_club_from_where_the_first_one_put_it() -> None:
    (names,) = (rest for rest in told(0, "FROM"))
    (copied,) = told(-1, "COPY")
    assert names.split(" AS ")[1] == copied.split()[0].removeprefix("--from=")
    source, target = copied.split()[1:]
    assert source == target  # scripts of an environment name their interpreter by its path
    assert any(f"python -m venv {source}" in line for line in told(0, "RUN"))
    assert any(f"PATH={source}/bin:" in line for line in told(-1, "ENV"))
    # So that the interpreter of the environment is there.
    assert names.split()[0] == told(-1, "FROM")[0]


def test_the_image_can_back_up_the_database_of_the_example() -> None:
    """`pg_dump` reads servers of its own version and older ones."""
    (release,) = re.findall(r"-slim-(\w+)", told(-1, "FROM")[0])
    (server,) = re.findall(r"postgres:(\d+)", compose()["database"]["image"])
    assert int(server) <= {"bookworm": 15, "trixie": 17}[release]
    assert any("install" in line and "postgresql-client" in line for line in told(-1, "RUN"))


def test_the_image_has_a_python_and_an_extra_that_the_project_names() -> None:
    version = re.search(r"python:(\d+\.\d+)-slim", told(0, "FROM")[0])
    assert version
    assert f"Programming Language :: Python :: {version[1]}" in project()["project"]["classifiers"]
    (extra,) = {found for line in told(0, "RUN") for found in re.findall(r"\.whl\)?\[(\w+)\]", line)}
    assert extra in project()["project"]["optional-dependencies"]


def test_the_container_serves_on_every_address_as_a_user_without_privileges() -> None:
    assert "crownhead" in project()["project"]["scripts"]
    options = parser().parse_args(command())
    assert options.host == "0.0.0.0"
    assert told(-1, "EXPOSE") == [str(options.port)]
    (user,) = told(-1, "USER")
    assert any(f"useradd --system --uid 1000 --home-dir /data {user}" in line for line in told(-1, "RUN"))


def test_the_data_folder_is_the_volume() -> None:
    (volume,) = told(-1, "VOLUME")
    (environment,) = told(-1, "ENV")
    assert f"{VARIABLE}={volume}" in environment.split()
    assert options_of(environment) <= {"DATA"}


def options_of(environment: str) -> set[str]:
    """The settings of the club among variables of the environment."""
    return set(re.findall(r"\bCROWNHEAD_(\w+)=", environment))


def test_the_check_of_health_asks_a_page_that_exists() -> None:
    (check,) = told(-1, "HEALTHCHECK")
    script = json.loads(check[check.index("CMD") + 3 :])[-1]
    compile(script, "HEALTHCHECK", "exec")
    (address,) = re.findall(r"http://[^']+", script)
    assert urlsplit(address).port == parser().parse_args(command()).port
    assert resolve(urlsplit(address).path).func is not None


@pytest.mark.parametrize("file", ["Containerfile", "Makefile"])
def test_options_of_the_build_exist(file: str) -> None:
    defined = set(_DEFINE.findall((HOUSE / file).read_text("utf-8")))
    cmake = (HOUSE / "CMakeLists.txt").read_text("utf-8")
    assert defined
    assert {name for name in defined if not re.search(rf"\b(option|set)\({name}\b", cmake)} == set()


@pytest.mark.parametrize("name", ["club", "worker"])
def test_the_containers_of_the_club_run_commands_and_set_settings_that_exist(name: str) -> None:
    service = compose()[name]
    assert (HOUSE / service["build"]["dockerfile"]).samefile(RECIPE)
    assert callable(parser().parse_args(service["command"]).run)
    settings = {variable for variable in service["environment"] if variable != "DATABASE_URL"}
    assert {variable.removeprefix("CROWNHEAD_").lower() for variable in settings} <= KNOWN
    assert [PurePosixPath(volume.split(":")[1]) for volume in service["volumes"]] == [
        PurePosixPath(volume) for volume in told(-1, "VOLUME")
    ]
    assert service["depends_on"] == {"database": {"condition": "service_healthy"}}


def test_the_club_reaches_its_database_and_the_proxy_the_club() -> None:
    club, database, proxy = (compose()[name] for name in ("club", "database", "proxy"))
    address = urlsplit(re.sub(r"\$\{(\w+)[^}]*\}", r"\1", club["environment"]["DATABASE_URL"]))
    owner = database["environment"]
    assert (address.hostname, address.username, f"${{{address.password}}}") == (
        "database",
        owner["POSTGRES_USER"],
        owner["POSTGRES_PASSWORD"],
    )
    assert address.path == f"/{owner['POSTGRES_DB']}"
    assert club["expose"] == [str(parser().parse_args(club["command"]).port)]
    assert "ports" not in club  # only the proxy is reached from outside, for its headers are trusted
    caddy = (HOUSE / "deploy" / "Caddyfile").read_text("utf-8")
    assert f"reverse_proxy club:{club['expose'][0]} " in caddy
    for path in re.findall(r"(?:health_uri|respond) (\S+)", caddy):
        assert resolve(path).func is not None
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in proxy["volumes"]


def test_the_volumes_and_the_proxy_of_the_example_are_named() -> None:
    document = yaml.safe_load((HOUSE / "compose.yaml").read_text("utf-8"))
    mounted = {
        volume.split(":")[0] for service in document["services"].values() for volume in service["volumes"]
    }
    assert {name for name in mounted if not name.startswith(".")} == set(document["volumes"])
