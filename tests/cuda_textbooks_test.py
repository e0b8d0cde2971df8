# Tier: all (as cuda_test.cpp)
"""The textbooks of CUDA, cuda/*/textbook.cu: they are right on a host that stands in for the device (host_cuda/), they
are CUDA for nvcc and for clang's CUDA front end, and they report failures."""

import pytest
from every_model import record_in
from fake_device import BUILT, CLANG, NVCC, FakeDevice
from programs import TOP, run_command

TEXTBOOK = ["--variant", "textbook"]


@pytest.fixture(name="fake")
def fake_cuda(folder):
    return FakeDevice(folder)


@pytest.fixture(name="cuda")
def fake_cuda_with_nvcc(fake):
    fake.install("nvcc", BUILT / "host_cuda/nvcc")
    return fake


def expect_right(cuda, workload, *words):
    cuda.run(workload, *TEXTBOOK, "--json", cuda.folder / "record", *words).expect(0)
    record = record_in(cuda.folder)
    assert record["check"]["passed"] is True
    assert record["role"] == "textbook"


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("params, obstacles", [
    ("13\n11\n20\n10\n0.1\n0.005\n1.7\n", "3 4 1\n5 5 1\n0 9 1\n12 10 1\n"),
    ("13\n9\n7\n12\n10\n0.1\n0.005\n1.7\n", "3 4 2 1\n5 5 1 1\n6 8 1 1 0.05\n7 8 1 1 -0.03\n"),
    ("70\n6\n2\n6\n10\n0.1\n0\n1.7\nstart taylor-green 0.02\n", "")], ids=["flat", "cube", "vortex"])
def test_lattice_boltzmann_is_right(params, obstacles, precision, cuda):
    (cuda.folder / "params").write_text(params)
    (cuda.folder / "obstacles").write_text(obstacles)
    expect_right(cuda, "lbm", "--precision", precision, "--no-output", "--check", "oracle", cuda.folder / "params",
                 cuda.folder / "obstacles" if obstacles else "none")


@pytest.mark.parametrize("workload, words", [
    ("stream", ["1003"]), ("stream", ["1003", "--precision", "f64"]), ("reduce", ["10007"]),
    ("reduce", ["513", "--operator", "min"]), ("reduce", ["777", "--operator", "xor", "--precision", "f64"]),
    ("matmul", ["37x61x45"]), ("matmul", ["3x35x2", "--precision", "f64"]), ("heat", ["70x9", "--start", "noise"]),
    ("heat", ["31x13", "--precision", "f64"])])
def test_other_workloads_are_right(workload, words, cuda):
    expect_right(cuda, workload, *words)


@pytest.mark.parametrize("workload, words, lost", [
    *(("matmul", ["9x7x5"], lost) for lost in ("0 1", "1 999")),
    *(("reduce", ["777"], lost) for lost in ("0 1", "1 1", "2 999", "3 999")),
    *(("heat", ["9x7", "--start", "noise", "--steps", "5"], lost) for lost in ("0 999", "8 1")),
    *(("stream", ["1003"], lost) for lost in ("2 1", "7 1", "9 1"))])
def test_a_lost_launch_is_wrong(workload, words, lost, cuda):
    """Launches of the first warm-up, of matmul one and of reduce two, then those from the second run on: that is the
    timed one where the first took long, or one of five more warm-ups. For heat, one of the last ones."""
    cuda.run(workload, *TEXTBOOK, *words, environment=[f"BOLTZMARK_TEST_LOSE={lost}"]).expect(1)


def test_what_is_missing_is_said_in_one_line(fake):
    """Without nvcc here it is that; else the toolkit's own is found, whose library has no device."""
    fake.run("stream", "8", *TEXTBOOK).expect_line(3, "error: textbook: ")


def test_a_failure_is_said_in_one_line(cuda):
    cuda.run("stream", "8", *TEXTBOOK, environment=["BOLTZMARK_TEST_NO_MEMORY=1"]).expect_line(
        3, "error: textbook: cudaMalloc(&a, n * sizeof(REAL)): out of memory\n")
    cuda.run("stream", "8", *TEXTBOOK, "--nvrtc-options", "-G").expect(2, "--nvrtc-options: textbook")


# A textbook with the host's definitions for it.
EVERY_SOURCE = pytest.mark.parametrize("workload, defines", [
    ("lbm", ["-DREAL=float"]), ("lbm", ["-DREAL=double", "-DLATTICE_D3Q19"]), ("stream", ["-DREAL=float"]),
    ("heat", ["-DREAL=double"]), ("matmul", ["-DREAL=float"]), ("reduce", ["-DREAL=float", "-DVALUE=float", "-DOP_MAX"]),
    ("reduce", ["-DREAL=double", "-DVALUE=uint64_t", "-DOP_AND"])])


@EVERY_SOURCE
def test_sources_are_cuda_for_nvcc(workload, defines, folder):
    if not NVCC:
        pytest.skip("no nvcc")
    run_command(NVCC, "-std=c++17", "-arch=sm_90", "-c", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra", "-o",
                folder / "textbook.o", "-I", TOP, *defines, TOP / f"cuda/{workload}/textbook.cu").expect(0)


@pytest.mark.parametrize("side", ["--cuda-host-only", "--cuda-device-only"])
@EVERY_SOURCE
def test_sources_are_cuda_for_clang(workload, defines, side):
    """Syntax alone: no header of CUDA's is needed."""
    if not CLANG:
        pytest.skip("no clang++ with a CUDA front end (clang-16)")
    run_command(CLANG, "-x", "cuda", side, "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "-std=c++17",
                "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-cuda-version", "-I", TOP / "tests/host_cuda",
                "-I", TOP, *defines, TOP / f"cuda/{workload}/textbook.cu").expect(0)
