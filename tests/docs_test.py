#!/usr/bin/env python3
# Tier: all (runs every command of the documents)
"""The documentation is true: tables are those of the programs, commands run, options exist, plans can be read.

    docs_test.py BUILD [Texts|I/N]    BUILD: the build folder; Texts: no commands; I/N: those of every N-th page, from I on

Each command of a block `sh` is run in a new folder with links to the tree, but for blocks below a comment
`<!-- not run: why -->`. `<!-- run with: WORDS -->` adds words that make a run short, `<!-- run: exit status N ... -->` says
which status is right beside 0. Commands that this machine cannot run (status 3, or a program that is not built) are
skipped."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
BUILD = Path(sys.argv[1]).resolve()
WHICH = sys.argv[2:]
PART, PARTS = map(int, WHICH[0].split("/")) if WHICH and "/" in WHICH[0] else (1, 1)
sys.path.insert(0, str(TOP / "docs"))
sys.dont_write_bytecode = True
import generate  # pylint: disable=wrong-import-position

SUITE = generate.Suite(BUILD / "bin")
BLOCK = re.compile(r"(?:<!-- ([^\n]*?) -->\n)?```(\w+)\n(.*?)```", re.DOTALL)
# Options of other programs that pages name.
OTHERS = {"signal", "install", "cpus",
          "bind-to", "oversubscribe", "shm-size", "build-options", "data-races", "uninitialized", "ftz", "prec-div", "prec-sqrt",
          "gpus-per-node", "tool", "preset", "target", "gtest_filter", "performance-report", "mca", "benchmark_filter",
          "block"}


def blocks(language):
    """(page, the comment above, text) of every block of code in that language."""
    for page in generate.pages():
        for note, found, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            if found == language:
                yield page, note, text


def commands():
    """(page, command, right exit statuses) of every command; one that several pages show runs once."""
    shown = set()
    for page, note, text in blocks("sh"):
        if note.startswith("not run: "):
            continue
        more = note.removeprefix("run with: ") if note.startswith("run with: ") else ""
        right = {0, 3} | {int(status) for status in re.findall(r"^run: exit status (\d)", note)}
        for line in text.replace("\\\n", " ").splitlines():
            command = re.sub(r"\s+#.*$", "", line).strip()
            command = f"{command} {more}".strip()
            if command and not command.startswith("#") and command not in shown:
                shown.add(command)
                yield page, command, right


class InTree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.here = Path(self.folder.name)
        for entry in TOP.iterdir():
            if not entry.name.startswith((".", "build", "results")) and entry.name != "analysis":
                (self.here / entry.name).symlink_to(entry)
        shutil.copytree(TOP / "analysis", self.here / "analysis")  # results are written to: figures.csv beside the records
        (self.here / "build").symlink_to(BUILD)

    def tearDown(self):
        self.folder.cleanup()

    def run_here(self, command):
        env = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "XDG_"))}
        env |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PYTHONDONTWRITEBYTECODE": "1",
                "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
                "XDG_CACHE_HOME": str(self.here / "cache"), "XDG_DATA_HOME": str(self.here / "data")}
        if "opencl" in command:  # our cache asks PoCL for binaries, for which it compiles each kernel once more
            env["XDG_CACHE_HOME"] = "/dev/null"
        if "peaks" in command:  # of a machine with small caches: past those of a large one each figure takes seconds
            env["HWLOC_SYNTHETIC"] = "pack:1 l3:1(size=16MB) l2:256(size=1MB) l1d:1(size=32KB) core:1 pu:1"
        return subprocess.run(["bash", "-c", command], cwd=self.here, env=env, capture_output=True, text=True, timeout=1800,
                              check=False, stdin=subprocess.DEVNULL)

    def missing(self, command):
        return [name for name in re.findall(r"build/bin/([\w-]+)", command) if not (BUILD / "bin" / name).exists()]


class Commands(InTree):
    def test_commands(self):
        """They run, and where an output is shown theirs has its lines, up to the figures."""
        shown = {note.removeprefix("output of: "): text for _, note, text in blocks("text")
                 if note.startswith("output of: ")}
        every = list(commands())
        self.assertGreater(len(every), 10)
        self.assertTrue(shown)
        self.assertLessEqual(set(shown), {command for _, command, _ in every}, "shown, but not run")
        pages = list(dict.fromkeys(page for page, _, _ in every))[PART - 1::PARTS]
        for page, command, right in every:
            if page not in pages:
                continue
            if self.missing(command):
                print(f"skipped: {command}")
                continue
            with self.subTest(f"{page.relative_to(TOP)}: {command}"):
                done = self.run_here(command)
                self.assertIn(done.returncode, right, (done.stdout + done.stderr)[-2000:])
                if command in shown:
                    # "disturbed" depends on what else the machine does.
                    lines = [line.split(":")[0] for line in done.stdout.splitlines() if not line.startswith("disturbed:")]
                    self.assertEqual(lines, [line.split(":")[0] for line in shown[command].splitlines()])


class Texts(InTree):
    def test_tables(self):
        lacking = generate.lacking(SUITE)
        if lacking:
            self.skipTest(f"this build has no {', '.join(lacking)}")
        for name, one in SUITE.programs.items():
            if set(one["takes"]) != {option for option, _, _ in generate.options_in(one["help"])}:
                self.skipTest(f"{name} --help is not laid out as by CLI11 2.1: its options cannot be told")
        for page in generate.pages():
            with self.subTest(page.relative_to(TOP).as_posix()):
                self.assertEqual(page.read_text(encoding="utf-8"), generate.generated(SUITE, page),
                                 "write it anew with: python3 docs/generate.py build/bin")

    def test_options(self):
        """Options in the text are those of a program or of the driver."""
        known = set(OTHERS)
        helps = [one["help"] for one in SUITE.programs.values()]
        if (BUILD / "bin/boltzmark").exists():
            helps += [SUITE.commands(), generate.output(BUILD / "bin/boltzmark", "--help")]
        for text in helps:
            known.update(re.findall(r"--([\w-]+)", text))
        for page in generate.pages():
            text = re.sub(r"```.*?```|<!--.*?-->", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
            if page.name == "CHANGELOG.md":
                continue
            for option in re.findall(r"(?<![\w-])--([a-z][\w-]*)", text):
                with self.subTest(f"{page.relative_to(TOP)}: --{option}"):
                    self.assertIn(option, known)

    def test_json(self):
        """Whole plans are read by the driver, other blocks are JSON."""
        for page, _, text in blocks("json"):
            with self.subTest(f"{page.relative_to(TOP)}: {text[:60]}"):
                content = json.loads(text)
                if "runs" in content and not self.missing("build/bin/boltzmark"):
                    (self.here / "plan.json").write_text(text, encoding="utf-8")
                    done = self.run_here("build/bin/boltzmark run plan.json --dry-run")
                    self.assertIn(done.returncode, {0, 3}, done.stderr)

    def test_files_that_are_shown(self):
        """`FILE` reads: and a block, which is the file."""
        shown = [(page, name, text) for page in generate.pages()
                 for name, text in re.findall(r"`([\w./]+)` reads:\n\n```\w+\n(.*?)```", page.read_text(encoding="utf-8"),
                                              re.DOTALL)]
        self.assertTrue(shown)
        for page, name, text in shown:
            with self.subTest(f"{page.relative_to(TOP)}: {name}"):
                self.assertEqual((TOP / name).read_text(encoding="utf-8"), text)
        for page in generate.pages():
            for name, text in re.findall(r"`([\w./]+)` has this \w+:\n\n```\w+\n(.*?)```", page.read_text(encoding="utf-8"),
                                         re.DOTALL):
                with self.subTest(f"{page.relative_to(TOP)}: part of {name}"):
                    self.assertIn(text, (TOP / name).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(["Commands"] if PARTS > 1 else WHICH)])
