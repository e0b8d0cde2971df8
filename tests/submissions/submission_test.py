#!/usr/bin/env python3
"""Programs that are not ours: made-up submissions through `boltzmark check`, two of them in a plan, and one through
`boltzmark compare-with`.

    submission_test.py FOLDER     the folder of the built programs
"""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import make_submissions

PROGRAMS = Path()
PARAMS, OBSTACLES = "input_box.params", "obstacles_box.dat"


def rows_of(file):
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


class Own(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.holder.name)
        (cls.folder / PARAMS).write_text("32\n24\n60\n10\n0.1\n0.005\n1.7\n")
        (cls.folder / OBSTACLES).write_text("".join(f"{x} {y} 1\n" for x in range(32) for y in (0, 23)))
        make_submissions.make(cls.folder / "tried")
        tried = subprocess.run([PROGRAMS / "boltzmark", "check", "tried/right", "--params", PARAMS, "--obstacles",
                                OBSTACLES, "--results", "tried-checks"], cwd=cls.folder, text=True, capture_output=True,
                               check=False)
        cls.isolated = "--no-isolation" not in tried.stderr
        assert tried.returncode == (0 if cls.isolated else 3), tried.stderr
        # Without isolation those that try to get out would.
        escapes_to = [cls.folder / "checks", PROGRAMS] if cls.isolated else []
        cls.expected = make_submissions.make(cls.folder / "all", *escapes_to)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def drive(self, *words):
        environment = {**os.environ, "COLUMNS": "120", "ESCAPE_TO": str(self.folder / "escaped")}
        done = subprocess.run([PROGRAMS / "boltzmark", *words], cwd=self.folder, text=True, env=environment,
                              capture_output=True, timeout=1800, check=False)
        self.output, self.errors = done.stdout, done.stderr
        return done.returncode

    def check(self, results, *words):
        return self.drive("check", *words, "--params", PARAMS, "--obstacles", OBSTACLES, "--results", results,
                          "--time-limit", "10", "--memory-limit", "300",  # seconds even on a busy machine
                          *([] if self.isolated else ["--no-isolation"]))

    def test_every_submission_gets_its_word(self):
        names = [f"all/{name}" for name in self.expected]
        self.assertEqual(self.check("checks", *names), 1, self.errors)
        rows = {row["folder"].split("/")[1]: row for row in rows_of(self.folder / "checks/checks.csv")}
        self.assertEqual({name: row["verdict"] for name, row in rows.items()}, self.expected, self.errors)
        for name, row in rows.items():
            self.assertEqual(row["right"], "true" if self.expected[name] == "right" else "false")
            self.assertEqual(bool(row["speed_up_over_textbook"]),
                             self.expected[name] == "right" and "no time" not in row["notes"], row)
            self.assertIn(row["meaning"], self.output)
        self.assertEqual(rows["wrong_in_one_cell"]["deviation_at"], "speed, cell 16 12")
        self.assertLess(float(rows["right"]["deviation"]), 1e-3)
        self.assertIn("error", rows["does_not_compile"]["reason"])
        self.assertIn("signal 11", rows["crashes"]["reason"])
        self.assertIn("left a process running", rows["leaves_a_child"]["notes"])
        # No time, unless the machine was so busy that its steps took long.
        self.assertRegex(rows["says_no_time"]["notes"], r"it printed 1e-310 s, .*: (no time|the measured time counts)$")
        short = rows["understates_its_time"]  # a tenth of its time
        self.assertRegex(short["notes"], r"it printed 0\.\d+ s, but took .*: the measured time counts$")
        self.assertGreater(float(short["seconds"]), 2 * float(short["seconds_printed"]))
        self.assertLess(float(rows["sets_up_for_long"]["seconds"]), 2.0)  # which its set-up takes
        self.assertFalse((self.folder / "all/escaped").exists())
        if self.isolated:
            self.assertFalse((self.folder / "escaped").exists())
        self.assertFalse((self.folder / "all/right/d2q9-bgk").exists())  # built in a copy

        # A second call checks only new folders.
        def kept():  # of a row; its rank is among all
            return [{**row, "rank": ""} for row in rows_of(self.folder / "checks/checks.csv")]

        before = kept()
        late = self.folder / "all/late"
        shutil.copytree(self.folder / "all/right", late)
        self.addCleanup(shutil.rmtree, late)
        self.assertEqual(self.check("checks", *names, "all/late"), 1)
        self.assertIn(f"{len(names)} of {len(names) + 1} folders checked already", self.errors)
        self.assertEqual(kept()[:-1], before)
        # The table keeps the folders of earlier calls, while they are there.
        self.assertEqual(self.check("checks", "all/right", "all/late"), 0)
        self.assertIn(f"2 of 2 folders right. Table: checks/checks.csv (with {len(names) - 1} rows of earlier calls)",
                      self.output)
        verdicts = {row["folder"].split("/")[1]: row["verdict"] for row in rows_of(self.folder / "checks/checks.csv")}
        self.assertEqual(verdicts, self.expected | {"late": "right"})
        shutil.move(late, self.folder / "all/moved")
        self.assertEqual(self.check("checks", "all/right"), 0)
        self.assertEqual(len(rows_of(self.folder / "checks/checks.csv")), len(names))
        shutil.move(self.folder / "all/moved", late)
        self.assertEqual(self.check("checks", "all/right", "--again", "--steps", "20"), 0)
        self.assertNotIn("checked already", self.errors)
        if self.isolated:  # nor does one see in a call of its own what earlier calls checked
            self.assertEqual(self.check("checks", "all/reads_the_others", "--again"), 1)
            self.assertIn("build", self.output)

    def handed_in(self, name, makefile="d2q9-bgk: d2q9-bgk.c\n\t$(CC) -std=gnu99 -O1 -o $@ $< -lm\n"):
        """A folder with a right source and this Makefile."""
        own = self.folder / "handed" / name
        own.mkdir(parents=True)
        shutil.copy(make_submissions.SOURCE, own)
        (own / "Makefile").write_text(makefile)
        return own

    def checked(self, results, *folders):
        """The row of each folder, by its last name."""
        self.check(results, *map(str, folders))
        return {Path(row["folder"]).name: row for row in rows_of(self.folder / results / "checks.csv")}

    def test_what_came_along_compiled_is_not_judged(self):
        of_object = ("d2q9-bgk: obj/d2q9-bgk.o\n\t$(CC) -o $@ $< -lm\n"
                     "obj/d2q9-bgk.o: d2q9-bgk.c obj\n\t$(CC) -std=gnu99 -O1 -c -o $@ $<\nobj:\n\tmkdir obj\n")
        without_source = "d2q9-bgk:\n\t$(CC) -std=gnu99 -O1 -o $@ d2q9-bgk.c -lm\n"
        object_without_source = ("d2q9-bgk: d2q9-bgk.o\n\t$(CC) -o $@ $< -lm\n"
                                 "d2q9-bgk.o:\n\t$(CC) -std=gnu99 -O1 -c d2q9-bgk.c\n")
        kinds = {"program": self.handed_in("program"), "object": self.handed_in("object", of_object),
                 "unnamed": self.handed_in("unnamed", without_source),
                 "bare_object": self.handed_in("bare_object", object_without_source), "folder": self.handed_in("folder", of_object)}
        for name, own in kinds.items():
            subprocess.run(["make", "-s", "-C", own], check=True)
            if name != "folder":
                with (own / "d2q9-bgk.c").open("a") as source:
                    source.write("this does not compile\n")
                for old in [own / "d2q9-bgk", *own.glob("**/*.o")]:  # and yet looks as if it were of this source
                    os.utime(old, (time.time() + 60, time.time() + 60))
        nothing_made = kinds["nothing_made"] = self.handed_in("nothing_made", "all:\n\t@true\n")
        shutil.copy(kinds["folder"] / "d2q9-bgk", nothing_made)
        rows = self.checked("compiled", *kinds.values())
        self.assertEqual({name: row["verdict"] for name, row in rows.items()},
                         {name: "right" if name == "folder" else "build" for name in kinds}, rows)
        for name, row in rows.items():
            objects = [str(one.relative_to(kinds[name])) for one in kinds[name].glob("**/*.o")]
            self.assertEqual(row["notes"], "compiled files were handed in: " + ", ".join(["d2q9-bgk", *objects]))
        self.assertIn("error: unknown type name", rows["object"]["reason"])
        self.assertEqual(rows["nothing_made"]["reason"], "make: expected ./d2q9-bgk after the build, found no program")
        self.assertEqual(self.drive("compare-with", "./d2q9-bgk", "--folder", kinds["program"], "--build", "make", "--params",
                                    PARAMS, "--obstacles", OBSTACLES, "--results", "compiled"), 2)
        self.assertIn("found: make: ended with status 2: d2q9-bgk.c:", self.errors)

    def test_a_right_result_further_off_than_by_rounding_has_a_note(self):
        own = self.handed_in("off")
        source = (own / "d2q9-bgk.c").read_text()
        (own / "d2q9-bgk.c").write_text(source.replace("step, averages[step])", "step, 1.003 * averages[step])"))
        rows = self.checked("off", own, self.handed_in("not_off"))
        self.assertEqual([rows[name]["verdict"] for name in ("off", "not_off")], ["right", "right"], rows)
        self.assertIn("more than rounding in single precision", rows["off"]["notes"])
        self.assertNotIn("rounding", rows["not_off"]["notes"])
        subprocess.run(["make", "-s", "-C", own], check=True)
        self.assertEqual(self.drive("compare-with", f"{own}/d2q9-bgk", "--params", PARAMS, "--obstacles", OBSTACLES,
                                    "--models", "serial", "--repeats", "1", "--results", "off-one"), 0, self.errors)
        self.assertIn("more than rounding", " ".join(self.output.split()))

    def test_a_result_that_differs_from_run_to_run_has_a_note(self):
        folders = [self.handed_in(f"race_{k}") for k in range(3)]
        for own in folders:
            (own / "race.sh").write_text("./d2q9-bgk $@\nif [ $(($(od -An -N1 -tu1 /dev/urandom) % 2)) = 1 ]; then\n"
                                         "sed -i '7s/\t/\t9/' av_vels.dat; fi\n")  # 1 of 2 runs has 9... in one step
        for name, row in self.checked("races", *folders, "--run", "sh race.sh", "--repeats", "12").items():
            if row["verdict"] == "right":
                continue
            self.assertEqual(row["verdict"], "wrong", row)
            self.assertEqual("differs from run to run" in row["notes"], int(row["runs"]) > 1, (name, row))

    def test_right_results_that_differ_between_repeats_have_a_note(self):
        """Within the tolerance, of a program that prints no time; not one whose sums differ by rounding alone."""
        lines = {"cell": ("final_state.dat", 400, '$3 *= 1 + by * 1e-12'),
                 "step": ("av_vels.dat", 4, '$2 = sprintf("%.12E", $2 * (1 + by * 1e-16))')}
        for name, (file, line, change) in lines.items():
            own = self.handed_in(f"{name}_differs")
            (own / "race.sh").write_text(f"./d2q9-bgk $@ | grep -v Elapsed\n"
                                         f"awk -v by=$(date +%N) 'NR == {line} {{ {change} }} 1' {file} > new\n"
                                         f"mv new {file}\n")
            row = self.checked(f"{name}-differs", own, "--run", "sh race.sh", "--repeats", "3")[own.name]
            self.assertEqual(row["verdict"], "right", row)
            self.assertEqual("results differ between repeats, by up to" in row["notes"], name == "cell", row)
            self.assertEqual("(speed, cell 15 12): a race?" in row["notes"], name == "cell", row)

    def test_known_results_are_not_those_of_one_step(self):
        subprocess.run([PROGRAMS / "lbm-serial", self.folder / PARAMS, self.folder / OBSTACLES], check=True,
                       capture_output=True, cwd=(own := self.handed_in("copies")))
        (own / "known").mkdir()
        for file in own.glob("*.dat"):
            file.rename(own / "known" / file.name)
        (own / "Makefile").write_text("d2q9-bgk:\n\tprintf '#!/bin/sh\\ncp known/* .\\n' > $@\n\tchmod +x $@\n")
        row = self.checked("copied", own)["copies"]
        self.assertEqual(row["verdict"], "steps", row)
        self.assertEqual(row["reason"], "writes 60 steps where 1 is asked for: its results do not depend on the "
                                        "problem's steps")

    def test_a_run_without_a_time_leaves_its_folder_without(self):
        own = self.handed_in("at_times")  # 1 of 4 runs prints no time
        (own / "d2q9-bgk.sh").write_text("./d2q9-bgk $@ > said\n[ $(($(od -An -N1 -tu1 /dev/urandom) % 4)) = 0 ] || "
                                         "cat said\n")
        row = self.checked("at-times", own, "--run", "sh d2q9-bgk.sh", "--repeats", "12")["at_times"]
        self.assertEqual(row["verdict"], "right", row)
        for figure in ("seconds", "seconds_best", "speed_up_over_textbook", "rank"):
            self.assertEqual(bool(row[figure]), row["runs"] == "12", row)
        self.assertEqual("no time" in row["notes"], row["runs"] != "12", row)

    def test_a_failed_build_says_what_is_missing(self):
        one = "d2q9-bgk: d2q9-bgk.c\n\t{} -std=gnu99 -o $@ $<{}\n"
        wanted = {"compiler": (one.format("no-such-compiler", ""), "no-such-compiler: not found"),
                  "library": (one.format("$(CC)", " -lm -lnothere"), "-lnothere"),
                  "function": (one.format("$(CC) -DSLOW=helper\\(\\) -Wno-implicit-function-declaration", " -lm"), "helper"),
                  "name": (one.format("$(CC)", " -lm").replace("d2q9-bgk:", "d2q9-bgk.exe:"),
                           "expected ./d2q9-bgk after the build, found d2q9-bgk.exe")}
        rows = self.checked("missing", *(self.handed_in(name, makefile) for name, (makefile, _) in wanted.items()))
        for name, (_, reason) in wanted.items():
            self.assertEqual(rows[name]["verdict"], "build", rows[name])
            self.assertIn(reason, rows[name]["reason"])

    def test_folders_of_results_with_a_problem_each(self):
        for name, steps in (("whole", 40), ("half", 40)):
            own = self.folder / "done" / name
            own.mkdir(parents=True)
            (own / PARAMS).write_text(f"16\n12\n{steps}\n10\n0.1\n0.005\n1.7\n")
            (own / OBSTACLES).write_text("3 3 1\n")
            more = ["--steps", "20"] if name == "half" else []
            subprocess.run([PROGRAMS / "lbm-serial", *more, PARAMS, OBSTACLES], cwd=own, check=True, capture_output=True)
        (self.folder / "done/none").mkdir()
        (self.folder / "done/bare").mkdir()
        (self.folder / "done/bare/d2q9-bgk.c").write_text("")
        (self.folder / "done/file").write_text("")
        self.assertEqual(self.drive("check", *(f"done/{name}" for name in ("whole", "half", "none", "file")), "--results",
                                    "done-checks"), 1)
        verdicts = [row["verdict"] for row in rows_of(self.folder / "done-checks/checks.csv")]
        self.assertEqual(verdicts, ["right", "steps", "missing", "missing"])
        # Messages for the commonest mistakes: a source without a Makefile, and the folder of all folders.
        self.assertEqual(self.drive("check", "done/bare", "done", "--results", "mistaken"), 1)
        rows = rows_of(self.folder / "mistaken/checks.csv")
        self.assertEqual([row["verdict"] for row in rows], ["nothing to build", "missing"])
        self.assertIn('found d2q9-bgk.c; try --build "gcc -O3 -o d2q9-bgk *.c -lm"', rows[0]["reason"])
        self.assertIn("it holds 4 folders: did you mean done/*?", rows[1]["reason"])
        for row in rows:  # whole, below the row
            self.assertIn(row["reason"], " ".join(self.output.split()))
        # A problem that would keep the oracle for hours is its own folder's fault.
        long = self.folder / "done/long"
        shutil.copytree(self.folder / "done/whole", long)
        (long / PARAMS).write_text("300\n300\n2000000\n10\n0.1\n0.005\n1.7\n")
        self.assertEqual(self.drive("check", "done/long", "done/whole", "--results", "long-checks"), 1)
        rows = rows_of(self.folder / "long-checks/checks.csv")
        self.assertEqual([row["verdict"] for row in rows], ["problem", "right"])
        self.assertIn("found 1.8e+11", rows[0]["reason"])

    def test_repeats_have_a_median_and_a_rank(self):
        self.assertEqual(self.check("repeated", "all/right", "tried/right", "--repeats", "3"), 0, self.output + self.errors)
        rows = rows_of(self.folder / "repeated/checks.csv")
        self.assertEqual([row["runs"] for row in rows], ["3", "3"])
        self.assertIn(sorted(row["rank"] for row in rows), (["1", "1"], ["1", "2"]))  # a tie where noise hides who is faster
        for row in rows:
            self.assertLessEqual(float(row["seconds_best"]), float(row["seconds"]))
        # A call for one of them has the ranks of the file.
        self.assertEqual(self.check("repeated", "all/right", "--repeats", "3", "--feedback", "ranked"), 0, self.errors)
        (row,) = (row for row in rows_of(self.folder / "repeated/checks.csv") if row["folder"] == "all/right")
        (page,) = (self.folder / "ranked").iterdir()
        for text in (self.output, page.read_text()):
            self.assertRegex(text, rf"\b{row['rank']}=? of 2\b")

    def test_marks_and_feedback(self):
        (self.folder / "marks.txt").write_text("5  build\n10 wrong  # it runs\n40 right\n60 rank 1\n99 speed-up 1e6\n")
        names = ["all/does_not_compile", "all/wrong_in_one_cell", "all/right", "tried/right"]
        words = [*names, "--marks", "marks.txt", "--feedback", "feedback"]
        self.assertEqual(self.check("marked", *words), 2)
        self.assertIn("marks.txt:4: expected ranks only with --repeats 3 or more", self.errors)
        self.assertEqual(self.check("marked", *words, "--repeats", "3"), 1, self.errors)
        rows = rows_of(self.folder / "marked/checks.csv")
        self.assertEqual([row["mark"] for row in rows[:2]], ["5", "10"])
        self.assertIn("1", [row["rank"] for row in rows[2:]])
        for row in rows[2:]:
            self.assertEqual(row["mark"], "60" if row["rank"] == "1" else "40")
        self.assertIn("2 of 4 folders right, 1 wrong, 1 does not build. Table: ", self.output)
        order = [self.output.index(f"\n{name} ") for name in ("wrong_in_one_cell", "does_not_compile")
                 if f"\n{name} " in self.output] or [self.output.index(f"\n{name} ") for name in names[:2]]
        self.assertGreater(min(order), self.output.rindex("tried/right"))  # those that are right come first
        pages = {file.name: file.read_text() for file in (self.folder / "feedback").iterdir()}
        self.assertEqual(len(pages), 4)
        wrong = next(text for name, text in pages.items() if "wrong" in name)
        for words in ("<td>10</td>", "speed, cell 16 12", "walls, obstacles"):
            self.assertIn(words, wrong)
        build = next(text for name, text in pages.items() if "compile" in name)
        self.assertRegex(build, r"printed last</h2>\n<pre>[^<]*error")
        self.assertEqual(build.count("Error 1"), 1, build)  # make -B, then make: each line once
        right = next(text for name, text in pages.items() if "tried" in name)
        self.assertIn("Usual next steps", right)
        self.assertRegex(right, r"99 from a speed-up of 1e\+06 on|60 from rank 1 on")
        for bad in ("forty right", "40 righteous", "40 speed-up fast", "40 share 0.02", "40 rank 20%", "40 rank 0",
                    "40 rank 1.5", "# none"):
            (self.folder / "bad.txt").write_text(bad + "\n")
            self.assertEqual(self.check("marked", "all/right", "--marks", "bad.txt", "--repeats", "3"), 2)
            self.assertRegex(self.errors, "bad.txt:.* expected .*, found ")

    def test_each_folder_has_a_page_of_its_own(self):
        folders = [self.folder / "pages" / name for name in ("Müller_1", "Möller_1", "a b", "a_b")]
        for folder in folders:
            folder.mkdir(parents=True)
        self.checked("paged", *folders, "--feedback", "pages")
        pages = sorted(file.name for file in (self.folder / "pages").glob("*.html"))
        self.assertEqual(len(pages), 4, pages)
        self.assertEqual(pages[:2], ["Möller_1.html", "Müller_1.html"])
        self.assertEqual([name[:4] for name in pages[2:]], ["a_b-", "a_b-"])

    def test_shares_of_the_bound_and_marks_for_them(self):
        """The same algorithm has the same bound, so that a share goes with the time; a mark from in between tells two."""
        (self.folder / "shared").mkdir()
        shutil.copy(Path(__file__).resolve().parents[2] / "analysis/results/matrix-2core/peaks.json", self.folder / "shared")
        self.assertEqual(self.check("shared", "all/right", "all/slow"), 0, self.errors)
        fast, slow = rows_of(self.folder / "shared/checks.csv")
        shares = [float(row["share_of_bound"]) for row in (fast, slow)]
        bounds = [share * float(row["seconds"]) for share, row in zip(shares, (fast, slow))]
        self.assertGreater(min(shares), 0.0)
        self.assertAlmostEqual(bounds[0] / bounds[1], 1.0, delta=0.01)
        self.assertTrue(fast["bound"])
        self.assertRegex(self.output, r"% of\s")
        (self.folder / "shares.txt").write_text(f"40 right\n80 share {50 * sum(shares):.9f}%\n")
        self.assertEqual(self.check("shared", "all/right", "all/slow", "--marks", "shares.txt"), 0, self.errors)
        marks = [row["mark"] for row in rows_of(self.folder / "shared/checks.csv")]
        self.assertEqual(marks, ["80" if share == max(shares) else "40" for share in shares])
        (self.folder / "shared/peaks.json").write_text('{"format": 2}')
        self.assertEqual(self.check("shared", "all/right"), 2, self.output)
        self.assertRegex(self.errors, r"^boltzmark: error: .*peaks.json: format: expected version 1 of peaks.json, found 2\n$")

    def test_again_measures_what_it_compares_with_and_can_be_stopped(self):
        words = ["all/right", "--params", PARAMS, "--obstacles", OBSTACLES, "--results", "anew", "--time-limit", "10",
                 *([] if self.isolated else ["--no-isolation"])]
        words.insert(1, "all/hangs")
        self.assertEqual(self.drive("check", *words), 1, self.errors)
        speed_up = lambda: float(rows_of(self.folder / "anew/checks.csv")[0]["speed_up_over_textbook"])
        (kept,) = (self.folder / "anew/textbook").iterdir()
        record = json.loads(kept.read_text())
        record["compute_seconds"] = 1e6
        kept.write_text(json.dumps(record))
        file, before = self.folder / "anew/checks.jsonl", speed_up()
        lines = len(file.read_text().splitlines())
        with subprocess.Popen([PROGRAMS / "boltzmark", "check", *words, "--again"], cwd=self.folder, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as again:
            while len(file.read_text().splitlines()) < lines + 3 and again.poll() is None:  # both are to be done, one is
                time.sleep(0.02)
            again.send_signal(signal.SIGINT)
            errors = again.communicate()[1]
        self.assertRegex(errors, r"stopped; 1 of 2 folders are checked; to go on: .*boltzmark check all/right all/hangs")
        self.assertNotIn("--again", errors.split("to go on")[1])
        self.assertLess(speed_up() / before, 1e3)
        # The row that was not done again is kept, and the next call goes on with it.
        self.assertEqual([row["verdict"] for row in rows_of(self.folder / "anew/checks.csv")], ["right", "timeout"])
        self.assertEqual(self.drive("check", *words), 1, self.errors)
        self.assertIn("1 of 2 folders checked already", self.errors)
        self.assertEqual([row["verdict"] for row in rows_of(self.folder / "anew/checks.csv")], ["right", "timeout"])

    def test_a_look_at_one_folder_keeps_rows_and_marks_of_all(self):
        (self.folder / "kept.txt").write_text("40 right\n")
        self.assertEqual(self.check("kept", "all/right", "tried/right", "--marks", "kept.txt"), 0, self.errors)
        rows = lambda: [(row["folder"], row["steps"], row["mark"]) for row in rows_of(self.folder / "kept/checks.csv")]
        both = [("all/right", "60", "40"), ("tried/right", "60", "40")]
        self.assertEqual(rows(), both)
        self.assertEqual(self.check("kept", "all/right", "--steps", "20"), 0, self.errors)
        self.assertEqual(rows(), [("all/right", "20", "40"), *both])
        self.assertIn("(with 2 rows of earlier calls)", self.output)
        self.assertEqual(self.check("kept", "all/right", "--no-run"), 1, self.errors)  # of the same problem
        self.assertEqual(rows()[0], ("all/right", "", "0"))
        self.assertEqual(sorted(rows()[1:]), [("all/right", "20", "40"), both[1]])

    def test_more_repeats_run_what_has_fewer(self):
        for repeats, said, rank in (("1", "", ""), ("3", "1 of 1 folder checked with fewer repeats than 3", "1"),
                                    ("2", "1 of 1 folder checked already", "1")):
            self.assertEqual(self.check("more", "all/right", "--repeats", repeats), 0, self.errors)
            self.assertIn(said, self.errors)
            (row,) = rows_of(self.folder / "more/checks.csv")
            self.assertEqual((row["runs"], row["rank"]), ("3" if rank else "1", rank))
            self.assertEqual("No ranks: they need --repeats 3 or more." in self.output, not rank)

    def test_an_unstable_problem_is_nobodys_fault_but_its_own(self):
        everywhere = "".join(f"{x} {y} 1\n" for x in range(32) for y in range(24) if y in (0, 23) or (x + y) % 5 == 0)
        walls = (self.folder / OBSTACLES).read_text()
        own = self.folder / "unstable"
        own.mkdir()
        for name, cells, omega, accel, found in (("infinite", everywhere, 1.99, 0.6, "is not a number"),
                                                 ("chaotic", walls, 1.99999, 0.3, "expected a stable problem")):
            (own / f"{name}.params").write_text(f"32\n24\n3000\n10\n0.1\n{accel}\n{omega}\n")
            (own / f"{name}.dat").write_text(cells)
            problem = ["--params", f"unstable/{name}.params", "--obstacles", f"unstable/{name}.dat"]
            words = ["--results", name, *([] if self.isolated else ["--no-isolation"])]
            self.assertEqual(self.drive("check", "all/right", "all/slow", *problem, *words), 2, self.output)
            self.assertRegex(self.errors, f"boltzmark: error: {name}: .*{found}")
            self.assertNotIn("[1/2]", self.errors)
            self.assertFalse((self.folder / name / "logs").exists())
            # One that a folder brings along is that folder's.
            folder = self.handed_in(f"with_{name}")
            shutil.copy(own / f"{name}.params", folder)
            shutil.copy(own / f"{name}.dat", folder / "obstacles.dat")
            self.assertEqual(self.drive("check", str(folder), *words), 1, self.errors)
            (row,) = rows_of(self.folder / name / "checks.csv")
            self.assertEqual(row["verdict"], "problem", row)
            self.assertRegex(row["reason"], found)

    def test_more_time_for_what_ran_out_of_it(self):
        words = ["all/hangs", "all/right", "--time-limit", "3"]
        isolation = [] if self.isolated else ["--no-isolation"]
        call = ["check", *words, "--params", PARAMS, "--obstacles", OBSTACLES, "--results", "hour", *isolation]
        self.assertEqual(self.drive(*call), 1, self.errors)
        self.assertEqual(self.drive(*call, "--slow", "2"), 1, self.errors)
        self.assertIn("1 of 2 folders checked already", self.errors)
        self.assertEqual(self.drive(*call, "--slow", "2"), 1, self.errors)
        self.assertIn("2 of 2 folders checked already", self.errors)

    def test_a_problem_that_no_folder_has_is_asked_for_once(self):
        self.assertEqual(self.drive("check", "all/right", "all/wrong_in_one_cell", "--results", "asked"), 2)
        self.assertIn("expected --case", self.errors)

    def test_what_a_killed_driver_left_is_removed(self):
        own = {"cwd": self.folder, "env": {**os.environ, "TMPDIR": str(self.folder / "temporary")}}
        (self.folder / "temporary").mkdir()
        words = [PROGRAMS / "boltzmark", "check", "--params", PARAMS, "--obstacles", OBSTACLES, "--results", "killed",
                 *([] if self.isolated else ["--no-isolation"])]
        left = lambda: list((self.folder / "temporary").glob("boltzmark-own-*"))
        with subprocess.Popen([*words, "all/hangs"], stderr=subprocess.DEVNULL, **own) as hanging:
            for _ in range(600):
                if any(list(one.glob("work/d2q9-bgk")) for one in left()):
                    break
                time.sleep(0.1)
            hanging.kill()
        self.assertTrue(left())
        self.assertEqual(subprocess.run([*words, "all/right"], capture_output=True, check=False, **own).returncode, 0)
        self.assertEqual(left(), [])

    def test_two_programs_in_a_plan(self):
        (self.folder / "plan.json").write_text(json.dumps({
            "repeats": 2, "time_limit_seconds": 1800,
            "cases": [{"params": PARAMS, "obstacles": OBSTACLES, "steps": 30}],
            "runs": [{"model": "serial", "variant": "textbook"},
                     {"program": "./d2q9-bgk", "name": "handed out", "folder": "all/right", "build": "make", "threads": 1},
                     {"program": "./d2q9-bgk {params} {obstacles}", "name": "wrong", "folder": "all/wrong_in_one_cell",
                      "build": "make", "environment": {"ANY": "1"}, "tolerance": 1e-3}]}))
        self.assertEqual(self.drive("run", "plan.json", "--results", "results"), 1, self.errors)
        rows = rows_of(self.folder / "results/figures.csv")
        self.assertEqual([(row["model"], row["variant"], row["status"], row["rounds"]) for row in rows],
                         [("serial", "textbook", "ok", "2"), ("own", "handed out", "ok", "2"), ("own", "wrong", "wrong", "2")])
        self.assertEqual(rows[1]["steps"], "30")
        self.assertLess(float(rows[1]["deviation"]), 1e-3)
        self.assertTrue(rows[1]["speed_up_over_textbook"])
        self.assertEqual(rows[2]["deviation_at"], "speed, cell 16 12")
        self.assertFalse(rows[2]["speed_up_over_textbook"])
        self.assertIn("own wrong: wrong: speed deviates by", self.output)
        self.assertEqual(self.drive("run", "plan.json", "--results", "results"), 1)
        self.assertIn("6 of 6 runs are finished already", self.errors)
        # Mended, it is right; broken again, it has the old results.
        source = self.folder / "all/wrong_in_one_cell/d2q9-bgk.c"
        before = source.read_text()
        self.addCleanup(source.write_text, before)
        for text, status in ((before.replace("FAULT == ONE_CELL", "0"), "ok"), (before, "wrong")):
            source.write_text(text)
            done = self.drive("run", "plan.json", "--results", "results")
            self.assertEqual(done, int(status == "wrong"), self.errors)
            rows = rows_of(self.folder / "results/figures.csv")
            self.assertEqual([row["status"] for row in rows if row["variant"] == "wrong"], [status])

    def test_one_program_beside_ours(self):
        subprocess.run(["make", "-s", "-C", "all/right"], cwd=self.folder, check=True)
        words = ["--params", PARAMS, "--obstacles", OBSTACLES, "--models", "serial", "--repeats", "1", "--results", "one"]
        try:
            self.assertEqual(self.drive("compare-with", "all/right/d2q9-bgk", *words), 0, self.errors)
        finally:
            (self.folder / "all/right/d2q9-bgk").unlink()
        self.assertRegex(self.output, r"own d2q9-bgk: right within 0.01: the worst deviation is [\d.e-]+, of ")
        self.assertEqual(self.drive("compare-with", "all/right/d2q9-bgk {params}", *words), 2)

    def test_a_program_behind_a_script_is_run_anew(self):
        words = ["--params", PARAMS, "--obstacles", OBSTACLES, "--models", "serial", "--repeats", "2", "--results", "anew",
                 "--name", "mine", "--folder", "all/right", "--build", "make"]
        script = self.folder / "all/w.sh"
        script.write_text(f"#!/bin/sh\n. {self.folder}/what\n")
        script.chmod(0o755)
        self.addCleanup(script.unlink)
        (self.folder / "what").write_text("./d2q9-bgk \"$@\"\n")
        self.assertEqual(self.drive("compare-with", str(script), *words), 0, self.errors)
        (self.folder / "what").write_text("exit 4\n")
        self.assertEqual(self.drive("compare-with", str(script), *words), 1, self.errors)
        self.assertIn("4 of 6 runs are finished already", self.errors)
        self.assertIn("own mine: failed: ended with status 4", self.output)

    def test_a_program_that_cannot_start_ends_the_call_at_once(self):
        words = ["--params", PARAMS, "--obstacles", OBSTACLES, "--results", "typo"]
        for command, more, reason in (
                ("./tipo", [], "tipo: expected a program that can be built and started, found: ended with status 127: "),
                ("./d2q9-bgk", ["--folder", "all/does_not_compile", "--build", "make"],
                 "d2q9-bgk: expected a program that can be built and started, found: make: ")):
            self.assertEqual(self.drive("compare-with", command, *words, *more), 2)
            self.assertIn(f"boltzmark: error: {reason}", self.errors)
            self.assertEqual(self.errors.count("\n"), 1, self.errors)
            self.assertFalse((self.folder / "typo/runs.jsonl").exists())
            self.assertFalse((self.folder / "typo/oracle").exists())


if __name__ == "__main__":
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: submission_test.py FOLDER")
    PROGRAMS = Path(sys.argv.pop(1)).resolve()
    if not (shutil.which("cc") and shutil.which("make")):
        print("skipped: no C compiler named cc, or no make")
        sys.exit(0)
    unittest.main()
