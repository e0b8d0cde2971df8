"""The workloads that are written once in common/target's layer, in every model that is built: right in each variant,
precision and vector length, on sizes that fit no vector, over ranks, and from a file as from the start."""

import json
import math
import os
import re
import shutil
import struct
import tempfile
from pathlib import Path

import pytest
from every_model import Way, every_model, expect_refused, need, record_in
from programs import expect_all_data_moves, is_built, optimised_kernels, run_model

# A workload's arguments, those that choose a kind among them, that all its variants together need.
PROBLEMS = {
    "pi": [["100003"], ["30011", "--method", "monte-carlo"]],
    "galton": [["1237x35", "--steps", "2"]],
    "nbody": [["131", "--steps", "5"]],
    "shallow_water": [["33x47", "--steps", "9"], ["24", "--steps", "7"]],
    "xray": [["13x17", "--scene", "bodies"], ["7x10", "--scene", "homogeneous"]],
    "magnetic_field": [["13", "--alpha", "0.7"]],
    "lbm_cylinder": [["21x37", "--steps", "9"], ["34x19", "--steps", "7", "--outlet", "pressure"]],
}


def kind_in(words):
    """The kind of problem that a variant must support."""
    return next((words[i + 1] for i, word in enumerate(words) if word in ("--method", "--outlet", "--scene")), "")


def variants_for(case, words):
    kind = kind_in(words)
    for variant in case.can["variants"]:
        kinds = variant["kinds"]
        if not kinds or kind in kinds or (not kind and kinds[0] == "leibniz"):
            yield variant


def expect_right(case, folder, *words, ranks=0):
    done = case.run("--repeat", "1", "--json", folder / "record", *words, way=Way(ranks=ranks))
    done.expect(0, "right against reference")
    record = record_in(folder)
    if case.workload != "xray":  # a march may meet no voxel
        expect_all_data_moves(record)


def is_here(case, variant, words):
    """Whether the library of a peer is installed; if not, the program must say so."""
    done = case.run(*words) if variant["role"] == "peer" else None
    if done and done.returncode == 3:
        done.expect_line(3)
    return not done or done.returncode != 3


@every_model(*PROBLEMS)
def test_is_right(case, folder):
    need(case.model, case.workload)
    for problem in PROBLEMS[case.workload]:
        for variant in variants_for(case, problem):
            if case.precision not in variant["precisions"]:
                continue
            words = [*problem, "--variant", variant["name"]]
            with optimised_kernels(case.precision == variant["precisions"][0]):
                for ranks in ((0, 2, 3) if case.launcher else (0,)) if is_here(case, variant, words) else ():
                    expect_right(case, folder, *words, ranks=ranks)
        # Where each is kernels to be compiled, the precisions share them.
        for vvl in ("1", "2", "32"):
            if not case.compiles or (case.precision == "f64") == (vvl == "2"):
                expect_right(case, folder, *problem, "--vvl", vvl)


@every_model(*PROBLEMS)
def test_is_right_in_any_order_and_group(case, folder):
    """Neighbouring work-items down columns, in groups that are tiles, of which some reach beyond the sites."""
    need(case.model, case.workload)
    if case.model not in ("opencl", "openmp_target") or case.precision != "f64":
        pytest.skip("the kernels of one device and precision are enough")
    for problem in PROBLEMS[case.workload]:
        for variant in variants_for(case, problem):
            words = [*problem, "--variant", variant["name"], "--order", "columns"]
            expect_right(case, folder, *words)
            if case.model == "opencl":
                expect_right(case, folder, *words, "--work-group", "32x3")
        if case.model == "opencl":
            expect_right(case, folder, *problem, "--work-group", "5x3", "--vvl", "1")


@pytest.fixture(name="settings_of")
def settings_of_shallow_water(folder):
    def run(model, *words):
        need(model, "shallow_water")
        run_model(model, "20", "--repeat", "1", "--json", folder / "record", *words, workload="shallow_water").expect(0)
        return record_in(folder)["settings"]

    return run


def test_order_and_group_are_in_the_record(settings_of):
    usual, asked = settings_of("opencl"), settings_of("opencl", "--order", "columns", "--work-group", "8x4")
    assert usual["order"] == "rows"
    assert (asked["order"], asked["work_group"]) == ("columns", "8x4")


def test_order_is_of_target_regions_too(settings_of):
    assert settings_of("openmp_target", "--order", "columns")["order"] == "columns"
    expect_refused("shallow_water", "openmp", ["20", "--order", "columns"], ["--order"])


def numbers_in(file):
    return [value for (value,) in struct.iter_unpack("d", file.read_bytes())]


def write_numbers(file, values):
    file.write_bytes(struct.pack(f"{len(values)}d", *values))


def test_files_are_taken_up_where_they_were_left(folder):
    """Twice 4 steps with a file between are the same as 8."""
    need("openmp", "lbm_cylinder")
    for words in (["8", "--output", folder / "whole"], ["4", "--output", folder / "half"],
                  ["4", "--input", folder / "half", "--output", folder / "again"]):
        run_model("openmp", "17x23", "--precision", "f64", "--repeat", "1", "--steps", *words,
                  workload="lbm_cylinder").expect(0)
    whole, again = (numbers_in(folder / f"{name}.fIn.f64") for name in ("whole", "again"))
    assert len(whole) == 9 * 17 * 23
    assert again == pytest.approx(whole, rel=0, abs=1e-14)


@pytest.mark.parametrize("workload", [workload for workload in PROBLEMS if is_built("serial", workload)])
def test_runs_are_not_begun_where_a_file_cannot_be_written(workload, folder):
    words = [*PROBLEMS[workload][0], "--repeat", "1"]
    (folder / "whole").mkdir()
    run_model("serial", *words, "--output", folder / "whole/r", workload=workload).expect(0)
    written = [file.name for file in (folder / "whole").iterdir()]
    assert written
    for name in written:
        with tempfile.TemporaryDirectory() as other:
            (Path(other) / name).mkdir()
            done = run_model("serial", *words, "--output", f"{other}/r", workload=workload).expect(2)
            assert name in done.stderr and "rate:" not in done.stdout, str(done)
            assert os.listdir(other) == [name]


def test_files_are_of_finite_numbers_and_tell_cases_apart(folder):
    need("serial", "shallow_water")
    file, words = folder / "in.H.f64", ["20x20", "--steps", "2", "--repeat", "1"]
    given = [*words, "--input", folder / "in"]

    def digest(*of_run):
        run_model("serial", *of_run, "--json", folder / "record", workload="shallow_water").expect(0)
        return record_in(folder)["case"]["digest"]

    def write(value):
        write_numbers(file, [1.0] * 3 + [value] + [1.0] * 396)

    def refused(found):
        expect_refused("shallow_water", "serial", given, [f"{file}: expected", found])
        shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink(missing_ok=True)

    write(1.25)
    first = digest(*given)
    assert digest(*given) == first != digest(*words)
    write(1.5)
    assert digest(*given) != first
    for value in (math.nan, math.inf, -math.inf):
        write(value)
        refused(f"found {value} as number 3")
    os.mkfifo(file, 0o600)
    refused("found a pipe")
    file.symlink_to("/dev/zero")
    refused("found a device")
    file.mkdir()
    refused("found a folder")
    refused("found no such file")


def test_what_flows_in_flows_out():
    """With the density kept at the outlet the flow through an open channel becomes steady."""
    need("openmp", "lbm_cylinder")
    done = run_model("openmp", "26x60", "--steps", "8000", "--reynolds", "5", "--outlet", "pressure", "--precision",
                     "f64", "--repeat", "1", workload="lbm_cylinder").expect(0, "outflow_over_inflow:")
    assert float(re.search(r"outflow_over_inflow:\s*(\S+)", done.stdout)[1]) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("mass, apart, in_one_place, precision, is_compared", [
    (1.0, 20.0, 1, "f32", True), (2e30, 20.0, 1, "f32", True), (2e30, 4e11, 2, "f32", False),
    (2e30, 4e11, 2, "f64", False), (2e30, 4e13, 2, "f64", True)])
def test_close_bodies_are_no_fault(mass, apart, in_one_place, precision, is_compared, folder):
    """Fifty bodies on a diagonal: closer than single precision tells apart they are right step by step; pairs in one
    place meet others so often that rounding alone takes them elsewhere, and of these only the last step is compared."""
    need("serial", "nbody")
    write_numbers(folder / "in.m.f64", [mass * (1 + 0.37 * (i * i % 11) / 11) for i in range(50)])
    for axis in "xyz":
        write_numbers(folder / f"in.{axis}.f64", [apart * (i // in_one_place) for i in range(50)])
    done = run_model("serial", "--input", folder / "in", "--steps", "25", "--precision", precision, "--repeat", "1",
                     "--check", "reference", workload="nbody").expect(0, "last step")
    assert ("displacement" in done.stdout) == is_compared, str(done)


def test_nearly_still_water_is_no_fault(folder):
    """It flows by small differences of large pressures, which single precision rounds."""
    need("serial", "shallow_water")
    write_numbers(folder / "in.H.f64", [1 + 1e-3 * i for i in range(400)])
    run_model("serial", "20x20", "--input", folder / "in", "--steps", "3", "--precision", "f32", "--repeat", "1",
              "--check", "reference", workload="shallow_water").expect(0)


@pytest.mark.parametrize("model, workload, words, part", [
    ("opencl", "shallow_water", ["20", "--order", "diagonals"], "--order"),
    ("opencl", "shallow_water", ["20", "--work-group", "4x4x2"], "--work-group: expected XxY, found 4x4x2"),
    ("opencl", "magnetic_field", ["9", "--variant", "row-sums-segmented", "--work-group", "12x2"],
     "--work-group: expected X a multiple of 8"),
    ("serial", "pi", ["3x4"], "expected number of terms or points, 1 number from 1 to"),
    ("serial", "pi", ["1000", "--method", "monte-carlo", "--generator", "mt19937"], "expected philox"),
    ("serial", "pi", ["1000", "--method", "monte-carlo", "--variant", "fused"],
     "expected --method leibniz, found monte-carlo"),
    ("serial", "galton", ["100"], "expected BEANSxHEIGHT"),
    ("serial", "nbody", ["3x3"], "expected"),
    ("serial", "shallow_water", ["15"], "expected"),
    ("serial", "shallow_water", ["40x20"], "expected"),
    ("serial", "magnetic_field", ["9", "--alpha", "1.5"], "--alpha"),
    ("serial", "magnetic_field", ["2"], "expected"),
    ("serial", "lbm_cylinder", ["4x9"], "expected HEIGHTxWIDTH"),
    ("serial", "lbm_cylinder", ["9x9", "--input", "/nowhere/x"],
     "/nowhere/x.fIn.f64: expected a file of numbers of 8 bytes, found no such file"),
])
def test_what_makes_no_sense_is_refused(model, workload, words, part):
    need(model, workload)
    expect_refused(workload, model, words, [part])
