# Tier: all (needs ReFrame)
"""analysis/reframe/boltzmark_test.py, run by ReFrame on the machine at hand.

    reframe_test.py REFRAME BOLTZMARK    both are programs
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
PROGRAMS: list[str] = []  # ReFrame and the driver


class PlanThroughReframe(unittest.TestCase):
    """Small runs of the serial model, which every build has."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write_plan(self, runs: list[dict[str, object]], repeats: int) -> Path:
        stream = {"workload": "stream", "model": "serial", "options": {"repeat": 2}}
        plan = {"repeats": repeats, "runs": [*runs, stream],
                "cases": [{"box": "40x30", "steps": 20}, {"workload": "stream", "arguments": ["5000"]}]}
        (self.folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        return self.folder / "plan.json"

    def run_plan(self, runs: list[dict[str, object]], *options: str, repeats: int = 1) -> str:
        self.write_plan(runs, repeats)
        done = subprocess.run(
            [PROGRAMS[0], "--prefix", self.folder, "--report-file", self.folder / "report.json", "-r", "--nocolor",
             "-c", SOURCE / "analysis" / "reframe" / "boltzmark_test.py",
             "-S", f"boltzmark={PROGRAMS[1]}", "-S", f"plan={self.folder / 'plan.json'}", *options],
            capture_output=True, text=True, check=False, timeout=1800, cwd=self.folder)
        return done.stdout + done.stderr

    def test_figures_of_every_run(self) -> None:
        text = self.run_plan([{"model": "serial", "variant": "fused"}, {"model": "serial", "variant": "textbook"}],
                             "-S", "nodes=1", "-S", "cpus_per_rank=1")
        self.assertIn("Ran 1/1 test case(s) from 1 check(s) (0 failure(s)", text)
        for name, unit in (("lbm-box_40x30-20-f32-serial-fused-1x1-rate", "MLUPS"),
                           ("lbm-box_40x30-20-f32-serial-textbook-1x1-gb_per_s", "GB/s"),
                           ("stream-5000-1-f32-serial-plain-triad-1x1-gb_per_s", "GB/s")):
            self.assertRegex(text, rf"{re.escape(name)}: [0-9.e+]+ {unit}")

    def test_references_of_an_earlier_call(self) -> None:
        """A rate that is ten times as high in the references fails; an unchanged one passes."""
        runs: list[dict[str, object]] = [{"model": "serial", "variant": "fused"}]
        done = subprocess.run([PROGRAMS[1], "run", self.write_plan(runs, 4), "--results", self.folder / "kept", "--quiet"],
                              check=False, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = self.folder / "kept" / "runs.jsonl"
        text = self.run_plan(runs, "-S", f"references={kept.parent}", "-S", "slower_than=900%", repeats=4)
        self.assertIn("(0 failure(s)", text)
        self.assertRegex(text, r"serial-fused-1x1-rate: [0-9.e+]+ MLUPS \(r:[0-9.e+]+")
        more = [*runs, {"model": "serial", "variant": "textbook"}]
        subprocess.run([PROGRAMS[1], "run", self.write_plan(more, 4), "--results", self.folder / "more", "--quiet"],
                       check=True, capture_output=True)
        text = self.run_plan(runs, "-S", f"references={self.folder / 'more'}", "-S", "slower_than=900%", repeats=4)
        self.assertIn("(1 failure(s)", text)
        self.assertRegex(text, r"missing: lbm-box_40x30-20-f32-serial-textbook-1x1: only in REF")
        text = self.run_plan(runs, "-S", f"references={self.folder / 'none'}")
        self.assertIn("(1 failure(s)", text)
        self.assertRegex(text, "boltzmark: error: .*/none")
        entries = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
        for record in (entry["record"] for entry in entries if entry["record"]["workload"] == "lbm"):
            for timing in (record, *record["repeats"]):
                timing["compute_seconds"] /= 100
            for metric in record["metrics"]:
                metric["value"] *= 100
        kept.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
        text = self.run_plan(runs, "-S", f"references={kept.parent}", "-S", "slower_than=900%", repeats=4)
        self.assertIn("(1 failure(s)", text)
        self.assertRegex(text, r"failed to meet reference.*: lbm-box_40x30-20-f32-serial-fused-1x1-rate")

    def test_a_run_that_fails(self) -> None:
        text = self.run_plan([{"model": "serial", "variant": "fused"}, {"model": "serial", "options": {"frob": True}}])
        self.assertIn("(1 failure(s)", text)
        self.assertRegex(text, r"serial .*: failed: .*--frob")

    def test_a_plan_that_is_none(self) -> None:
        self.assertIn("(1 failure(s)", self.run_plan([], "-S", "plan=no-such-plan"))


if __name__ == "__main__":
    PROGRAMS += sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main()
