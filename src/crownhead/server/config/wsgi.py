"""Django as a WSGI application; every page and API call comes through here."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crownhead.server.config.settings")

application = get_wsgi_application()
