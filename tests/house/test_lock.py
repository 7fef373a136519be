"""The lock file of releases: it fits what pyproject.toml asks for, and says nothing of where it was made."""

from __future__ import annotations

import re

from packaging.requirements import Requirement

from tests.house.tree import HOUSE, project

LINES = (HOUSE / "requirements" / "server.lock").read_text("utf-8").splitlines()
_PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[0-9][\w.+!]*) \\$")
_HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}( \\)?$")
_COMMENT = re.compile(r"^ *#")
AGAIN = "run `make lock` (docs/operating.md#releases)"


def pins() -> dict[str, str]:
    """The version of each package."""
    return {pin["name"]: pin["version"] for line in LINES if (pin := _PIN.match(line))}


def test_every_package_of_the_site_is_pinned_within_its_range() -> None:
    pinned = pins()
    for text in project()["project"]["optional-dependencies"]["server"]:
        asked = Requirement(text)
        assert asked.name in pinned, f"{asked.name} is missing: {AGAIN}"
        assert asked.specifier.contains(pinned[asked.name]), f"{asked} is not {pinned[asked.name]}: {AGAIN}"


def test_what_they_need_in_turn_is_pinned_too() -> None:
    assert {"asgiref", "sqlparse", "cffi", "fido2", "pydantic", "h11"} <= set(pins())


def test_every_pin_has_its_hashes() -> None:
    for line, following in zip(LINES, [*LINES[1:], ""], strict=True):
        assert not _PIN.match(line) or _HASH.match(following), f"{line}: {AGAIN}"


def test_it_names_no_registry_and_no_machine() -> None:
    other = [line for line in LINES if not (_PIN.match(line) or _HASH.match(line) or _COMMENT.match(line))]
    assert other == []
    assert [line for line in LINES if re.search(r"://|@ |/[a-z]+/", line)] == []
