"""How often a user, or an IP address without a user, may do something, unless the host chooses otherwise."""

from collections.abc import Mapping

from crownhead.server.core.hosting.options import BadOption
from crownhead.server.core.rates import parse_rate

_USUAL: dict[str, str] = {
    "api": "30000/10m",  # any request to the API
    "pages": "3000/10m",  # by guests, from one address; of a member only what is as long as several pages
    # Of events, opened from one address without a session or token, or by one user; one of several games
    # counts for each. And those with one that is not known yet, looked up for one address.
    "streams": "12000/10m",
    "moves": "6000/10m",
    "guests": "30/h",  # who begin to play without an account, from one address
    "signup": "1200/h",  # over the API, from one address: a school, or a script that tries out the club
    "token": "1200/h",
    # Wrong passwords for one name, from one address or one browser that was used before; wrong codes of one
    # member's second factor.
    "sign_in": "10/5m",
    "sign_in_address": "30/m",  # from one address for any names
    "sign_in_name": "100/h",  # for one name, from all addresses where its owner is not signed in
    "aborts": "5/d",  # of rated live games; then a member plays unrated ones
    "mails": "100/d",  # about an account, to its confirmed address; and such as strangers ask for, in all
    "asked_mails": "10/d",  # to any address that somebody typed: to confirm it, to reset a password
    "reserved_mails": "1/h",  # of each kind that strangers ask for, to one address, once `mails` is used up
    "unconfirmed_mails": "10/d",  # notifications to an address that nobody has confirmed
    "chat": "600/h",
    "pictures": "1200/10m",  # PNG, which take time to draw
    "records": "60/h",  # all of one's games in a file, or all of one's data
    "offers": "600/h",  # of games, also such as are withdrawn again: each is a row
    "guest_offers": "30/h",  # of one guest
    "vacations": "60/h",  # planned or called off: each sets the clocks of all one's games
    "named_invitations": "100/d",  # of members to games (no rematches) and teams, and asking to join those
    "repeated_invitations": "5/d",  # of one member to teams and tournaments by the same other
    "contest_invitations": "500/d",  # to play in tournaments or to direct them, by one who is no staff
    "invitations": "100/d",  # by e-mail, to non-members
    "friends": "20/d",  # invited to the club by e-mail
    "stranger_invitations": "3/30d",  # of both kinds, to one address, from all members together
    "member_invitations": "25/d",  # of both kinds, from one member: it takes many to use up those of the club
    "club_invitations": "500/d",  # of both kinds, from the whole club
    "preferences": "300/h",  # of notifications, changed: what waits to be sent is sorted again
    "password": "20/h",  # typed again before something that can't be undone
    "messages": "120/h",  # to other members
    "strangers": "40/d",  # those messages to members who have never written to the sender
    "reports": "30/h",  # and letters to the staff, and games that they are asked to decide
    "teams": "20/d",  # founded
    "team_posts": "300/h",  # on the boards of teams
    "team_matches": "30/d",  # proposed, also such as are withdrawn again
    "tournaments": "50/d",  # made
    "directing": "600/h",  # what one does as a director: each is a line of the tournament's log
    "entries": "120/h",  # in tournaments, also again after leaving them, and byes there
    "pauses": "120/h",  # in arenas, and coming back from them
    "ladders": "50/d",  # joined, also again: each time is two lines of the ladder's history
    "challenges": "60/d",  # made on ladders: nobody can decline them
    "texts": "120/h",  # in Markdown, changed: of profiles, teams and tournaments
    "analyses": "120/h",  # of positions, each taking a worker some seconds
    "guest_seconds": "600/h",  # of those analyses, for guests of one address: a sixth of a worker
    "reviews": "20/d",  # of whole games
    # A member's running games that are replayed, to see that the engine is asked about none of them: each
    # takes a fraction of a millisecond after a move in it, and none while it is remembered.
    "own_games": "30000/h",
}


def limits(chosen: Mapping[str, str]) -> dict[str, str]:
    """The rates by what they limit, with those that the host has chosen.

    Raises `BadOption` for one that there is not, or that is no rate such as ``120/h``.
    """
    for scope, rate in chosen.items():
        if scope not in _USUAL:
            raise BadOption(f"limits: {scope}: there is no such limit; there are {', '.join(_USUAL)}")
        try:
            parse_rate(rate)
        except ValueError as error:
            raise BadOption(f"limits: {scope}: {error}") from error
    return _USUAL | dict(chosen)
