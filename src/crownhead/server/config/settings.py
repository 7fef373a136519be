"""Django's settings for a club; a host's choices come from `options`, everything else is fixed here."""

import secrets
import socket
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from crownhead.server.config.options import OPTIONS, BadOption
from crownhead.server.core.data_folder import data_folder

SERVER = Path(__file__).resolve().parent.parent
DATA = data_folder()

# --- the club and where it is reached -------------------------------------------------------------------------------

CLUB_NAME = OPTIONS.text("club", "Crownhead")
PUBLIC_ADDRESS = OPTIONS.text("address").rstrip("/")
PROXIES = OPTIONS.number("proxies", 0)  # how many trusted proxies stand before us and add to X-Forwarded-For
DEBUG = OPTIONS.flag("debug")

_public = urlsplit(PUBLIC_ADDRESS)
if PUBLIC_ADDRESS and (_public.scheme not in {"http", "https"} or not _public.hostname):
    raise BadOption(f"address: expected something like https://club.example, got {PUBLIC_ADDRESS!r}")
SERVED_BY_HTTPS = _public.scheme == "https"


def _names_of_this_machine() -> list[str]:
    name = socket.gethostname().lower()
    return ["localhost", "127.0.0.1", "[::1]", name, f"{name.split('.')[0]}.local"]


ALLOWED_HOSTS = [*_names_of_this_machine(), *OPTIONS.words("hosts")]
if _public.hostname:
    ALLOWED_HOSTS.append(_public.hostname)
CSRF_TRUSTED_ORIGINS = [f"{_public.scheme}://{_public.netloc}"] if PUBLIC_ADDRESS else []

# --- secrets ----------------------------------------------------------------------------------------------------------

SECRET_KEY_FILE = DATA / "secret_key"
# Without the file (nothing was served from this folder yet) a key for this process alone.
SECRET_KEY = SECRET_KEY_FILE.read_text("ascii").strip() if SECRET_KEY_FILE.is_file() else secrets.token_urlsafe(50)

# --- apps -------------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "crownhead.server.core",
    "crownhead.server.live",
    "crownhead.server.accounts",
    "crownhead.server.ops",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "crownhead.server.config.urls"
WSGI_APPLICATION = "crownhead.server.config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = True

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [SERVER / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- the database -----------------------------------------------------------------------------------------------------

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA / "db.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            # A writer takes the lock when it begins, so that it can wait for it and never fails half-way.
            "transaction_mode": "IMMEDIATE",
            # FULL: an acknowledged move survives a power cut too, at no measurable cost (spec/load.md).
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
        },
    }
}

# --- people -----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

# --- security ---------------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SERVED_BY_HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if SERVED_BY_HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None

# --- static files -----------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [SERVER / "static"]

# --- languages --------------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [SERVER / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
