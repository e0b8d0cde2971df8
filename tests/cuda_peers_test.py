# Tier: all (as cuda_test.cpp)
"""Libraries as peers on CUDA: programs find, call and check them, on a device that is none (fake_cuda.cpp)."""

import pytest
from every_model import record_in
from fake_device import BUILT, ON_HOST, FakeDevice
from programs import run_command

CUB = f'while [ $# -gt 1 ]; do [ "$1" = -o ] && exec cp {BUILT}/libfake_cuda.so "$2"; shift; done'


class Peers(FakeDevice):
    def install_cublas(self):
        self.install("libcublas.so")

    def install_nvcc(self, commands=CUB):
        """A compiler that ends with these commands."""
        nvcc = self.folder / "nvcc"
        version = "[ $1 = --version ] && echo 'tools, release 13.0, V13.0.88' && exit"
        nvcc.write_text(f"#!/bin/sh\n{version}\n{commands}\n")
        nvcc.chmod(0o700)

    def run_peer(self, workload, *words, environment=()):
        variant = "cublas" if workload in ("matmul", "magnetic_field") else "cub"
        scans = ["BOLTZMARK_TEST_SCANS=1"] if workload == "scan" else []
        return self.run(workload, *words, "--variant", variant, environment=[*environment, *scans])

    def settings(self, workload, *words, environment=()):
        """Those of a right run."""
        self.run_peer(workload, *words, "--json", self.folder / "record", environment=environment).expect(0)
        record = record_in(self.folder)
        assert (record["check"]["passed"], record["role"]) == (True, "peer")
        return record["settings"]


@pytest.fixture(name="cuda")
def fake_cuda(folder):
    return Peers(folder)


@pytest.mark.parametrize("workload, words, cores", [
    *(("matmul", [size], {"f64": "f64"}) for size in ("3x5x2", "37x61x45")),  # row by row
    *(("matmul", ["37x61x45", "--arithmetic", format], {"f32": format}) for format in ("tf32", "f16", "bf16")),
    ("magnetic_field", ["9", "--alpha", "0.7"], {"f64": "f64"})])  # modes by our kernels
def test_products_are_right_and_name_their_tensor_cores(workload, words, cores, cuda):
    """A and B are rounded, also with an odd number of entries."""
    cuda.install_cublas()
    for precision in ("f32",) if "--arithmetic" in words else ("f32", "f64"):
        settings = cuda.settings(workload, *words, "--precision", precision, environment=[ON_HOST])
        assert settings["library"] == "cuBLAS 1.2.3"
        assert settings.get("tensor_cores", "") == cores.get(precision, "")


def test_are_missed_in_one_line(cuda):
    """The toolkit's own library may be found, which has no device."""
    for workload in ("matmul", "magnetic_field"):
        cuda.run_peer(workload, "8").expect_line(3, "error: cublas: ")
    cuda.install_nvcc("echo 'nvcc fatal : no host compiler'; exit 1")
    for workload in ("reduce", "pi"):
        cuda.run_peer(workload, "8").expect_line(3, "error: cub: ", "no host compiler")


@pytest.mark.parametrize("workload", ["reduce", "scan", "pi"])
def test_are_compiled_once_and_kept(workload, cuda):
    cuda.install_nvcc()
    for use in ("miss", "hit"):
        settings = cuda.settings(workload, "10007")
        assert [settings[name] for name in ("library", "library_compiler", "library_cache")] == [
            "CUB 3.0.1", "nvcc 13.0", use]


@pytest.mark.parametrize("workload, timed", [("matmul", 7), ("reduce", 7), ("scan", 7), ("pi", 1)])
def test_a_lost_call_is_wrong(workload, timed, cuda):
    """The call of the first warm-up, or of the timed run, before which sums have five more. The very first call is no
    run; pi reloads its library before each, which counts its calls."""
    cuda.install_cublas()
    cuda.install_nvcc()
    for call, status in ((1, 1), (timed, 1), (timed + 1, 0)):
        cuda.run_peer(workload, "64", environment=[f"BOLTZMARK_TEST_LOSE={call} 1"]).expect(status)


@pytest.mark.parametrize("workload, variant", [
    ("matmul", "cublas"), *((workload, "cub") for workload in ("reduce", "scan", "pi"))])
def test_refuse_options_of_kernels(workload, variant, cuda):
    cuda.run_peer(workload, "8", "--nvrtc-options", "-G").expect(2, f"--nvrtc-options: {variant}")


def test_keep_memory_of_the_next_session(cuda):
    """A session that replaces another has enough memory, although the old session's is released only then."""
    run_command("env", f"LD_LIBRARY_PATH={cuda.folder}", BUILT / "cuda_test", "--gtest_also_run_disabled_tests",
                "--gtest_filter=CudaMemory.*").expect(0, "[  PASSED  ] 1 test.")
