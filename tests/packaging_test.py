#!/usr/bin/env python3
# Tier: all (compiles from a tarball)
"""Packages agree with the build: versions, switches of the models, packages, the tarball.

    packaging_test.py CMAKE CXX [BOLTZMARK]

Neither Spack nor EasyBuild nor a container engine is needed: recipes are executed with stand-ins that record their
calls. packaging/README.md names the gaps."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
CMAKE, CXX = sys.argv[1:3]
PACKAGING = TOP / "packaging"
SPACK = PACKAGING / "spack/spack_repo/boltzmark/packages/boltzmark/package.py"


def text_of(name: str) -> str:
    return (TOP / name).read_text(encoding="utf-8")


VERSION = re.search(r"project\(boltzmark VERSION ([\d.]+)", text_of("CMakeLists.txt"))[1]
EASYBUILD = next(PACKAGING.glob("*.eb"))
# The models of the build, from the line each has.
MODELS = [name for name in re.findall(r"^add_subdirectory\((\w+)\)", text_of("CMakeLists.txt"), re.MULTILINE)
          if "boltzmark_model(" in text_of(f"{name}/CMakeLists.txt")]


class Spec:
    """A concrete spec with these variants."""

    def __init__(self, chosen: set[str]) -> None:
        self.chosen = chosen

    def satisfies(self, condition: str) -> bool:
        return condition.removeprefix("+") in self.chosen

    def __getitem__(self, name: str) -> types.SimpleNamespace:
        folder = types.SimpleNamespace(join=lambda file: f"/{name}/bin/{file}")
        return types.SimpleNamespace(prefix=types.SimpleNamespace(bin=folder))


class SpackRecipe:
    """package.py, executed with stand-ins for its imports from Spack."""

    def __init__(self) -> None:
        self.said: dict[str, list] = {}
        known = ("variant", "version", "depends_on", "license")
        package = types.ModuleType("spack.package")
        for name in known:
            setattr(package, name, lambda *words, _name=name, **options: self.said.setdefault(_name, []).append((words, options)))
        package.__all__ = list(known)

        class CMakePackage:
            def define(self, name, value):
                return f"-D{name}={value}"

            def define_from_variant(self, name, variant):
                return f"-D{name}={'ON' if variant in self.spec.chosen else 'OFF'}"

        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.CMakePackage = CMakePackage
        modules = {"spack.package": package, cmake.__name__: cmake}
        for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
            modules[name] = types.ModuleType(name)
        before = dict(sys.modules)
        sys.modules.update(modules)
        self.names: dict[str, object] = {}
        try:
            exec(compile(ast.parse(SPACK.read_text(encoding="utf-8")), SPACK, "exec"), self.names)
        finally:
            for name in modules:
                sys.modules.pop(name)
            sys.modules.update({name: module for name, module in before.items() if name in modules})
        self.package = self.names["Boltzmark"]()

    def variants(self) -> list[str]:
        return [words[0] for words, _ in self.said["variant"]]

    def switches(self, chosen: set[str]) -> list[str]:
        self.package.spec = Spec(chosen)
        return self.package.cmake_args()


class Versions(unittest.TestCase):
    """One place: project() of CMakeLists.txt."""

    def test_of_texts(self) -> None:
        self.assertEqual(re.search(r"^version: (.*)$", text_of("CITATION.cff"), re.MULTILINE)[1], VERSION)
        self.assertEqual(re.search(r"^## ([\d.]+)", text_of("CHANGELOG.md"), re.MULTILINE)[1], VERSION)

    def test_of_recipes(self) -> None:
        self.assertIn(((VERSION,), {}), SpackRecipe().said["version"])
        self.assertEqual(easybuild()["version"], VERSION)
        self.assertRegex(EASYBUILD.name, rf"^boltzmark-{re.escape(VERSION)}-\w+-\w+\.eb$")

    @unittest.skipUnless(len(sys.argv) > 3 and Path(sys.argv[3]).exists(), "the driver is not built")
    def test_of_the_driver(self) -> None:
        for program in (Path(sys.argv[3]), Path(sys.argv[3]).with_name("lbm-serial")):
            said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            self.assertRegex(said, rf"^{program.name} {re.escape(VERSION)} \(")
            if (TOP / ".git").exists() and shutil.which("git"):
                self.assertNotIn("unknown", said)


def easybuild() -> dict[str, object]:
    names: dict[str, object] = {}
    exec(compile(ast.parse(EASYBUILD.read_text(encoding="utf-8")), EASYBUILD, "exec"), names)
    return names


class Recipes(unittest.TestCase):
    def test_spack_has_a_variant_for_each_model(self) -> None:
        recipe = SpackRecipe()
        self.assertEqual(sorted(recipe.variants()), sorted([*MODELS, "native"]))
        self.assertTrue({"mpi", "opencl", "tbb", "fmt"} <= {re.match(r"[\w-]+", words[0])[0] for words, _ in recipe.said["depends_on"]})

    def test_spack_conditions_are_variants(self) -> None:
        recipe = SpackRecipe()
        for words, options in recipe.said["depends_on"]:
            if "when" in options:
                self.assertIn(options["when"].removeprefix("+"), recipe.variants(), words)

    def test_a_variant_is_one_switch(self) -> None:
        recipe = SpackRecipe()
        none = set(recipe.switches(set()))
        self.assertEqual(none, {f"-DBOLTZMARK_{name.upper()}=OFF" for name in recipe.variants()})
        for name in recipe.variants():
            more = set(recipe.switches({name})) - none
            self.assertEqual({one for one in more if "OFFLOAD_CXX" not in one}, {f"-DBOLTZMARK_{name.upper()}=ON"})

    def test_easybuild_decides_on_each_model(self) -> None:
        recipe = easybuild()
        decided = dict(re.findall(r"-DBOLTZMARK_(\w+)=(ON|OFF)", recipe["configopts"]))
        self.assertEqual(sorted(decided), sorted(name.upper() for name in MODELS))
        for name in ("easyblock", "homepage", "description", "toolchain", "sources", "moduleclass"):
            self.assertTrue(recipe[name], name)
        built = {"BOLTZMARK": "ON", **decided}
        for file in recipe["sanity_check_paths"]["files"]:
            if file.startswith("bin/"):
                self.assertEqual(built[file.split("-")[-1].removeprefix("bin/").upper()], "ON", file)

    def test_containers_take_packages_from_the_one_list(self) -> None:
        files = [PACKAGING / "Containerfile", *PACKAGING.glob("*.def")]
        self.assertEqual(len(files), 2)
        for file in files:
            text = file.read_text(encoding="utf-8")
            self.assertIn("common/install-deps.sh", text)
            self.assertIn("/src/install-deps.sh run", text)
            self.assertEqual(set(re.findall(r"boltzmark-([\d.]+\d)", text)), {VERSION})
            self.assertNotRegex(text, r"apt(-get)? install|-dev\b")
            self.assertIn("make install PREFIX=/opt/boltzmark PRESET=portable", text)
            self.assertRegex(text, r"(FROM|From:) debian:12\n")

    def test_list_of_packages(self) -> None:
        listed = subprocess.run([TOP / "common/install-deps.sh", "list"], capture_output=True, text=True, check=True).stdout
        self.assertTrue({"g++", "libfmt-dev", "openmpi-bin", "python3-pandas"} <= set(listed.split()))
        self.assertFalse({"libgtest-dev"} & set(listed.split()))
        self.assertEqual(len(listed.split()), len(listed.splitlines()))

    def test_badge(self) -> None:
        self.assertRegex(text_of("README.md"), r"\]\(\.\./\.\./actions/workflows/ci.yml/badge.svg\)")
        self.assertTrue((TOP / ".github/workflows/ci.yml").exists())

    def test_yaml(self) -> None:
        try:
            import yaml  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("no python3-yaml")
        steps = yaml.safe_load(text_of(".github/workflows/ci.yml"))["jobs"]["ci"]["steps"]
        self.assertEqual(steps[-1], {"run": ".ci/run"})
        self.assertEqual(yaml.safe_load(text_of("CITATION.cff"))["version"], VERSION)
        self.assertEqual(yaml.safe_load((SPACK.parents[2] / "repo.yaml").read_text(encoding="utf-8"))["repo"]["namespace"],
                         SPACK.parents[2].name)


class InFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def configure(self, source: Path, build: Path, switches: dict[str, str], env: dict[str, str]) -> subprocess.CompletedProcess:
        return subprocess.run([CMAKE, "-S", source, "-B", build, f"-DCMAKE_CXX_COMPILER={CXX}",
                               *(f"-DBOLTZMARK_{name.upper()}={value}" for name, value in switches.items())],
                              capture_output=True, text=True, check=False, env=env)


class Switches(InFolder):
    def test_each_model_alone(self) -> None:
        """Configured with that switch alone, the build has this model's programs and no others; a missing requirement
        is an error that says what to install."""
        build, configured = self.folder / "build", 0
        for model in MODELS:
            with self.subTest(model):
                done = self.configure(TOP, build, {name: "ON" if name == model else "OFF" for name in MODELS}, dict(os.environ))
                if done.returncode != 0:
                    self.assertRegex(done.stderr, rf"BOLTZMARK_{model.upper()}=ON:[\s\S]*install")
                    continue
                configured += 1
                programs = json.loads((build / "share/boltzmark/programs.json").read_text(encoding="utf-8"))
                self.assertEqual({one["model"] for one in programs if not one["skipped"]}, {model})
                self.assertEqual({one["model"] for one in programs}, set(MODELS))
        self.assertGreaterEqual(configured, 2)  # serial and CUDA need nothing

    def test_what_is_asked_for_and_absent(self) -> None:
        done = self.configure(TOP, self.folder / "build", {name: "OFF" for name in MODELS} | {
            "openmp_target": "ON", "offload_cxx": "/no/such/clang++"}, dict(os.environ))
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"BOLTZMARK_OPENMP_TARGET=ON:[\s\S]*clang-16")


class Words(InFolder):
    """`make configure` with a stand-in for CMake."""

    def words_of_cmake(self, given: str = "") -> list[str]:
        """Those with which CMake is called, [] where it is not."""
        cmake, seen = self.folder / "bin/cmake", self.folder / "seen"
        cmake.parent.mkdir(exist_ok=True)
        if not cmake.exists():
            cmake.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{seen}'\n", encoding="utf-8")
            cmake.chmod(0o755)
        seen.write_text("", encoding="utf-8")
        outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # a make that runs this
        done = subprocess.run(["make", "configure", f"BUILD={self.folder}", "CMAKE_ARGS=" + given.replace("$", "$$")],
                              cwd=TOP, capture_output=True, text=True, check=False,
                              env={**outside, "PATH": f"{cmake.parent}:{os.environ['PATH']}"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return seen.read_text(encoding="utf-8").splitlines()

    def test_cmake_args_are_words_between_blanks(self) -> None:
        for given, words in (("-DX=lbm;stream -DY=ON", ["-DX=lbm;stream", "-DY=ON"]), ("-DX='lbm;stream'", ["-DX=lbm;stream"]),
                             ("-DX=$<1:a>&(b)|c '-DY=-O2 -g'", ["-DX=$<1:a>&(b)|c", "-DY=-O2 -g"]), ("", [])):
            self.assertEqual(self.words_of_cmake(given)[-len(words) - 1:], ["-DBOLTZMARK_TESTS=OFF", *words])

    def test_cmake_runs_again_only_for_other_arguments_and_compilers(self) -> None:
        """Also while a model is skipped."""
        skipped = self.folder / "share/boltzmark/programs.json"
        skipped.parent.mkdir(parents=True)
        skipped.write_text('[{"program": "lbm-sycl", "skipped": "no SYCL compiler is found"}]', encoding="utf-8")
        compiler, library = self.folder / "bin/acpp", self.folder / "lib/cmake/AdaptiveCpp"
        for change in (lambda: None, lambda: compiler.write_text("", encoding="utf-8"),
                       lambda: compiler.write_text("a newer one", encoding="utf-8"), lambda: library.mkdir(parents=True)):
            change()
            self.assertTrue(self.words_of_cmake())
            self.assertFalse(self.words_of_cmake())
        self.assertTrue(self.words_of_cmake("-DX=1"))


class Revision(InFolder):
    def test_is_that_of_the_paths(self) -> None:
        """Commits and changes elsewhere leave programs as they are; those of the paths, which cmake -P reads, do not."""
        if not shutil.which("git"):
            self.skipTest("git was not found")
        (self.folder / "common").mkdir()
        (self.folder / "docs").mkdir()
        (self.folder / "out").mkdir()

        def git(*words: str) -> str:
            who = ["-c", "user.name=a", "-c", "user.email=a@b"]
            return subprocess.run(["git", *who, *words], cwd=self.folder, check=True, capture_output=True,
                                  text=True).stdout.strip()

        def change(file: str) -> None:
            (self.folder / file).write_text(file + "\n", encoding="utf-8")

        def commit() -> str:
            git("add", ".")
            git("commit", "-m", "m")
            return git("rev-parse", "--short=12", "HEAD")

        def said() -> str:
            subprocess.run([CMAKE, f"-DSOURCE={self.folder}", "-DOUTPUT=said.hpp", "-DVERSION=1", "-DGIT=git",
                            "-DPATHS=common CMakeLists.txt", "-P", TOP / "common/cmake/revision.cmake"],
                           cwd=self.folder / "out", check=True, capture_output=True)
            return re.search('REVISION "(.*)"', (self.folder / "out/said.hpp").read_text(encoding="utf-8"))[1]

        git("init", "-q")
        self.assertEqual(said(), "unknown")
        change("common/a.cpp")
        change("CMakeLists.txt")
        first = commit()
        self.assertEqual(said(), first)
        change("docs/page.txt")
        self.assertNotEqual(commit(), first)
        (self.folder / "docs/page.txt").write_text("changed\n", encoding="utf-8")
        self.assertEqual(said(), first)
        (self.folder / "common/a.cpp").write_text("changed\n", encoding="utf-8")
        self.assertEqual(said(), first + "-dirty")
        self.assertEqual(commit(), said())


class Tarball(InFolder):
    def without_git(self) -> dict[str, str]:
        """The environment with a PATH on which there is no git."""
        tools = self.folder / "tools"
        tools.mkdir()
        for folder in reversed(os.environ["PATH"].split(":")):
            for tool in Path(folder).iterdir() if Path(folder).is_dir() else ():
                if not tool.name.startswith("git"):
                    (tools / tool.name).unlink(missing_ok=True)
                    (tools / tool.name).symlink_to(tool)
        return {**os.environ, "PATH": str(tools)}

    def test_dist(self) -> None:
        """Its files are those of the repository; without git it configures, says its revision, and packs itself again
        into the same bytes."""
        subprocess.run([PACKAGING / "dist", self.folder], check=True, capture_output=True)
        tarball, unpacked = self.folder / f"boltzmark-{VERSION}.tar.gz", self.folder / f"boltzmark-{VERSION}"
        shutil.unpack_archive(tarball, self.folder)
        if (TOP / ".git").exists() and shutil.which("git"):
            tracked = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=TOP, capture_output=True,
                                     text=True, check=True).stdout.split("\n")
            files = {file.relative_to(unpacked).as_posix() for file in unpacked.rglob("*") if not file.is_dir()}
            self.assertEqual(files, {name for name in tracked if name and (TOP / name).exists()} | {"REVISION"})
            revision = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=TOP, check=True,
                                      capture_output=True, text=True).stdout.strip()
            self.assertEqual((unpacked / "REVISION").read_text(encoding="utf-8").strip(), revision)
        bare = self.without_git()
        self.assertIsNone(shutil.which("git", path=bare["PATH"]))
        again = self.folder / "again"
        again.mkdir()
        subprocess.run([unpacked / "packaging/dist", again], check=True, capture_output=True, env=bare)
        self.assertEqual((again / tarball.name).read_bytes(), tarball.read_bytes())
        build = self.folder / "build"
        done = self.configure(unpacked, build, {name: "OFF" for name in MODELS} | {"serial": "ON"}, bare)
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run([CMAKE, "--build", build, "--target", "boltzmark_revision"], check=True, capture_output=True, env=bare)
        self.assertIn((unpacked / "REVISION").read_text(encoding="utf-8").strip(),
                      (build / "generated/revision.hpp").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
