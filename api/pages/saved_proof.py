"""The scene `/verify` as one file that checks bundles without any server.

The file holds the modules of the page as they are, behind names in an import map. Its own policy lets nothing out: the
browser refuses every connection, so the file cannot pass a bundle on, and nobody has to trust that it does not.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import posixpath
import re
from collections.abc import Mapping

ENTRY = "scenes/verify/saved.js"
STYLES = ("tokens", "parts", "scenes", "library")
IMPORTED = re.compile(r"""((?:^|\n|;)\s*(?:import|export)\b[^;"'`]*?["'])(\.{1,2}/[^"']+)(["'])""")
PAGE = """<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
<script type="importmap">{imports}</script>
<script type="module">{start}</script>
</head>
<body>
<div id="page"></div>
<!--
{licences}
-->
</body>
</html>
"""


def render_saved_proof(files: Mapping[str, bytes], lang: str, title: str) -> str:
    """Return the page as one file of HTML. `files` are those of the page by address."""
    modules = collect_modules(files, ENTRY)
    imports = json.dumps({"imports": {name: write_data_url(text) for name, text in sorted(modules.items())}})
    style = "".join(files[f"styles/{name}.css"].decode() for name in STYLES)
    start = f'import "{ENTRY}";'
    policy = (
        f"default-src 'none'; img-src data:; style-src {hash_source(style)}; "
        f"script-src data: {hash_source(imports)} {hash_source(start)}; form-action 'none'; base-uri 'none'"
    )
    licences = "\n".join(
        f"{name}\n{text.decode()}".replace("--", "- -")
        for name, text in files.items()
        if name.startswith("vendor/") and name.endswith(".txt")
    )
    return PAGE.format(
        lang=lang, title=html.escape(title), policy=policy, style=style, imports=imports, start=start, licences=licences
    )


def collect_modules(files: Mapping[str, bytes], entry: str) -> dict[str, str]:
    """Return a module and all that it imports, by address.

    Each names the others by these addresses: a module behind a data URL has no folder, so what it
    imports cannot be named relative to it.
    """
    found: dict[str, str] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue

        def name_import(match: re.Match[str], folder: str = posixpath.dirname(name)) -> str:
            target = posixpath.normpath(posixpath.join(folder, match[2]))
            waiting.append(target)
            return f"{match[1]}{target}{match[3]}"

        found[name] = IMPORTED.sub(name_import, files[name].decode())
    return found


def write_data_url(text: str) -> str:
    """Return a module as the address of itself."""
    return f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"


def hash_source(text: str) -> str:
    """Return how a policy names a script or a style that is written into the page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
