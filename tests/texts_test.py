#!/usr/bin/env python3
"""What the Markdown files name is there: files that they link to, headings within them, and paths in their text. Words
that were given up do not come back in what users read."""

import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(r"build|bundle/|results/|checks/|\.")  # what is made
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.*-]*)`")


def texts():
    """(file, text without blocks of code) of each page."""
    for file in sorted(TOP.rglob("*.md")):
        if not LEFT_OUT.match(file.relative_to(TOP).as_posix()):
            yield file, re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)


def anchors(file):
    """Of the headings of a page, as web pages make them; a second one of a name has a number."""
    found = []
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL),
                              re.MULTILINE):
        anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return set(found)


def links(text):
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"https?:|mailto:|../../actions/", target)]


# Words that users no longer read, each with a sentence that had it.
GIVEN_UP = {
    r"\breus(es?|ed|ing) (the |a )?cache": "bound: reuses cache",
    r"above-memory-roof": "`above-memory-roof`: over 1.1 times the roof",
    r"\blimited by\b": "limited by: memory",
    r"\b(is|are) none\b": "A verdict that rounds do not share is none.",
    r"\b(stand|lie|come)s? beside\b": "What stands beside what:",
    r"measure again": "! is noisy: measure again",
    r"no limit (is near|reached)": "no limit reached",
    r"no recorded fact|nothing explains": "a figure above a roof that nothing explains",
    r"\blike for like\b": "best and like for like",
    r"\boracles?\b(?!\.|/|`)": "right against oracle: speed 1e-7",
    r"\bright answers?\b": "compare folders with the right answer",
    r"\bis right here\b": "default: the fastest that is right here",
}
# What has these words for another reason: names of files and folders, and of fields that records have.
NOT_READ = re.compile(r"[\w/]*oracle[./]\w*|tests/\S*")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def read_texts():
    """(file, text) of what users read: pages, templates of the report, and texts with a space in programs and driver.
    The file of changes says what words there were."""
    for file in sorted(TOP.rglob("*")):
        name = file.relative_to(TOP).as_posix()
        if LEFT_OUT.match(name) or re.match(r"tests/|analysis/results/|CHANGELOG", name):
            continue
        if file.suffix in {".md", ".jinja"} or name.startswith("analysis/plans/") or file.name == "learn.json":
            yield name, file.read_text(encoding="utf-8")
        elif file.suffix in {".cpp", ".hpp"} or re.match(r"analysis/report/\w+\.py", name):
            code = file.read_text(encoding="utf-8")
            if file.suffix == ".py":
                code = re.sub(r"^\s*#.*$", "", re.sub(r'"""(.*?)"""', "", code, flags=re.DOTALL), flags=re.MULTILINE)
            else:
                code = re.sub(r"(^|\s)//.*$", "", code, flags=re.MULTILINE)
            # Literals that follow one another are one text; expressions within them are not read.
            joined = re.sub(r'"\s*\n\s*"', "", code)
            joined = re.sub(r"{[^{}\"\n]*}", "", joined) if file.suffix == ".py" else joined
            yield name, "\n".join(text for text in LITERAL.findall(joined) if " " in text)


class Texts(unittest.TestCase):
    def test_words_that_were_given_up(self):
        for pattern, example in GIVEN_UP.items():
            self.assertRegex(example, re.compile(pattern, re.IGNORECASE))
        found = 0
        for name, text in read_texts():
            found += 1
            for pattern in GIVEN_UP:
                with self.subTest(f"{name}: {pattern}"):
                    self.assertNotRegex(NOT_READ.sub("", text), re.compile(pattern, re.IGNORECASE))
        self.assertGreater(found, 300)

    def test_there_are_some(self):
        files = [file.relative_to(TOP).as_posix() for file, _ in texts()]
        self.assertIn("README.md", files)
        self.assertIn("docs/results/h200.md", files)

    def test_links(self):
        for file, text in texts():
            for target in links(text):
                name, _, anchor = target.partition("#")
                page = (file.parent / name).resolve() if name else file
                with self.subTest(f"{file.relative_to(TOP)}: {target}"):
                    self.assertTrue(page.exists())
                    self.assertTrue(not anchor or anchor in anchors(page))

    def test_pages_are_a_site(self):
        """Pages of docs/ link to one another alone; mkdocs.yml has each of them, and each is linked from another."""
        docs = TOP / "docs"
        pages = {file.relative_to(docs).as_posix() for file in docs.rglob("*.md")}
        self.assertEqual(pages, set(re.findall(r"[\w/-]+\.md", (TOP / "mkdocs.yml").read_text(encoding="utf-8"))))
        reached = {"index.md"}
        for file, text in texts():
            for target in links(text) if docs in file.parents else []:
                page = (file.parent / target.partition("#")[0]).resolve()
                with self.subTest(f"{file.relative_to(TOP)}: {target}"):
                    self.assertTrue(target.startswith("#") or docs in page.parents)
                if page != file and page.is_file():
                    reached.add(page.relative_to(docs).as_posix())
        self.assertEqual(pages - reached, set())

    def test_paths(self):
        """Of the source tree, from its top or from the page's folder; `*` and words such as NAME stand for any letters."""
        for file, text in texts():
            for name in PATH.findall(text):
                name = re.sub(r"NAME|WORKLOAD|MODEL", "*", name)
                top = name.split("/")[0]
                if LEFT_OUT.match(name) or not ((TOP / top).is_dir() or (file.parent / top).is_dir()):
                    continue
                with self.subTest(f"{file.relative_to(TOP)}: {name}"):
                    self.assertTrue(any(any(folder.glob(pattern)) for folder in (TOP, file.parent)
                                        for pattern in (name.rstrip("/"), name.rstrip("/") + ".*")))

    def test_sources_name_pages(self):
        """Paths of pages in the comments of sources are there too."""
        for file in TOP.rglob("*"):
            name = file.relative_to(TOP).as_posix()
            if file.suffix in {".cpp", ".hpp", ".h", ".cl", ".cu", ".py", ".cmake"} and not LEFT_OUT.match(name):
                for page in re.findall(r"\bdocs/[\w/]+\.md", file.read_text(encoding="utf-8")):
                    with self.subTest(f"{name}: {page}"):
                        self.assertTrue((TOP / page).is_file())

    def test_lines_are_short(self):
        """All but rows of tables."""
        for file, _ in texts():
            for i, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                with self.subTest(f"{file.relative_to(TOP)}:{i}"):
                    self.assertTrue(len(line) <= 120 or line.startswith("|"))

    def test_documents_are_short(self):
        """A busy person reads them: words in docs/, without the strokes of tables."""
        text = " ".join(file.read_text(encoding="utf-8") for file in (TOP / "docs").rglob("*.md"))
        self.assertLessEqual(sum(any(letter.isalnum() for letter in word) for word in text.split()), 40000)

    def test_first_page_is_short(self):
        self.assertLessEqual(len((TOP / "README.md").read_text(encoding="utf-8").splitlines()), 110)


if __name__ == "__main__":
    unittest.main()
