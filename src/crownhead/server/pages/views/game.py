"""The page of a game: what it shows, what its players do on it, and its record."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.choices import AfterSubmit
from crownhead.server.accounts.guests.access import player, viewer
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.selectors import User, preferences_of
from crownhead.server.core import clock
from crownhead.server.core.http import site_address
from crownhead.server.core.limits import spend_pages
from crownhead.server.core.problems import NotFound, Problem, Unprocessable
from crownhead.server.core.processes.queues import work_expected
from crownhead.server.live.selectors import mark_position, watchers
from crownhead.server.lobby.presenters.started import greet
from crownhead.server.pages.presenters.game import game_page
from crownhead.server.pages.views.records import pdn_file
from crownhead.server.play import selectors
from crownhead.server.play.archive.selectors import PLIES_OF_A_PAGE
from crownhead.server.play.chat.services import LONGEST_LINE, LONGEST_NOTE, send_message, write_note
from crownhead.server.play.choices import Status
from crownhead.server.play.clocks.services import give_time
from crownhead.server.play.clocks.time_control import HOUR, Pace
from crownhead.server.play.draws import services as draw_services
from crownhead.server.play.draws.services import accept_draw, claim_draw, decline_draw, offer_draw
from crownhead.server.play.games.selectors import guests
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.moves.services import move_and_say
from crownhead.server.play.presence.services import claim_abandoned
from crownhead.server.play.presenters.board.touch import BoardQuery
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.play.presenters.state import GameState, game_state
from crownhead.server.play.selectors import Game
from crownhead.server.play.staff.selectors import why_adjourned
from crownhead.server.play.staff.services import LONGEST_REASON, appeal
from crownhead.server.play.take_backs.services import accept_take_back, ask_take_back, decline_take_back
from crownhead.server.ratings.selectors import ratings_by_name
from crownhead.server.web.page import frame, go_to, is_fragment, keep_on_device, page
from crownhead.server.web.page_cache import MAX_AGE, cached_for_guests, has_query

_LIMITS = {"longest_line": LONGEST_LINE, "longest_note": LONGEST_NOTE, "longest_reason": LONGEST_REASON}

Action = Callable[[User, str, HttpRequest], Game]


def _cache_key(request: HttpRequest, public_id: str) -> Hashable | None:
    """What the page of a running game shows to guests: all that its row has, and who watches."""
    now = clock.now()
    game = selectors.access_game(viewer=request.user, public_id=public_id, now=now)
    if has_query(request) or game.status != Status.PLAYING or game.computer_ids:
        return None
    seconds = 1 if game.pace == Pace.LIVE or (game.deadline_at and game.deadline_at - now < HOUR) else MAX_AGE
    names = [user and user.username for user in (game.first_player, game.second_player)]
    ratings = ratings_by_name({(name, game.variant) for name in names if name}, now=now)
    match = game.match and (game.match.creator_score, game.match.opponent_score)
    row = [getattr(game, field.attname) for field in game._meta.concrete_fields]
    return str((row, names, ratings, match, _watchers(game))), int(now.timestamp()) // seconds


@require_http_methods(["GET", "HEAD", "POST"])
@page
@cached_for_guests(_cache_key, else_unchanged=True)
def game(request: HttpRequest, public_id: str) -> HttpResponse:
    """A game, for its players and for spectators."""
    if request.method != "POST":
        return _show(request, public_id)
    action = request.POST.get("do", "")
    user = player(request) if action in FOR_GUESTS else signed_in(request)
    try:
        if action == "note":
            return _save_note(request, user, public_id)
        changed = _ACTIONS.get(action, _unknown)(user, public_id, request)
    except NotFound:
        raise
    except Problem as problem:
        if action != "move":
            messages.error(request, problem.message)
            return _show(request, public_id, status=problem.status)
        typed = request.POST.get("move", "")[:80]
        return _show(request, public_id, status=problem.status, typed=typed, refused=problem.message)
    address = _after(request, changed)
    if not is_fragment(request) or address != request.path:
        return go_to(request, address)
    mark_position(request)  # the page itself, which saves a redirect
    return _show(request, public_id)


def _show(
    request: HttpRequest, public_id: str, *, status: int = 200, typed: str = "", refused: str = ""
) -> HttpResponse:
    now = clock.now()
    who = viewer(request)
    game = selectors.access_game(viewer=who, public_id=public_id, now=now)
    if game.status == Status.PLAYING and game.computer_ids:
        work_expected.send(Game)
    presenter = game_page(game=game, viewer=who, board_query=BoardQuery.of(request.GET), now=now)
    if refused and not presenter.state.rights.move:  # there is no field to say it beside
        messages.error(request, refused)
    context = {
        "page": presenter,
        "state": presenter.state,
        "address": game_link(game.public_id),
        "then": _after_submit(who),
        "typed": typed,
        "refused": refused,
        "watchers": _watchers(game),
        "link": _link(request, game) if presenter.state.rights.withdraw else "",
        "open_to_guests": presenter.is_open and not request.user.is_authenticated and guests.may_take(game),
        "why_adjourned": why_adjourned(game=game) if presenter.state.time.adjourned_until else "",
        **_LIMITS,
        **frame(request),
    }
    response = render(request, "pages/game.html", context, status=status)
    is_own = request.user.is_authenticated and presenter.state.viewer_seat
    return keep_on_device(response) if is_own and game.status == Status.PLAYING else response


def _move(user: User, game_id: str, request: HttpRequest) -> Game:
    version = request.POST.get("version", "")
    if not version.isdecimal() or len(version) > 6:
        raise Unprocessable(_("This page is out of date. Please reload it."))
    move = request.POST.get("move", "").strip()
    if not move:
        raise Unprocessable(_("Make a move on the board or type it, then submit."))
    _remember(user, request.POST.get("then", ""))
    made = move_and_say(
        user=user,
        game_id=game_id,
        move=move,
        version=int(version),
        message=_text(request, "message", LONGEST_LINE),
        now=clock.now(),
    )
    if made.unsent:
        messages.warning(request, made.unsent)
    return made.game


def _watchers(game: Game) -> int:
    """The number of spectators of a game in progress."""
    players = [key for key in (game.first_player_id, game.second_player_id) if key is not None]
    return watchers(game.public_id, players=players) if game.status == Status.PLAYING else 0


def _remember(user: User, then: str) -> None:
    """Preselect the same choice next time, on any device."""
    if then in AfterSubmit.values and then != _after_submit(user) and not user.is_guest:
        set_preferences(user=user, changes={"then": then})


def _after_submit(user: User | AnonymousUser) -> str:
    """Where the player goes after a move."""
    return preferences_of(user).then if isinstance(user, User) else AfterSubmit.STAY.value


def _link(request: HttpRequest, game: Game) -> str:
    """The link by which a friend takes the game; empty where there is none."""
    token = invitation_selectors.link_token(game)
    return f"{site_address(request)}{reverse('lobby:join', args=[token])}" if token else ""


def _send_message(user: User, game_id: str, request: HttpRequest) -> Game:
    text = _text(request, "text", LONGEST_LINE)
    if not text:
        raise Unprocessable(_("Type a message first."))
    return send_message(user=user, game_id=game_id, text=text, now=clock.now())


def _appeal(user: User, game_id: str, request: HttpRequest) -> Game:
    reason = _text(request, "reason", LONGEST_REASON)
    if not reason:
        raise Unprocessable(_("Please give a reason."))
    claim = request.POST.get("claim", "")
    changed = appeal(user=user, game_id=game_id, claim=claim, reason=reason, now=clock.now())
    messages.success(request, _("The staff will look at the game and answer here."))
    return changed


def _invite_again(user: User, game_id: str, request: HttpRequest) -> Game:
    message = request.POST.get("message", "")
    offered = invitation_services.invite_again(user=user, game_id=game_id, message=message, now=clock.now())
    if offered.status == Status.WAITING:
        messages.success(request, _("Rematch offered: your opponent is invited, with sides swapped."))
    else:
        greet(request, offered)
    return offered


def _action(verb: Callable[..., Game]) -> Action:
    def action(user: User, game_id: str, _request: HttpRequest) -> Game:
        return verb(user=user, game_id=game_id, now=clock.now())

    return action


def _unknown(_user: User, _game_id: str, request: HttpRequest) -> Game:
    raise Unprocessable(_("Unknown action: %(name)s") % {"name": request.POST.get("do", "")[:40]})


_ACTIONS: Mapping[str, Action] = {
    "move": _move,
    "offer": _action(offer_draw),
    "accept": _action(accept_draw),
    "decline": _action(decline_draw),
    "claim": _action(claim_draw),
    "ask-take-back": _action(ask_take_back),
    "accept-take-back": _action(accept_take_back),
    "decline-take-back": _action(decline_take_back),
    "resign": _action(draw_services.resign),
    "abort": _action(draw_services.abort),
    "give-time": _action(give_time),
    "claim-abandoned": _action(claim_abandoned),
    "appeal": _appeal,
    "say": _send_message,
    "again": _invite_again,
}

FOR_GUESTS = frozenset(_ACTIONS) - {"appeal", "say"}
"""What a guest may do in a game of theirs; everything else on the page is for members."""


def _save_note(request: HttpRequest, user: User, game_id: str) -> HttpResponse:
    """Save the note; a script gets a short confirmation instead of a page."""
    write_note(user=user, game_id=game_id, text=_text(request, "note", LONGEST_NOTE))
    if is_fragment(request):
        return HttpResponse(_("Saved."), content_type="text/plain; charset=utf-8")
    messages.success(request, _("Your notes are saved."))
    return redirect(f"{game_link(game_id)}?tab=notes")


def _text(request: HttpRequest, name: str, longest: int) -> str:
    """A text of the form with plain line ends; raises ``Unprocessable`` if it is too long."""
    text = request.POST.get(name, "").replace("\r\n", "\n").strip()
    if len(text) > longest:
        raise Unprocessable(
            _("That text is too long: %(count)s characters, at most %(longest)s.")
            % {"count": len(text), "longest": longest}
        )
    return text


def _after(request: HttpRequest, changed: Game) -> str:
    """Where to go after an action: this game, my games, or the next game on turn."""
    done, address = request.POST.get("do"), game_link(changed.public_id)
    if done == "say" and not is_fragment(request):
        return f"{address}?tab=chat"
    if done != "move":
        return address
    then = request.POST.get("then", "stay")
    if then == "next" and request.user.is_authenticated:
        waiting = selectors.my_games(user=signed_in(request), turn=True).first()
        if waiting:
            return game_link(waiting.public_id)
    return reverse("pages:home") if then in {"games", "next"} else address


@require_safe
@page
def resign(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for confirmation; the form is sent to the address of the game."""
    state = _state(request, public_id)
    if not state.rights.resign:
        return redirect("pages:game", public_id=public_id)
    return render(request, "pages/resign.html", {"state": state, **frame(request)})


@require_safe
@page
def draw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for confirmation before a draw is offered, or the opponent's offer accepted."""
    state = _state(request, public_id)
    if not (state.rights.offer_draw or state.rights.answer_draw):
        return redirect("pages:game", public_id=public_id)
    return render(request, "pages/draw.html", {"state": state, **frame(request)})


def _state(request: HttpRequest, public_id: str) -> GameState:
    """The game as the player who asks sees it."""
    user, now = player(request), clock.now()
    return game_state(selectors.access_game(viewer=user, public_id=public_id, now=now), user, now)


@require_safe
@page
def pdn(request: HttpRequest, public_id: str) -> HttpResponse:
    """The record of a game as a file; ``ply``: only up to that move."""
    game = selectors.access_game(viewer=viewer(request), public_id=public_id, now=clock.now())
    spend_pages(request, game.version, PLIES_OF_A_PAGE)
    text = selectors.write_pdn(game, plies=BoardQuery.of(request.GET).ply)
    return pdn_file(text, name=game.public_id)
