#!/usr/bin/env python3
# Tier: all (job scripts of other machines, in every model)
"""Variables of a job script that OpenMP's runtimes read, and a quota of processor time: in every model.

    omp_variables_test.py FOLDER [--table]     the folder of the built programs

Whatever a variable says, a run is right, or it ends with status 2 or 3 and a line that names the variable. All runs have
a limit on their memory: LLVM's runtime takes all there is for some of these values. --table prints how each run ended.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "hostile"))
from launches_test import BOX, WORDS  # noqa: E402  small problems

PROGRAMS = Path()
TABLE = False
MEMORY = 4 << 30
OPENMP = ("openmp", "openmp_target", "thrust", "mpi")  # models with a runtime of it

# The value from an unset SLURM_CPUS_PER_TASK, lists for nested regions, typing errors, a larger machine's number.
NUMBERS = ["", "two", "-3", "0", "28", "2,3", "4,1", "2,1", "2,", " 2 ", "+2", "0x2", "1.5", "2;3", "2,two", "2000", "70000",
           "2147483647", "99999999999"]
STACKS = ["", "big", "1", "16k", "64M", "999g", "-1", "18446744073709551615"]
VALUES = {
    "OMP_NUM_THREADS": NUMBERS,
    "OMP_DYNAMIC": ["true", "maybe"],
    "OMP_THREAD_LIMIT": ["1", "0", "-1", "many", "1000000"],
    "OMP_TEAMS_THREAD_LIMIT": ["1", "0"],
    "OMP_NUM_TEAMS": ["4", "0"],
    "OMP_STACKSIZE": STACKS, "KMP_STACKSIZE": ["big", "999g"], "GOMP_STACKSIZE": ["1", "999999999"],
    "OMP_NESTED": ["true"], "OMP_MAX_ACTIVE_LEVELS": ["0", "2", "-1"],
    "OMP_SCHEDULE": ["dynamic,0", "guided,3", "x"],
    "OMP_PROC_BIND": ["spread", "close,spread", "x", ""], "OMP_PLACES": ["sockets", "{0}", "{99}", "x"],
    "OMP_WAIT_POLICY": ["active", "x"], "OMP_CANCELLATION": ["true"], "OMP_DISPLAY_ENV": ["true"],
    "OMP_DEFAULT_DEVICE": ["99", "-1"], "OMP_TARGET_OFFLOAD": ["disabled", "x"],
    "GOMP_CPU_AFFINITY": ["0", "99"], "KMP_AFFINITY": ["compact", "explicit,proclist=[99]", "x"],
    "KMP_BLOCKTIME": ["0", "x"], "KMP_LIBRARY": ["serial", "x"], "KMP_HW_SUBSET": ["1c", "99c"],
    "KMP_DEVICE_THREAD_LIMIT": ["1", "x"], "KMP_ALL_THREADS": ["1"], "KMP_TEAMS_THREAD_LIMIT": ["1", "0"],
    "KMP_DYNAMIC_MODE": ["load_balance", "x"], "KMP_CPUINFO_FILE": ["/nonexistent"], "KMP_SETTINGS": ["true"],
}
ELSEWHERE = {"OMP_NUM_THREADS": ["", "two", "28", "2,1", "99999999999"], "OMP_DYNAMIC": ["true"], "OMP_STACKSIZE": ["999g"]}


def with_little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def group_of_one_processor():
    """The folder of a new control group that leaves a process the time of one processor, None where none can be made."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    paths = {name: path for _, names, path in (line.split(":", 2) for line in lines) for name in names.split(",")}
    for root, path, limit, content in (("/sys/fs/cgroup/cpu", paths.get("cpu"), "cpu.cfs_quota_us", "100000"),
                                       ("/sys/fs/cgroup", paths.get(""), "cpu.max", "100000 100000")):
        if path is None:
            continue
        group = Path(root + path) / f"boltzmark-test-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            (group / limit).write_text(content)
            return group
        except OSError:
            group.rmdir()
    return None


class OmpVariables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "input_t.params").write_text("32\n32\n12\n10\n0.1\n0.005\n1.85\n")
        (self.folder / "t.dat").write_text(BOX)
        self.programs = [one for one in json.loads((PROGRAMS.parent / "share/boltzmark/programs.json").read_text())
                         if not one["skipped"] and (PROGRAMS / one["program"]).exists()]

    def run_program(self, program, words, environment=None, prepare=with_little_memory):
        usual = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_", "KMP_"))}
        return subprocess.run(
            [PROGRAMS / program, *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=1800, preexec_fn=prepare,
            env={**usual, "OMP_WAIT_POLICY": "passive", "XDG_DATA_HOME": str(self.folder), **(environment or {})})

    def words_of(self, one, more=()):
        words = [word.format(folder=self.folder) for word in WORDS[one["workload"]]]
        if "--check" not in words:
            words += ["--check", "oracle"]
        return [*words, "--repeat", "1", "--no-tuned", *more]

    def of_models(self, models, workload):
        return [one for one in self.programs if one["workload"] == workload and one["model"] in models]

    def expect_right_or_named(self, one, variable, value):
        """Two for MPI, whose ranks have one thread by default."""
        more = ["--threads", "2"] if one["model"] == "mpi" else []
        ended = self.run_program(one["program"], self.words_of(one, more), {variable: value})
        is_right = ended.returncode == 0 and re.search(r"check:\s+right", ended.stdout)
        is_named = ended.returncode in (2, 3) and any(variable in line for line in ended.stderr.splitlines())
        if TABLE:
            lines = [line for line in ended.stderr.splitlines() if line]
            print(f"| {one['program']} | {variable}={value} | {ended.returncode} | {' '.join(lines[-1:])[:150]} |")
        with self.subTest(program=one["program"], variable=variable, value=value):
            self.assertTrue(is_right or is_named, f"status {ended.returncode}: {ended.stdout[-300:]}{ended.stderr}")

    def test_variables(self):
        for one in self.of_models(OPENMP, "lbm"):
            for variable, values in VALUES.items():
                for value in values:
                    self.expect_right_or_named(one, variable, value)

    def test_models_without_openmp(self):
        """They may use variables that others need, such as a library with its own threads."""
        for one in self.programs:
            devices = json.loads(self.run_program(one["program"], ["--describe"], prepare=None).stdout)["devices"]
            if one["workload"] == "lbm" and one["model"] not in OPENMP and [d for d in devices if d["type"] == "cpu"]:
                for variable, values in ELSEWHERE.items():
                    for value in values:
                        self.expect_right_or_named(one, variable, value)

    def test_lists(self):
        """Within a region the second number of a list is that of the threads."""
        for one in self.programs:
            if one["model"] in ("openmp", "thrust", "kokkos"):
                for value in ("2,3", "4,1"):
                    self.expect_right_or_named(one, "OMP_NUM_THREADS", value)

    def test_no_list_is_said_once(self):
        for one in self.of_models(("openmp", "openmp_target", "thrust"), "lbm"):
            with self.subTest(one["program"]):
                ended = self.run_program(one["program"], self.words_of(one), {"OMP_NUM_THREADS": "two"})
                self.assertRegex(ended.stderr, f"^{one['program']}: warning: OMP_NUM_THREADS: expected .*, found \"two\".*\n$")

    def test_quota(self):
        """A control group that leaves the time of one processor: one thread, and a word where two are asked for."""
        group = group_of_one_processor() if len(os.sched_getaffinity(0)) > 1 else None
        if not group:
            self.skipTest("no control group with a quota can be made here")
        try:
            enter = (group / "cgroup.procs").write_text
            for one in self.of_models(("openmp", "openmp_target", "tbb", "stdpar", "thrust", "kokkos"), "lbm"):
                with self.subTest(one["program"]):
                    record = self.folder / "record"
                    ended = self.run_program(one["program"], self.words_of(one, ["--json", str(record)]),
                                             prepare=lambda: enter(str(os.getpid())))
                    self.assertEqual(ended.returncode, 0, ended.stderr)
                    self.assertEqual(json.loads(record.read_text())["threads"], 1)
                    record.unlink()
            for one in self.of_models(("openmp",), "lbm"):
                ended = self.run_program(one["program"], self.words_of(one, ["--threads", "2"]),
                                         prepare=lambda: enter(str(os.getpid())))
                self.assertRegex(ended.stderr, "warning: 2 threads on 1 processor ")
        finally:
            for _ in range(100):  # a process is out of it some time after its end
                try:
                    group.rmdir()
                    break
                except OSError:
                    os.sched_yield()

    def test_driver(self):
        """It takes the first number of a list, and no more threads than there are processors."""
        processors = len(os.sched_getaffinity(0))
        words = ["run", "--dry-run", "--models", "openmp", "--workloads", "stream", "--results", str(self.folder / "r")]
        for value, threads, is_said in (("1,3", 1, False), (str(processors + 5), None, True), ("two", None, True)):
            with self.subTest(value):
                ended = self.run_program("boltzmark", words, {"OMP_NUM_THREADS": value})
                self.assertEqual(ended.returncode, 0, ended.stderr)
                told = {int(number) for number in re.findall(r"--threads ([0-9]+)", ended.stdout)}
                self.assertTrue(told and max(told) <= processors and (not threads or told == {threads}), ended.stdout)
                self.assertEqual(ended.stderr.count("warning: OMP_NUM_THREADS: expected"), int(is_said), ended.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAMS = Path(sys.argv.pop(1)).resolve()
    TABLE = "--table" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--table"]
    unittest.main()
