#!/usr/bin/env python3
"""Writes made-up submissions of a course: a folder each with one source and a Makefile, right or wrong in one way each.

    make_submissions.py FOLDER       prints a line for each: its name and the verdict that `boltzmark check` must come to

Python 3.9 or later, standard library only.
"""

import shutil
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "d2q9-bgk.c"
# Name, flags of the compiler, verdict.
SUBMISSIONS = [
    ("right", "-O1", "right"),
    ("fast", "-O3 -ffast-math -march=native", "right"),
    ("slow", "-O0 -DSLOW=4", "right"),
    ("wrong_in_one_cell", "-O2 -DFAULT=ONE_CELL", "wrong"),
    ("wrong_weight", "-O2 -DFAULT=WRONG_WEIGHT", "wrong"),
    ("too_few_steps", "-O2 -DFAULT=TOO_FEW_STEPS", "steps"),
    ("not_a_number", "-O2 -DFAULT=NOT_A_NUMBER", "nan"),
    ("hangs", "-O2 -DFAULT=HANGS", "timeout"),
    ("crashes", "-O2 -DFAULT=CRASHES", "crashed"),
    ("does_not_compile", "-O2 -DFAULT=", "build"),
    ("floods_its_output", "-O2 -DFAULT=FLOODS", "output"),
    ("prints_megabytes", "-O2 -DFAULT=CHATTERS", "right"),
    ("leaves_a_child", "-O2 -DFAULT=FORKS", "right"),
    ("writes_elsewhere", "-O2 -DFAULT=ESCAPES", "right"),
    ("eats_memory", "-O2 -DFAULT=EATS", "failed"),
    ("empty", None, "missing"),
]


def make(folder: Path) -> dict[str, str]:
    """The verdict of each."""
    for name, flags, _ in SUBMISSIONS:
        own = folder / name
        own.mkdir(parents=True)
        if flags is None:
            continue
        shutil.copy(SOURCE, own)
        (own / "Makefile").write_text(f"d2q9-bgk: d2q9-bgk.c\n\t$(CC) -std=gnu99 {flags} -o $@ $< -lm\n")
    return {name: verdict for name, _, verdict in SUBMISSIONS}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make_submissions.py FOLDER")
    for one, word in make(Path(sys.argv[1])).items():
        print(f"{one} {word}")
