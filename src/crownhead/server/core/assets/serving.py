"""Static files as they are sent to browsers and programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from wsgiref.headers import Headers

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

from crownhead.server.core.http import is_for_every_site
from crownhead.server.core.middleware import is_kept_for_ever


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise, which serves the modules of rules and engine as they were collected, also by plain names.

    Pages of other sites and programs know these names alone. So they get what the club's own pages get:
    compressed files, which import others by hashed names.
    """

    def add_files_from_finders(self) -> None:
        """Add the files of the package, and put what was collected in place of those for every site."""
        super().add_files_from_finders()
        hashed: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
        for name, stored in hashed.items():
            url, path = f"{self.static_prefix}{name}", Path(self.static_root) / stored
            if is_for_every_site(url) and path.is_file():
                self.files[url] = self.get_static_file(str(path), url)

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponseBase:
        """The answer; nobody asks again for a file that never changes, so it says nothing to compare."""
        answer: HttpResponseBase = WhiteNoiseMiddleware.serve(static_file, request)
        if is_kept_for_ever(answer):
            for name in ("ETag", "Last-Modified"):
                answer.headers.pop(name, None)
        return answer

    def add_mime_headers(self, headers: Headers, path: str, url: Any) -> None:
        """Name the type without quotes around the charset, which Deno does not read."""
        super().add_mime_headers(headers, path, url)
        headers["Content-Type"] = (headers["Content-Type"] or "").replace('"', "")
