"""report.json: read strictly, one line for what does not fit, and as REPORT.md describes it."""

import copy
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "analysis" / "render"), str(HERE)]

import report_samples
from checked import Bad
from report import PLOTS, SHAPE, read_report
from report_samples import render


class BadInput(unittest.TestCase):
    def setUp(self) -> None:
        hold = tempfile.TemporaryDirectory()
        self.addCleanup(hold.cleanup)
        self.folder = Path(hold.name)

    def refused(self, content: str, expected: str) -> None:
        file = self.folder / "report.json"
        file.write_text(content, encoding="utf-8")
        with self.assertRaises(Bad) as caught:
            read_report(file)
        line = str(caught.exception)
        self.assertEqual(line.count("\n"), 0)
        self.assertTrue(line.startswith(f"{file}{'' if expected[0] == ':' else ': '}{expected}"), line)

    def test_what_cannot_be_read_at_all(self) -> None:
        whole = report_samples.around()
        self.refused('{"format": 1,\n"title" 2}', ":2: not JSON")
        self.refused('{"format": 1, "title": NaN}', "not JSON: NaN")
        self.refused("[]", "expected an object, found a list of 0")
        self.refused(json.dumps({**whole, "format": 2}), "format: expected 1, found 2; written by a newer boltzmark")
        self.refused(json.dumps({**whole, "format": "1"}), 'format: expected 1, found "1"')
        self.refused(json.dumps({**whole, "title": 3}), "title: expected a string, found 3")
        machine = {**whole["machine"], "cores": 2.5}
        self.refused(json.dumps({**whole, "machine": machine}),
                     "machine.cores: expected a whole number, 0 or more, found 2.5")
        del whole["comparison"]["baselines"]
        self.refused(json.dumps(whole), "comparison.baselines: missing")
        run = render(self.folder / "report.json", "--no-plots")
        self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)
        self.assertIn("comparison.baselines: missing", run.stderr)
        self.assertFalse((self.folder / "report.html").exists())

    def test_no_file_and_no_place(self) -> None:
        run = render(self.folder / "none.json")
        self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1))
        self.assertIn("No such file", run.stderr)
        file = self.folder / "file"
        file.write_text("")
        run = render(report_samples.write(report_samples.around(), self.folder), "--out", file)
        self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1), run.stderr)

    def left_out(self, change, expected: str) -> None:
        """One line says what is left out; the rest is read."""
        sample = report_samples.small()
        change(sample)
        file = report_samples.write(sample, self.folder)
        report = read_report(file)
        self.assertEqual(len(report.complaints), 1, report.complaints)
        self.assertIn(expected, report.complaints[0])
        self.assertTrue(report.complaints[0].startswith(f"{file}: "))
        self.assertEqual(len(report.data["tables"]), 1)
        self.assertGreaterEqual(len(report.data["comparison"]["rows"]), 11)

    def test_what_is_left_out_is_said_here_and_on_the_page(self) -> None:
        sample = report_samples.small()
        sample["comparison"]["rows"][1]["nx"] = -1
        run = render(report_samples.write(sample, self.folder), "--no-plots")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        line = "comparison.rows[1].nx: expected a whole number, 0 or more, found -1; this one is left out"
        self.assertIn(line, run.stderr)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertTrue(line in page)
        self.assertTrue("113.36" in page)

    def test_what_is_left_out(self) -> None:
        def row(report: dict) -> dict:
            return report["comparison"]["rows"][1]

        def plot(report: dict, kind: str) -> dict:
            return report["plots"][kind][0]

        cases = [
            (lambda r: row(r).update(median="1.2"), 'comparison.rows[1].median: expected a number, found "1.2"'),
            (lambda r: row(r).pop("status"), "comparison.rows[1].status: missing"),
            (lambda r: row(r).update(id="run-1"), 'comparison.rows, id "run-1": a second one with this id'),
            (lambda r: row(r).update(id="../x"), "an id may only hold letters"),
            (lambda r: row(r).update(speed_ups=[1.0]), "speed_ups: expected 2 as there are baselines, found 1"),
            (lambda r: row(r)["roofline"].pop("why"), "comparison.rows[1].roofline.why: missing"),
            (lambda r: r["tables"].append({**r["tables"][0], "id": 3}), "tables[1].id: expected a string, found 3"),
            (lambda r: r["tables"].append({**r["tables"][0], "id": "t", "rows": [["x"]]}),
             "rows[0]: expected 4 cells as there are columns, found 1"),
            (lambda r: r["stream"][0].update(passed=1), "stream[0].passed: expected true or false, found 1"),
            (lambda r: plot(r, "rooflines")["points"][0].update(gflop_per_s=0),
             "plots.rooflines[0].points[0].gflop_per_s: expected a number above 0, found 0"),
            (lambda r: plot(r, "scaling").update(kind="odd"), 'kind: expected strong or weak, found "odd"'),
            (lambda r: plot(r, "vector_lengths")["series"][0]["points"][0].update(lanes=0),
             "plots.vector_lengths[0].series[0].points[0].lanes: expected a number above 0, found 0"),
            (lambda r: plot(r, "speed_ups").update(bars=[]), "bars: expected at least one"),
            (lambda r: plot(r, "average_velocity")["series"][0]["steps"].pop(), "59 steps, but 60 values"),
            (lambda r: plot(r, "optimisation_steps").update(problems=["x"]), "expected seconds of one of the problems"),
        ]
        for change, expected in cases:
            with self.subTest(expected=expected):
                self.left_out(change, expected)

    def test_flow_files(self) -> None:
        file = report_samples.write(report_samples.small(), self.folder)
        planes = self.folder / "flow-cylinder.f32"
        planes.write_bytes(planes.read_bytes()[:-4])
        run = render(file)
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertIn("expected 138240 bytes, found 138236", run.stderr)
        planes.unlink()
        run = render(file)
        self.assertEqual(run.returncode, 2)
        self.assertIn("flow-cylinder.f32: No such file or directory", run.stderr)
        self.assertTrue((self.folder / "plots" / "roofline-cpu-f32.svg").exists())
        self.assertIn("flow-cylinder.f32", (self.folder / "report.html").read_text(encoding="utf-8"))

    def test_planes_without_numbers_are_drawn(self) -> None:
        sample = report_samples.small()
        sample["plots"] = {kind: of if kind == "flow" else [] for kind, of in sample["plots"].items()}
        file = report_samples.write(sample, self.folder)
        for value in (np.nan, 0.0, 1e30):
            np.full(3 * 40 * 288, value, dtype="<f4").tofile(self.folder / "flow-cylinder.f32")
            run = render(file)
            self.assertEqual((run.returncode, run.stderr), (0, ""), value)

    def test_unknown_keys_are_no_error(self) -> None:
        sample = copy.deepcopy(report_samples.small())
        sample["future"] = {"x": 1}
        sample["comparison"]["rows"][0]["future"] = 1
        self.assertEqual(read_report(report_samples.write(sample, self.folder)).complaints, [])
        sample["plots"]["rooflines"] = 1
        with self.assertRaises(Bad):
            read_report(report_samples.write(sample, self.folder))


class Description(unittest.TestCase):
    """What the renderer reads is what REPORT.md describes."""

    TEXT = (HERE.parent / "analysis" / "report" / "REPORT.md").read_text(encoding="utf-8")

    def section(self, title: str) -> str:
        return self.TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0] if title else self.TEXT.split("\n## ")[0]

    def keys_of_table(self, section: str) -> set[str]:
        first = re.findall(r"^\|([^|]*)\|", section, re.MULTILINE)
        return {key for cell in first for key in re.findall(r"`(\w+)`", cell)}

    def test_top_level_rows_and_plots(self) -> None:
        self.assertEqual(self.keys_of_table(self.section("")), set(SHAPE))
        self.assertEqual(self.keys_of_table(self.section("A row of the comparison")),
                         set(SHAPE["comparison"]["rows"].inner))
        self.assertEqual(self.keys_of_table(self.section("plots")), set(PLOTS))

    def test_keys_of_each_plot(self) -> None:
        for line in self.section("plots").splitlines():
            if kind := re.match(r"\| `(\w+)` \|", line):
                listed = re.search(r"`\{([^}]*)\}`", line)[1]
                self.assertEqual(set(listed.replace(" ", "").split(",")), set(PLOTS[kind[1]]), kind[1])

    def test_the_committed_sample(self) -> None:
        kept = json.loads((HERE / "data" / "report_small.json").read_text(encoding="utf-8"))
        self.assertEqual(kept, json.loads(json.dumps(report_samples.small())))


if __name__ == "__main__":
    unittest.main()
