"""Names that look like another's or like the staff, and passwords close to the club's name."""

from __future__ import annotations

import importlib
import string
import sys

import pytest
from django.apps import apps
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import connection
from pytest_django import Settings

from crownhead.server.accounts.models import FormerName, User
from crownhead.server.accounts.services.closing import close
from crownhead.server.accounts.validators import impersonates_staff, is_reserved, player_likeness
from crownhead.server.core import clock
from tests.server.conftest import PASSWORD, Api, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "admin1",
        "Admin_2026",
        "4dm1n",
        "1admin",
        "admin-team",
        "the_admin",
        "adminteam",
        "support",
        "supp0rt",
        "club-support",
        "SupportTeam",
        "b055",
        "boss",
        "m0derator",
        "moderators",
        "staff99",
        "crownhead",
        "crownhead-help",
        "system",
        "webmaster",
        "computer-3",
        "closed-account-2",
        "adminn",
        "suppport",
        "crownnhead",
        "realadmin",
        "the-moderator",
        "club-owner",
        "chiefarbiter",
        "mod-team",
        "tournament-director",
        "adminbob",
        "BobAdmin",
        "4dminb0b",
        "ad-min-bob",
        "addminbob",
        "adrninbob",
        "xXadminXx",
        "bob_support",
        "bobsupport",
        "supp0rtbob",
        "moderatorjim",
        "jim-mode-rator",
        "bobadministrator",
        "jim-mod",
        "Mod_Jim",
        "JimMod",
        "StaffBob",
        "bob-staff2",
        "official_bob",
        "officialbob",
        "sysadminjo",
        "crownhead-team",
        "crownheadteam",
        "cr0vvnhead_bob",
        "bobcrownhead",
        "bobSTAFF",
        "STAFFbob",
        "STAFFBob",
        "staffBob",
        "MODbob",
        "aclmin",
        "Aclministrator",
        "moclerator",
        "adnnin",
        "Adrnim",
        "clubadmm",
        "adm-n",
        "adm_n",
        "zupport",
        "suport",
        "support-zupport",
        "tdirector",
        "direktor",
        "Refereee",
        "refere",
        "nnoderator",
        "moderater",
        "both",
        "Deleted",
        "null",
        "Draw",
        "Stafff",
        "Stafffs",
        "System_Messages",
        "staaff",
        "bob-addmiin",
        "system-message",
        "Mods-Team",
        "ModsTeam",
        "modsteam",
        "ModsJim",
        "modsJim",
        "MODSJim",
        "MODZJim",
        "StaffsBob",
        "Staffss",
        "Staffss-Bob",
        "staffz",
        "Modz-Team",
        "JimModz",
        "Mocls-Team",
        "mocls-jim",
        "moclsJim",
        "Mods2-Jim",
        "jim_mods5",
        "mods1-club",
        "clubmods1",
        "m0dsJim",
        "St4ffBob",
        "bobadminz",
        "Zupportz",
        "HostsTeam",
        "Clubs-Boss",
        "system-messagez",
        "M0DJim",
        "M0DSJim",
        "jimM0D",
        "5TAFFjim",
        "jim_moderatoren",
        "jim_administratoren",
        "jimmoderatoren",
    ],
)
def test_names_like_those_of_the_staff_are_reserved(name: str, api: Api) -> None:
    answer = api.post("/accounts", {"username": name, "email": "x@club.example", "password": PASSWORD})
    assert answer.status_code == 409, name
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "name",
    [
        "alice",
        "badminton",
        "supporter",
        "dame-boss",
        "stafford",
        "hosta",
        "teamplayer",
        "Rooted",
        "bob2",
        "meme",
        "thea",
        "owen",
        "Badminton",
        "badminton_bob",
        "Madison",
        "Modesto",
        "Modena",
        "Moderato",
        "Moddy",
        "MadMiner",
        "Broadminded",
        "Supporters",
        "supportive",
        "Staffan",
        "Falstaff",
        "Wagstaff",
        "unofficial",
        "Admiral",
        "Admira",
        "Crowned",
        "blue-team",
        "hostage",
        "Bossa-Nova",
        "STAFFORD",
        "MODESTO",
        "AmodK",
        "iModel",
        "Clara",
        "Nobocop",
        "bobOLD",
        "Admir",
        "Adin",
        "Nadim",
        "Treadmill",
        "Staf",
        "Nod",
        "Arbeiter",
        "directory",
        "Rapport",
        "Passport",
        "Victor",
        "refer",
        "m-d",
        "GoodMood",
        "messenger",
        "Modster",
        "Modesty",
        "Modski",
        "MODSKI",
        "MODSTER",
        "Modzilla",
        "Modems",
        "ModernaFan",
        "Hostel",
        "Hostess",
        "HOSTESS",
        "Hosty",
        "Simmods",
        "Thomas",
        "THOMAS",
        "ThomasModena",
        "Moss",
        "Mess",
        "Moritz",
        "Messi",
        "Bosse",
        "ChessClub",
        "SupportersClub",
        "NomadsClub",
        "Falstaffs",
        "Referenz",
        "Teamster",
        "mod3rn",
        "mod3l",
        "mod4life",
        "staff0rd",
    ],
)
def test_other_names_are_free(name: str) -> None:
    assert not is_reserved(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ｓｔａｆｆ",
        "ꜱᴛᴀꜰꜰ",
        "𝐒𝐭𝐚𝐟𝐟",
        "Stáff",
        "St\u0301aff",
        "Ⓢⓣⓐⓕⓕ",
        "🅂🅃🄰🄵🄵",
        "🇸🇹🇦🇫🇫",
        "Տtaff",
        "ꓢꓔꓮꓝꓝ",
        "ᏚᎢᎪff",
        "ЅТАff",
        "Sŧaƒƒ",
        "Admɪn",
        "Admin\u200bistrator",
        "St\u00adaff",
        "Sta\ufe00ff",
        "Staff\u3164",
        "\u2800Staff",
        "S t a f f",
        "S.t.a.f.f",
        "Sta-ff",
        "St aff of Dresden",
        "Club_Staff",
        "Clubstaff",
        "Adminteam",
        "The Aclministrators",
        "StaffDogs",
        "DogsSTAFF",
        "Staff2",
        "CLUB MODERATORS",
        "\u0421upport",
        "Club \u0421upport",
        "Adnnin dogs",
        "The Zupport Team",
        "Adm*n",
        "St@ff",
        "s u u p p o r t",
        "s y s a d r n i n",
        "Suppor1t",
        "O.f.f.i.c.a.l Cup",
        "Moderatorrn",
        "Tea ms taff club",
        "ad ministra ac lmin",
        "Ƽtaff",
        "Club Staẝf",
        "Stⲁffs",
        "Stᏺff",
        "modǝrator",
        "ᔕᴛᴀғғ",
        "Club Staaafff",
        "The Mods",
        "ModsTeam",
        "Modz of the club",
        "Staffss",
        "Staffzz of Dresden",
        "StaffzClub",
        "Mocls Team",
        "mod2Jim",
        "mocl2Jim",
        "M0DSJim",
        "Club Moderatoren",
    ],
)
def test_titles_that_look_like_the_staff_speak_for_them(name: str) -> None:
    assert impersonates_staff(name)


@pytest.mark.parametrize(
    "name",
    [
        "Stafford Draughts Club",
        "Falstaff and friends",
        "Modesto Kings",
        "Badminton",
        "Admiral Cup",
        "Unofficial Spring Cup",
        "The Supportive Ones",
        "Modern Draughts",
        "Nomad Miners",
        "Uncle Clara",
        "The Club Team",
        "Director's Cup",
        "Arbiters and Referees",
        "M.D. Club",
        "Moderato",
        "Moderato 5",
        "Sport & Spiel",
        "A B C D",
        "Česká dáma",
        "Комоды",
        "Հայաստան",
        "Łódź 1",
        "Stødig",
        "Mood Staf",
        "Smørrebrød Dam",
        "Sチーム達",
        "стафф",
        "Modsters",
        "Modzilla Fans",
        "MODSKI Kings",
        "Nomads",
        "Supporterz",
        "Dam 2000 Modena",
    ],
)
def test_other_titles_speak_for_nobody(name: str) -> None:
    assert not impersonates_staff(name)


@pytest.mark.parametrize(
    "title",
    [
        "\ufdfa" * 40,  # eighteen letters in four words
        " ".join(string.ascii_lowercase),
        "-".join(string.ascii_lowercase),
        "s" + "t" * 39,
        "".join(f"{letter.upper()}{letter}" for letter in string.ascii_lowercase),
    ],
)
def test_a_title_twice_as_long_takes_twice_the_work(title: str) -> None:
    def calls(text: str) -> int:
        made: list[str] = []
        sys.setprofile(lambda _frame, event, _argument: made.append(event))
        try:
            impersonates_staff(text)
        finally:
            sys.setprofile(None)
        return len(made)

    impersonates_staff("a title")  # the patterns are made
    assert calls(title) < 2.5 * calls(title[: len(title) // 2])


def test_a_name_of_the_club_that_is_made_of_others_speaks_for_the_staff_too(settings: Settings) -> None:
    settings.CLUB_NAME = "The Club"
    assert impersonates_staff("Staff of the club")
    assert impersonates_staff("theclubtheclubstaff")
    assert not impersonates_staff("theclubtheclubstafford")


def test_the_name_of_the_club_and_what_the_host_adds_are_reserved(settings: Settings) -> None:
    settings.CLUB_NAME, settings.RESERVED_NAMES = "Dog and Hound", ["champion"]
    settings.SERVED_AT = "https://drafty.example:8443"
    for name in ("DogAndHound", "d0g-and-h0und", "champion", "Champion_1", "drafty"):
        assert is_reserved(name), name
    assert not is_reserved("example")


@pytest.mark.parametrize(("taken", "alike"), [("boris", "b0r15"), ("sepp", "5epp"), ("tea-at-3", "t34_at_e")])
def test_digits_that_stand_for_letters_make_no_other_name(api: Api, taken: str, alike: str) -> None:
    make_user(taken)
    answer = api.post("/accounts", {"username": alike, "email": "x@club.example", "password": PASSWORD})
    assert answer.status_code == 409


def test_numbered_names_stay_apart() -> None:
    names = [f"player{number}" for number in range(100)]
    assert len(set(map(player_likeness, names))) == 100


def test_closed_accounts_keep_names_of_their_own(db: None) -> None:
    for number in range(40):
        close(user=make_user(f"player{number}"), now=clock.now())
    assert User.objects.filter(username__startswith="closed-account-").count() == 40


def test_accounts_from_before_get_the_new_likeness_and_pairs_stay(db: None) -> None:
    first, second = make_user("b0r15"), make_user("someone-else")
    User.objects.filter(pk=first.pk).update(likeness="borl5")
    User.objects.filter(pk=second.pk).update(username="boris", folded="boris", likeness="borls")
    alone = make_user("sepp5")
    User.objects.filter(pk=alone.pk).update(likeness="sepp5")
    FormerName.objects.create(user=alone, name="ol5", folded="ol5", likeness="ol5", kept_until=clock.now())
    migration = importlib.import_module("crownhead.server.accounts.migrations.0010_likeness_of_digits")
    migration.look_again(apps, connection.schema_editor())
    assert sorted(User.objects.values_list("likeness", flat=True)) == ["borl5", "borls", "sepps"]
    assert FormerName.objects.get().likeness == "ols"


@pytest.mark.parametrize(
    "password",
    [
        "crownhead",
        "Crownhead1",
        "crownhead2026!",
        "cr0wnh34d",
        "CrownheadCrownhead",
        "dogandhound",
        "D0gAndH0und!!",
        "checkers123",
        "dr@ughts1",
        "drafty2026",
    ],
)
def test_a_password_is_not_the_name_of_the_club(password: str, settings: Settings) -> None:
    settings.CLUB_NAME, settings.SERVED_AT = "Dog and Hound", "https://drafty.example"
    with pytest.raises(ValidationError):
        validate_password(password, User(username="alice", email="alice@club.example"))


@pytest.mark.parametrize(
    "password",
    [
        "Crown head",
        "crown-head-9",
        "c-r-o-w-n-h-e-a-d",
        "crown!head",
        "c r 0 w n h e 4 d",
        "cr0wn-h3@d",
        "daehnworc",
        "daeh-nworc-1",
        "ｃｒｏｗｎｈｅａｄ",
        "Crownhéad",
        "crownhe\u0301\u0302ad",
        "Crownhead Club",
        "sdnuoh dna sgod",
    ],
)
def test_nor_is_it_that_name_with_signs_or_accents_in_it_or_read_backwards(
    password: str, settings: Settings
) -> None:
    settings.CLUB_NAME = "Dogs and Hounds" if password.startswith("s") else "Crownhead"
    with pytest.raises(ValidationError, match="similar to the name of the club"):
        validate_password(password, User(username="alice", email="alice@club.example"))


@pytest.mark.parametrize("password", ["password1", "qwertyuiop", "iloveyou", "sunshine1", "football1"])
def test_a_password_that_was_leaked_is_refused(password: str, api: Api) -> None:
    answer = api.post("/accounts", {"username": "dora", "email": "dora@club.example", "password": password})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "password", [PASSWORD, "another corner by the door", "crown-9-head-7-dog", "checkers on the green table"]
)
def test_other_passwords_will_do(password: str) -> None:
    validate_password(password, User(username="alice", email="alice@club.example"))
