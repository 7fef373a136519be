"""The addresses of messages, reports, news and help."""

from __future__ import annotations

from django.urls import URLPattern, path

from crownhead.server.social import message_views, report_views

app_name = "social"

urlpatterns: list[URLPattern] = [
    path("messages/", message_views.conversations, name="messages"),
    path("messages/sent/", message_views.sent, name="sent"),
    path("messages/search/", message_views.search, name="search"),
    path("messages/new/", message_views.new, name="new_message"),
    path("messages/picked/", message_views.picked, name="picked"),
    path("messages/<slug:public_id>/", message_views.conversation, name="conversation"),
    path("messages/<slug:public_id>/unread/", message_views.keep_unread, name="keep_unread"),
    path("messages/<slug:public_id>/delete/", message_views.delete_conversation, name="delete_conversation"),
    path("message/<slug:public_id>/delete/", message_views.delete_message, name="delete_message"),
    path("report/<slug:kind>/<slug:key>/", report_views.report, name="report"),
    path("reports/", report_views.mine, name="reports"),
    path("contact/", report_views.letter, name="contact"),
]
