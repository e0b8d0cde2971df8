#!/usr/bin/env python3
# Tier: all (mutations of the checks, which parts_test holds as well)
"""One wrong element of any result is found: first, last and in between, of every array of each workload, in three
models and both precisions.

    corrupted_test.py FOLDER    programs WORKLOAD-MODEL with the option --corrupt (corrupted.cpp)

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
# Words of a run, whose results are the files of --output.
LAYER = {
    "pi": [["5003"], ["5003", "--method", "monte-carlo"]], "galton": [["301x17"]], "nbody": [["67", "--steps", "3"]],
    "xray": [["6x9"]], "magnetic-field": [["9", "--alpha", "0.5"]], "lbm-cylinder": [["13x19", "--steps", "4"]],
    "shallow-water": [["{}x{}".format(*WATER), "--steps", "3"]],
}


def of_each_site(sites, values, some):
    """Numbers of the elements that are `some` of the values of a site, for each of these."""
    return [range(value, sites * values, values) for value in some]


# In a collision f and g of the first and the last direction, and the velocity; else all results.
COLLIDED = of_each_site(7 * 5 * 9, 41, (0, 1, 36, 37, 38, 39, 40))
FLUID = ["5x3x7", "--steps", "2", "--case"]
# One cell is a wall, so that every component of the velocity is more than rounding.
LATTICES = {"d2q9": ("13\n11\n", "6 5 1\n"), "d3q19": ("13\n11\n3\n", "6 5 1 1\n")}
STEPS = ["--steps", "5", "--no-output", "--check", "oracle"]
# Words of a run, and for each result its number of elements, or the elements to change.
OTHERS = {
    "axes": [(["7"], {"fill": 7**4, "axis0": 7**3, "axis1": 7**3, "axis2": 7**3, "axis3": 7**3})],
    "binary-fluid": [([*FLUID, "collision"], {"sites": COLLIDED}),
                     ([*FLUID, "spinodal"], {"sites": of_each_site(5 * 3 * 7, 5, range(5)), "means": 5})],
    "heat": [(["23x17", "--steps", "9", "--start", start], {"temperatures": 23 * 17, "deltas": 9})
             for start in ("border", "mode", "noise")],
    "lbm": [(["FOLDER/d2q9.params", "FOLDER/d2q9.walls", *STEPS],
             {"ux": 13 * 11, "uy": 13 * 11, "density": 13 * 11, "av_vels": 5}),
            (["FOLDER/d3q19.params", "FOLDER/d3q19.walls", *STEPS],
             {"ux": 429, "uy": 429, "uz": 429, "density": 429, "av_vels": 5})],
    # The latter is large enough for the check by Freivalds.
    "matmul": [(["23x17x31"], {"c": 23 * 17}), (["131x257x4001"], {"c": 131 * 257})],
    "reduce": [(["5003"], {"number": 1}), (["5003", "--operator", "xor"], {"bit": 32})],
    "scan": [(["5003"], {"sums": 5003})],
    "segments": [(["7", "5003"], {"sums": 714}), (["601", "5003"], {"sums": 8})],
    "stream": [(["5003"], {"a": 5003, "b": 5003, "c": 5003, "dot": 1})],
}
CASES = OTHERS | {workload: [(words, {}) for words in all_words] for workload, all_words in LAYER.items()}


def places(workload, name, count):
    """First, last and two between them. The border of the water is no result: each step begins by recomputing it."""
    if isinstance(count, list):
        return [place for elements in count for place in some_of(name, elements)]
    elements = range(count)
    if workload == "shallow-water":
        rows, columns = WATER
        elements = [i for i in elements if 0 < i // columns < rows - 1 and 0 < i % columns < columns - 1]
    return some_of(name, elements)


def some_of(name, elements):
    last = len(elements) - 1
    return [f"{name}:{elements[at]}" for at in sorted({0, last // 3, 2 * last // 3, last})]


class Corrupted(unittest.TestCase):
    def check_program(self, program, workload):
        for words, counts in CASES[workload]:
            for precision in ("f32", "f64"):
                with self.subTest(program=program.name, words=words, precision=precision), \
                        tempfile.TemporaryDirectory() as folder:
                    for name, (sides, walls) in LATTICES.items():
                        Path(folder, name + ".params").write_text(sides + "5\n10\n0.1\n0.005\n1.85\n")
                        Path(folder, name + ".walls").write_text(walls)
                    command = [program, *(word.replace("FOLDER", folder) for word in words),
                               "--precision", precision, "--repeat", "1", "--no-tuned"]
                    if "no-tuned" not in subprocess.run([program, "--help-all"], capture_output=True, text=True).stdout:
                        command.pop()
                    files = [] if counts else ["--output", f"{folder}/out"]
                    clean = subprocess.run([*command, *files], capture_output=True, text=True)
                    if clean.returncode == 3:
                        self.skipTest(clean.stderr)
                    self.assertEqual(clean.returncode, 0, clean.stdout + clean.stderr)
                    self.assertIn("checked all of ", clean.stdout)
                    written = {file.name.split(".")[1]: file.stat().st_size // 8
                               for file in sorted(Path(folder).glob("out.*.f64"))}
                    wrong = [place for name, count in (counts or written).items()
                             for place in places(workload, name, count)]
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
