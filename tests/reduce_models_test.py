"""Reductions, prefix sums, segmented sums and sums along axes in every model that is built: exact with every operator,
for lengths that fit no vector, in every way of running it."""

import pytest
from every_model import Way, every_model, expect_refused, record_in, thread_number
from programs import expect_all_data_moves, metric, optimised_kernels, records_in, run_model


def expect_exact(case, variant, words, folder, ranks=0):
    """A missing feature of a device is reported in one line."""
    done = case.run("--repeat", "2", *words, "--variant", variant["name"], "--json", folder / "record",
                    way=Way(ranks=ranks))
    if done.returncode == 3:
        done.expect_line(3)
        return
    assert " 0.00e+00" in done.expect(0).stdout, str(done)
    expect_all_data_moves(record_in(folder))


def lengths(case):
    """One value, fewer than any vector, several tiles of two threads, and many that fill no last vector, group or tile."""
    if case.workload == "segments":  # few long ones, many short ones, one; ends of wavefronts and groups
        return [["1", "777"], ["3", "10007"], ["33", "10007"], ["80", "100003"], ["1000", "10007"], ["100003", "200006"]]
    if case.workload == "axes":  # columns for every number of vectors
        return [["1"], ["3"], ["37" if case.precision == "f32" else "23"]]
    has_tiles = case.workload == "scan" and "threads" in case.can["takes"]
    tiles = [["400009", "--threads", thread_number(case.can, 2)]] if has_tiles else []
    return [["1"], ["777"], *tiles, ["100003"]]


@every_model("reduce", "scan", "segments", "axes")
def test_is_exact_for_lengths_that_fit_no_vector(case, folder):
    """Where they are to be compiled for each length, variants without a role take turns, and two lengths are
    optimised."""
    variants, is_of_axes = case.can["variants"], case.workload == "axes"
    take_turns = case.workload in ("segments", "axes") and case.compiles
    for i, words in enumerate(lengths(case)):
        is_optimised = not take_turns or i in (2, 3) or (i == 1 and is_of_axes)
        with optimised_kernels((case.precision == "f32" or is_of_axes) and is_optimised):  # whose groups wait in loops
            for turn, variant in enumerate(variants, i + (case.precision == "f64")):
                if turn % 2 == 0 or not take_turns or variant["role"]:
                    expect_exact(case, variant, words, folder)
    for ranks in (2, 3) if case.launcher else ():
        for variant in variants:
            expect_exact(case, variant, lengths(case)[-1], folder, ranks)


@every_model("reduce")
def test_every_operator_is_exact(case, folder):
    """For variants with a role. Where each operator is a kernel to be compiled they take turns, in double precision
    the other way round, so that every variant meets every operator, and every precision too."""
    turn = case.precision == "f64"
    for variant in case.can["variants"]:
        if not variant["role"]:
            continue
        turn += 1
        for name in ("product", "min", "max", "and", "or", "xor"):
            if turn % 2 == 0 or not case.compiles:
                expect_exact(case, variant, ["20011", "--operator", name], folder, 2 if case.launcher else 0)
            turn += 1


@every_model("reduce")
def test_says_how_many_digits_are_right(case, folder):
    """In double precision all; the sum of floats one by one has stalled."""
    done = case.run("--repeat", "2", "3294900", "--values", "ramp", "--json", folder / "record")
    if done.returncode == 3:
        pytest.skip(done.stderr)
    done.expect(0)
    assert metric(record_in(folder), "digits") > (13 if case.precision == "f64" else 5)


def test_a_plain_sum_of_floats_loses_digits(folder):
    run_model("serial", "100000000", "--values", "ramp", "--variant", "textbook", "--repeat", "1", "--json",
              folder / "record", workload="reduce").expect(0)
    assert metric(record_in(folder), "digits") < 2


@pytest.mark.parametrize("workload, options, part", [
    ("segments", ["100", "99"], "LENGTH: expected at most the 99 elements"),
    ("reduce", ["0"], "ELEMENTS"),
    ("reduce", ["--operator", "plus"], "--operator"),
    ("reduce", ["--values", "ones"], "--values"),
    ("reduce", ["--values", "ramp", "--operator", "min"], "--values: expected ramp with sums alone"),
])
def test_bad_values_are_refused(workload, options, part):
    expect_refused(workload, "serial", options, [part])


def test_operators_are_cases_of_their_own(folder):
    """For the driver to tell them apart."""
    for name in ("sum", "min"):
        run_model("serial", "40", "--operator", name, "--json", folder / "record", workload="reduce").expect(0)
    one, other = records_in(folder / "record")
    assert one["case"]["digest"] != other["case"]["digest"]
