#!/usr/bin/env python3
# Tier: all (compiles a program from a copy of the tree)
"""The steps of docs/develop are taken in a copy of the tree, built and run. A variant is one file and its name in a
list (variant.md), and its options are checked against the ranges that it declares; a workload of the layer is a copy
of another, renamed, in all models at once (layer.md). Arguments: cmake, the C++ compiler, the build that is tested, whose
libraries the programs are linked with, and a setting that these were compiled with."""

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


class Added(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tree = Path(self.folder.name) / "tree"
        shutil.copytree(TOP, self.tree, ignore=shutil.ignore_patterns(
            "build*", "bundle", "results", ".git", "inputs", "tests", "__pycache__"))
        self.build = self.tree / "build"

    def tearDown(self):
        self.folder.cleanup()

    def configure(self, workload, libraries, without):
        """With the tested build's libraries, and no model of these packages."""
        run(CMAKE, "-S", self.tree, "-B", self.build, "-G", "Unix Makefiles", f"-DCMAKE_CXX_COMPILER={COMPILER}",
            "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", f"-DBOLTZMARK_WORKLOADS={workload}",
            SETTING, "-DBOLTZMARK_OFFLOAD_CXX=false",  # no other model is looked for
            "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",  # another target's, which is not built
            *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in without))
        for library in libraries:
            shutil.copy(Path(TESTED) / "common" / library, self.build / "common" / library)

    def compile(self, *targets):
        """Without what they depend on."""
        for target in targets:
            run(CMAKE, "--build", self.build, "--target", f"{target}/fast", "-j", "2")

    def test_a_variant_is_in_the_program(self):
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

        self.configure("scan", ["libboltzmark_run.a", "libboltzmark_scan.a"],
                       ["MPI", "OpenCL", "OpenMP", "TBB", "Kokkos"])
        self.compile("boltzmark_serial_built", "scan-serial")
        program = self.build / "bin/scan-serial"
        described = {v["name"]: v for v in json.loads(run(program, "--describe"))["variants"]}
        (option,) = described[name]["options"]
        least, most = option["range"]
        for value in (least, most):
            self.assertIn("right", run(program, "1003", "--variant", name, f"--{option['name']}", value))
        self.assertIn(f"from {least} to {most}", run(program, "1003", "--variant", name, f"--{option['name']}", most + 1,
                                                     status=2))

    def test_a_renamed_copy_of_a_workload_is_right_in_two_models(self):
        text = (TOP / "docs/develop/layer.md").read_text(encoding="utf-8")
        commands, = re.findall(r"```sh\n(cp -r common/pi .*?)```", text, re.DOTALL)
        run("sh", "-e", "-c", f"cd {self.tree} && {commands}")
        self.configure("tau", ["libboltzmark_run.a", "libboltzmark_picture.a", "target/libboltzmark_target.a"],
                       ["MPI", "OpenCL", "TBB", "Kokkos"])
        self.compile("boltzmark_tau_loops", "boltzmark_tau_host", "boltzmark_tau")
        for model in ("serial", "openmp"):
            self.compile(f"boltzmark_{model}_layer", f"boltzmark_{model}_built", f"tau-{model}")
            for precision in ("f32", "f64"):
                self.assertIn("right", run(self.build / f"bin/tau-{model}", "1003", "--precision", precision))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
