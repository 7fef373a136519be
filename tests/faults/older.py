"""Runs a module with the sources of another commit: `python older.py SOURCES -m MODULE ARGUMENTS`.

The packages beside them are those of this environment.
"""

from __future__ import annotations

import runpy
import sys


def main() -> None:
    """Take this environment's own club out of the way, and run the other one."""
    sources, module, arguments = sys.argv[1], sys.argv[3], sys.argv[4:]
    sys.meta_path[:] = [
        finder for finder in sys.meta_path if not type(finder).__module__.startswith("_editable")
    ]
    sys.path[:] = [sources, *(path for path in sys.path[1:] if not path.endswith("/src"))]
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
