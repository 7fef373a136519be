"""Compile the module for browsers: the laws and the engine of any rules, as a file of WebAssembly.

Usage: build.py [folder], or build.py --verify NAME, which compiles the module of that name, compares it byte
for byte with the file that is kept, and fails where they differ.

There are two: ``crownhead.wasm`` uses vector instructions and has code of their own for the rules that are
played most; ``crownhead_plain.wasm`` is for browsers without these instructions. The same sources and
compiler give the same bytes, wherever the checkout is. A custom section named ``sources`` holds a hash of
both, by which ``is_current`` tells without compiling anything whether the files were made from the sources
that are here.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src/crownhead/server/static/crownhead/wasm"
BUILD = Path("build/wasm")  # below the root, so that no path of a machine gets into the file

# Beside those of this folder: what needs neither exceptions nor threads nor files.
SHARED = (
    "arrangement",
    "codec",
    "draws",
    "generic_128",
    "generic_64",
    "huffman",
    "network",
    "network_vectors",
    "results_codec",
    "rule_check",
    "table_file",
    "weights",
)
FLAGS = (
    "-target wasm32-wasi -mexec-model=reactor -std=c++20 -O2 -DNDEBUG -fno-exceptions -fno-rtti"
    " -fno-c++-static-destructors -flto -Wall -Wextra -Werror -Inative/include"
).split()
STACK = 1 << 20  # bytes; the compiler puts it first, so that it ends in a trap and not in data
LINK = f"-Wl,--strip-all -Wl,-z,stack-size={STACK}".split()
_SECTION = "sources"
_INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Module:
    """A file to be made; ``specialised``: the variants whose rules have code of their own in it."""

    name: str
    flags: tuple[str, ...] = ()
    specialised: tuple[str, ...] = ()

    @property
    def build(self) -> Path:
        """Where its objects are made."""
        return BUILD / self.name

    @property
    def generated(self) -> Path:
        """Where the sources are that its rules are turned into."""
        return self.build / "generated"

    def sources(self) -> list[Path]:
        """The files to compile, below the root; those of its rules are generated now."""
        generator, rules = ROOT / "native/generate_variants.py", ROOT / "src/crownhead/rules"
        command = [sys.executable, "-B", generator, rules, ROOT / self.generated, *self.specialised]
        (ROOT / self.build).mkdir(parents=True, exist_ok=True)
        subprocess.run([*map(str, command)], check=True)
        own = sorted(path.relative_to(ROOT) for path in Path(__file__).parent.glob("*.cpp"))
        made = ["specialisations.cpp", *(f"rule_sets/{key}.cpp" for key in self.specialised)]
        shared = [Path("native/src") / f"{name}.cpp" for name in SHARED]
        return [*own, *shared, *(self.generated / name for name in made)]

    def digest(self) -> bytes:
        """A hash of all that its bytes depend on."""
        compiler = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["wasm"]
        hashed = hashlib.sha256(f"{compiler} {FLAGS} {self.flags} {LINK}".encode())
        for path in sorted(_with_headers(self.sources(), self.generated)):
            hashed.update(f"{path} {hashlib.sha256((ROOT / path).read_bytes()).hexdigest()}\n".encode())
        return hashed.digest()

    def make(self, folder: Path) -> None:
        """Compile and link."""
        with ThreadPoolExecutor(cpu_count()) as workers:
            made = list(workers.map(self._compiled, self.sources()))
        linked = self.build / "linked.wasm"
        self._run(*LINK, *map(str, made), "-o", str(linked))
        folder.mkdir(parents=True, exist_ok=True)
        content = (ROOT / linked).read_bytes() + _custom_section(_SECTION, self.digest())
        (folder / f"{self.name}.wasm").write_bytes(content)

    def is_current(self, folder: Path) -> bool:
        """Whether it was made from the sources that are here, by the compiler that the project names."""
        content = (folder / f"{self.name}.wasm").read_bytes()
        return dict(_custom_sections(content)).get(_SECTION) == self.digest()

    def _compiled(self, source: Path) -> Path:
        made = self.build / f"{source.stem}.o"
        self._run("-c", str(source), "-o", str(made))
        return made

    def _run(self, *arguments: str) -> None:
        compiler = [sys.executable, "-m", "ziglang", "c++", *FLAGS, *self.flags, f"-I{self.generated}"]
        subprocess.run([*compiler, *arguments], cwd=ROOT, check=True)


def _played_most() -> tuple[str, ...]:
    """The variants whose rules the native kernel is compiled for, too, unless it is told otherwise."""
    cmake = (ROOT / "CMakeLists.txt").read_text("utf-8")
    found = re.search(r'set\(CROWNHEAD_SPECIALISED "([^"]+)"', cmake)
    assert found is not None, "expected the default of CROWNHEAD_SPECIALISED in CMakeLists.txt"
    return tuple(sorted(found[1].split(";")))


# Engines of browsers inline nothing, so the compiler does more of it than by itself, where it is read often.
_FAST = ("-msimd128", "-mllvm", "-inline-threshold=500")
MODULES = (Module("crownhead", _FAST, _played_most()), Module("crownhead_plain"))


def main(folder: Path = FOLDER) -> None:
    """Make both."""
    for module in MODULES:
        module.make(folder)


def verify(name: str, folder: Path = FOLDER) -> str:
    """Compile one again; what is wrong with the file that is kept, or nothing."""
    module = next(module for module in MODULES if module.name == name)
    with tempfile.TemporaryDirectory() as made:
        module.make(Path(made))
        file = f"{module.name}.wasm"
        if (Path(made) / file).read_bytes() == (folder / file).read_bytes():
            return ""
    return f"{file}: expected the bytes that these sources compile to, got others: make wasm"


def is_current(folder: Path = FOLDER) -> bool:
    """Whether both were made from the sources that are here."""
    return all(module.is_current(folder) for module in MODULES)


def _with_headers(files: Iterable[Path], generated: Path) -> set[Path]:
    """These files and the headers of ours that they include, and so on."""
    seen: set[Path] = set()
    left = [*files]
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        for name in _INCLUDE.findall((ROOT / path).read_text("utf-8")):
            folders = (path.parent, generated, Path("native/include"))
            left.append(next(place / name for place in folders if (ROOT / place / name).exists()))
    return seen


def _custom_section(name: str, content: bytes) -> bytes:
    body = _number(len(name)) + name.encode() + content
    return b"\0" + _number(len(body)) + body


def _custom_sections(module: bytes) -> Iterator[tuple[str, bytes]]:
    at = 8  # behind the magic number and the version
    while at < len(module):
        kind = module[at]
        size, at = _read_number(module, at + 1)
        if kind == 0:
            length, start = _read_number(module, at)
            yield module[start : start + length].decode(), module[start + length : at + size]
        at += size


def _number(value: int) -> bytes:
    """Unsigned LEB128."""
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _number(rest) if rest else bytes([low])


def _read_number(module: bytes, at: int) -> tuple[int, int]:
    """A number of that format, and the place behind it."""
    value = shift = 0
    while True:
        byte = module[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


if __name__ == "__main__":
    if sys.argv[1:2] == ["--verify"]:
        sys.exit(verify(sys.argv[2]) or 0)
    main(*map(Path, sys.argv[1:]))
