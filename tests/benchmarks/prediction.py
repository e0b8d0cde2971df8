#!/usr/bin/env python3
"""Step times of lbm-mpi across two hosts that are namespaces of this machine (tests/cluster/hosts.py), as the network's
fits and the time of one rank with half of the grid predict them beside the measured ones, with several delays of the
network. Nothing is asserted.

    prediction.py FOLDER [--sizes 256x256] [--delays 0,100,1000] [--seconds 100] [--keep RESULTS]

FOLDER: of the built programs; delay_line is in its neighbour `benchmarks`. The runs of a delay take this many seconds,
after half a minute for its messages: three rounds and, as far as time allows, more of the runs that differ from round
to round.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "cluster"))
import hosts as two_hosts  # noqa: E402

VARIANTS = ("in-place", "wavefront", "fused")


def call(hosts, *words, **more):
    done = subprocess.run([str(word) for word in words], cwd=hosts.folder, capture_output=True, text=True, **more)
    if done.returncode:
        logs = "".join(log.read_text()[-2000:] for log in hosts.folder.glob("results*/peaks/*.log"))
        sys.exit(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}{logs}")
    return done.stdout


def processors():
    """On two cores, the last ones: a delay line takes the first two. Ranks that the system moves, or has on one core,
    would differ from run to run."""
    cores = {}
    for processor in sorted(os.sched_getaffinity(0)):
        siblings = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list").read_text()
        cores.setdefault(siblings, processor)
    return (list(cores.values()) * 2)[-2:]


def launcher(hosts):
    """A rank has a core. One rank is one on either host, each with its own grid and no messages, of which the slower
    one counts: hosts of one machine share its memory, and ranks that exchange halos wait for the slower one."""
    first, second = processors()
    bound, alone, start = (hosts.folder / name for name in ("bound", "alone", "start"))
    bound.write_text(f"""#!/bin/sh
exec taskset -c $([ $(hostname) = node1 ] && echo {first} || echo {second}) "$@"
""")
    alone.write_text(f"""#!/bin/sh
program=$1; record=$3; shift 3  # program --json FILE
touch $record.$(hostname)
until [ -e $record.node1 ] && [ -e $record.node2 ]; do sleep 0.01; done
exec {bound} $program --json $record.$(hostname) "$@"
""")
    slower = """import json, sys
records = [open(sys.argv[1] + "." + host).read() for host in ("node1", "node2")]
slowest = max(records, key=lambda record: json.loads(record)["compute_seconds"])
open(sys.argv[1], "w").write(slowest.replace("node2", "node1"))
"""
    start.write_text(f"""ranks=$1; shift
run="mpirun --map-by node --bind-to none --mca plm rsh --mca plm_rsh_agent {hosts.agent} --mca mpi_yield_when_idle 1"
if [ $ranks = 2 ]; then exec $run -np 2 --host node1:1,node2:1 {bound} "$@"; fi
rm -f $3.node1 $3.node2
$run -np 1 --host node2:1 {alone} "$@" > /dev/null & $run -np 1 --host node1:1 {alone} "$@" && wait $! &&
  python3 -c '{slower}' $3
""")
    for script in (bound, alone):
        script.chmod(0o755)
    return f"sh {start} {{ranks}}"


# Roughly, for two ranks; used only to choose the number of steps.
UPDATES_PER_SECOND = {"in-place": 0.8e9, "wavefront": 1.2e9, "fused": 0.4e9}


def runs_of(size, delay):
    """One rank on half of the rows and two ranks on all, once after a run that does not count, for the first messages
    of a connection are longer; processes differ, and not their repeats. As many steps as take a fifth of a second, a
    multiple of every depth."""
    columns, rows = map(int, size.split("x"))
    for variant in VARIANTS:
        between = 16 if variant == "wavefront" else 1  # steps between messages
        seconds = columns * rows / UPDATES_PER_SECOND[variant] + (delay + 30) * 1e-6 / between
        for ranks in (1, 2):
            yield {"model": "mpi", "variant": variant, "ranks": ranks, "cases": [f"box_{columns}x{rows // 2}"],
                   "steps": max(64, int(0.2 / seconds) // 64 * 64), "warm_up": True}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", default="256x256")
    parser.add_argument("--delays", default="0,100,1000")
    parser.add_argument("--seconds", type=float, default=100)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    programs = asked.folder.resolve()
    keep = asked.keep.resolve() if asked.keep else None
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    hosts = two_hosts.enter("mpirun")
    print("delay us  by                     size       variant    predicted us  measured us  error %")
    for delay in map(int, asked.delays.split(",")):
        how = hosts.delay(delay, programs.parent / "benchmarks" / "delay_line")
        results = hosts.folder / f"results-{delay}"
        sizes = asked.sizes.split(",")
        halves = ["{}x{}".format(columns, int(rows) // 2) for columns, rows in (size.split("x") for size in sizes)]
        plan = {"runs": [run for size in sizes for run in runs_of(size, delay)], "within_seconds": asked.seconds,
                "repeats": {"until": 0.02, "at_least": 3, "at_most": 30},
                "cases": [{"box": half, "grows": True, "steps": 128, "check": False} for half in halves]}
        (hosts.folder / "p.json").write_text(json.dumps(plan))
        start = launcher(hosts)
        call(hosts, programs / "boltzmark", "peaks", "--only", "mpi", "--ranks", 2, "--results", results,
             "--launcher", start)
        call(hosts, programs / "boltzmark", "run", "p.json", "--results", results, "--launcher", start)
        call(hosts, programs / "boltzmark", "figures", "--results", results)
        with open(results / "figures.csv", newline="") as table:
            for row in csv.DictReader(table):
                if row["predicted_seconds"]:
                    scale = 1e6 / float(row["steps"])
                    print(f"{delay:8}  {how:22} {row['case'].removeprefix('box_'):10} {row['variant']:10}"
                          f"{scale * float(row['predicted_seconds']):13.2f}{scale * float(row['seconds_median']):13.2f}"
                          f"{100 * float(row['prediction_error']):9.1f}", flush=True)
        if keep:
            shutil.copytree(results, keep / results.name, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
