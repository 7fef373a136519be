"""Addresses of the life around the games, and how they are looked at.

A page whose address follows from others needs no row: ``site_pages`` derives it.

What ``shows`` something is opened in the club of ``years`` by every test of looks (``COVERED``). Whatever can
be done there is done by keyboard alone and without JavaScript, in the stories that ``done_in`` names.
"""

from __future__ import annotations

from dataclasses import dataclass

COVERED = (
    "axe at 1280 and 360 pixels, light and dark (at 360 each template, in CI; each address, nightly)",
    "no complaint of the browser",
    "nothing wider than a screen of 320 pixels",
    "no shift while it comes up",
    "every control reached by keys, with its focus in sight",
    "the same tables and forms without JavaScript",
)
APPS = ("ratings", "teams", "ladders", "competitions", "people", "social", "notices")
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
    _guests("ratings/<slug:key>/", "/ratings/american/", "/ratings/turkish/", done_in="ratings_are_read"),
    _guests("players/<str:name>/ratings/<slug:key>/", "/players/{member}/ratings/american/"),
)
TEAMS = (
    _guests("teams/", "/teams/", "/teams/?name=dogs", "/teams/?name=nobody", done_in="a_team_is_led"),
    _row("teams/new/", "/teams/new/", done_in="a_team_is_led"),
    _guests("teams/<slug:team_id>/", "/teams/{team}/", "/teams/{rivals}/"),
    _row("teams/<slug:team_id>/edit/", "/teams/{team}/edit/", done_in="a_team_is_led"),
    _act("teams/<slug:team_id>/join/", "a_team_is_led"),
    _act("teams/<slug:team_id>/leave/", "a_team_is_led"),
    _row("teams/<slug:team_id>/members/", "/teams/{team}/members/", done_in="a_team_is_led"),
    _row("teams/<slug:team_id>/board/", "/teams/{team}/board/", done_in="a_team_is_led"),
    _row("teams/<slug:team_id>/challenge/", "/teams/{rivals}/challenge/", done_in="a_team_match_is_played"),
    _guests(
        "team-matches/<slug:match_id>/",
        *(f"/team-matches/{{{key}}}/" for key in ("match_over", "match", "match_proposed")),
        done_in="a_team_match_is_played",
    ),
)
LADDERS = (
    _guests("ladders/", "/ladders/"),
    _row("ladders/challenges/", "/ladders/challenges/"),
    _guests("ladders/<slug:ladder_id>/", "/ladders/{places}/", "/ladders/{stairs}/"),
    _guests("ladders/<slug:ladder_id>/rules/", "/ladders/{places}/rules/", "/ladders/{stairs}/rules/"),
    _guests("ladders/<slug:ladder_id>/challenges/", "/ladders/{places}/challenges/"),
    _guests("ladders/<slug:ladder_id>/history/", "/ladders/{places}/history/", "/ladders/{stairs}/history/"),
    _act("ladders/<slug:ladder_id>/join/", "a_ladder_is_climbed"),
    _row("ladders/<slug:ladder_id>/leave/", "/ladders/{places}/leave/", done_in="a_ladder_is_climbed"),
    _act("ladders/<slug:ladder_id>/challenge/", "a_ladder_is_climbed"),
)
_CUP = "tournaments/<slug:tournament_id>/"
TOURNAMENTS = (
    _guests("tournaments/", "/tournaments/", "/tournaments/?status=finished"),
    _row("tournaments/new/", "/tournaments/new/", done_in="a_tournament_is_held"),
    _guests(_CUP, *_CUPS, "/tournaments/{cup_open}/", "/tournaments/{cup_new}/"),
    _row(f"{_CUP}edit/", "/tournaments/{cup_open}/edit/", done_in="a_tournament_is_held"),
    _act(f"{_CUP}take-part/", "a_tournament_is_held"),
    _guests(f"{_CUP}rounds/", *(f"{path}rounds/" for path in _CUPS)),
    _guests(f"{_CUP}rounds/<int:number>/", "/tournaments/{swiss_over}/rounds/1/"),
    _row(
        f"{_CUP}rounds/<int:number>/<int:table>/appointment/",
        "/tournaments/{live}/rounds/1/{live_table}/appointment/",
        done_in="an_appointment_is_made",
    ),
    _guests(f"{_CUP}players/", "/tournaments/{swiss_on}/players/", "/tournaments/{cup_new}/players/"),
    _guests(f"{_CUP}log/", "/tournaments/{swiss_over}/log/"),
    _row(
        f"{_CUP}direct/",
        *(f"/tournaments/{{{key}}}/direct/" for key in ("cup_open", "swiss_on", "arena_on", "swiss_over")),
        done_in="a_tournament_is_held",
    ),
)
PEOPLE = (
    _guests("players/", "/players/", "/players/?name=the", "/players/?name=zzz", done_in="people_are_found"),
    _guests(
        "players/<str:name>/", "/players/{member}/", "/players/{other}/", "/players/the-longest-name-here/"
    ),
    _row("players/<str:name>/avatar.svg", instead="a picture"),
    _guests("players/<str:name>/games/", "/players/{member}/games/", "/players/hostess/games/"),
    _act("players/<str:name>/tie/", "people_are_found"),
    _row("buddies/", "/buddies/", done_in="people_are_found"),
    _row("ignored/", "/ignored/", done_in="people_are_found"),
    _row("friends/", "/friends/", done_in="a_friend_is_told"),
    _guests("friends/<slug:token>/", "/friends/{friend}/", done_in="a_friend_is_told"),
    _guests("no-more/<str:token>/", "/no-more/{no_more}/", done_in="a_friend_is_told"),
    _row("profile/", "/profile/", done_in="one_says_who_one_is"),
    _row("preferences/", "/preferences/", done_in="one_says_who_one_is"),
    _row("my-data/", "/my-data/", done_in="one_takes_ones_data_and_leaves"),
    _row("my-data/<slug:public_id>.zip", done_in="one_takes_ones_data_and_leaves", instead="a file"),
    _row("close-account/", "/close-account/", done_in="one_takes_ones_data_and_leaves"),
)
TALK = (
    _row("messages/", "/messages/", "/messages/?unread=1", done_in="people_write_to_each_other"),
    _row("messages/sent/", "/messages/sent/"),
    _row(
        "messages/search/", "/messages/search/?q=game", "/messages/search/?q=zzz",
        done_in="people_write_to_each_other",
    ),
    _row(
        "messages/new/", "/messages/new/", "/messages/new/?to={other}",
        done_in="people_write_to_each_other",
    ),
    _act("messages/picked/", "people_write_to_each_other"),
    _row("messages/<slug:public_id>/", "/messages/{talk}/", done_in="people_write_to_each_other"),
    _act("messages/<slug:public_id>/unread/", "people_write_to_each_other"),
    _act("messages/<slug:public_id>/delete/", "people_write_to_each_other"),
    _act("message/<slug:public_id>/delete/", "people_write_to_each_other"),
    _row(
        "report/<slug:kind>/<slug:key>/", "/report/player/{other}/", "/report/message/{message}/",
        done_in="the_staff_is_told",
    ),
    _row("reports/", "/reports/", done_in="the_staff_is_told"),
    _guests("news/", "/news/"),
    _row("news/feed.xml", instead="a file"),
    _guests("news/<slug:public_id>/", "/news/{news}/", done_in="news_and_help_are_read"),
    _guests("help/", "/help/", done_in="news_and_help_are_read"),
    _guests("help/<slug:key>/", "/help/board/", "/help/ladders/", "/help/tournaments/", "/help/api/"),
    _guests("questions/", "/questions/", done_in="news_and_help_are_read"),
    _guests("contact/", "/contact/", done_in="the_staff_is_told"),
)  # fmt: skip
NOTICES = (
    _row("notices/", "/notices/", done_in="notices_are_read_and_chosen"),
    _act("notices/read/", "notices_are_read_and_chosen"),
    _row("notices/preferences/", "/notices/preferences/", done_in="notices_are_read_and_chosen"),
    _guests("notices/stop/<str:token>/", "/notices/stop/{stop}/", done_in="letters_are_stopped"),
    _row("notices/<slug:public_id>/", done_in="notices_are_read_and_chosen", instead="leads on"),
    _row("sw.js", instead="a script"),
    _row("manifest.webmanifest", instead="a file"),
    _guests("offline/", "/offline/"),
)
_ENGINE = "the_engine_is_asked"
ENGINE = (
    _guests("new/computer/", "/new/computer/", "/new/computer/?variant=russian&level=10", done_in=_ENGINE),
    _act("analysis/begin/", _ENGINE),
    _act("analysis/<slug:study_id>/stop/", "test_engine"),
    _row("games/<slug:public_id>/review.pdn", instead="a file"),
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
        "/games/{not_reviewed}/review/",
        done_in=_ENGINE,
    ),
)
GAMES = (
    _row("games/next/", instead="leads on"),
    _row("games/finished/all.pdn", instead="a file"),
)
_KEY = "test_passkeys"
SECURITY = (
    _guests("accounts/signup/", "/accounts/signup/", done_in="one_comes_and_goes"),
    _guests("accounts/login/", "/accounts/login/", done_in="one_comes_and_goes"),
    _row("accounts/logout/", "/accounts/logout/", done_in="one_comes_and_goes"),
    _guests("accounts/inactive/", "/accounts/inactive/"),
    _row("accounts/reauthenticate/", "/accounts/reauthenticate/", done_in="a_second_factor_is_set_up"),
    _row("accounts/email/", "/accounts/email/", done_in="one_changes_how_one_signs_in"),
    _guests("accounts/confirm-email/", "/accounts/confirm-email/"),
    _guests("accounts/confirm-email/(?P<key>[-:\\w]+)/", "/accounts/confirm-email/no-such-key/"),
    _row("accounts/password/change/", "/accounts/password/change/", done_in="one_changes_how_one_signs_in"),
    _row("accounts/password/set/", instead="leads on where there is a password"),
    _guests("accounts/password/reset/", "/accounts/password/reset/", done_in="one_comes_and_goes"),
    _guests("accounts/password/reset/done/", "/accounts/password/reset/done/"),
    _guests(
        "accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/",
        "/accounts/password/reset/key/1-no/",
    ),
    _guests("accounts/password/reset/key/done/", "/accounts/password/reset/key/done/"),
    _row("accounts/security/", "/accounts/security/"),
    _row("accounts/sessions/", "/accounts/sessions/", done_in="one_changes_how_one_signs_in"),
    _row("accounts/tokens/", "/accounts/tokens/", done_in="one_changes_how_one_signs_in"),
    _act("accounts/tokens/new/", "one_changes_how_one_signs_in"),
    _act("accounts/tokens/end/", "one_changes_how_one_signs_in"),
    _row("accounts/second-factor/", done_in="a_second_factor_is_set_up", instead="a step of signing in"),
    _row("accounts/second-factor/again/", done_in=_KEY, instead="a step of what is asked for again"),
    _row("accounts/second-factor/app/", done_in="a_second_factor_is_set_up", instead="after a password"),
    _row("accounts/second-factor/app/off/", done_in="a_second_factor_is_set_up", instead="after a password"),
    _row("accounts/recovery-codes/", done_in="a_second_factor_is_set_up", instead="after a password"),
    _row("accounts/recovery-codes/new/", done_in="a_second_factor_is_set_up", instead="after a password"),
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
    "security": SECURITY,
}
