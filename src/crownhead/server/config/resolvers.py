"""Parts of the site whose URLs are imported when one of them is first asked for or written.

Where Django is replaced: decision 63.
"""

from typing import Any

from django.urls import URLResolver
from django.urls.resolvers import RoutePattern
from django.utils.translation import get_language


class _Later(URLResolver):
    """A namespace without others inside; `URLResolver` would read its names to write any URL of the site."""

    @property
    def reverse_dict(self) -> Any:
        """The addresses by name, which are read now."""
        if get_language() not in self._reverse_dict:
            super()._populate()
        return super().reverse_dict

    @property
    def namespace_dict(self) -> dict[str, Any]:
        """No namespaces."""
        return {}

    @property
    def app_dict(self) -> dict[str, Any]:
        """No apps."""
        return {}

    def _populate(self) -> None:
        """Read nothing: another part of the site may be asked for."""


def later(route: str, module: str, *, namespace: str) -> URLResolver:
    """What `path` and `include` make of a module with URLs, which is not imported yet."""
    return _Later(RoutePattern(route), module, app_name=namespace, namespace=namespace)
