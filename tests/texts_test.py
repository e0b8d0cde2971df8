#!/usr/bin/env python3
"""Links, headings and paths in the Markdown files exist. Words that were given up do not return to texts that users
read."""

import re
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(r"build|bundle/|results/|checks/|\.")  # files that builds and runs make
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.*-]*)`")


def texts():
    """(file, text without code blocks) of each page."""
    for file in sorted(TOP.rglob("*.md")):
        if not LEFT_OUT.match(file.relative_to(TOP).as_posix()):
            yield file, re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)


def anchors(file):
    """Anchors of a page's headings, as on the web; a repeated one gets a number."""
    found = []
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL),
                              re.MULTILINE):
        anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return set(found)


def links(text):
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"https?:|mailto:|../../actions/", target)]


# Words that were given up, each with a sentence that contained it.
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
    r"\bwalls? that moves?\b": "four numbers: x y z 1 (and U_X for a wall that moves)",
    r": the peer\b": "thrust: the peer",
    r"\bcomputed anew\b": "all figures are computed anew",
    r"\bpages move\b": "memory whose pages move",
    r"\bwhat is right\b": "a workload each: what is computed, its cases, what is right, what is counted",
    r"\bheld against\b": "results are held against a reference",
    r"\b(come|came)s? to lie\b": "where the rows come to lie",
    r"\b(and|or) the like\b": "from blocking in time and the like",
    r"\b(is|are) what (is|was|a|an)\b": "Plain arrays are what is left to the compiler's own vectoriser.",
    r"\bwhat has been\b": "what has been loaded is used for several steps",
    r"\b(updates|messages|FLOPs) a second\b": "updates a second, solid cells included",
    r"\bsays? of (it|them)sel(f|ves)\b": "what a program says of itself",
    r"\bof before\b": "results of before this change",
}
# Other uses of these words: names of files, folders and fields of records.
NOT_READ = re.compile(r"[\w/]*oracle[./]\w*|tests/\S*")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def read_texts():
    """(file, text) that users read: pages, templates of the report, and texts with a space in programs and driver.
    The list of changes may quote old words."""
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
            # Consecutive literals are one text; expressions within them are left out.
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
        """All but rows of tables, and a check as programs print it."""
        for file, _ in texts():
            for i, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                with self.subTest(f"{file.relative_to(TOP)}:{i}"):
                    self.assertTrue(len(line) <= 120 or line.startswith(("|", "check:\t")))

    def test_documents_are_short(self):
        """A busy person reads them: words in docs/, without the figures and strokes of tables."""
        text = " ".join(file.read_text(encoding="utf-8") for file in (TOP / "docs").rglob("*.md"))
        self.assertLessEqual(sum(any(letter.isalpha() for letter in word) for word in text.split()), 38000)

    def test_first_page_is_short(self):
        self.assertLessEqual(len((TOP / "README.md").read_text(encoding="utf-8").splitlines()), 110)


if __name__ == "__main__":
    unittest.main()
