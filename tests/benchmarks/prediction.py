#!/usr/bin/env python3
"""Step times of lbm-mpi across two hosts that are namespaces of this machine (tests/cluster/hosts.py), as the network's
fits and one rank's time predict them beside the measured ones, with several delays of the network. Nothing is asserted.

    prediction.py FOLDER [--sizes 256x256] [--delays 0,100,1000] [--rounds 5] [--keep RESULTS]

FOLDER: of the built programs; delay_line is in its neighbour `benchmarks`.
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


def launcher(hosts):
    """One rank alone runs beside another one on the second host, which counts for nothing: hosts of one machine share
    its memory, and what a rank takes there is what it takes beside another."""
    start = hosts.folder / "start"
    start.write_text(f"""ranks=$1; shift
if [ $ranks = 1 ]; then
  $(cat {hosts.folder}/second) sh -c "cd {hosts.folder}; $1 $(shift 3; echo "$@")" > /dev/null &  # without --json FILE
fi
mpirun -np $ranks --host node1:1,node2:1 --map-by node --bind-to none --mca plm rsh --mca plm_rsh_agent {hosts.agent} \
  --mca mpi_yield_when_idle 1 "$@"
status=$?; wait; exit $status
""")
    return f"sh {start} {{ranks}}"


def steps_for(size, delay):
    """About a third of a second where 16 steps share a message, so that the first ones of a connection, which last
    several times as long, do not count; and a multiple of every depth."""
    columns, rows = map(int, size.split("x"))
    seconds = columns * rows / 1.6e9 / 2 + (delay + 30) * 1e-6 / 16
    return max(256, int(0.3 / seconds) // 64 * 64)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", default="256x256")
    parser.add_argument("--delays", default="0,100,1000")
    parser.add_argument("--rounds", type=int, default=5)
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
        cases = []
        for size in asked.sizes.split(","):
            columns, rows = size.split("x")
            steps = steps_for(size, delay)
            name = f"input_{size}.params"
            (hosts.folder / name).write_text(f"{columns}\n{rows}\n{steps}\n10\n0.1\n0.005\n1.85\n")
            cases.append({"params": name, "obstacles": "none", "check": False})
        runs = [{"model": "mpi", "variant": variant, "ranks": ranks} for variant in VARIANTS for ranks in (1, 2)]
        plan = {"runs": runs, "cases": cases, "repeats": asked.rounds}
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
                    print(f"{delay:8}  {how:22} {row['case']:10} {row['variant']:10}"
                          f"{scale * float(row['predicted_seconds']):13.2f}{scale * float(row['seconds_median']):13.2f}"
                          f"{100 * float(row['prediction_error']):9.1f}", flush=True)
        if keep:
            shutil.copytree(results, keep / results.name, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
