"""Addresses of the life around the games, and how they are looked at.

A page whose address follows from others needs no row: ``site_pages`` derives it.

What ``shows`` something is opened in the club of ``years`` by every test of looks (``COVERED``). Whatever can
be done there is done by keyboard alone and without JavaScript, in the stories that ``done_in`` names.
"""

from __future__ import annotations

from dataclasses import dataclass

COVERED = (
    "axe at 1280 and 360 pixels, light and dark (at 360 each template, in CI; each address, nightly)",
    "nothing lost in forced colours (light or dark by turns, in CI; both, with axe, nightly)",
    "no complaint of the browser",
    "nothing wider than a screen of 320 pixels",
    "no shift while it comes up",
    "every control reached by keys, with its focus in sight",
    "the same tables and forms without JavaScript",
)
APPS = ("problems", "ratings", "teams", "ladders", "competitions", "people", "social", "notices")
ACCOUNT = "accounts/"


@dataclass(frozen=True, slots=True)
class Row:
    """``shows``: paths with the facts of ``sample_club``; where there are none, ``instead`` says why."""

    route: str
    shows: tuple[str, ...] = ()
    done_in: str = ""
    guests: bool = False
    instead: str = ""


def _row(route: str, *shows: str, done_in: str = "", instead: str = "") -> Row:
    return Row(route, shows, done_in, instead=instead)


def _guests(route: str, *shows: str, done_in: str = "") -> Row:
    return Row(route, shows, done_in, guests=True)


def _act(route: str, done_in: str) -> Row:
    return Row(route, done_in=done_in, instead="takes a form")


_CUPS = tuple(
    f"/tournaments/{{{key}_{state}}}/"
    for key in ("sections", "round_robin", "swiss", "single_elimination", "double_elimination", "arena")
    for state in ("on", "over")
)

RATINGS = (
    _guests("ratings/", "/ratings/"),
    _guests("ratings/<slug:key>/", "/ratings/american/", "/ratings/turkish/", done_in="reading_the_ratings"),
    _guests("players/<str:name>/ratings/<slug:key>/", "/players/{member}/ratings/american/"),
)
TEAMS = (
    _guests("teams/", "/teams/", "/teams/?name=dogs", "/teams/?name=nobody", done_in="leading_a_team"),
    _row("teams/new/", "/teams/new/", done_in="leading_a_team"),
    _guests("teams/<slug:team_id>/", "/teams/{team}/", "/teams/{rivals}/"),
    _row("teams/<slug:team_id>/edit/", "/teams/{team}/edit/", done_in="leading_a_team"),
    _act("teams/<slug:team_id>/join/", "leading_a_team"),
    _act("teams/<slug:team_id>/leave/", "leading_a_team"),
    _row("teams/<slug:team_id>/members/", "/teams/{team}/members/", done_in="leading_a_team"),
    _row("teams/<slug:team_id>/board/", "/teams/{team}/board/", done_in="leading_a_team"),
    _row("teams/<slug:team_id>/challenge/", "/teams/{rivals}/challenge/", done_in="playing_a_team_match"),
    _guests(
        "team-matches/<slug:match_id>/",
        *(f"/team-matches/{{{key}}}/" for key in ("match_over", "match", "match_proposed")),
        done_in="playing_a_team_match",
    ),
)
LADDERS = (
    _guests("ladders/", "/ladders/"),
    _row("ladders/challenges/", "/ladders/challenges/"),
    _guests("ladders/<slug:ladder_id>/", "/ladders/{places}/", "/ladders/{stairs}/"),
    _guests("ladders/<slug:ladder_id>/rules/", "/ladders/{places}/rules/", "/ladders/{stairs}/rules/"),
    _guests("ladders/<slug:ladder_id>/challenges/", "/ladders/{places}/challenges/"),
    _guests("ladders/<slug:ladder_id>/history/", "/ladders/{places}/history/", "/ladders/{stairs}/history/"),
    _act("ladders/<slug:ladder_id>/join/", "climbing_a_ladder"),
    _row("ladders/<slug:ladder_id>/leave/", "/ladders/{places}/leave/", done_in="climbing_a_ladder"),
    _row(
        "ladders/<slug:ladder_id>/challenge/",
        "/ladders/{places}/challenge/?opponent={other}",
        done_in="climbing_a_ladder",
    ),
)
_CUP = "tournaments/<slug:tournament_id>/"
TOURNAMENTS = (
    _guests("tournaments/", "/tournaments/", "/tournaments/?status=finished"),
    _row("tournaments/new/", "/tournaments/new/", done_in="playing_a_tournament"),
    _guests(_CUP, *_CUPS, "/tournaments/{cup_open}/", "/tournaments/{cup_new}/"),
    _row(f"{_CUP}edit/", "/tournaments/{cup_open}/edit/", done_in="playing_a_tournament"),
    _act(f"{_CUP}take-part/", "playing_a_tournament"),
    _guests(f"{_CUP}rounds/", *(f"{path}rounds/" for path in _CUPS)),
    _guests(f"{_CUP}rounds/<int:number>/", "/tournaments/{swiss_over}/rounds/1/"),
    _row(
        f"{_CUP}rounds/<int:number>/<int:table>/appointment/",
        "/tournaments/{live}/rounds/1/{live_table}/appointment/",
        done_in="making_an_appointment",
    ),
    _guests(f"{_CUP}players/", "/tournaments/{swiss_on}/players/", "/tournaments/{cup_new}/players/"),
    _guests(f"{_CUP}log/", "/tournaments/{swiss_over}/log/"),
    _row(
        f"{_CUP}direct/",
        *(f"/tournaments/{{{key}}}/direct/" for key in ("cup_open", "swiss_on", "arena_on", "swiss_over")),
        done_in="playing_a_tournament",
    ),
)
PEOPLE = (
    _guests("players/", "/players/", "/players/?name=the", "/players/?name=zzz", done_in="finding_people"),
    _guests(
        "players/<str:name>/", "/players/{member}/", "/players/{other}/", "/players/the-longest-name-here/"
    ),
    _row("players/<str:name>/avatar.svg", instead="a picture"),
    _guests("players/<str:name>/games/", "/players/{member}/games/", "/players/hostess/games/"),
    _act("players/<str:name>/contact/", "finding_people"),
    _row("buddies/", "/buddies/", done_in="finding_people"),
    _row("blocked/", "/blocked/", done_in="finding_people"),
    _row("friends/", "/friends/", done_in="inviting_a_friend"),
    _guests("friends/<slug:token>/", "/friends/{friend}/", done_in="inviting_a_friend"),
    _guests("no-more/<str:token>/", "/no-more/{no_more}/", done_in="inviting_a_friend"),
    _row("profile/", "/profile/", done_in="editing_a_profile"),
    _row("preferences/", "/preferences/", done_in="editing_a_profile"),
    _row("my-data/", "/my-data/", done_in="downloading_data_and_closing_the_account"),
    _row(
        "my-data/<slug:public_id>.zip", done_in="downloading_data_and_closing_the_account", instead="a file"
    ),
    _row("close-account/", "/close-account/", done_in="downloading_data_and_closing_the_account"),
)
TALK = (
    _row("messages/", "/messages/", "/messages/?unread=1", done_in="exchanging_messages"),
    _row("messages/sent/", "/messages/sent/"),
    _row(
        "messages/search/", "/messages/search/?q=game", "/messages/search/?q=zzz",
        done_in="exchanging_messages",
    ),
    _row(
        "messages/new/", "/messages/new/", "/messages/new/?to={other}",
        done_in="exchanging_messages",
    ),
    _act("messages/picked/", "exchanging_messages"),
    _row("messages/<slug:public_id>/", "/messages/{talk}/", done_in="exchanging_messages"),
    _act("messages/<slug:public_id>/unread/", "exchanging_messages"),
    _act("messages/<slug:public_id>/delete/", "exchanging_messages"),
    _act("message/<slug:public_id>/delete/", "exchanging_messages"),
    _row(
        "report/<slug:kind>/<slug:key>/", "/report/player/{other}/", "/report/message/{message}/",
        done_in="reporting_to_the_staff",
    ),
    _row("reports/", "/reports/", done_in="reporting_to_the_staff"),
    _guests("news/", "/news/"),
    _row("news/feed.xml", instead="a file"),
    _guests("news/<slug:public_id>/", "/news/{news}/", done_in="reading_news_and_help"),
    _guests("help/", "/help/", done_in="reading_news_and_help"),
    _guests("help/<slug:key>/", "/help/board/", "/help/ladders/", "/help/tournaments/", "/help/api/"),
    _guests("questions/", "/questions/", done_in="reading_news_and_help"),
    _guests("contact/", "/contact/", done_in="reporting_to_the_staff"),
)  # fmt: skip
NOTICES = (
    _row("notices/", "/notices/", done_in="reading_and_choosing_notifications"),
    _act("notices/read/", "reading_and_choosing_notifications"),
    _row("notices/preferences/", "/notices/preferences/", done_in="reading_and_choosing_notifications"),
    _guests("notices/stop/<str:token>/", "/notices/stop/{stop}/", done_in="unsubscribing_from_emails"),
    _row("notices/<slug:public_id>/", done_in="reading_and_choosing_notifications", instead="leads on"),
    _row("sw.js", instead="a script"),
    _row("manifest.webmanifest", instead="a file"),
    _guests("offline/", "/offline/"),
)
_ENGINE, _IN_BROWSER = "analysing_with_the_engine", "test_computer_board"
ENGINE = (
    _guests("computer/", "/computer/", "/computer/?variant=russian&colour=second", done_in=_IN_BROWSER),
    _act("computer/keep/", _IN_BROWSER),
    _guests("new/computer/", "/new/computer/", "/new/computer/?variant=russian&level=10", done_in=_ENGINE),
    _act("analysis/begin/", _ENGINE),
    _row("analysis/guard/", instead="an answer for a script"),
    _act("analysis/<slug:study_id>/stop/", "test_engine"),
    _row("games/<slug:public_id>/review.pdn", instead="a file"),
    _act("games/<slug:public_id>/review/from-browser/", "test_reviews"),
)
BOARDS = (
    _guests(
        "analysis/",
        *("/analysis/", "/analysis/?variant=international&moves=32-28&against=4&flip=1"),
        *("/analysis/?{study}", "/analysis/?{proven}"),
        done_in=_ENGINE,
    ),
    _guests(
        "games/<slug:public_id>/review/",
        *("/games/{reviewed}/review/", "/games/{reviewed}/review/?ply={fault}"),
        "/games/{reviewed}/review/?retry={fault}",
        "/games/{not_reviewed}/review/",
        done_in=_ENGINE,
    ),
)
GAMES = (
    _act("first-steps/hide/", "test_starting"),
    _row("now/", instead="a part of the front page"),
    _row("games/", instead="leads on"),
    _row("games/next/", instead="leads on"),
    _row("games/finished/all.pdn", instead="a file"),
)
PROBLEMS = (
    _guests("problems/", "/problems/"),
    _row("problems/next/", instead="leads on"),
    _guests("problems/practice/", "/problems/practice/"),
    _guests("problems/<slug:key>/", "/problems/1e31a9892f/", "/problems/1e31a9892f/?wrong=19-15"),
)
_KEY = "test_passkeys"
SECURITY = (
    _guests("accounts/signup/", "/accounts/signup/", done_in="signing_up_and_signing_in"),
    _guests("accounts/login/", "/accounts/login/", done_in="signing_up_and_signing_in"),
    _guests("accounts/unlock/", "/accounts/unlock/"),
    _guests("accounts/unlock/<str:token>/", "/accounts/unlock/{unlock}/"),
    _row("accounts/logout/", "/accounts/logout/", done_in="signing_up_and_signing_in"),
    _guests("accounts/inactive/", "/accounts/inactive/"),
    _row("accounts/reauthenticate/", "/accounts/reauthenticate/", done_in="setting_up_a_second_factor"),
    _row("accounts/email/", "/accounts/email/", done_in="changing_how_to_sign_in"),
    _guests("accounts/email/change/<str:token>/", "/accounts/email/change/{email_change}/"),
    _guests("accounts/confirm-email/", "/accounts/confirm-email/"),
    _guests("accounts/confirm-email/(?P<key>[-:\\w]+)/", "/accounts/confirm-email/no-such-key/"),
    _row("accounts/password/change/", "/accounts/password/change/", done_in="changing_how_to_sign_in"),
    _row("accounts/password/set/", instead="leads on where there is a password"),
    _guests("accounts/password/reset/", "/accounts/password/reset/", done_in="signing_up_and_signing_in"),
    _guests("accounts/password/reset/done/", "/accounts/password/reset/done/"),
    _guests(
        "accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/",
        "/accounts/password/reset/key/1-no/",
    ),
    _guests("accounts/password/reset/key/done/", "/accounts/password/reset/key/done/"),
    _row("accounts/security/", "/accounts/security/"),
    _row("accounts/security/staff/", instead="leads on, but for staff without a second factor"),
    _row("accounts/sessions/", "/accounts/sessions/", done_in="changing_how_to_sign_in"),
    _row("accounts/tokens/", "/accounts/tokens/", done_in="changing_how_to_sign_in"),
    _act("accounts/tokens/new/", "changing_how_to_sign_in"),
    _act("accounts/tokens/end/", "changing_how_to_sign_in"),
    _row("accounts/second-factor/", done_in="setting_up_a_second_factor", instead="a step of signing in"),
    _row("accounts/second-factor/again/", done_in=_KEY, instead="a step of what is asked for again"),
    _row("accounts/second-factor/app/", done_in="setting_up_a_second_factor", instead="after a password"),
    _row("accounts/second-factor/app/off/", done_in="setting_up_a_second_factor", instead="after a password"),
    _row("accounts/recovery-codes/", done_in="setting_up_a_second_factor", instead="after a password"),
    _row("accounts/recovery-codes/new/", done_in="setting_up_a_second_factor", instead="after a password"),
    _row("accounts/recovery-codes/file/", instead="a file"),
    _row("accounts/passkeys/", "/accounts/passkeys/", done_in=_KEY),
    _row("accounts/passkeys/add/", done_in=_KEY, instead="after a password"),
    _row("accounts/passkeys/login/", done_in=_KEY, instead="what a script asks for"),
    _row("accounts/passkeys/again/", done_in=_KEY, instead="what a script asks for"),
    _row("accounts/passkeys/<int:pk>/remove/", done_in=_KEY, instead="after a password"),
    _row("accounts/passkeys/<int:pk>/name/", done_in=_KEY, instead="after a password"),
)

ROWS = (
    *RATINGS,
    *TEAMS,
    *LADDERS,
    *TOURNAMENTS,
    *PEOPLE,
    *TALK,
    *NOTICES,
    *ENGINE,
    *BOARDS,
    *GAMES,
    *PROBLEMS,
    *SECURITY,
)
GROUPS = {
    "ratings": RATINGS,
    "teams": TEAMS,
    "ladders": LADDERS,
    "tournaments": TOURNAMENTS,
    "people": PEOPLE,
    "talk": TALK,
    "notices": NOTICES,
    "engine": ENGINE,
    "boards": BOARDS,
    "problems": PROBLEMS,
    "security": SECURITY,
}
