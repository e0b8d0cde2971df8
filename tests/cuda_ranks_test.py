# Tier: all (as cuda_test.cpp)
"""Ranks with CUDA devices that are none (fake_cuda.cpp), whose kernels the host runs (host_cuda/nvrtc): halo rows by
NCCL (fake_nccl.cpp), into memory of the neighbour and through the host; arrays in parts. Commands of the fake driver run
as late as they may, or those of transfers at once, so a missing wait shows in the results."""

import tempfile
from pathlib import Path

import pytest
from every_model import need, record_in
from fake_device import BUILT, ON_HOST, FakeDevice
from programs import run_model, write_grid

HURRY = ["BOLTZMARK_TEST_HURRY=1"]
NO_NCCL = ["BOLTZMARK_TEST_NO_NCCL=1"]
PLATE = ["37x29", "--start", "noise", "--steps", "23"]
PANELS = ["37x29x1700", "--variant", "blocked"]


class Ranks(FakeDevice):
    def __init__(self, folder, cache):
        super().__init__(folder)
        self.cache = cache

    def install_nccl(self, library=BUILT / "libfake_nccl.so"):
        for name in ("libnccl.so.2", "libnccl.so"):
            self.install(name, library)

    def run(self, ranks, *words, environment=(), workload="lbm"):
        return run_model("mpi", "--local", "cuda", "--quiet", "--no-tuned", *words, ranks=ranks, workload=workload,
                         before=["env", f"LD_LIBRARY_PATH={self.folder}", f"XDG_CACHE_HOME={self.cache}",
                                 "BOLTZMARK_TEST_DEVICES=4", ON_HOST, *environment])

    def run_flow(self, ranks, *words, environment=()):
        """Lattice Boltzmann's variants without shuffles within warps, which the host lacks."""
        return self.run(ranks, "--variant", "two-grid", "--reduction", "halves", "--work-group", "16x2", "--check",
                        "oracle", *words, environment=environment)

    def record(self, ranks, workload, *words, environment=()):
        self.run(ranks, *words, "--json", self.folder / "record", workload=workload, environment=environment).expect(0)
        record = record_in(self.folder)
        assert record["check"]["passed"] is True
        return record


@pytest.fixture(name="cache", scope="module")
def kernels_of_all_tests():
    with tempfile.TemporaryDirectory() as folder:
        yield folder


@pytest.fixture(name="ranks")
def fake_ranks(folder, cache):
    need("mpi")
    made = Ranks(folder, cache)
    made.install_nccl()
    return made


def problem_of(folder, grid):
    if grid != "cube":
        return write_grid(folder, grid)
    # Rows of the last direction go over the end of a cell row's memory.
    (folder / "cube.params").write_text("41\n9\n7\n11\n10\n0.1\n0.005\n1.7\n")
    return folder / "cube.params", "none"


@pytest.mark.parametrize("grid, precision, steps_a_block, number", [
    ("odd", "f32", 1, 2), ("odd", "f32", 4, 3), ("odd", "f64", 3, 2), ("every_edge", "f32", 2, 1),
    ("three_rows", "f32", 1, 3), ("cube", "f32", 1, 3), ("cube", "f32", 2, 2)])
def test_the_same_whatever_way_halo_rows_travel(grid, precision, steps_a_block, number, ranks, one_process):
    """Ranks that are their own neighbours, have the same one on both sides, or two; one halo row or several; a row
    each; rows inside and none. A few blocks of steps, the last one shorter: ranks that wait spin."""
    folder, files = ranks.folder, []
    problem = problem_of(folder, grid)
    for halo, environment in (("host", []), ("nccl", []), ("nccl", HURRY), ("ipc", []), ("ipc", HURRY)):
        ranks.run_flow(number, "--steps", "13", "--repeat", "2", "--precision", precision, "--time-block",
                       str(steps_a_block), "--halo", halo, "--out", folder / "out", "--json", folder / "record",
                       *problem, environment=environment).expect(0)
        record = record_in(folder)
        assert record["check"]["passed"] is True
        assert record["settings"]["halo"] == halo
        assert ("NCCL 2.27.3" in record["driver"]) == (halo == "nccl"), record["driver"]
        files.append([(folder / "out" / name).read_bytes() for name in ("final_state.dat", "av_vels.dat")])
        assert files[-1] == files[0], (halo, environment)


@pytest.mark.parametrize("grid, words, number", [
    *((grid, ["--variant", "two-grid", *words], number) for grid, words, number in (
        ("odd", ["--time-block", "1"], 2), ("odd", ["--time-block", "3", "--precision", "f64"], 3),
        ("every_edge", ["--time-block", "2"], 1), ("three_rows", ["--time-block", "1"], 3))),
    ("odd", ["--variant", "time-block", "--time-block", "4"], 3), ("cube", ["--time-block", "1"], 3),
    ("cube", ["--time-block", "2"], 2)])
def test_the_same_on_devices_that_are_here(grid, words, number, folder):
    """Also the variants that the stand-in lacks."""
    need("mpi")
    need("cuda")
    files = {}
    for halo in ("host", "ipc", "nccl"):
        done = run_model("mpi", "--local", "cuda", "--quiet", "--repeat", "2", "--check", "oracle", "--halo", halo, "--out",
                         folder / "out", "--json", folder / "record", *words, *problem_of(folder, grid), ranks=number)
        if halo != "host" and done.returncode == 3:  # no library, or fewer devices than ranks
            done.expect(3, f"--halo {halo}: ")
            continue
        done.expect(0)
        assert record_in(folder)["settings"]["halo"] == halo
        files[halo] = [(folder / "out" / name).read_bytes() for name in ("final_state.dat", "av_vels.dat")]
        assert files[halo] == files["host"], halo


def test_other_ways_of_halo_rows_are_refused(folder):
    need("mpi")
    run_model("mpi", "--local", "cuda", "--halo", "persistent", *write_grid(folder, "odd")).expect_line(
        2, '--halo: expected one of ipc, nccl, host, found "persistent"')


def test_a_lost_exchange_is_wrong(ranks):
    """The first group of messages is a trial; those after it are a run's."""
    flow = ["--no-output", "--halo", "nccl", "--time-block", "1", *write_grid(ranks.folder, "odd")]
    heat = [*PLATE, "--time-block", "2", "--repeat", "1", "--halo", "nccl"]
    matmul = [*PANELS, "--repeat", "1", "--panels", "nccl"]

    def without(group, workload):
        lost = [f"BOLTZMARK_TEST_LOSE_GROUP={group}"]
        if workload == "lbm":
            return ranks.run_flow(2, *flow, environment=lost)
        return ranks.run(2, *(heat if workload == "heat" else matmul), environment=lost, workload=workload)

    for workload, line, groups in (("lbm", "--halo nccl: data that rank ", (1, 7)),
                                   ("heat", "--halo nccl: data that rank ", (1, 3)),
                                   ("matmul", "--panels nccl: data broadcast ", (1, 3))):
        without(0, workload).expect_line(3, f"error: {line}")
        for group in groups:
            without(group, workload).expect(1)


def test_why_there_is_no_nccl_is_said_in_one_line(ranks):
    words = ["--no-output", "--halo", "nccl", *write_grid(ranks.folder, "one_step")]
    (ranks.folder / "none").touch()
    ranks.install_nccl("none")
    has_toolkit = Path("/usr/local/cuda/lib64/libnccl.so.2").exists()  # which then is found, without a device
    ranks.run_flow(2, *words).expect_line(3, "error: --halo nccl: " + (
        "" if has_toolkit else "expected the library libnccl.so.2, found none"))
    ranks.install_nccl(BUILT / "libfake_cuda.so")
    ranks.run_flow(2, *words).expect_line(3, "error: --halo nccl: the installed library has no ncclGetVersion")
    ranks.install_nccl()
    ranks.run_flow(2, *words, environment=NO_NCCL).expect_line(
        3, "error: --halo nccl: a fault of the test from ncclCommInitRank")
    ranks.run_flow(3, *words, environment=["BOLTZMARK_TEST_DEVICES=2"]).expect_line(
        3, "error: --halo nccl: expected a device for each rank, found rank 2 on one that another has, a fake GPU")
    ranks.run(2, *PANELS, "--panels", "nccl", environment=NO_NCCL, workload="matmul").expect_line(
        3, "error: --panels nccl: a fault of the test from ncclCommInitRank")


@pytest.mark.parametrize("words, number, halo_rows", [
    ([*PLATE, "--time-block", "2"], 2, 2),
    ([*PLATE, "--time-block", "3", "--halo-rows", "7", "--precision", "f64"], 3, 6),
    ([*PLATE, "--time-block", "4", "--halo-rows", "64"], 3, 8),
    (["41x7", "--steps", "9", "--time-block", "8"], 3, 2),
    (["37x29", "--steps", "40", "--until", "1e-3", "--time-block", "2", "--delay", "7"], 2, 2),
    ([*PLATE, "--variant", "strip", "--halo-rows", "1", "--delay", "4"], 3, 1),
    ([*PLATE, "--variant", "strip", "--halo-rows", "3", "--vvl", "2", "--rows", "3"], 2, 3)])
def test_the_same_heat_whatever_way_halo_rows_travel(words, number, halo_rows, ranks, one_process):
    """Strips with neighbours above, below and on both sides; one step a launch and several, one launch between two
    exchanges and several; rows inside and none; a run in blocks between which deltas are read."""
    for halo, environment in (("nccl", []), ("nccl", HURRY), ("ipc", []), ("ipc", HURRY), ("host", [])):
        # The host way has deeper halos by default, where these follow from a launch.
        rows = ["--halo-rows", "2"] if halo == "host" and halo_rows == 2 else []
        record = ranks.record(number, "heat", *words, *rows, "--repeat", "2", "--halo", halo, environment=environment)
        assert (record["settings"]["halo"], record["settings"]["halo_rows"]) == (halo, halo_rows)
        assert ("NCCL 2.27.3" in record["driver"]) == (halo == "nccl"), record["driver"]


@pytest.mark.parametrize("number, environment, halo", [(2, [], "ipc"), (3, ["BOLTZMARK_TEST_DEVICES=2"], "host"),
                                                       (1, [], "none")])
def test_halo_rows_travel_from_device_to_device_by_default(number, environment, halo, ranks, one_process):
    """Where each rank has one; no halo without a neighbour."""
    steps = "4" if number == 3 else "2"  # kernels of the cases above
    record = ranks.record(number, "heat", *PLATE, "--time-block", steps, "--repeat", "1", environment=environment)
    assert record["settings"].get("halo", "none") == halo


@pytest.mark.parametrize("number", [2, 3, 4])
@pytest.mark.parametrize("panels, environment", [("nccl", []), ("nccl", HURRY), ("host", [])])
def test_the_same_product_whatever_way_panels_travel(panels, environment, number, ranks, one_process):
    """On grids of 2 x 1, 3 x 1 and 2 x 2 ranks, several panels, the last of each part shorter."""
    for more in (["37x29x2300"], ["41x33x1700", "--precision", "f64"]):
        record = ranks.record(number, "matmul", *more, "--variant", "blocked", "--repeat", "2", "--panels", panels,
                              environment=environment)
        assert record["settings"]["panels"] == panels
        assert ("NCCL 2.27.3" in record["driver"]) == (panels == "nccl"), record["driver"]


@pytest.mark.parametrize("number, environment, panels", [
    (2, [], "nccl"), (2, NO_NCCL, "host"), (3, ["BOLTZMARK_TEST_DEVICES=2"], "host"), (1, [], "none")])
def test_panels_travel_by_nccl_by_default(number, environment, panels, ranks, one_process):
    """Where that works on all ranks."""
    record = ranks.record(number, "matmul", *PANELS, "--repeat", "1", environment=environment)
    assert record["settings"]["panels"] == panels


@pytest.mark.parametrize("more", [[], ["--precision", "f64"]])
@pytest.mark.parametrize("workload, words", [("stream", ["1003"]), ("reduce", ["1003", "--variant", "eight-values"]),
                                             ("matmul", PANELS)])
def test_arrays_are_in_parts(workload, words, more, ranks, one_process):
    """On each rank: a dot product over all ranks, and values that depend on their position."""
    ranks.run(2, *words, "--repeat", "1", *more, workload=workload).expect(0)
