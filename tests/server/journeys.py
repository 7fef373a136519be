"""Through how many of our files a request passes: what runs of them, and which templates are rendered."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from django.template import Template

import crownhead

_OURS = f"{Path(crownhead.__file__).parent}/"


@dataclass(slots=True)
class Journey:
    """The files of a request by their paths in the package, in the order in which it reaches them.

    ``modules`` has of each Python file the functions that run, so that one sees why a request comes there.
    """

    modules: dict[str, list[str]] = field(default_factory=dict)
    templates: list[str] = field(default_factory=list)


@contextmanager
def followed() -> Iterator[Journey]:
    """What runs within, in this thread: functions that are called, not modules that are imported."""
    journey, paths = Journey(), dict[str, str]()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(_OURS) or code.co_name == "<module>":
            return
        path = paths.setdefault(code.co_filename, code.co_filename.removeprefix(_OURS))
        ran = journey.modules.setdefault(path, [])
        if code.co_qualname not in ran:
            ran.append(code.co_qualname)

    render = Template._render  # type: ignore[attr-defined] # noqa: SLF001 # what pages, what they extend and what they include share

    def noted(self: Template, *arguments: Any) -> Any:
        path = str(self.origin.name)
        if path.startswith(_OURS) and path.removeprefix(_OURS) not in journey.templates:
            journey.templates.append(path.removeprefix(_OURS))
        return render(self, *arguments)

    before = sys.getprofile()
    Template._render = noted  # type: ignore[attr-defined] # noqa: SLF001
    sys.setprofile(note)
    try:
        yield journey
    finally:
        sys.setprofile(before)
        Template._render = render  # type: ignore[attr-defined] # noqa: SLF001
