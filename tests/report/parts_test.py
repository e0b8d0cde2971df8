"""Words, the comparison of two results, and published.json."""

import csv
import json
import re
from pathlib import Path

import pytest
from matplotlib.text import Annotation
from samples import COLUMNS, COMPARISON, DECLARED, REPORT, ROOT, all_rows, make_results, report, run, table_of

import roofline  # pylint: disable=wrong-import-order
import words  # pylint: disable=wrong-import-order
from figures import read_results  # pylint: disable=wrong-import-order
from style import Look  # pylint: disable=wrong-import-order
from table import Column, Table, latex_text  # pylint: disable=wrong-import-order


def test_counters_are_an_arrow(tmp_path: Path) -> None:
    measured = {"measured_bytes_per_update": 144, "measured_flops_per_update": 80}
    results = read_results(make_results(tmp_path, [run("serial", "fused", 4.0, **measured), run("openmp", "fused", 2.0),
                                                   run("mpi", "fused", 2.0, measured_bytes_per_update=144)]))
    assert results.runs["measured_flop_per_byte"].fillna(0).round(4).tolist() == [0.5556, 0, 0.5139]
    plot = next(iter(roofline.charts(results, Look(results.runs)))).plots[0]
    arrows = [text.xy for axes in plot.draw().axes for text in axes.texts
              if isinstance(text, Annotation) and text.arrowprops and text.arrowprops["arrowstyle"] == "->"]
    assert sorted(round(x, 4) for x, _ in arrows) == [0.5139, 0.5556]


@pytest.mark.parametrize("value, digits, text",
                         [(35.2, 4, "35.20"), (0.0612, 3, "0.0612"), (124356.0, 4, "124356"), (1.3e-6, 2, "1.3e-06"),
                          (0, 4, "0"),
                                                 (9.9999, 4, "10.00"), (float("nan"), 4, words.NONE),
                          (None, 4, words.NONE), (-0.5, 3, "-0.500")])
def test_numbers(value: float, digits: int, text: str) -> None:
    assert words.significant(value, digits) == text


def test_names_of_somebody_elses_records_are_text(tmp_path: Path) -> None:
    """In the name of a file, and in a title of Markdown."""
    Table("runs-a/b\n../c_d", "Runs of <img> [x](y)", [{"case": "1|2"}],
          [Column("case", "case", {"1|2": "1|2"})]).write(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"runs-a-b-..-c_d.{ending}" for ending in ("csv", "md", "tex")]
    text = (tmp_path / "runs-a-b-..-c_d.md").read_text(encoding="utf-8")
    assert r"## Runs of \<img\> \[x\](y)" in text and r"1\|2" in text


def test_names() -> None:
    assert words.grid_text("128x256") == "128\u00a0\u00d7\u00a0256" and words.grid_text("box_8x8") == "box_8x8"
    assert words.shortened("abcdefghij", 5) == "ab\u2026ij" and words.file_name("a b/<c>") == "a-b-c"
    assert words.percent(0.0123) == "1.2 %" and words.percent(1.9) == "190 %"
    assert latex_text("a--b_c") == "a-{}-b\\_c"


def pair(model: str, verdict: str, **more: object) -> dict[str, object]:
    """A row of comparison.csv."""
    both = {"steps": 40000, "threads": 1, "ranks": 1, "rounds": 5, "status": "ok", "device": "A CPU"}
    row = {"workload": "lbm", "model": model, "variant": "fused", "precision": "f32", "case": "128x128", "verdict": verdict,
           **{f"{side}_{name}": value for side in ("reference", "new") for name, value in both.items()},
           "speed_up": 2.0, "speed_up_low": 1.9, "speed_up_high": 2.1, "p_adjusted": 0.01}
    return {**row, **more}


def test_two_results_side_by_side(tmp_path: Path) -> None:
    a, b = (make_results(tmp_path / name, [run("serial", "fused", 4.0)]) for name in "ab")
    pairs = [pair("serial", "faster"), pair("openmp", "within noise", speed_up=1.0),
             pair("mpi", "only in REF", new_status="", speed_up=None), pair("openmp", "slower", workload="stream", part="triad")]
    comparison = tmp_path / "comparison.csv"
    with comparison.open("w", newline="", encoding="utf-8") as out:
        table = csv.DictWriter(out, COMPARISON)
        table.writeheader()
        table.writerows(pairs)
    (tmp_path / "columns.json").write_text(DECLARED)
    made = [table_of(f"compare-{name}", name, "", [{"model": "serial", "verdict": "faster"}], "model", "verdict")
            for name in ("runs", "parts", "peaks", "provenance")]
    (tmp_path / "tables.json").write_text(json.dumps({"tables": made, "said": ["B faster in 1."]}))
    done = report("--compare", a, b, "--comparison", comparison, "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("B faster in 1.\n")
    page = (tmp_path / "out" / "comparison.html").read_text()
    assert all(f'id="of-compare-{name}"' in page for name in ("runs", "parts", "peaks", "provenance"))
    plot, = (tmp_path / "out" / "plots").glob("ratios-*.svg")
    drawn = plot.read_text()
    assert ">serial fused, 128\u00a0\u00d7\u00a0128<" in drawn and "\u00d7\u00a0128 ?<" in drawn and ">mpi fused" not in drawn


PUBLISHED = json.loads((REPORT / "published.json").read_text())
LINES = {table["id"]: table["lines"] for table in PUBLISHED["tables"]}


def test_published_figures_refer_to_what_is_there() -> None:
    """Sources, hardware, problems, members of lines and columns of runs."""
    ids = {key: {one["id"] for one in PUBLISHED[of]} for key, of in (("source", "sources"), ("hardware", "hardware"), ("grid", "problems"))}
    known = {*COLUMNS, *(name for of in ("hardware", "problems", "sources") for one in PUBLISHED[of] for name in one), "said", "citation",
             "name", "who", "of_device", "seconds_best", "all_steps", "chosen", "workers_counted", "done", "measured", "ratio", "scaled", "steps_run", "remark", "label",
             "noise", "remarks", "workers_words", "state", "storage"}
    for table in PUBLISHED["tables"]:
        whole = {**PUBLISHED["like"].get(table.get("like"), {}), **table}
        for line in [{**whole.get("defaults", {}), "source": whole.get("source", "A"), **line} for line in whole["lines"]]:
            assert all(line.get(key, next(iter(of))) in of for key, of in ids.items())
        of_runs = [set(asked) for line in [whole, *whole["lines"]] for asked in
                   (line.get("runs", {}) if isinstance(line.get("runs"), list) else [line.get("runs", {})])]
        assert set().union(*of_runs, whole.get("among", {}), whole.get("per", ())) <= known
        own = {*(name for line in whole["lines"] for name in line), *(name for name, *_ in whole.get("values", ())), *whole, *whole.get("defaults", ())}
        asked = json.dumps([whole.get(key) for key in ("values", "figure", "of_work", "shown", "notes", "more_notes", "sort")])
        named = {*re.findall(r"\b(?:run|other|triad|best|before)\.(\w+)", asked), *re.findall(r"\{(\w+)[:}]", asked),
                 *(key.split(".")[-1] for column in whole["columns"] for key in (column[0], *column[3:]))}
        assert named <= known | own, (table["id"], named - known - own)
    # Units and hardware are with each; those without hardware are of "unnamed".
    assert all(line["unit"] and line["hardware"] and (line["published"] is None or line["published"] > 0)
               for table in PUBLISHED["tables"] if table.get("like") == "figures" for line in table["lines"])


def test_rates_of_table_iv_follow_from_the_seconds_of_table_iii() -> None:
    seconds = {line["label"]: line["published"] for line in LINES["table-3"] if line["grid"] == "1024x1024"}
    for row in LINES["table-4"]:
        rate = 1e-9 * 1024 * 1024 * 72 * 20000 / seconds[row["label"]]
        assert rate == pytest.approx(row["published"], rel=0.015)
        assert row["flop_per_byte"] == pytest.approx(row["flops_per_update"] / 72, rel=0.003)


def test_seconds_are_the_same_in_each_table() -> None:
    """In two tables with the same lines, and in one that compares a step with the one before."""
    seconds = {(line["grid"], line["step"]): line["published"] for line in LINES["table-2"]}
    order = [*dict.fromkeys(step for _, step in seconds)]
    for line in LINES["table-2-words"]:
        at = order.index(line["step"])
        assert [line["from"], line["to"]] == [seconds[line["grid"], step] for step in order[at - 1:at + 1]]
    best = {line["grid"]: line["published"] for line in LINES["best-times"] if line["source"] == "B"}
    assert best == {line["grid"]: line["published"] for line in LINES["goldstein"]}


def test_standard_problems_are_those_of_the_inputs() -> None:
    for problem in PUBLISHED["problems"]:
        numbers = [float(line) for line in (ROOT / "inputs" / f"input_{problem['id']}.params").read_text().split()]
        assert numbers == [problem[key] for key in ("nx", "ny", "iterations", "reynolds_dim", "density", "accel",
                                                    "omega")]


def test_reductions_stand_on_the_right_rungs() -> None:
    figures = {(f["group"], f["what"]): f["published"] for f in LINES["ynddal-figures"]}
    large, small = "reduction of 805306368 floats", "reduction of 524288 floats"
    assert figures[large, "naive tree, a barrier every round"] == 15.88 and figures[large,
        "naive tree, fewest barriers"] == 34.37
    assert [figures[small, f"divide-and-conquer hybrid, {k} elements"] for k in (2, 4, 8)] == [37.43, 45.02, 44.85]
    assert not [what for group, what in figures if group == small and "tree" in what]


def test_what_of_the_sample_is_read(tmp_path: Path) -> None:
    results = read_results(make_results(tmp_path))
    assert len(results.runs) + len(results.tuning) == len(all_rows()) and len(results.tuning) == 3 and not results.complaints
