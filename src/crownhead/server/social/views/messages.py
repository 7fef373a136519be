"""The pages of messages: lists, a conversation, a new message."""

from __future__ import annotations

from django.contrib import messages as notices
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User, has_blocked, player
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.pagination import Page, shortened
from crownhead.server.core.pagination import page as page_of
from crownhead.server.core.problems import Problem
from crownhead.server.social import presenters as social_presenters
from crownhead.server.social import selectors
from crownhead.server.social.forms.messages import MessageForm, ReplyForm
from crownhead.server.social.models import Message, Side
from crownhead.server.social.services import messages
from crownhead.server.social.services.limits import spend_for
from crownhead.server.web.done_once import done_once
from crownhead.server.web.page import frame, go_to, page

PER_PAGE = 25
MESSAGES_PER_PAGE = 50


@require_safe
@never_cache
@page
def conversations(request: HttpRequest) -> HttpResponse:
    """List the conversations, the latest first; ``?unread=1``: unread ones."""
    user, only_unread = signed_in(request), "unread" in request.GET
    rows = selectors.conversations(user=user, only_unread=only_unread)
    rows_page = page_of(
        rows, order=selectors.CONVERSATIONS_BY, cursor=request.GET.get("cursor") or None, limit=PER_PAGE
    )
    context = {
        "threads": social_presenters.threads(rows_page.items),
        "next": rows_page.next,
        "only_unread": only_unread,
        "box": "unread" if only_unread else "all",
        **frame(request),
    }
    return render(request, "social/conversations.html", context)


@require_safe
@never_cache
@page
def sent(request: HttpRequest) -> HttpResponse:
    """List the sent messages, the latest first."""
    user, cursor = signed_in(request), request.GET.get("cursor") or None
    rows = selectors.sent(user=user)
    rows_page = page_of(rows, order=selectors.MESSAGES_BY, cursor=cursor, limit=PER_PAGE)
    return _lines(request, rows_page, user, box="sent")


@require_safe
@never_cache
@page
def search(request: HttpRequest) -> HttpResponse:
    """List the messages that contain some words."""
    user, words = signed_in(request), request.GET.get("q", "").strip()[: selectors.LONGEST_SEARCH]
    cursor = request.GET.get("cursor") or None
    rows_page: Page[Message] = Page([], None)
    if words:
        rows_page = selectors.search(user=user, words=words, cursor=cursor, limit=PER_PAGE)
    return _lines(request, rows_page, user, box="search", words=words)


def _lines(
    request: HttpRequest, rows_page: Page[Message], user: User, *, box: str, words: str = ""
) -> HttpResponse:
    context = {
        "lines": social_presenters.lines(rows_page.items, viewer=user),
        "next": rows_page.next,
        "box": box,
        "words": words,
        **frame(request),
    }
    return render(request, "social/message_search.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@page
@done_once
def new(request: HttpRequest) -> HttpResponse:
    """Send a message: in a new conversation, or in the one without a subject."""
    user = signed_in(request)
    if request.method != "POST":
        known = {name: request.GET.get(name, "")[:80] for name in ("to", "subject")}
        return _show_new(request, MessageForm(initial=known, sender=user))
    form = MessageForm(request.POST, sender=user)
    if not form.is_valid():
        return _show_new(request, form, status=422)
    try:
        spend(scope="messages", who=caller(request))
        spend_for(user=user, other=player(form.cleaned_data["to"]))
        message = messages.write(
            user=user,
            to=form.cleaned_data["to"],
            subject=form.cleaned_data["subject"],
            text=form.cleaned_data["text"],
            now=clock.now(),
        )
    except Problem as problem:
        form.add_error(None, problem.message)
        return _show_new(request, form, status=problem.status)
    notices.success(request, _("Message sent."))
    return go_to(request, _address(message.conversation.public_id))


def _show_new(request: HttpRequest, form: MessageForm, *, status: int = 200) -> HttpResponse:
    return render(request, "social/new_message.html", {"form": form, **frame(request)}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@page
@done_once
def conversation(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a conversation, with a form to reply."""
    user = signed_in(request)
    side = selectors.access_conversation(user=user, public_id=public_id)
    if request.method != "POST":
        return _show(request, user, side, ReplyForm())
    form = ReplyForm(request.POST)
    if not form.is_valid():
        return _show(request, user, side, form, status=422)
    try:
        spend(scope="messages", who=caller(request))
        spend_for(user=user, other=side.other)
        messages.reply(user=user, conversation_id=public_id, text=form.cleaned_data["text"], now=clock.now())
    except Problem as problem:
        form.add_error(None, problem.message)
        return _show(request, user, side, form, status=problem.status)
    return go_to(request, _address(public_id))


def _show(
    request: HttpRequest, user: User, side: Side, form: ReplyForm, *, status: int = 200
) -> HttpResponse:
    cursor = request.GET.get("cursor") or None
    rows = selectors.messages(side=side)
    rows_page = page_of(rows, order=selectors.MESSAGES_BY, cursor=cursor, limit=MESSAGES_PER_PAGE)
    rows_page = shortened(rows_page, lambda row: len(row.text))
    last = rows_page.items[0] if rows_page.items and cursor is None else None
    # An open page asks again whenever anything happens: what it had shown may have been kept as not read.
    if side.unread and last is not None and request.GET.get("shown") != last.public_id:
        messages.mark_read(user=user, conversation_id=side.conversation.public_id, up_to=last)
    context = {
        "again": request.get_full_path() if last is None else f"{request.path}?shown={last.public_id}",
        "conversation": side.conversation,
        "other": social_presenters.person(side.other),
        "ignored": has_blocked(user.pk, side.other_id),
        "message_lines": social_presenters.message_lines(rows_page.items, viewer=user),
        "earlier": rows_page.next,
        "is_latest": cursor is None,
        "form": form,
        **frame(request),
    }
    return render(request, "social/conversation.html", context, status=status)


@require_POST
@page
def delete_conversation(request: HttpRequest, public_id: str) -> HttpResponse:
    """Delete a conversation for the user."""
    messages.delete_conversation(user=signed_in(request), conversation_id=public_id)
    notices.success(request, _("Conversation deleted."))
    return go_to(request, reverse("social:messages"))


@require_POST
@page
def keep_unread(request: HttpRequest, public_id: str) -> HttpResponse:
    """Mark a conversation as unread."""
    messages.mark_unread(user=signed_in(request), conversation_id=public_id)
    return go_to(request, reverse("social:messages"))


@require_POST
@page
def delete_message(request: HttpRequest, public_id: str) -> HttpResponse:
    """Delete a message for the user."""
    user = signed_in(request)
    message = selectors.access_message(user=user, public_id=public_id)
    messages.delete_message(user=user, message_id=public_id)
    notices.success(request, _("Message deleted."))
    left = selectors.messages_left(user=user, conversation=message.conversation)
    return go_to(request, _address(message.conversation.public_id) if left else reverse("social:messages"))


@require_POST
@page
def picked(request: HttpRequest) -> HttpResponse:
    """Delete the selected conversations, or mark them as read."""
    user, chosen = signed_in(request), list(dict.fromkeys(request.POST.getlist("pick")))[:PER_PAGE]
    if not chosen:
        notices.warning(request, _("Select at least one conversation."))
    elif request.POST.get("do") == "read":
        messages.mark_picked_read(user=user, conversation_ids=chosen)
    else:
        count = messages.delete_picked(user=user, conversation_ids=chosen)
        message = ngettext("Conversation deleted.", "%(count)d conversations deleted.", count)
        notices.success(request, message % {"count": count})
    return go_to(request, reverse("social:messages"))


def _address(public_id: str) -> str:
    return reverse("social:conversation", args=[public_id])
