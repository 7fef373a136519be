"""Runs every check of security and prints one table: ``make security``.

Exit status 1 where a check failed. Known weaknesses can be looked up only where a registry answers for them;
where none does, the table says so.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_PAGE = Path("docs/security.md")
_TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::\w+)?`")
_HERE = "tests/server/security"
_APART = tuple(f"{_HERE}/test_{name}.py" for name in ("permissions", "schemathesis", "deployment"))
_IN_BROWSERS = "tests/browser"
_SUMMARY = re.compile(r"(\d+) (passed|failed|errors?)")
NO_SOURCE = "no advisory source reachable"
NOT_INSTALLED = "not installed"
_PATIENCE = 300  # seconds for a program that asks others; behind some firewalls it would wait for ever
_TIMED_OUT = 124


@dataclass(frozen=True, slots=True)
class Result:
    """What a check found; ``good`` is None where it could not be made."""

    good: bool | None
    found: str
    output: str = ""


def outcome_of(*paths: str, options: Sequence[str] = ()) -> Result:
    """Run tests by their files."""
    done = _run("-m", "pytest", "-q", "--numprocesses", "2", "--dist", "worksteal", *options, *paths)
    return read_tests(done.stdout, done.stderr, status=done.returncode)


def read_tests(output: str, errors: str, *, status: int) -> Result:
    """What pytest found; where no test was run nothing was checked."""
    counts = _SUMMARY.findall((output.splitlines() or [""])[-1])
    found = ", ".join(" ".join(count) for count in counts) or "no test was run"
    if status == 0 and not counts:
        return Result(None, found)
    return Result(status == 0, found, f"{output}{errors}")


def named_tests(page: str) -> list[str]:
    """The files of tests that the page names, but for those with a check of their own, and in browsers."""
    return sorted({path for path in _TEST.findall(page) if not path.startswith((*_APART, _IN_BROWSERS))})


def in_browsers(page: str) -> Result:
    """Which files of tests that the page names are left to the tests in browsers."""
    named = sorted({path for path in _TEST.findall(page) if path.startswith(_IN_BROWSERS)})
    return Result(None, f"not run here: {', '.join(named)}")


def bandit() -> Result:
    """Look for patterns of weak code."""
    if find_spec("bandit") is None:
        return Result(None, NOT_INSTALLED)
    done = _run("-m", "bandit", "--quiet", "-c", "pyproject.toml", "-r", "src", "manage.py", "-f", "json")
    return read_bandit(done.stdout, done.stderr)


def read_bandit(output: str, errors: str) -> Result:
    """What bandit found; a report that it could not write is a fault, as is code that it could not read."""
    try:
        report = json.loads(output)
    except ValueError:
        return Result(False, "no report", errors)
    lines, unread = report["metrics"]["_totals"]["loc"], len(report["errors"])
    found = f"{len(report['results'])} found in {lines} lines" + (
        f", {unread} files unread" if unread else ""
    )
    return Result(not report["results"] and not unread and lines > 0, found, output)


def advisories() -> Result:
    """Ask for known vulnerabilities of the packages that are locked for releases."""
    if find_spec("pip_audit") is None:
        return Result(None, NOT_INSTALLED)
    options = ("-r", "requirements/server.lock", "--disable-pip", "--format", "json", "--timeout", "20")
    done = _run("-m", "pip_audit", *options, patience=_PATIENCE)
    return read_advisories(done.stdout)


def read_advisories(output: str) -> Result:
    """What pip-audit found out; it says nothing at all where its source does not answer."""
    try:
        packages = json.loads(output)["dependencies"]
    except ValueError:
        return Result(None, NO_SOURCE)
    known = [package for package in packages if "skip_reason" not in package]
    if not known:
        return Result(None, NO_SOURCE)
    weak = [f"{package['name']} {package['version']}" for package in known if package["vulns"]]
    left_out = f", {len(packages) - len(known)} unknown" if len(known) < len(packages) else ""
    return Result(not weak, f"{len(weak)} of {len(known)} packages weak{left_out}", "\n".join(weak))


CHECKS: dict[str, Callable[[], Result]] = {
    "permissions, forged forms": lambda: outcome_of(f"{_HERE}/test_permissions.py"),
    "all operations, any words": lambda: outcome_of(f"{_HERE}/test_schemathesis.py"),
    "settings of a deployment": lambda: outcome_of(
        f"{_HERE}/test_deployment.py", options=("-m", "not nightly")
    ),
    "tests named in docs/security.md": lambda: outcome_of(
        *named_tests(_PAGE.read_text("utf-8")), options=("-m", "not nightly and not browser")
    ),
    "… in browsers": lambda: in_browsers(_PAGE.read_text("utf-8")),
    "broken input to every parser": lambda: outcome_of("tests/fuzz"),
    "weak code (bandit)": bandit,
    "lock file": lambda: outcome_of("tests/house/test_lock.py"),
    "known vulnerabilities (pip-audit)": advisories,
}


def main() -> int:
    """Run them all; 1 if one failed."""
    results: dict[str, Result] = {}
    rows = [f"{'check':<34}{'result':<12}{'seconds':>8}  found"]
    for name, check in CHECKS.items():
        begun = time.monotonic()
        result = results[name] = check()
        word = {True: "good", False: "FAILED", None: "not checked"}[result.good]
        rows.append(f"{name:<34}{word:<12}{time.monotonic() - begun:>8.0f}  {result.found}")
        sys.stderr.write(f"{rows[-1]}\n")
    for name, result in results.items():
        if result.good is False:
            sys.stdout.write(f"── {name}\n{result.output}\n")
    sys.stdout.write("\n".join(["", *rows, ""]))
    return 1 if any(result.good is False for result in results.values()) else 0


def _run(*arguments: str, patience: float | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, _TIMED_OUT, "", "")


if __name__ == "__main__":
    sys.exit(main())
