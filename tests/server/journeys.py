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
_EVENTS = "server/core/events.py"


@dataclass(slots=True)
class Journey:
    """The files of a request by their paths in the package, in the order in which it reaches them.

    ``modules`` has of each Python file the functions that run, so that one sees why a request comes there;
    ``reactions`` the same of what only runs because an app handles an event of another one.
    """

    modules: dict[str, list[str]] = field(default_factory=dict)
    reactions: dict[str, list[str]] = field(default_factory=dict)
    templates: list[str] = field(default_factory=list)


@contextmanager
def followed() -> Iterator[Journey]:
    """What runs within, in this thread: functions that are called, not modules that are imported."""
    journey = Journey()
    handler: FrameType | None = None  # of an event of another app, while it runs

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal handler
        code = frame.f_code
        if not code.co_filename.startswith(_OURS) or code.co_name == "<module>":
            return
        if event == "return" and frame is handler:
            handler = None
        if event != "call":
            return
        if handler is None and _handles_for_another_app(frame):
            handler = frame
        files = journey.modules if handler is None else journey.reactions
        ran = files.setdefault(code.co_filename.removeprefix(_OURS), [])
        if code.co_qualname not in ran:
            ran.append(code.co_qualname)

    render = Template._render  # type: ignore[attr-defined] # noqa: SLF001 # of pages, and of what they extend and include

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


def _handles_for_another_app(frame: FrameType) -> bool:
    """Whether a function is called by the emitter of events, and the event is none of its own app."""
    caller, here = frame.f_back, frame.f_code.co_filename.removeprefix(_OURS)
    if caller is None or caller.f_code.co_filename != f"{_OURS}{_EVENTS}" or here == _EVENTS:
        return False
    emitted = caller.f_locals.get("event")
    return app_of(here) != app_of(type(emitted).__module__.replace(".", "/").removeprefix("crownhead/"))


def app_of(path: str) -> str:
    """``play`` of ``server/play/models/games.py``."""
    return path.split("/")[1]
