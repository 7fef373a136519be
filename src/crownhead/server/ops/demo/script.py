"""What the sample club is made of, as `club.toml` says: people, variants, contests, talk."""

import tomllib
from pathlib import Path
from typing import Any

SCRIPT: dict[str, Any] = tomllib.loads(Path(__file__).with_name("club.toml").read_text("utf-8"))
