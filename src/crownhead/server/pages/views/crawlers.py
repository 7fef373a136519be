"""What search engines and browsers ask for unasked: robots.txt, the sitemap, an icon."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap as sitemap_view
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from crownhead import VARIANTS
from crownhead.server.core.http import site_address
from crownhead.server.social.selectors import help_pages

_A_DAY = 24 * 3600
# What is a member's own, what programs ask for, and boards with any number of addresses.
_NOT_FOR_CRAWLERS = (
    "/accounts/ /analysis/ /api/ /badges/ /editor/ /events /messages/ /metrics /my-data/ /preferences/ "
    "/report/ /staff/ /try/"
).split()
_PAGES = (
    "pages:home pages:rules pages:watch pages:computer_board lobby:waiting_room ladders:list "
    "competitions:all teams:all ratings:overview people:players problems:all social:news "
    "social:help_topics social:questions"
).split()


class PublicPages(Sitemap[str]):
    """The pages that are the same for everybody and worth finding: the lists of the club, and the rules.

    ``address``: of the site, which is no matter of the port that a request names.
    """

    def __init__(self, address: str) -> None:
        self.address = address

    def get_protocol(self, protocol: str | None = None) -> str:  # noqa: ARG002 - that of the request
        """That of the address."""
        return self.address.partition("://")[0]

    def get_domain(self, site: object = None) -> str:  # noqa: ARG002 - that of the request
        """The rest of the address."""
        return self.address.partition("://")[2]

    def items(self) -> Iterable[str]:
        """Their paths."""
        return [
            *map(reverse, _PAGES),
            *(reverse("pages:rules_of", args=[key]) for key in VARIANTS),
            *(reverse("social:help", args=[key]) for key in help_pages.TOPICS),
        ]

    def location(self, item: str) -> str:
        """The path itself."""
        return item


@require_safe
@cache_control(public=True, max_age=_A_DAY)
def robots(request: HttpRequest) -> HttpResponse:
    """Ask crawlers to leave out what is no use to them (RFC 9309)."""
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in _NOT_FOR_CRAWLERS),
        "",
        f"Sitemap: {site_address(request)}{reverse('pages:sitemap')}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=_A_DAY)
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the public pages (sitemaps.org)."""
    return sitemap_view(request, sitemaps={"pages": PublicPages(site_address(request))}).render()


@require_safe
@cache_control(public=True, max_age=_A_DAY)
def favicon(_request: HttpRequest) -> HttpResponse:
    """Lead programs that ask for an icon by its old name to the one that pages name."""
    return HttpResponse(status=302, headers={"Location": static("crownhead/img/touch-180.png")})
