# Tier: all (an optional model, whose programs are compiled for it alone)
"""The programs of sycl/ on a stand-in for SYCL (host_sycl/), as a processor and as a GPU: they are right on sizes that
are multiples of nothing, and the check detects wrong results."""

import pytest
from every_model import record_in
from fake_device import BUILT
from programs import run_command


def run(workload, *words, environment=()):
    return run_command("env", *environment, BUILT / f"host_sycl/{workload}-sycl", *words)


def problem(folder, name):
    params, obstacles = {
        "flat": ("37\n11\n21\n10\n0.1\n0.005\n1.7\n", "3 4 1\n5 5 1\n0 9 1\n36 10 1\n"),
        "cube": ("37\n9\n5\n12\n10\n0.1\n0.005\n1.7\n", "3 4 2 1\n5 5 1 1\n6 8 1 1 0.05\n7 8 1 1 -0.03\n")}[name]
    (folder / "params").write_text(params)
    (folder / "obstacles").write_text(obstacles)
    return ["--no-output", "--check", "reference", folder / "params", folder / "obstacles"]


@pytest.mark.parametrize("workload, words", [
    ("stream", ["1003"]), ("reduce", ["10007"]), ("reduce", ["513", "--operator", "min"]), ("scan", ["140007"]),
    ("scan", ["1"]), ("heat", ["70x9", "--start", "noise"]), ("heat", ["31x29"]), ("matmul", ["137x61x45"]),
    ("matmul", ["3x35x2"]), ("lbm", "flat"), ("lbm", "cube"), ("pi", ["30011"]), ("galton", ["1237x35"]),
    ("nbody", ["131", "--steps", "5"]), ("shallow-water", ["33x47", "--steps", "9"]), ("xray", ["13x17"]),
    ("xray", ["7x10", "--scene", "homogeneous"]), ("magnetic-field", ["13", "--alpha", "0.7"]),
    ("lbm-cylinder", ["21x37", "--steps", "9"]), ("binary-fluid", ["9x7x5", "--case", "spinodal", "--steps", "3"])])
def test_every_variant_is_right_on_both_devices(workload, words, folder):
    words = problem(folder, words) if workload == "lbm" else words
    runs = 0
    for line in run(workload, "--list-variants").expect(0).stdout.splitlines():
        columns = line.split("\t")  # name, precisions, summary, options, kinds
        if len(columns) < 5:
            continue
        method = ["--method", columns[4]] if workload == "pi" else []
        for device in ("cpu", "gpu"):
            for precision in ("f32", "f64"):
                if precision in columns[1]:
                    run(workload, "--repeat", "1", "--no-tuned", "--variant", columns[0], "--device", device,
                        "--precision", precision, "--json", folder / "record", *words, *method).expect(0)
                    assert record_in(folder)["check"]["passed"] is True
                    runs += 1
    assert runs >= 4


@pytest.mark.parametrize("lost", ["0 9999", "3 9999"])
@pytest.mark.parametrize("device", ["cpu", "gpu"])
@pytest.mark.parametrize("workload, words", [
    ("stream", ["1003"]), ("reduce", ["777"]), ("scan", ["1003"]), ("heat", ["9x7", "--start", "noise", "--steps", "5"]),
    ("matmul", ["9x7x5"]), ("lbm", "flat"), ("nbody", ["37"])])
def test_lost_kernels_are_wrong(workload, words, device, lost, folder):
    """All kernels but the first few are lost: the last ones write the results."""
    words = problem(folder, words) if workload == "lbm" else words
    run(workload, "--no-tuned", "--device", device, *words, environment=[f"BOLTZMARK_TEST_LOSE={lost}"]).expect(1)


@pytest.mark.parametrize("wanted, kind", [("", "gpu"), ("1", "gpu"), ("Other", "gpu"), ("no GPU", "gpu"), ("0", "cpu"),
                                          ("cpu", "cpu")])
def test_devices_of_backends_are_told_apart(wanted, kind, folder):
    run("reduce", "777", "--no-tuned", "--json", folder / "record", *(["--device", wanted] if wanted else [])).expect(0)
    record = record_in(folder)
    assert record["device_type"] == kind
    assert record["driver"] == ("host_sycl's other 1, SYCL" if kind == "gpu" else "host_sycl 1, SYCL")


@pytest.mark.parametrize("device, environment, status, line", [
    ("gpu", ["BOLTZMARK_TEST_NO_MEMORY=1"], 3, "cannot allocate"), ("accelerator", [], 3, "no SYCL accelerator"),
    ("2", [], 2, "a number below 2")])
def test_what_is_missing_is_said_in_one_line(device, environment, status, line):
    run("reduce", "777", "--device", device, environment=environment).expect_line(status, line)
