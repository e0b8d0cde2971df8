#!/usr/bin/env python3
"""One wrong element of any result is found: first, last and in between, of every array of each workload of the layer,
in three models and both precisions.

    corrupted_test.py FOLDER    programs WORKLOAD-MODEL with the option --corrupt (corrupted.hpp)

Each program runs once without and must be right in all elements, so that what is found afterwards is the one that was
changed."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAMS = Path()
WATER = (20, 27)
CASES = {
    "pi": [["5003"], ["5003", "--method", "monte-carlo"]], "galton": [["301x17"]], "nbody": [["67", "--steps", "3"]],
    "xray": [["6x9"]], "magnetic-field": [["9", "--alpha", "0.5"]], "lbm-cylinder": [["13x19", "--steps", "4"]],
    "shallow-water": [["{}x{}".format(*WATER), "--steps", "3"]],
}


def places(workload, name, count):
    """First, last and two between them. The border of the water is no result: a step begins by making it anew."""
    elements = range(count)
    if workload == "shallow-water":
        rows, columns = WATER
        elements = [i for i in elements if 0 < i // columns < rows - 1 and 0 < i % columns < columns - 1]
    last = len(elements) - 1
    return [f"{name}:{elements[at]}" for at in sorted({0, last // 3, 2 * last // 3, last})]


class Corrupted(unittest.TestCase):
    def check_program(self, program, workload):
        for words in CASES[workload]:
            for precision in ("f32", "f64"):
                with self.subTest(program=program.name, words=words, precision=precision), \
                        tempfile.TemporaryDirectory() as folder:
                    command = [program, *words, "--precision", precision, "--repeat", "1", "--no-tuned"]
                    if "no-tuned" not in subprocess.run([program, "--help-all"], capture_output=True, text=True).stdout:
                        command.pop()
                    clean = subprocess.run([*command, "--output", f"{folder}/out"], capture_output=True, text=True)
                    if clean.returncode == 3:
                        self.skipTest(clean.stderr)
                    self.assertEqual(clean.returncode, 0, clean.stdout + clean.stderr)
                    self.assertIn("checked all of ", clean.stdout)
                    wrong = [place for file in sorted(Path(folder).glob("out.*.f64"))
                             for place in places(workload, file.name.split(".")[1], file.stat().st_size // 8)]
                    self.assertTrue(wrong)
                    runs = subprocess.run([*command, "--runs", "-"], capture_output=True, text=True,
                                          input="".join(f"--corrupt {place}\n" for place in wrong))
                    found = re.findall(r"^status:\s*(\d+)$", runs.stdout, re.MULTILINE)
                    self.assertEqual(dict(zip(wrong, found)), dict.fromkeys(wrong, "1"), runs.stderr)
                    self.assertEqual(runs.stdout.count("WRONG against reference"), len(wrong))


def add_tests():
    for program in sorted(PROGRAMS.iterdir()):
        workload = program.name.rsplit("-", 1)[0]
        if workload in CASES and os.access(program, os.X_OK):
            def test(self, program=program, workload=workload):
                self.check_program(program, workload)
            setattr(Corrupted, "test_" + program.name.replace("-", "_"), test)


if __name__ == "__main__":
    PROGRAMS = Path(sys.argv[1])
    add_tests()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
