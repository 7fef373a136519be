"""Comments at the end of a field's line, used as its docstring."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Mapping
from functools import cache
from typing import Any

from manual import public


def describe(_app: Any, what: str, name: str, _thing: Any, _options: Any, lines: list[str]) -> None:
    """Use the comment on an attribute's line as its docstring if it has none."""
    if what != "attribute" or any(lines):
        return
    owner, _, attribute = name.rpartition(".")
    remark = remarks(_class(owner)).get(attribute)
    if remark:
        end = "" if remark.endswith((".", "…")) else "."
        lines[:] = [f"{remark[0].upper()}{remark[1:]}{end}"]


def remarks(owner: type | None) -> Mapping[str, str]:
    """Return the comments of a class's fields by name."""
    return {} if owner is None else _remarks(inspect.cleandoc(inspect.getsource(owner)))


@cache
def _remarks(source: str) -> Mapping[str, str]:
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    body = ast.parse(source).body[0]
    assert isinstance(body, ast.ClassDef)
    data = {}
    for statement in body.body:
        if isinstance(statement, ast.AnnAssign | ast.Assign) and statement.end_lineno in comments:
            target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
            data[ast.unparse(target)] = comments[statement.end_lineno]
    return data


def _class(dotted: str) -> type | None:
    owner, _, name = dotted.rpartition(".")
    found = getattr(public.module(owner), name, None) if owner else None
    return found if isinstance(found, type) else None
