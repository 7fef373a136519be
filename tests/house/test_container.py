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
from crownhead.server.core.data_folder import VARIABLE
from crownhead.server.core.options import KNOWN
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
    """The example of ``compose.yaml`` in the manual."""
    page = (HOUSE / "docs" / "operating.md").read_text("utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    services: dict[str, Any] = yaml.safe_load(example)["services"]
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


def test_the_example_of_several_containers_sets_what_exists() -> None:
    club, database = compose()["club"], compose()["database"]
    assert (HOUSE / club["build"]["dockerfile"]).samefile(RECIPE)
    settings = {name for name in club["environment"] if name != "DATABASE_URL"}
    assert {name.removeprefix("CROWNHEAD_").lower() for name in settings} <= KNOWN
    assert [PurePosixPath(volume.split(":")[1]) for volume in club["volumes"]] == [
        PurePosixPath(volume) for volume in told(-1, "VOLUME")
    ]
    assert [port.rsplit(":", 1)[1] for port in club["ports"]] == told(-1, "EXPOSE")
    address = urlsplit(club["environment"]["DATABASE_URL"])
    owner = database["environment"]
    assert (address.hostname, address.username, address.password) == (
        "database",
        owner["POSTGRES_USER"],
        owner["POSTGRES_PASSWORD"],
    )
    assert address.path == f"/{owner['POSTGRES_DB']}"
