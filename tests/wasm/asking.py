"""Asking the module for browsers."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from tests.house.tree import HOUSE

DENO = Path(sysconfig.get_path("scripts")) / "deno"
STATIC = "src/crownhead/server/static"


def answer(name: str, question: object = None, *, module: str = "vectors") -> Any:
    """What ``answers.js`` says to a question, by the module with ``vectors`` or the ``plain`` one."""
    done = subprocess.run(
        [
            DENO,
            "run",
            "--no-remote",
            "--no-npm",
            "--quiet",
            f"--allow-read={STATIC}",
            "tests/wasm/answers.js",
            name,
            module,
        ],
        cwd=HOUSE,
        env={**os.environ, "DENO_DIR": "build/deno", "DENO_NO_UPDATE_CHECK": "1"},
        input=json.dumps(question),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def encoded(content: bytes) -> str:
    """Bytes as they stand in a question."""
    return base64.b64encode(content).decode()
