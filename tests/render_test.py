"""analysis/render: every plot is drawn without labels over each other, the page is well-formed and asks for nothing."""

import base64
import hashlib
import html.parser
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
RENDER = HERE.parent / "analysis" / "render"
sys.path[:0] = [str(RENDER), str(HERE)]

import labels
import plots
import report_samples
import roofline
from report import PLOTS, all_plots, read_report
from report_samples import render
from style import Look

SAMPLES = {"small": report_samples.small, "large": report_samples.large, "odd": report_samples.odd,
           "empty": report_samples.around}


class Rendered:
    """A sample, written and rendered once for all tests."""

    made: dict[str, "Rendered"] = {}

    def __init__(self, name: str):
        self.hold = tempfile.TemporaryDirectory(prefix=f"render-{name}-")
        self.folder = Path(self.hold.name)
        self.json = report_samples.write(SAMPLES[name](), self.folder)
        self.run = render(self.json)
        self.report = read_report(self.json)
        self.page = (self.folder / "report.html").read_text(encoding="utf-8")

    @classmethod
    def of(cls, name: str) -> "Rendered":
        if name not in cls.made:
            cls.made[name] = cls(name)
        return cls.made[name]


def tearDownModule() -> None:
    for rendered in Rendered.made.values():
        rendered.hold.cleanup()


def drawn_texts(figure) -> list:
    """Every text that is seen on a figure; of tick labels only those within their axis."""
    texts = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    if figure._suptitle is not None and figure._suptitle not in texts:
        texts.append(figure._suptitle)
    for axes in figure.axes:
        if not axes.get_visible():
            continue
        texts += [*axes.texts, axes.title, axes._left_title, axes._right_title]
        if axes.get_legend():
            texts += axes.get_legend().get_texts()
        if not axes.axison:
            continue
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            texts += [axis.label, *(label for tick in ticks for label in (tick.label1, tick.label2))]
    return [text for text in texts if text.get_visible() and text.get_text().strip()]


def shrunk(box: np.ndarray, pixels: float = 1.0) -> np.ndarray:
    """A box that is so much smaller on every side: line boxes are a little taller than their letters."""
    along, across = box[1] - box[0], box[3] - box[0]
    along, across = along / (np.hypot(*along) or 1) * pixels, across / (np.hypot(*across) or 1) * pixels
    return box + np.array([along + across, across - along, -along - across, along - across])


class Plots(unittest.TestCase):
    def check_figures(self, name: str) -> None:
        """Texts of each figure lie on it and not on each other; axes name their units."""
        report = Rendered.of(name).report
        look = Look(report.data)
        for kind, plot in all_plots(report.data):
            with self.subTest(plot=plot["id"]):
                figure = plots.figure_of(kind, plot, report, look)
                figure.draw_without_rendering()
                renderer = figure.canvas.get_renderer()
                texts = drawn_texts(figure)
                self.assertGreater(len(texts), 3)
                boxes = [shrunk(labels.box_of(text, renderer)) for text in texts]
                self.check_inside(figure, texts, boxes)
                for i, (text, box) in enumerate(zip(texts, boxes)):
                    for other, other_box in zip(texts[:i], boxes[:i]):
                        self.assertFalse(labels.overlap(box, other_box),
                                         f"'{text.get_text()}' lies on '{other.get_text()}'")
                self.check_units(kind, figure)

    def check_inside(self, figure, texts: list, boxes: list) -> None:
        width, height = figure.bbox.size
        for text, box in zip(texts, boxes):
            inside = (box >= -1.0).all() and (box <= (width + 1.0, height + 1.0)).all()
            self.assertTrue(inside, f"'{text.get_text()}' is cut off: {box.tolist()} on {width} x {height}")

    def check_units(self, kind: str, figure) -> None:
        for axes in figure.axes:
            if not axes.axison or not axes.get_visible():
                continue
            for axis in (axes.xaxis, axes.yaxis):
                written = [label for label in axis.get_ticklabels() if label.get_visible() and label.get_text()]
                named = bool(re.search(r"[A-Za-z]{3}", "".join(label.get_text() for label in written)))
                # Names of runs and steps are no quantity; panels side by side share the first one's label.
                shared = kind == "optimisation_steps" and axes is not figure.axes[0]
                if written and not named and not shared:
                    self.assertRegex(axis.get_label().get_text(), r"\S\s\(\S.*\)")

    def test_small(self) -> None:
        self.check_figures("small")

    def test_large(self) -> None:
        self.check_figures("large")

    def test_odd(self) -> None:
        self.check_figures("odd")

    def test_every_plot_is_written_as_svg_and_png(self) -> None:
        for name in ("small", "large", "odd"):
            rendered = Rendered.of(name)
            self.assertEqual((rendered.run.returncode, rendered.run.stderr), (0, ""))
            for kind, plot in all_plots(rendered.report.data):
                with self.subTest(plot=plot["id"]):
                    self.check_svg(rendered.folder / "plots" / f"{plot['id']}.svg")
                    png = (rendered.folder / "plots" / f"{plot['id']}.png").read_bytes()
                    self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")

    def check_svg(self, file: Path) -> None:
        text = file.read_text(encoding="utf-8")
        root = ElementTree.fromstring(text)
        self.assertEqual(root.get("role"), "img")
        self.assertGreater(len(root.get("aria-label")), 20)
        words = "".join("".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text"))
        self.assertGreater(len(words), 20, "texts are not texts")
        self.assertIn("sans-serif", text)
        self.assertEqual(list(root.iter("{http://www.w3.org/2000/svg}style")), [])
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual([i for i in ids if not i.startswith(f"svg-{file.stem}-")], [])
        references = set(re.findall(r"(?:url\(#|href=\"#)([^)\"]+)", text))
        self.assertEqual(references - set(ids), set())

    def test_every_kind_is_in_the_samples(self) -> None:
        for name in ("small", "large", "odd"):
            self.assertEqual([kind for kind, of in SAMPLES[name]()["plots"].items() if not of], [])
        self.assertEqual(set(plots.MODULES), set(PLOTS))

    def test_drawing_twice_gives_the_same(self) -> None:
        rendered = Rendered.of("small")
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(render(rendered.json, "--out", folder).returncode, 0)
            for file in sorted(Path(folder).rglob("*.*")):
                self.assertEqual(file.read_bytes(), (rendered.folder / file.relative_to(folder)).read_bytes(), file)

    def test_one_plot_alone(self) -> None:
        rendered = Rendered.of("small")
        with tempfile.TemporaryDirectory() as folder:
            run = render(rendered.json, "--out", folder, "--only", "flow-cylinder")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(sorted(p.name for p in Path(folder).rglob("*.*")),
                             ["flow-cylinder.png", "flow-cylinder.svg"])
            run = render(rendered.json, "--out", folder, "--only", "flow")
            self.assertEqual(run.returncode, 2)
            self.assertIn("no plot has the id 'flow'", run.stderr)


class Placing(unittest.TestCase):
    def test_overlap_of_turned_boxes(self) -> None:
        square = labels.square(0, 0, 1)
        self.assertTrue(labels.overlap(square, labels.square(1.5, 0, 1)))
        self.assertFalse(labels.overlap(square, labels.square(2.5, 0, 1)))
        diagonal = labels.strip((0, 4), (4, 0), 0.1)
        self.assertFalse(labels.overlap(square, diagonal), "its upright box overlaps, itself it does not")
        self.assertTrue(labels.overlap(labels.square(2, 2, 0.2), diagonal))

    def test_swarm_moves_points_apart_and_no_others(self) -> None:
        points = [(100.0, 10.0 + 0.5 * i) for i in range(30)] + [(100.0, 500.0)]
        moved = roofline.swarm(points, 8.0)
        at = [(x, y) for x, (_, y) in zip(moved, points)]
        for i, (x, y) in enumerate(at):
            for px, py in at[:i]:
                self.assertGreaterEqual(np.hypot(px - x, py - y), 8.0 - 1e-3)
        self.assertEqual(moved[-1], 100.0)
        self.assertLess(max(abs(x - 100.0) for x in moved), 90.0)

    def test_spread_keeps_order_and_distance(self) -> None:
        places = labels.spread([50.0, 50.0, 10.0, 52.0], 10.0, 0.0, 100.0)
        ordered = sorted(places)
        self.assertGreaterEqual(min(b - a for a, b in zip(ordered, ordered[1:])), 10.0 - 1e-6)
        self.assertEqual(min(places), places[2])
        self.assertEqual(max(places), places[3])


class Markup(html.parser.HTMLParser):
    """Checks nesting and collects what the tests ask for."""

    EMPTY = {"meta", "link", "br", "input", "img", "hr"}

    def __init__(self, page: str):
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.elements: list[tuple[str, dict]] = []
        self.feed(page)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.note(tag, attributes)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list) -> None:
        self.note(tag, attributes)

    def note(self, tag: str, attributes: list) -> None:
        values = dict(attributes)
        self.elements.append((tag, values))
        self.ids += [values["id"]] if "id" in values else []
        self.links += [(key, value) for key, value in attributes
                       if key in ("href", "src", "xlink:href", "srcset", "action", "data", "poster")]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at line {self.getpos()[0]} closes nothing")


class Page(unittest.TestCase):
    def test_it_is_well_formed_and_asks_for_nothing(self) -> None:
        for name in SAMPLES:
            with self.subTest(sample=name):
                page = Rendered.of(name).page
                markup = Markup(page)
                self.assertEqual(markup.faults, [])
                self.assertEqual(len(markup.ids), len(set(markup.ids)), "ids clash")
                for key, value in markup.links:
                    self.assertRegex(value, r"^(#|data:)", f"{key}={value[:60]}")
                inside = {value[1:] for _, value in markup.links if value.startswith("#")}
                self.assertEqual(inside - set(markup.ids), set(), "links to nowhere")
                bare = re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
                self.assertNotRegex(bare, r"https?://")
                self.assertNotRegex(bare, r"@import|url\((?!#)")

    def test_it_can_be_read_without_seeing(self) -> None:
        for name in SAMPLES:
            markup = Markup(Rendered.of(name).page)
            levels = [int(tag[1]) for tag, _ in markup.elements if re.fullmatch(r"h[1-6]", tag)]
            self.assertEqual(levels[0], 1)
            self.assertEqual(levels.count(1), 1)
            self.assertTrue(all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels)
            tags = [tag for tag, _ in markup.elements]
            self.assertEqual(tags.count("table"), tags.count("caption"))
            self.assertIn(("html", {"lang": "en"}), markup.elements)
            for tag, values in markup.elements:
                if tag == "th":
                    self.assertIn(values.get("scope"), ("col", "row"))
                if tag == "svg":
                    self.assertEqual(values.get("role"), "img")
                    self.assertTrue(values.get("aria-label"))
                if tag == "select":
                    self.assertTrue(values.get("name"))

    def test_it_runs_its_own_script_alone(self) -> None:
        page = Rendered.of("odd").page
        scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        self.assertEqual(len(scripts), 1)
        digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
        self.assertIn("default-src 'none'", policy)
        self.assertIn(f"script-src 'sha256-{digest}'", policy)
        self.assertNotIn("connect-src", policy)
        self.assertTrue("&lt;script&gt;alert(" in page)

    def test_every_row_and_reason_and_origin_is_there(self) -> None:
        rendered = Rendered.of("large")
        ids = set(Markup(rendered.page).ids)
        for row in rendered.report.data["comparison"]["rows"]:
            self.assertIn(f"row-{row['id']}", ids)
            self.assertIn(f"detail-{row['id']}", ids)
        small = Rendered.of("small")
        for row in small.report.data["comparison"]["rows"]:
            if row["status"] == "ok":
                self.assertTrue(row["roofline"]["why"] in small.page)
                self.assertTrue(row["provenance"]["command"] in small.page)
        for entry in small.report.data["not_run"]:
            self.assertTrue(entry["reason"] in small.page)
        self.assertTrue("results/runs.jsonl:17: compute_seconds" in small.page)
        self.assertTrue("113.36" in small.page)

    def test_an_empty_report_says_what_to_run(self) -> None:
        page = Rendered.of("empty").page
        for text in ("No runs. <code>boltzmark run</code>", "boltzmark peaks has not been run", "STREAM was not run",
                     "None: every line of the results was used."):
            self.assertTrue(text in page)

    def test_without_plots(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            run = render(Rendered.of("small").json, "--out", folder, "--no-plots")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertEqual([p.name for p in Path(folder).iterdir()], ["report.html"])
            page = (Path(folder) / "report.html").read_text(encoding="utf-8")
            self.assertEqual(page.count("Plots were left out"), len(PLOTS))

    def test_without_matplotlib_the_page_says_so(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "matplotlib.py").write_text("raise ImportError('gone', name='matplotlib')\n")
            run = render(Rendered.of("small").json, "--out", folder, PYTHONPATH=folder)
            self.assertEqual(run.returncode, 3)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertIn("install python3-matplotlib", run.stderr)
            page = (Path(folder) / "report.html").read_text(encoding="utf-8")
            self.assertTrue("install python3-matplotlib" in page)
            self.assertTrue("1368" in page)


if __name__ == "__main__":
    unittest.main()
