"""The lines of templates fit on a screen; letters apart, whose tables are written for e-mail programs."""

from __future__ import annotations

from tests.house.tree import files, name

LONGEST = 120


def test_no_line_of_a_template_is_longer_than_120_characters() -> None:
    long = [
        f"{name(path)}:{number}: {len(line)} characters"
        for path in files("src/crownhead/server", suffixes=(".html",))
        if "templates" in path.parts and path.parent.name != "mail"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert long == [], f"expected these lines to be broken at {LONGEST} characters, between tags or at spaces"
