"""A mail server that keeps nothing but who got which letter, and takes its time to say that it has it."""

from __future__ import annotations

import asyncio
import random
import ssl
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

LONGEST = 0.3  # seconds from having a letter to saying so, in which the sender may be killed


class Sink:
    """What has arrived: the Message-IDs of each address, in the order in which they came.

    ``certificate``: a file with its certificate, which clients must trust.
    """

    def __init__(self, certificate: Path, *, seed: int) -> None:
        self.certificate, self.port = certificate, 0
        self._got: dict[str, list[str]] = defaultdict(list)
        self._lock, self._dice = threading.Lock(), random.Random(seed)

    def got(self) -> dict[str, list[str]]:
        """The Message-IDs by address."""
        with self._lock:
            return {address: list(ids) for address, ids in self._got.items()}

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speak SMTP (RFC 5321) with one client until it goes."""
        recipients: list[str] = []

        def say(line: str) -> None:
            writer.write(f"{line}\r\n".encode())

        with suppress(OSError, asyncio.IncompleteReadError):
            say("220 sink.example ready")
            while line := (await reader.readline()).decode().strip():
                verb = line[:4].upper()
                if verb == "RCPT":
                    recipients.append(line.partition("<")[2].partition(">")[0])
                if verb == "QUIT":
                    say("221 bye")
                    break
                if verb == "DATA":
                    say("354 go on")
                    self._keep(await reader.readuntil(b"\r\n.\r\n"), recipients)
                    recipients = []
                    await asyncio.sleep(self._dice.uniform(0, LONGEST))
                known = verb in {"EHLO", "HELO", "MAIL", "RCPT", "DATA", "RSET", "NOOP"}
                say("250 ok" if known else "502 not known")
                await writer.drain()
        writer.close()

    def _keep(self, content: bytes, recipients: list[str]) -> None:
        key = message_from_bytes(content)["Message-ID"]
        with self._lock:
            for address in recipients:
                self._got[address].append(key)


@contextmanager
def smtp_sink(folder: Path, *, seed: int) -> Iterator[Sink]:
    """A sink that listens with TLS on a port of localhost, in a thread."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate := _certificate_of_localhost(folder))
    sink, loop, over = Sink(certificate, seed=seed), asyncio.new_event_loop(), asyncio.Event()
    listens = threading.Event()

    async def serve() -> None:
        server = await asyncio.start_server(sink.talk, "127.0.0.1", ssl=context)
        sink.port = server.sockets[0].getsockname()[1]
        listens.set()
        async with server:
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    assert listens.wait(10)
    try:
        yield sink
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        loop.close()


def _certificate_of_localhost(folder: Path) -> Path:
    """A file with a key and its own certificate, for a day."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    certificate = (
        builder.not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "localhost.pem"
    written = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(written + certificate.public_bytes(serialization.Encoding.PEM))
    return file
