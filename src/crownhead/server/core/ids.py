"""Unguessable identifiers for addresses."""

import secrets

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"  # 57: no 0 O 1 I l
LENGTH = 12  # 57^12: 70 bits


def new_id() -> str:
    """Twelve letters and digits that nobody can guess and nobody misreads."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
