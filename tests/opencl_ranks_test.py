"""Ranks with OpenCL devices: their exchanges and results. Strips of rows over ranks, each on an OpenCL
device; here they share one."""

import pytest
from every_model import need, record_in
from programs import run_model, write_grid


@pytest.fixture(autouse=True)
def here():
    need("opencl")
    need("mpi")


def run_ranks(ranks, *words, workload="lbm"):
    return run_model("mpi", "--local", "opencl", "--quiet", *words, ranks=ranks, workload=workload)


def expect_same(folder, ranks, *words):
    """The results of several ranks and of one; the record of several."""
    run_ranks(1, "--out", folder / "one", *words).expect(0)
    run_ranks(ranks, "--out", folder / "several", "--check", "oracle", "--json", folder / "record", *words).expect(0)
    one, several = ((folder / name / "final_state.dat").read_bytes() for name in ("one", "several"))
    assert one == several
    return record_in(folder)


# One shape of work-groups for all: kernels are built for each, and that takes longer than all else.
TWO_GRID = ["--variant", "two-grid", "--work-group", "16x2"]


@pytest.mark.parametrize("grid, precision, steps_a_block, ranks", [
    ("odd", "f32", 1, 2), ("odd", "f64", 3, 3), ("tall", "f32", 4, 3), ("wide", "f32", 1, 2), ("three_rows", "f32", 3, 3),
    ("one_column", "f32", 2, 3), ("every_edge", "f32", 8, 2)])
def test_several_give_what_one_gives(grid, precision, steps_a_block, ranks, folder, one_process):
    """One halo row a step or more for several steps, strips of a row, strips too low to have rows inside, a grid of one
    column; and as many blocks of steps as do and do not divide the run."""
    record = expect_same(folder, ranks, *TWO_GRID, "--precision", precision, "--time-block", str(steps_a_block),
                         *write_grid(folder, grid))
    settings = record["settings"]
    assert record["ranks"] == ranks == len(settings["devices"])
    assert settings["local"] == "opencl"
    if grid == "three_rows":  # ranks of one row each have nothing to do without halo rows
        assert settings["halo_seconds"] > 0
    assert settings["halo_seconds_most"] >= settings["halo_seconds"]


def write_case(folder, name, numbers, solid=""):
    params, obstacles = folder / f"{name}.params", folder / f"{name}.dat"
    params.write_text(numbers)
    obstacles.write_text(solid)
    return [params, obstacles if solid else "none"]


def deep_problem(folder, name):
    plane = [(x, z) for z in range(7) for x in range(13)]
    if name == "lid":
        return write_case(folder, name, "13\n9\n7\n11\n10\n0.1\n0\n1.7\n",
                          "".join(f"{x} 0 {z} 1\n{x} 8 {z} 1 0.1\n" for x, z in plane))
    if name == "scattered":
        return write_case(folder, name, "13\n9\n7\n11\n10\n0.1\n0.005\n1.7\n",
                          "".join(f"{x} {(3 * x + 2 * z) % 9} {z} 1\n" for x, z in plane))
    return write_case(folder, name, "37\n5\n6\n12\n10\n0.1\n0.004\n1.7\nstart shear-wave 0 0 1 0.05 0.02 0\n")


@pytest.mark.parametrize("name, precision, steps_a_block, ranks", [
    ("lid", "f32", 1, 2), ("lid", "f64", 2, 3), ("scattered", "f32", 1, 3), ("scattered", "f32", 3, 2),
    ("wave", "f64", 1, 2), ("wave", "f32", 2, 3), ("scattered", "f32", 1, 7)])
def test_several_give_what_one_gives_in_three_dimensions(name, precision, steps_a_block, ranks, folder, one_process):
    """Planes, starts, walls that move in own and in halo planes, slabs of one plane."""
    expect_same(folder, ranks, "--work-group", "16x2", "--precision", precision, "--time-block", str(steps_a_block),
                *deep_problem(folder, name))


def test_several_steps_a_launch_are_of_two_dimensions(folder):
    run_ranks(1, "--variant", "time-block", *deep_problem(folder, "lid")).expect(2, "D3Q19")


PLATE = ["37x29", "--start", "noise", "--steps", "23"]


@pytest.mark.parametrize("ranks, workload, words", [
    (1, "stream", ["1003"]), (2, "stream", ["40000", "--precision", "f64"]), (3, "stream", ["1003"]),
    (1, "reduce", ["10007"]), (3, "reduce", ["10007", "--values", "ramp"]),
    *((3, "reduce", ["10007", "--operator", name]) for name in ("sum", "product", "min", "max", "and", "or", "xor")),
    (2, "reduce", ["10007", "--operator", "xor", "--precision", "f64"]),
    # Strips with halos: of one row and of all rows, more steps than a halo has rows, one and several a launch.
    (1, "heat", PLATE), (2, "heat", [*PLATE, "--halo-rows", "1"]),
    (3, "heat", [*PLATE, "--variant", "strip", "--vvl", "2", "--rows", "3", "--halo-rows", "5"]),
    (3, "heat", [*PLATE, "--time-block", "3", "--halo-rows", "64", "--precision", "f64"]),
    # Several panels, of parts of different sizes, on grids of 1 x 1, 2 x 1 and 2 x 2 ranks.
    (1, "matmul", ["37x29x1100"]), (2, "matmul", ["37x29x1100", "--variant", "blocked", "--precision", "f64"]),
    (4, "matmul", ["67x65x1300", "--work-group", "8x8"]),
])
def test_arrays_are_in_parts(ranks, workload, words, folder, one_process):
    """Each rank on a device: numbers and words whose sum is exact in any order, values that depend on their position,
    parts of different lengths."""
    run_ranks(ranks, *words, "--repeat", "1", "--json", folder / "record", workload=workload).expect(0)
    record = record_in(folder)
    assert record["check"]["passed"] is True
    assert record["model"] == "mpi"
    assert record["ranks"] == ranks == len(record["settings"]["devices"])


@pytest.mark.parametrize("more, halo_rows", [([], 0), (["--time-block", "2"], 2)])
def test_a_rank_that_is_alone_exchanges_nothing(more, halo_rows, folder, one_process):
    """Unless it is told how many halo rows it has."""
    run_ranks(1, *TWO_GRID, "--check", "oracle", "--no-output", "--json", folder / "record", *more,
              *write_grid(folder, "odd")).expect(0)
    assert record_in(folder)["settings"]["halo_rows"] == halo_rows


def test_several_steps_a_launch_are_done_or_refused(folder):
    """If the devices have no kernel for it, the program says so."""
    done = run_ranks(2, "--variant", "time-block", "--check", "oracle", "--no-output", *write_grid(folder, "odd"))
    if done.returncode != 0:
        done.expect(3, "needs the warps of an NVIDIA device")


LOCAL = ["--local", "opencl"]


@pytest.mark.parametrize("options, parts", [
    *(([*LOCAL, *other], [other[0]]) for other in (["--threads", "2"], ["--vvl", "4"], ["--halo", "sendrecv"],
                                                   ["--halo", "ipc"], ["--halo", "nccl"])),
    ([*LOCAL, "--variant", "fused"], ["two-grid", '"fused"']),
    ([*LOCAL, "--device", "no such device"], ["--device", "no such device"]),
    (["--variant", "two-grid"], ["wavefront", '"two-grid"']),
    (["--device", "0"], ["--device"]),
    (["--local", "abacus"], ["--local", "cpu, opencl", '"abacus"']),
])
def test_what_is_not_for_them_is_refused(options, parts, folder, one_process):
    run_model("mpi", *options, *write_grid(folder, "odd")).expect_line(2, *parts)


@pytest.mark.parametrize("ranks, workload, words, line", [
    (3, "stream", ["2"], "expected an element for each of 3 ranks, found 2\n"),
    (2, "heat", ["9", "--halo", "ipc"], '--halo: expected one of host, found "ipc"\n'),
    (2, "matmul", ["9", "--panels", "nccl"], '--panels: expected one of host, found "nccl"\n'),
])
def test_what_several_cannot_is_refused(ranks, workload, words, line):
    run_ranks(ranks, *words, workload=workload).expect(2, line)
