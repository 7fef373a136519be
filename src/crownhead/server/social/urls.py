"""The addresses of messages, reports, news and help."""

from __future__ import annotations

from django.urls import URLPattern, path

from crownhead.server.social.views import messages, public, reports

app_name = "social"

urlpatterns: list[URLPattern] = [
    path("messages/", messages.conversations, name="messages"),
    path("messages/sent/", messages.sent, name="sent"),
    path("messages/search/", messages.search, name="search"),
    path("messages/new/", messages.new, name="new_message"),
    path("messages/picked/", messages.picked, name="picked"),
    path("messages/<slug:public_id>/", messages.conversation, name="conversation"),
    path("messages/<slug:public_id>/unread/", messages.keep_unread, name="keep_unread"),
    path("messages/<slug:public_id>/delete/", messages.delete_conversation, name="delete_conversation"),
    path("message/<slug:public_id>/delete/", messages.delete_message, name="delete_message"),
    path("report/<slug:kind>/<slug:key>/", reports.report, name="report"),
    path("reports/", reports.mine, name="reports"),
    path("news/", public.all_news, name="news"),
    path("news/feed.xml", public.feed, name="news_feed"),
    path("news/<slug:public_id>/", public.one_news, name="one_news"),
    path("help/", public.help_topics, name="help_topics"),
    path("help/<slug:key>/", public.help_topic, name="help"),
    path("questions/", public.questions, name="questions"),
    path("contact/", reports.letter, name="contact"),
]
