"""Django's settings for a club; the host's choices come from `options`, everything else is fixed."""

import os
import secrets
import socket
from pathlib import Path
from urllib.parse import unquote, urlsplit

from csp.constants import NONE, SELF, WASM_UNSAFE_EVAL

from crownhead.rules.house import VARIABLE, register_files, register_named
from crownhead.server.config.databases import Timeouts, connection_pool, database, page_threads
from crownhead.server.config.limits import limits
from crownhead.server.core.hosting.data_folder import data_folder
from crownhead.server.core.hosting.options import OPTIONS, BadOption
from crownhead.server.core.http import share_rules_and_engine
from crownhead.server.core.languages import SOURCE, languages_in
from crownhead.server.core.languages.compilation import compile_catalogues
from crownhead.server.core.processes import queues

SERVER = Path(__file__).resolve().parent.parent
DATA = data_folder()

# --- the club and where it is reached --------------------------------------------------------------------

CLUB_NAME = OPTIONS.text("club", "Crownhead")
PUBLIC_ADDRESS = OPTIONS.text("address").rstrip("/")
PROXIES = OPTIONS.number("proxies", 0)  # the number of trusted proxies in front, which add to X-Forwarded-For
DEBUG = OPTIONS.flag("debug")
DRAIN_SECONDS = OPTIONS.number("drain_seconds", 0)  # for which a server that stops still answers

_public = urlsplit(PUBLIC_ADDRESS)
if PUBLIC_ADDRESS and (_public.scheme not in {"http", "https"} or not _public.hostname):
    raise BadOption(f"address: expected something like https://club.example, got {PUBLIC_ADDRESS!r}")
SERVED_BY_HTTPS = _public.scheme == "https"
SERVED_AT = PUBLIC_ADDRESS or "http://localhost:8000"  # for links in e-mail; `crownhead serve` sets it


def _names_of_this_machine() -> list[str]:
    name = socket.gethostname().lower()
    return ["localhost", "127.0.0.1", "[::1]", name, f"{name.split('.')[0]}.local"]


ALLOWED_HOSTS = [*_names_of_this_machine(), *OPTIONS.texts("hosts")]
if _public.hostname:
    ALLOWED_HOSTS.append(_public.hostname)
CSRF_TRUSTED_ORIGINS = [f"{_public.scheme}://{_public.netloc}"] if PUBLIC_ADDRESS else []

# Where somebody writes who has found a hole: an address of e-mail or of a page.
SECURITY_CONTACT = OPTIONS.text("security_contact")
if "@" in SECURITY_CONTACT and ":" not in SECURITY_CONTACT:
    SECURITY_CONTACT = f"mailto:{SECURITY_CONTACT}"
if SECURITY_CONTACT and urlsplit(SECURITY_CONTACT).scheme not in {"https", "mailto", "tel"}:
    raise BadOption(
        "security_contact: expected an e-mail address or something like https://club.example/security"
    )

# --- secrets ---------------------------------------------------------------------------------------------

SECRET_KEY_FILE = DATA / "secret_key"
# Without the file (nothing served from this folder yet), a key for this process only.
SECRET_KEY = (
    SECRET_KEY_FILE.read_text("ascii").strip() if SECRET_KEY_FILE.is_file() else secrets.token_urlsafe(50)
)

# --- variants of the house: rows of the host's own, played like any other -----------------------------------

HOUSE_VARIANTS = DATA / "variants"
register_named(os.environ.get(VARIABLE, ""), os.pathsep)
register_files(sorted(HOUSE_VARIANTS.glob("*.toml")))

# --- problems of the house: files of the host's own, beside those of the package ----------------------------

HOUSE_PROBLEMS = DATA / "problems"

# --- apps ------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    # Our apps come first, so that their templates override others.
    "crownhead.server.core",
    "crownhead.server.web",
    "crownhead.server.live",
    "crownhead.server.accounts",
    "crownhead.server.play",
    "crownhead.server.ratings",
    "crownhead.server.teams",
    "crownhead.server.lobby",
    "crownhead.server.ladders",
    "crownhead.server.competitions",
    "crownhead.server.analysis",
    "crownhead.server.problems",
    "crownhead.server.fair_play",
    "crownhead.server.people",
    "crownhead.server.social",
    "crownhead.server.pages",
    "crownhead.server.notices",
    "crownhead.server.ops",
    "django.contrib.admin.apps.SimpleAdminConfig",  # config.staff finds what the apps have
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "crownhead.server.accounts.security.apps.SessionsConfig",  # allauth's
    "csp",
    "django_htmx",
    "django_tasks_db",
]

MIDDLEWARE = [
    "crownhead.server.core.monitoring.middleware.measure_requests",
    "crownhead.server.core.middleware.guard_pages",
    "django.middleware.security.SecurityMiddleware",
    "crownhead.server.core.assets.serving.StaticFilesMiddleware",  # need no policy, are compressed already
    "crownhead.server.core.middleware.CompressionMiddleware",  # with random padding, against attacks
    "crownhead.server.core.middleware.PolicyMiddleware",
    "crownhead.server.core.middleware.answer_api_with_problems",
    "crownhead.server.core.middleware.answer_head_in_api",
    "crownhead.server.core.middleware.StorableTextMiddleware",
    "crownhead.server.web.middleware.CaptureBudgetMiddleware",
    "crownhead.server.accounts.security.sessions.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "crownhead.server.accounts.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "crownhead.server.web.middleware.limit_guests",
    "crownhead.server.accounts.middleware.activate_preferences",
    "crownhead.server.accounts.middleware.track_presence",
    "crownhead.server.fair_play.middleware.note_sightings",
    "crownhead.server.accounts.security.sessions.note_sessions",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "crownhead.server.config.replica.ReplicaMiddleware",
    "crownhead.server.live.middleware.StreamPositionMiddleware",
    "crownhead.server.notices.middleware.mark_page_seen",
]

ROOT_URLCONF = "crownhead.server.config.urls"
WSGI_APPLICATION = "crownhead.server.config.wsgi.application"
ASGI_APPLICATION = "crownhead.server.config.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = True

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # The host's own texts, then ours; locale: the help in each language; the last: drawings of pieces
        "DIRS": [
            DATA / "texts",
            SERVER / "web" / "templates",
            SERVER / "locale",
            SERVER / "static" / "crownhead",
        ],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "crownhead.server.web.unindented.FolderLoader",
                        "crownhead.server.web.unindented.AppLoader",
                    ],
                )
            ],
            "libraries": {"i18n": "crownhead.server.web.templatetags.literals"},
            "builtins": [
                "crownhead.server.web.templatetags.literals",
                "crownhead.server.accounts.templatetags.person_names",
                "crownhead.server.play.templatetags.variant_texts",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "crownhead.server.accounts.context_processors.chosen",
                "crownhead.server.web.context_processors.frame",
                "crownhead.server.lobby.context_processors.guest",
            ],
        },
    }
]

# --- the database ----------------------------------------------------------------------------------------

# The usual variable of hosting platforms comes before our own setting.
_database_url = os.environ.get("DATABASE_URL") or OPTIONS.text("database")
DATABASE_WAIT = OPTIONS.number("database_wait", 60)  # seconds that a process waits for it when it starts
_direct_url = os.environ.get("DATABASE_DIRECT_URL") or OPTIONS.text("database_direct")
if _direct_url and not _database_url:
    raise BadOption("database_direct: expected `database` too, which names the pooler before it")
_timeouts = Timeouts(
    connect=max(2, OPTIONS.number("database_connect_seconds", 5)),  # psycopg knows no less
    silence=max(1, OPTIONS.number("database_silence_seconds", 10)),
    statement=OPTIONS.number("database_statement_seconds", 60),
)
DATABASES = {"default": database(_database_url, DATA, timeouts=_timeouts, is_pooler=bool(_direct_url))}
# The server itself, where `database` is a pooler before it.
DATABASE_DIRECT = database(_direct_url, DATA, timeouts=_timeouts) if _direct_url else None
# Only read from, and only pages of people without a session (`config.replica`).
_replica_url = os.environ.get("DATABASE_REPLICA_URL") or OPTIONS.text("database_replica")
if _replica_url and not _database_url:
    raise BadOption("database_replica: expected `database` too, of which it is a replica")
DATABASE_REPLICA_SECONDS = max(10, OPTIONS.number("database_replica_seconds", 15))  # it may be behind
if _replica_url:
    DATABASES["replica"] = database(_replica_url, DATA, timeouts=_timeouts, is_replica=True) | {
        "TEST": {"MIRROR": "default"}
    }
CONNECTION_POOLS = [pool for pool in map(connection_pool, DATABASES.values()) if pool is not None]
PAGE_THREADS = page_threads(DATABASES["default"]["ENGINE"])

# --- slow work: rows that `crownhead worker` handles one by one --------------------------------------------

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": list(queues.ALL)}}

# --- people ----------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["crownhead.server.accounts.backends.ClubBackend"]
# Argon2id with the parameters OWASP recommends: secure, and fast enough not to block the only thread.
PASSWORD_HASHERS = [
    "crownhead.server.accounts.hashers.ClubHasher",
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "email")},
    },
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},  # twenty thousand that were leaked most often
    {"NAME": "crownhead.server.accounts.validators.ClubNameValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

CONFIRM_EMAIL = OPTIONS.flag(
    "confirm_email"
)  # whether an account may be used only once its address is confirmed

# How many live accounts may have given an address that none of them has confirmed.
ACCOUNTS_PER_ADDRESS = max(1, OPTIONS.number("accounts_per_address", 1))
# Whether staff act as such only with a second factor: a club at home asks for none.
STAFF_SECOND_FACTOR = OPTIONS.flag("staff_second_factor", SERVED_BY_HTTPS)
RESERVED_NAMES = OPTIONS.texts("reserved_names")  # which no member can have, nor anything like them
EMAIL_UNDO_DAYS = OPTIONS.number("email_undo_days", 14)  # for which a change of address can be undone
TOKEN_DAYS = OPTIONS.number("token_days", 365)  # until an API token expires; 0: never

ACCOUNT_ADAPTER = "crownhead.server.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "crownhead.server.accounts.forms.SignupForm",
    "login": "crownhead.server.accounts.forms.LoginForm",
    "reauthenticate": "crownhead.server.accounts.forms.ReauthenticateForm",
    "add_email": "crownhead.server.accounts.forms.EmailForm",
    "change_password": "crownhead.server.accounts.forms.ChangePasswordForm",
    "reset_password": "crownhead.server.accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "crownhead.server.accounts.forms.ResetPasswordKeyForm",
}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if CONFIRM_EMAIL else "optional"
# Addresses with and without an account get the same answer; only one account can ever confirm an address.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]  # no code by mail, which others may read
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SERVED_BY_HTTPS else "http"
ACCOUNT_RATE_LIMITS = {
    "signup": "60/m/ip",
    "login": "60/m/ip",
    "login_failed": "30/m/ip,10/300s/key",  # codes of a second factor; for passwords see LIMITS
    "reset_password": "20/m/ip",  # what an address gets is limited by its mails, see LIMITS
}

MFA_ADAPTER = "crownhead.server.accounts.security.adapter.SecurityAdapter"
MFA_FORMS = {
    "authenticate": "crownhead.server.accounts.security.forms.AuthenticateForm",
    "reauthenticate": "crownhead.server.accounts.security.forms.ReauthenticateForm",
    "activate_totp": "crownhead.server.accounts.security.forms.ActivateTOTPForm",
    "add_webauthn": "crownhead.server.accounts.security.forms.AddWebAuthnForm",
    "authenticate_webauthn": "crownhead.server.accounts.security.forms.AuthenticateWebAuthnForm",
    "edit_webauthn": "crownhead.server.accounts.security.forms.EditWebAuthnForm",
    "login_webauthn": "crownhead.server.accounts.security.forms.LoginWebAuthnForm",
    "reauthenticate_webauthn": "crownhead.server.accounts.security.forms.ReauthenticateWebAuthnForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1  # steps of 30 seconds that a phone's clock may be off
# A club without a mail server never confirms addresses.
MFA_ALLOW_UNVERIFIED_EMAIL = True

# --- rates: how often a user, or an IP address without a user, may do something --------------------------

LIMITS = limits(OPTIONS.table("limits"))

GAMES_PER_PLAYER = OPTIONS.number("games_per_player", 500)  # running and waiting at once
GUESTS = OPTIONS.flag("guests", True)  # whether somebody without an account may play
GAMES_PER_GUEST = OPTIONS.number("games_per_guest", 3)  # running and waiting at once
GUEST_DAYS = max(1, OPTIONS.number("guest_days", 30))  # until a guest who doesn't come back is forgotten
COMPUTER_GAMES_PER_PLAYER = OPTIONS.number("computer_games_per_player", 20)  # running at once
ANALYSIS_SECONDS = OPTIONS.number("analysis_seconds", 20)  # the longest analysis of one position
STREAMS = OPTIONS.number("streams", 5000)  # of events, open at once in this process
STREAMS_PER_MEMBER = OPTIONS.number("streams_per_member", 20)
STREAMS_PER_ADDRESS = OPTIONS.number("streams_per_address", 200)  # of guests and members
STREAM_GAMES = OPTIONS.number("stream_games", 20)  # that one stream may follow
STREAM_CATCH_UP = OPTIONS.number("stream_catch_up", 200)  # missed events told at most, to anybody
CONNECTIONS_PER_ADDRESS = OPTIONS.number("connections_per_address", 500)  # without proxies; 0: any number
OUTAGE_SECONDS = max(10, OPTIONS.number("outage_seconds", 120))  # without a sign of life; a jump of the clock
CLOCK_MINUTES = OPTIONS.number("clock_minutes", 15)  # until a clock that has jumped is believed
VACATION_HOURS = OPTIONS.number("vacation_hours", 240)  # of each player, each year
TOURNAMENTS_BY_MEMBERS = OPTIONS.flag("tournaments_by_members", True)  # or by the staff alone
RATED_GAMES_PER_PAIR = OPTIONS.number("rated_games_per_pair", 8)  # of the same two within a day
LONGEST_GAME = OPTIONS.number("longest_game", 1000)  # moves of both sides; then it is drawn. 0: any number
EARLY_LEAVES_PER_DAY = OPTIONS.number("early_leaves_per_day", 3)  # rated games given up early; then a break
EARLY_WINS_PER_DAY, EARLY_WINS_PER_MONTH = 5, 20  # rated games that opponents gave up early
RATED_TOURNAMENTS_BY_MEMBERS = OPTIONS.flag("rated_tournaments_by_members", False)

# Nodes of capture searches in one request: a position takes some ten; the library allows twenty times more.
CAPTURES_PER_REQUEST = 400_000

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    # Counts of `core.limits`, an entry for each limit and address, or member. Nothing else is kept there: a
    # cache that is full forgets, and visitors choose what other caches keep, and how many addresses call.
    # Those of members hold their signs of life (`live.signs`), too, which strangers mustn't push out either.
    "limits": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "limits",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    "member_limits": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "limits of members",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    # Parts of pages that are the same for many readers; each is kept by everything that it shows.
    "template_fragments": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "template fragments",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 2_000},
    },
}

# --- e-mail ----------------------------------------------------------------------------------------------

MAIL_FOLDER = DATA / "mail"
_smtp = urlsplit(OPTIONS.text("smtp"))
if OPTIONS.text("smtp") and (_smtp.scheme not in {"smtp", "smtps"} or not _smtp.hostname):
    raise BadOption("smtp: expected something like smtp://name:password@mail.example:587")
EMAIL_BACKEND = (
    "crownhead.server.notices.channels.outgoing.StoredMailBackend"
    if _smtp.hostname
    else "crownhead.server.core.mail.FileBackend"
)
EMAIL_FILE_PATH = MAIL_FOLDER
EMAIL_HOST = _smtp.hostname or ""
EMAIL_PORT = _smtp.port or (465 if _smtp.scheme == "smtps" else 587)
EMAIL_HOST_USER = unquote(_smtp.username or "")
EMAIL_HOST_PASSWORD = unquote(_smtp.password or "")
EMAIL_USE_SSL = _smtp.scheme == "smtps"
EMAIL_USE_TLS = _smtp.scheme == "smtp" and EMAIL_PORT != 25
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = OPTIONS.text(
    "mail_from", f"{CLUB_NAME} <club@{_public.hostname or 'localhost'}>"
)

# --- push messages: the servers they may go to, whatever address a browser gives ---------------------------

PUSH_SERVICES = [
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "notify.windows.com",
    "push.apple.com",
    *OPTIONS.texts("push_services"),
]

# --- security --------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, WASM_UNSAFE_EVAL],  # compiles WebAssembly; no text becomes a script by it
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
# Of a form: the longest text, news of 50,000 characters, has nine bytes for each in most scripts.
DATA_UPLOAD_MAX_MEMORY_SIZE = 460_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500  # the longest form is that of a group with all permissions
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
# With this prefix browsers take a cookie from this host alone, over HTTPS and for the whole site.
_PREFIX = "__Host-" if SERVED_BY_HTTPS and not _public.path else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{_PREFIX}sessionid", f"{_PREFIX}csrftoken"
DEVICE_COOKIE_NAME = f"{_PREFIX}device"  # shows that somebody has signed in with a browser before
BROWSER_COOKIE_NAME = f"{_PREFIX}browser"  # tells browsers apart in reports on rated games
SESSION_ENGINE = "crownhead.server.accounts.security.sessions"
MESSAGE_COOKIE_NAME = f"{_PREFIX}messages"
MESSAGE_STORAGE = "crownhead.server.accounts.security.message_storage.MessageStorage"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SERVED_BY_HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if SERVED_BY_HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None
SECURE_SSL_REDIRECT = SERVED_BY_HTTPS and PROXIES > 0
# Health is asked for on the machine itself. The API refuses, so that a token in the clear is noticed.
SECURE_REDIRECT_EXEMPT = ["^health(/(live|ready))?$", "^metrics$", "^api/"]
SILENCED_SYSTEM_CHECKS = [
    "templates.W003",  # our `i18n` stands in for Django's, on purpose
    "security.W005",  # HSTS for subdomains: they may be somebody else's
    "security.W021",  # lists of browsers take domains, which are the host's to enter
]

# --- static files ----------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"  # filled by `crownhead serve` when it starts
STATICFILES_DIRS = [SERVER / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},  # nothing is uploaded
    "staticfiles": {"BACKEND": "crownhead.server.core.assets.static.HashedFiles"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # the others, which no page asks for, come from the package
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site uses our files but those of rules and engine
WHITENOISE_ADD_HEADERS_FUNCTION = share_rules_and_engine

# --- languages -------------------------------------------------------------------------------------------

# Each is a folder: its catalogue of translations, its formats, introductions to the variants, pages of help.
LANGUAGE_FOLDERS = [SERVER / "locale"]
LANGUAGE_CODE = SOURCE
LANGUAGES = languages_in(LANGUAGE_FOLDERS[0])
LOCALE_PATHS = [compile_catalogues(LANGUAGE_FOLDERS[0], DATA / "locale")]
FORMAT_MODULE_PATH = ["crownhead.server.locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- logs ------------------------------------------------------------------------------------------------

LOG_FORMAT = OPTIONS.text("log_format", "text")
if LOG_FORMAT not in {"text", "json"}:
    raise BadOption(f"log_format: expected text or json, got {LOG_FORMAT!r}")
SLOW_REQUEST_MS = OPTIONS.number("slow_request_ms", 1000)  # from which a request is logged; 0: none
METRICS_TOKEN = OPTIONS.text("metrics_token")  # for /metrics; without one, on this machine alone

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {
            "()": "crownhead.server.core.monitoring.logs.TextFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        },
        "json": {"()": "crownhead.server.core.monitoring.logs.JsonFormatter"},
    },
    "filters": {"count": {"()": "crownhead.server.core.monitoring.logs.CountErrors"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["count"]},
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        # Each task is already a row, with its result.
        "django_tasks": {"level": "WARNING"},
        "django_tasks_db": {"level": "WARNING"},
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # Wrong addresses and refused requests concern the visitor, not the host.
        "django.request": {"level": "ERROR"},
        "django.security": {"level": "CRITICAL"},  # to it a forged host name is an error, with a traceback
        "uvicorn": {"handlers": [], "level": "ERROR", "propagate": True},  # broken requests are warnings
    },
}
