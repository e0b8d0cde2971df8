#!/usr/bin/env python3
"""The house as CONTRIBUTING.md shows it, by who includes whom: no circles of folders, no workload that knows another, and
nothing below the workloads that knows any."""

import re
import unittest
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
SOURCES = {".cpp", ".hpp", ".h", ".cl", ".cu"}
MODELS = {entry.stem for entry in TOP.iterdir() if (entry / "lbm").is_dir() and entry.name != "common"}
WORKLOADS = {entry.name for entry in (TOP / "serial").iterdir() if entry.is_dir()}
BELOW = {"common/base", "common/cpu", "common/run", "common/target"}


def includes():
    """Pairs of folders, each with a file of the first that includes one of the second."""
    found = {}
    for top in sorted(MODELS | {"common", "analysis"}):
        for file in sorted((TOP / top).rglob("*")):
            if file.suffix not in SOURCES:
                continue
            for name in re.findall(r'#include "([^"]+)"', file.read_text(encoding="utf-8")):
                if (TOP / name).is_file():
                    one, other = ("/".join(path.parts[:-1][:2]) for path in (file.relative_to(TOP), Path(name)))
                    if one != other:
                        found.setdefault((one, other), file.relative_to(TOP).as_posix())
    return found


class Folders(unittest.TestCase):
    def test_there_are_some(self):
        self.assertIn("openmp", MODELS)
        self.assertIn("stream", WORKLOADS)
        self.assertIn(("openmp/lbm", "common/lbm"), includes())

    def test_no_circles(self):
        order = TopologicalSorter()
        for one, other in includes():
            order.add(one, other)
        try:
            order.prepare()
        except CycleError as circle:
            self.fail(f"folders that include one another: {' <- '.join(circle.args[1])}")

    def test_workloads_stand_alone(self):
        for (one, other), file in includes().items():
            workload = other.split("/")[-1]
            if workload in WORKLOADS:
                with self.subTest(f"{file} includes a file of {other}"):
                    self.assertNotIn(one, BELOW)
                    self.assertFalse(one.split("/")[-1] in WORKLOADS - {workload})


if __name__ == "__main__":
    unittest.main()
