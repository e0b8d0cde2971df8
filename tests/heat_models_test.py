"""The heat equation in every model that is built: every variant is right on plates of all shapes, in every way of
running it, and stops where it is told to."""

import pytest
from every_model import Way, every_model, expect_refused, options_of, record_in
from programs import is_built, optimised_kernels, run_model


def ways(case, variant):
    """By default, and with other numbers of workers and all other options at once."""
    vvl = 2 if case.precision == "f64" else 4
    options = options_of(variant, threads=3, vvl=vvl, time_block=3, rows=7, delay=4)
    return case.ways_of_ranks([2, 5]) + ([Way(options)] if options else [])


def sizes(case, way):
    """Devices' compilers take their time for each."""
    is_plain = way == Way()
    if case.compiles:
        return ["61x1", "37x53"] if is_plain and case.precision == "f32" else ["37x53"]
    return ["1x1", "1x7", "61x1", "37x53"] if is_plain else ["61x1", "37x53"]


@every_model("heat")
def test_is_right_on_plates_of_all_shapes(case, folder):
    """From noise: every cell changes in every step, so that none can be forgotten. Of the two grids each is the last."""
    for variant in case.can["variants"]:
        for way in ways(case, variant):
            for size in sizes(case, way):
                steps = 12 if size == "37x53" else 11
                with optimised_kernels(case.is_by_default(way) and size == "37x53"):
                    done = case.run(size, "--start", "noise", "--steps", str(steps), "--variant", variant["name"],
                                    "--repeat", "1", "--json", folder / "record", way=way)
                if done.returncode == 3:
                    pytest.skip(done.stderr)
                done.expect(0)
                record = record_in(folder)
                assert record["check"]["passed"] is True
                assert record["variant"] == variant["name"] and record["steps"] == steps
                assert record["work"]["bytes_per_update"] > 0
                assert record["metrics"][0]["name"] == "mlups"


@every_model("heat")
def test_stops_by_small_enough_a_delta(case, folder):
    """30 x 20 from the published border: the delta of step 237 is the first of at most 100."""
    done = case.run("30x20", "--steps", "5000", "--until", "100", "--repeat", "1", "--json", folder / "record")
    if done.returncode == 3:
        pytest.skip(done.stderr)
    done.expect(0)
    record = record_in(folder)
    assert 237 <= record["steps"] < 237 + 200
    assert record["case"]["facts"]["last_delta"] <= 100


@pytest.mark.parametrize("model", ["serial", "openmp", "stdpar", "tbb", "kokkos", "thrust", "mpi", "openmp_target"])
def test_sweeps_are_right_over_strips_of_columns(model):
    """Rows longer than a strip of the sweep, a border of both kinds, and a depth that is cut by the rows there are."""
    if not is_built(model, "heat"):
        pytest.skip(f"heat-{model} is not built")
    run_model(model, "30001x23", "--start", "noise", "--steps", "45", "--precision", "f64", "--repeat", "1",
              workload="heat").expect(0)


@pytest.mark.parametrize("mode", [["200x300"], ["16x2", "--steps", "400"],  # down to what programs flush to zero
                                  ["16x2", "--steps", "5000", "--precision", "f64"]])
def test_modes_are_checked_by_their_decay(mode):
    run_model("serial", *mode, "--start", "mode", "--repeat", "1", workload="heat").expect(0)


def test_the_picture_has_the_border_round_it(folder):
    run_model("serial", "30x20", "--image", folder / "plate.png", "--repeat", "1", workload="heat").expect(0)
    picture = (folder / "plate.png").read_bytes()
    assert picture[1:4] == b"PNG"
    assert (picture[19], picture[23]) == (32, 22)


@pytest.mark.parametrize("options, parts", [
    *(([size], ["expected N or WIDTHxHEIGHT", size]) for size in ("0", "12x", "4x4x4", "many")),
    (["8", "--start", "cold"], ["--start"]),
    (["8", "--until", "-1"], ["--until"]),
    (["8", "--steps", "0"], ["--steps"]),
    (["8", "--variant", "swapped", "--vvl", "4"], ["--vvl"]),
])
def test_bad_values_are_refused(options, parts):
    expect_refused("heat", "serial", options, parts)


def test_plates_that_do_not_fit_are_refused():
    expect_refused("heat", "serial", ["1000000x1000000"], ["expected two grids that fit the memory"], status=3)
