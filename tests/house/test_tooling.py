"""The files that configure editors, hooks, forms and scripts can be read, and name only what exists."""

from __future__ import annotations

import configparser
import json
import re
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.house.tree import HOUSE, name, project

FORMS = sorted(path for path in (HOUSE / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
_TASK = re.compile(r"\bdeno task (?:--quiet )?(\w+)")


def parsed(path: str | Path) -> Any:
    """A YAML file of the repository."""
    return yaml.safe_load((HOUSE / path).read_text("utf-8"))


def required(group: str) -> set[str]:
    """The packages that a group of dependencies names."""
    return {re.split(r"[^\w-]", line, maxsplit=1)[0] for line in project()["dependency-groups"][group]}


def hooks(stage: str = "pre-commit") -> list[dict[str, Any]]:
    """The hooks of pre-commit that run at a stage."""
    config = parsed(".pre-commit-config.yaml")
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    return [
        hook for hook in config["repos"][0]["hooks"] if stage in hook.get("stages", config["default_stages"])
    ]


@pytest.mark.parametrize(("subject", "is_refused"), [("x" * 72, False), ("x" * 73, True)])
def test_a_hook_refuses_a_commit_whose_subject_is_too_long(subject: str, is_refused: bool) -> None:
    (hook,) = hooks("commit-msg")
    assert (hook["language"], hook["args"]) == ("pygrep", ["--multiline"])
    message = f"{subject}\n\n{'The body may have longer lines. ' * 5}\n"
    assert bool(re.search(hook["entry"], message, re.MULTILINE | re.DOTALL)) is is_refused


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: hook["id"])
def test_a_hook_calls_a_tool_that_make_check_installs_and_runs(hook: dict[str, Any]) -> None:
    folder, _, tool = hook["entry"].split()[0].rpartition("/")
    assert (hook["language"], folder) == ("system", ".venv/bin")
    assert tool.replace("lint-imports", "import-linter") in required("dev")
    assert (Path(sysconfig.get_path("scripts")) / tool).exists()
    assert f"$(bin)/{tool}" in (HOUSE / "Makefile").read_text("utf-8")


def test_hooks_watch_files_that_exist() -> None:
    tracked = [name(path) for folder in ("src", "native", "tests") for path in (HOUSE / folder).rglob("*.*")]
    for hook in hooks():
        pattern = re.compile(hook.get("files", ""))
        assert any(pattern.search(path) for path in tracked), hook["id"]


def test_tasks_of_deno_that_are_called_exist() -> None:
    tasks = json.loads((HOUSE / "deno.json").read_text("utf-8"))["tasks"]
    callers = ("Makefile", ".pre-commit-config.yaml", "CONTRIBUTING.md")
    called = {task for caller in callers for task in _TASK.findall((HOUSE / caller).read_text("utf-8"))}
    assert called == set(tasks)


def test_scripts_are_checked_and_tested_without_a_network() -> None:
    tasks = json.loads((HOUSE / "deno.json").read_text("utf-8"))["tasks"]
    commands = [part for task in tasks.values() for part in task.split(" && ") if "lint" not in part]
    assert commands
    assert [command for command in commands if "--no-remote --no-npm" not in command] == []


def test_editors_are_told_the_width_that_the_formatter_holds() -> None:
    config = configparser.ConfigParser()
    config.read_string("[top]\n" + (HOUSE / ".editorconfig").read_text("utf-8"))
    assert config["top"]["root"] == "true"
    assert config["Makefile"]["indent_style"] == "tab"
    assert int(config["*.{py,hpp,cpp}"]["max_line_length"]) == project()["tool"]["ruff"]["line-length"]


@pytest.mark.parametrize("path", FORMS, ids=name)
def test_a_form_for_issues_has_a_name_and_fields_with_labels(path: Path) -> None:
    form = parsed(path)
    assert form["name"]
    assert form["description"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert all(field["attributes"]["label"] for field in fields)
    identities = [field["id"] for field in fields]
    assert len(set(identities)) == len(identities) > 0


def updates() -> dict[str, dict[str, Any]]:
    """What is kept up to date, by its kind."""
    return {update["package-ecosystem"]: update for update in parsed(".github/dependabot.yml")["updates"]}


def test_images_of_containers_are_kept_up_to_date() -> None:
    assert set(updates()) == {"pip", "docker", "docker-compose"}
    assert {update["directory"] for update in updates().values()} == {"/"}


def test_updates_are_grouped_by_packages_that_are_required() -> None:
    update = updates()["pip"]
    known = required("dev") | required("test")
    for group in update["groups"].values():
        for pattern in group["patterns"]:
            assert any(re.fullmatch(pattern.replace("*", ".*"), package) for package in known), pattern
