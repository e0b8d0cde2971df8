#!/usr/bin/env python3
"""Writes made-up submissions of a course: a folder each with one source and a Makefile, right or wrong in one way each.

    make_submissions.py FOLDER [RESULTS PROGRAMS]   prints a line for each: its name and the verdict that `boltzmark
                                                    check` must come to; with the folders of results and of the suite's
                                                    programs also those that try to get out of isolation

Python 3.9 or later, standard library only.
"""

from __future__ import annotations

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
    ("eats_memory", "-O2 -DFAULT=EATS", "memory"),
    ("reserves_memory", "-O2 -DFAULT=RESERVES", "right"),
    ("divides_memory", "-O2 -DFAULT=DIVIDES", "right"),
    ("says_no_time", "-O2 -DFAULT=NO_TIME", "right"),
    ("understates_its_time", "-O2 -DFAULT=UNDERSTATES", "right"),
    ("sets_up_for_long", "-O2 -DFAULT=SETS_UP", "right"),
    ("fills_its_folder", "-O2 -DFAULT=FILLS", "too-large"),
    ("empty", None, "missing"),
]
# Name, what its Makefile does before it compiles, flags, verdict. {folder} is the folder of all submissions, {results}
# that of the results, {programs} that of the suite's programs.
ESCAPES = [
    ("swaps_its_folder", "mv ../work ../old && ln -s {folder}/right ../work", "", "build"),
    ("undoes_its_mounts", "umount {results}; mount -o remount,rw,bind / && touch {folder}/escaped", "", "build"),
    ("reads_the_answers", "ls {results}/oracle", "", "build"),
    ("starts_ours", "{programs}/lbm-serial --version", "", "build"),
    ("reads_the_others", "cat {folder}/right/d2q9-bgk.c", "", "build"),
    ("finds_a_network", "test $$(grep -c : /proc/net/dev) -gt 1", "", "build"),
    ("fills_shared_memory", "true", "-DFAULT=SHARES", "failed"),
]


def make(folder: Path, results: Path | None = None, programs: Path = Path()) -> dict[str, str]:
    """The verdict of each."""
    verdicts = {}
    places = {"folder": folder.resolve(), "results": results and results.resolve(), "programs": programs.resolve()}
    for name, before, flags, verdict in [(name, "true", flags, verdict) for name, flags, verdict in SUBMISSIONS] + (
            ESCAPES if results else []):
        verdicts[name] = verdict
        own = folder / name
        own.mkdir(parents=True)
        if flags is None:
            continue
        shutil.copy(SOURCE, own)
        (own / "Makefile").write_text(f"d2q9-bgk: d2q9-bgk.c\n\t{before.format(**places)}\n"
                                      f"\t$(CC) -std=gnu99 {flags} -o $@ $< -lm\n")
    return verdicts


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit("usage: make_submissions.py FOLDER [RESULTS PROGRAMS]")
    for one, word in make(*map(Path, sys.argv[1:])).items():
        print(f"{one} {word}")
