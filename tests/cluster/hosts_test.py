#!/usr/bin/env python3
# Tier: all (needs Slurm or networks of namespaces)
"""MPI on two hosts (hosts.py): every variant of every program right across them, over a slow network too; variants for
one machine alone are refused; defaults; a host that disappears during a run.

    hosts_test.py FOLDER [Variants | Network]     the folder of the built programs
"""

import itertools
import json
import os
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

import hosts as two_hosts

PROGRAMS = Path()
HOSTS = None
BOX = "".join(f"{x} {y} 1\n" for x in range(64) for y in (0, 63))
FLAT, SOLID = "input_t.params t.dat", "input_t3.params t3.dat"
SIZES = {"lbm": [FLAT, SOLID], "heat": ["63x45 --steps 9"], "matmul": ["45x37x51"], "segments": ["32 10007"],
         "axes": ["13"],
         "binary_fluid": ["13x12x11 --case collision", "13x12x11 --case spinodal --steps 5"],
         "pi": ["5003 --method leibniz", "5003 --method monte-carlo"], "galton": ["301x17 --precision f64"],
         "nbody": ["131 --steps 3"], "xray": ["9x13"], "magnetic_field": ["13"], "shallow_water": ["33x47 --steps 5"],
         "lbm_cylinder": ["13x19 --steps 5"]}
OTHER_SIZES = ["1009"]


def mpirun(ranks, first, second, **settings):
    words = ["mpirun", "-np", str(ranks), "--host", f"node1:{first},node2:{second}", "--bind-to", "none"]
    settings = {"plm_rsh_agent": HOSTS.agent, "mpi_yield_when_idle": 1, **settings}
    return words + [word for key, value in settings.items() for word in ("--mca", key, str(value))]


def outcome(words, **more):
    done = subprocess.run(words, cwd=HOSTS.folder, capture_output=True, text=True, timeout=1800, **more)
    return done.returncode, done.stdout, done.stderr


def description(program):
    return json.loads(outcome([program, "--describe"])[1])


def record():
    return json.loads((HOSTS.folder / "run.json").read_text())


def right(launch, program, *words):
    """Runs a program, which must be right; returns its record."""
    (HOSTS.folder / "run.json").unlink(missing_ok=True)
    status, output, errors = outcome([*launch, str(program), "--check", "oracle", "--json", "run.json", *words])
    assert status == 0, f"{program.name} {words}: status {status}, {output}{errors}"
    assert "right" in output, output
    return record()


class Variants(unittest.TestCase):
    def test_every_variant_of_every_program(self):
        """Three ranks, two of them on the first host; all runs of a program in one process."""
        for program in sorted(PROGRAMS.glob("*-mpi")):
            if program.name.startswith("boltzmark"):
                continue
            described = description(program)
            runs = []
            sizes = SIZES.get(described["workload"], OTHER_SIZES)
            for variant, size in itertools.product(described["variants"], sizes):
                words = size.split()
                if words[1:2] not in (["--case"], ["--method"]) or words[2] in variant["kinds"]:
                    runs.append((variant["name"], size))
            with self.subTest(program=program.name):
                self.expect_right(program, runs)

    def expect_right(self, program, runs):
        (HOSTS.folder / "run.json").unlink(missing_ok=True)
        (HOSTS.folder / "runs.txt").write_text("".join(f"--variant {variant} {size}\n" for variant, size in runs))
        _, output, errors = outcome([*mpirun(3, 2, 1), str(program), "--check", "oracle", "--json", "run.json",
                                     "--runs", "runs.txt"])
        *outputs, rest = re.split(r"^status:\t\t(\d+)\n", output, flags=re.MULTILINE)
        self.assertEqual((len(outputs), rest), (2 * len(runs), ""), output + errors)
        refused = [variant for variant, _ in runs if variant == "shared"]
        for (variant, size), said, status in zip(runs, outputs[::2], outputs[1::2]):
            with self.subTest(variant=variant, size=size):
                self.assertEqual(status, "3" if variant == "shared" else "0", said + errors)
                self.assertEqual("right" in said, variant != "shared", said)
        lines = [line for line in errors.splitlines() if line.startswith(f"{program.name}: ")]
        line = (f"{program.name}: error: expected all ranks on one machine, with memory in /dev/shm; found ranks or "
                "memory elsewhere")
        self.assertEqual(lines, len(refused) * [line], errors)
        records = [json.loads(line) for line in (HOSTS.folder / "run.json").read_text().splitlines()]
        self.assertEqual([(run["ranks"], run["variant"]) for run in records],
                         [(3, variant) for variant, _ in runs if variant != "shared"])


class Network(unittest.TestCase):
    def tearDown(self):
        HOSTS.mend()

    def test_defaults(self):
        lbm = PROGRAMS / "lbm-mpi"
        words = FLAT.split()
        self.assertEqual(right(mpirun(2, 2, 0), lbm, *words)["variant"], "shared")
        self.assertEqual(right(mpirun(2, 1, 1), lbm, *words)["variant"], "in-place")

    def test_slow_network(self):
        """Messages cross one another, and come late."""
        HOSTS.slow_down()
        for variant in ("textbook", "fused", "in-place", "wavefront"):
            right(mpirun(2, 1, 1), PROGRAMS / "lbm-mpi", "--variant", variant, "--steps", "40", *FLAT.split())
        for variant in ("fused", "in-place", "wavefront"):
            run = right(mpirun(2, 1, 1, osc="^ucx"), PROGRAMS / "lbm-mpi", "--variant", variant, "--halo", "rma", "--steps", "40",
                        *FLAT.split())
            self.assertEqual(run["settings"]["halo"], "rma")

    def test_a_network_without_windows(self):
        """No component of Open MPI but shared memory, which is none between hosts."""
        status, _, errors = outcome([*mpirun(2, 1, 1, osc="sm"), str(PROGRAMS / "lbm-mpi"), "--halo", "rma", *FLAT.split()])
        self.assertEqual(status, 3, errors)
        said = [line for line in errors.splitlines() if line.startswith("lbm-mpi: ")]
        self.assertEqual(len(said), 1, errors)
        self.assertIn("--halo rma: expected an MPI library with windows on this network", said[0])

    def test_host_that_goes_away(self):
        for how in ("killed", "cut_off"):
            with self.subTest(how):
                try:
                    self.lose_second(how)
                finally:
                    HOSTS.restart_second()

    def drive(self, results, steps, **more):
        plan = {"time_limit_seconds": 1800, "runs": [{"model": "mpi", "variant": "in-place", "ranks": 2}],
                "cases": [{"params": "input_t.params", "obstacles": "t.dat", "steps": steps, **more}], "repeats": 2}
        (HOSTS.folder / "p.json").write_text(json.dumps(plan))
        return subprocess.Popen([PROGRAMS / "boltzmark", "run", "p.json", "--results", results,
                                 "--launcher", " ".join(mpirun("{ranks}", 1, 1))],
                                cwd=HOSTS.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def rows(self, results):
        return [json.loads(line) for line in (HOSTS.folder / results / "runs.jsonl").read_text().splitlines()]

    def lose_second(self, how):
        """In the first run of two. Those that were finished stay, and both have a row, sooner than after the minutes that
        Open MPI takes by itself."""
        long = 3000000

        def ranks(inside):
            return re.search(f"lbm-mpi .*--steps {long}", outcome([*inside, "ps", "axww"])[1])
        with self.drive(how, 100) as driver:
            errors = driver.communicate(timeout=1800)[1]
            self.assertEqual(driver.returncode, 0, errors)
        finished = self.rows(how)
        self.assertEqual([row["status"] for row in finished], ["ok", "ok"])
        with self.drive(how, long, check=False) as driver:
            two_hosts.wait_until(lambda: ranks(HOSTS.inside), "a rank on the second host")
            time.sleep(2)
            if how == "killed":
                HOSTS.second.kill()
            else:
                subprocess.run(["ip", "link", "set", "cable1", "down"], check=True)
            two_hosts.wait_until(lambda: len(self.rows(how)) > 2, "a row of the lost run")
            errors = driver.communicate(timeout=1800)[1]
        rows = self.rows(how)
        self.assertEqual(rows[:2], finished)
        self.assertEqual({row["status"] for row in rows[2:]}, {"failed"}, errors)
        self.assertRegex(rows[2]["reason"], "^(ORTE has lost communication with a remote daemon|"
                         "ORTE was unable to reliably start one or more daemons|An MPI communication peer process has unexpectedly disconnected)")
        self.assertFalse(ranks([]), "ranks that are left on the first host")


def main():
    global PROGRAMS, HOSTS
    PROGRAMS = Path(sys.argv.pop(1)).resolve()
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    (HOSTS.folder / "input_t.params").write_text("64\n64\n100\n10\n0.1\n0.005\n1.85\n")
    (HOSTS.folder / "t.dat").write_text(BOX)
    (HOSTS.folder / "input_t3.params").write_text("17\n13\n12\n30\n10\n0.1\n0.005\n1.7\n")
    (HOSTS.folder / "t3.dat").write_text("".join(f"{x} {y} 5 1\n" for x in range(4) for y in range(3)))
    unittest.main()


if __name__ == "__main__":
    if not Path(sys.argv[1], "lbm-mpi").exists():
        two_hosts.skip("mpi was not built")
    HOSTS = two_hosts.enter("mpirun")
    main()
