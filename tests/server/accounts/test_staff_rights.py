"""Who of the staff acts on which accounts: only who has all rights gives some, or acts on who has some."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client, RequestFactory

from crownhead.server.accounts.models import EmailChange, User
from crownhead.server.accounts.services.closing import close
from crownhead.server.config import staff
from crownhead.server.core import clock
from crownhead.server.live.access import ENDED
from crownhead.server.live.models import Outbox
from crownhead.server.social.models import Ban
from crownhead.server.social.services.reports import letter
from tests.server.accounts.test_back_office import (
    AGAIN,
    FRESH,
    NEW_PASSWORD,
    NO_NAMES,
    form_of,
    form_of_row,
    page_of,
)
from tests.server.accounts.test_security import signed_in
from tests.server.conftest import PASSWORD, make_user

pytestmark = pytest.mark.django_db

SESSIONS = "/staff/usersessions/usersession/"
ADDRESSES = "/staff/account/emailaddress/"


def office_of(user: User) -> Client:
    """A browser in which one of the staff has just said who they are."""
    client = Client(raise_request_exception=False)
    client.force_login(user)
    client.post(AGAIN, {"password": PASSWORD})
    return client


@pytest.fixture
def host(db: None) -> User:
    """Who has all rights."""
    return make_user("hugo", is_staff=True, is_superuser=True)


@pytest.fixture
def helper(db: None) -> User:
    """One of the staff who may do everything with accounts that a right can be given for."""
    user = make_user("mildred", is_staff=True)
    apps = ("accounts", "account", "auth", "mfa", "usersessions")
    user.user_permissions.set(Permission.objects.filter(content_type__app_label__in=apps))
    return user


def as_host(user: User) -> list[Any]:
    """What makes somebody the host, as it is now."""
    user = User.objects.get(pk=user.pk)
    return [user.username, user.email, user.password, user.is_active, user.is_staff, user.is_superuser]


@pytest.mark.parametrize("whom", ["helper", "alice"])
def test_nobody_gives_rights_to_themselves_or_others_but_the_host(
    whom: str, helper: User, alice: User, host: User
) -> None:
    user = {"helper": helper, "alice": alice}[whom]
    group = Group.objects.create(name="directors")
    given = {"is_staff": "on", "is_superuser": "on", "groups": str(group.pk)}
    given["user_permissions"] = str(Permission.objects.order_by("pk")[0].pk)
    before = as_host(user), list(user.groups.all()), user.user_permissions.count()

    office_of(helper).post(page_of(user), form_of(user, **given))

    assert (as_host(user), list(user.groups.all()), user.user_permissions.count()) == before
    assert office_of(host).post(page_of(user), form_of(user, **given)).status_code == 302
    assert (as_host(user)[-1], list(user.groups.all())) == (True, [group])


def test_a_helper_renames_members_and_sets_their_passwords(helper: User, alice: User) -> None:
    office = office_of(helper)
    assert office.post(page_of(alice), form_of(alice, username="alicia")).status_code == 302
    assert office.post(page_of(alice, "password"), NEW_PASSWORD).status_code == 302
    alice.refresh_from_db()
    assert (alice.username, alice.check_password(FRESH)) == ("alicia", True)


def test_only_the_host_acts_on_accounts_of_the_staff(helper: User, host: User) -> None:
    other = make_user("otto", is_staff=True)
    signed_in(host).get("/accounts/sessions/")
    factor = Authenticator.objects.create(user=host, type="totp", data={"secret": "x"})
    address, session = EmailAddress.objects.get(user=host), UserSession.objects.get(user=host)
    new = {"user": host.pk, "email": "new@club.example", "primary": "", "verified": "on"}
    yes, picked = {"post": "yes"}, {"action": "delete_selected", "post": "yes"}
    office, before = office_of(helper), [as_host(host), as_host(other)]
    for path, form in {
        page_of(host): form_of(host, username="nobody-at-all"),
        page_of(other): form_of(other, email="new@club.example"),
        page_of(host, "password"): NEW_PASSWORD,
        page_of(other, "password"): NEW_PASSWORD,
        f"{ADDRESSES}add/": new,
        f"{ADDRESSES}{address.pk}/change/": form_of_row(address, **new),
        f"{ADDRESSES}{address.pk}/delete/": yes,
        ADDRESSES: {**picked, "_selected_action": [address.pk]},
        f"/staff/mfa/authenticator/{factor.pk}/delete/": yes,
        "/staff/mfa/authenticator/": {**picked, "_selected_action": [factor.pk]},
        f"{SESSIONS}{session.pk}/delete/": yes,
        SESSIONS: {**picked, "_selected_action": [session.pk]},
    }.items():
        answer = office.post(path, form)
        assert answer.status_code in {302, 403}, path
        assert [as_host(host), as_host(other)] == before, path
        assert list(EmailAddress.objects.filter(user=host)) == [address], path
        assert Authenticator.objects.filter(pk=factor.pk).exists(), path
        assert UserSession.objects.filter(pk=session.pk).exists(), path


def test_a_helper_does_not_mark_an_address_of_the_staff_as_confirmed(helper: User, host: User) -> None:
    row = EmailAddress.objects.get(user=host)
    EmailAddress.objects.update(verified=False)
    office_of(helper).post(ADDRESSES, {"action": "make_verified", "_selected_action": [row.pk]})
    row.refresh_from_db()
    assert not row.verified


def test_only_the_host_changes_groups(helper: User, host: User) -> None:
    group = Group.objects.create(name="directors")
    page, all_rights = f"/staff/auth/group/{group.pk}/change/", list(Permission.objects.values_list("pk"))
    form = form_of_row(group, name="hosts", permissions=[key for (key,) in all_rights])
    office = office_of(helper)
    assert office.get(page).status_code == 200
    for path, sent in ((page, form), ("/staff/auth/group/add/", {"name": "new"})):
        assert office.post(path, sent).status_code == 403
    assert office.post(f"/staff/auth/group/{group.pk}/delete/", {"post": "yes"}).status_code == 403
    assert list(Group.objects.values_list("name", flat=True)) == ["directors"]
    assert office_of(host).post(page, form).status_code == 302


def test_members_are_deleted_by_nobody(host: User, alice: User) -> None:
    office = office_of(host)
    assert "delete/" not in office.get(page_of(alice)).content.decode()
    assert office.get(page_of(alice, "delete")).status_code == 403
    assert office.post(page_of(alice, "delete"), {"post": "yes"}).status_code == 403
    picked = {"action": "delete_selected", "_selected_action": [alice.pk], "post": "yes"}
    office.post("/staff/accounts/user/", picked)
    assert User.objects.filter(pk=alice.pk).exists()


def test_what_the_back_office_deletes_is_small(host: User) -> None:
    assert staff.urlpatterns, "which finds the pages of all apps"
    request = RequestFactory().get("/staff/")
    request.user = host
    pages = admin.site._registry.items()  # noqa: SLF001
    deleted = {model.__name__ for model, page in pages if page.has_delete_permission(request)}
    assert deleted == {
        *("EmailAddress", "Authenticator", "UserSession", "Group"),
        *("Allowance", "News", "Mute", "Ban"),
    }


def test_a_member_is_added_by_name_and_gets_a_password_on_its_own_page(host: User) -> None:
    office = office_of(host)
    add = "/staff/accounts/user/add/"
    assert "password1" not in office.get(add).content.decode()
    answer = office.post(add, {"username": "erin", **NEW_PASSWORD, **NO_NAMES})
    user = User.objects.get(username="erin")
    assert (answer.status_code, user.has_usable_password()) == (302, False)
    assert office.post(page_of(user, "password"), NEW_PASSWORD).status_code == 302
    user.refresh_from_db()
    assert user.check_password(FRESH)


def test_the_page_that_adds_a_member_has_no_box_of_former_names(host: User, alice: User) -> None:
    office = office_of(host)
    assert "former_names" not in office.get("/staff/accounts/user/add/").content.decode()
    assert "former_names" in office.get(page_of(alice)).content.decode()
    assert office.post("/staff/accounts/user/add/", {"username": "annette"}).status_code == 302
    assert User.objects.filter(username="annette").exists()


def test_no_member_is_added_whose_name_looks_like_that_of_another(host: User, alice: User) -> None:
    answer = office_of(host).post("/staff/accounts/user/add/", {"username": "a1ice", **NO_NAMES})
    assert "is already taken" in answer.content.decode()
    assert not User.objects.filter(username="a1ice").exists()


@pytest.mark.parametrize("way", ["page", "list"])
def test_a_session_that_the_staff_delete_ends_with_what_is_open(host: User, alice: User, way: str) -> None:
    thief, office = signed_in(alice), office_of(host)
    thief.get("/accounts/sessions/")
    row = UserSession.objects.get(user=alice)
    if way == "page":
        answer = office.post(f"{SESSIONS}{row.pk}/delete/", {"post": "yes"})
    else:
        picked = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        answer = office.post(SESSIONS, picked)
    assert answer.status_code == 302
    assert not UserSession.objects.filter(pk=row.pk).exists()
    assert thief.get("/accounts/security/").headers["Location"].startswith("/accounts/login/")
    assert Outbox.objects.filter(topic=f"access:{alice.pk}", kind=ENDED).exists()


@pytest.mark.parametrize(
    "address",
    [
        '"quoted"@club.example',
        '"\\v"@club.example',
        f"x@{'ä' * 60}.example",
        "x@club",
        "x" * 250 + "@club.example",
    ],
)
def test_the_staff_give_nobody_an_address_that_gets_no_letters(host: User, alice: User, address: str) -> None:
    row, office = EmailAddress.objects.get(user=alice), office_of(host)
    changed = form_of_row(row, user=alice.pk, email=address, primary="on", verified="on")
    assert office.post(f"{ADDRESSES}{row.pk}/change/", changed).status_code == 200
    assert office.post(page_of(alice), form_of(alice, email=address)).status_code == 200
    alice.refresh_from_db()
    row.refresh_from_db()
    assert {alice.email, row.email} == {"alice@club.example"}


def test_no_address_outlasts_a_closed_account(host: User, alice: User) -> None:
    office, row = office_of(host), EmailAddress.objects.get(user=alice)
    changed = form_of_row(row, user=alice.pk, email="new@club.example", primary="on", verified="on")
    assert office.post(f"{ADDRESSES}{row.pk}/change/", changed).status_code == 302
    other = EmailAddress.objects.create(user=alice, email="other@club.example")
    picked = {"action": "delete_selected", "_selected_action": [row.pk, other.pk], "post": "yes"}
    assert office.post(ADDRESSES, picked).status_code == 302
    assert office.post(page_of(alice), form_of(alice, username="alicia", email="")).status_code == 302
    assert EmailChange.objects.filter(user=alice).exists()

    close(user=User.objects.get(pk=alice.pk), now=clock.now())

    assert not EmailChange.objects.filter(user=alice).exists()
    logged = LogEntry.objects.order_by("pk").values_list("object_repr", flat=True)
    assert {*logged} == {f"#{key}" for key in (row.pk, other.pk, alice.pk)}
    assert len(logged) == 4


def test_the_log_until_now_loses_names_and_addresses(host: User, alice: User) -> None:
    row = EmailAddress.objects.get(user=alice)
    report = letter(user=None, address="guest@club.example", reason="Hello", now=clock.now())
    named = {row: "alice@club.example", alice: "alice", report: "Letter: guest@club.example, today"}
    ban_of_alice = Ban(user=alice)
    for one, text in {**named, ban_of_alice: "alice"}.items():
        LogEntry.objects.create(
            user=host,
            content_type=ContentType.objects.get_for_model(one),
            object_id=str(one.pk),
            object_repr=text,
            action_flag=2,
        )
    migration = importlib.import_module("crownhead.server.accounts.migrations.0019_log_by_keys")
    migration.name_by_keys(apps, connection.schema_editor())
    logged = LogEntry.objects.order_by("pk").values_list("object_repr", flat=True)
    assert list(logged) == [f"#{row.pk}", f"#{alice.pk}", f"#{report.pk}", "alice"]


def test_of_a_member_whose_address_is_taken_no_more_the_rest_is_saved(host: User, alice: User) -> None:
    """As it was stored once; a new one must be an address that is."""
    office, older = office_of(host), '"alice"@club.example'
    row = EmailAddress.objects.get(user=alice)
    User.objects.filter(pk=alice.pk).update(email=older)
    EmailAddress.objects.filter(pk=row.pk).update(email=older)
    alice.refresh_from_db()
    row.refresh_from_db()

    office.post(page_of(alice), form_of(alice, is_staff="on"))
    page = f"/staff/account/emailaddress/{row.pk}/change/"
    office.post(page, form_of_row(row, user=alice.pk, email=older, primary="on", verified=""))

    alice.refresh_from_db()
    row.refresh_from_db()
    assert (alice.email, alice.is_staff) == (older, True)
    assert (row.email, row.verified) == (older, False)
    answer = office.post(page_of(alice), form_of(alice, email='"bob"@club.example'))
    assert "Enter a valid e-mail address." in answer.content.decode()
    other = form_of_row(row, user=alice.pk, email='"bob"@club.example', primary="on")
    assert "Enter a valid e-mail address." in office.post(page, other).content.decode()
