"""Messages for the next page: in a cookie that is bound to the host, or in the session if they are long."""

from __future__ import annotations

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookieStorage(CookieStorage):
    """Django's, with the name of the cookie from the settings."""

    cookie_name = settings.MESSAGE_COOKIE_NAME


class MessageStorage(FallbackStorage):
    """Django's, with that cookie."""

    storage_classes = (HostCookieStorage, SessionStorage)
