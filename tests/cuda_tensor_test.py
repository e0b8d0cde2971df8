# Tier: all (as cuda_test.cpp)
"""Tensor cores on a host that stands in for the device (fake_cuda.cpp, host_cuda/tensor.h): every lane has the right
words of A, B and C, for any shapes; unsuitable devices and options are refused."""

import pytest
from every_model import record_in
from fake_device import ON_HOST, FakeDevice

TENSOR, GROUPS, DOUBLES = ["--variant", "tensor"], ["--variant", "tensor-groups"], ["--precision", "f64"]


@pytest.fixture(name="cuda")
def fake_cuda(folder):
    return FakeDevice(folder)


def run(cuda, *words, capability=9):
    """Local memory is an H200's."""
    return cuda.run("matmul", *words, environment=[ON_HOST, "BOLTZMARK_TEST_UNIT_LOCAL=233472",
                                                   f"BOLTZMARK_TEST_CAPABILITY={capability}"])


@pytest.mark.parametrize("words, cores", [
    *(([*TENSOR, *DOUBLES, "--step-depth", depth, "--tiling", "64x64/32x32"], "f64") for depth in ("4", "8", "16")),
    ([*TENSOR, *DOUBLES, "--tiling", "128x128/32x64"], "f64"), (TENSOR, "tf32"),
    *(([*TENSOR, "--arithmetic", format, "--tiling", "128x256/64x64"], format) for format in ("tf32", "f16")),
    ([*TENSOR, "--arithmetic", "bf16", "--tiling", "64x64/32x32"], "bf16"),
    *(([*GROUPS, "--arithmetic", format], format) for format in ("tf32", "f16", "bf16"))])
def test_products_are_right(words, cores, cuda):
    """Several blocks of C, and more blocks of depth than stages."""
    run(cuda, "257x140x301", *words, "--json", cuda.folder / "record").expect(0)
    record = record_in(cuda.folder)
    assert (record["check"]["passed"], record["settings"]["tensor_cores"]) == (True, cores)


@pytest.mark.parametrize("words, capability, variant", [
    (DOUBLES, 9, "tensor"), (DOUBLES, 8, "warp-tiles"), ([*DOUBLES, "--slices", "1"], 9, "warp-tiles"),
    ([], 9, "warp-tiles")])
def test_is_the_default_for_doubles_on_hopper(words, capability, variant, cuda):
    run(cuda, "65", *words, "--json", cuda.folder / "record", capability=capability).expect(0)
    assert record_in(cuda.folder)["variant"] == variant


def test_unsuitable_devices_and_options_are_refused(cuda):
    of_capability = "expected an NVIDIA device of compute capability"
    groups = f"tensor-groups: {of_capability} 9.0 with 201728 bytes"
    for capability in (8, 10):
        run(cuda, "8", *GROUPS, capability=capability).expect_line(3, groups)
    cuda.run("matmul", "8", *GROUPS).expect_line(3, groups)
    cuda.run("matmul", "8", *TENSOR, "--tiling", "128x256/64x64").expect_line(
        3, "tensor: expected 104448 bytes of local memory, a fake GPU has 49152")
    for capability, words, status, line in (
            (7, [], 3, f"tensor: {of_capability} 8.0 for tf32, found a fake GPU"),
            (8, DOUBLES, 3, f"tensor: {of_capability} 9.0 for f64, found a fake GPU"),
            (9, [*DOUBLES, "--arithmetic", "f16"], 2,
             "--arithmetic: expected it only with --precision f32, found f64 and f16"),
            (9, ["--step-depth", "4"], 2, "--step-depth: expected it only with --precision f64, found tf32"),
            (9, [*DOUBLES, "--tiling", "128x128/64x64"], 2, "--tiling: expected sums and words that fit the registers, "
             "found 128x128/64x64 in f64 with steps of 8")):
        run(cuda, "8", *TENSOR, *words, capability=capability).expect_line(status, line)
