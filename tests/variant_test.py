#!/usr/bin/env python3
# Tier: all (compiles a program from a copy of the tree)
"""A variant is one file and its name in a list: the one that docs/develop/variant.md shows is added to a copy of the tree, built and
run; and its options are checked against the ranges that it declares. Arguments: cmake, the C++ compiler, the
build that is tested, whose libraries the program is linked with, and a setting that these were compiled with."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
CMAKE, COMPILER, TESTED, SETTING = sys.argv[1:]


def run(*command, status=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"{command} ended with {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return done.stdout + done.stderr


class AddedVariant(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tree = Path(self.folder.name) / "tree"
        shutil.copytree(TOP, self.tree, ignore=shutil.ignore_patterns(
            "build*", "bundle", "results", ".git", "inputs", "tests", "__pycache__"))

    def tearDown(self):
        self.folder.cleanup()

    def test_it_is_in_the_program(self):
        text = (TOP / "docs/develop/variant.md").read_text(encoding="utf-8")
        file, code = re.search(r"```cpp\n// (serial/scan/\w+\.cpp)\n(.*?)```", text, re.DOTALL).groups()
        name = Path(file).stem
        (self.tree / file).write_text(code, encoding="utf-8")
        main = self.tree / "serial/scan/main.cpp"
        before = main.read_text(encoding="utf-8")
        after = before.replace("namespace boltzmark::serial {\n",
                               f"namespace boltzmark::serial {{\nextern const scan::Variant {name};\n", 1)
        after = re.sub(r"(argv, [^{]*\{[&\w, ]+)", rf"\1, &{name}", after)
        self.assertEqual(after.count(name), before.count(name) + 2)
        main.write_text(after, encoding="utf-8")

        build = self.tree / "build"
        run(CMAKE, "-S", self.tree, "-B", build, "-G", "Unix Makefiles", f"-DCMAKE_CXX_COMPILER={COMPILER}",
            "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DBOLTZMARK_WORKLOADS=scan",
            SETTING, "-DBOLTZMARK_OFFLOAD_CXX=false",  # no other model is looked for
            *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in ("MPI", "OpenCL", "OpenMP", "TBB", "Kokkos")))
        for library in ("common/libboltzmark_run.a", "common/libboltzmark_scan.a"):
            shutil.copy(Path(TESTED) / library, build / library)
        for target in ("boltzmark_serial_built/fast", "scan-serial/fast"):  # without what they depend on
            run(CMAKE, "--build", build, "--target", target, "-j", "2")
        program = build / "bin/scan-serial"
        described = {v["name"]: v for v in json.loads(run(program, "--describe"))["variants"]}
        (option,) = described[name]["options"]
        least, most = option["range"]
        for value in (least, most):
            self.assertIn("right", run(program, "1003", "--variant", name, f"--{option['name']}", value))
        self.assertIn(f"from {least} to {most}", run(program, "1003", "--variant", name, f"--{option['name']}", most + 1,
                                                     status=2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
