"""Django's library `i18n`, with a ``translate`` that remembers what a literal reads.

A page holds a hundred of them, and Django makes a lazy string of each every time: a tenth of what it costs.
The settings of the templates put this one in its place, so that they load ``i18n`` as everywhere.
"""

from __future__ import annotations

from django.template import Context, Library
from django.template.base import Parser, Token
from django.templatetags import i18n
from django.templatetags.i18n import TranslateNode
from django.utils.translation import trans_real

register = Library()
register.tags.update(i18n.register.tags)
register.filters.update(i18n.register.filters)


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
    """As Django's; literals without a context, a filter or a variable of their own are remembered."""
    node = i18n.do_translate(parser, token)
    expression = node.filter_expression
    is_literal = expression.var.literal is not None and not expression.filters
    if node.asvar or node.message_context or node.noop or not is_literal:
        return node
    return LiteralTranslation(expression, node.noop)
