# Tier: all (as cuda_test.cpp)
"""The model HIP without a GPU: on a fake driver (fake_cuda.cpp, fake_hip.cpp) its programs run kernels on the host,
with wavefronts of either size, and clang accepts the sources that they pass to hiprtc as HIP C++."""

import pytest
from every_model import record_in
from fake_device import CLANG, ON_HOST, FakeDevice
from programs import built_programs, can_run, description_of, run_command


@pytest.fixture(name="hip")
def fake_hip(folder):
    return FakeDevice(folder, "hip", ["libamdhip64.so", "libhiprtc.so"])


def flat(folder, nx, ny):
    (folder / "flat.params").write_text(f"{nx}\n{ny}\n6\n10\n0.1\n0.005\n1.7\n")
    return ["--no-output", folder / "flat.params", "none"]


@pytest.mark.parametrize("workload, words, wavefront", [
    ("reduce", ["10007"], 64), ("reduce", ["10007"], 32),
    ("reduce", ["10007", "--operator", "min", "--precision", "f64"], 64),
    ("reduce", ["1003", "--variant", "naive-fewest-barriers"], 64),
    ("scan", ["10007"], 64),
    ("lbm", ["--variant", "two-grid", "--work-group", "20x4"], 64),
    ("lbm", ["--variant", "two-grid", "--work-group", "20x4"], 32),
    ("lbm", ["--variant", "two-grid", "--storage", "f16", "--launches", "single"], 64),
])
def test_is_right_with_wavefronts_of_either_size(workload, words, wavefront, hip):
    """Sums over a wavefront's lanes if the last wavefront is not whole, and marches from one to the next."""
    problem = ["--check", "oracle", *flat(hip.folder, 13, 11)] if workload == "lbm" else []
    hip.run(workload, *words, *problem, "--json", hip.folder / "record",
            environment=[ON_HOST, f"BOLTZMARK_TEST_WAVEFRONT={wavefront}"]).expect(0)
    record = record_in(hip.folder)
    assert record["check"]["passed"] is True
    assert (record["model"], record["driver"]) == ("hip", "HIP 0.0, hiprtc 13.0")


@pytest.mark.parametrize("workload", [one["workload"] for one in built_programs() if one["model"] == "hip"])
def test_hands_hip_to_its_compiler(workload, hip):
    """Every variant as its program builds it. The compiler makes nothing here, so that each ends where kernels are
    loaded."""
    if not CLANG or "amdgcn" not in run_command(CLANG, "--print-targets").stdout:
        pytest.skip("no clang++ with AMD's GPUs (clang-16)")
    usual = {"lbm": flat(hip.folder, 64, 48), "nbody": ["8"]}.get(workload, [])
    own = {("binary_fluid", "fused"): ["--case", "spinodal"], ("galton", "uniform"): ["--precision", "f64"],
           ("pi", "points"): ["--method", "monte-carlo"]}
    refused = [("axes", "ranges"), ("matmul", "tensor"), ("scan", "items"), ("scan", "run-ahead")]
    for variant in description_of("hip", workload)["variants"]:
        name = variant["name"]
        done = hip.run(workload, "--variant", name, *own.get((workload, name), []), *usual,
                       environment=[ON_HOST, f"HIP_CLANG={CLANG}"])
        done.expect_line(3, f"error: {name}: expected a" if (workload, name) in refused else
                         "error: cannot load the HIP kernels: hipErrorOfTest from hipModuleLoadDataEx")


def test_says_what_is_missing(hip):
    (hip.folder / "libamdhip64.so").unlink()
    if can_run("hip"):
        pytest.skip("a HIP device is here")
    hip.run("stream", "8", environment=[f"ROCM_PATH={hip.folder}"]).expect_line(3, "error: no HIP ")


def test_lists_its_device_as_it_is(hip):
    hip.run("stream", "--list-devices").expect(0, "sub-groups of 64")
    hip.run("stream", "8", "--hiprtc-options", "-DNO_KERNEL", environment=[ON_HOST]).expect(0)
