"""What opens accounts and gives rights in the back office: for staff who have just said who they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.test import Client

from crownhead.server.accounts import admin as accounts_admin
from crownhead.server.accounts.admin import NamedForm
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.closing import close
from crownhead.server.core import clock
from crownhead.server.core.admin import as_shown
from crownhead.server.social.services.bans import ban
from tests.server.accounts.test_security import signed_in
from tests.server.conftest import PASSWORD, make_user

pytestmark = pytest.mark.django_db

CHANGED_SINCE = "This has changed since you opened this page."
AGAIN = "/accounts/reauthenticate/"
FRESH = "another corner by the door"
NEW_PASSWORD = {"password1": FRESH, "password2": FRESH, "usable_password": "true"}
NO_NAMES = {"former_names-TOTAL_FORMS": "0", "former_names-INITIAL_FORMS": "0"}


@pytest.fixture
def host(db: None) -> User:
    return make_user("hugo", is_staff=True, is_superuser=True)


@pytest.fixture
def office(host: User) -> Client:
    """A browser of the staff who signed in some time ago."""
    client = Client(raise_request_exception=False)
    client.force_login(host)
    return client


def page_of(user: User, name: str = "change") -> str:
    return f"/staff/accounts/user/{user.pk}/{name}/"


def form_of(user: User, **changes: str) -> dict[str, str]:
    """What the page of a member sends."""
    shown = {"username": user.username, "email": user.email, "is_active": "on"}
    return {**shown, "as_shown": as_shown(user, NamedForm.shown), **NO_NAMES, **changes}


def form_of_row(row: EmailAddress | Group, **changes: Any) -> dict[str, Any]:
    """What the page of an address or of a group sends."""
    names = (
        ("user", "email", "primary", "verified") if isinstance(row, EmailAddress) else ("name", "permissions")
    )
    return {"as_shown": as_shown(row, names), **changes}


def changes(host: User, alice: User) -> dict[str, tuple[str, dict[str, Any]]]:
    """Every way by which the back office changes what opens an account or gives rights."""
    address = EmailAddress.objects.get(user=alice)
    group = Group.objects.create(name="directors")
    members, addresses = "/staff/accounts/user/", "/staff/account/emailaddress/"
    return {
        "password": (page_of(alice, "password"), NEW_PASSWORD),
        "address": (page_of(alice), form_of(alice, email="new@club.example")),
        "rights": (page_of(alice), form_of(alice, is_superuser="on")),
        "deletion": (f"{addresses}{address.pk}/delete/", {"post": "yes"}),
        "account": (
            f"{members}add/",
            {"username": "erin", **NO_NAMES},
        ),
        "row of an address": (
            f"{addresses}{address.pk}/change/",
            form_of_row(address, user=alice.pk, email="new@club.example", primary="on", verified="on"),
        ),
        "list of addresses": (addresses, {"action": "make_verified", "_selected_action": [address.pk]}),
        "deletion in a list": (
            addresses,
            {"action": "delete_selected", "_selected_action": [address.pk], "post": "yes"},
        ),
        "rights of many": (f"/staff/auth/group/{group.pk}/change/", form_of_row(group, name="hosts")),
    }


def state() -> list[Any]:
    return [
        list(User.objects.order_by("pk").values("pk", "password", "email", "is_superuser")),
        list(EmailAddress.objects.order_by("pk").values("email", "verified")),
        list(Group.objects.values("name")),
    ]


def test_what_opens_an_account_asks_the_staff_who_they_are(office: Client, host: User, alice: User) -> None:
    EmailAddress.objects.filter(user=alice).update(verified=False)
    asked = changes(host, alice)
    before = state()
    for name, (path, form) in asked.items():
        answer = office.post(path, form)
        assert answer.headers.get("Location", "").startswith(AGAIN), (name, answer.status_code)
        assert state() == before, name


@pytest.mark.parametrize("name", ["password", "address", "rights", "row of an address", "rights of many"])
def test_what_the_staff_sent_goes_on_once_they_have_said_it(
    office: Client, host: User, alice: User, name: str
) -> None:
    path, form = changes(host, alice)[name]
    before = state()
    asked = office.post(path, form)
    answer = office.post(asked.headers["Location"], {"password": PASSWORD, "next": path})
    assert (answer.status_code, state() != before) == (302, True)


def test_the_page_for_a_password_is_not_shown_before(office: Client, alice: User) -> None:
    assert office.get(page_of(alice, "password")).headers["Location"].startswith(AGAIN)


def test_one_whose_password_the_staff_change_gets_a_mail(office: Client, alice: User) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    assert office.post(page_of(alice, "password"), NEW_PASSWORD).status_code == 302
    alice.refresh_from_db()
    assert alice.check_password(FRESH)
    (letter,) = mail.outbox
    assert letter.to == ["alice@club.example"]
    assert "changed the password of your account" in letter.body


def test_the_staff_change_their_own_password_and_address_where_all_members_do(
    office: Client, host: User
) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    for path in (page_of(host, "password"), f"/staff/accounts/user/0{host.pk}/password/"):
        for ask in (office.get, office.post):
            assert ask(path, NEW_PASSWORD).headers["Location"] == "/accounts/password/change/"
    rights = {"is_staff": "on", "is_superuser": "on"}
    office.post(page_of(host), form_of(host, email="new@club.example", **rights))
    row = EmailAddress.objects.get(user=host)
    office.post(f"/staff/account/emailaddress/{row.pk}/delete/", {"post": "yes"})
    added = {"user": host.pk, "email": "new@club.example", "primary": "", "verified": "on"}
    assert office.post("/staff/account/emailaddress/add/", added).status_code == 403
    host.refresh_from_db()
    assert host.check_password(PASSWORD)
    assert host.email == "hugo@club.example"
    assert list(EmailAddress.objects.filter(user=host)) == [row]


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [("/staff/password_change/", "/accounts/password/change/"), ("/staff/login/", "/staff/")],
)
@pytest.mark.parametrize("given", [PASSWORD, "not that one"])
def test_no_page_of_the_back_office_tries_passwords(
    office: Client, host: User, path: str, leads_to: str, given: str
) -> None:
    names = {"username": host.username, "new_password1": FRESH, "new_password2": FRESH}
    answer = office.post(path, {**names, "password": given, "old_password": given})
    assert answer.headers["Location"] == leads_to
    host.refresh_from_db()
    assert host.check_password(PASSWORD)


def test_the_back_office_shows_no_key_of_a_session(office: Client, alice: User) -> None:
    signed_in(alice).get("/accounts/sessions/")
    row = UserSession.objects.get(user=alice)
    page = office.get(f"/staff/usersessions/usersession/{row.pk}/change/")
    assert page.status_code == 200
    text = page.content.decode()
    assert row.session_key not in text
    assert "As shown" not in text


def test_an_old_address_is_told_that_the_staff_have_changed_it_and_can_undo_that(
    office: Client, alice: User
) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    assert office.post(page_of(alice), form_of(alice, email="new@club.example")).status_code == 302
    (letter,) = mail.outbox
    assert letter.to == ["alice@club.example"]
    assert "changed the e-mail address of your account" in letter.body
    assert "to new@club.example" in " ".join(letter.body.split())
    link = re.search(r"/accounts/email/change/\S+", str(letter.body))
    assert link is not None
    Client().post(link[0], {"take_back": "1"})
    alice.refresh_from_db()
    assert alice.email == "alice@club.example"


@pytest.mark.parametrize("way", ["changed", "added", "deleted", "deleted from the list"])
def test_an_old_address_is_told_when_its_rows_change(office: Client, alice: User, way: str) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    addresses = "/staff/account/emailaddress/"
    row = EmailAddress.objects.get(user=alice)
    one = {"user": alice.pk, "email": "new@club.example", "verified": "on"}
    some = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    User.objects.filter(pk=alice.pk).update(email="")
    path, form = {
        "changed": (f"{addresses}{row.pk}/change/", form_of_row(row, **one, primary="on")),
        "added": (f"{addresses}add/", one),
        "deleted": (f"{addresses}{row.pk}/delete/", {"post": "yes"}),
        "deleted from the list": (addresses, some),
    }[way]
    assert office.post(path, form).status_code == 302
    (letter,) = mail.outbox
    assert letter.to == ["alice@club.example"]
    assert ("removed the e-mail address" in letter.body) is way.startswith("deleted")


def test_other_changes_of_a_member_tell_no_address(office: Client, alice: User) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    assert office.post(page_of(alice), form_of(alice, username="alicia")).status_code == 302
    assert not mail.outbox


def shown_by(page: str) -> str:
    """What the page of a row shows, as its form sends it."""
    shown = re.search(r'name="as_shown" value="(\w+)"', page)
    assert shown
    return shown[1]


def _banned(host: User, member: User) -> None:
    ban(staff=host, user=member, until=None, reason="flooding", now=clock.now())


def _closed(_host: User, member: User) -> None:
    close(user=member, now=clock.now())


def _given_rights(_host: User, member: User) -> None:
    User.objects.filter(pk=member.pk).update(is_staff=True)


def _left_a_group(_host: User, member: User) -> None:
    member.groups.clear()


def _lost_a_permission(_host: User, member: User) -> None:
    member.user_permissions.clear()


@pytest.mark.parametrize("change", [_banned, _closed, _given_rights, _left_a_group, _lost_a_permission])
def test_an_older_page_of_a_member_undoes_nothing(
    office: Client, host: User, alice: User, change: Callable[[User, User], None]
) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    group, permission = Group.objects.create(name="helpers"), Permission.objects.order_by("pk")[0]
    alice.groups.add(group)
    alice.user_permissions.add(permission)
    page = office.get(page_of(alice)).content.decode()
    rights = {"groups": str(group.pk), "user_permissions": str(permission.pk)}
    older = form_of(alice, as_shown=shown_by(page), **rights)
    change(host, User.objects.get(pk=alice.pk))
    before = User.objects.values().get(pk=alice.pk)
    granted = [*alice.groups.all(), *alice.user_permissions.all()]

    answer = office.post(page_of(alice), older)

    assert answer.status_code in {200, 403}
    assert User.objects.values().get(pk=alice.pk) == before
    assert [*alice.groups.all(), *alice.user_permissions.all()] == granted
    if answer.status_code == 200:
        assert CHANGED_SINCE in answer.content.decode()


def test_an_older_page_of_a_group_gives_no_permission_back(office: Client) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    group, permissions = Group.objects.create(name="helpers"), Permission.objects.order_by("pk")[:2]
    group.permissions.set(permissions)
    path = f"/staff/auth/group/{group.pk}/change/"
    older = {"name": "hosts", "permissions": [one.pk for one in permissions]}
    older["as_shown"] = shown_by(office.get(path).content.decode())
    group.permissions.remove(permissions[0])

    answer = office.post(path, older)

    assert CHANGED_SINCE in answer.content.decode()
    group.refresh_from_db()
    assert (group.name, list(group.permissions.all())) == ("helpers", [permissions[1]])
    older["as_shown"] = shown_by(answer.content.decode())
    assert CHANGED_SINCE in office.post(path, older).content.decode()  # it has still not been opened again
    older["as_shown"] = shown_by(office.get(path).content.decode())
    assert office.post(path, older).status_code == 302


def test_an_older_page_of_an_address_does_not_verify_it_again(office: Client, alice: User) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    row = EmailAddress.objects.get(user=alice)
    EmailAddress.objects.update(verified=True)
    path = f"/staff/account/emailaddress/{row.pk}/change/"
    older = {"user": alice.pk, "email": row.email, "primary": "on", "verified": "on"}
    older["as_shown"] = shown_by(office.get(path).content.decode())
    EmailAddress.objects.update(verified=False)

    answer = office.post(path, older)

    assert CHANGED_SINCE in answer.content.decode()
    row.refresh_from_db()
    assert not row.verified


@pytest.mark.parametrize("page", ["auth/group", "account/emailaddress"])
def test_a_page_that_tells_nothing_of_what_it_showed_changes_nothing(
    office: Client, alice: User, page: str
) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    group, address = Group.objects.create(name="helpers"), EmailAddress.objects.get(user=alice)
    key = group.pk if page == "auth/group" else address.pk
    form = {"name": "hosts", "user": alice.pk, "email": "new@club.example", "primary": "on"}
    before = state()
    assert CHANGED_SINCE in office.post(f"/staff/{page}/{key}/change/", form).content.decode()
    assert state() == before


@pytest.mark.parametrize("kind", ["renamed", "added"])
def test_a_name_that_is_taken_while_the_staff_give_it_is_refused_in_words(
    office: Client, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    monkeypatch.setattr(accounts_admin, "name_is_taken", lambda *_, **__: False)  # as it was a moment before
    form = {"username": "b0b", **NO_NAMES}
    path = page_of(alice) if kind == "renamed" else "/staff/accounts/user/add/"
    sent = form_of(alice, username="b0b", is_active="") if kind == "renamed" else form
    page = office.post(path, sent, follow=True)
    assert page.redirect_chain == [(path, 302)]
    assert "is already taken" in page.content.decode()
    assert list(User.objects.exclude(username="hugo").values_list("username", "is_active")) == [
        ("alice", True),
        ("bob", True),
    ]


def test_nobody_opens_a_closed_account_again(office: Client, alice: User) -> None:
    office.post(AGAIN, {"password": PASSWORD})
    close(user=User.objects.get(pk=alice.pk), now=clock.now())
    alice.refresh_from_db()
    assert office.get(page_of(alice)).status_code == 200
    assert office.post(page_of(alice), form_of(alice)).status_code == 403
    assert office.post(page_of(alice, "password"), NEW_PASSWORD).status_code == 403
    alice.refresh_from_db()
    assert not alice.is_active
    assert not alice.has_usable_password()
