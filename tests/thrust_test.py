# Tier: all (optional models)
"""Peculiar to Thrust: a system, which the record names, its threads, and sources that are also CUDA. Peculiar to
OpenACC: without a GPU it uses the processor, with a line that says so."""

import re

import pytest
from every_model import expect_refused, need, record_in
from fake_device import NVCC
from programs import TOP, run_command, run_model


def record_of(folder, workload, *words):
    need("thrust", workload)
    run_model("thrust", *words, "--json", folder / "record", workload=workload).expect(0)
    return record_in(folder)


def test_thrust_names_its_version_and_system(folder):
    driver = record_of(folder, "stream", "1003", "--repeat", "2")["driver"]
    assert re.fullmatch(r"Thrust \d+\.\d+\.\d+, (OpenMP|TBB|C\+\+|CUDA)", driver), driver


def test_thrust_adds_up_the_same_on_any_number_of_threads(folder):
    plate = ["37x53", "--start", "noise", "--steps", "11", "--repeat", "1"]
    if ", OpenMP" not in record_of(folder, "heat", *plate)["driver"]:
        pytest.skip("no --threads")
    deltas = set()
    for threads in (1, 2, 5):
        record = record_of(folder, "heat", *plate, "--threads", str(threads))
        assert record["threads"] == threads
        deltas.add(record["case"]["facts"]["last_delta"])
    assert len(deltas) == 1, deltas


def test_thrust_is_cuda_for_nvcc(folder):
    """As thrust/CMakeLists.txt has its sources compiled: the one that is compiled soonest."""
    if not NVCC:
        pytest.skip("no nvcc")
    run_command(NVCC, "-x", "cu", "-std=c++20", "-arch=sm_90", "-ptx", "-Werror", "all-warnings",
                "--expt-relaxed-constexpr", "--extended-lambda", "--diag-suppress=20014", "-DFMT_USE_CONSTEXPR=1",
                "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CUDA", "-I", TOP, "-o", folder / "kernels.ptx",
                TOP / "thrust/scan/main.cpp").expect(0)


SIZE = ["1003", "--repeat", "2"]


@pytest.fixture(name="openacc")
def openacc_without_gpu():
    need("openacc", "stream")
    devices = run_model("openacc", "--list-devices", workload="stream").stdout
    if devices.count("\n") > 1:
        pytest.skip(f"it has a GPU: {devices}")


def test_openacc_says_that_it_runs_on_the_processor(openacc):
    unasked = run_model("openacc", *SIZE, workload="stream").expect(0)
    assert "one thread of the processor" in unasked.stderr and unasked.stderr.count("\n") == 1, str(unasked)
    assert run_model("openacc", *SIZE, "--device", "cpu", workload="stream").expect(0).stderr == ""


def test_openacc_does_not_fall_back_from_a_gpu_that_was_asked_for(openacc, monkeypatch):
    expect_refused("stream", "openacc", [*SIZE, "--device", "gpu"], ["expected a GPU"], status=3)
    expect_refused("stream", "openacc", [*SIZE, "--device", "7"], ["from 0 to 0"])
    monkeypatch.setenv("ACC_DEVICE_TYPE", "nvidia")
    expect_refused("stream", "openacc", SIZE, ["expected a GPU"], status=3)
