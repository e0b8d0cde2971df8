# Tier: all (minutes under valgrind)
"""The stated least traffic of variants, compared with a simulated cache: callgrind counts the lines that a program's
steps fetch into its last level and write back from it. Start-up is the same in two runs of a few steps and of more, and
cancels.

The count is the least that must move, so never more than was simulated, and no less than three quarters of that.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAMS = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else Path("build/bin")
KIB = 1024
LINE = 64
LEAST_SHARE = 0.75  # rows of 24 floats begin and end within lines: with vectors of 8, 0.79 in `fused`

# Program, problem, variant and options, bytes of the last level, steps of the two runs. With several steps per sweep,
# once with the rows in progress in that level, and once with too little room for them.
FLAT, DEEP, PLATE = ["128x128"], ["DEEP", "none"], ["384x384"]
SWEEPS = ["--time-block", "8"]
CASES = [
    ("lbm-serial", FLAT, "textbook", [], 128 * KIB, (2, 6)),
    ("lbm-serial", FLAT, "swap", [], 128 * KIB, (2, 6)),
    ("lbm-serial", FLAT, "fused-loops", [], 128 * KIB, (2, 6)),
    ("lbm-serial", FLAT, "simd", [], 128 * KIB, (2, 6)),
    ("lbm-serial", FLAT, "fused", [], 128 * KIB, (4, 12)),
    ("lbm-serial", FLAT, "in-place", [], 128 * KIB, (4, 12)),
    ("lbm-serial", FLAT, "wavefront", SWEEPS, 128 * KIB, (8, 24)),
    ("lbm-serial", FLAT, "wavefront", ["--time-block", "16"], 32 * KIB, (16, 48)),
    ("lbm-openmp", FLAT, "in-place", ["--threads", "1"], 128 * KIB, (4, 12)),
    ("lbm-openmp", FLAT, "wavefront", ["--threads", "1", *SWEEPS], 128 * KIB, (8, 24)),
    ("lbm-serial", DEEP, "textbook", [], 256 * KIB, (2, 4)),
    ("lbm-serial", DEEP, "fused", [], 256 * KIB, (2, 6)),
    ("lbm-serial", DEEP, "in-place", [], 256 * KIB, (2, 6)),
    ("lbm-serial", DEEP, "wavefront", ["--time-block", "4"], 512 * KIB, (4, 12)),
    ("heat-serial", PLATE, "textbook", [], 128 * KIB, (2, 6)),
    ("heat-serial", PLATE, "swapped", [], 128 * KIB, (4, 12)),
    ("heat-serial", PLATE, "vectors", [], 128 * KIB, (4, 12)),
    ("heat-serial", PLATE, "wavefront", SWEEPS, 128 * KIB, (8, 24)),
    ("heat-serial", PLATE, "wavefront", ["--time-block", "32"], 32 * KIB, (32, 64)),
]


def why_not():
    try:
        known = subprocess.run(["valgrind", "--tool=none", PROGRAMS / "lbm-serial", "--version"], capture_output=True,
                               check=False)
    except FileNotFoundError:
        return "no valgrind"
    if known.returncode < 0:
        return "valgrind does not know all instructions of these programs; configure with -DBOLTZMARK_NATIVE=OFF"
    return ""


class Run:
    """A run in callgrind: its record, and the bytes that crossed the last level."""

    def __init__(self, folder, case, steps):
        program, problem, variant, options, last_level, _ = case
        own = Path(tempfile.mkdtemp(dir=folder))
        problem = [folder / word if word.isupper() else word for word in problem]
        quiet = ["--no-output"] if program.startswith("lbm") else []
        # Without the reference's steps. Other functions have `advance` in their names too, lambdas within it.
        steps_alone = [] if program.startswith("lbm") else ["--toggle-collect=boltzmark::heat::GridSolver*::advance(*"]
        command = ["valgrind", "--tool=callgrind", "--cache-sim=yes", "--simulate-wb=yes", f"--I1={32 * KIB},8,{LINE}",
                   f"--D1={4 * KIB},8,{LINE}", f"--LL={last_level},16,{LINE}", f"--callgrind-out-file={own / 'counts'}",
                   *steps_alone, PROGRAMS / program, *problem, "--variant", variant, *options, *quiet, "--repeat", "1",
                   "--steps", str(steps), "--json", own / "record"]
        self.ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if self.ended.returncode != 0:
            return
        self.record = json.loads((own / "record").read_text())
        lines = (line.split(": ", 1) for line in (own / "counts").read_text().splitlines() if ": " in line)
        counts = {name: words.split() for name, words in lines if name in ("events", "totals", "summary")}
        events = dict(zip(counts["events"], map(int, counts.get("totals", counts.get("summary")))))
        self.bytes = LINE * sum(events[name] for name in ("DLmr", "DLmw", "DLdmr", "DLdmw"))

    def updates(self):
        runs = len(self.record["repeats"]) + self.record["warm_up_runs"]
        return runs * self.record["work"]["updates"]


def counted(record, last_level):
    """Bytes an update that cross this level at least: of sets that it does not hold, and in part of those that it
    almost holds."""
    return sum(max(0.0, 1.0 if of["bytes"] >= 2 * last_level else 1.0 - last_level / of["bytes"]) * of["per_update"]
               for of in record["work"]["traffic"])


class Traffic(unittest.TestCase):
    def test_counts_are_the_least_that_moves(self):
        with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(os.cpu_count()) as workers:
            folder = Path(place)
            (folder / "DEEP").write_text("24\n24\n24\n10\n24\n0.1\n0.005\n1.7\n")
            runs = {(n, steps): workers.submit(Run, folder, case, steps)
                    for n, case in enumerate(CASES) for steps in case[-1]}
            for n, case in enumerate(CASES):
                program, problem, variant, options, last_level, _ = case
                name = " ".join([program, *problem[:1], variant, *options, f"LL {last_level // KIB}K"])
                with self.subTest(name):
                    few, more = (runs[n, steps].result() for steps in case[-1])
                    self.assertEqual((few.ended.returncode, more.ended.returncode), (0, 0), more.ended.stderr)
                    simulated = (more.bytes - few.bytes) / (more.updates() - few.updates())
                    count = counted(more.record, last_level)
                    print(f"{name}: {count:.1f} bytes counted, {simulated:.1f} simulated", flush=True)
                    self.assertLessEqual(count, simulated)
                    self.assertGreaterEqual(count, LEAST_SHARE * simulated)


if __name__ == "__main__":
    if reason := why_not():
        print(f"skipped: {reason}")
        sys.exit()
    unittest.main()
