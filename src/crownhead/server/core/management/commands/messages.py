"""``manage.py messages``: bring the catalogues of translations up to date with the texts of the sources."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from crownhead.server.core.languages import CATALOGUE
from crownhead.server.core.languages.catalogues import translated, update
from crownhead.server.core.languages.sources import marked_texts


class Command(BaseCommand):
    """For the languages that are named, or for all that there are."""

    help = "Write every text of the site into the catalogue of a language; translations are kept."

    def add_arguments(self, parser: CommandParser) -> None:
        """The languages, by the names of their folders."""
        parser.add_argument("languages", nargs="*", help="such as nl or pt_BR; default: all")

    def handle(self, *_: Any, languages: list[str], **__: Any) -> None:
        """Write, and say how much is translated."""
        folder = settings.LANGUAGE_FOLDERS[0]
        texts = list(marked_texts())
        for language in languages or sorted(path.parents[1].name for path in folder.glob(f"*/{CATALOGUE}")):
            catalogue = update(folder / language / CATALOGUE, texts)
            done = translated(catalogue)
            self.stdout.write(f"{language}: {done} of {len(catalogue)} texts are translated.")
