"""Collected scripts and styles: bundles are served, and their sources where bundles are stale."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage
from django.http import HttpResponse
from django.test import RequestFactory, override_settings

from crownhead.server.core.assets import bundles, serving
from crownhead.server.core.assets.serving import StaticFilesMiddleware
from crownhead.server.core.assets.static import HashedFiles

SITE = ("crownhead/js/site.js", "crownhead/css/site.css")
_COMMENTS = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
_LATER = re.compile(r"""(?<!await )\bimport\(\s*["'][^"']*""")


def own_files(folder: Path) -> dict[str, Any]:
    """The files that bundles and their sources are among; bytes for modules, which take long to compress."""
    files = {
        name: (storage, name)
        for finder in finders.get_finders()
        for name, storage in finder.list([])
        if bundles.is_source(name) or bundles.is_bundled(name) or name.endswith(".wasm")
    }
    modules = {name: bytes(5_000) for name in files if name.endswith(".wasm")}
    return files | replaced(modules, folder)


def collected(folder: Path, files: dict[str, Any]) -> HashedFiles:
    """As `collectstatic` does it: copied, hashed and compressed."""
    storage = HashedFiles(location=folder, base_url="/static/")
    for name, (origin, path) in files.items():
        with origin.open(path) as content:
            storage.save(name, content)
    failed = [error for _, _, error in storage.post_process(files) if isinstance(error, Exception)]
    assert failed == []
    return storage


def replaced(contents: dict[str, bytes], folder: Path) -> dict[str, Any]:
    """Files with other contents."""
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return {name: (FileSystemStorage(folder), name) for name in contents}


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> HashedFiles:
    """The files of the site, collected."""
    own, folder = (tmp_path_factory.mktemp(name) for name in ("own", "collected"))
    return collected(folder, own_files(own))


def test_a_source_is_served_as_its_bundle(storage: HashedFiles) -> None:
    folder = Path(storage.location)
    for source in SITE:
        name = storage.stored_name(source)
        assert name.startswith(bundles.FOLDER)
        text = (folder / name).read_text("utf-8")
        assert "@import" not in text
        assert "../" not in text
        assert (folder / f"{name}.br").stat().st_size < (folder / f"{name}.gz").stat().st_size
    assert storage.stored_name("crownhead/css/base.css").startswith("crownhead/css/base.")


def test_bundles_import_each_other_under_hashed_names(storage: HashedFiles) -> None:
    script = Path(storage.path(storage.stored_name("crownhead/js/site.js"))).read_text("utf-8")
    for name in ("site-1.js", "game_news.js"):
        hashed = Path(storage.stored_name(bundles.FOLDER + name)).name
        assert f'"./{hashed}"' in script
        assert f'"./{name}"' not in script


@pytest.mark.parametrize("name", ["crownhead/js/menu.js", "crownhead/css/base.css"])
def test_sources_are_served_where_one_has_changed_since_they_were_bundled(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    files = own_files(tmp_path / "own") | replaced({name: b"/* changed */"}, tmp_path / "changed")
    storage = collected(tmp_path / "collected", files)

    for source in SITE:
        assert storage.stored_name(source).startswith(source.rpartition(".")[0])
    assert "make bundles" in caplog.text


def test_what_was_not_collected_is_served_under_its_own_name(tmp_path: Path) -> None:
    assert HashedFiles(location=tmp_path, base_url="/static/").stored_name(SITE[0]) == SITE[0]


@pytest.fixture(scope="module")
def middleware(storage: HashedFiles) -> StaticFilesMiddleware:
    """What serves collected files."""
    with pytest.MonkeyPatch.context() as patch, override_settings(STATIC_ROOT=storage.location):
        patch.setattr(serving, "staticfiles_storage", storage)
        return StaticFilesMiddleware(lambda _: HttpResponse(status=404))


def test_other_sites_get_the_module_compressed_under_its_plain_name(
    middleware: StaticFilesMiddleware, rf: RequestFactory
) -> None:
    asked = rf.head("/static/crownhead/wasm/crownhead.wasm", headers={"Accept-Encoding": "br"})
    answer = middleware(asked)
    assert (answer["Content-Encoding"], answer["Content-Type"]) == ("br", "application/wasm")
    assert int(answer["Content-Length"]) < 100
    assert answer["Cache-Control"] == "max-age=60, public"  # another edition has the same name
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.django_db  # an answer that is closed ends a request, and with it connections of tests before
def test_modules_under_their_plain_names_import_by_hashed_ones(
    middleware: StaticFilesMiddleware, rf: RequestFactory
) -> None:
    with closing(middleware(rf.get("/static/crownhead/js/rules/rules.js"))) as answer:
        imported = re.findall(r'from "\./(kernel\.\w+\.js)"', b"".join(answer).decode())
    assert len(imported) == 1
    assert middleware(rf.head(f"/static/crownhead/js/rules/{imported[0]}")).status_code == 200
    assert "immutable" not in answer["Cache-Control"]


def test_what_never_changes_weighs_nothing_for_being_asked_for_again(
    middleware: StaticFilesMiddleware, rf: RequestFactory
) -> None:
    hashed = next(url for url in middleware.files if re.search(r"/menu\.[0-9a-f]{12}\.js$", url))
    answer = middleware(rf.head(hashed))
    assert "immutable" in answer["Cache-Control"]
    assert not {"ETag", "Last-Modified"}.intersection(answer.headers)
    plain = middleware(rf.head("/static/crownhead/js/rules/rules.js"))
    assert {"ETag", "Last-Modified"} <= set(plain.headers)


def test_the_charset_has_no_quotes_which_deno_would_not_read(
    middleware: StaticFilesMiddleware, rf: RequestFactory
) -> None:
    answer = middleware(rf.head("/static/crownhead/js/rules/rules.js"))
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"


def test_other_files_keep_their_plain_names_to_themselves(
    middleware: StaticFilesMiddleware, rf: RequestFactory
) -> None:
    answer = middleware(rf.head("/static/crownhead/js/menu.js", headers={"Accept-Encoding": "br"}))
    assert "Content-Encoding" not in answer
    assert "Access-Control-Allow-Origin" not in answer


def test_what_is_imported_later_is_awaited_so_that_it_gets_its_hashed_name() -> None:
    """Without ``await`` it is a type in a comment; a script under its plain name is loaded once more."""
    plain = [
        f"{name}: {found[0]}"
        for finder in finders.get_finders()
        for name, storage in finder.list([])
        if name.endswith(".js") and bundles.is_source(name)
        for found in _LATER.finditer(_COMMENTS.sub("", Path(storage.path(name)).read_text("utf-8")))
    ]
    assert plain == []
