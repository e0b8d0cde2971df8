#!/usr/bin/env python3
"""The house as CONTRIBUTING.md shows it: no circles of folders that include one another, no workload that includes another,
nothing below the workloads that includes any; no include by a macro, no variant of openmp/ without its directives, no
class that derives from its template parameter, and no build in a folder that was made for another place."""

import re
import shutil
import subprocess
import tempfile
import unittest
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
SOURCES = {".cpp", ".hpp", ".h", ".cl", ".cu"}
MODELS = {entry.stem for entry in TOP.iterdir() if (entry / "lbm").is_dir() and entry.name != "common"}
WORKLOADS = {entry.name for entry in (TOP / "serial").iterdir() if entry.is_dir() and entry.name != "layer"}
WORKLOADS |= {case.parent.name for case in (TOP / "common").glob("*/case.cpp")}  # of the layer
BELOW = {"common/base", "common/cpu", "common/device", "common/run", "common/target"}


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

    def test_a_build_folder_of_another_place_is_named(self):
        with tempfile.TemporaryDirectory() as place:
            (Path(place) / "build").mkdir()
            (Path(place) / "build/CMakeCache.txt").write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/nowhere\n")
            shutil.copy(TOP / "Makefile", place)
            made = subprocess.run(["make", "configure"], cwd=place, capture_output=True, text=True, check=False)
            self.assertEqual(made.returncode, 2)
            self.assertIn("build/ was made for sources in /nowhere: remove it with make clean\n", made.stderr)

    def test_no_circles(self):
        order = TopologicalSorter()
        for one, other in includes():
            order.add(one, other)
        try:
            order.prepare()
        except CycleError as circle:
            self.fail(f"folders that include one another: {' <- '.join(circle.args[1])}")

    def test_includes_name_a_file(self):
        """An editor cannot follow a macro."""
        for top in sorted(MODELS | {"common", "analysis"}):
            for file in sorted((TOP / top).rglob("*")):
                if file.suffix in SOURCES | {".in"}:
                    with self.subTest(file.relative_to(TOP).as_posix()):
                        self.assertIsNone(re.search(r'^#include (?!["<])', file.read_text(encoding="utf-8"), re.MULTILINE))

    def test_openmp_is_visible(self):
        """Each file that makes a variant has its own directives, unless a library does the work. A main that only lists
        variants makes none, nor does one that offers an engine of common/ over this model's workers."""
        makes = re.compile(r"\bmade_of\w*<|\bVariant \w+ =(?!\s+\w+::\w+\([^;]*\bstart_\w+\);)")
        sources = {file: file.read_text(encoding="utf-8") for file in sorted((TOP / "openmp").glob("*/*.cpp"))}
        variants = [file for file, text in sources.items() if makes.search(text)]
        self.assertGreater(len(variants), len({file.parent for file in variants}))
        for file in variants:
            with self.subTest(file.relative_to(TOP).as_posix()):
                self.assertTrue("#pragma omp parallel" in sources[file] or "Role::peer" in sources[file])

    def test_no_class_mixes_a_host_in(self):
        """Workers are a value: no class derives from a model's host through a template parameter. `Made` may be a base,
        because it is the interface of a workload's objects."""
        for top in sorted(MODELS - {"openmp_target"} | {"common"}):
            for file in sorted((TOP / top).rglob("*.[ch]pp")):
                text = file.read_text(encoding="utf-8")
                for parameters, base in re.findall(r"template <([^{};]*?)>\s*(?:class|struct) \w+(?: final)? : (?:public )?(\w+)",
                                                   text):
                    with self.subTest(file.relative_to(TOP).as_posix()):
                        self.assertNotIn(base, set(re.findall(r"\bclass (\w+)", parameters)) - {"Made"})

    def test_workloads_stand_alone(self):
        for (one, other), file in includes().items():
            workload = other.split("/")[-1]
            if workload in WORKLOADS:
                with self.subTest(f"{file} includes a file of {other}"):
                    self.assertNotIn(one, BELOW)
                    self.assertFalse(one.split("/")[-1] in WORKLOADS - {workload})

    def test_device_apis_know_nothing_of_one_another(self):
        """Host code of devices is neutral: common/device is below both APIs, which implement it."""
        for (one, other), file in includes().items():
            tops = one.split("/")[0], other.split("/")[0]
            if one == "analysis/peaks" and other == "opencl/runtime":
                continue  # the main of a measuring program, which chooses the API
            with self.subTest(f"{file} includes a file of {other}"):
                self.assertNotIn(tops, {("opencl", "cuda"), ("cuda", "opencl"), ("common", "opencl"), ("common", "cuda"),
                                        ("analysis", "opencl"), ("analysis", "cuda")})
        for file in sorted(TOP.glob("*/**/*")):
            top = file.relative_to(TOP).parts[0]
            if file.suffix in SOURCES and top in (MODELS | {"common", "analysis"}) - {"opencl"}:
                with self.subTest(file.relative_to(TOP).as_posix()):
                    self.assertIsNone(re.search(r"(?<!\w)cl::", file.read_text(encoding="utf-8")))

    def test_lists_name_every_workload(self):
        """The lists in docs/develop/workload.md: most tests would leave a workload out without a word."""
        common = (TOP / "common/CMakeLists.txt").read_text(encoding="utf-8")
        listed = set(re.search(r"set\(workloads ([^)]+)\)", common)[1].split())
        self.assertEqual(listed, WORKLOADS)
        layer = {case.parent.name for case in (TOP / "common").glob("*/case.cpp")}
        for file, workloads in {
                "docs/generate.py": listed, "tests/hostile/launches_test.py": listed,
                "tests/corrupted/corrupted_test.py": listed, "tests/opencl_simulator_test.py": listed - {"lbm"},
                "tests/layer_models_test.py": layer - {"binary_fluid"}, "tests/sycl_test.py": layer,
                "tests/cuda_test.cpp": layer, "docs/method/workloads.md": listed}.items():
            words = set(re.findall(r"\w+", (TOP / file).read_text(encoding="utf-8").replace("-", "_")))
            with self.subTest(file):
                self.assertEqual(workloads - words, set())


if __name__ == "__main__":
    unittest.main()
