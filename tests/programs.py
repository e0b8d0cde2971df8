"""Runs the built programs as a user does, on small problems in a temporary folder: as programs.hpp, for tests in
Python, which are not compiled.

A test starts as `X_test.py FOLDER [CLASS...]`, FOLDER that of the built programs, and ends with programs.main()."""

import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path()
LIMIT = 1800  # seconds: beyond any run of a test on a machine that others keep busy too

# What a user has set for other runs.
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
    "OMPI_MCA_odls_base_sigkill_timeout": "0",
    "OMPI_MCA_mpi_yield_when_idle": "1",  # ranks that wait leave their core to those that they wait for
}


def main():
    """The tests of the file that was started."""
    global FOLDER
    FOLDER = Path(sys.argv.pop(1)).resolve()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell has its background jobs ignore
    for name in list(os.environ):
        if name.startswith(OF_USERS) and name not in OF_CTEST:
            del os.environ[name]
    with tempfile.TemporaryDirectory() as own:
        os.environ.update(USUAL, XDG_DATA_HOME=own, OMPI_MCA_orte_tmpdir_base=own)
        unittest.main()


@functools.cache
def listed():
    """The programs of this build and, with the reason, those that are not there."""
    programs = json.loads((FOLDER.parent / "share/boltzmark/programs.json").read_text(encoding="utf-8"))
    for one in programs:
        if not one["skipped"] and not (FOLDER / one["program"]).exists():
            one["skipped"] = f"{one['program']} is not built yet"
    return programs


def built():
    return {(one["workload"], one["model"]): one["program"] for one in listed() if not one["skipped"]}


def is_built(model, workload="lbm"):
    return (workload, model) in built()


def run_command(*words, **more):
    """returncode, stdout and stderr of a command."""
    usual = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "surrogateescape"}
    return subprocess.run([os.fspath(word) for word in words], timeout=LIMIT, check=False, **{**usual, **more})


def run_model(model, *words, ranks=0, workload="lbm", **more):
    """A program of the build; `ranks` starts it through mpirun, whose own lines on ranks that failed are left out."""
    launcher = ["mpirun", "-np", str(ranks), *(["-q"] if is_open_mpi() else [])] if ranks else []
    done = run_command(*launcher, FOLDER / built()[workload, model], *words, **more)
    if ranks:  # what mpirun's libevent says at times of a rank that has just ended
        done.stderr = "".join(line for line in done.stderr.splitlines(True) if not line.startswith("[warn] Epoll "))
    return done


@functools.cache
def is_open_mpi():
    return "Open MPI" in run_command("mpirun", "--version").stdout


@functools.cache
def can_run(model):
    """Whether there is a device for a model that was built."""
    with tempfile.TemporaryDirectory() as folder:
        problem = write_problem(Path(folder), "one_step", 21, 21, 1, lambda x, y: x == y)
        return run_model(model, *problem, "--no-output").returncode != 3


def write_problem(folder, name, nx, ny, steps, blocked):
    """FOLDER/input_NAME.params and FOLDER/obstacles_NAME.dat, the two words of a command line."""
    params, obstacles = folder / f"input_{name}.params", folder / f"obstacles_{name}.dat"
    params.write_text(f"{nx}\n{ny}\n{steps}\n10\n0.1\n0.005\n1.85\n")
    obstacles.write_text("".join(f"{x} {y} 1\n" for y in range(ny) for x in range(nx) if blocked(x, y)))
    return params, obstacles


def write_box(folder):
    return write_problem(folder, "box", 32, 32, 60, lambda x, y: x in (0, 31) or y in (0, 31))


class InFolder(unittest.TestCase):
    """Tests that have a temporary folder."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
