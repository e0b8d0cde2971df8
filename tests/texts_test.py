#!/usr/bin/env python3
"""What the READMEs name is there: files that they link to, headings within them, and paths in their text."""

import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LEFT_OUT = ("build", "bundle", "results", "analysis/results")  # what is made, and records of other days
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.*-]+)`")


def texts():
    for file in sorted(TOP.rglob("*.md")):
        name = file.relative_to(TOP).as_posix()
        if not any(name.startswith(folder) for folder in LEFT_OUT):
            yield file, re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)


def anchors(file):
    """Of the headings of a page, as web pages make them."""
    headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Texts(unittest.TestCase):
    def test_links(self):
        for file, text in texts():
            for target in re.findall(r"\]\(([^)]+)\)", text):
                if target.startswith("http"):
                    continue
                name, _, anchor = target.partition("#")
                page = (file.parent / name).resolve() if name else file
                with self.subTest(f"{file.relative_to(TOP)}: {target}"):
                    self.assertTrue(page.exists())
                    self.assertTrue(not anchor or anchor in anchors(page))

    def test_paths(self):
        """Of the source tree, from its top or from the page's folder; `*` stands for any letters."""
        for file, text in texts():
            for name in PATH.findall(text):
                top = name.split("/")[0]
                if top in LEFT_OUT or not ((TOP / top).is_dir() or (file.parent / top).is_dir()):
                    continue
                with self.subTest(f"{file.relative_to(TOP)}: {name}"):
                    self.assertTrue(any(any(folder.glob(pattern)) for folder in (TOP, file.parent)
                                        for pattern in (name, name + ".*")))


if __name__ == "__main__":
    unittest.main()
