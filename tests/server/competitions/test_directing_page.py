"""The page of directors decides nothing that they have not chosen."""

from __future__ import annotations

import re

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import services
from crownhead.server.competitions.models import DirectorAction, Entrant, Tournament
from crownhead.server.competitions.presenters import directing
from tests.server.competitions.factories import client_of, make_running_tournament, open_rows
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def running(alice: User) -> Tournament:
    """A tournament of four in its first round."""
    return make_running_tournament(alice, 4)[0]


def page_of(tournament: Tournament) -> str:
    page: str = (
        client_of(tournament.host).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
    )
    return page


def form_with(page: str, button: str) -> str:
    """The form of a button on the page."""
    (found,) = (
        str(form) for form in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'value="{button}"' in form
    )
    return found


@pytest.mark.parametrize(
    ("button", "field", "harmless"),
    [
        ("forfeit", "loser", "resume"),
        ("adjudicate", "result", "adjudicate"),
        ("expel", "username", "replace"),
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_nothing_is_chosen_before_a_director_chooses_it(
    running: Tournament, monkeypatch: pytest.MonkeyPatch, button: str, field: str, harmless: str, many: bool
) -> None:
    if many:
        monkeypatch.setattr(directing, "MAX_CHOICES", 2)
    form = form_with(page_of(running), button)
    written = re.search(rf'<input name="{field}"[^>]*>', form)
    listed = re.search(rf'<select name="{field}"[^>]*>\s*<option value="">', form)
    assert (written is not None, listed is not None) == (many, not many)
    assert written is None or "value=" not in written[0]
    first = re.search(r'name="do"\s+value="(\w+)"', form)  # which the Enter key presses
    assert first is not None
    assert first[1] == harmless


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"do": "forfeit", "round": "1", "table": "1"}, "Choose who forfeits."),
        ({"do": "adjudicate"}, "Choose the result."),
        ({"do": "expel"}, "Choose a player."),
        ({"do": "replace", "substitute": "bob"}, "Choose a player."),
    ],
)
def test_what_was_not_chosen_is_asked_for(
    running: Tournament, bob: User, form: dict[str, str], why: str
) -> None:
    acts = DirectorAction.objects.count()
    sent = form | {"reason": "So it is.", "game": open_rows(running)[0].game_id or ""}
    answer = client_of(running.host).post(f"/tournaments/{running.public_id}/direct/", sent, follow=True)
    assert why in answer.content.decode()
    assert DirectorAction.objects.count() == acts
    assert len(open_rows(running)) == 2


def test_who_has_left_can_be_replaced_as_the_page_says(running: Tournament, bob: User) -> None:
    users = [row.user for row in Entrant.objects.select_related("user").order_by("pk")]
    for user in users[:2]:
        services.withdraw(user=user, tournament_id=running.public_id, now=NOW)
    Entrant.objects.filter(user=users[1]).update(left=0)  # before the first round
    form = form_with(page_of(running), "replace")
    assert "Have left" in form
    assert f"<option>{users[0].username}</option>" in form
    assert f"<option>{users[1].username}</option>" not in form
    services.invite_substitute(
        user=running.host,
        tournament_id=running.public_id,
        username=users[0].username,
        substitute=bob.username,
        reason="They went home.",
        now=NOW,
    )
