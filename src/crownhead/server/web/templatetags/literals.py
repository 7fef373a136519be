"""Django's ``translate`` and ``url``, which remember what a literal reads and where it leads.

A page holds a hundred texts, and Django makes a lazy string of each every time: a tenth of what it costs. A
list has an address or two for each of its lines, and to write one Django goes through the names of the site.
The settings of the templates put this library in the place of `i18n`, so that they load that as everywhere,
and among those that need not be loaded, for ``url``. Where Django is replaced: decision 63.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.template import Context, Library, defaulttags
from django.template.base import Parser, Token
from django.template.defaulttags import URLNode
from django.templatetags import i18n
from django.templatetags.i18n import TranslateNode
from django.urls import URLResolver, get_resolver, get_script_prefix, get_urlconf, reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import trans_real

register = Library()
register.tags.update(i18n.register.tags)
register.filters.update(i18n.register.filters)

_SIMPLE = {str, int, SafeString}  # arguments that are equal only where they are written alike


class LiteralTranslation(TranslateNode):
    """``{% translate "a text" %}``: the text in the language that was last asked for, and in which."""

    kept: tuple[object, str] | None = None

    def render(self, context: Context) -> str:
        """The text in the active language."""
        catalogue, kept = trans_real.catalog(), self.kept
        if kept is not None and kept[0] is catalogue:
            return kept[1]
        text = super().render(context)
        self.kept = catalogue, text
        return text


@register.tag
@register.tag("trans")
def translate(parser: Parser, token: Token) -> TranslateNode:
    """Django's tag; literals without a context, a filter or a variable of their own are remembered."""
    node = i18n.do_translate(parser, token)
    expression = node.filter_expression
    is_literal = expression.var.literal is not None and not expression.filters
    if node.asvar or node.message_context or node.noop or not is_literal:
        return node
    return LiteralTranslation(expression, node.noop)


class KnownAddress(URLNode):
    """``{% url "a name" an argument … %}``: an address asked for lately is not put together again."""

    def render(self, context: Context) -> str:
        """The address, the same in every language."""
        found = tuple([argument.resolve(context) for argument in self.args])
        if not context.autoescape or any(type(argument) not in _SIMPLE for argument in found):
            return super().render(context)
        return known_address(self.view_name.var, found, _app_of(getattr(context, "request", None)))


def _app_of(request: Any) -> str | None:
    """The namespace of the page that asks, as Django finds it."""
    match = getattr(request, "resolver_match", None)
    app: str | None = getattr(request, "current_app", match.namespace if match else None)
    return app


def known_address(name: str, arguments: tuple[str | int, ...], app: str | None = None) -> SafeString:
    """The escaped address of a page; ``app``: the namespace of the one that asks. Raises `NoReverseMatch`."""
    return _address(name, arguments, app, get_resolver(get_urlconf()), get_script_prefix())


@lru_cache(maxsize=4096)
def _address(
    name: str, arguments: tuple[Any, ...], app: str | None, _site: URLResolver, _prefix: str
) -> SafeString:
    return conditional_escape(reverse(name, args=arguments, current_app=app))


@register.tag
def url(parser: Parser, token: Token) -> URLNode:
    """Django's tag; addresses by a literal name and plain arguments are remembered."""
    node = defaulttags.url(parser, token)
    named = node.view_name
    is_literal = isinstance(named.var, str) and not named.filters
    if node.kwargs or node.asvar or not is_literal:
        return node
    return KnownAddress(node.view_name, node.args, node.kwargs, node.asvar)
