"""Decks of opening ballots, looked up by position."""

from __future__ import annotations

from crownhead.openings.deck import Ballot, Deck, Status, three_move_deck

__all__ = ["Ballot", "Deck", "Status", "three_move_deck"]
