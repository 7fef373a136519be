"""The commands of a host: `crownhead serve`, `web`, `worker` and `admin create`.

Nothing of Django is imported before a command runs: the command line lists them even where the site is not
installed.
"""

import argparse
import getpass
import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from crownhead.server.core.data_folder import VARIABLE, data_folder
from crownhead.server.ops.first_start import Unusable, prepare

CANNOT, WRONG_USAGE = 1, 2


def register(subparsers: Any) -> None:
    """Add the commands to the parser of `crownhead`."""
    _add_web(subparsers.add_parser("serve", help="run the whole site"), _serve)
    _add_web(subparsers.add_parser("web", help="run the pages, the API and the event stream alone"), _web)

    worker = subparsers.add_parser("worker", help="do the work that a site started by 'web' leaves to others")
    worker.add_argument(
        "--child",
        action="store_true",
        help="do long tasks alone; end with the standard input, or after minutes without one",
    )
    _add_data(worker)
    worker.set_defaults(run=_explained(_worker))

    admin = subparsers.add_parser("admin", help="administer the site")
    acts = admin.add_subparsers(title="commands", metavar="COMMAND", required=True)
    create = acts.add_parser("create", help="make a site administrator")
    create.add_argument("name", help="3 to 20 letters, digits, - or _")
    create.add_argument("--email", default="", help="an address, taken as confirmed")
    create.add_argument(
        "--password-stdin", action="store_true", help="read the password from the first line of the input"
    )
    _add_data(create)
    create.set_defaults(run=_explained(_create_administrator))


def _add_web(parser: argparse.ArgumentParser, command: Callable[[argparse.Namespace], None]) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument(
        "--port", type=_port, default=8000, help="the port to listen on (default: %(default)s)"
    )
    _add_data(parser)
    parser.set_defaults(run=_explained(command))


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=None,
        help=f"the club's data folder (default: ${VARIABLE}, else {data_folder()})",
    )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text[:6]) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")
    return int(text)


def _explained(command: Callable[[argparse.Namespace], None]) -> Callable[[argparse.Namespace], int]:
    """The command with its refusals as a sentence and an exit status."""

    def run(chosen: argparse.Namespace) -> int:
        try:
            command(chosen)
        except Unusable as refusal:
            sys.stderr.write(f"crownhead: {refusal}\n")
            return CANNOT
        return 0

    return run


def _serve(chosen: argparse.Namespace) -> None:
    _listen(chosen, "serve")


def _web(chosen: argparse.Namespace) -> None:
    _listen(chosen, "serve_pages")


def _listen(chosen: argparse.Namespace, how: str) -> None:
    open_folder(chosen.data)
    from crownhead.server.ops import serve, upkeep

    with serve.bind(chosen.host, chosen.port) as listening:
        upkeep.migrate()
        upkeep.collect_static_files()
        getattr(serve, how)(listening, host=chosen.host)


def _worker(chosen: argparse.Namespace) -> None:
    open_folder(chosen.data)
    from crownhead.server.ops import upkeep, worker

    if chosen.child:
        worker.run_child()
    else:
        upkeep.migrate()
        worker.run_worker()


def _create_administrator(chosen: argparse.Namespace) -> None:
    open_folder(chosen.data)
    from django.core.exceptions import ValidationError

    from crownhead.server.accounts.services import create_administrator
    from crownhead.server.ops import upkeep

    upkeep.migrate()
    password, made_up = _password(from_stdin=chosen.password_stdin)
    try:
        create_administrator(username=chosen.name, email=chosen.email, password=password)
    except ValidationError as error:
        raise Unusable(" ".join(error.messages)) from error
    sys.stdout.write(f"{chosen.name} is an administrator of the club and signs in at /accounts/login/.\n")
    if made_up:
        sys.stdout.write(f"The password, shown this once: {password}\n")


def open_folder(folder: Path | None) -> None:
    """Choose and prepare the data folder, then set Django up on it."""
    if folder is not None:
        os.environ[VARIABLE] = str(folder.expanduser().absolute())
    prepare(data_folder())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crownhead.server.config.settings")
    import django

    from crownhead.server.core.options import BadOption

    try:
        django.setup()
    except BadOption as error:
        raise Unusable(f"A setting of the club cannot be used. {error}") from error


def _password(*, from_stdin: bool) -> tuple[str, bool]:
    """The password, and whether it was made up here."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n"), False
    if sys.stdin.isatty():
        typed = getpass.getpass("Password (empty: make one up): ")
        if typed and typed != getpass.getpass("Once more: "):
            raise Unusable("The two passwords are not the same. Nothing was made; try again.")
        if typed:
            return typed, False
    return secrets.token_urlsafe(12), True
