"""Unguessable identifiers for URLs."""

import secrets

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"  # 57: no 0 O 1 I l
LENGTH = 12  # 57^12: 70 bits
SECRET_LENGTH = 22  # 57^22: 128 bits


def new_id() -> str:
    """Twelve random letters and digits, none easily mistaken for another."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_secret() -> str:
    """An identifier so long that it opens what nothing else guards."""
    return "".join(secrets.choice(ALPHABET) for _ in range(SECRET_LENGTH))
