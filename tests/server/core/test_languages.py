"""Languages are folders: which there are, where texts are looked for, how catalogues are made."""

from __future__ import annotations

import gettext
import subprocess
import sys
from pathlib import Path

import pytest

from crownhead.server.core.languages import folders_for, languages_in
from crownhead.server.core.languages.catalogues import translated, update
from crownhead.server.core.languages.compilation import compile_catalogues
from crownhead.server.core.languages.sources import Text, marked_texts

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'


@pytest.fixture
def dutch(tmp_path: Path) -> Path:
    """A catalogue with one text."""
    return written(tmp_path / "nl", 'msgid "Rules"\nmsgstr "Regels"\n')


def written(folder: Path, texts: str) -> Path:
    file = folder / "LC_MESSAGES" / "django.po"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HEAD + texts, "utf-8")
    return file


def text(singular: str, plural: str | None = None, context: str | None = None) -> Text:
    return Text(singular, plural, context, "server/web/templates/base.html")


def translation(folder: Path, source: str) -> str:
    """What gettext makes of a text."""
    with (folder / "nl" / "LC_MESSAGES" / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file).gettext(source)


def test_a_folder_with_a_catalogue_is_a_language(tmp_path: Path, dutch: Path) -> None:
    for name in ("pt_BR", "tlh"):
        written(tmp_path / name, "")
    (tmp_path / "en" / "help").mkdir(parents=True)
    (tmp_path / "drafts").mkdir()
    assert languages_in(tmp_path) == [
        ("en", "English"),
        ("nl", "Nederlands"),
        ("pt-br", "Português Brasileiro"),
        ("tlh", "Tlh"),  # Django has no name for it
    ]


def test_texts_are_looked_for_in_the_nearest_language_first() -> None:
    assert folders_for("pt-br") == ("pt_BR", "pt", "en")
    assert folders_for("en") == ("en",)


def test_a_catalogue_is_compiled_again_only_when_it_has_changed(tmp_path: Path, dutch: Path) -> None:
    target = tmp_path / "data" / "locale"
    assert translation(compile_catalogues(tmp_path, target), "Rules") == "Regels"
    made = target / "nl" / "LC_MESSAGES" / "django.mo"
    made.write_bytes(b"")
    compile_catalogues(tmp_path, target)
    assert made.read_bytes() == b""
    written(tmp_path / "nl", 'msgid "Rules"\nmsgstr "Spelregels"\n')
    assert translation(compile_catalogues(tmp_path, target), "Rules") == "Spelregels"


def test_without_catalogues_nothing_is_written(tmp_path: Path) -> None:
    compile_catalogues(tmp_path, tmp_path / "data")
    assert list(tmp_path.iterdir()) == []


def test_babel_is_not_loaded_where_nothing_has_to_be_compiled(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path;"
        "from crownhead.server.core.languages.compilation import compile_catalogues;"
        f"compile_catalogues(Path({str(tmp_path)!r}), Path({str(tmp_path)!r}));"
        "assert not any(name.partition('.')[0] == 'babel' for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_update_adds_what_is_missing_and_keeps_translations(dutch: Path) -> None:
    catalogue = update(dutch, [text("Rules"), text("A draw"), text("%(count)s game", "%(count)s games")])
    assert translated(catalogue) == 1
    assert len(catalogue) == 3
    said = dutch.read_text("utf-8")
    assert 'msgid "Rules"\nmsgstr "Regels"' in said
    assert 'msgid_plural "%(count)s games"' in said


def test_a_text_that_changed_a_little_is_marked_and_not_used(tmp_path: Path, dutch: Path) -> None:
    update(dutch, [text("Rules.")])
    assert "#, fuzzy" in dutch.read_text("utf-8")
    assert translation(compile_catalogues(tmp_path, tmp_path / "data"), "Rules.") == "Rules."


def test_texts_are_found_in_python_and_in_templates() -> None:
    found = {(entry.singular, Path(entry.file).suffix) for entry in marked_texts()}
    assert ("You win a trophy", ".py") in found
    assert ("Preferences", ".html") in found
    assert any(entry.plural for entry in marked_texts())
