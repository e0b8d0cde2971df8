"""STREAM in every model that is built: right for every size and way of running it, recorded as described, and strict
about its options."""

import pytest
from every_model import Way, every_model, expect_refused, need, record_in, thread_number
from programs import built_programs, expect_all_data_moves, optimised_kernels, run_model

# Arrays that each kernel reads and writes, by STREAM's count, in the order of their execution.
KERNELS = {"copy": (1, 1), "mul": (1, 1), "add": (2, 1), "triad": (2, 1), "dot": (2, 0)}


def ways(case):
    threads = (1, 2) if "threads" in case.can["takes"] else ()
    return case.ways_of_ranks([1, 2, 3]) + [Way(("--threads", thread_number(case.can, one))) for one in threads]


def expect_figures(record, elements, repeats, value_bytes):
    assert list(KERNELS) == [part["name"] for part in record["parts"]]
    assert record["case"]["extent"] == [elements]
    array, moved = elements * value_bytes, 0
    for part, (read, written) in zip(record["parts"], KERNELS.values()):
        assert part["bytes"] == part["bytes_held"] == array * (read + written)
        # Including lines that are read because they will be overwritten.
        assert part["bytes_moved"] == array * (read + written * (2 if record["write_allocate"] else 1))
        moved += part["bytes_moved"]
        assert len(part["seconds"]) == repeats and min(part["seconds"]) > 0
    (data,) = record["work"]["traffic"]
    assert data["per_update"] * elements == pytest.approx(moved, rel=1e-15)


@every_model("stream")
def test_is_right_for_every_size_and_way_of_running(case, folder):
    for way in ways(case):
        for elements in (1, 5, 1000003):
            done = case.run(str(elements), "--repeat", "2", "--json", folder / "record", way=way)
            if done.returncode == 3:
                pytest.skip(done.stderr)
            done.expect(0, *(f"\n{name} " for name in KERNELS))
            assert done.stdout.count("  right\n") == 5, str(done)
            record = record_in(folder)
            assert [record[name] for name in ("workload", "model", "precision")] == ["stream", case.model, case.precision]
            assert record["check"]["passed"] is True
            assert way.ranks in (0, record["ranks"])
            if way.options and record["device_type"] == "cpu":
                assert record["threads"] == int(way.options[1])
            expect_figures(record, elements, 2, 8 if case.precision == "f64" else 4)
            expect_all_data_moves(record)


@every_model("stream", precisions=["f32"])
def test_long_sums_are_right(case):
    """Sums of this many equal terms in single precision need care in every model."""
    with optimised_kernels():
        done = case.run("20000003", "--repeat", "1", "--quiet")
    if done.returncode == 3:
        pytest.skip(done.stderr)
    done.expect(0)
    assert not done.stdout + done.stderr


def test_the_size_is_by_default_four_times_the_caches(folder):
    """Small caches, for any of 256 cores, for the real one's may be gigabytes."""
    machine = ["env", "-u", "HWLOC_COMPONENTS", "HWLOC_SYNTHETIC=pack:1 l3:1(size=6MB) l2:256(size=1MB) core:1 pu:1"]
    run_model("serial", "--repeat", "1", "--json", folder / "record", workload="stream", before=machine).expect(0)
    facts = record_in(folder)["case"]["facts"]
    cache, array = facts["cache_bytes"], facts["bytes_per_array"]
    assert cache in (6e6, 6 << 20)
    assert 4 * cache <= array <= 4 * cache + 64


@pytest.mark.parametrize("options, parts", [
    *(([option, "3"], [option]) for option in ("--steps", "--out", "--image")),  # of another workload
    (["--variant", "fused"], ['--variant: expected one of plain, nt, found "fused"']),
    *(([elements], [elements]) for elements in ("0", "many", "1e6", "99999999999999999999")),
    *((["10", "--repeat", repeats], ["--repeat"]) for repeats in ("0", "501")),
    (["--precision", "f16"], ["f16"]),
    (["--threads", "2"], ["--threads"]),
    (["10", "--repeat", "1", "--json", "/no/such/folder/x"], ["/no/such/folder/x"]),
])
def test_bad_options_are_refused(options, parts):
    expect_refused("stream", "serial", options, parts)


@pytest.mark.parametrize("model, launcher", [(one["model"], one["launcher"]) for one in built_programs("stream")])
def test_arrays_that_do_not_fit_are_refused(model, launcher):
    need(model)
    expect_refused("stream", model, ["1000000000000"], ["expected three arrays that fit the memory", "GiB"],
                   3 if launcher else 0, 3)
