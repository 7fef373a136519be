"""How Sphinx builds the manual: `make docs` writes it to build/docs, and a warning fails the build."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # the directives of the manual: docs/manual

import crownhead  # noqa: E402 - the path comes first

project = "Crownhead"
author = "the Crownhead project"
copyright = "MIT licence"  # noqa: A001 - Sphinx reads this name
version = release = crownhead.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "manual.directives"]
exclude_patterns = ["manual/**", "images/**", "files/**", "parts/**"]
nitpicky = True  # a name that leads nowhere is a warning
# No other project's index is fetched, so names that are not ours stay plain text.
nitpick_ignore_regex = [(r"py:.*", r"(?!crownhead\b).*"), (r"py:.*", r".*\._\w+")]
suppress_warnings = ["misc.highlighting_failure"]  # the contract is a sketch in Python, not Python

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "substitution"]
myst_heading_anchors = 3
myst_substitutions = {"variants": str(len(crownhead.VARIANTS)), "version": release}

autodoc_class_signature = "separated"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 120
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "Crownhead"
html_static_path = ["styles"]
html_css_files = ["manual.css"]
html_favicon = "../src/crownhead/server/static/crownhead/img/crown.svg"
html_logo = html_favicon
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2f6b46", "color-brand-content": "#2f6b46"},
    "dark_css_variables": {"color-brand-primary": "#8fd0a7", "color-brand-content": "#8fd0a7"},
}
