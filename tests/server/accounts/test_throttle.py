"""Wrong passwords are stopped where they come from, and never lock the owner of a name out."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.core import mail
from django.core.cache import cache
from django.test import Client, RequestFactory
from pytest_django import Settings

from crownhead.server.accounts import jobs
from crownhead.server.accounts.models import Budget, User
from crownhead.server.accounts.security import throttle
from crownhead.server.accounts.services import budgets
from crownhead.server.core import clock
from tests.server.accounts.test_security import code_of, signed_in, switch_on
from tests.server.conftest import PASSWORD

pytestmark = pytest.mark.django_db

HOME, ELSEWHERE = "192.0.2.1", "198.51.100.7"


def at(address: str = HOME) -> Client:
    """A browser at an address."""
    return Client(REMOTE_ADDR=address)


def sign_in(client: Client, password: str = PASSWORD, login: str = "alice") -> bool:
    """Try to sign in; whether it worked."""
    client.post("/accounts/login/", {"login": login, "password": password})
    return "_auth_user_id" in client.session


def attack(count: int, login: str = "alice", *, addresses: int = 1) -> None:
    """Wrong passwords for a name, from one address or several in turn."""
    for number in range(count):
        sign_in(at(f"203.0.113.{number % addresses}"), f"wrong {number}", login)


def by_program(address: str = HOME, password: str = PASSWORD) -> Any:
    body = {"username": "alice", "password": password}
    return at(address).post("/api/v1/tokens", body, content_type="application/json")


@pytest.mark.parametrize("login", ["alice", "alice@club.example"])
def test_tries_from_one_address_leave_all_others_alone(alice: User, login: str) -> None:
    attack(15, login)
    assert not sign_in(at("203.0.113.0"))
    assert sign_in(at(HOME))
    assert by_program(ELSEWHERE).status_code == 201


def test_a_name_and_its_address_count_as_one(alice: User) -> None:
    attack(5, "alice")
    attack(5, "alice@club.example")
    assert not sign_in(at("203.0.113.0"))


def test_a_browser_that_was_used_before_is_not_locked_out_by_anybody(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in_name": "20/h"}
    browser = at()
    assert sign_in(browser)
    browser.post("/accounts/logout/")
    attack(20, addresses=10)
    assert not sign_in(at(HOME)), "an unknown browser has to wait"
    browser.defaults["REMOTE_ADDR"] = ELSEWHERE
    assert sign_in(browser)


def test_a_browser_that_was_used_before_has_a_limit_of_its_own(alice: User) -> None:
    browser = at()
    sign_in(browser)
    browser.post("/accounts/logout/")
    for number in range(10):
        assert not sign_in(browser, f"wrong {number}")
    assert not sign_in(browser)
    with clock.stopped(clock.now() + timedelta(minutes=10)):
        assert sign_in(browser)


def test_a_known_browser_of_one_is_unknown_to_another(alice: User, bob: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in_name": "20/h"}
    browser = at()
    sign_in(browser, login="bob")
    browser.post("/accounts/logout/")
    attack(20, addresses=10)
    assert not sign_in(browser)


@pytest.mark.parametrize("who", ["claimant", "owner"])
def test_who_shares_an_address_tries_no_more_passwords_of_the_other_than_anybody(
    alice: User, bob: User, who: str
) -> None:
    owner, claimant = (alice, bob) if who == "claimant" else (bob, alice)
    EmailAddress.objects.filter(user=owner).update(email="shared@club.example", verified=True)
    EmailAddress.objects.filter(user=claimant).update(email="shared@club.example", verified=False)
    User.objects.update(email="shared@club.example")
    attacker = at()
    for number in range(12):
        if number % 4 == 0:  # a new browser, which has signed in once
            attacker = at()
            assert sign_in(attacker, login="bob")
            attacker.post("/accounts/logout/")
        assert not sign_in(attacker, f"wrong {number}", "shared@club.example")
    User.objects.filter(pk=bob.pk).update(password="!")
    assert not sign_in(attacker, PASSWORD, "shared@club.example"), "ten wrong ones were counted for alice"
    assert sign_in(at(ELSEWHERE), PASSWORD, "shared@club.example"), "she is not locked out"


def test_passwords_that_are_tried_at_the_same_moment_count_before_they_are_checked(
    alice: User, rf: RequestFactory
) -> None:
    now = clock.now()
    begun = [rf.post("/", REMOTE_ADDR=HOME) for _ in range(24)]
    may = [throttle.begin(request=request, login="alice", now=now) for request in begun]
    assert may == [True] * 10 + [False] * 14
    throttle.note_success(request=begun[0], user=alice)  # the right one counts no more
    assert throttle.begin(request=rf.post("/", REMOTE_ADDR=HOME), login="alice", now=now)


def test_who_signs_in_often_is_not_stopped(alice: User) -> None:
    assert all(sign_in(at(), login=login) for _ in range(16) for login in ("alice", "alice@club.example"))


@pytest.mark.parametrize("has_own", [False, True])
def test_a_password_of_ones_own_is_no_way_to_try_that_of_another(
    alice: User, bob: User, has_own: bool
) -> None:
    EmailAddress.objects.filter(user=bob).update(email="alice@club.example", verified=False)
    if has_own:
        EmailAddress.objects.bulk_create([EmailAddress(user=bob, email=bob.email, verified=True)])
    for number in range(12):
        User.objects.filter(pk=bob.pk).update(password=make_password(f"wrong {number}"))
        # Who only waits for an address, as they have confirmed another, doesn't sign in by it.
        assert sign_in(at(), f"wrong {number}", "alice@club.example") != has_own
    assert not sign_in(at(), PASSWORD, "alice@club.example"), "ten wrong ones were counted for alice"
    assert sign_in(at(ELSEWHERE), PASSWORD, "alice@club.example")


def test_the_count_of_a_name_tells_nobody_whose_an_address_is(
    alice: User, bob: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in_name": "20/h"}
    bob.set_password("a corner of the board")
    bob.save()
    EmailAddress.objects.filter(user=bob).update(email="alice@club.example", verified=False)
    attack(20, "alice", addresses=10)
    assert not sign_in(at(ELSEWHERE), PASSWORD, "alice@club.example")
    assert sign_in(at(ELSEWHERE), "a corner of the board", "alice@club.example")


def test_a_known_browser_of_the_owner_is_not_locked_out_by_who_claims_the_address(
    alice: User, bob: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in_name": "20/h"}
    EmailAddress.objects.filter(user=bob).update(email="alice@club.example", verified=False)
    browser = at()
    sign_in(browser)
    browser.post("/accounts/logout/")
    attack(20, "bob", addresses=10)
    attack(20, "alice@club.example", addresses=10)
    assert sign_in(browser, login="alice@club.example")


def test_a_forged_cookie_makes_no_browser_known(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in_name": "20/h"}
    attack(20, addresses=10)
    browser = at()
    for value in ("nonsense", f'{{"{alice.pk}":"x"}}', "", "W10:1:x"):
        browser.cookies.load({"device": value})
        assert not sign_in(browser)


def test_where_the_owner_is_signed_in_programs_get_tokens_under_attack(
    alice: User, settings: Settings
) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in_name": "20/h"}
    sign_in(at(HOME))
    attack(20, addresses=10)
    assert by_program(ELSEWHERE).status_code == 401
    assert by_program(HOME).status_code == 201


@pytest.mark.parametrize("login", ["alice", "alice@club.example", "nobody", "nobody@club.example"])
def test_no_answer_tells_whether_a_member_is_signed_in_at_an_address(
    alice: User, settings: Settings, login: str
) -> None:
    """Once the tries for a name are used up: with the right password, that is."""
    settings.LIMITS = settings.LIMITS | {"sign_in_name": "20/h"}
    sign_in(at(HOME))
    attack(24, login, addresses=12)

    def tell(address: str) -> tuple[int, str]:
        body = {"username": login, "password": "one more"}
        answer = at(address).post("/api/v1/tokens", body, content_type="application/json")
        return answer.status_code, answer.json()["detail"]

    assert tell(HOME) == tell(ELSEWHERE)
    assert tell(HOME)[0] == 401


def test_a_link_by_mail_lets_an_unknown_browser_in(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in_name": "20/h"}
    attack(20, addresses=10)
    browser = at(ELSEWHERE)
    page = browser.post("/accounts/login/", {"login": "alice", "password": PASSWORD}).content.decode()
    assert "/accounts/unlock/" in page
    browser.post("/accounts/unlock/", {"login": "alice"})
    (letter,) = mail.outbox
    assert letter.to == ["alice@club.example"]
    found = re.search(r"/accounts/unlock/\S+", str(letter.body))
    assert found
    assert not sign_in(browser), "having asked is not enough"
    assert "Sign in as alice" in browser.get(found[0]).content.decode()
    browser.post(found[0])
    assert not sign_in(browser, "a wrong one"), "the link replaces no password"
    assert sign_in(browser)
    assert not sign_in(at("198.51.100.9")), "others stay out"


def test_a_new_password_by_mail_lets_its_browser_in(alice: User, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"sign_in_name": "20/h"}
    attack(20, addresses=10)
    browser = at(ELSEWHERE)
    browser.post("/accounts/password/reset/", {"email": alice.email})
    found = re.search(r"/accounts/password/reset/key/\S+", str(mail.outbox[0].body))
    assert found
    form = browser.get(found[0], follow=True)
    new = "another corner by the door"
    browser.post(form.redirect_chain[-1][0], {"password1": new, "password2": new})
    assert sign_in(browser, new)
    assert not sign_in(at("198.51.100.9"), new), "others stay out"


def test_the_link_ends_with_the_password(alice: User) -> None:
    browser = at()
    browser.post("/accounts/unlock/", {"login": "alice@club.example"})
    found = re.search(r"/accounts/unlock/\S+", str(mail.outbox[0].body))
    assert found
    assert browser.get(found[0]).status_code == 200
    alice.set_password("another corner by the door")
    alice.save()
    assert browser.get(found[0]).status_code == 404
    assert browser.post("/accounts/unlock/nonsense/").status_code == 404


def test_asking_for_the_link_tells_nobody_whether_there_is_an_account(alice: User, client: Client) -> None:
    pages = [
        client.post("/accounts/unlock/", {"login": name}).content.decode() for name in ("alice", "nobody", "")
    ]
    assert pages[0] == pages[1] == pages[2]
    assert len(mail.outbox) == 1


def test_the_current_password_is_no_way_to_try_others(
    alice: User, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """Where a new one is chosen, by a browser that somebody has found signed in."""
    settings.ACCOUNT_RATE_LIMITS = False  # which each process counts for itself
    browser = at()
    browser.force_login(alice)

    def change(old: str) -> str:
        form = {"oldpassword": old, "password1": "another corner by the door"}
        return browser.post("/accounts/password/change/", form).content.decode()

    caplog.clear()
    for number in range(10):
        assert "Please type your current password." in change(f"wrong {number}")
    assert sum("event=confirmation-failed" in line for line in caplog.messages) == 10
    assert "Too many failed attempts." in change(PASSWORD)
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_the_right_current_password_does_not_count(alice: User, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False  # which each process counts for itself
    browser = at()
    browser.force_login(alice)
    old = PASSWORD
    for number in range(12):
        new = f"another corner by door {number}"
        browser.post("/accounts/password/change/", {"oldpassword": old, "password1": new})
        old = new
    alice.refresh_from_db()
    assert alice.check_password(old)


def test_an_unknown_name_is_stopped_like_a_known_one(db: None) -> None:
    answers = [by_program(password=f"wrong {number}").status_code for number in range(12)]
    assert answers == [401] * 10 + [429] * 2


def test_one_address_tries_only_so_many_names(db: None) -> None:
    with clock.stopped(clock.now().replace(second=0)):
        statuses = [
            at()
            .post("/api/v1/tokens", {"username": f"n{n}", "password": "x"}, content_type="application/json")
            .status_code
            for n in range(32)
        ]
    assert statuses == [401] * 30 + [429] * 2


def test_a_code_counts_once_whatever_process_is_asked(alice: User) -> None:
    code = code_of(switch_on(signed_in(alice)))
    body = {"username": "alice", "password": PASSWORD}
    answers = []
    for form in (f"{code[:3]} {code[3:]}", code, f"\u00a0{code}", f"{code}\x1f", f"\u3000{code}\x85"):
        cache.clear()  # as another process has it
        answer = at().post("/api/v1/tokens", body | {"code": form}, content_type="application/json")
        answers.append(answer.status_code)
    assert answers == [201, 401, 401, 401, 401]

    cache.clear()
    browser = at()
    sign_in(browser)
    browser.post("/accounts/second-factor/", {"code": code})
    assert "_auth_user_id" not in browser.session


def test_the_code_that_switches_the_app_on_counts_at_no_sign_in(alice: User) -> None:
    code = code_of(switch_on(signed_in(alice), forget=False))
    cache.clear()  # as another process has it
    body = {"username": "alice", "password": PASSWORD, "code": code}
    assert at().post("/api/v1/tokens", body, content_type="application/json").status_code == 401


def test_a_code_that_was_used_is_free_again_when_it_fits_no_more(db: None) -> None:
    now, later = clock.now(), clock.now() + timedelta(seconds=90)
    assert budgets.use_once(scope="used_code", who="1 123456", now=now, until=later)
    assert not budgets.use_once(scope="used_code", who="1 123456", now=now, until=later)
    assert budgets.use_once(scope="used_code", who="1 123456", now=later, until=later)


@pytest.mark.parametrize("where", ["page", "program"])
def test_wrong_codes_are_counted_together_by_all_processes(alice: User, where: str) -> None:
    secret, browser = switch_on(signed_in(alice)), at()
    sign_in(browser)

    def try_code(code: str) -> bool:
        cache.clear()  # as another process has it
        if where == "page":
            browser.post("/accounts/second-factor/", {"code": code})
            return "_auth_user_id" in browser.session
        body = {"username": "alice", "password": PASSWORD, "code": code}
        return at().post("/api/v1/tokens", body, content_type="application/json").status_code == 201

    with clock.stopped(clock.now()):
        wrong = [code for code in map("{:06}".format, range(14)) if not is_near(code, secret)][:10]
        assert not any(map(try_code, wrong))
        assert not try_code(code_of(secret))
    with clock.stopped(clock.now() + timedelta(minutes=5)):
        assert try_code(code_of(secret))
    assert not Budget.objects.filter(scope="sign_in", spent__gt=0).exists()


def is_near(code: str, secret: str) -> bool:
    """Whether a code fits, or may do so in a moment."""
    return code in {code_of(secret, steps=steps) for steps in (-2, -1, 0, 1, 2)}


def test_counts_are_forgotten_when_their_time_is_over(alice: User) -> None:
    attack(3)
    now = clock.now()
    assert Budget.objects.exists()
    assert "alice" not in str(list(Budget.objects.values()))
    jobs.forget_budgets(now + timedelta(hours=2))
    assert not Budget.objects.exists()


def test_the_link_goes_to_no_address_that_the_account_only_waits_for(alice: User) -> None:
    """Somebody who knows the password may ask for any; its owner shall learn no name, nor get a link."""
    EmailAddress.objects.create(user=alice, email="stranger@club.example")
    at().post("/accounts/unlock/", {"login": "stranger@club.example"})
    (letter,) = mail.outbox
    assert letter.to == ["stranger@club.example"]
    assert "alice" not in str(letter.body)
    assert "/accounts/unlock/" not in str(letter.body)
