"""Words, the comparison of two results, and published.json."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest
from samples import REPORT, ROOT, all_rows, make_results, run

import compare  # pylint: disable=wrong-import-order
import words  # pylint: disable=wrong-import-order
from figures import read_results  # pylint: disable=wrong-import-order
from published import Published  # pylint: disable=wrong-import-order
from table import latex_text  # pylint: disable=wrong-import-order


@pytest.mark.parametrize("value, digits, text",
                         [(35.2, 4, "35.20"), (0.0612, 3, "0.0612"), (124356.0, 4, "124356"), (1.3e-6, 2, "1.3e-06"),
                          (0, 4, "0"),
                                                 (9.9999, 4, "10.00"), (float("nan"), 4, words.NONE),
                          (None, 4, words.NONE), (-0.5, 3, "-0.500")])
def test_numbers(value: float, digits: int, text: str) -> None:
    assert words.significant(value, digits) == text


def test_names() -> None:
    assert words.grid_text("128x256") == "128\u00a0\u00d7\u00a0256" and words.grid_text("box_8x8") == "box_8x8"
    assert words.shortened("abcdefghij", 5) == "ab\u2026ij" and words.file_name("a b/<c>") == "a-b-c"
    assert words.percent(0.0123) == "1.2 %" and words.percent(1.9) == "190 %"
    assert latex_text("a--b_c") == "a-{}-b\\_c"


def brute_force_p(a: list[float], b: list[float]) -> float:
    both = [*a, *b]
    ranks = [sum(x < y for x in both) + (sum(x == y for x in both) + 1) / 2 for y in both]
    mean = len(a) * (len(both) + 1) / 2
    far = [abs(sum(choice) - mean) >= abs(sum(ranks[:len(a)]) - mean) - 1e-9
           for choice in itertools.combinations(ranks, len(a))]
    return sum(far) / len(far)


@pytest.mark.parametrize("a, b", [([1, 2, 3, 4], [5, 6, 7, 8]), ([1, 1, 2, 5], [1, 3, 3]), ([4.0] * 4, [4.0] * 4),
                                  ([9, 8, 1, 7, 3], [2, 2, 9, 4])])
def test_mann_whitney_against_every_way_to_divide_the_values(a: list[float], b: list[float]) -> None:
    assert compare.mann_whitney(a, b) == pytest.approx(brute_force_p(a, b))


def test_noise() -> None:
    assert compare.decide([1, 2, 3, 4], [5, 6, 7, 8]) == (True, pytest.approx(2 / 70))
    assert compare.decide([1, 2, 3], [6, 7, 8]) == (True, None) and compare.decide([1, 2, 3], [2, 3, 4]) == (False,
        None)
    assert compare.decide([1], [2, 3, 4]) == (None, None) and compare.decide([1, 2], [3, 4]) == (None, None)


def test_two_results_side_by_side(tmp_path: Path) -> None:
    slow = [run("serial", "fused", 4.0), run("openmp", "fused", 2.0), run("mpi", "fused", 2.0)]
    fast = [run("serial", "fused", 1.0), run("openmp", "fused", 2.0), run("opencl", "fused", 2.0)]
    a, b = (make_results(tmp_path / name, rows) for name, rows in (("a", slow), ("b", fast)))
    done = subprocess.run([sys.executable, str(REPORT / "main.py"), "--compare", str(a), str(b), "--out",
                           str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    runs = compare.runs(read_results(a), read_results(b)).frame.set_index("model")
    assert runs["difference"].to_dict() == {"serial": "B faster", "openmp": "within noise", "mpi": "only in A",
                                            "opencl": "only in B"}
    assert runs["ratio"]["serial"] == 4.0 and (tmp_path / "tables" / "compare-peaks.csv").exists()
    page = (tmp_path / "comparison.html").read_text()
    assert "2 of 4 runs have a counterpart that is right: B faster in 1 (4.00 times), within noise in 1. " in done.stdout
    assert "B faster in 1 (4.00 times)" in page and "1 only in A, 1 only in B." in page and "data:image/svg+xml" in page
    assert (tmp_path / "plots" / "ratios-lbm.pdf").exists()


def test_rates_are_compared_where_only_the_steps_differ(tmp_path: Path) -> None:
    a = make_results(tmp_path / "a", [run("serial", "fused", 4.0, steps=2000)])
    b = make_results(tmp_path / "b", [run("serial", "fused", 40.0, steps=40000)])
    frame = compare.runs(read_results(a), read_results(b)).frame
    assert list(frame["ratio"]) == [2.0] and list(frame["steps"]) == ["2000 and 40000"]
    assert "Of 1 the numbers of steps differ: rates are compared." in compare.lines(frame)[0]
    none = make_results(tmp_path / "none", [run("openmp", "fused", 4.0)])
    assert compare.lines(compare.runs(read_results(a), read_results(none)).frame) == [
        "0 of 2 runs have a counterpart that is right: A and B have no work in common."]


def test_a_device_of_another_name_is_paired_where_there_is_no_choice(tmp_path: Path) -> None:
    a = make_results(tmp_path / "a", [run("opencl", "fused", 2.0, device="old GPU")])
    b = make_results(tmp_path / "b", [run("opencl", "fused", 1.0, device="new GPU")])
    assert list(compare.runs(read_results(a), read_results(b)).frame["ratio"]) == [2.0]


def test_published_figures_refer_to_what_is_there() -> None:
    published = Published(REPORT / "published.json")
    data = published.data
    for group in [data["stream"], data["optimisation_steps"], data["models"], data["rates"], data["work_groups"],
                  *data["best_times"], *data["figures"]]:
        assert group["source"] in published.sources
        rows = [group, *group.get("runs", []), *group.get("rows", []), *group.get("points", [])]
        assert all(row.get("hardware", "k20m") in published.hardware for row in rows)
        seconds = [row["seconds"] for row in [*rows, *group.get("steps", [])] if isinstance(row.get("seconds"), dict)]
        assert all(name in published.problems for names in seconds for name in names)
    # Units and hardware stand with each; what has none says so.
    assert all(figure["unit"] and figure["value"] > 0 for figure in data["figures"])
    assert not [f for f in data["figures"] if f["unit"] == "MB"]


def test_rates_of_table_iv_follow_from_the_seconds_of_table_iii() -> None:
    data = json.loads((REPORT / "published.json").read_text())
    seconds = {run["label"]: run["seconds"].get("1024x1024") for run in data["models"]["runs"]}
    for row in data["rates"]["rows"]:
        rate = 1e-9 * 1024 * 1024 * 72 * 20000 / seconds[row["label"]]
        assert rate == pytest.approx(row["gb_per_s"], rel=0.015)
        assert row["flop_per_byte"] == pytest.approx(row["flops_per_update"] / 72, rel=0.003)


def test_standard_problems_are_those_of_the_inputs() -> None:
    for problem in json.loads((REPORT / "published.json").read_text())["problems"]:
        numbers = [float(line) for line in (ROOT / "inputs" / f"input_{problem['name']}.params").read_text().split()]
        assert numbers == [problem[key] for key in ("nx", "ny", "iterations", "reynolds_dim", "density", "accel",
                                                    "omega")]


def test_reductions_stand_on_the_right_rungs() -> None:
    figures = {(f["group"], f["what"]): f["value"]
               for f in json.loads((REPORT / "published.json").read_text())["figures"] if f["source"] == "E"}
    large, small = "reduction of 805306368 floats", "reduction of 524288 floats"
    assert figures[large, "naive tree, a barrier every round"] == 15.88 and figures[large,
        "naive tree, fewest barriers"] == 34.37
    assert [figures[small, f"divide-and-conquer hybrid, {k} elements"] for k in (2, 4, 8)] == [37.43, 45.02, 44.85]
    assert not [what for group, what in figures if group == small and "tree" in what]


def test_what_of_the_sample_is_read(tmp_path: Path) -> None:
    results = read_results(make_results(tmp_path))
    assert len(results.runs) + len(results.tuning) == len(all_rows()) and len(results.tuning) == 3 and not results.complaints
