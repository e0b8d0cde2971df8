#!/usr/bin/env python3
# Tier: all (loses launches on purpose in every variant)
"""No skipped work passes: a run whose launches were lost is wrong, in every workload and variant.

    launches_test.py FOLDER LIBRARY    the folder of the built programs, and what lost_launches.cpp is compiled to

Each variant of the programs of OpenCL and OpenMP target runs a warm-up and three timed repeats. In one of these runs
all launches do nothing, or, in the second repeat where launches are counted, a single one. The like-for-like variant
loses each of the four runs in turn, other variants one of them. A program must then say WRONG, with status
1; one of OpenMP target counts its regions on the device and may say with status 3 that they did not run there. Programs
of OpenMP lose the last parallel region of a run (std::par the last algorithm, oneTBB the last call of an arena), or, in
the second repeat where launches are counted, the last but one; without its threads' parts the run may also crash.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAMS, LIBRARY = Path(), ""
REPEATS = 3
WARM_UP, FIRST, MIDDLE, LAST = range(REPEATS + 1)

# Small, and of one launch or more in each run.
WORDS = {
    "axes": ["6"], "heat": ["40x24", "--steps", "5"], "matmul": ["48x40x24"], "reduce": ["5000"], "scan": ["700000"],
    "segments": ["24", "5000"], "stream": ["3000"], "binary_fluid": ["6", "--steps", "2"],
    "pi": ["5000"], "galton": ["301x17", "--precision", "f64"], "nbody": ["60", "--steps", "3"], "xray": ["5x7"],
    "magnetic_field": ["7"], "shallow_water": ["20x24", "--steps", "3"], "lbm_cylinder": ["13x19", "--steps", "3"],
    "lbm": ["{folder}/input_t.params", "{folder}/t.dat", "--no-output", "--check", "oracle"],
}
# Where a run's launches follow the overwriting of results on the device; elsewhere they are counted.
OVERWRITES = {"axes", "matmul", "reduce", "scan", "segments"}
# Their last regions or algorithms are lost.
ON_THREADS = ("openmp", "stdpar", "tbb")
# Five untimed runs come before each timed one.
WARMS_UP_EACH = {"axes", "reduce", "scan", "segments"}
# Launches of a run are counted.
COUNTS = {"binary_fluid"}
BOX = "".join(f"{x} {y} 1\n" for x in range(32) for y in (0, 31))

TIMED_LAUNCHES = 50 + 5 * 1 + 5 * 50  # of devices, after the last run: what a launch takes (Runner::time_launches)


class Launches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "input_t.params").write_text("32\n32\n12\n10\n0.1\n0.005\n1.85\n")
        (self.folder / "t.dat").write_text(BOX)

    def run_program(self, program, words, repeats=REPEATS, timeout=1800, **environment):
        words = [str(PROGRAMS / program), *words, "--repeat", str(repeats), "--no-tuned", "--quiet"]
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, "LD_PRELOAD": LIBRARY, "OMP_NUM_THREADS": "2",
                                   "OMP_WAIT_POLICY": "passive", **environment})

    def launches(self, program, words, repeats):
        """How many there are; none where the variant does not run here."""
        counted = self.folder / "launches"
        ended = self.run_program(program, words, repeats, BOLTZMARK_TEST_LAUNCHES=str(counted))
        self.assertIn(ended.returncode, (0, 2, 3), ended.stderr)
        has_own_queue = program == "lbm-opencl" and "textbook" in words
        after = TIMED_LAUNCHES * (program.endswith(("-opencl", "-openmp-target")) and not has_own_queue)
        return int(counted.read_text()) - after if ended.returncode == 0 else None

    def lost(self, program, workload, words, run, model):
        """The environment in which a run's launches are lost."""
        if workload in OVERWRITES and model == "opencl":
            return {"BOLTZMARK_TEST_LOSE_RUN": str(run)}
        if len(self.counts) == 1:
            self.counts.append(self.launches(program, words, 2))
        one, two = self.counts
        if model in ON_THREADS:
            reads = 2 if workload == "binary_fluid" and "original" not in words else 0  # regions, after the run
            last = one - 1 - reads + (run - 1) * (two - one)
            # Each collision is the same, so that results do not show the loss of all but the last.
            return {"BOLTZMARK_TEST_LOSE": f"{last - (workload in COUNTS and run == MIDDLE)} 1"}
        of_repeat = two - one
        count = of_repeat // (6 if workload in WARMS_UP_EACH else 1)  # of a run, the last of a repeat
        first = one - count + (run - 1) * of_repeat
        if workload in COUNTS and run == MIDDLE:
            first, count = first + count // 2, 1
        return {"BOLTZMARK_TEST_LOSE": f"{first} {count}"}

    def check_program(self, program, model):
        described = subprocess.run([PROGRAMS / program, "--describe"], capture_output=True, text=True, check=True)
        can = json.loads(described.stdout)
        if not can["devices"]:
            self.skipTest(can["no_devices"])
        workload = can["workload"]
        checked = set()
        for number, variant in enumerate(can["variants"]):
            words = [word.format(folder=self.folder) for word in WORDS[workload]] + ["--variant", variant["name"]]
            is_simulation = workload == "binary_fluid" and "collision" not in variant["kinds"]
            if is_simulation and model in ON_THREADS:
                continue  # whose steps are not its last regions
            if variant["role"] == "peer" and model in ON_THREADS:
                continue  # whose threads are the library's
            if is_simulation:
                words += ["--case", "spinodal"]
            if workload == "pi":
                words += ["--method", variant["kinds"][0]]
            # Where nothing is counted a lost run says by itself, by another status, that the variant may not run here.
            is_counted = workload not in OVERWRITES or model != "opencl"
            self.counts = [self.launches(program, words, 1)] if is_counted else []
            if self.counts == [None]:
                continue
            checked.add(variant["name"])
            all_runs = [WARM_UP, FIRST, MIDDLE, LAST]
            for run in all_runs if variant["role"] == "like-for-like" else all_runs[number % 4:number % 4 + 1]:
                with self.subTest(program=program, variant=variant["name"], run=run):
                    environment = self.lost(program, workload, words, run, model)
                    try:
                        ended = self.run_program(program, words, timeout=30 if model == "stdpar" else 1800,
                                                 **environment)
                    except subprocess.TimeoutExpired:
                        self.assertEqual(model, "stdpar")  # whose scans may wait for ever for tasks that were lost
                        continue
                    if not is_counted and ended.returncode in (2, 3) and self.launches(program, words, 1) is None:
                        checked.discard(variant["name"])
                        break
                    expected = {"opencl": (1,), "openmp_target": (1, 3),
                                "openmp": (1, -signal.SIGSEGV, -signal.SIGABRT),
                                "stdpar": (1, -signal.SIGSEGV), "tbb": (1, -signal.SIGSEGV)}
                    self.assertIn(ended.returncode, expected[model], ended.stdout + ended.stderr + str(environment))
        self.assertTrue(checked, "no variant runs here")


    def check_teams(self, program):
        """No variant divides work for threads that it lacks: with OMP_DYNAMIC=true, under a load that rises after some
        regions, it is right; if later regions have fewer threads nevertheless, it is right or ends with status 3."""
        described = subprocess.run([PROGRAMS / program, "--describe"], capture_output=True, text=True, check=True)
        can = json.loads(described.stdout)
        words = [word.format(folder=self.folder) for word in WORDS[can["workload"]]]
        for variant in can["variants"]:
            if variant["role"] == "peer":
                continue  # whose threads are the library's, which may not be here
            chosen = [*words, "--variant", variant["name"]]
            if can["workload"] == "pi":
                chosen += ["--method", variant["kinds"][0]]
            if can["workload"] == "binary_fluid" and "collision" not in variant["kinds"]:
                chosen += ["--case", "spinodal"]
            for allowed, environment in (((0,), {"OMP_DYNAMIC": "true", "BOLTZMARK_TEST_LOAD": "2"}),
                                         ((0, 3), {"BOLTZMARK_TEST_FEWER": "3"})):
                with self.subTest(program=program, variant=variant["name"], **environment):
                    ended = self.run_program(program, chosen, 2, **environment)
                    self.assertIn(ended.returncode, allowed, ended.stdout + ended.stderr)
                    if ended.returncode:
                        self.assertRegex(ended.stderr, "expected parallel regions of 2 threads.*found one of 1 .*OMP_")


def add_tests():
    programs = json.loads((PROGRAMS.parent / "share/boltzmark/programs.json").read_text())
    for one in programs:
        name = one["program"].replace("-", "_")
        if one["model"] in ("opencl", "openmp_target", *ON_THREADS) and not one["skipped"]:
            def test(self, one=one):
                self.check_program(one["program"], one["model"])
            setattr(Launches, "test_" + name, test)
        if one["model"] == "openmp" and not one["skipped"]:
            def test_teams(self, one=one):
                self.check_teams(one["program"])
            setattr(Launches, "test_teams_of_" + name, test_teams)


if __name__ == "__main__":
    PROGRAMS, LIBRARY = Path(sys.argv[1]), sys.argv[2]
    add_tests()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
