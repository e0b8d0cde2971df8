# Tier: all (as cuda_test.cpp)
"""--memory of CUDA's programs, on a host that stands in for the device (fake_cuda.cpp): arrays are where --memory asks
for them, and results are the same."""

import pytest
from every_model import record_in
from fake_device import ON_HOST, FakeDevice

NO_ROOM = ["BOLTZMARK_TEST_DEVICE_BYTES=4"]  # but for one word a buffer


@pytest.fixture(name="cuda")
def fake_cuda(folder):
    return FakeDevice(folder)


def record_of(cuda, workload, *words, environment=()):
    cuda.run(workload, "--json", cuda.folder / "record", *words, environment=[ON_HOST, *environment]).expect(0)
    record = record_in(cuda.folder)
    assert record["check"]["passed"] is True
    return record


@pytest.mark.parametrize("workload, words", [
    ("stream", ["1003"]), ("reduce", ["10007", "--variant", "eight-values"]),
    ("lbm", ["--variant", "two-grid", "--reduction", "halves", "--no-output", "--check", "oracle"])])
def test_is_where_it_was_asked_for(workload, words, cuda):
    """Without room on the device, modes that do not need it are right, and the others are refused."""
    if workload == "lbm":
        (cuda.folder / "flat.params").write_text("13\n11\n6\n10\n0.1\n0.005\n1.7\n")
        words = [*words, cuda.folder / "flat.params", "none"]
    for memory in ("managed", "host"):
        record = record_of(cuda, workload, *words, "--memory", memory, environment=NO_ROOM)
        assert record["settings"]["memory"] == memory
    cuda.run(workload, *words, "--memory", "device", environment=[ON_HOST, *NO_ROOM]).expect(3)
    assert "memory" not in record_of(cuda, workload, *words)["settings"]


@pytest.mark.parametrize("workload, words", [
    ("reduce", ["1"]), ("reduce", ["100003"]), ("reduce", ["10007", "--operator", "and", "--precision", "f64"]),
    ("scan", ["1"]), ("scan", ["100003"]), ("scan", ["4097", "--precision", "f64"]),
    ("scan", ["200003", "--work-group", "32x1"])])
def test_sums_of_any_size_are_right(workload, words, cuda):
    """By default: less than a vector, one tile, several with the last cut, and two vectors an item."""
    record = record_of(cuda, workload, *words)
    assert record["variant"] == ("run-ahead" if workload == "scan" else "vectors")


@pytest.mark.parametrize("nx, storage, steps", [(64, "f16", "4"), (64, "f32", "4"), (37, "f16", "4"), (37, "f32", "4"),
                                                (37, "f32", "2"), (37, "f32", "14")])
def test_several_steps_in_a_launch_are_right_in_halves_too(nx, storage, steps, cuda):
    """The wavefront in registers, by warps that are blocks of their own: here those of a block have to vote together.
    Even and odd rows, whose pairs of halves wrap; a last launch of fewer steps; both ends of --time-block, at which the
    grid is smaller than a strip and a warp needs all its information about walls."""
    params, obstacles = cuda.folder / "flat.params", cuda.folder / "flat.dat"
    params.write_text(f"{nx}\n29\n19\n10\n0.1\n0.005\n1.85\n")
    obstacles.write_text("3 4 1\n20 27 1\n36 5 1\n0 11 1\n12 0 1\n")
    record = record_of(cuda, "lbm", "--variant", "time-block", "--time-block", steps, "--work-group", "32x1",
                       "--launches", "single", "--storage", storage, "--no-output", "--check", "reference", params,
                       obstacles)
    assert record["settings"]["storage"] == storage


@pytest.mark.parametrize("words, line", [(["--memory", "hbm"], "--memory"), (
    ["--variant", "textbook", "--memory", "host"], "--memory: textbook does not take it")])
def test_is_refused_where_it_cannot_be(words, line, cuda):
    cuda.run("stream", "1003", *words).expect(2, line)
