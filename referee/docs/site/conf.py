"""Configure Sphinx: this repository's Markdown as a site (`referee dev docs`)."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))  # the pages are built from this checkout, whichever program is installed

project = "Referee"
author = "the authors of Referee"
html_title = "Referee"
language = "en"
extensions = ["myst_parser", "sphinx.ext.githubpages", "referee.docs.site.extension"]  # the second writes .nojekyll
root_doc = "index"
exclude_patterns: list[str] = []

myst_enable_extensions = ["attrs_block", "attrs_inline", "html_image"]
myst_heading_anchors = 4  # the anchors that GitHub gives to headings, so that links are good in both places
myst_fence_as_directive = ["mermaid"]
highlight_language = "none"
nitpicky = True

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "search_order.js")
html_favicon = "../../../api/pages/app/icon.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
