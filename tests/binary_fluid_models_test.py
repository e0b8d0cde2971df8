"""The binary fluid in every model that is built: every variant is right for sizes that are not whole chunks, with all
options."""

import pytest
from every_model import Way, every_model, expect_refused, has_option, need, record_in, thread_number
from programs import optimised_kernels, run_model


def ways(case, variant):
    """Ranks start slowly, and drivers compile every VVL: these try few."""
    takes = {name for name in ("threads", "vvl", "work-group") if has_option(variant, name)}
    compiles, is_like_for_like = "work-group" in takes, variant["role"] == "like-for-like"
    if case.launcher:
        return [Way(ranks=3), *([Way(("--threads", "2"), 2)] if "threads" in takes else [])]
    found = [Way()]
    if "threads" in takes:
        found.append(Way(("--threads", thread_number(case.can, 3))))
    if compiles and variant["name"] == "original":
        found.append(Way(("--work-group", "7x1")))
    if "vvl" in takes and (not compiles or is_like_for_like):
        found += [Way(("--vvl", vvl)) for vvl in (("2", "32") if compiles else ("1", "2", "4", "8", "16", "32"))]
    return found


def expect_right(case, variant, way, folder, *words):
    done = case.run("--variant", variant["name"], "--json", folder / "record", *words, way=way)
    if done.returncode == 3:
        done.expect_line(3)  # a device that is not here
        return
    done.expect(0)
    record = record_in(folder)
    check, work = record["check"], record["work"]
    assert check["passed"] is True and check["against"] == "reference"
    assert record["metrics"][0]["name"] == "mlups"
    assert work["bytes_per_update"] > 0 and work["flops_per_update"] > 0
    if case.precision == "f64":  # matrices and moments are the same but for rounding
        assert max(one["value"] for one in check["deviations"]) < 1e-13, done


@pytest.mark.parametrize("kind, words", [("collision", ["7x5x6", "--steps", "2"]),
                                         ("spinodal", ["19x3x5", "--case", "spinodal", "--steps", "6"])])
@every_model("binary_fluid")
def test_is_right(case, kind, words, folder):
    for variant in case.can["variants"]:
        for way in ways(case, variant) if kind in variant["kinds"] else ():
            with optimised_kernels(case.is_by_default(way)):
                expect_right(case, variant, way, folder, *words)


@every_model("binary_fluid")
def test_simulates_other_scenes_right(case, folder):
    (last,) = (variant for variant in case.can["variants"] if variant["name"] == "fused")
    for words in (["16x12x3", "--case", "drop", "--steps", "4", "--gradients", "7"],
                  ["12x1x4", "--case", "interface", "--steps", "3", "--kappa", "0.02"]):
        expect_right(case, last, Way(), folder, *words)


@pytest.mark.parametrize("options, parts", [
    *(([size], ["expected N or NXxNYxNZ", size]) for size in ("0", "4x4", "4x4x", "5000", "many")),
    (["8", "--vvl", "3"], ["--vvl", '"3"']),
    (["8", "--variant", "fused"], ["--variant", "collision", "fused"]),
    (["8", "--variant", "original", "--case", "drop"], ["--variant", "drop", "original"]),
    (["8", "--image", "x.png"], ["--image"]),
    (["8", "--case", "drop", "--kappa", "-1"], ["--kappa", "-1"]),
])
def test_bad_values_are_refused(options, parts):
    expect_refused("binary_fluid", "serial", options, parts)


def test_more_planes_than_ranks_are_needed():
    need("mpi", "binary_fluid")
    run_model("mpi", "8x8x2", "--case", "drop", ranks=3, workload="binary_fluid").expect(2, "3 ranks")


def test_a_picture_is_written(folder):
    picture = folder / "phi.png"
    run_model("serial", "32x24x1", "--case", "drop", "--steps", "2", "--image", picture,
              workload="binary_fluid").expect(0)
    assert b"PNG" in picture.read_bytes()
