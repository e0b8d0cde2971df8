"""Matrix multiplication in every model that is built: every variant is right for sizes that fit no tile, in every way
of running it."""

import pytest
from every_model import Way, every_model, expect_refused, options_of, record_in, thread_number
from programs import expect_all_data_moves, has_option, optimised_kernels, records_in, run_model


def ways(case, variant):
    """Where each is a kernel to be compiled, half of the further ways in each precision."""
    is_double = case.precision == "f64"
    more = [options_of(variant, threads=thread_number(case.can, 2)), options_of(variant, vvl=2 if is_double else 4)]
    if has_option(variant, "tile"):
        more.append(("--tile", "4x8", "--block-depth", "8", "--work-group", "8x4"))
    if has_option(variant, "slices"):
        more.append(("--work-group", "8x4", "--slices", "2", "--block-depth", "16"))
    more = [Way(options) for options in more if options]
    if case.compiles and len(more) > 1:
        more = more[is_double::2]
    return case.ways_of_ranks([2, 3, 6]) + more


def sizes(case, way):
    is_small_too = not case.compiles or (not way.options and case.precision == "f32")
    return ["3x5x2", "37x61x45"] if is_small_too else ["37x61x45"]


@every_model("matmul")
def test_is_right_for_sizes_that_fit_no_tile(case, folder):
    for variant in case.can["variants"]:
        for way in ways(case, variant) if case.precision in variant["precisions"] else ():
            for size in sizes(case, way):
                with optimised_kernels(case.is_by_default(way) and size == "37x61x45" and variant["role"] != "peer"):
                    done = case.run(size, "--variant", variant["name"], "--repeat", "1", "--json", folder / "record",
                                    way=way)
                if done.returncode == 3:
                    done.expect_line(3)  # a peer or a device that is not here
                    continue
                done.expect(0)
                record = record_in(folder)
                assert record["check"]["passed"] is True
                assert record["variant"] == variant["name"]
                assert record["work"]["bytes_per_update"] > 0
                expect_all_data_moves(record)
                assert record["metrics"][0]["name"] == "gflop_per_s"


@every_model("matmul")
def test_is_right_where_only_vectors_check_it(case):
    done = case.run("600x500x700", "--repeat", "1")
    if done.returncode == 3:
        pytest.skip(done.stderr)
    done.expect(0, "check:\t\tright")


@pytest.mark.parametrize("options, parts", [
    *(([size], ["expected N or MxNxK", size]) for size in ("0", "12x", "4x4", "many")),
    (["8", "--vvl", "3"], ["--vvl", "found 3"]),
    (["8", "--variant", "ikj", "--vvl", "4"], ["--vvl"]),
    (["8", "--entries", "zeros"], ["--entries"]),
])
def test_bad_values_are_refused(options, parts):
    expect_refused("matmul", "serial", options, parts)


def test_constant_entries_are_a_case_of_their_own(folder):
    for entries in ("integers", "constant"):
        run_model("serial", "40", "--entries", entries, "--json", folder / "record", workload="matmul").expect(0)
    one, other = records_in(folder / "record")
    assert one["case"]["digest"] != other["case"]["digest"]
