"""The manual's page on design: what pages of a club are made of, by their own style sheets and templates."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.template import Context, Engine

from crownhead import Colour, Game

DOCS = Path(__file__).resolve().parents[1]
SERVER = DOCS.parent / "src" / "crownhead" / "server"
FOLDER = "design_parts"  # beside the page, in the manual that was built
PARTS = ("basics", "boards", "club")
SHEETS = ("club", "community", "contests", "charts")  # beside those that site.css imports
_TEMPLATES = (
    DOCS / "parts",
    SERVER / "play" / "templates",
    SERVER / "web" / "templates",
    SERVER / "static" / "crownhead",  # the drawings of pieces
)
_IMPORT = re.compile(r'@import "\./(?P<name>\w+)\.css"(?: (?P<media>\(.+\)))?;')
_TOKEN = re.compile(r"^ +(--[\w-]+): ([^;]+);$", re.MULTILINE)
# What becomes of colours where the system forces its own: the browser does it by itself, a frame is told.
_INK = ("--text", "--muted", "--good", "--bad", "--warn", "--line", "--edge")
_GROUND = ("--page", "--surface", "--zebra", "--hover", "--on-primary")
_SOFT = ("--primary-soft", "--good-soft", "--bad-soft", "--warn-soft")

# What each token is for. Their values are only in tokens.css and dark.css.
USES: Mapping[str, str] = MappingProxyType(
    {
        "--page": "behind everything",
        "--surface": "boxes, fields, bars",
        "--zebra": "every other row, the row under the pointer",
        "--text": "text",
        "--muted": "less important text",
        "--primary": "links, main buttons, selected items",
        "--on-primary": "text on the primary colour",
        "--good": "success, gains, wins",
        "--bad": "errors, danger, losses",
        "--warn": "warnings, short time",
        "--line": "lines between parts",
        "--edge": "frames of fields and choices",
        "--hover": "the item under the pointer",
        "--primary-soft": "the background of selected items, and of your own",
        "--good-soft": "the background of success",
        "--bad-soft": "the background of errors",
        "--warn-soft": "the background of warnings",
        "--shadow": "below boxes and panels",
        "--board-light": "light squares",
        "--board-dark": "dark squares",
        "--board-frame": "the frame of a board",
        "--board-number": "names in dark squares",
        "--board-number-light": "names in light squares",
        "--board-line": "lines of boards that are made of lines",
        "--board-edge": "names around a board",
        "--black-disc": "black pieces",
        "--black-rim": "their rim",
        "--black-groove": "their grooves",
        "--black-emblem": "the sign on them",
        "--red-disc": "the same pieces where players call them red",
        "--red-rim": "their rim",
        "--red-groove": "their grooves",
        "--red-emblem": "the sign on them",
        "--white-disc": "white pieces",
        "--white-rim": "their rim",
        "--white-groove": "their grooves",
        "--white-emblem": "the sign on them",
        "--rim-on-page": "the rim of a disc beside text",
        "--mark-last": "the last move, on dark squares",
        "--mark-last-light": "the same on light squares",
        "--mark-selected": "the piece that was touched",
        "--mark-selected-light": "the same on light squares",
        "--mark-target": "where it may go",
        "--mark-target-light": "the same on light squares",
        "--mark-movable": "pieces that may move",
        "--mark-movable-light": "the same on light squares",
        "--mark-planned": "a move that is planned",
        "--mark-planned-light": "the same on light squares",
        "--mark-ink": "signs on a mark",
        "--mark-ink-light": "the same on light squares",
        "--text-on-board": "text on a board",
        "--halo-on-board": "the light around them",
        "--diagram-mark": "rings and arrows on small boards",
        "--diagram-mark-edge": "their edge",
        "--step-1": "the smallest gap",
        "--step-2": "between items on a line",
        "--step-3": "inside small parts",
        "--step-4": "inside boxes, between parts",
        "--step-5": "between parts that stand apart",
        "--step-6": "between columns",
        "--step-8": "around sections",
        "--step-12": "around pages",
        "--control": "the height of controls: a fingertip",
        "--radius": "corners of boxes",
        "--radius-small": "corners of buttons and fields",
        "--font": "all text",
        "--small": "notes and hints",
        "--tiny": "labels over fields, figures",
        "--large": "lead text, large buttons",
        "--top-bar": "the height of the bar at the top",
        "--bottom-bar": "the height of the bar at the bottom of a phone",
    }
)


def design_tokens() -> str:
    """The table of tokens: name, value on light and on dark pages, what it is for."""
    light, dark = values("tokens.css"), values("dark.css")
    rows = [
        f"| `{token}` | {_value(light[token])} | {_value(dark.get(token, ''))} | {use} |"
        for token, use in USES.items()
    ]
    return "\n".join(("| token | light | dark | for |", "|---|---|---|---|", *rows))


def design_frames() -> str:
    """A frame with every part for each look."""
    looks = (("light", "Light"), ("dark", "Dark"), ("forced", "Forced colours"))
    return "\n\n".join(
        f'## {title}\n\n<iframe class="design" src="{FOLDER}/{look}.html" title="{title}"></iframe>'
        for look, title in looks
    )


def values(sheet: str) -> dict[str, str]:
    """The tokens of the first rule of a style sheet, with their values."""
    text = (SERVER / "static" / "crownhead" / "css" / sheet).read_text("utf-8")
    return dict(_TOKEN.findall(text.partition(":root {")[2].partition("\n  }\n")[0]))


def document(look: str, *, css: str) -> str:
    """A page with every part: ``light``, ``dark`` or ``forced``; ``css``: where the style sheets are."""
    extra = {"dark": ("dark",), "forced": ("forced",)}.get(look, ())
    links = "\n".join(_links(css, *SHEETS, *extra))
    scheme = "dark" if look == "dark" else "light"
    engine = Engine(dirs=[str(folder) for folder in _TEMPLATES])
    context = Context(_boards())
    parts = "\n".join(engine.get_template(f"{part}.html").render(context) for part in PARTS)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{scheme}">
<title>Parts of pages</title>
<link rel="icon" href="data:,">
{links}
{_forced() if look == "forced" else ""}
</head>
<body>
{engine.get_template("pieces.html").render(context)}
<main class="page">
{parts}
</main>
</body>
</html>
"""


def write(folder: Path) -> None:
    """Write the pages, and the style sheets that they use, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "css").mkdir(exist_ok=True)
    for sheet in sheets():
        shutil.copy(sheet, folder / "css" / sheet.name)
    for look in ("light", "dark", "forced"):
        (folder / f"{look}.html").write_text(document(look, css="css/"), "utf-8")


def sheets() -> Iterator[Path]:
    """The style sheets of the site."""
    yield from sorted(SERVER.glob("**/static/crownhead/css/*.css"))


def _links(css: str, *names: str) -> Iterator[str]:
    """Links to the sheets of every page one by one, and to others."""
    site = (SERVER / "static" / "crownhead" / "css" / "site.css").read_text("utf-8")
    for sheet in _IMPORT.finditer(site):
        media = f' media="{sheet["media"]}"' if sheet["media"] else ""
        yield f'<link rel="stylesheet" href="{css}{sheet["name"]}.css"{media}>'
    for name in names:
        yield f'<link rel="stylesheet" href="{css}{name}.css">'


def _boards() -> dict[str, Any]:
    """A board in the middle of a game as a page has it, and the same as a small one."""
    if not settings.configured:
        settings.configure(USE_I18N=False, LANGUAGE_FOLDERS=())
    from crownhead.server.play.presenters.board.boards import GameBoard
    from crownhead.server.play.presenters.board.diagrams import diagram
    from crownhead.server.play.presenters.board.moves import legal_moves
    from crownhead.server.play.presenters.board.touch import touch

    replay = Game("american")
    for move in ("11-15", "22-18", "15x22", "25x18"):
        replay.push(move)
    legal = legal_moves(replay.position)
    board = GameBoard(
        replay=replay, bottom=Colour.BLACK, ply=len(replay.moves), touch=touch(legal, (8,)), key=""
    )
    return {"board": board.presenter(), "game": diagram(replay.position, bottom=Colour.BLACK)}


def _forced() -> str:
    """A style that gives the page the colours of the system, but its boards."""
    colours = dict.fromkeys(_INK, "CanvasText") | dict.fromkeys((*_GROUND, *_SOFT), "Canvas")
    colours |= {"--primary": "LinkText", "--shadow": "none"}
    rules = " ".join(f"{token}: {colour};" for token, colour in colours.items())
    return f"<style>:root:root {{ {rules} }}</style>"


def _value(text: str) -> str:
    if text.startswith("#"):
        return f'<span class="swatch" style="background:{text}"></span> `{text}`'
    return f"`{text}`" if text else ""
