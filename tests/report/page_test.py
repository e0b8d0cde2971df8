"""The page as a reader, a keyboard, a printer and a browser without scripts find it."""

import base64
import colorsys
import hashlib
import itertools
import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from samples import REPORT, add_answer, all_rows, make_results, report, run

import glance  # pylint: disable=wrong-import-order
import page  # pylint: disable=wrong-import-order
import plots  # pylint: disable=wrong-import-order
import roofline  # pylint: disable=wrong-import-order
import style  # pylint: disable=wrong-import-order
from figures import read_results  # pylint: disable=wrong-import-order
from table import Table  # pylint: disable=wrong-import-order

VOID = {"meta", "link", "img", "br", "input", "col"}
NO_CUDA = "no CUDA driver (libcuda.so.1) on this machine; install NVIDIA's driver for its GPUs"


class Page(HTMLParser):
    """Every element with its attributes, its ancestors and the text in it."""

    def __init__(self, text: str):
        super().__init__()
        self.elements: list[dict[str, Any]] = []
        self.open: list[dict[str, Any]] = []
        self.feed(text)
        assert not self.open, [e["tag"] for e in self.open]

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        element = {"tag": tag, "text": "", "in": list(self.open), **dict(attrs)}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop()["tag"] == tag, self.getpos()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element["text"] += data

    def all(self, tag: str, kind: str = "") -> list[dict[str, Any]]:
        return [e for e in self.elements if e["tag"] == tag and kind in f" {e.get('class') or ''} "]


def make(folder: Path, rows: list[dict[str, Any]], *arguments: str) -> Path:
    make_results(folder, rows)
    done = report("--results", folder, "--quiet", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "report"


def rows_with_cuda() -> list[dict[str, Any]]:
    none = {"rate": None, "seconds_median": None, "seconds": [], "gb_per_s": None, "gflop_per_s": None,
            "speed_up_over_textbook": None, "speed_up_over_like_for_like": None,
            "device": "", "device_type": "", "passed": False}
    return [*all_rows(), *(run("cuda", variant, 1.0, status="impossible", reason=NO_CUDA, **none)
                           for variant in ("textbook", "fused"))]


@pytest.fixture(scope="module", name="found")
def made_page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    folder = tmp_path_factory.mktemp("results")
    add_answer(folder)
    made = make(folder, rows_with_cuda())   # with --only-svg, as all that names no plots for print
    assert {f.suffix for f in (made / "plots").iterdir()} == {".svg"}
    return Page((made / "report.html").read_text())


def test_ids_are_unique_and_every_link_leads_somewhere(found: Page) -> None:
    ids = Counter(e["id"] for e in found.elements if e.get("id"))
    assert [name for name, count in ids.items() if count > 1] == []
    links = [e["href"] for e in found.all("a")]
    assert len(links) > 50 and [link for link in links if link.startswith("#") and link[1:] not in ids] == []
    named = [e[name] for e in found.elements for name in ("aria-labelledby", "aria-controls", "for") if e.get(name)]
    assert [name for name in named if name not in ids] == []


def test_a_screen_reader_finds_headings_headers_and_texts(found: Page) -> None:
    levels = [int(e["tag"][1]) for e in found.elements if re.fullmatch(r"h[1-6]", e["tag"])]
    assert levels[0] == 1 and levels.count(1) == 1 and all(b - a <= 1 for a, b in itertools.pairwise(levels))
    assert all(e.get("scope") in ("col", "row") for e in found.all("th"))
    tables = found.all("table")
    assert len(tables) == len(found.all("caption")) and all(any(t is e["in"][-1] for e in found.all("caption"))
                                                            for t in tables)
    assert found.all("img") and all(len(e["alt"]) > 10 for e in found.all("img"))
    assert all(e["text"].strip() or e.get("aria-label") for e in [*found.all("a"), *found.all("button"),
                                                                  *found.all("h2"), *found.all("h3")])
    assert found.elements[0]["tag"] == "html" and found.elements[0]["lang"] == "en"
    # On a narrow screen, where the matrix has another layout, its roles keep it a table.
    matrix = [e for e in found.elements if any("matrix" in (a.get("class") or "") for a in e["in"])]
    assert all(e.get("role") for e in matrix if e["tag"] in ("table", "thead", "tbody", "tr", "th"))


def test_without_scripts_all_is_unfolded_and_with_them_the_page_is_short(found: Page) -> None:
    assert found.all("details") and all("open" in e for e in found.all("details"))
    assert not [e for e in found.elements if "hidden" in e and e["tag"] != "form"]
    script = (REPORT / "page.js").read_text()
    assert "details.open = false" in script and "beforeprint" in script
    css = (REPORT / "page.css").read_text()
    assert all(rule.strip().startswith(".js ") for rule in re.findall(r"\n([^\n]*\.tab:not\([^{]*)\{ display: none",
                                                                      css))
    # At first sight: the matrix, one chart of each section, and boxes of equal height; all else is in folds or tabs.
    def is_folded(e: dict[str, Any]) -> bool:
        return any(a["tag"] == "details" or " tall " in f" {a.get('class') or ''} " for a in e["in"])
    open_rows = [e for e in found.all("tr") if not is_folded(e) and not any("tab" == a.get("class") for a in e["in"])]
    assert len(open_rows) < 40
    for section in ("published", "machine"):
        inside = [e for e in found.elements if e["tag"] in ("table", "dl", "img")
                  and any(a.get("aria-labelledby") == section for a in e["in"])]
        assert inside and all(any(a["tag"] == "details" for a in e["in"]) for e in inside), section


def test_the_switches_need_no_script(found: Page) -> None:
    css = (REPORT / "page.css").read_text()
    radios = [e for e in found.all("input") if e["type"] == "radio"]
    assert {e["id"] for e in radios} == {"share-fastest", "share-roof", "unit-rate", "unit-textbook", "unit-same"}
    assert all(f"#{e['id']}:checked" in css for e in radios)
    assert [e["id"] for e in radios if "checked" in e] == ["share-fastest", "unit-same"]
    panels = [e for e in found.all("div", " tab ") if any(a.get("data-label") == "Problem" for a in e["in"])
              and e.get("id")]
    for panel in panels:    # each has something to show under each switch
        kinds = {e["class"] for e in found.all("div", " by ") if panel in e["in"]}
        assert kinds == {"by by-rate", "by by-textbook", "by by-like_for_like"}


def test_scripts_are_those_that_the_page_allows(found: Page) -> None:
    policy = next(e["content"] for e in found.all("meta") if e.get("http-equiv") == "Content-Security-Policy")
    for script in found.all("script"):
        assert base64.b64encode(hashlib.sha256(script["text"].encode()).digest()).decode() in policy
    assert len(found.all("script")) == 2


def test_the_first_screen_has_what_it_is_handed(found: Page) -> None:
    """Which model is fastest, by how much, is it right, what bounds it, what could not run?"""
    first = next(e for e in found.all("section", " glance "))
    def inside(tag: str, kind: str) -> list[dict[str, Any]]:
        return [e for e in found.all(tag, kind) if first in e["in"]]
    assert inside("p", " verdict ")[0]["text"] == "All runs are right." and "WRONG" not in first["text"]
    rows = {inside_row["text"]: inside_row for inside_row in inside("tr", "")[1:]}
    lbm = next(text for text in rows if text.startswith("lbm 128"))
    assert all(words in lbm for words in ("opencl persistent", "MLUPS !", "1.05 × mpi", "DRAM"))
    cells = [e for e in found.all("td", " cell ") if rows[lbm] in e["in"]]
    links = [e for e in found.all("a") if any(c in e["in"] for c in cells)]
    heads = [e["text"].replace("\u200b", "") for e in inside("th", " model ")]
    assert heads == ["serial", "openmp", "mpi", "opencl", "openmp-target", "cuda"] and len(cells) == len(heads)
    assert links[-1]["class"] == "hatched" and NO_CUDA in links[-1]["title"] and links[-1]["text"] == "not available here"
    assert [cell["text"] for cell in cells[4:5]] == ["not measured"]
    assert "not available here: no driver (cuda)." in inside("p", " key ")[0]["text"]
    best = [e for e in found.all("span", " best ") if rows[lbm] in e["in"]]
    assert len(best) == 1 and best[0]["text"] == "100!"     # noisy
    assert first["text"].count("hatched") == 0 and len(inside("span", " sample ")) == 1     # explained once


def images(of: Page) -> list[str]:
    return [base64.b64decode(e["src"].split(",")[1]).decode() for e in of.all("img") if "svg+xml" in e["src"]]


def test_everything_of_a_model_has_its_name(found: Page) -> None:
    """By which the choice of models hides it: columns of the matrix, bars, and lines and marks in the images of plots."""
    models = [e["value"] for e in found.all("input") if e["type"] == "checkbox"]
    assert models == ["serial", "openmp", "mpi", "opencl", "openmp-target", "cuda"]
    assert all("checked" in e for e in found.all("input") if e["type"] == "checkbox")
    for row in (e for e in found.all("tr") if any("matrix" == a.get("class") for a in e["in"])):
        assert [e["data-model"] for e in found.elements if e["in"] and e["in"][-1] is row and "data-model" in e] == models
    assert glance.model_of("opencl GPU", models) == "opencl" and glance.model_of("my own", ["my own"]) == "my own"
    bars = [e for e in found.all("tr") if any("bars" == a.get("class") for a in e["in"]) and any(
        a["tag"] == "tbody" for a in e["in"])]
    assert bars and all(e["text"].strip().startswith(e["data-model"]) for e in bars)
    drawn = set()
    for svg in images(found):
        ids = re.findall(r'id="(.*?)"', svg)
        assert len(ids) == len(set(ids))
        drawn |= {re.fullmatch(r"model-(.*)-\d+", name)[1] for name in ids if name.startswith("model-")}
    assert {"serial", "openmp", "mpi", "opencl"} <= drawn <= set(models)


def test_the_lines_of_a_model_are_drawn_with_its_name(tmp_path: Path) -> None:
    """All elements of each line of a scaling plot: line, whiskers, law, ideal, and its two places in the legend."""
    results = read_results(make_results(tmp_path))
    lbm, seen = results.right()[results.right()["workload"] == "lbm"], set()
    for _, panels in plots.scaling(lbm, style.Look(results.runs)):
        for plot in panels:
            figure = plot.draw()
            axes, legend = figure.axes[0], figure.legends[0]
            by_colour = {}
            for artist in [*axes.lines, *axes.collections, *legend.get_lines()]:
                colour = style.matplotlib.colors.to_hex(np.ravel(artist.get_color())[:4] if artist in axes.collections
                                                        else artist.get_color())
                by_colour.setdefault(colour, set()).add(artist.get_gid())
            assert all(by_colour.get(style.MODELS[model], {f"model-{model}"}) == {f"model-{model}"} for model in ("openmp", "mpi"))
            assert {text.get_gid() for text in legend.get_texts() if text.get_text().startswith("mpi")} == {"model-mpi"}
            seen |= set(by_colour)
    assert seen >= {style.MODELS["openmp"], style.MODELS["mpi"]}


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium to open the page with")
def test_a_link_hides_models_and_every_plot_fills_the_screen(tmp_path: Path) -> None:
    add_answer(tmp_path)
    file = make(tmp_path, rows_with_cuda()) / "report.html"

    def opened(hash_: str) -> Page:
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'user'}",
                               "--virtual-time-budget=5000", "--dump-dom", f"file://{file}{hash_}"], capture_output=True,
                              text=True, timeout=1800, check=True)
        return Page(done.stdout)
    plain, link = opened(""), opened("#roofline&hide=mpi,opencl")
    assert [e["text"] for e in plain.all("style")[1:]] == [""] and not any("<style>[id" in svg for svg in images(plain))
    assert link.all("style")[1]["text"] == ':not(tbody)[data-model="mpi"],:not(tbody)[data-model="opencl"]{display:none}'
    assert all(svg.rstrip().endswith('<style>[id^="model-mpi-"],[id^="model-opencl-"]{display:none}</style></svg>')
               for svg in images(link)) and len(images(link)) == len(images(plain)) > 5
    assert [next(e["text"] for e in of.all("summary") if "Models" in e["text"]) for of in (plain, link)] == [
        "Models shown", "Models shown: 4 of 6"]
    points = {e["data-model"] for e in link.all("a", " point ")}
    assert points and {e.get("data-model") for e in link.all("button") if any("legend" == a.get("class") for a in e["in"])} >= points
    boxes = [e for e in link.elements if any(c in f" {e.get('class') or ''} " for c in (" roofline ", " matrix "))
             or e["tag"] == "figure" and any(e in i["in"] for i in link.all("img"))
             or " tab " in f" {e.get('class') or ''} " and any(e in b["in"] for b in link.all("table", " bars "))]
    buttons = link.all("button", " full ")
    assert len(boxes) > 5 and len(buttons) == len(boxes) and all(any(b in e["in"] for b in boxes) for e in buttons)


def test_wrong_is_red_and_on_top(tmp_path: Path) -> None:
    rows = [*all_rows(), run("mpi", "textbook", 1e-6, status="wrong", reason="speed is off", passed=False)]
    wrong = Page((make(tmp_path, rows, "--no-plots") / "report.html").read_text())
    order = [e for e in wrong.elements if e.get("role") == "alert" or e.get("class") == "verdict"]
    assert order[0]["role"] == "alert" and "mpi textbook on 128x128" in order[0]["text"]
    flags = wrong.all("span", " flag ")
    assert len(flags) == 1 and "mpi" in flags[0]["in"][-1]["title"]


def luminance(colour: str) -> float:
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_every_text_has_contrast() -> None:
    css = (REPORT / "page.css").read_text()
    light, dark = (dict(re.findall(r"--(\w+): (#\w{6})", block))
                   for block in re.findall(r":root \{(.*?)\}", css, re.S)[:2])
    for theme in (light, dark):
        for ink in ("ink", "faint", "accent", "right", "bad"):
            for ground in ("paper", "wash"):
                assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)
        assert contrast(theme["ink"], theme["mark"]) >= 4.5
    pairs = re.findall(r"background: (#\w{6});[^}]*?[^-]color: (#\w{6})", css)
    assert len(pairs) > 10 and [pair for pair in pairs if contrast(*pair) < 4.5] == []
    assert all(contrast(colour, "#ffffff") >= 3.0 for colour in style.MODELS.values())


# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009.
SIGHT = {"protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                        [-0.003882, -0.048116, 1.051998]],
         "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                          [-0.011820, 0.042940, 0.968881]],
         "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                        [0.004733, 0.691367, 0.303900]],
         "normal": np.eye(3)}


def lab(linear: Any) -> Any:
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722],
                    [0.0193, 0.1192, 0.9505]]) @ linear / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_colours_of_models_differ_for_colour_blind_readers() -> None:
    def linear(colour: str) -> Any:
        c = np.array([int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)])
        return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    for sight, matrix in SIGHT.items():
        seen = {model: lab(np.clip(np.array(matrix) @ linear(colour), 0, 1)) for model, colour in style.MODELS.items()}
        least = min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen.values(), 2))
        assert least >= (15 if sight == "tritanopia" else 20), sight


def test_an_unknown_model_gets_a_colour_that_no_other_of_the_report_has(tmp_path: Path) -> None:
    rows = [run(model, "fused", 1.0) for model in ("serial", "rust", "fortran", "hip")]
    look = style.Look(read_results(make_results(tmp_path, rows)).runs)
    assert len(set(look.colours.values())) == 4 and look.colours["hip"] == style.MODELS["hip"]


def test_plots_are_single_figures_at_a_columns_width(tmp_path: Path) -> None:
    results = read_results(make_results(tmp_path))
    look, right = style.Look(results.runs), results.right()
    right = right[right["workload"] == "lbm"]
    made = [*plots.speed_ups(right, look), *plots.vector_lengths(right, look),
            *(p for _, some in plots.scaling(right, look) for p in some),
            *plots.work_groups(right, results.tuning, look), *(p for chart in roofline.charts(results, look)
                                                               for p in chart.plots)]
    assert len(made) > 8
    for plot in made:
        figure = plot.draw()
        assert figure.get_figwidth() == style.COLUMN and len([a for a in figure.axes
                                                              if a.get_label() != "<colorbar>"]) == 1, plot.id
        assert not figure._suptitle and not any(a.get_title()
                                                for a in figure.axes), plot.id    # pylint: disable=protected-access
        assert all(7 <= text.get_fontsize() <= 8 for a in figure.axes
                   for text in [*a.texts, *a.get_xticklabels(), a.xaxis.label]), plot.id


def test_whiskers_are_over_the_bars_and_a_single_round_has_none(tmp_path: Path) -> None:
    rows = [run("serial", "textbook", 8.0), run("openmp", "fused", 2.0),
            run("mpi", "fused", 1.0, rounds=1)]
    ends = {f"speed_up_over_like_for_like_{end}": 1.0 for end in ("min", "max")}
    rows = [row | ends for row in rows]
    results = read_results(make_results(tmp_path, rows))
    look = style.Look(results.runs)
    axes = next(iter(plots.speed_ups(results.runs, look))).draw().axes[0]
    assert len(axes.collections) == 2 and min(c.get_zorder() for c in axes.collections) > max(p.get_zorder()
                                                                                              for p in axes.patches)
    bars = next(iter(plots.comparisons("lbm", results.runs, look)))
    rows_of = {key: rows for key, _, rows in bars.units}
    assert [row["label"] for row in rows_of["textbook"]] == ["mpi fused", "openmp fused", "serial textbook"]
    assert [bool(row["ends"]) for row in rows_of["rate"]] == [False, True, True]
    fused = results.runs[results.runs["variant"] == "fused"].set_index("model")
    assert fused.loc["openmp", ["rate_low", "rate_high"]].tolist() == pytest.approx([fused["rate"]["openmp"] / end for end in (1.2, 0.9)])
    assert fused.loc["mpi", ["seconds_low", "rate_high", "speed_up_over_like_for_like_low"]].isna().all()


def test_labels_do_not_cover_each_other() -> None:
    places = roofline.spread_apart([1.0, 1.1, 1.2, 50.0], 10.0)
    assert all(b - a >= 10 for a, b in itertools.pairwise(places)) and roofline.spread_apart([], 10.0) == []


def test_remarks_are_at_most_three_lines(found: Page) -> None:
    table = Table("t", "T", [{"a": 1}], [], "c" * 200, ["n" * 100, "m" * 100])
    assert page.remarks(table) == (["c" * 200, "n" * 100], ["m" * 100])
    for notes in found.all("div", " notes "):
        seen = [e["text"] for e in found.all("p") if e["in"][-1] is notes]
        assert sum(-(-len(text) // page.LINE) for text in seen) <= page.MOST_LINES


def test_the_terminal_gets_a_dozen_lines(tmp_path: Path) -> None:
    make_results(tmp_path, rows_with_cuda())
    def printed(*more: str) -> str:
        return report("--results", tmp_path, "--no-plots", *more).stdout
    lines = printed().splitlines()
    assert len(lines) <= 12 and lines[0].startswith("lbm 128") and lines[-1].startswith("Report:")
    make_results(tmp_path, [run("serial", "fused", 4.0)])
    assert len(printed("--quiet").splitlines()) == 1 and "## All runs of lbm" in printed("--print", "--quiet")


def test_many_problems_are_folded_below_a_row_per_workload(tmp_path: Path) -> None:
    rows = [run("openmp", "fused", 1.0, case=f"{n}x{n}", case_digest=f"{n}") for n in range(100, 121)]
    text = (make(tmp_path, rows, "--no-plots") / "report.html").read_text()
    first = text[text.index('class="matrix"'):text.index("All 21 problems")]
    assert "furthest behind" in first and first.count('role="rowheader"') == 1 and "mpi, far behind" in first


def test_the_page_begins_with_a_sentence_per_problem(tmp_path: Path) -> None:
    rows = [run("openmp", "fused", 1.0, case=f"{n}x{n}", case_digest=f"{n}", notes="noisy (spread 20 %)") for n in range(100, 111)]
    text = (make(tmp_path, rows, "--no-plots") / "report.html").read_text()
    seen, folded = text[:text.index("3 more problems")], text[text.index("3 more problems"):text.index('class="matrix"')]
    assert seen.count(": openmp is fastest.</li>") == 8 and folded.count(": openmp is fastest.</li>") == 3
    assert "sycl: not built: no compiler." in folded and "100!</span>" in text


def test_shades_grow_darker() -> None:
    css = (REPORT / "page.css").read_text()
    shades = [re.search(rf"\.h{i} {{ background: (#\w{{6}})", css)[1] for i in range(len(glance.SHADES) + 1)]
    assert all(luminance(a) > luminance(b) for a, b in itertools.pairwise(shades))
    assert [glance.shade(share) for share in (None, 0.0, 0.02, 0.6, 1.0)] == ["none", "h0", "h1", "h4", "h6"]
    assert colorsys.rgb_to_hsv(*(int(shades[-1][i:i + 2], 16) / 255
                                 for i in (1, 3, 5)))[0] == pytest.approx(0.58, abs=0.03)
