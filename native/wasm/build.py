"""Compile the module for browsers: the laws and the engine of any rules, as one file of WebAssembly.

Usage: build.py [file]. The same sources and compiler give the same bytes, wherever the checkout is. A custom
section named ``sources`` holds a hash of both, by which ``is_current`` tells without compiling anything
whether a file was made from the sources that are here.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULE = ROOT / "src/crownhead/server/static/crownhead/wasm/crownhead.wasm"
BUILD = Path("build/wasm")  # below the root, so that no path of a machine gets into the file

# Beside those of this folder: what needs neither exceptions nor threads nor files.
SHARED = ("arrangement", "codec", "draws", "generic_128", "generic_64", "rule_check", "table_file")
FLAGS = (
    "-target wasm32-wasi -mexec-model=reactor -std=c++20 -O2 -DNDEBUG -fno-exceptions -fno-rtti"
    " -fno-c++-static-destructors -Wall -Wextra -Werror -Inative/include"
).split()
STACK = 1 << 20  # bytes; the compiler puts it first, so that it ends in a trap and not in data
LINK = f"-Wl,--strip-all -Wl,-z,stack-size={STACK}".split()
_SECTION = "sources"
_INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def main(target: Path = MODULE) -> None:
    """Compile and link."""
    objects = ROOT / BUILD
    objects.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(cpu_count()) as workers:
        made = list(workers.map(_compiled, sources()))
    linked = BUILD / "linked.wasm"
    _run(*FLAGS, *LINK, *map(str, made), "-o", str(linked))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes((ROOT / linked).read_bytes() + _custom_section(_SECTION, digest()))


def sources() -> list[Path]:
    """The files to compile, below the root."""
    own = sorted(path.relative_to(ROOT) for path in Path(__file__).parent.glob("*.cpp"))
    return own + [Path("native/src") / f"{name}.cpp" for name in SHARED]


def digest() -> bytes:
    """A hash of all that the bytes of the module depend on."""
    compiler = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["wasm"]
    hashed = hashlib.sha256(f"{compiler} {FLAGS} {LINK}".encode())
    for path in sorted(_with_headers(sources())):
        hashed.update(f"{path} {hashlib.sha256((ROOT / path).read_bytes()).hexdigest()}\n".encode())
    return hashed.digest()


def is_current(module: Path = MODULE) -> bool:
    """Whether a module was made from the sources that are here, by the compiler that the project names."""
    return dict(_custom_sections(module.read_bytes())).get(_SECTION) == digest()


def _with_headers(files: Iterable[Path]) -> set[Path]:
    """These files and the headers of ours that they include, and so on."""
    seen: set[Path] = set()
    left = [*files]
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        for name in _INCLUDE.findall((ROOT / path).read_text("utf-8")):
            beside = path.parent / name
            left.append(beside if (ROOT / beside).exists() else Path("native/include") / name)
    return seen


def _compiled(source: Path) -> Path:
    made = BUILD / f"{source.stem}.o"
    _run(*FLAGS, "-c", str(source), "-o", str(made))
    return made


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "ziglang", "c++", *arguments], cwd=ROOT, check=True)


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
    main(*map(Path, sys.argv[1:]))
