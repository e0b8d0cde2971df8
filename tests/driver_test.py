#!/usr/bin/env python3
"""The program `boltzmark` itself, run as a user does.

    driver_test.py FOLDER [CLASS...]     the folder of the built programs
"""

import csv
import fcntl
import json
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections import Counter

import programs
from programs import is_built, run_command

FUSED = [{"model": "serial", "variant": "fused"}]
TWO_SERIAL = [{"model": "serial", "variant": variant, "precision": "f64"} for variant in ("textbook", "fused")]
BOX = {"params": "input_box.params", "obstacles": "obstacles_box.dat"}
TAKEN = "boltzmark: error: {}: expected a folder that no other boltzmark is using, found one at work in it\n"
A_WHILE = 8000  # steps that take the textbook variant some tenths of a second


def unwrapped(text):
    """Without the breaks of a text that was made to fit the terminal."""
    return re.sub("\n +", " ", text)


def digest_of(content):
    value = 14695981039346656037
    for byte in content:
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"{value:016x}"


class Driver(programs.InFolder):
    def setUp(self):
        super().setUp()
        programs.write_box(self.folder)
        self.results, self.plan_file = self.folder / "results", self.folder / "plan.json"

    def plan(self, runs, *cases, repeats=1, **more):
        self.plan_file.write_text(json.dumps({"repeats": repeats, "cases": list(cases), "runs": runs, **more}))

    def plan_of_box(self, runs, steps=20, repeats=1, **more):
        self.plan(runs, {**BOX, "steps": steps}, repeats=repeats, **more)

    def call(self, *words):
        return run_command(programs.FOLDER / "boltzmark", *words)

    def words(self):
        return ["run", self.plan_file, "--results", self.results]

    def drive(self, *more, status=None):
        done = self.call(*self.words(), *more)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def runs(self):
        """Finished runs on disk."""
        file = self.results / "runs.jsonl"
        lines = file.read_text().split("\n")[:-1] if file.exists() else []
        return [one for one in map(json.loads, lines) if "key" in one]

    def rows(self):
        """For each configuration, in the plan's order."""
        with (self.results / "figures.csv").open(newline="") as text:
            return list(csv.DictReader(text))

    def statuses(self):
        return Counter(row["status"] for row in self.rows())


class Interrupted(Driver):
    """While it runs."""

    def setUp(self):
        super().setUp()
        self.plan_of_box(TWO_SERIAL, A_WHILE, 4)

    def end_after(self, runs, number):
        """The exit status and standard error of a driver that gets this signal after this many runs."""
        with subprocess.Popen([programs.FOLDER / "boltzmark", *self.words()], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as driver:
            end = time.monotonic() + programs.LIMIT
            while len(self.runs()) < runs and driver.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            self.while_it_runs()
            driver.send_signal(number)
            errors = driver.communicate()[1]
        return driver.returncode, errors

    def while_it_runs(self):
        pass

    def test_takes_up_where_it_was_killed(self):
        self.assertEqual(self.end_after(3, signal.SIGKILL)[0], -signal.SIGKILL)
        before = (self.results / "runs.jsonl").read_text()
        finished = len(self.runs())
        self.assertLess(finished, 8)
        done = self.drive(status=0)
        self.assertIn(f"{finished} of 8 runs are finished already\n", done.stderr)
        self.assertNotIn("references", done.stderr)  # they are kept
        self.assertTrue((self.results / "runs.jsonl").read_text().startswith(before))
        self.assertEqual(len(self.runs()), 8)
        self.assertEqual([(row["variant"], row["status"], row["rounds"]) for row in self.rows()],
                         [("textbook", "ok", "4"), ("fused", "ok", "4")])

    def test_stops_on_a_signal_and_says_how_to_go_on(self):
        status, errors = self.end_after(1, signal.SIGINT)
        self.assertEqual(status, 130)
        self.assertIn("boltzmark: stopped; ", errors)
        self.assertIn(f"; to go on: {shlex.join(map(str, [programs.FOLDER / 'boltzmark', *self.words()]))}\n", errors)
        self.assertEqual({one["status"] for one in self.runs()}, {"ok"})

    def test_a_second_driver_on_the_same_results_is_turned_away(self):
        second = []
        self.while_it_runs = lambda: second.append(self.drive())
        self.assertEqual(self.end_after(1, signal.SIGTERM)[0], 143)
        self.assertEqual(second[0].returncode, 2)
        self.assertEqual(second[0].stderr, TAKEN.format(self.results))


class Models(Driver):
    def test_a_plan_compares_every_model_that_is_built(self):
        self.plan_of_box([{"model": "serial", "variant": "textbook"}, {"model": "*", "variant": "like-for-like"}], 50)
        done = self.drive("--launcher-args", "-q", status=0)
        models = [one for one in programs.listed() if one["workload"] == "lbm"]
        found = {row["model"] for row in self.rows()}
        for one in models:
            self.assertIn(one["model"], found)
            self.assertIn(one["skipped"], unwrapped(done.stdout))
        self.assertEqual(len(self.runs()), len(models) + 1)
        self.assertIn("[1/", done.stderr)
        self.assertEqual(self.drive("--launcher-args", "-q", "--quiet").stderr, "")

    def test_builds_of_a_plan_are_compared(self):
        """A line names the missing one."""
        own = str(programs.FOLDER.parent)
        absent = {"name": "theirs", "folder": "nowhere", "make": "make theirs"}
        both = [*FUSED, {"model": "serial", "variant": "textbook"}]
        self.plan_of_box(both, builds=[{"name": "ours", "folder": own}, absent, {"name": "again", "folder": own}])
        errors = self.drive(status=0).stderr
        self.assertEqual(errors.count("boltzmark: build theirs: expected "), 1, errors)
        self.assertEqual(errors.count("; make it with: make theirs; its runs are left out\n"), 1, errors)
        self.assertEqual(len(self.runs()), 4)
        compiler = self.runs()[0]["record"]["provenance"]["compiler"]
        self.assertEqual(Counter(row["build"] for row in self.rows()), {"ours": 2, "again": 2})
        self.assertIn("4 of 4 runs are finished already\n", self.drive().stderr)
        self.assertEqual(self.drive("--builds", "again", "--dry-run").stdout.count("/lbm-serial "), 2)

        self.plan_of_box(both, builds=[{"name": "ours", "folder": own, "flags": ["-no-such-flag"]}])
        self.assertIn(f"failed: build ours: expected any compiler with -no-such-flag, found {compiler}",
                      self.drive("--fresh", status=1).stderr)
        self.plan_of_box(both, builds=[absent])
        errors = self.drive(status=3).stderr
        self.assertTrue(errors.startswith("boltzmark: error: "), errors)
        self.assertIn("all of its builds are missing", errors)

    def test_ranks_are_started_through_the_launcher(self):
        if not is_built("mpi"):
            self.skipTest("lbm-mpi was not built")
        self.plan_of_box([{"model": "mpi", "variant": "fused", "ranks": 3}])
        self.drive(status=0)
        self.assertEqual(self.runs()[0]["record"]["ranks"], 3)
        self.assertIn("impossible: no launcher no-such-launcher found; name another with --launcher",
                      self.drive("--launcher", "no-such-launcher {ranks}", status=3).stderr)
        self.assertIn("failed: ended with status 1", self.drive("--launcher", "false {ranks}", status=1).stderr)

    def test_models_that_are_not_measured_are_named_once(self):
        self.plan_of_box([{"model": "*", "variant": "textbook"}], repeats=2, models=["serial"])
        text = " ".join(self.drive(status=0).stdout.split())
        self.assertEqual(text.count(": not in these results; a plan that has "), 1, text)
        self.assertEqual(len(self.runs()), 2)

    def test_a_ladder_ends_with_the_gain_of_each_step(self):
        def steps_in(text):
            """Numbers behind the name of each."""
            found = {}
            for name, numbers in re.findall(r"(?<=\n)serial ([\w-]+)((?: +[0-9.]+)+)(?=\n)", text):
                found.setdefault(name, []).extend(map(float, numbers.split()))
            return found
        self.plan_of_box([{"model": "serial", "variant": name}
                          for name in ("in-place", "textbook", "fused", "wavefront")], 50,
                         ladder=[f"serial {name}" for name in ("textbook", "no-branches", "fused", "in-place")])
        done = self.drive(status=0)
        steps = steps_in(done.stdout)
        # Only steps that ran, and only those of the ladder.
        self.assertEqual({name: len(numbers) for name, numbers in steps.items()},
                         {"textbook": 1, "fused": 3, "in-place": 3})
        (first,), fused, last = steps["textbook"], steps["fused"], steps["in-place"]
        for gain, expected in ((fused[1], fused[0] / first), (last[1], last[0] / fused[0]), (last[2], last[0] / first)):
            self.assertAlmostEqual(gain, expected, delta=0.01 * expected)
        self.assertIn(f"boltzmark report --results {self.results}, page learn.html\n", unwrapped(done.stdout))
        self.plan_of_box(TWO_SERIAL, 50)
        self.assertEqual(steps_in(self.drive().stdout), {})


class Runs(Driver):
    def test_any_workload(self):
        stream = {"workload": "stream", "model": "serial"}
        self.plan([{**stream, "precision": "f64", "options": {"repeat": 2}, "cases": ["5000"]},
                   {**stream, "cases": ["0"]}, {"model": "serial", "variant": "like-for-like"}], {**BOX, "steps": 20},
                  {"workload": "stream", "arguments": ["5000"]}, {"workload": "stream", "arguments": ["0"]}, repeats=2)
        done = self.drive(status=1)  # zero is not a size
        self.assertEqual(len(self.runs()), 6)
        rows = {(row["workload"], row["case"]): row for row in self.rows()}
        self.assertEqual([row["workload"] for row in self.rows()][0], "lbm")  # in the plan's order
        self.assertEqual(rows["lbm", "box"]["status"], "ok")
        self.assertEqual([rows["stream", "5000"][name] for name in ("elements", "passed")], ["5000", "true"])
        self.assertEqual(rows["stream", "0"]["status"], "failed")
        self.assertIn("] stream 5000: serial default f64 --repeat 2, round 2 of 2: ", done.stderr)
        self.assertIn("4 of 6 runs are finished already\n", self.drive().stderr)
        dry = self.drive("--workloads", "stream", "--dry-run").stdout
        self.assertEqual(dry.count("/stream-serial --check reference "), 2)

    def test_rounds_go_on_until_intervals_are_narrow(self):
        of = {"model": "serial"}
        self.plan_of_box([{**of, "variant": "fused"}, {**of, "variant": "textbook", "repeats": 1},
                          {**of, "variant": "in-place", "repeats": {"until": 0.99, "at_least": 2, "at_most": 9}}],
                         repeats={"until": 1e-9, "at_least": 2, "at_most": 4})
        self.assertIn("fused, round 4 of 2 to 4: ", self.drive(status=0).stderr)
        rounds = Counter(one["key"]["variant"] for one in self.runs())
        self.assertEqual((rounds["fused"], rounds["textbook"]), (4, 1))
        self.assertLess(rounds["in-place"], 9)
        self.assertTrue(all(one["order"] and not one.get("roofs") for one in self.runs()))
        self.assertEqual(len({one["order"]["seed"] for one in self.runs()[:2]}), 1)
        finished = len(self.runs())
        self.assertIn("5 of 5 runs are finished already\n", self.drive().stderr)
        self.assertEqual(len(self.runs()), finished)
        self.plan_file.write_text(json.dumps({"within_seconds": 1e-3, **json.loads(self.plan_file.read_text())}))
        self.drive("--fresh", status=0)
        self.assertEqual(len(self.runs()), 5)  # at_least rounds of each whatever the time
        self.assertIn("  # x 2 to 4\n", self.drive("--dry-run").stdout)

    def test_a_failing_model_is_a_row_and_the_others_go_on(self):
        self.plan_of_box([{"model": "serial", "options": {"frob": True}}, {**FUSED[0], "threads": 2}, *FUSED])
        done = self.drive(status=1)
        self.assertEqual(self.statuses(), {"failed": 2, "ok": 1})
        self.assertIn("serial default --frob, round 1 of 1: failed: ", done.stderr)
        # A failed run is tried again, a right one is not.
        self.assertIn("1 of 3 runs are finished already\n", self.drive().stderr)

    def kept_answer(self):
        """The files of the reference's state, its average velocities and the digests of both."""
        kept = self.results / "oracle"
        digest, = kept.glob("*.digest")
        averages, = kept.glob("*.av_vels.npy")
        state, = set(kept.iterdir()) - {digest, averages}
        return state, averages, digest

    def test_a_damaged_answer_is_made_again(self):
        """Every damage to one that is kept, one after another: no model is blamed for it."""
        self.plan_of_box(FUSED)
        self.drive(status=0)
        state, averages, digest = self.kept_answer()
        right_state, right_averages = state.read_bytes(), averages.read_bytes()
        other = bytearray(right_state)
        other[-16] ^= 1  # a cell that is not solid and not quite fluid
        for i, damage in enumerate((lambda: state.write_bytes(b""), lambda: state.write_bytes(other), averages.unlink,
                                    lambda: averages.write_bytes(right_averages[:-5]), digest.unlink)):
            with self.subTest(i):
                damage()
                errors = self.drive("--fresh", status=0).stderr
                self.assertIn("expected the stored reference, found a damaged one", errors)
                self.assertEqual((state.read_bytes(), averages.read_bytes()), (right_state, right_averages))
                self.assertNotIn("damaged", self.drive("--fresh").stderr)

    def test_a_wrong_result_stays_one(self):
        self.plan_of_box(FUSED)
        self.drive(status=0)
        state, averages, digest = self.kept_answer()
        text = bytearray(averages.read_bytes())
        text[-2] ^= 1  # of the exponent of the last average velocity
        averages.write_bytes(text)
        # As if it had been computed so: its digests are right.
        digest.write_text(f"{digest_of(state.read_bytes())} {digest_of(text)}\n")
        for words in (["--fresh"], []):
            self.drive(*words, status=1)
            row, = self.rows()
            self.assertEqual(row["status"], "wrong")
            self.assertTrue(row["reason"].startswith("the result is wrong: "), row["reason"])
        self.assertEqual(len(self.runs()), 1)

    def test_a_rate_beyond_all_roofs_is_wrong(self):
        self.plan_of_box(FUSED)

        def write_peaks(most):
            copy = {"level": "DRAM", "pattern": "copy", "cores": 1, "from_bytes": 0, "to_bytes": 0,
                    "gb_per_s": {"median": 1e-6, "min": 1e-6, "max": most}}
            self.results.mkdir(exist_ok=True)
            (self.results / "peaks.json").write_text(json.dumps({
                **dict.fromkeys(("host", "date", "key", "compiler", "flags", "revision"), ""), "format": 1,
                "devices": [], "sweep": [],
                "processor": {"name": "", "cores": 1, "memory_bytes": 0, "caches": [], "bandwidths": [copy],
                              "computes": [], "notes": []}}))
        write_peaks(1e-6)
        self.assertIn(" GB through DRAM at 1.5e-06 GB/s (copy) take ", self.drive(status=1).stderr)
        self.assertIn("it cannot have done all its work", self.rows()[0]["reason"])
        write_peaks(1e6)
        self.drive(status=0)  # other peaks

    def test_a_device_that_is_not_there_is_one_line(self):
        # No runtime that these tests meet has one.
        self.plan_of_box(FUSED, repeats=2, within_devices="accelerator")
        self.assertEqual(self.drive(status=3).stderr,
                         "boltzmark: error: plan plan: expected one accelerator for each rank, found none: "
                         "no accelerator here\n")
        self.assertFalse(self.results.exists())
        self.plan_of_box(FUSED, within_devices="cpu")
        self.drive(status=0)

    def test_a_box_without_a_check(self):
        self.plan([*FUSED, {"model": "serial", "variant": "textbook"}], {"box": "40x30", "steps": 20, "check": False})
        self.drive(status=0)
        self.assertEqual([one["record"]["check"]["passed"] for one in self.runs()], [None, None])
        self.assertFalse((self.results / "oracle").exists())

    def test_a_run_that_is_too_large_is_a_row_and_the_others_go_on(self):
        (self.folder / "huge.params").write_text("1000000\n1000000\n1\n1\n0.1\n0.005\n1.85\n")
        self.plan([{"model": "serial", "variant": "like-for-like"}], {"params": "huge.params", "obstacles": "none"},
                  {"box": "40000x40000", "steps": 2}, {**BOX, "steps": 20})
        self.drive(status=0)
        runs = self.runs()
        self.assertEqual(len(runs), 3)
        for one in runs:  # in the order that they were shuffled to
            self.assertEqual(one["status"], "ok" if one["case"] == "box" else "impossible", one)


class Commands(Driver):
    def report(self, *words):
        return self.call("report", "--no-plots", *words)

    def test_a_second_report_is_turned_away(self):
        """Two at once would draw over each other's files."""
        self.plan_of_box(FUSED)
        self.drive(status=0)
        folder = self.results / "report"
        folder.mkdir()
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = self.report("--results", self.results)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr, TAKEN.format(folder))
        self.assertEqual(self.report("--results", self.results).returncode, 0)

    def test_results_are_named_by_position_or_by_option(self):
        self.plan_of_box(FUSED)
        self.drive(status=0)
        for command in ("matrix", "tables", "summary", "report", "figures"):
            done = [self.call(command, *words) for words in ([self.results], ["--results", self.results])]
            self.assertEqual([one.returncode for one in done], [0, 0], done)
            self.assertEqual(done[0].stdout, done[1].stdout)

    def test_a_report_elsewhere_leaves_the_results_alone(self):
        self.plan_of_box(FUSED)
        self.drive(status=0)
        for name in ("figures.csv", "peaks.csv", "columns.json", "complaints.txt"):
            (self.results / name).unlink(missing_ok=True)
        before = set(self.results.rglob("*"))
        out = self.folder / "out"
        self.assertEqual(self.report("--results", self.results, "--out", out).returncode, 0)
        self.assertTrue((out / "figures.csv").exists())
        self.assertEqual(self.call("figures", "--results", self.results, "--out", out).returncode, 0)
        compared = self.report("--compare", self.results, self.results, "--out", out)
        self.assertTrue(compared.returncode == 3 or (out / "comparison.html").exists(), compared.stderr)
        self.assertEqual(set(self.results.rglob("*")), before)

    def test_a_report_of_a_foreign_file_writes_nothing(self):
        file, out = self.folder / "stream.csv", self.folder / "out"
        file.write_text("function,num_times,n_elements,sizeof,max_mbytes_per_sec\n")
        for results in (file, f"A={file}"):
            done = self.report(results, "--out", out)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("found BabelStream's CSV", done.stderr)
            self.assertFalse(out.exists())

    def test_help_fits_a_screen(self):
        for words in ([], *([name] for name in ("run", "report", "figures", "summary", "peaks", "tune", "job",
                                                "compare-with", "check", "list"))):
            lines = self.call(*words, "--help").stdout.split("\n")
            self.assertLessEqual(len(lines), 41, words)
            self.assertGreater(len(lines), 5, words)
            self.assertLessEqual(max(map(len, lines)), 100, words)

    def test_dry_run_only_prints(self):
        self.plan_of_box(FUSED, repeats=2)
        text = self.drive("--dry-run", status=0).stdout
        self.assertEqual(text.count("/lbm-serial --check "), 1, text)
        self.assertTrue(text.endswith("  # x 2\n"), text)
        self.assertFalse(self.results.exists())
        self.drive(status=0)
        self.assertRegex(self.drive("--dry-run").stdout,
                         r"\n# 2 of 2 runs ran before, and would take [0-9]+ s if repeated\n\Z")

    def test_bad_usage_is_one_line_and_status_two(self):
        self.plan_of_box([{"model": "seriel"}])
        for words, line in (([], "plan.json: runs[0].model: expected * or one of serial,"),
                            (["--launcher", "mpirun"], "--launcher: expected a launcher command"),
                            (["--repeats", "0"], "--repeats"), (["--frob"], "--frob")):
            done = self.drive(*words, status=2)
            self.assertTrue(done.stderr.startswith("boltzmark: error: "), done.stderr)
            self.assertIn(line, done.stderr)
            self.assertEqual((done.stderr.count("\n"), done.stdout), (1, ""))
        self.assertFalse(self.results.exists())

    def test_programs_of_a_plan_are_named(self):
        """`make run` builds these."""
        self.plan_of_box([{"workload": "stream", "model": "serial"}, *FUSED])
        self.assertEqual(self.drive("--programs").stdout, "lbm-serial\nstream-serial\n")
        self.assertEqual(self.drive("--programs", "--workloads", "stream").stdout, "stream-serial\n")
        self.assertFalse(self.results.exists())
        self.plan_of_box([{"model": "abacus"}])
        done = self.drive("--programs", status=2)
        self.assertIn("abacus", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_models_that_the_plan_does_not_name_are_left_out(self):
        def of_quick(*more):
            return self.call("run", "quick", "--programs", *more).stdout.split()
        quick = of_quick()
        self.assertIn("lbm-serial", quick)
        for model in ("tbb", "kokkos", "thrust", "sycl", "openacc", "hip"):
            self.assertFalse([name for name in quick if name.endswith(f"-{model}")])
            if is_built(model, "stream"):
                self.assertIn(f"stream-{model}", of_quick("--models", f"serial,{model}"))

    def test_what_is_not_there_yet_has_a_way_to_build_it(self):
        build = self.folder / "build"
        (build / "bin").mkdir(parents=True)
        shutil.copy(programs.FOLDER / "boltzmark", build / "bin")
        (build / "share/boltzmark").mkdir(parents=True)
        (build / "CMakeCache.txt").touch()
        (build / "share/boltzmark/programs.json").write_text(json.dumps([
            {"workload": "lbm", "model": "serial", "program": "lbm-serial", "skipped": ""},
            {"workload": "lbm", "model": "mpi", "program": "lbm-mpi", "launcher": True, "skipped": "no MPI"}]))
        self.plan_of_box([{"model": "*"}])
        words = [build / "bin/boltzmark", *self.words()]
        self.assertEqual(run_command(*words, "--programs").stdout, "lbm-serial\n")
        done = run_command(*words)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        how = f"lbm-serial is not built yet; make it with: cmake --build {build} --target lbm-serial"
        reasons = " ".join(row["reason"] for row in self.rows())
        self.assertIn(how, reasons)
        self.assertIn("no MPI", reasons)
        self.assertIn(how, unwrapped(done.stdout))

    def test_a_missing_library_is_listed_once(self):
        folder = self.folder / "moved"
        (folder / "share/boltzmark").mkdir(parents=True)
        (folder / "bin").mkdir()
        shutil.copy(programs.FOLDER / "boltzmark", folder / "bin")
        shutil.copytree(programs.FOLDER.parent / "share/boltzmark/analysis/plans", folder / "share/boltzmark/analysis/plans")
        names = [(workload, model) for workload in ("lbm", "heat") for model in ("tbb", "kokkos")]
        for workload, model in names:
            program = folder / f"bin/{workload}-{model}"
            program.write_text(f"#!/bin/sh\necho \"$0: error while loading shared libraries: lib{model}.so: cannot open\" >&2\n"
                               "exit 127\n")
            program.chmod(0o755)
        (folder / "share/boltzmark/programs.json").write_text(json.dumps([
            {"workload": workload, "model": model, "program": f"{workload}-{model}", "skipped": ""}
            for workload, model in names]))
        listed = run_command(folder / "bin/boltzmark", "list").stdout
        self.assertEqual(listed.count("error while loading"), 2, listed)
        for model in ("tbb", "kokkos"):
            self.assertIn(f"WORKLOAD-MODEL: error while loading shared libraries: lib{model}.so", unwrapped(listed))

    def test_a_copied_program_says_that_it_has_no_names(self):
        bare = self.folder / "bare"
        (bare / "bin").mkdir(parents=True)
        for words in (("boltzmark", "run", "quick"), ("lbm-serial", "128x128")):
            program = shutil.copy(programs.FOLDER / words[0], bare / "bin")
            done = run_command(program, *words[1:])
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, rf"expected .* \(no names: {bare}/share/boltzmark/\S+ has none; was the program "
                                          rf"copied\?\), found \"{words[-1]}\"\n$")

    def test_list_shows_what_is_there(self):
        text = self.call("list").stdout
        self.assertRegex(text, r"\n *full  .*\n(.*\n)* *quick  .*\n(.*\n)*\n *workload .* serial")
        self.assertRegex(text, r"\n *lbm  .* yes .*\n")
        self.assertEqual(self.call("list", "abacus").returncode, 2)
        text = self.call("list", "compilers").stdout
        self.assertIn("compilers: g++ and clang++", text)
        self.assertIn("\n  build gcc-o3: ", text)
        text = self.call("list", "ladder-cpu").stdout
        self.assertIn("\ncases: 256x256, 1024x1024\n", text)
        self.assertEqual(len(re.findall(r"\nlbm +(?:serial|openmp) ", text)), 15, text)
        self.assertRegex(text, r"\nlbm +openmp wavefront, 1 thread +all\n")
        done = self.call("list", "lbm")
        self.assertEqual(done.returncode, 0)
        for one in programs.listed():
            if one["workload"] == "lbm":
                rest = f": not built: {one['skipped']}" if one["skipped"] else ": "
                self.assertIn(f"lbm {one['model']}{rest}", done.stdout)
        for line in ("\n    textbook ", " f32,f64  ", "\n  devices\n    0  cpu  "):
            self.assertIn(line, done.stdout)


if __name__ == "__main__":
    programs.main()
