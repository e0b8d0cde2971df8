"""Figure, table and references of a paper."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from samples import BOLTZMARK, ROOT, make_results, report, run

import paper  # pylint: disable=wrong-import-order
import roofline  # pylint: disable=wrong-import-order
import style  # pylint: disable=wrong-import-order
from figures import read_results  # pylint: disable=wrong-import-order

MODELS = ("serial", "openmp", "opencl", "openmp_target", "mpi", "kokkos")


@pytest.fixture(scope="module", name="folder")
def made_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs so close together that names beside them would cover each other."""
    made_of = make_results(tmp_path_factory.mktemp("results"), [
        run(model, "fused", 4 + 0.01 * i, setting="--a-long-option 256", steps=600 if model == "mpi" else 40000,
            repeats_disturbed=2 * (model == "kokkos"))
        for i, model in enumerate(MODELS)])
    tables = json.loads((made_of / "tables.json").read_text())
    tables["tables"] = [table for table in tables["tables"] if table["id"] == "table-2"]    # as the command chooses it
    (made_of / "tables.json").write_text(json.dumps(tables))
    return made_of


def made(folder: Path, out: Path, *words: str) -> list[object]:
    done = report("--results", folder, "--out", out, "--paper", *words, is_printed=True)
    return [done.returncode, done.stderr]


def test_a_table_and_a_figure_need_no_hand(folder: Path, tmp_path: Path) -> None:
    assert made(folder, tmp_path, "--roofline") == [0, ""]
    figure, = (file for file in tmp_path.glob("roofline-*.tex"))
    assert all(figure.with_suffix(end).stat().st_size for end in (".pdf", ".png"))
    table, text = (tmp_path / "table-2.tex").read_text(), figure.read_text()
    assert "37.09" in table and table.startswith("% needs") and "caption{Seconds of each OpenCL" in table
    cited = set(re.findall(r"cite{([^}]+)}", table + text))
    assert cited == set(re.findall(r"^@\w+{(.*),$", (tmp_path / "references.bib").read_text(), re.MULTILINE))
    assert f"includegraphics[width=3.5in]{{{figure.stem}.pdf}}" in text
    assert "williams-2009" in cited and "its other variants and settings" in text
    origin = "revision abc, on A CPU, 4 cores", "Medians of 3 rounds, whose intervals cover 75 \\%."
    assert all(words in one for words in origin for one in (table, text))
    assert "At least half of the repeats disturbed by other work: kokkos fused" in text


def paper_of(name: str, out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BOLTZMARK, "paper", "--results", ROOT / "analysis/results" / name, *words, "--out", out],
                          capture_output=True, text=True, check=False)


def test_the_table_of_own_rows_has_rates_intervals_and_bounds(tmp_path: Path) -> None:
    done = paper_of("matrix-h200", tmp_path, "--table", "own", "--problem", "2048x2048", "--models", "cuda,opencl")
    assert [done.returncode, done.stderr] == [0, ""]
    text = (tmp_path / "own.tex").read_text()
    assert "caption{Rates and bounds, lbm, box\\_2048x2048, 80 steps, NVIDIA H200." in text
    assert r"f32 & cuda & time-block & 158549 (MLUPS) & $\pm$0\% & memory, 61 \%" in text
    assert "published~" not in text and "@misc{boltzmark" in (tmp_path / "references.bib").read_text()


def test_a_published_table_without_a_run_of_these_results_is_a_line(tmp_path: Path) -> None:
    done = paper_of("h200-energy", tmp_path / "none", "--table", "III")
    assert [done.returncode, done.stdout] == [2, ""] and not (tmp_path / "none").exists()
    assert done.stderr == ("boltzmark: error: --table III: expected a row of it, found no right run that belongs there\n")
    assert paper_of("h200-energy", tmp_path, "--table", "goldstein").returncode == 0    # published alone


def test_a_roofline_without_points_says_which_runs_there_are_and_leaves_the_table(tmp_path: Path) -> None:
    line = re.compile(r"boltzmark: error: --roofline: expected .*, found traffic not recorded \(\d+ runs\)\n")
    done = paper_of("h200", tmp_path / "none", "--roofline")
    assert [done.returncode, done.stdout] == [2, ""] and not (tmp_path / "none").exists() and line.fullmatch(done.stderr)
    done = paper_of("h200", tmp_path, "--table", "own", "--roofline")
    assert done.returncode == 2 and line.fullmatch(done.stderr)
    assert (tmp_path / "own.tex").is_file() and not [*tmp_path.glob("roofline-*")]


@pytest.mark.parametrize("width", [2.5, 3.5, 7.0])
def test_no_name_covers_another_or_is_cut(folder: Path, width: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "COLUMN", width)
    results = read_results(folder)
    look = style.Look(results.runs)
    plot = next(iter(roofline.charts(results, look))).plots[0]
    figure: Figure = paper.draw_fitting(plot.draw, results.right(), look)
    figure.draw_without_rendering()
    texts = [text for text in [*figure.axes[0].texts, *(text for legend in figure.legends for text in legend.get_texts())]
             if text.get_text()]
    boxes = [Text.get_window_extent(text) for text in texts]
    assert len(texts) >= len(MODELS)
    for i, (text, box) in enumerate(zip(texts, boxes)):
        assert box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 and box.y1 <= figure.bbox.y1, text.get_text()
        assert "\u2026" not in text.get_text() and not any(map(box.overlaps, boxes[:i])), text.get_text()
