#!/usr/bin/env python3
"""The records kept in analysis/results are whole, and pages of results show what they give. Argument: the build folder."""

import json
import statistics
import sys
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
BUILD = Path(sys.argv[1]).resolve()
sys.path.insert(0, str(TOP / "docs"))
sys.dont_write_bytecode = True
import generate  # pylint: disable=wrong-import-position
import records  # pylint: disable=wrong-import-position

SUITE = generate.Suite(BUILD / "bin")


class KeptResults(unittest.TestCase):
    def test_times_are_the_medians_of_their_repeats(self):
        read = 0
        for file in (TOP / "analysis/results").glob("*/*.jsonl"):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                record = json.loads(line).get("record") or {}
                for name in ("init_seconds", "compute_seconds", "collate_seconds"):
                    if record.get("repeats") and name in record:
                        right = statistics.median(repeat[name] for repeat in record["repeats"])
                        self.assertAlmostEqual(record[name], right, delta=1e-12 * right, msg=f"{file}:{number}: {name}")
                        read += 1
        self.assertGreater(read, 0)

    def test_pages_are_what_the_records_give(self):
        """And the table of README, whichever programs this build has."""
        for page in [TOP / "README.md", *(TOP / "docs/results").glob("*.md")]:
            with self.subTest(page.relative_to(TOP).as_posix()):
                text = page.read_text(encoding="utf-8")
                self.assertIn("<!-- generated: ", text)
                self.assertEqual(text, generate.generated(SUITE, page),
                                 "write it anew with: python3 docs/generate.py build/bin")

    def test_a_checked_result_has_precedence_and_others_are_marked(self):
        checked, unchecked = ({"passed": passed, "rate": rate, "rounds": "3", "standing": ""}
                              for passed, rate in (("true", "1"), ("", "9")))
        self.assertIs(max(unchecked, checked, key=records.rank), checked)
        best = {("mpi", "f32"): checked, ("tbb", "f32"): unchecked}
        cells = [records.Tables.cell(best, at) for at in best]
        self.assertEqual(cells, ["1", "9\u2020"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
