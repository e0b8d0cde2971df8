"""Every variant that can run D3Q19 against its reference, on small odd grids; the others say in one line that they
cannot. The list is asked of the programs."""

from typing import NamedTuple

import pytest
from every_model import Way, need, record_in, thread_number
from programs import (built_programs, description_of, has_option, optimised_kernels, run_model, why_not, write_grid)

CHECKED = ("--check", "oracle", "--no-output")


class Problem(NamedTuple):
    words: tuple  # of the command line
    planes: int


def write_case(folder, name, cells, accel, start, obstacle):
    """Parameters and obstacles as a user writes them."""
    nx, ny, nz = cells
    places = ((x, y, z, obstacle(x, y, z)) for z in range(nz) for y in range(ny) for x in range(nx))
    solid = "".join(f"{x} {y} {z} {kind}\n" for x, y, z, kind in places if kind)
    params, obstacles = folder / f"{name}.params", folder / f"{name}.dat"
    params.write_text(f"{nx}\n{ny}\n{nz}\n23\n10\n0.1\n{accel}\n1.7\n{start}\n")
    obstacles.write_text(solid)
    return Problem((params, obstacles if solid else "none"), nz)


def nothing(x, y, z):
    return ""


def scattered(x, y, z):
    return "1" if (7 * x + 5 * y + 3 * z) % 19 == 0 else ""


def lid_of_cavity(x, y, z):
    """A problem of 21 x 9 x 6 cells."""
    side = x in (0, 20) or y == 0 or z in (0, 5)
    return "1 0.1" if y == 8 and not side else "1" if side or y == 8 else ""


def problems_in(folder):
    """Odd, tall and flat grids; obstacles on every face; walls that move; every start; a problem in two dimensions
    repeated; fewer rows or planes than threads."""
    return [write_case(folder, "scattered", (17, 11, 7), 0.005, "", scattered),
            write_case(folder, "cavity", (21, 9, 6), 0, "", lid_of_cavity),
            write_case(folder, "vortices", (64, 9, 2), 0.005, "start taylor-green 0.05", nothing),
            write_case(folder, "column", (1, 5, 13), 0.004, "start shear-wave 0 0 2 0.05 0.02 0", nothing),
            write_case(folder, "line", (37, 1, 1), 0, "start shear-wave 1 0 0 0 0.05 -0.02", nothing),
            write_case(folder, "slab", (5, 3, 1), 0.01, "", scattered),
            Problem(("--depth", "3", *write_grid(folder, "odd")), 3)]


class Case(NamedTuple):
    """A variant of a program in one precision."""

    model: str
    launcher: bool
    variant: dict
    precision: str
    turn: int  # another one for each variant and precision

    def __str__(self):
        return f"{self.model}-{self.variant['name']}-{self.precision}"


def cases():
    for one in built_programs("lbm"):
        can = description_of(one["model"])
        if not can["no_devices"]:
            for place, variant in enumerate(can["variants"]):
                for precision in variant["precisions"]:
                    yield Case(one["model"], one["launcher"], variant, precision, 2 * place + (precision == "f64"))


def ways_of(case, can):
    """Threads, ranks, and both; more of them than some problems have rows or planes."""
    has_threads = has_option(case.variant, "threads") if case.launcher else "threads" in can["takes"]
    ways = []
    for workers in (1, 2, 3) if case.launcher or has_threads else (1,):
        threads = thread_number(can, 4 - workers if case.launcher else workers)
        ways.append(Way(("--threads", threads) if has_threads else (), workers if case.launcher else 0))
    if has_option(case.variant, "time-block") and case.variant["name"] != "persistent":  # of two dimensions there
        ways.append(ways[-1]._replace(options=(*ways[-1].options, "--time-block", "2")))
    return ways


def is_its_turn(case, can, is_last_way, number, problems):
    """Every way does the last problem. The last way, which has the most workers, does every second one too, in one
    precision the ones and in the other the others; the other ways do the first. Where each is a kernel to be compiled,
    variants take turns at all but the last."""
    if number == problems - 1:
        return True
    if "no-kernel-cache" in can["takes"]:
        return is_last_way and number == case.turn % (problems - 1)
    if is_last_way:
        return number % 2 == (case.precision == "f64") or len(case.variant["precisions"]) == 1
    return number == 0


@pytest.mark.parametrize("case", cases(), ids=str)
def test_is_right_or_says_that_it_cannot(case, folder, one_process):
    problems, name = problems_in(folder), case.variant["name"]
    words = ("--variant", name, "--precision", case.precision, *CHECKED)
    if "D3Q19" not in case.variant["kinds"]:
        done = run_model(case.model, *words, *problems[0].words, ranks=2 if case.launcher else 0)
        done.expect_line(3 if done.returncode == 3 else 2, "D3Q19")
        return
    right, can = 0, description_of(case.model)
    ways = ways_of(case, can)
    for way in ways:
        for number, problem in enumerate(problems):
            if not is_its_turn(case, can, way is ways[-1], number, len(problems)):
                continue
            # In one precision; unoptimised, variants whose groups wait take longer.
            with optimised_kernels((case.precision == "f32" and problem is problems[-1]) or "resident" in name):
                done = run_model(case.model, *words, *way.options, *problem.words, ranks=way.ranks)
            if done.returncode == 3 and "--threads" in done.stderr:
                break  # not as many threads as that here
            if done.returncode == 3 and not right and (why_not(case.model) or "expected an NVIDIA GPU" in done.stderr):
                pytest.skip(done.stderr)
            if done.returncode == 2 and "moving walls" in done.stderr:
                assert done.stderr.count("\n") == 1, str(done)
            elif way.ranks > problem.planes:
                done.expect_line(2, f"{way.ranks} ranks for {problem.planes} planes")
            else:
                done.expect(0)
                right += 1
    assert right


@pytest.mark.parametrize("number, shape, ranks, halo", [
    (0, "2x1x1", 2, "rma"), (1, "1x2x1", 2, "persistent"), (2, "1x1x2", 2, "rma"), (3, "3x1x1", 3, "persistent"),
    (4, "2x2x1", 4, "rma"), (5, "1x2x2", 4, "persistent"), (6, "2x2x2", 8, "sendrecv")])
def test_blocks_of_every_shape_are_right(number, shape, ranks, halo, folder, one_process):
    """Blocks of ranks along every axis and along several, with starts, walls that move and obstacles on their faces."""
    need("mpi")
    all_problems = problems_in(folder)
    problems = [*all_problems[:3], all_problems[-1]]  # those with cells for all the ranks
    for turn, variant in enumerate(("fused", "in-place"), 2 * number):
        precision = "f64" if turn % 3 == 2 else "f32"
        run_model("mpi", "--variant", variant, "--ranks-grid", shape, "--precision", precision, "--threads",
                  "2" if ranks == 4 else "1", "--halo", halo, *CHECKED, "--json", folder / "record",
                  *problems[turn % len(problems)].words, ranks=ranks).expect(0)
        assert record_in(folder)["settings"]["ranks_grid"] == shape


@pytest.mark.parametrize("variant", ["fused", "in-place"])
def test_blocks_give_the_result_of_one_rank(variant, folder):
    """The parts of all ranks are assembled in the places that they have on one rank."""
    need("mpi")
    words = ("--variant", variant, "--precision", "f64", *problems_in(folder)[0].words)
    run_model("mpi", "--out", folder, *words, ranks=1).expect(0)
    for file in ("final_state.dat", "av_vels.dat"):
        (folder / file).rename(folder / f"one.{file}")
    for options, ranks in ((), 3), (("--ranks-grid", "2x3x1"), 6):
        run_model("mpi", *options, "--no-output", "--check", folder / "one", *words, ranks=ranks).expect(0)


@pytest.mark.parametrize("cells, ranks, shape", [
    ((8, 8, 8), 4, "1x1x4"), ((8, 8, 8), 8, "1x2x4"), ((24, 4, 9), 4, "1x1x4"), ((200, 4, 4), 2, "2x1x1"),
    ((5, 16, 4), 3, "1x3x1")])
def test_the_default_shape_has_the_least_halo(cells, ranks, shape, folder, one_process):
    """Counted in cache lines, of which a face along x has many."""
    need("mpi")
    problem = write_case(folder, "cube", cells, 0, "start shear-wave 1 0 0 0 0.05 0", nothing)
    for variant in ("fused", "in-place"):
        run_model("mpi", "--variant", variant, *CHECKED, "--json", folder / "record", *problem.words,
                  ranks=ranks).expect(0)
        assert record_in(folder)["settings"]["ranks_grid"] == shape


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_vectors_of_every_length_are_right(precision, folder, one_process):
    right = 0
    for length in ("1", "2", "4", "8", "16", "32"):
        for problem in problems_in(folder):
            done = run_model("serial", "--variant", "wavefront", "--precision", precision, "--vvl", length, *CHECKED,
                             *problem.words)
            if done.returncode == 2:
                done.expect(2, "--vvl: expected one of")
            elif done.returncode != 3:  # not on this processor
                done.expect(0)
                right += 1
    assert right >= 7


def test_results_have_z_and_records_say_the_lattice(folder):
    words = problems_in(folder)[0].words
    run_model("serial", "--variant", "fused", "--precision", "f64", "--out", folder, "--json", folder / "record",
              *words).expect(0, "17 x 11 x 7 cells")
    record = record_in(folder)
    assert record["case"]["extent"] == [17, 11, 7]
    assert record["case"]["facts"]["lattice"] == "D3Q19"
    assert record["work"]["bytes_per_update"] == 2 * 19 * 8
    state = (folder / "final_state.dat").read_text()
    assert state.count("\n") == 17 * 11 * 7
    assert state.startswith("0 0 0 0.000000000000E+00 0.000000000000E+00 0.000000000000E+00 0.0")
    # The file written is read as the reference.
    for file in ("final_state.dat", "av_vels.dat"):
        (folder / file).rename(folder / f"right.{file}")
    run_model("serial", "--variant", "wavefront", "--no-output", "--check", folder / "right", *words).expect(0)
