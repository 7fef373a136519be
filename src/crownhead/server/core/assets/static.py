"""Static files under hashed names, so that browsers can cache them forever; scripts and styles as bundles."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

from crownhead.server.core.assets import bundles

logger = logging.getLogger(__name__)

# What is loaded later says `await import(…)`: without `await` it is a type in a comment, which may go round.
_IMPORT = (
    r"""(?P<matched>(?P<before>\b(?:from\s*|import\s*|await import\())"""
    r"""["'](?P<url>\.{1,2}/[\w./-]+\.js)["'])"""
)
_OF_PAGES = ("crownhead/", "django_htmx/htmx-2.min.")

# Of what a module fetches: `new URL("….wasm", import.meta.url)`.
_ADDRESS = r"""(?P<matched>(?P<before>\bnew URL\()["'](?P<url>\.{1,2}/[\w./-]+\.(?:js|wasm))["'])"""


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, with hashed names in the imports and addresses of our JavaScript modules too.

    A script or a style that has a bundle is served as that, if the bundles are current. A file that was not
    collected is served under its own name.
    """

    keep_intermediate_files = False  # those whose imports have no hashed names yet: they cost a start time

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("crownhead/*.js", tuple((found, '%(before)s"%(url)s"') for found in (_IMPORT, _ADDRESS))),
    )

    _by_brotli = True

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Hash and compress; bundles of other sources are left out."""

        def read(name: str) -> bytes:
            storage, path = paths[name]
            return Path(storage.path(path)).read_bytes()

        if not bundles.are_current(paths, read):
            logger.warning(
                "Scripts and styles are served one by one: they have changed since `make bundles`."
            )
            paths = {name: path for name, path in paths.items() if not bundles.is_bundled(name)}
        yield from super().post_process(paths, *args, **options)

    def compress_files(self, paths: Iterable[str]) -> Iterator[Any]:
        """Compress what is named by a hash; brotli at its best takes long: it is for pages of the club."""
        hashed = set(self.hashed_files.values()).intersection(paths)
        of_pages = {name for name in hashed if name.startswith(_OF_PAGES)}
        for self._by_brotli, names in ((True, of_pages), (False, hashed - of_pages)):
            yield from super().compress_files(names)

    def create_compressor(self, **options: Any) -> Any:
        """Compress by gzip, and what `compress_files` says by brotli as well."""
        return super().create_compressor(use_brotli=self._by_brotli, **options)

    def stored_name(self, name: str) -> Any:
        """The name a file is served under: its own if it was not collected."""
        bundle = bundles.ENTRIES.get(name)
        try:
            return super().stored_name(bundle if bundle in self.hashed_files else name)
        except ValueError:
            return name


def imported_by_every_page() -> list[str]:
    """The addresses of what the script of every page imports: none where the sources are served."""
    names = {} if settings.DEBUG else getattr(staticfiles_storage, "hashed_files", {})
    return [staticfiles_storage.url(name) for name in sorted(names) if name.startswith(bundles.FIRST)]
