"""The club's key for push messages (VAPID, RFC 8292): made once, kept in the data folder. Knows no Django."""

from __future__ import annotations

import base64
import os
import tempfile
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

FILE = "push_key.pem"


def make_key(folder: Path) -> Path:
    """Return the file of the key, made if missing, readable by its owner alone."""
    path = folder / FILE
    if path.is_file() and path.stat().st_size:
        return path
    key = ec.generate_private_key(ec.SECP256R1())
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    handle, draft = tempfile.mkstemp(dir=folder)  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
        try:
            os.link(draft, path)  # the first wins; two processes may start at once
        except OSError:  # it is there, or this file system knows no links
            if not (path.is_file() and path.stat().st_size):
                Path(draft).replace(path)
    finally:
        Path(draft).unlink(missing_ok=True)
    return path


@cache
def private_key(path: Path) -> ec.EllipticCurvePrivateKey:
    """Return the signing key; raises ``ValueError`` for a file without one."""
    key = load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
        raise ValueError(f"{path}: expected a private key on the curve P-256")
    return key


def public_text(path: Path) -> str:
    """The public key as browsers take it: base64url of the uncompressed point."""
    point = private_key(path).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")
