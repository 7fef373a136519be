"""The addresses of messages, reports, news and help."""

from __future__ import annotations

from django.urls import URLPattern, path

from crownhead.server.social import message_views, public_views, report_views

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
    path("news/", public_views.all_news, name="news"),
    path("news/feed.xml", public_views.feed, name="news_feed"),
    path("news/<slug:public_id>/", public_views.one_news, name="one_news"),
    path("help/", public_views.help_topics, name="help_topics"),
    path("help/<slug:key>/", public_views.help_topic, name="help"),
    path("questions/", public_views.questions, name="questions"),
    path("contact/", report_views.letter, name="contact"),
]
