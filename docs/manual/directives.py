"""The manual's Sphinx extension: diagrams, generated sections, and links to public names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from crownhead import Position
from manual import design, generated, remarks
from manual.public import public_names


class Board(SphinxDirective):
    """A diagram: ``{board} <FEN, or nothing for the start position>``, with the caption as content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "variant": directives.unchanged,
        "moves": directives.unchanged,  # moves to play first, separated by spaces
        "marks": directives.unchanged,  # squares to ring, by number
        "arrows": directives.unchanged,  # pairs such as 19-23, separated by spaces
        "numbers": directives.unchanged,
        "theme": directives.unchanged,
        "flip": directives.flag,
        "class": directives.unchanged,
    }

    def run(self) -> Sequence[nodes.Node]:
        """Return the figure."""
        variant = self.options.get("variant", "american")
        fen = "".join(self.arguments)
        position = Position.from_fen(fen, variant) if fen else Position.start(variant)
        last = None
        for text in self.options.get("moves", "").split():
            last = position.parse(text)
            position = position.play(last)
        drawing = position.svg(
            last_move=last,
            marks=[int(square) for square in self.options.get("marks", "").split()],
            arrows=[_arrow(text) for text in self.options.get("arrows", "").split()],
            flip="flip" in self.options,
            numbers=self.options.get("numbers", "inside"),
            theme=self.options.get("theme", "light"),
        )
        caption = re.sub(r"`(.*?)`", r"<code>\1</code>", escape(" ".join(self.content)))
        classes = f"board {self.options.get('class', '')}".strip()
        figure = f'<figure class="{classes}">{drawing}<figcaption>{caption}</figcaption></figure>'
        return [nodes.raw("", figure, format="html")]


def _arrow(text: str) -> tuple[int, int]:
    start, end = text.split("-")
    return int(start), int(end)


def fill(app: Sphinx, page: str, source: list[str]) -> None:
    """Insert generated sections into a page before it is parsed."""
    source[0] = generated.filled(source[0], Path(app.env.doc2path(page)))


def link(_app: Sphinx, tree: nodes.document) -> None:
    """In the reference, turn public names in docstrings into links to their documentation.

    A plain name in an annotation links to the first match, because contests have a ``Game`` too.
    """
    for reference in tree.findall(pending_xref):
        public = public_names().get(reference.get("reftarget", ""))
        if reference.get("refdomain") == "py" and "." not in reference["reftarget"] and public is not None:
            reference["reftarget"], reference["refspecific"] = public, False
    if not tree.settings.env.current_document.docname.startswith("reference/"):
        return
    for literal in list(tree.findall(nodes.literal)):
        public = public_names().get(literal.astext())
        if public is not None and not isinstance(literal.parent, nodes.reference | pending_xref):
            reference = pending_xref(
                "", refdomain="py", reftype="obj", reftarget=public, refexplicit=True, refwarn=True
            )
            reference["refdoc"] = tree.settings.env.current_document.docname
            literal.replace_self(reference)
            reference += literal


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Node | None:
    """Resolve a name as used in the sources to its public name."""
    public = public_names().get(node.get("reftarget", ""))
    if node.get("refdomain") != "py" or public is None:
        return None
    domain = env.domains.python_domain
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", public, node, content)


def write_parts(app: Sphinx, error: Exception | None) -> None:
    """Write the pages that the page on design shows in frames."""
    if error is None and app.builder.format == "html":
        design.write(Path(app.outdir) / design.FOLDER)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive and the event handlers."""
    app.add_directive("board", Board)
    app.connect("source-read", fill)
    app.connect("doctree-read", link)
    app.connect("missing-reference", resolve)
    app.connect("build-finished", write_parts)
    app.connect("autodoc-process-docstring", remarks.describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
