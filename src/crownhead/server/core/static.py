"""Static files under hashed names, so that browsers can cache them forever."""

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

_IMPORT = r"""(?P<matched>(?P<before>\b(?:from|import)\s*)["'](?P<url>\.{1,2}/[\w./-]+\.js)["'])"""


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, with hashed names in the imports of our JavaScript modules too.

    A file that was not collected is served under its own name.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("crownhead/*.js", ((_IMPORT, '%(before)s"%(url)s"'),)),
    )

    def stored_name(self, name: str) -> Any:
        """The name a file is served under: its own if it was not collected."""
        try:
            return super().stored_name(name)
        except ValueError:
            return name
