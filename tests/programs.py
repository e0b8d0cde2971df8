"""Runs the built programs as a user does, on small problems in a temporary folder: as programs.hpp, for tests in
Python, which are not compiled.

A test of unittest starts as `X_test.py FOLDER [CLASS...]`, FOLDER that of the built programs, and ends with
programs.main(). One of pytest is of conftest.py."""

import contextlib
import functools
import hashlib
import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Callable, NamedTuple

TOP = Path(__file__).resolve().parent.parent
FOLDER = Path()
LIMIT = 1800  # seconds: beyond any run of a test on a machine that others keep busy too

# A user's settings for other runs.
OF_USERS = ("OMP_", "GOMP_", "KMP_", "HWLOC_", "POCL_", "COLUMNS", "XDG_")
OF_CTEST = ("POCL_CACHE_DIR",)
USUAL = {
    "OMP_PROC_BIND": "false",  # programs at the same time would bind to the same processors
    "OMP_WAIT_POLICY": "passive",
    "XDG_CACHE_HOME": "/dev/null",  # PoCL keeps kernels itself
    "POCL_EXTRA_BUILD_FLAGS": "-cl-opt-disable",
    "HWLOC_COMPONENTS": "-linux:pci,-linux:io", "HWLOC_PLUGINS_BLACKLIST": "hwloc_opencl.so,hwloc_gl.so,hwloc_pci.so",
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_odls_base_sigkill_timeout": "0", "OMPI_MCA_ess_singleton_isolated": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",  # ranks that wait leave their core to those that they wait for
}


def prepare(folder, own):
    """The programs of a folder, in an environment without users' settings, with `own` for files."""
    global FOLDER
    FOLDER = Path(folder).resolve()
    for name in list(os.environ):
        if name.startswith(OF_USERS) and name not in OF_CTEST:
            del os.environ[name]
    os.environ.update(USUAL, XDG_DATA_HOME=own, OMPI_MCA_orte_tmpdir_base=own)


def main():
    """The tests of the file that was started."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell has its background jobs ignore
    with tempfile.TemporaryDirectory() as own:
        prepare(sys.argv.pop(1), own)
        unittest.main()


@functools.cache
def listed():
    """The programs of this build and, with the reason, those that are missing."""
    programs = json.loads((FOLDER.parent / "share/boltzmark/programs.json").read_text(encoding="utf-8"))
    left_out = os.environ.get("BOLTZMARK_LEFT_OUT_MODELS", "").split()  # which may be there from an earlier build
    for one in programs:
        if not one["skipped"] and (one["model"] in left_out or not (FOLDER / one["program"]).exists()):
            one["skipped"] = f"{one['program']} is not built yet"
    return programs


def built_programs(workload=""):
    return [one for one in listed() if not one["skipped"] and workload in ("", one["workload"])]


def built():
    return {(one["workload"], one["model"]): one["program"] for one in built_programs()}


def is_built(model, workload="lbm"):
    return (workload, model) in built()


def program_of(model, workload="lbm"):
    return FOLDER / built()[workload, model]


class Done(subprocess.CompletedProcess):
    """How a command ended and what it printed."""

    def __str__(self):
        return f"{shlex.join(map(os.fsdecode, self.args))}\nends with {self.returncode}\n{self.stdout}{self.stderr}"

    def expect(self, status, *parts):
        """This exit status, and these words in its output."""
        assert self.returncode == status, f"expected {status}: {self}"
        for part in parts:
            assert str(part) in self.stdout + self.stderr, f"expected {part!r}: {self}"
        return self

    def expect_line(self, status, *parts):
        """The same on standard error alone, in one line."""
        assert self.stderr.count("\n") == 1 and not self.stdout, f"expected one line: {self}"
        return self.expect(status, *parts)


def run_command(*words, **more):
    usual = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "surrogateescape"}
    done = subprocess.run([os.fspath(word) for word in words], timeout=LIMIT, check=False, **{**usual, **more})
    return Done(done.args, done.returncode, done.stdout, done.stderr)


def run_model(model, *words, ranks=0, workload="lbm", before=(), **more):
    """A program of the build; `ranks` starts it through mpirun, whose own lines on ranks that failed are left out, and
    `before` is between the two: "env", "NAME=VALUE"."""
    launcher = ["mpirun", "-np", str(ranks), *(["-q"] if is_open_mpi() else [])] if ranks else []
    start = [*launcher, *before, str(program_of(model, workload))]
    is_free = model != "kokkos"  # whose threads are those of a process's first run
    done = run_line(start, words) if in_one_process and is_free else run_command(*start, *words, **more)
    if ranks:  # what mpirun's libevent says at times of a rank that has just ended
        done.stderr = "".join(line for line in done.stderr.splitlines(True) if not line.startswith("[warn] Epoll "))
    return done


in_one_process = False
running = {}  # by what started it; the one used last at the end


@contextlib.contextmanager
def one_process():
    """Within it run_model() starts a program once for all its runs, of the same ranks and environment: --runs. Starts,
    ends and failures of processes are tested without it."""
    global in_one_process
    in_one_process = not os.environ.get("BOLTZMARK_TEST_ALONE")
    try:
        yield
    finally:
        in_one_process = False


def end_running():
    while running:
        running.popitem()[1].end()


def run_line(start, options):
    """A line of a program in the present environment; starts the program unless it is running."""
    key = (*start, *environment())
    while True:
        one = running[key] = running.pop(key, None) or Running(start)
        if len(running) > 4:  # for they hold memory
            running.pop(next(iter(running))).end()
        if done := one.run([os.fspath(word) for word in options]):
            return done
        running.pop(key).kill()


class Running:
    LAST_LINE = re.compile(rb"(^|\n)status:\t\t(\d+)\n\Z")

    def __init__(self, start):
        self.start, self.worst, self.has_ended = start, 0, False
        self.folder = tempfile.TemporaryDirectory()  # Open MPI's: one starts while another one ends
        # A launcher may forward late what ranks write to standard error.
        self.errors = open(Path(self.folder.name) / "errors", "w+", encoding="utf-8", errors="surrogateescape")
        self.process = subprocess.Popen(
            [*start[:-1], "sh", "-c", f'exec "$0" --runs - 2>>{self.errors.name}', start[-1]], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, start_new_session=True, bufsize=0,
            env={**os.environ, "OMPI_MCA_orte_tmpdir_base": self.folder.name})

    def run(self, options):
        """None where it has ended before."""
        if not self.has_ended:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.write(os.fsencode(shlex.join(options) + "\n"))
                done = self.outcome(options)
                self.worst = max(self.worst, done.returncode)
                return done
        return None

    def outcome(self, options=()):
        """Until the line that says the status of a run, the program's end or the time limit."""
        output, status = b"", None
        while not (last := self.LAST_LINE.search(output)):
            is_in_time = select.select([self.process.stdout], [], [], LIMIT)[0]
            part = self.process.stdout.read(65536) if is_in_time else b""
            if not part:
                self.has_ended = True
                status = self.process.wait(LIMIT) if is_in_time else -1
                break
            output += part
        if last:
            status, output = int(last[2]), output[:last.end(1)]
        return Done([*self.start, *options], status, os.fsdecode(output), self.errors.read())

    def end(self):
        """Where nothing follows it says no more, as of memory that it has lost, and ends with the largest status."""
        try:
            if not self.has_ended:
                self.process.stdin.close()
                done = self.outcome()
                assert done.returncode == self.worst and not done.stderr, f"expected {self.worst}: {done}"
        finally:
            self.kill()

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()
        self.folder.cleanup()


@contextlib.contextmanager
def optimised_kernels(are_wanted=True):
    """Within it PoCL optimises kernels as for users, which takes two to three times as long. Each kernel is
    so in one run; not in those beside it, of other options, sizes or double precision, nor where the code that is made
    does not matter."""
    name = "POCL_EXTRA_BUILD_FLAGS"
    before = os.environ.pop(name, None)
    if not are_wanted:
        os.environ[name] = USUAL[name]
    try:
        yield
    finally:
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


def environment():
    """The variables that decide which devices there are, without those of a process, such as Open MPI's folder and the
    counters of shells and ctest."""
    of_a_process = ("OMPI_MCA_orte_tmpdir_base", "XDG_DATA_HOME", "PYTEST_", "CTEST_", "DASHBOARD_", "PWD", "OLDPWD",
                    "SHLVL", "_=")
    return sorted(f"{name}={value}" for name, value in os.environ.items() if not f"{name}=".startswith(of_a_process))


@functools.cache
def description_of(model, workload="lbm"):
    """A program's description, requested once for all processes: each makes its list of tests from it. One that does
    not answer has a variant that is not right, so that one test fails and those of other models do not."""
    program = program_of(model, workload)
    built_now = program.stat()
    marks = [str(program), built_now.st_size, built_now.st_mtime_ns, os.uname().nodename, *environment()]
    kept = FOLDER.parent / "tests/cache" / f"said-{hashlib.sha256(repr(marks).encode()).hexdigest()[:16]}.json"
    if kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    done = run_command(program, "--describe")
    if done.returncode != 0:
        lost = {"name": "that_does_not_answer", "precisions": ["f32"], "options": [], "kinds": [], "role": ""}
        return {"variants": [lost], "takes": [], "devices": [], "no_devices": ""}
    with contextlib.suppress(OSError):  # where the build folder cannot be written
        kept.parent.mkdir(parents=True, exist_ok=True)
        whole = kept.with_suffix(f".{os.getpid()}")
        whole.write_text(done.stdout, encoding="utf-8")
        whole.rename(kept)
    return json.loads(done.stdout)


def has_option(variant, name):
    return any(option["name"] == name for option in variant["options"])


@functools.cache
def is_open_mpi():
    return "Open MPI" in run_command("mpirun", "--version").stdout


@functools.cache
def why_not(model):
    """Why a model that was built cannot run on this machine (no device), "" when it can."""
    if not is_built(model):
        return f"lbm-{model} is not built"
    with tempfile.TemporaryDirectory() as folder:
        done = run_model(model, *write_grid(Path(folder), "one_step"), "--no-output")
    return done.stderr if done.returncode == 3 else ""


def can_run(model):
    """Whether there is a device for a model that was built."""
    return not why_not(model)


class Grid(NamedTuple):
    """A small problem."""

    nx: int
    ny: int
    steps: int
    blocked: Callable[[int, int], bool]
    accel: float = 0.005
    omega: float = 1.85


# Square, tall, wide, odd and tiny grids; obstacles on every edge, wrap-around in x and in y, a full wall, none.
GRIDS = {
    "box": Grid(32, 32, 60, lambda x, y: x in (0, 31) or y in (0, 31)),
    "tall": Grid(5, 203, 31, lambda x, y: x == 2 and y % 7 == 0),
    "wide": Grid(203, 5, 31, lambda x, y: y == 2 and x % 7 == 0),
    "odd": Grid(37, 29, 50, lambda x, y: (x * 7 + y * 13) % 11 == 0),
    "three_rows": Grid(50, 3, 40, lambda x, y: y == 0 and x < 5),
    "one_column": Grid(1, 9, 25, lambda x, y: y == 0),
    "two_columns": Grid(2, 4, 25, lambda x, y: x == 1 and y == 0),
    "every_edge": Grid(19, 17, 40, lambda x, y: (x in (0, 18) and y % 3 == 0) or (y in (0, 16) and x % 4 == 1)
                       or (y == 15 and x == 9)),
    "wrap_x": Grid(33, 24, 45, lambda x, y: y in (0, 23)),
    "wrap_y": Grid(24, 33, 45, lambda x, y: x in (0, 23)),
    "wall_across": Grid(40, 20, 45, lambda x, y: x == 13),
    "wall_along": Grid(40, 20, 45, lambda x, y: y == 9),
    "at_rest": Grid(16, 8, 20, lambda x, y: y == 6),  # the accelerated row is blocked
    "empty": Grid(37, 29, 60, lambda x, y: False),  # as large as "odd": one build of OpenCL kernels serves both
    "one_step": Grid(21, 21, 1, lambda x, y: x == y),
}


def write_problem(folder, name, nx, ny, steps, blocked, accel=0.005, omega=1.85):
    """FOLDER/input_NAME.params and FOLDER/obstacles_NAME.dat, the two words of a command line, the second being "none"
    for a grid without obstacles."""
    params, obstacles = folder / f"input_{name}.params", folder / f"obstacles_{name}.dat"
    params.write_text(f"{nx}\n{ny}\n{steps}\n10\n0.1\n{accel}\n{omega}\n")
    lines = "".join(f"{x} {y} 1\n" for y in range(ny) for x in range(nx) if blocked(x, y))
    if not lines:
        return params, "none"
    obstacles.write_text(lines)
    return params, obstacles


def write_grid(folder, name):
    return write_problem(folder, name, *GRIDS[name])


def write_box(folder):
    return write_grid(folder, "box")


def records_in(file):
    """The records that programs wrote into a file, one a line. Each must state the least traffic of its run."""
    records = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    for record in records:
        expect_traffic(record)
    return records


def expect_traffic(record):
    """Sets of data from the largest to the smallest, in each of which something moves where a level of memory has it."""
    traffic, at = record["work"]["traffic"], f"{record['workload']}-{record['model']}, variant {record['variant']}"
    sizes = [data["bytes"] for data in traffic]
    assert sizes and sizes == sorted(sizes, reverse=True) and sizes[-1] > 0, at
    for data in traffic:
        assert data["of"] and (data["on_chip"] or data["per_update"] > 0), f"{at}: {data}"
    for part in record["parts"]:
        assert 0 < part["bytes_held"] <= record["work"]["bytes_held"], f"{at}: {part}"


def expect_all_data_moves(record):
    """Each byte of its data, where a run cannot do without."""
    work = record["work"]
    moved = sum(data["per_update"] for data in work["traffic"]) * work["updates"]
    assert moved >= work["bytes_held"] * (1 - 1e-12), f"{record['workload']} {record['variant']}"


def metric(record, name):
    return next((one["value"] for one in record["metrics"] if one["name"] == name), None)


class InFolder(unittest.TestCase):
    """Tests that have a temporary folder."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
