"""Hooks of MkDocs: pages from outside docs/, the gallery, and formulas as MathML.

README.md, ARTIFACT.md and the other files of PAGES become pages of the site. Their links are
rewritten.
"""

import html
import posixpath
import re
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent
PAGES = {
    "README.md": "index.md",
    "ARTIFACT.md": "ARTIFACT.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "config/README.md": "configuration.md",
}
LINK = re.compile(r"(\]\()([^)#:]+)((?:#[^)]*)?\))")
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)


def on_files(files, config):
    """Add the pages, the files that they link to, and the gallery's pictures."""
    for source, page in PAGES.items():
        files.append(
            File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8"))
        )
    for source in _attached():
        files.append(File.generated(config, source, abs_src_path=str(ROOT / source)))
    pictures = sorted((ROOT / "figures/gallery").glob("*.png"))
    for picture in pictures:
        files.append(File.generated(config, f"gallery/{picture.name}", abs_src_path=str(picture)))
    parts = [
        f"## {picture.stem}\n\n![The main figures of {picture.stem}](gallery/{picture.name})"
        for picture in pictures
    ]
    files.append(
        File.generated(config, "gallery.md", content="\n\n".join(["# Gallery", *parts]) + "\n")
    )
    return files


def _attached():
    """List the files outside docs/ that a page links to, such as LICENSE."""
    pages = [*PAGES, *(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
    linked = {
        posixpath.normpath(posixpath.join(posixpath.dirname(page), link[2]))
        for page in pages
        for link in LINK.finditer((ROOT / page).read_text(encoding="utf-8"))
    }
    elsewhere = {link for link in linked if not link.startswith(("docs/", "figures/gallery/"))}
    return sorted(link for link in elsewhere - set(PAGES) if (ROOT / link).is_file())


def on_page_markdown(markdown, page, config, files):
    """Turn links between files of the project into links between pages of the site."""
    sources = {target: source for source, target in PAGES.items()}
    written = page.file.src_uri
    source = sources.get(written, written if written in _attached() else f"docs/{written}")

    def on_the_site(link):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[2]))
        there = PAGES.get(target, target.removeprefix("docs/").removeprefix("figures/"))
        relative = posixpath.relpath(there, posixpath.dirname(page.file.src_uri) or ".")
        return f"{link[1]}{relative}{link[3]}"

    return LINK.sub(on_the_site, markdown) if page.file.src_uri != "gallery.md" else markdown


def on_page_content(content, page, config, files):
    """Write formulas as MathML, which needs no script and no fonts."""

    def as_mathml(formula):
        display = "block" if formula[2] == "[" else "inline"
        return convert(html.unescape(formula[3]).strip(), display=display)

    return FORMULA.sub(as_mathml, content)
