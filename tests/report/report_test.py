"""The whole report of a small results folder, and of broken ones."""

import json
import re
import subprocess
import sys
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import numpy as np
import pandas
import pytest
from matplotlib.collections import PolyCollection
from samples import (REPORT, add_answer, add_table, all_peaks, all_rows, cube, make_results, report, run,
                     table_of)

import flow  # pylint: disable=wrong-import-order
import learn  # pylint: disable=wrong-import-order
import main  # pylint: disable=wrong-import-order
import messages  # pylint: disable=wrong-import-order
import plots  # pylint: disable=wrong-import-order
import published  # pylint: disable=wrong-import-order
import roofline  # pylint: disable=wrong-import-order
import style  # pylint: disable=wrong-import-order
from figures import read_results  # pylint: disable=wrong-import-order


SOURCES = REPORT.parents[1]


@pytest.fixture(scope="module", name="folder")
def made_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_results(tmp_path_factory.mktemp("results"))
    add_answer(folder)
    made = report("--results", folder, "--quiet", is_printed=True)
    assert (made.returncode, made.stderr) == (0, "")
    return folder / "report"


def table(folder: Path, name: str) -> pandas.DataFrame:
    return pandas.read_csv(folder / "tables" / f"{name}.csv")


def test_every_table_is_written_three_times_and_holds_the_figures(folder: Path) -> None:
    names = {f.stem for f in (folder / "tables").iterdir()}
    assert {"runs", "runs-lbm", "not-run", "table-2"} <= names
    assert all((folder / "tables" / f"{name}.{kind}").stat().st_size for name in names
               for kind in ("md", "csv", "tex"))
    runs = table(folder, "runs-lbm")
    assert len(runs) == len([row for row in all_rows() if row["source"] == "runs"])
    assert runs["seconds median"].iat[0] == 8.0


def test_what_names_a_run_stands_small_below_it_on_the_page(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    runs = page[page.index('id="of-runs"'):]
    head, body = runs[:runs.index("</table>")].split("</thead>", 1)
    assert "seconds" in head and "device" not in head and "precision" not in head
    assert "<small>f32</small>" in body and "<small>A CPU</small>" in body and 'id="detail-run-1"' in body
    assert {"device", "precision"} <= set(table(folder, "runs-lbm").columns)


def test_every_plot_is_drawn(folder: Path) -> None:
    names = " ".join(sorted(f.name for f in (folder / "plots").iterdir()))
    for kind in ("speed-up", "scaling-strong", "scaling-weak", "vectors", "work-group", "roofline-processor-f32",
                 "roofline-A-GPU-f32", "optimisation-steps-A-GPU",
                 "flow-128x128-40000", "average-velocity-128x128-40000"):
        assert all(re.search(rf"\b{kind}\S*\.{end}\b", names) for end in ("svg", "png", "pdf")), kind


def test_published_tables_stand_below_their_source(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    of_source = page[page.index("Rutterford, OpenCL Parallelism</summary>"):]
    rows = of_source[of_source.index('id="of-table-2"'):]
    rows = rows[:rows.index("</table>")]
    assert ">37.09<" in rows and ">0.76<" not in rows       # without a measured run: only among the files
    assert "1 rows without a measured run are only in tables/table-2.csv" in page and "Published: Table II." in page
    assert 0.76 in set(table(folder, "table-2")["published"])
    assert "Published figures: Table II." in (folder / "tables" / "table-2.md").read_text()


def test_the_three_bars_of_source_e(tmp_path: Path) -> None:
    page = make_results(tmp_path, [run("opencl", "array", 30.0)])
    bars = [{"bar": bar, "run.model": "opencl", "run.device": "A GPU", "run.case": "11000x11000", "run.steps": 60,
             "run.precision": "f64", "run.seconds_median": seconds, "run.work_group_asked": shape, "run.tuned": ""}
            for bar, seconds, shape in (("default", 30.0, ""), ("tuned work-group", 2.0, "1x928"),
                                        ("default, contiguous neighbours", 3.0, ""))]
    keys = (*bars[0], "run.seconds_low", "run.seconds_high")
    add_table(page, table_of("three-bars", "Work-group or index", "plots", bars, *keys))
    made = report("--results", page, "--quiet")
    assert (made.returncode, made.stderr) == (0, "")
    plot = next((page / "report" / "plots").glob("three-bars-*.svg")).read_text()
    assert "tuned work-group" in plot and ">30.0<" in plot and ">2.00<" in plot and ">3.00<" in plot
    text = (page / "report" / "report.html").read_text()
    assert "15.0 times as fast" in text and "Tuned: 1x928." in text
    two = make_results(tmp_path / "two", [run("opencl", "array", 30.0)])
    add_table(two, table_of("three-bars", "Work-group or index", "plots", bars[:2], *keys))
    assert not list(published.three_bars(read_results(two)))


def test_the_flow_in_three_dimensions_is_its_plane_in_the_middle(tmp_path: Path) -> None:
    extent = {"nx": 24, "ny": 16, "nz": 5, "elements": 24 * 16 * 5}
    make_results(tmp_path, [cube("openmp", "fused", 100.0, 0.5, **extent)])
    (tmp_path / "oracle").mkdir()
    prefix = tmp_path / "oracle" / f"{'3d' * 8}-100-1"
    z, _, x = np.mgrid[:5, :16, :24]
    state = Path(f"{prefix}.final_state.npy")
    fields = np.stack([0.01 * z, 0.0 * z, 0.02 * z, 1.0 + 0.0 * z, 1.0 * ((x == 3) & (z == 2))])
    np.save(state, fields)
    np.save(Path(f"{prefix}.av_vels.npy"), np.array([1e-3, 2e-3]))
    u_x, u_y, u_z, solid = flow.read_field(state, 24, 16, 5)
    assert u_x.shape == (16, 24) and u_x[0, 0] == 0.02 and u_z[0, 0] == 0.04 and not u_y.any()
    assert solid[:, 3].all() and solid.sum() == 16
    made = report("--results", tmp_path, "--quiet")
    assert (made.returncode, made.stderr) == (0, "")
    page = (tmp_path / "report" / "report.html").read_text()
    assert "taylor_green after 100 steps, plane z = 2" in page and "Largest speed 0.0447" in page
    assert (tmp_path / "report" / "plots" / "flow-taylor-green-100.svg").stat().st_size > 1000
    np.save(state, fields[:, 1:])
    made = report("--results", tmp_path, "--quiet", "--no-plots")
    assert made.returncode == 0 and "that flow is not shown" in made.stderr


def test_the_page_is_one_file_and_says_what_is_missing(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    assert not re.findall(r'(?:src|href)="(?!#|data:|learn.html)', page) and "url(" not in page
    assert "noisy (spread 20 %)" in page and "L2, " in page and "it crashed" in page
    assert 'id="flow"' in page and 'id="more"' in page and "Energy" not in page


def test_every_point_of_the_roofline_stands_at_its_own_intensity(tmp_path: Path) -> None:
    results = read_results(make_results(tmp_path,
                                        [run("serial", "fused", 1.0, flop_per_byte=x) for x in (1.0, 1.001, 1.002)]))
    chart = next(iter(roofline.charts(results, style.Look(results.runs))))
    marks = [x for line in chart.plots[0].draw().axes[0].lines if line.get_marker() == "o" for x in line.get_xdata()]
    assert {1.0, 1.001, 1.002} <= set(marks)
    assert [point["x"] for point in chart.data["cases"][0]["points"]] == [1.0, 1.001, 1.002]


def test_messages_are_drawn_where_the_network_was_measured(tmp_path: Path) -> None:
    network = {"of": "network", "type": "network"}
    both = ("message", "message_roof")
    rows = [{**network, "kind": kind, "level": place, "pattern": way, "cores": 1, "messages": count, "from_bytes": size,
             "to_bytes": size, "gb_per_s": 1e-3 * size * count, "median": 1e-6, "unit": "s"}
            for place in ("socket", "nodes")
            for way, count, kinds in (("one", 1, both), ("one", 64, both[1:]), ("halo", 2, both))
            for kind in kinds for size in (8, 64, 512)]
    # Messages of one pair where all pairs were measured, and messages without a rate of bytes: neither is drawn.
    other = {**network, "kind": "message", "level": "nodes"}
    rows += [{**other, "pattern": "one", "cores": 2, "messages": 1, "from_bytes": 99, "gb_per_s": 9.0},
             {**other, "pattern": "polled", "cores": 1, "from_bytes": 98}]
    results = read_results(make_results(tmp_path, [run("mpi", "fused", 2.0)], [*all_peaks(), *rows]))
    first, second = messages.plots(results.peaks)
    axes, below = (plot.draw().axes[0] for plot in (first, second))
    marks = [line for line in axes.lines if line.get_linestyle() == "None"]
    assert [list(line.get_xdata()) for line in marks] == [[8, 64, 512]] * 4
    assert {max(line.get_ydata()) for line in axes.lines} == {0.512, 1.024}
    assert sorted(max(line.get_ydata()) for line in below.lines if len(line.get_xdata())) == [0.512] * 2 + [32.768] * 2
    made = report("--results", tmp_path, "--quiet")
    assert (made.returncode, made.stderr) == (0, "")
    assert "Messages between ranks" in (tmp_path / "report" / "report.html").read_text()
    assert {"messages.svg", "messages-in-flight.svg"} <= {f.name for f in (tmp_path / "report" / "plots").iterdir()}
    assert not list(messages.plots(read_results(make_results(tmp_path / "none")).peaks))


def test_what_has_no_place_under_a_roof_is_counted(tmp_path: Path) -> None:
    """Old records, and programs without FLOPs or bytes."""
    old = {"flop_per_byte": None, "level": "", "bound": "", "share_of_bound": None, "verdict": "traffic not recorded"}
    rows = [run("serial", "fused", 4.0, verdict="L2, 130 %: count or roof wrong"), run("openmp", "fused", 2.0, **old),
            run("mpi", "fused", 2.0, **old), run("serial", "swap", 4.0, flop_per_byte=0, gflop_per_s=0)]
    some, none = ([*roofline.charts(read_results(make_results(tmp_path / name, of)), style.Look(pandas.DataFrame(of).assign(
        name="")))] for name, of in (("some", rows), ("none", rows[1:3])))
    assert "1 point more than 5 % above a limit: count or roof wrong. 3 of 4 runs not drawn: traffic not recorded (2), no FLOPs or no bytes (1)." in some[0].caption
    assert len(some[0].data["cases"][0]["points"]) == 1 and "not drawn" not in some[1].caption
    assert "2 of 2 runs not drawn" in none[0].caption and none[0].data["cases"] == [] and none[0].plots[0].draw()


def test_a_point_has_its_own_roof_and_runs_on_other_workers_are_counted(tmp_path: Path) -> None:
    rows = [run("openmp", "fused", 1.0, workers=4, roof_of="copy"), run("openmp", "fused", 2.0, workers=2, roof_of="copy on 2 cores"),
            run("openmp", "in-place", 2.0, workers=4, roof_of="update", roof_gb_per_s=110),
            run("serial", "fused", 4.0, roof_of="copy on 1 core", roof_gb_per_s=30)]
    chart = next(iter(roofline.charts(read_results(make_results(tmp_path, rows)), style.Look(pandas.DataFrame(rows).assign(name="")))))
    case, = chart.data["cases"]
    assert [(roof["label"], roof["used"]) for roof in case["roofs"]][:2] == [("L2 (update) 110 GB/s", False), ("L2 (copy) 100 GB/s", True)]
    assert len(case["points"]) == 3 and any("of L2 under 110 GB/s (update); " in point["text"] for point in case["points"])
    assert "1 of 4 runs not drawn: on other numbers of workers than the fastest (1)." in chart.caption


def test_roofs_are_what_moves_and_thin_where_no_point_uses_them(tmp_path: Path) -> None:
    results = read_results(make_results(tmp_path, [run("serial", "fused", 4.0)]))
    chart = next(iter(roofline.charts(results, style.Look(results.runs))))
    case, = chart.data["cases"]
    assert [(roof["label"], roof["used"]) for roof in case["roofs"]] == [("L2 100 GB/s", True), ("DRAM 45.0 GB/s", False)]
    assert "FLOP/byte of L2; L2, " in case["points"][0]["text"]
    widths = {round(line.get_ydata()[0] / line.get_xdata()[0]): line.get_linewidth()
              for line in chart.plots[0].draw().axes[0].lines if len(set(line.get_ydata())) == 2}
    assert widths[100] > 1.0 > widths[45]


def test_roofs_and_ceilings_are_those_that_the_fastest_runs_are_held_to(tmp_path: Path) -> None:
    one = {"roof_of": "copy on 1 core", "roof_gb_per_s": 30, "peak_of": "f32 on 1 core", "peak_gflop_per_s": 250}
    results = read_results(make_results(tmp_path, [
        run("serial", "fused", 4.0, **one), run("openmp", "fused", 2.0, roof_of="copy", roof_gb_per_s=100, peak_of="f32", peak_gflop_per_s=1100),
        run("mpi", "in-place", 1.0, roof_of="update", roof_gb_per_s=110, peak_of="f32", peak_gflop_per_s=1100),
        run("cuda", "tensor", 1.0, roof_of="read", roof_gb_per_s=400, peak_of="tf32 on tensor cores", peak_gflop_per_s=4000)]))
    case, = next(iter(roofline.charts(results, style.Look(results.runs)))).data["cases"]
    assert [roof["label"] for roof in case["roofs"] if roof["used"]] == [
        "L2 (read) 400 GB/s", "L2 (update) 110 GB/s", "L2 (copy) 100 GB/s", "L2 (copy on 1 core) 30.0 GB/s"]
    assert [top["label"] for top in case["tops"]] == ["tf32 on tensor cores 4000 GFLOP/s", "f32 FMA 1100 GFLOP/s",
                                                      "f32 on 1 core 250 GFLOP/s"]


def test_the_judged_peak_is_that_with_or_without_fma_and_the_caption_names_the_roofs(tmp_path: Path) -> None:
    """A narrower FMA, which has no line of its own, is faster than the widest vectors with and without."""
    wide = {"of": "processor", "type": "cpu", "kind": "compute", "precision": "f32", "operation": "multiply-add", "cores": 4,
            "median": 1000, "unit": "GFLOP/s"}
    rows = [*all_peaks(), {**wide, "fma": "false", "is_roof": True, "roof": 1050}, {**wide, "fma": "true", "roof": 1100},
            {**wide, "fma": "false", "operation": "division", "roof": 9000}]
    rough = {"of": "processor", "type": "cpu", "kind": "note", "text": "rough (--brief): cpu; `boltzmark peaks` ..."}
    judged = [run("openmp", "fused", 2.0, peak_of="f32", peak_gflop_per_s=1100)]
    made = [next(iter(roofline.charts(read_results(make_results(tmp_path / name, judged, of)), style.Look(
        pandas.DataFrame(judged).assign(name=""))))) for name, of in (("long", rows), ("brief", [*rows, rough]))]
    assert [top["label"] for top in made[0].data["cases"][0]["tops"]] == ["f32 FMA 1100 GFLOP/s", "f32 without FMA 1050 GFLOP/s"]
    for chart, words in zip(made, ("peaks, of probes during the runs, and of STREAM", "peaks, rough (--brief), of probes")):
        assert words in re.sub(r" \([-0-9 to]+\)", "", chart.caption), chart.caption
        assert "shape: variant and settings" in chart.caption


def test_labels_of_a_roofline_are_whole_and_inside_the_figure(tmp_path: Path) -> None:
    long, of = "overlapped-wavefront", {"roof_of": "triad on 8 cores", "peak_of": "f32", "peak_gflop_per_s": 65000}
    results = read_results(make_results(tmp_path, [run("opencl", long, 2.0, workers=8, threads=8, **of)] + [
        run(model, long, 1.0, workers=16, threads=16, **of) for model in ("opencl", "tbb")]))
    figure = next(iter(roofline.charts(results, style.Look(results.runs)))).plots[0].draw()
    figure.draw_without_rendering()
    texts = figure.axes[0].texts
    assert {f"opencl {long}", f"tbb {long}", "f32 FMA 65000 GFLOP/s"} <= {text.get_text() for text in texts}
    assert all(text.get_window_extent().x1 <= figure.bbox.x1 for text in texts if not text.get_rotation())


def test_a_noisy_roof_has_a_band_and_both_ends_in_its_name(tmp_path: Path) -> None:
    results = read_results(make_results(tmp_path, [run("serial", "fused", 4.0, roof_gb_per_s=150, roof_gb_per_s_min=60)]))
    chart = next(iter(roofline.charts(results, style.Look(results.runs))))
    assert [(roof["label"], roof["slow"]) for roof in chart.data["cases"][0]["roofs"]] == [("L2 60.0 to 150 GB/s", 60.0), ("DRAM 45.0 GB/s", None)]
    band, = (one for one in chart.plots[0].draw().axes[0].collections if isinstance(one, PolyCollection))
    assert {round(y / x) for x, y in band.get_paths()[0].vertices} == {60, 150}
    assert "a band down to slow moments of the machine" in chart.caption


def test_scaling_has_the_law_with_its_residual_and_the_roof(tmp_path: Path) -> None:
    fit = {"strong_serial_share": 0.031, "strong_fit_residual": 0.012}
    rows = [run("openmp", "fused", 4.0 / n, threads=n, workers=n, strong_efficiency=1.0, share_of_bound=0.5 / n,
                strong_fit_speed_up=n / (1 + 0.031 * (n - 1)), **fit) for n in (1, 2, 4)]
    results = read_results(make_results(tmp_path, rows))
    (_, panels), = plots.scaling(results.right(), style.Look(results.runs))
    assert [panel.title for panel in panels] == [
        f"Strong scaling, {panel}"
        for panel in ("rate", "share of ideal (%)", "share of its bound (%)")]
    figure = panels[0].draw()
    assert "Amdahl: 3.1 % serial, off by 1.2 %" in [text.get_text() for text in figure.legends[0].get_texts()]
    rate = rows[0]["rate"]
    expected = {0: [rate, 2 * rate / 1.031, 4 * rate / 1.093], 2: [50, 25, 12.5]}
    for panel, values in expected.items():
        lines = panels[panel].draw().axes[0].lines
        assert any(list(line.get_ydata()) == pytest.approx(values) for line in lines), panel


HOSTILE = '<img src=x onerror=alert(1)> & \\input{x} 50% $_^~ "q" | `b`'


def test_a_part_that_cannot_be_made_is_in_the_exit_status(tmp_path: Path) -> None:
    make_results(tmp_path, [run("serial", "fused", 4.0)])
    with mock.patch.object(style, "write", side_effect=ValueError("no ink")):
        made = report("--results", tmp_path, "--quiet")
    assert made.returncode == 2 and "not drawn: ValueError: no ink" in made.stderr
    assert (tmp_path / "report" / "report.html").exists()


def test_matplotlib_has_a_place_without_a_home(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", [run("serial", "fused", 4.0)])
    made = subprocess.run([sys.executable, REPORT / "main.py", "--results", folder, "--quiet"], capture_output=True,
                          text=True, check=False, env={"HOME": "/proc/nothing", "PATH": "/usr/bin", "TMPDIR": str(tmp_path)})
    assert (made.returncode, made.stderr) == (0, "")
    assert not list(tmp_path.glob("boltzmark-*"))


def test_names_with_html_and_latex_are_escaped(tmp_path: Path) -> None:
    evil = run("evil", HOSTILE, 1.0, device=HOSTILE, cpu=HOSTILE, notes=HOSTILE, setting=HOSTILE, case=HOSTILE)
    make_results(tmp_path, [run("serial", "textbook", 8.0), evil])
    made = report("--results", tmp_path, "--quiet")
    assert (made.returncode, made.stderr) == (0, "")
    page = (tmp_path / "report" / "report.html").read_text()
    assert "<img src=x" not in page and "&lt;img src=x" in page
    latex = (tmp_path / "report" / "tables" / "runs-lbm.tex").read_text()
    assert r"\textbackslash{}input\{x\} 50\% \$\_\textasciicircum{}" in latex and "\\input" not in latex
    assert "\\<img" in (tmp_path / "report" / "tables" / "runs-lbm.md").read_text()


def test_broken_answers_are_named_in_a_line_and_the_rest_is_made(tmp_path: Path) -> None:
    add_answer(make_results(tmp_path))
    next((tmp_path / "oracle").glob("*.final_state.npy")).write_text("1 2 3\n")
    made = report("--results", tmp_path, "--quiet", "--no-plots")
    assert made.returncode == 0 and made.stderr.count("\n") == 1 and "that flow is not shown" in made.stderr
    assert "that flow is not shown" in (tmp_path / "report" / "report.html").read_text()


def test_nothing_at_all_still_makes_a_page(tmp_path: Path) -> None:
    made = report("--results", make_results(tmp_path, [], []), "--quiet")
    assert (made.returncode, made.stderr) == (0, "")
    page = (tmp_path / "report" / "report.html").read_text()
    assert "No runs yet; start with boltzmark run." in page and "No roofs measured yet; run boltzmark peaks" in page
    assert not (tmp_path / "report" / "learn.html").exists()


def test_a_folder_without_figures_is_one_line(tmp_path: Path) -> None:
    made = report("--results", tmp_path)
    assert made.returncode == 2 and made.stderr.count("\n") == 1 and "figures.csv" in made.stderr


def test_without_pandas_one_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text("raise ModuleNotFoundError(\"No module named 'pandas'\", name='pandas')\n")
    made = subprocess.run([sys.executable, str(REPORT / "main.py"), "--results", str(tmp_path)], capture_output=True,
                          text=True, check=False,
                          env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"})
    assert made.returncode == 3 and made.stderr.count("\n") == 1 and "python3-pandas" in made.stderr


def test_the_snippets_of_the_documentation(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snippets = re.findall(r"```python\n(.*?)```", (SOURCES / "docs/guide/roofline.md").read_text(), re.S)
    assert len(snippets) == 2
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "figures.csv").write_text((folder.parent / "figures.csv").read_text())
    monkeypatch.chdir(tmp_path)
    for code in snippets:
        exec("import matplotlib; matplotlib.use('Agg')\n" + code, {})  # pylint: disable=exec-used
    assert (tmp_path / "speed-up.svg").stat().st_size > 1000


def test_what_learners_are_shown_is_in_the_sources() -> None:
    """Lines of learn.json are those of the programs, in their order, and its runs are variants."""
    def lines(files: list[str]) -> list[str]:
        return [line.strip() for file in files for line in (SOURCES / file).read_text().splitlines()]
    content = json.loads((REPORT / "learn.json").read_text())
    assert len(content["steps"]) == 3 and content["steps"][0]["runs"][0] == "serial textbook"
    for step in content["steps"]:
        for mark, files in (("-", step["from"]), ("+", step["to"])):
            rest = iter(lines(files))
            for line in step["diff"]:
                if line[0] == mark:
                    assert line[1:].strip() in rest, (files, line)
    for one in content["tries"]:
        assert any(one["line"] in line for line in lines([one["file"]])), one["line"]
        for word in one["command"].split():
            if word.startswith("inputs/"):
                assert (SOURCES / word).is_file()


def test_learners_see_what_each_step_gains_here(folder: Path) -> None:
    assert 'href="learn.html"' in (folder / "report.html").read_text()
    text, results = (folder / "learn.html").read_text(), read_results(folder.parent)
    assert "1. From the textbook to one pass" in text
    gain = learn.gained(results.right(), "128x128", ["serial textbook", "serial fused"])
    assert re.fullmatch(r"128x128: .* to .* MLUPS, .* to .* times the textbook", gain) and gain in text
    assert ElementTree.parse(REPORT / "method.svg").getroot().tag.endswith("svg")
    assert learn.lessons(results.runs.iloc[:0]) == {}


def test_learners_see_the_ladder_with_real_differences(tmp_path: Path) -> None:
    names = json.loads((REPORT / "learn.json").read_text())["ladder"]
    assert list(names) == json.loads((REPORT.parent / "plans/ladder-cpu.json").read_text())["ladder"]
    assert all((SOURCES / file).is_file() for file in names.values())
    rows = [run(*name.split(), 8.0 - i) for i, name in enumerate(names)]
    rows[-1]["workers"] = 4
    rows.append(run(*list(names)[-1].split(), 0.1))  # faster on one core
    made = report("--results", make_results(tmp_path, rows), "--quiet", "--no-plots")
    assert (made.returncode, made.stderr) == (0, "")
    found = learn.lessons(read_results(tmp_path).runs)["ladder"]
    assert [step["name"] for step in found["steps"]] == [bar["label"] for bar in found["bars"]] == list(names)
    assert found["steps"][-1]["rate"].startswith("655 MLUPS")
    swap = found["steps"][1]
    assert re.fullmatch(r"[\d.]+ MLUPS, 1\.14 times the step before(; bound: .+)?", swap["rate"])
    assert "times" not in found["steps"][0]["rate"]
    assert swap["why"].startswith("Swap: the textbook") and "+      std::swap(cells_, scratch_);" in swap["diff"]
    text = (tmp_path / "report" / "learn.html").read_text()
    assert "std::swap(cells_, scratch_);" in text and 'href="report.html#row-run-1"' in text
    bare = learn.ladder(names, read_results(tmp_path).runs.iloc[:2])  # not measured: the steps are there all the same
    assert [step["name"] for step in bare["steps"]] == list(names) and "bars" not in bare
