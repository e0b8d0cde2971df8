"""A ReFrame test that runs a plan of Boltzmark: https://reframe-hpc.readthedocs.io. docs/guide/batch.md says how.

Performance variables are the rate and the GB/s of every run that was right, and the GB/s of its parts, named
WORKLOAD-CASE-STEPS-PRECISION-MODEL-VARIANT-SETTING-PART-RANKSxTHREADS-rate. They come from figures.csv. With the
results of an earlier call as `references`, rates are compared with those, and a rate that `boltzmark compare` finds
slower beyond noise by more than `slower_than` fails, as do references that cannot be read or judged, and rows of
theirs that are wrong or missing now."""

import csv
import os
import re
import subprocess
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher
from reframe.core.builtins import performance_function, run_before, sanity_function, variable

HERE = Path(__file__).resolve()
BUILT, INSTALLED = HERE.parents[2] / "build/bin/boltzmark", HERE.parents[4] / "bin/boltzmark"
RESULTS, COMPARISON = "results", "comparison.csv"


def label(*parts: str) -> str:
    """The non-empty parts as one word."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", "-".join(part.replace("--", "") for part in parts if part))


def label_of(row: dict[str, str], of_side: str = "") -> str:
    """Label of a row of figures.csv, or of comparison.csv, in which one side has the numbers."""
    return label(row["workload"], row["case"], row[f"{of_side}steps"], row["precision"], row["model"], row["variant"],
                 row["setting"], row["part"], f"{row[f'{of_side}ranks']}x{row[f'{of_side}threads']}")


def rows_of(file: Path) -> list[dict[str, str]]:
    """The rows of a table that the driver wrote; none if it wrote none."""
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


@rfm.simple_test
class BoltzmarkPlan(rfm.RunOnlyRegressionTest):
    """The runs of one plan, all in one job. Every variable below can be set with -S."""

    descr = "Boltzmark: several workloads in several programming models"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    sourcesdir = None
    time_limit = "2h"

    boltzmark = variable(str, value=str(BUILT if BUILT.exists() else INSTALLED))  # the driver
    plan = variable(str, value="quick")           # name or file
    models = variable(str, value="")              # a,b,...; all without
    workloads = variable(str, value="")
    cases = variable(str, value="")
    repeats = variable(int, value=0)              # 0: as the plan says
    references = variable(str, value="")          # a results folder, or a file that `boltzmark share` wrote
    slower_than = variable(str, value="5%")       # than the references, beyond noise
    # Where models are launched, as for `boltzmark run`; without nodes everything runs on one.
    launch = variable(str, value="")
    nodes = variable(int, value=0)
    ranks_per_node = variable(int, value=1)
    cpus_per_rank = variable(int, value=1)
    gpus_per_rank = variable(int, value=0)

    @run_before("run")
    def ask_for_room(self) -> None:
        """Requests resources of the scheduler; the driver starts the ranks itself."""
        if self.nodes > 0:
            self.num_tasks = self.nodes * self.ranks_per_node
            self.num_tasks_per_node = self.ranks_per_node
            self.num_cpus_per_task = self.cpus_per_rank
            if self.gpus_per_rank > 0:
                self.num_gpus_per_node = self.ranks_per_node * self.gpus_per_rank
        self.job.launcher = getlauncher("local")()

    @run_before("run")
    def say_what_to_run(self) -> None:
        """Sets the driver's command line."""
        self.executable = os.path.abspath(self.boltzmark)
        plan = os.path.abspath(self.plan) if os.path.isfile(self.plan) else self.plan
        given = {"--models": self.models, "--workloads": self.workloads, "--cases": self.cases,
                 "--repeats": self.repeats,
                 "--launcher": f"'{self.launch}'" if self.launch else ""}
        if self.nodes > 0:
            given.update({"--nodes": self.nodes, "--ranks-per-node": self.ranks_per_node,
                          "--cpus-per-rank": self.cpus_per_rank})
        self.executable_opts = ["run", f"'{plan}'", "--results", RESULTS]
        for option, value in given.items():
            if value:
                self.executable_opts += [option, str(value)]
        self.keep_files = [f"{RESULTS}/{name}" for name in ("runs.jsonl", "figures.csv", "peaks.csv")]

    @run_before("sanity")
    def compare_with_references(self) -> None:
        """Keeps errors that prevent the comparison, and rows missing from it: a rate needs both sides to be judged."""
        self.lost = ""
        if not self.references:
            return
        done = subprocess.run([os.path.abspath(self.boltzmark), "compare", os.path.abspath(self.references),
                               Path(self.stagedir) / RESULTS, "--slower-than", self.slower_than,
                               "--out", self.comparison()],
                              check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        lost = [("no longer right: " if row["new_status"] else "missing: ")
                + f"{label_of(row, 'reference_')}: {row['verdict']}"
                for row in rows_of(self.comparison() / COMPARISON) if row["too_slow"] == "true" and not row["ratio"]]
        if done.returncode not in (0, 1):
            self.lost = done.stderr.strip() or f"boltzmark compare ended with status {done.returncode}"
        elif lost:
            self.lost = "; ".join(lost)

    def comparison(self) -> Path:
        return Path(self.stagedir) / "comparison"

    def figures(self) -> list[dict[str, str]]:
        return rows_of(Path(self.stagedir) / RESULTS / "figures.csv")

    @sanity_function
    def all_is_right(self):
        """The driver finished and found nothing wrong, failed or out of time; something ran; no reference is lost. Some
        schedulers report no exit status; the driver's last line then shows that it finished."""
        measured = self.figures()
        wrong = [f"{row['workload']} {row['model']} {row['variant']}: {row['status']}: {row['reason']}"
                 for row in measured if row["status"] in ("wrong", "failed", "timeout")]
        return sn.all([
            sn.assert_not_found(r"boltzmark: error: ", self.stderr, "the driver failed: see standard error"),
            sn.assert_eq(wrong, [], "; ".join(wrong)),
            sn.assert_true(any(row["status"] == "ok" for row in measured), "expected a run that is right, found none"),
            sn.assert_in(self.job.exitcode, (0, None), f"the driver ended with status {self.job.exitcode}"),
            sn.assert_found(r"^Results: ", self.stdout, "the driver did not come to its end"),
            sn.assert_eq(self.lost, "", self.lost.replace("{", "{{").replace("}", "}}"))])

    @run_before("performance")
    def take_figures(self) -> None:
        """A performance variable for every figure."""
        self.perf_variables = {}
        for row in self.figures():
            if row["status"] != "ok" or not row["rate"]:
                continue
            name = label_of(row)
            self.add_figure(name + "-rate", row["rate"], row["rate_unit"])
            self.add_figure(name + "-gb_per_s", row["gb_per_s"], "GB/s")
        if self.references:
            self.reference = {"*": self.references_of_rates()}

    def references_of_rates(self) -> dict[str, tuple[float, float | None, None, str]]:
        """Only a rate that is too slow gets a lower bound, so that noise fails nothing."""
        lowest = 1 / (1 + float(self.slower_than.rstrip("%")) / 100) - 1
        return {label_of(row, "new_") + "-rate":
                (float(row["reference_rate"]), lowest if row["too_slow"] == "true" else None, None, row["rate_unit"])
                for row in rows_of(self.comparison() / COMPARISON) if row["ratio"] and row["reference_rate"]}

    def add_figure(self, name: str, value: str, unit: str) -> None:
        self.perf_variables[name] = sn.make_performance_function(sn.defer(float(value)), unit)
