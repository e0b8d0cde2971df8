#!/usr/bin/env python3
# Tier: all (installs everything)
"""A prefix made by `cmake --install` runs from there. Arguments: cmake, the build folder.

The prefix is moved, nothing in it names the sources, programs run from another folder, and the prefix is unchanged
afterwards: a user need not own it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
CMAKE, BUILD = sys.argv[1], Path(sys.argv[2]).resolve()
PAGE_NEEDS = "import pandas, matplotlib, jinja2"


def state_of(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(file): (file.stat().st_size, file.stat().st_mtime_ns) for file in folder.rglob("*") if file.is_file()}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.top = Path(folder.name)
        done = subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.top / "first"], capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, done.stderr
        cls.prefix = (cls.top / "first").rename(cls.top / "moved")
        cls.before = state_of(cls.prefix)
        cls.here = cls.top / "user"
        cls.here.mkdir()

    def run_here(self, *words: str, status: int = 0) -> str:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "XDG_", "PYTHON"))}
        env |= {"PYTHONDONTWRITEBYTECODE": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "HOME": str(self.here),
                "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
        words = tuple(word.replace("bin/", f"{self.prefix}/bin/", 1) if word.startswith("bin/") else word for word in words)
        done = subprocess.run(words, cwd=self.here, env=env, capture_output=True, text=True, timeout=1800, check=False)
        self.assertEqual(done.returncode, status, f"{words}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout + done.stderr

    def expect_programs(self, *names: str) -> None:
        skipped = {one["program"]: one["skipped"] for one in
                   json.loads((self.prefix / "share/boltzmark/programs.json").read_text(encoding="utf-8"))}
        for name in names:
            if not (self.prefix / "bin" / name).exists():
                # The prefix must have all that the build has.
                self.assertFalse((BUILD / "bin" / name).exists(), name)
                self.skipTest(f"{name}: {skipped[name] or 'not built'}")

    def test_everything_built_is_there(self) -> None:
        for name in ("boltzmark", "lbm-serial", "stream-serial", "lbm-openmp", "boltzmark-peaks-cpu"):
            self.assertEqual((self.prefix / "bin" / name).exists(), (BUILD / "bin" / name).exists(), name)
        self.assertEqual({folder.name for folder in self.prefix.iterdir()}, {"bin", "share"})
        self.assertEqual({file.name for file in (self.prefix / "share/boltzmark/analysis/plans").iterdir()},
                         {file.name for file in (TOP / "analysis/plans").iterdir()})

    def test_nothing_names_the_sources(self) -> None:
        for file in self.prefix.rglob("*"):
            if file.is_file():
                with self.subTest(file.name):
                    self.assertNotIn(str(TOP).encode(), file.read_bytes())
            self.assertFalse(file.is_symlink(), file)

    def test_a_built_in_plan(self) -> None:
        text = self.run_here("bin/boltzmark", "run", "quick", "--dry-run", "--models", "serial")
        self.assertIn(f"{self.prefix}/bin/lbm-serial ", text)
        self.assertEqual(list(self.here.glob("results/runs.jsonl")), [])

    def test_models_by_the_kept_records(self) -> None:
        text = self.run_here("bin/boltzmark", "models", "--compare", "openmp,cuda", "--workloads", "heat")
        for line in (r"\(/\S+/share/boltzmark/analysis/results/matrix-", r"\nheat 4096\s\S+\s4096 +GLUPS +[\d.]+, [\d.]+\n",
                     r"\nheat +\d+ +\d+\n", r"\n  cuda: NVIDIA GPUs\n"):
            self.assertRegex(text, line)

    def test_a_program_alone(self) -> None:
        self.expect_programs("stream-openmp")
        self.assertRegex(self.run_here("bin/stream-openmp", "100000", "--threads", "2"), r"check:\s+right")

    def test_a_problem_by_name(self) -> None:
        self.expect_programs("lbm-mpi")
        text = self.run_here("mpirun", "-np", "2", "bin/lbm-mpi", "128x128", "--steps", "20", "--check", "oracle",
                             "--out", "flow")
        self.assertRegex(text, r"check:\s+right")
        self.assertTrue((self.here / "flow/final_state.dat").exists())

    def test_offload_finds_its_runtime(self) -> None:
        self.expect_programs("stream-openmp-target")
        self.run_here("bin/stream-openmp-target", "100000")

    def test_results_and_report(self) -> None:
        plan = {"repeats": 1, "cases": [{"box": "40x30", "steps": 20}], "runs": [{"model": "serial", "variant": "fused"}]}
        (self.here / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        self.run_here("bin/boltzmark", "run", "plan.json")
        self.assertTrue((self.here / "results/runs.jsonl").exists())
        self.assertRegex(self.run_here("bin/boltzmark", "run", "plan.json"), r"\nnothing is measured; .* on 2\d{3}-\d\d-\d\d;")
        self.assertIn("1.000", self.run_here("bin/boltzmark", "compare", "results", "results"))
        text = self.run_here("bin/boltzmark", "report", "--no-plots")
        if subprocess.run(["/usr/bin/python3", "-c", PAGE_NEEDS], capture_output=True, check=False).returncode == 0:
            self.assertIn("<html", (self.here / "results/report/report.html").read_text(encoding="utf-8"))
        else:
            self.assertIn("no page", text)

    def test_no_run_is_possible(self) -> None:
        self.expect_programs("lbm-openmp")
        plan = {"repeats": 1, "within_cores": True, "cases": [{"box": "40x30", "steps": 20}],
                "runs": [{"model": "openmp", "variant": "fused", "threads": 1 << 14}]}
        (self.here / "wide.json").write_text(json.dumps(plan), encoding="utf-8")
        self.assertIn("No run was possible", self.run_here("bin/boltzmark", "run", "wide.json", "--results", "wide", status=3))

    def test_defaults_of_the_site(self) -> None:
        """The file that the page for a centre shows: named, or in the prefix. Options that are given come first."""
        page = (TOP / "docs/guide/centre.md").read_text(encoding="utf-8")
        example = (self.prefix / "share/boltzmark/site.toml.example").read_text(encoding="utf-8")
        self.assertEqual(example.strip(), re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1].strip())
        (self.here / "mine.toml").write_text(example, encoding="utf-8")
        job = ("bin/boltzmark", "--site", "mine.toml", "job", "quick")
        text = self.run_here(*job)
        self.assertIn("\nmodule load gcc openmpi boltzmark\nulimit -s unlimited\n", text)
        for line in ("--partition=standard", "--exclusive", "--hint=nomultithread", "--ntasks-per-node=64"):
            self.assertIn(f"#SBATCH {line}\n", text)
        self.assertIn("#SBATCH --partition=short\n", self.run_here(*job, "--partition", "short"))
        other = ("bin/boltzmark", "--site", "/dev/null", "job", "quick", "--scheduler", "slurm", "--ranks-per-node", "2")
        self.assertNotIn("--partition=standard", self.run_here(*other))
        site = self.prefix / "share/boltzmark/site.toml"
        shutil.copy(self.here / "mine.toml", site)
        try:
            self.assertEqual(self.run_here("bin/boltzmark", "job", "quick"), text)
            self.assertNotIn("--partition=standard", self.run_here(*other))
            if (self.prefix / "bin/lbm-mpi").exists():
                self.assertRegex(self.run_here("bin/boltzmark", "run", "quick", "--dry-run", "--models", "mpi"),
                                 r"srun --mpi=pmix --ntasks=\d+ --cpu-bind=cores .*/moved/bin/lbm-mpi")
            site.write_text('[job]\nschedular = "slurm"\n', encoding="utf-8")
            self.assertRegex(self.run_here("bin/boltzmark", "list", status=2), re.escape(f"{site}: ") + ".*, found job.schedular")
        finally:
            site.unlink()

    def test_a_centre_gets_module_manual_and_completion(self) -> None:
        share = self.prefix / "share"
        self.assertEqual(list(share.rglob("*.cpp")), [])
        manual = (share / "man/man1/boltzmark.1").read_text(encoding="utf-8")
        for words in (".SH RUN\n", ".SH COMPARE\\-WITH\n", "\\-\\-feedback", "PREFIX/share/boltzmark/site.toml"):
            self.assertIn(words, manual)
        self.assertNotIn("/share/", manual.replace("PREFIX/share/", ""))
        complete = 'COMP_WORDS=(boltzmark $1 "$2"); COMP_CWORD=$3; _boltzmark; echo "${COMPREPLY[*]}"'
        for words, found in ((("che", "", "1"), "check"), (("run", "--fre", "2"), "--fresh"), (("job", "ladder-c", "2"), "ladder-cpu")):
            text = self.run_here("bash", "-c", f"PATH={self.prefix}/bin:$PATH; shopt -s extglob; . {share}/bash-completion/completions/boltzmark; "
                                 + complete, "bash", *words)
            self.assertEqual(text.strip(), found)
        if shutil.which("tclsh"):
            file = next((share / "modulefiles/boltzmark").iterdir())
            (self.here / "module.tcl").write_text(
                "proc prepend-path {name value} {puts \"$name $value\"}\nset env(MANPATH) /usr/man\nproc append-path args {}\nproc module-whatis args {}\nproc conflict args {}\n"
                f"set ModulesCurrentModulefile {file}\nsource {file}\n", encoding="utf-8")
            text = self.run_here("tclsh", "module.tcl")
            self.assertIn(f"PATH {self.prefix}/bin\n", text)
            self.assertIn(f"MANPATH {self.prefix}/share/man\n", text)

    def test_zz_nothing_was_written_into_the_prefix(self) -> None:
        """Last by its name: unittest goes by the alphabet."""
        self.assertEqual(state_of(self.prefix), self.before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
