"""The commands for a site, its data and its problems: `crownhead serve`, `worker`, `backup` and so on.

Django is imported only when a command runs, so `crownhead --help` works without the packages of the site.
"""

import argparse
import getpass
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crownhead.server.core.hosting.data_folder import VARIABLE, data_folder
from crownhead.server.ops.commands import data as data_commands
from crownhead.server.ops.commands import mining
from crownhead.server.ops.processes.loading import loading
from crownhead.server.ops.starting.first_start import WRONG_USAGE, CommandError, prepare

MAX_WORKERS = 64
_METRICS = "PROMETHEUS_MULTIPROC_DIR"
_SERVE = """
Run the whole site: pages, API, event stream and background jobs. The first start creates the data folder.
Stop it with Ctrl+C.
"""
_WEB = """
Run only the web server of a site on PostgreSQL: pages, API and event stream. At least one 'crownhead
worker' has to run as well.
"""
_WORKER = """
Run the background jobs of a site started with 'crownhead web': it ends games, sends notifications, runs
tournaments, and does the work of the engine. Several workers share the work.
"""
_CREATE = """
Create an account that may use the back office at /staff/. The command asks for a password; leave it empty
to have one generated.
"""

_PREPARE = """
Compress the static files of this installation once, so that the first start of each club takes two seconds
instead of nine. Without it a club does so by itself.
"""

_NEW_CLUB = "There was no club in that folder yet. If you meant another one, name its folder with --data.\n"


def register(subparsers: Any) -> None:
    """Add the commands to the parser of `crownhead`."""
    _add_web(subparsers.add_parser("serve", help="run the whole site", description=_SERVE), _serve)
    _add_web(
        subparsers.add_parser(
            "web", help="run the web server only: pages, API and event stream", description=_WEB
        ),
        _web,
    )

    worker = subparsers.add_parser(
        "worker", help="run background jobs for a site started with 'web'", description=_WORKER
    )
    worker.add_argument(
        "--child",
        action="store_true",
        help="run long tasks only; exit when stdin closes or after a few idle minutes",
    )
    _add_data(worker)
    worker.set_defaults(run=_with_exit_status(_worker))

    prepared = subparsers.add_parser(
        "prepare", help="let new clubs of this installation start sooner", description=_PREPARE
    )
    prepared.set_defaults(run=_with_exit_status(_prepare))

    admin = subparsers.add_parser("admin", help="administer the site")
    actions = admin.add_subparsers(title="commands", metavar="COMMAND", required=True)
    create = actions.add_parser("create", help="create an administrator account", description=_CREATE)
    create.add_argument("name", help="username: 3 to 20 letters, digits, - or _")
    create.add_argument("--email", default="", help="e-mail address, treated as confirmed")
    create.add_argument(
        "--password-stdin", action="store_true", help="read the password from the first line of stdin"
    )
    _add_data(create)
    create.set_defaults(run=_with_exit_status(_create_administrator))

    for commands in (data_commands, mining):
        commands.register(
            subparsers, add_data=_add_data, with_exit_status=_with_exit_status, open_folder=open_folder
        )


def _add_web(parser: argparse.ArgumentParser, command: Callable[[argparse.Namespace], None]) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument(
        "--port", type=_port, default=8000, help="the port to listen on (default: %(default)s)"
    )
    parser.add_argument(
        "--workers",
        type=_workers,
        default=None,
        metavar="N",
        help="the number of processes that answer requests (default: one for each core)",
    )
    _add_data(parser)
    parser.set_defaults(run=_with_exit_status(command))


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=None,
        help=f"the data folder of the site (default: ${VARIABLE} or {data_folder()})",
    )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text[:6]) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")
    return int(text)


def _workers(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:4]) <= MAX_WORKERS:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MAX_WORKERS}, got {text!r}")
    return int(text)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _with_exit_status(command: Callable[[argparse.Namespace], None]) -> Callable[[argparse.Namespace], int]:
    """Wrap a command: print a `CommandError` in one line and return an exit status."""

    def run(options: argparse.Namespace) -> int:
        try:
            command(options)
        except CommandError as error:
            sys.stderr.write(f"crownhead: {error}\n")
            return error.status
        return 0

    return run


def _serve(options: argparse.Namespace) -> None:
    _listen(options, "serve")


def _web(options: argparse.Namespace) -> None:
    _listen(options, "serve_pages")


def _listen(options: argparse.Namespace, run: str) -> None:
    workers = options.workers or min(_cores(), MAX_WORKERS)
    with _metrics_shared(workers > 1 or run == "serve"):  # its tasks have a process of their own
        open_folder(options.data)
        from crownhead.server.ops.processes import serve
        from crownhead.server.ops.starting import house_variants, upkeep

        with serve.bind(options.host, options.port) as listening:
            upkeep.migrate()
            house_variants.remember()
            upkeep.collect_static_files()
            getattr(serve, run)(listening, host=options.host, workers=workers)


@contextmanager
def _metrics_shared(by_several: bool) -> Iterator[None]:
    """Let several processes share their metrics in a folder, which must be known before they are made."""
    if not by_several or _METRICS in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="crownhead-metrics-") as folder:
        os.environ[_METRICS] = folder
        try:
            yield
        finally:
            del os.environ[_METRICS]


def _count_on() -> None:
    """Let a process for tasks go on with the metrics of the one before; else each leaves a file behind."""
    if _METRICS in os.environ:
        from prometheus_client import values

        name = f"tasks-of-{os.getppid()}"
        values.ValueClass = values.MultiProcessValue(lambda: name)  # type: ignore[no-untyped-call]


def _worker(options: argparse.Namespace) -> None:
    if options.child:
        _count_on()
    open_folder(options.data)
    from crownhead.server.ops.processes import worker
    from crownhead.server.ops.starting import house_variants, upkeep

    if options.child:
        house_variants.require_unchanged()
        worker.run_child()
    else:
        upkeep.migrate()
        house_variants.remember()
        worker.run_worker()


def _prepare(_options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="crownhead-") as folder:
        open_folder(Path(folder))
        from crownhead.server.ops.starting import upkeep

        try:
            done = upkeep.prepare_static_files()
        except OSError as error:
            raise CommandError(f"{upkeep.PREPARED} cannot be written: {error.strerror}.") from error
    sys.stdout.write(f"Static files {'written to' if done else 'are current in'} {upkeep.PREPARED}.\n")


def _create_administrator(options: argparse.Namespace) -> None:
    open_folder(options.data)
    from django.core.exceptions import ValidationError

    from crownhead.server.accounts.services import create_administrator
    from crownhead.server.ops.starting import upkeep

    is_new = upkeep.migrate()
    password, generated = _password(from_stdin=options.password_stdin)
    try:
        create_administrator(username=options.name, email=options.email, password=password)
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error
    sys.stdout.write(
        f"Administrator {options.name} created for the {'new ' if is_new else ''}club in {data_folder()}.\n"
        "Sign in at /accounts/login/; the back office is at /staff/.\n"
    )
    if is_new:
        sys.stderr.write(_NEW_CLUB)
    if generated:
        sys.stdout.write(f"Password (shown only once): {password}\n")


def open_folder(folder: Path | None) -> None:
    """Choose and prepare the data folder, then set up Django with it."""
    if folder is not None:
        os.environ[VARIABLE] = str(folder.expanduser().absolute())
    os.umask(0o077)  # what is written from now on, the database first of all, is for its owner alone
    prepare(data_folder())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crownhead.server.config.settings")
    import django

    from crownhead.rules.errors import BadVariant
    from crownhead.server.core.hosting.options import BadOption

    try:
        with loading():
            django.setup()
    except BadOption as error:
        raise CommandError(f"Invalid setting: {error}") from error
    except BadVariant as error:
        raise CommandError(f"Invalid house variant: {error}", status=WRONG_USAGE) from error


def _password(*, from_stdin: bool) -> tuple[str, bool]:
    """The password, and whether it was generated here."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n"), False
    if sys.stdin.isatty():
        typed = getpass.getpass("Password (leave empty to generate one): ")
        if typed and typed != getpass.getpass("Password (again): "):
            raise CommandError("The passwords don't match. Try again.")
        if typed:
            return typed, False
    return secrets.token_urlsafe(12), True
