"""Static files under names that carry their hash, so that browsers may keep them for good."""

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

_IMPORT = r"""(?P<matched>(?P<before>\b(?:from|import)\s*)["'](?P<url>\.{1,2}/[\w./-]+\.js)["'])"""


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """As WhiteNoise's, but our modules import one another by hashed names too.

    A file that was not collected is served under its own name.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("crownhead/*.js", ((_IMPORT, '%(before)s"%(url)s"'),)),
    )

    def stored_name(self, name: str) -> Any:
        """The name under which a file is served: its own if it was not collected."""
        try:
            return super().stored_name(name)
        except ValueError:
            return name
