"""Ways of running that the CPU models have: vector lengths, blocks of steps, exchanges of ranks, more workers than
cores."""

import os

import pytest
from every_model import need, record_in
from programs import GRIDS, is_built, run_model, write_grid, write_problem

# On which a row or a block of steps ends in every way.
AWKWARD_GRIDS = ("odd", "every_edge", "one_column", "wide", "tall", "three_rows", "empty")
CHECKED = ("--check", "oracle", "--no-output")


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_vectors_of_every_length_are_right(precision, folder, one_process):
    """That is built here, in a variant where each one matters."""
    right = 0
    for length in ("1", "2", "4", "8", "16", "32"):
        for name in AWKWARD_GRIDS:
            done = run_model("serial", "--variant", "wavefront", "--precision", precision, "--vvl", length, *CHECKED,
                             *write_grid(folder, name))
            if done.returncode == 2:
                done.expect(2, "--vvl: expected one of")
            elif done.returncode != 3:  # not on this processor
                done.expect(0)
                right += 1
    assert right >= 3 * len(AWKWARD_GRIDS)


@pytest.mark.parametrize("model, options, depths, ranks, variant", [
    ("serial", [], ["1", "2", "3", "7", "1000"], 0, "wavefront"),
    ("openmp", ["--threads", "2"], ["1", "2", "3", "7", "1000"], 0, "wavefront"),
    ("openmp", ["--threads", "3"], ["2", "5", "1000"], 0, "wavefront"),
    ("mpi", [], ["2", "6"], 2, "wavefront"),
    ("mpi", ["--threads", "2"], ["2", "1000"], 2, "wavefront"),
    ("mpi", [], ["1", "3", "1000"], 2, "shared"),
    ("mpi", ["--threads", "2"], ["5"], 3, "shared"),
])
def test_time_blocks_of_any_depth_are_right(model, options, depths, ranks, variant, folder, one_process):
    """That are shorter and longer than strips, and that do and do not divide the steps."""
    if not is_built(model) or (options and not is_built("openmp")):
        pytest.skip(f"{model} is not built with threads")
    cases = [(depth, name) for depth in depths for name in AWKWARD_GRIDS]
    for depth, name in cases[1::2] if ranks else cases:  # ranks take their time to start
        run_model(model, *options, "--variant", variant, "--time-block", depth, *CHECKED, *write_grid(folder, name),
                  ranks=ranks).expect(0)


@pytest.fixture(name="rank_record")
def rank_record_of(folder, one_process):
    """The record of a run of ranks that is right."""
    need("mpi")

    def run(ranks, *words):
        run_model("mpi", *words, *CHECKED, "--json", folder / "record", ranks=ranks).expect(0)
        return record_in(folder)

    return run


@pytest.mark.parametrize("variant, halo, ranks", [
    ("fused", "sendrecv", 3), ("in-place", "sendrecv", 2), ("wavefront", "sendrecv", 2), ("fused", "rma", 2),
    ("in-place", "rma", 3), ("wavefront", "rma", 3)])
def test_halo_methods_are_right(variant, halo, ranks, folder, rank_record):
    """Exchanges that no variant has as its default, and strips of unequal height."""
    low = [write_problem(folder, name, 33, 64, 37, blocked) for name, blocked in (
        ("low_half", lambda x, y: y < 40 and (x + y) % 9 != 0), ("low_wall", lambda x, y: y < 40))]
    for problem in (write_grid(folder, "odd"), write_grid(folder, "three_rows"), *low):
        settings = rank_record(ranks, "--variant", variant, "--halo", halo, "--repeat", "2", *problem)["settings"]
        assert settings["halo"] == halo
        assert settings["halo_seconds"] > 0
        if problem is low[1]:  # 24 rows of fluid, and 40 that cost next to nothing: all of these in the first strip
            assert settings["strip_rows_most"] > 44


def test_grids_of_ranks_are_right(folder, rank_record):
    """Blocks in two dimensions, also of one row or one column."""
    turn = 0
    for shape, ranks in (("2x1", 2), ("1x2", 2), ("3x1", 3), ("2x2", 4), ("2x3", 6)):
        for name in ("odd", "three_rows", "wrap_x"):
            halo = ("rma", "persistent", "sendrecv")[turn % 3]
            record = rank_record(ranks, "--variant", ("in-place", "fused")[turn % 2], "--ranks-grid", shape,
                                 "--halo", halo, *write_grid(folder, name))
            assert record["settings"]["ranks_grid"] == shape
            turn += 1


@pytest.mark.parametrize("nx, ny, ranks, shape", [(16, 16, 4, "1x4"), (33, 16, 2, "1x2"), (400, 12, 2, "2x1"),
                                                  (400, 40, 4, "1x4"), (7, 30, 5, "1x5")])
def test_the_default_grid_of_ranks_has_the_least_halo(nx, ny, ranks, shape, folder, rank_record):
    """Counted in cache lines, of which a face along x has many."""
    problem = write_problem(folder, shape, nx, ny, 11, GRIDS["empty"].blocked)
    for variant in ("fused", "in-place"):
        assert rank_record(ranks, "--variant", variant, *problem)["settings"]["ranks_grid"] == shape


def test_crowding_is_said_in_one_line(folder):
    """A warning, not an error, and not a word to those who want none."""
    if not is_built("mpi") or not is_built("openmp"):
        pytest.skip("no ranks with threads")
    words = ["--no-output", "--threads", str(len(os.sched_getaffinity(0)) + 1), *write_grid(folder, "odd")]
    done = run_model("mpi", *words).expect(0)
    assert done.stderr.count("\n") == 1 and "lbm-mpi: warning: " in done.stderr, done
    assert run_model("mpi", "--quiet", *words).stderr == ""
