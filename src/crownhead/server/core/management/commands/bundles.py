"""``manage.py bundles``: join and minify the scripts and styles of pages, with esbuild by way of Deno."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management.base import BaseCommand, CommandError

from crownhead.server.core.assets import bundles

_DENO = Path(sys.executable).with_name("deno")
_OPTIONS = ("--quiet", "--no-config", "--platform", "browser", "--minify", "--code-splitting")
_CHUNK = re.compile(r"(?P<stem>\w+)-[A-Z0-9]{8}\.js")
_AT_ONCE = re.compile(r'\b(?:from|import)"\./(chunk-[A-Z0-9]{8}\.js)"')


class Command(BaseCommand):
    """Fetches esbuild the first time."""

    help = "Write the bundles of the scripts and styles of pages."

    def handle(self, *_: Any, **__: Any) -> None:
        """Bundle what the finders find, and say how large it became."""
        (folder,) = (Path(root) / bundles.FOLDER for root in settings.STATICFILES_DIRS)
        found = {
            name: Path(storage.path(name)) for f in finders.get_finders() for name, storage in f.list([])
        }
        with TemporaryDirectory() as temporary:
            sources, made = Path(temporary) / "sources", Path(temporary) / "made"
            for name, path in found.items():
                if bundles.is_source(name):
                    _write(sources / name, path.read_bytes())
            for suffix in (".js", ".css"):
                _bundle([sources / name for name in bundles.ENTRIES if name.endswith(suffix)], made)
            written = _with_plain_names({path.name: path.read_text("utf-8") for path in made.iterdir()})
        digest = bundles.digest(found, lambda name: found[name].read_bytes())
        for old in folder.glob("*"):
            old.unlink()
        for name, text in {**written, Path(bundles.MADE_FROM).name: f"{digest}\n"}.items():
            _write(folder / name, text.encode())
        self.stdout.write(f"{folder}: {len(written)} files, {sum(map(len, written.values())):,} bytes.")


def _bundle(entries: list[Path], folder: Path) -> None:
    command = [str(_DENO), "bundle", *_OPTIONS, "--outdir", str(folder), *map(str, entries)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise CommandError(f"expected bundles in {folder}, got\n{ended.stderr}")


def _with_plain_names(made: dict[str, str]) -> dict[str, str]:
    """Chunks are named by hashes, which the site adds itself: their names are to stay as they change."""
    at_once = _AT_ONCE.findall(made["site.js"])
    shared = sorted(
        (name for name in made if name.startswith("chunk-") and name not in at_once),
        key=lambda chunk: _importers(chunk, made),
    )
    names = {name: _CHUNK.sub(r"\g<stem>.js", name) for name in made if _CHUNK.fullmatch(name)}
    names |= {name: f"site-{number}.js" for number, name in enumerate(at_once, 1)}
    names |= {name: f"shared-{number}.js" for number, name in enumerate(shared, 1)}
    return {
        names.get(name, name): _CHUNK.sub(lambda chunk: names.get(chunk[0], chunk[0]), text)
        for name, text in made.items()
    }


def _importers(chunk: str, made: dict[str, str]) -> list[str]:
    """The bundles that speak of a chunk, whose own hash changes with the folder that it is made in."""
    return sorted(_CHUNK.sub(r"\g<stem>", name) for name, text in made.items() if chunk in text)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
