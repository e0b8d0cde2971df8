#!/usr/bin/env python3
"""Programs on other machines: odd topologies, one core, locales, no home, another user.

    odd_machines_test.py FOLDER     the folder of the built programs

Topologies are made up by hwloc (HWLOC_SYNTHETIC): programs see its cores and caches, although the processor is
unchanged. Every run must end with status 0 and be right; its speed depends on the machine and is ignored.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAMS = Path()
NOBODY = 65534

TOPOLOGIES = {
    "usual": "l3:1(size=32MB) l2:4(size=1MB) l1d:1(size=32KB) core:1 pu:1",
    "no L3": "l2:4(size=12MB) l1d:1(size=48KB) core:1 pu:1",
    "L1 of 48 KiB": "l3:1(size=24MB) l2:4(size=2MB) l1d:1(size=48KB) core:1 pu:1",
    "two packages with SMT": "pack:2 l3:1(size=16MB) l2:4(size=1MB) l1d:1(size=32KB) core:1 pu:2",
    "64 cores": "pack:1 l3:8(size=32MB) l2:8(size=512KB) l1d:1(size=32KB) core:1 pu:1",
    "one core": "l3:1(size=4MB) l2:1(size=256KB) l1d:1(size=32KB) core:1 pu:1",
    "tiny caches": "l3:1(size=64KB) l2:2(size=16KB) l1d:1(size=4KB) core:1 pu:1",
    "no caches": "pack:1 core:4 pu:1",
    "no cores": "pu:4",
}

# One column more than a multiple of any vector, a driven row, a wall with a gap.
NX, NY = 65, 24
PARAMETERS = f"{NX}\n{NY}\n40\n10\n0.1\n0.005\n1.85\n"
OBSTACLES = "".join(f"{x} 9 1\n" for x in range(NX) if x % 11)


def first_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def as_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


class OddMachines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.folder.chmod(0o755)
        (self.folder / "p.params").write_text(PARAMETERS)
        (self.folder / "o.dat").write_text(OBSTACLES)

    def run_program(self, words, environment=None, **more):
        """Standard output of a run that must end with status 0. None as a value takes a variable away."""
        program = PROGRAMS / words[0]
        usual = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "HWLOC_", "GOMP_"))}
        changed = {**usual, "OMP_WAIT_POLICY": "passive", "XDG_DATA_HOME": str(self.folder), **(environment or {})}
        done = subprocess.run(
            [program, *words[1:]], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800,
            env={name: value for name, value in changed.items() if value is not None}, **more)
        self.assertEqual(done.returncode, 0, f"{' '.join(words)}: {done.stderr}")
        return done.stdout

    def expect_right(self, environment=None, **more):
        """The default variants and the fused ones, over more threads than many machines have cores; STREAM."""
        if not (PROGRAMS / "lbm-openmp").exists():
            self.skipTest("lbm-openmp was not built")
        problem = ["--no-output", "--check", "oracle", self.folder / "p.params", self.folder / "o.dat"]
        for words in (["lbm-serial"], ["lbm-serial", "--precision", "f64"], ["lbm-serial", "--variant", "fused"],
                      ["lbm-openmp"], ["lbm-openmp", "--threads", "5"], ["lbm-openmp", "--variant", "fused", "--threads", "3"]):
            output = self.run_program([str(word) for word in (*words, *problem)], environment, **more)
            self.assertRegex(output, r"check:\s+right", words)
            self.assertRegex(output, r"rate:\s+[0-9]+\.[0-9]+ MLUPS", words)
        output = self.run_program(["stream-serial", "100003", "--repeat", "2"], environment, **more)
        self.assertEqual(len(re.findall(r" right$", output, re.MULTILINE)), 5, output)

    def test_topologies(self):
        for name, topology in TOPOLOGIES.items():
            with self.subTest(name):
                self.expect_right({"HWLOC_SYNTHETIC": topology})

    def test_stream_chooses_its_size(self):
        """By the caches there are, and without any."""
        for name in ("tiny caches", "one core"):
            with self.subTest(name):
                output = self.run_program(["stream-serial", "--repeat", "1"], {"HWLOC_SYNTHETIC": TOPOLOGIES[name]})
                self.assertNotIn("WRONG", output)

    def test_peaks(self):
        """The working sets that fit a level are chosen from the caches: whatever these are, some run."""
        if not (PROGRAMS / "boltzmark-peaks-cpu").exists():
            self.skipTest("boltzmark-peaks-cpu was not built")
        for name, topology in TOPOLOGIES.items():
            with self.subTest(name):
                environment = {"HWLOC_SYNTHETIC": topology}
                self.assertTrue(json.loads(self.run_program(["boltzmark-peaks-cpu", "--describe"], environment)))
                listed = self.run_program(["boltzmark-peaks-cpu", "--benchmark_list_tests=true"], environment).split()
                kinds = {kind: [one for one in listed if one.startswith(kind) and "cores:1/" in one]
                         for kind in ("bandwidth", "compute")}
                self.assertTrue(all(kinds.values()), listed)
                chosen = [kinds["bandwidth"][0], kinds["bandwidth"][-1], kinds["compute"][0]]
                for one in chosen:
                    without_time = re.escape(re.sub(r"/min_time.*", "", one))
                    output = self.run_program(
                        ["boltzmark-peaks-cpu", "--min-time=0.0002", "--benchmark_repetitions=1", "--benchmark_format=json",
                         f"--benchmark_filter=^{without_time}(/|$)"], environment)
                    measured = json.loads(output)["benchmarks"]
                    self.assertTrue(measured, one)
                    self.assertFalse([m for m in measured if m.get("error_occurred")], measured)

    def test_one_core(self):
        self.expect_right(preexec_fn=first_core)

    def test_locales(self):
        """A decimal comma, and an i without a dot, where the system has these locales."""
        for locale in ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8"):
            with self.subTest(locale):
                self.expect_right({"LC_ALL": locale, "LANG": locale})

    def test_no_home(self):
        nowhere = {"XDG_DATA_HOME": None, "XDG_CACHE_HOME": None}
        self.expect_right({**nowhere, "HOME": None})
        self.expect_right({**nowhere, "HOME": "/nonexistent"})
        self.expect_right({**nowhere, "HOME": "/proc", "TMPDIR": "/nonexistent"})

    def test_opencl_without_a_home(self):
        """PoCL finds no device where it has no place for its cache."""
        if not (PROGRAMS / "lbm-opencl").exists():
            self.skipTest("lbm-opencl was not built")
        words = [PROGRAMS / "lbm-opencl", "--list-devices"]
        if subprocess.run(words, capture_output=True, check=False).returncode != 0:
            self.skipTest("no OpenCL device here")
        usual = self.run_program(["lbm-opencl", "--list-devices"])
        temporary = self.folder / "tmp"
        temporary.mkdir()
        environment = {"HOME": "/proc", "XDG_CACHE_HOME": None, "POCL_CACHE_DIR": None, "TMPDIR": str(temporary)}
        self.assertEqual(self.run_program(["lbm-opencl", "--list-devices"], environment), usual)
        self.run_program(["lbm-opencl", "--no-output", "--check", "oracle", str(self.folder / "p.params"),
                          str(self.folder / "o.dat")], environment)

    def test_odd_openmp_settings(self):
        self.expect_right({"OMP_NUM_THREADS": "7", "OMP_PROC_BIND": "spread", "OMP_PLACES": "threads", "OMP_DYNAMIC": "true"})

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_another_user(self):
        """Who can write neither here nor in the source tree."""
        if not all(folder.stat().st_mode & 0o001 for folder in PROGRAMS.resolve().parents):
            self.skipTest("other users cannot reach the programs")
        self.expect_right({"HOME": "/nonexistent", "XDG_DATA_HOME": None, "XDG_CACHE_HOME": None}, preexec_fn=as_nobody)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAMS = Path(sys.argv.pop(1)).resolve()
    unittest.main()
