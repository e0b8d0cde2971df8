#!/usr/bin/env python3
"""Faults made on purpose: disks that are full, descriptors that are closed, processes that are killed, limits of memory,
time and threads. For the driver and for one model.

    faults_test.py FOLDER     the folder of the built programs

In every case: one of the documented exit statuses and a line that says why; no finished run is lost, no file is half
written, and a later call completes the work.
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAMS = Path()
STEPS = 400
BOX = "".join(f"{x} {y} 1\n" for x in range(32) for y in (0, 31))


def limited(what, amount):
    def before():
        resource.setrlimit(what, (amount, amount))
    return before


def ignoring_file_size(amount):
    """As on a full disk: a write fails instead of ending the process, in children too."""
    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (amount, amount))
    return before


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "input_t.params").write_text(f"32\n32\n{STEPS}\n10\n0.1\n0.005\n1.85\n")
        (self.folder / "t.dat").write_text(BOX)
        # Too large for less than a gigabyte.
        (self.folder / "input_large.params").write_text("6000\n6000\n2\n10\n0.1\n0.005\n1.85\n")
        self.plan("tiny", [{"params": "input_t.params", "obstacles": "t.dat"}], repeats=4)
        self.environment = {**os.environ, "XDG_DATA_HOME": str(self.folder), "OMP_WAIT_POLICY": "passive"}

    def plan(self, name, cases, repeats):
        (self.folder / f"{name}.json").write_text(json.dumps({
            "repeats": repeats, "time_limit_seconds": 1800, "cases": cases,
            "runs": [{"model": "serial", "variant": "textbook"}, {"model": "serial", "variant": "fused"}]}))

    def start(self, words, **more):
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.Popen([PROGRAMS / words[0], *words[1:]], cwd=self.folder, text=True, env=self.environment, **more)

    def outcome(self, words, **more):
        with self.start(words, **more) as process:
            output, errors = process.communicate(timeout=1800)
        return process.returncode, output, errors

    def drive(self, plan="tiny", **more):
        return self.outcome(["boltzmark", "run", f"{plan}.json", "--results", "r"], **more)

    def lbm(self, *words, **more):
        return self.outcome(["lbm-serial", *words, "input_t.params", "t.dat"], **more)

    def finished(self):
        """Runs on disk; every line but a last one that was cut off must be whole."""
        file = self.folder / "r/runs.jsonl"
        lines = file.read_text().split("\n") if file.exists() else [""]
        return [json.loads(line) for line in lines[:-1]]

    def expect_no_leftovers(self):
        self.assertEqual([path.name for path in self.folder.rglob("*.tmp")], [])

    def test_standard_error_that_cannot_be_written(self):
        """The status is that of the fault that could not be told."""
        with open("/dev/full", "w") as full:
            for words in (["lbm-serial", "absent", "none"], ["boltzmark", "run", "absent"], ["boltzmark", "--frob"]):
                self.assertEqual(self.outcome(words, stderr=full)[0], 2, words)
                self.assertEqual(self.outcome(words, stderr=None, preexec_fn=lambda: os.close(2))[0], 2, words)
            self.assertEqual(self.drive(stderr=full)[0], 0)  # progress is no result
        self.assertEqual(len(self.finished()), 8)

    def test_standard_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            for words in (["lbm-serial", "--no-output", "input_t.params", "t.dat"], ["lbm-serial", "--help"],
                          ["boltzmark", "list"], ["boltzmark", "run", "tiny.json", "--results", "r"]):
                status, _, errors = self.outcome(words, stdout=full)
                self.assertEqual(status, 2, words)
                self.assertIn("standard output", errors)
        self.assertEqual(len(self.finished()), 8)  # all the same

    def test_closed_descriptors(self):
        """A file that is opened must not become standard output of something else."""
        def close_all():
            for descriptor in (0, 1, 2):
                os.close(descriptor)
        self.assertIn(self.lbm(stdout=None, stderr=None, preexec_fn=close_all)[0], (0, 2))
        self.assertTrue((self.folder / "final_state.dat").read_text().startswith("0 0 "))
        self.assertEqual(len((self.folder / "av_vels.dat").read_text().splitlines()), STEPS)
        self.assertIn(self.drive(stdout=None, stderr=None, preexec_fn=close_all)[0], (0, 2))
        self.assertEqual([run["status"] for run in self.finished()], ["ok"] * 8)

    def test_full_disk_of_a_model(self):
        status, _, errors = self.lbm("--json", "runs", preexec_fn=ignoring_file_size(4000))
        self.assertEqual(status, 2, errors)
        self.assertRegex(errors, r"^lbm-serial: error: \S*final_state.dat: expected to write this file, found: ")
        self.assertFalse((self.folder / "final_state.dat").exists())
        self.expect_no_leftovers()

    def test_full_disk_of_the_driver(self):
        """Finished runs are kept, and a call once there is room again does the rest."""
        status, _, errors = self.drive(preexec_fn=ignoring_file_size(6000))
        self.assertNotEqual(status, 0)
        self.assertRegex(errors, "File too large|lost")
        before = self.finished()
        status, _, errors = self.drive()
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.finished()[:len(before)], before)
        right = {json.dumps(run["key"]) for run in self.finished() if run["status"] == "ok"}
        self.assertEqual(len(right), 8)
        self.expect_no_leftovers()

    def test_kills_at_random(self):
        """However often: every finished run is kept, and none is done twice."""
        chance, before = random.Random(20), []
        for _ in range(12):
            process = self.start(["boltzmark", "run", "tiny.json", "--results", "r"], start_new_session=True)
            time.sleep(chance.uniform(0.0, 0.4))
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            now = self.finished()
            self.assertEqual(now[:len(before)], before)
            before = now
        status, _, errors = self.drive()
        self.assertEqual(status, 0, errors)
        after = self.finished()
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(sorted(run["status"] for run in after), ["ok"] * 8)
        self.expect_no_leftovers()

    def test_memory_limit(self):
        """Too little memory is status 3 of a model, and to the driver a row; the other problem is run."""
        limit = limited(resource.RLIMIT_AS, 1 << 30)
        status, _, errors = self.outcome(["lbm-serial", "--no-output", "input_large.params", "none"], preexec_fn=limit)
        self.assertEqual(status, 3, errors)
        self.assertRegex(errors, "^lbm-serial: error: expected .*memory.*\n$")
        self.plan("both", [{"params": "input_large.params", "obstacles": "none", "check": False},
                           {"params": "input_t.params", "obstacles": "t.dat"}], repeats=1)
        status, _, errors = self.drive("both", preexec_fn=limit)
        self.assertEqual(status, 0, errors)
        self.assertEqual(sorted((run["case"], run["status"]) for run in self.finished()),
                         [("large", "impossible")] * 2 + [("t", "ok")] * 2)

    def test_time_limit_of_the_system(self):
        """A run that a batch system ends is a failed row; the others continue."""
        self.plan("long", [{"params": "input_t.params", "obstacles": "t.dat", "steps": 100_000_000, "check": False},
                           {"params": "input_t.params", "obstacles": "t.dat", "steps": 20}], repeats=1)
        status, _, errors = self.drive("long", preexec_fn=limited(resource.RLIMIT_CPU, 1))
        self.assertEqual(status, 1, errors)
        ended = sorted((run["key"]["steps"], run["status"]) for run in self.finished())
        self.assertEqual(ended, [(20, "ok")] * 2 + [(100_000_000, "failed")] * 2)
        for run in self.finished():
            self.assertTrue(run["status"] == "ok" or "signal" in run["reason"], run["reason"])

    def test_no_room_for_threads(self):
        """The runtime of OpenMP ends the process by itself; the status must not be that of a wrong result."""
        if not (PROGRAMS / "lbm-openmp").exists():
            self.skipTest("lbm-openmp was not built")
        self.environment["OMP_STACKSIZE"] = "256M"
        status, _, errors = self.outcome(["lbm-openmp", "--no-output", "--threads", "20", "input_t.params", "t.dat"],
                                         preexec_fn=limited(resource.RLIMIT_AS, 2 << 30))
        self.assertEqual(status, 3, errors)

    def test_input_without_an_end(self):
        for words in (["/dev/zero", "none"], ["input_t.params", "/dev/zero"], ["/dev/urandom", "t.dat"]):
            status, _, errors = self.outcome(["lbm-serial", "--no-output", *words], preexec_fn=limited(resource.RLIMIT_AS, 1 << 30))
            self.assertEqual(status, 2, errors)
            self.assertRegex(errors, "^lbm-serial: error: /dev/[a-z]+: expected a file of at most [0-9]+ bytes, found more\n$")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAMS = Path(sys.argv.pop(1)).resolve()
    unittest.main()
