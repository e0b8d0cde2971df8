// What programs write: the two result files byte by byte, standard output, the record against its
// description, the picture; and that a full disk takes nothing away that was there.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"
#include "common/lbm/check.hpp"
#include "common/lbm/output.hpp"
#include "common/lbm/problem_files.hpp"
#include "common/run/options.hpp"
#include "common/run/provenance.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

using namespace lbm;
using nlohmann::json;
/// printf is what the formats are defined by.
template <class... Args>
std::string printed(const char* format, Args... args) {
  char text[256];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

TEST(ResultFiles, AreWhatPrintfWouldWrite) {
  const TemporaryFolder folder;
  const auto words = write_problem(folder, grid("every_edge"));
  const Problem problem = load_problem(words[0], words[1]);
  const Answer answer = solve_reference(problem, 40);
  AtomicFile final_state(folder / "right.final_state.dat"), av_vels(folder / "right.av_vels.dat");
  write_final_state(final_state, problem, answer.state);
  write_av_vels(av_vels, answer.av_vels);
  final_state.commit();
  av_vels.commit();

  std::string expected;
  const auto solid = problem.solid_mask();
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 19; ++x) {
      const auto cell = static_cast<std::size_t>(y) * 19 + static_cast<std::size_t>(x);
      const double ux = answer.state.ux[cell], uy = answer.state.uy[cell];
      expected += printed("%d %d %.12E %.12E %.12E %.12E %d\n", x, y, ux, uy, std::sqrt(ux * ux + uy * uy),
                          answer.state.density[cell] / 3.0, solid[cell]);
    }
  EXPECT_EQ(read_text(folder / "right.final_state.dat"), expected);

  expected.clear();
  for (int step = 0; step < 40; ++step)
    expected += printed("%d:\t%.12E\n", step, answer.av_vels[static_cast<std::size_t>(step)]);
  EXPECT_EQ(read_text(folder / "right.av_vels.dat"), expected);
}

TEST(ResultFiles, OfARunHaveEveryCellAndStep) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      run_model("serial", Words{"--out", folder / "new/folder"} + write_problem(folder, grid("every_edge"))).status, 0);
  std::istringstream lines(read_text(folder / "new/folder/final_state.dat"));
  const std::string number = R"(-?\d\.\d{12}E[+-]\d\d)";
  int cell = 0;
  for (std::string line; std::getline(lines, line); ++cell) {
    const std::regex shape(printed("%d %d ", cell % 19, cell / 19) + number + " " + number + " " + number + " " +
                           number + " [01]");
    EXPECT_TRUE(std::regex_match(line, shape)) << line;
    if (line.back() == '1') {  // an obstacle is at rest, at the initial pressure
      EXPECT_NE(line.find("0.000000000000E+00 0.000000000000E+00 0.000000000000E+00 3.333333333333E-02 1"),
                std::string::npos)
          << line;
    }
  }
  EXPECT_EQ(cell, 19 * 17);
  std::istringstream averages(read_text(folder / "new/folder/av_vels.dat"));
  int step = 0;
  for (std::string line; std::getline(averages, line); ++step)
    EXPECT_TRUE(std::regex_match(line, std::regex(std::to_string(step) + ":\t" + number))) << line;
  EXPECT_EQ(step, 40);
}

/// Links are followed, and what is no regular file is written to or refused, but never replaced by one.
TEST(ResultFiles, ReplaceNoLinksDevicesOrFifos) {
  const TemporaryFolder folder;
  const auto write_to = [&](const std::string& option, const std::string& file) {
    return run_model("serial",
                     Words{"--quiet", "--no-output", option, folder / file} + write_problem(folder, grid("box")));
  };
  write_text(folder / "kept", "older");
  std::filesystem::create_symlink("kept", folder / "link");
  std::filesystem::create_symlink("new", folder / "dangling");
  for (const char* name : {"link", "dangling"}) {
    EXPECT_EQ(write_to("--image", name).status, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(folder / name));
  }
  const std::string picture = read_text(folder / "new");
  EXPECT_EQ(picture.substr(1, 3), "PNG");
  EXPECT_EQ(read_text(folder / "kept"), picture);

  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  std::filesystem::create_symlink("circle", folder / "circle");
  for (const char* option : {"--vtk", "--json"})
    for (const char* name : {"fifo", "circle"}) {  // a FIFO that nobody reads, a link that leads nowhere
      const Outcome lost = write_to(option, name);
      EXPECT_EQ(lost.status, 2) << option << ' ' << name << lost.errors;
    }
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "fifo"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "circle"));
  const Outcome printed = run_model(
      "serial", Words{"--quiet", "--no-output", "--image", "/dev/stdout"} + write_problem(folder, grid("box")));
  EXPECT_EQ(printed.status, 0) << printed.errors;
  EXPECT_EQ(printed.output, picture);

  // A private node, for the machine's own must not be at risk; only root can make one.
  if (mknod((folder / "full").c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0) return;
  const Outcome full = write_to("--vtk", "full");
  EXPECT_NE(full.status, 0) << full.errors;
  EXPECT_TRUE(std::filesystem::is_character_file(folder / "full"));
}

/// Folders in /dev hold regular files as all others do.
TEST(ResultFiles, InSharedMemoryAreReplaced) {
  if (access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "no /dev/shm";
  const std::string file = fmt::format("/dev/shm/boltzmark-test-{}", getpid());
  for (const char* text : {"older and longer", "new"}) write_whole(file, text);
  EXPECT_EQ(read_text(file), "new");
  unlink(file.c_str());
}

/// A link in the place of the temporary file, as somebody else could leave it in a shared folder, is not written
/// through.
TEST(ResultFiles, AreNotWrittenThroughForeignLinks) {
  const TemporaryFolder folder;
  write_text(folder / "precious", "older");
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::filesystem::create_symlink("precious", folder / fmt::format(".result.{}-{}.tmp", host, getpid()));
  AtomicFile result(folder / "result");
  result.write("new");
  result.commit();
  EXPECT_EQ(read_text(folder / "precious"), "older");
  EXPECT_EQ(read_text(folder / "result"), "new");
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "result"));
}

TEST(StandardOutput, EndsWithTheCourseworkLines) {
  const TemporaryFolder folder;
  const auto outcome = run_model("serial", Words{"--no-output"} + write_problem(folder, grid("box")));
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto done = outcome.output.find("==done==\n");
  ASSERT_NE(done, std::string::npos);
  const std::string seconds = R"(\d+\.\d{6} \(s\)\n)";
  EXPECT_TRUE(
      std::regex_match(outcome.output.substr(done),
                       std::regex("==done==\nReynolds number:\t\t\\d\\.\\d{12}E[+-]\\d\\d\n"
                                  "Elapsed Init time:\t\t\t" +
                                  seconds + "Elapsed Compute time:\t\t\t" + seconds + "Elapsed Collate time:\t\t\t" +
                                  seconds + "Elapsed Total time:\t\t\t" + seconds)))
      << outcome.output;
  EXPECT_EQ(outcome.errors, "");
}

TEST(ProblemNames, StandForTheFilesInInputs) {
  const auto record_of = [](const Words& problem) {
    const TemporaryFolder folder;
    const auto file = folder / "record.json";
    const Outcome outcome = run_command(
        Words{program_of("serial"), "--no-output", "--quiet", "--steps", "2", "--json", file.string()} + problem);
    EXPECT_EQ(outcome.errors, "");
    return json::parse(read_text(file))["case"];
  };
  const std::string inputs = BOLTZMARK_SOURCE_DIR "/inputs/";
  EXPECT_EQ(record_of({"128x256"})["digest"],
            record_of({inputs + "input_128x256.params", inputs + "obstacles_128x256.dat"})["digest"]);
  EXPECT_EQ(record_of({"taylor_green"})["digest"], record_of({inputs + "input_taylor_green.params", "none"})["digest"]);
  const Outcome unknown = run_command({program_of("serial"), "128x129"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.errors, "or one of 1024x1024, 128x128, ")) << unknown.errors;
  EXPECT_TRUE(has(unknown.errors, ", found \"128x129\"\n")) << unknown.errors;
}

TEST(StandardOutput, IsEmptyWhenQuiet) {
  const TemporaryFolder folder;
  const auto outcome = run_model("serial", Words{"--quiet", "--no-output"} + write_problem(folder, grid("box")));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output + outcome.errors, "");
}

/// What the OpenMP model says of its threads, with these words of env before the program and these options
/// after it.
class ThreadAdvice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_built("openmp")) GTEST_SKIP() << "openmp was not built";
  }
  Outcome run(const Words& environment, const Words& options) const {
    return run_command(Words{"env", "-u", "OMP_PROC_BIND"} + environment + Words{program_of("openmp"), "--no-output"} +
                       options + write_problem(folder_, grid("box")));
  }
  const int processors_ = usable_cores();
  const std::string few_ = std::to_string(std::min(2, processors_)), many_ = std::to_string(processors_ + 1);
  const TemporaryFolder folder_;
};

TEST_F(ThreadAdvice, IsOneLineWhereThreadsAreTooManyOrUnbound) {
  const Outcome crowded = run({}, {"--threads", many_, "--repeat", "2"});
  EXPECT_EQ(crowded.status, 0);
  EXPECT_EQ(count_of(crowded.errors, "\n"), 1) << crowded.errors;
  EXPECT_TRUE(crowded.errors.starts_with("lbm-openmp: warning: " + many_ + " threads on ")) << crowded.errors;
  EXPECT_EQ(run({}, {"--threads", many_, "--quiet"}).errors, "");
  EXPECT_EQ(run({}, {"--threads", "1"}).errors, "");
  if (processors_ < 2) GTEST_SKIP() << "one processor: threads are always too many";
  const std::string unbound = "lbm-openmp: warning: 2 threads are not bound, ";
  EXPECT_EQ(run({}, {"--threads", "2"}).errors, "");
  EXPECT_TRUE(run({"OMP_PROC_BIND=false"}, {"--threads", "2"}).errors.starts_with(unbound));
}

TEST(Check, ReadsAFolderThatAProgramHasWritten) {
  const TemporaryFolder folder;
  const auto words = write_problem(folder, grid("box"));
  EXPECT_EQ(run_model("serial", Words{"--quiet", "--out", folder.path.string()} + words).status, 0);
  for (const std::string end : {"", "/"}) {
    const Outcome same = run_model("serial", Words{"--no-output", "--check", folder.path.string() + end} + words);
    EXPECT_EQ(same.status, 0) << same.errors;
    EXPECT_TRUE(has(same.output, "check:\t\tright against " + folder.path.string())) << same.output;
  }
  const Outcome none = run_model("serial", Words{"--check", "/"} + words);
  EXPECT_TRUE(has(none.errors, "/av_vels.dat: expected")) << none.errors;
}

/// The word of before stays an alias, on the command line and in records.
TEST(Check, CallsTheReferenceByOneWord) {
  const TemporaryFolder folder;
  const std::string file = folder / "record";
  for (const auto& [workload, words] : {std::pair("lbm", Words{"--no-output"} + write_problem(folder, grid("box"))),
                                        std::pair("stream", Words{"1000"})})
    for (const std::string word : {"reference", "oracle"}) {
      const Outcome right = run_model("serial", Words{"--check", word, "--json", file} + words, 0, workload);
      EXPECT_EQ(right.status, 0) << right.errors;
      EXPECT_TRUE(has(right.output, "check:\t\tright against reference: ")) << right.output;
    }
  for (const Record& record : records_in(file)) EXPECT_EQ(record.check.against, "reference");
  json old = records_in(file).at(0);
  old["check"]["against"] = "oracle";
  EXPECT_EQ(old.get<Record>().check.against, "reference");
  const Outcome other = run_model("serial", {"1000", "--check", "other"}, 0, "stream");
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(has(other.errors, "--check: expected reference, found \"other\"")) << other.errors;
}

TEST(StandardOutput, SaysTheVariantAndOneRateOfABandwidth) {
  const TemporaryFolder folder;
  const auto words = write_problem(folder, grid("box"));
  const std::string usual = run_model("serial", Words{"--no-output"} + words).output,
                    named = run_model("serial", Words{"--no-output", "--variant", "fused"} + words).output;
  EXPECT_TRUE(std::regex_search(usual, std::regex("^program:\tserial, variant \\S+ \\(default\\), f32, 1 thread\n")));
  EXPECT_TRUE(named.starts_with("program:\tserial, variant fused, f32, 1 thread\n")) << named;
  EXPECT_TRUE(
      std::regex_search(usual, std::regex("rate:\t\t[0-9.]+ MLUPS, [0-9.]+ GB/s at [0-9]+ bytes per update\n")));
  const std::string stream = run_model("serial", {"65536"}, 0, "stream").output;
  EXPECT_TRUE(std::regex_search(stream, std::regex("rate:\t\t[0-9.]+ GB/s of triad\n"))) << stream;
}

/// Threads of a long run that may use one processor alone, and each another, as the system has them.
TEST_F(ThreadAdvice, IsNotNeededWhereTheUserSaysNothing) {
  if (processors_ < 2) GTEST_SKIP() << "one processor: nothing to choose from";
  const std::string watch =
      "\"$@\" & p=$!; for i in $(seq 400); do sleep 0.02; "
      "m=$(grep -hs Cpus_allowed_list: /proc/$p/task/*/status | sort -u | grep -Ec '\\s[0-9]+$'); "
      "[ $m = 2 ] && break; done; echo $m; kill $p; wait $p";
  for (const char* variant : {"textbook", "threads", "wavefront"}) {
    const auto bound =
        run_command({"env", "-u", "OMP_PROC_BIND", "bash", "-c", watch, "watch", program_of("openmp"), "--quiet",
                     "--no-output", "--threads", "2", "--variant", variant, "--steps", "10000000", "128x128"});
    EXPECT_EQ(bound.output, "2\n") << variant;
  }
}

TEST_F(ThreadAdvice, LeavesToTheUserWhatOpenMPVariablesSay) {
  const Outcome bound = run({"OMP_PROC_BIND=close", "OMP_PLACES=cores", "OMP_NUM_THREADS=" + few_}, {});
  EXPECT_EQ(bound.errors, "");
  EXPECT_TRUE(has(bound.output, ", " + few_ + " thread")) << bound.output;
  const Outcome told = run({"OMP_NUM_THREADS=" + many_}, {});
  EXPECT_TRUE(has(told.output, ", " + many_ + " threads")) << told.output;
  const Outcome option = run({"OMP_NUM_THREADS=" + many_}, {"--threads", "1"});
  EXPECT_TRUE(has(option.output, ", 1 thread\n")) << option.output;
  // A runtime that changed the number of threads under way would leave rows without one.
  const Outcome dynamic = run({"OMP_DYNAMIC=true"}, {"--threads", many_});
  EXPECT_TRUE(has(dynamic.output, ", " + many_ + " threads")) << dynamic.output << dynamic.errors;
}

TEST(StandardOutput, HelpAndVersionAndLists) {
  for (const auto& program : built_programs()) {
    SCOPED_TRACE(program.path);
    for (const char* option : {"--help", "--version", "--list-variants", "--describe"}) {
      const auto outcome = run_command({program.path.string(), option});
      EXPECT_EQ(outcome.status, 0) << option << outcome.errors;
      EXPECT_NE(outcome.output, "") << option;
    }
  }
}

TEST(StandardOutput, HelpFitsAScreenAndHelpAllHasEveryOption) {
  for (const auto& program : built_programs()) {
    SCOPED_TRACE(program.path);
    const std::string help = run_command({program.path.string(), "--help"}).output,
                      all = run_command({program.path.string(), "--help-all"}).output;
    EXPECT_LE(count_of(help, "\n"), 40) << help;
    for (const std::string& line : split(help, '\n')) EXPECT_LE(line.size(), 100u) << line;
    for (const std::string& option : description_of(program).takes) {
      EXPECT_TRUE(has(all, "--" + option + ' ')) << option;
      EXPECT_TRUE(has(help, "--" + option)) << option;
    }
  }
}

/// What the driver and the tuner read is what the programs take.
TEST(Description, NamesWhatThereIs) {
  for (const auto& program : built_programs()) {
    SCOPED_TRACE(program.path);
    const ProgramDescription said = description_of(program);
    EXPECT_EQ(said.workload, program.workload);
    EXPECT_EQ(said.model, program.model);
    EXPECT_EQ(said.program, program.path.filename());
    EXPECT_FALSE(said.variants.empty());
    for (const auto& variant : said.variants) {
      EXPECT_FALSE(variant.summary.empty() || variant.precisions.empty()) << variant.name;
      for (const auto& option : variant.options) EXPECT_TRUE(contains(said.takes, option.name)) << option.name;
    }
    for (const char* option : {"variant", "precision", "repeat", "json", "check", "describe"})
      EXPECT_TRUE(contains(said.takes, option)) << option;
    EXPECT_NE(said.devices.empty(), said.no_devices.empty());
    EXPECT_NE(find_variant(said, "like-for-like"), nullptr);
  }
}

TEST(WrongResult, IsSaidAndExitsWithOne) {
  const TemporaryFolder folder;
  const auto words = write_problem(folder, grid("box"));
  const Problem problem = load_problem(words[0], words[1]);
  Answer answer = solve_reference(problem, 60);
  answer.av_vels[7] *= 1.001;
  write_answer(folder / "other", problem, answer);
  const auto outcome =
      run_model("serial", Words{"--no-output", "--check", folder / "other", "--json", folder / "record"} + words);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("wrong"), std::string::npos) << outcome.errors;
  EXPECT_EQ(records_in(folder / "record").at(0).check.passed, false);
}

TEST(WrongResult, AnUnstableRunIsNotPassedOff) {
  const TemporaryFolder folder;
  Grid g = grid("box");
  g.accel = 0.9;
  g.omega = 1.99;
  g.steps = 2000;
  const auto outcome =
      run_model("serial", Words{"--no-output", "--json", folder / "record"} + write_problem(folder, g));
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_NE(outcome.errors.find("unstable"), std::string::npos) << outcome.errors;
  EXPECT_FALSE(records_in(folder / "record").at(0).metric("av_vel"));
}

/// Every serial and OpenMP variant is right at the edges of the range of its precision, and refused beyond.
TEST(PhysicalRange, IsRightAtItsEdgesAndRefusedBeyond) {
  const TemporaryFolder folder;
  const auto words = write_problem(folder, grid("box"));
  const auto problem_with = [&](double density, double accel, double omega) {
    write_text(words[0], fmt::format("24\n20\n300\n10\n{}\n{}\n{}\n", density, accel, omega));
    return Words{words[0], "none"};
  };
  for (const std::string model : {"serial", "openmp"}) {
    if (!is_built(model)) continue;
    for (const auto& [precision, name] : {std::pair{Precision::f32, "f32"}, std::pair{Precision::f64, "f64"}}) {
      const auto range = lbm::physical_range(precision);
      const auto run = [&](const std::string& variant, const Words& problem) {
        return run_model(model, Words{"--quiet", "--no-output", "--no-tuned", "--check", "oracle", "--precision", name,
                                      "--variant", variant} +
                                    problem);
      };
      for (const std::string variant : {"textbook", "fused", "in-place", "wavefront"})
        for (const double accel : {1e-4, 0.005})
          for (const auto& [density, omega] :
               {std::pair{range.least_density, 1.85}, std::pair{range.most_density, 1.85},
                std::pair{range.least_density, range.least_omega}, std::pair{0.1, range.least_omega}}) {
            const auto outcome = run(variant, problem_with(density, accel, omega));
            EXPECT_EQ(outcome.status, 0) << model << ' ' << variant << ' ' << name << ' ' << density << ' ' << omega
                                         << ' ' << outcome.errors;
          }
      for (const auto& [density, omega, what] :
           {std::tuple{0.9 * range.least_density, 1.85, "density: expected "},
            std::tuple{1.1 * range.most_density, 1.85, "density: expected "},
            std::tuple{0.1, 0.9 * range.least_omega, "omega: expected at least "}}) {
        const auto outcome = run("fused", problem_with(density, 0.01, omega));
        EXPECT_EQ(outcome.status, 2) << outcome.output;
        EXPECT_NE(outcome.errors.find(what), std::string::npos) << outcome.errors;
        EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
      }
    }
  }
}

/// A field whose name is left out would be read as what it is by default: every one is named in the file.
TEST(Record, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  const auto words = write_problem(folder, grid("odd"));
  for (const auto& program : built_programs(usual_workload)) {
    SCOPED_TRACE(program.model);
    if (!cannot_run_here(program.model).empty()) continue;
    const std::string file = folder / (program.model + ".jsonl");
    ASSERT_EQ(
        run_model(program.model, Words{"--no-output", "--repeat", "3", "--check", "oracle", "--json", file} + words)
            .status,
        0);
    const Record record = records_in(file).at(0);
    EXPECT_EQ(json(record), json::parse(read_text(file)));
    EXPECT_EQ(record.workload, "lbm");
    EXPECT_EQ(record.case_.name, "odd");
    EXPECT_EQ(record.case_.extent, (std::vector<std::int64_t>{37, 29}));
    EXPECT_EQ(record.repeats.size(), 3u);
    EXPECT_EQ(record.warm_up_runs, 1);
    EXPECT_GT(record.work.flops_per_update, 60.0);
    EXPECT_EQ(record.work.bytes_per_update, 72.0);
    EXPECT_GE(record.work.steps_per_launch, 1);
    // Models of devices count what they ask of them.
    ASSERT_EQ(record.calls.has_value(), contains({"opencl", "cuda", "hip", "openmp_target"}, program.model));
    if (record.calls) {
      EXPECT_GE(record.calls->launches * record.work.steps_per_launch, 50);
      EXPECT_GE(record.calls->waits, 1);
    }
    const double rate = 1e-6 * 37 * 29 * 50 / record.compute_seconds;
    EXPECT_NEAR(record.metric("mlups").value() / rate, 1.0, 1e-12);
    EXPECT_NEAR(record.gb_per_s() / (72e-3 * rate), 1.0, 1e-12);
  }
}

TEST(Record, OfAnotherFormatIsRefused) {
  json record = Record();
  record["format"] = 1;
  EXPECT_THROW(record.get<Record>(), std::exception);
}

TEST(Record, CallsAreCounts) {
  json record = Record();
  record["calls"] = {{"launches", 2}, {"waits", 1}};
  EXPECT_EQ(record.get<Record>().calls.value().launches, 2);
  record["calls"]["waits"] = 1e300;
  EXPECT_THROW(record.get<Record>(), std::exception);
}

TEST(Record, IsAppendedAndSaysWhenNothingWasChecked) {
  const TemporaryFolder folder;
  const std::string file = folder / "records.jsonl";
  const auto words = Words{"--no-output", "--json", file} + write_problem(folder, grid("box"));
  ASSERT_EQ(run_model("serial", words).status, 0);
  ASSERT_EQ(run_model("serial", words).status, 0);
  const auto records = records_in(file);
  ASSERT_EQ(records.size(), 2u);
  for (const Record& record : records) {
    EXPECT_EQ(record.check.against, "none");
    EXPECT_FALSE(record.check.passed.has_value());
    EXPECT_EQ(record.warm_up_runs, 0);
  }
}

TEST(Record, IsALineOfItsOwnBehindHalfALine) {
  const TemporaryFolder folder;
  const std::string file = folder / "records.jsonl";
  write_text(file, "{\"half");
  const auto words = Words{"--no-output", "--quiet", "--json", file} + write_problem(folder, grid("box"));
  for (int i = 0; i < 2; ++i) ASSERT_EQ(run_model("serial", words).status, 0);
  const std::string text = read_text(file), half = "{\"half\n";
  ASSERT_TRUE(text.starts_with(half)) << text;
  write_text(file, text.substr(half.size()));
  EXPECT_EQ(records_in(file).size(), 2u);
}

TEST(Record, IsWrittenWhateverBytesANameHas) {
  const TemporaryFolder folder;
  const Words problem = write_problem(folder, grid("box"));
  const std::string strange = folder / "a\xff.params", file = folder / "records.jsonl";
  std::filesystem::copy_file(problem[0], strange);
  const auto outcome = run_model("serial", {"--no-output", "--quiet", "--json", file, strange, problem.at(1)});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(records_in(file).at(0).case_.name, "a\xef\xbf\xbd");  // U+FFFD
}

/// A file-size limit (in 1024-byte units) behaves as a disk that fills up in the middle of writing.
Outcome run_on_full_disk(int kilobytes, const Words& arguments) {
  std::string line = "ulimit -f " + std::to_string(kilobytes) + "; exec " + program_of("serial");
  for (const auto& word : arguments) line += " '" + word + "'";
  return run_command({"bash", "-c", line});
}

TEST(FullDisk, LeavesTheOldFiles) {
  const TemporaryFolder folder;
  write_text(folder / "final_state.dat", "old state\n");
  write_text(folder / "av_vels.dat", "old averages\n");
  const auto words = write_problem(folder, grid("box"));
  const auto outcome = run_on_full_disk(8, Words{"--out", folder.path.string()} + words);
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_NE(outcome.errors.find("final_state.dat"), std::string::npos) << outcome.errors;
  EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  EXPECT_EQ(read_text(folder / "final_state.dat"), "old state\n");
  EXPECT_EQ(read_text(folder / "av_vels.dat"), "old averages\n");
  for (const auto& entry : std::filesystem::directory_iterator(folder.path))
    EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << entry.path();
}

TEST(FullDisk, LeavesEarlierRecords) {
  const TemporaryFolder folder;
  const auto words = write_problem(folder, grid("box"));
  std::string earlier;
  for (int i = 0; i < 20; ++i) earlier += json{{"earlier", std::string(80, 'x')}, {"number", i}}.dump() + "\n";
  write_text(folder / "records.jsonl", earlier);  // about 2 KB: the next record does not fit into 2 KB
  const auto outcome = run_on_full_disk(2, Words{"--no-output", "--json", folder / "records.jsonl"} + words);
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_NE(outcome.errors.find("records.jsonl"), std::string::npos) << outcome.errors;
  EXPECT_EQ(read_text(folder / "records.jsonl"), earlier);
}

TEST(Image, IsAPngOfTheGrid) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      run_model("serial", Words{"--no-output", "--image", folder / "speed.png"} + write_problem(folder, grid("odd")))
          .status,
      0);
  const std::string png = read_text(folder / "speed.png");
  ASSERT_GT(png.size(), 100u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  const auto big_endian = [&png](std::size_t at) {
    int value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(png[at + i]);
    return value;
  };
  EXPECT_EQ(big_endian(16), 37);
  EXPECT_EQ(big_endian(20), 29);
}

/// Of one process, of which one is refused; and a file of runs that is not there.
TEST(ManyRuns, EachHasAStatusAndARecord) {
  const TemporaryFolder folder;
  write_text(folder / "runs",
             "--variant textbook --no-output\n# a remark\n\n--variant best --no-output\n--precision f64 --out '" +
                 (folder / "a b").string() + "'\n");
  const Words words =
      Words{"--quiet", "--check", "oracle", "--json", folder / "records"} + write_problem(folder, grid("odd"));
  for (const auto& [model, ranks] : {std::pair("serial", 0), {"openmp", 0}, {"mpi", 2}}) {
    if (!is_built(model)) continue;
    SCOPED_TRACE(model);
    std::filesystem::remove(folder / "records");
    std::filesystem::remove_all(folder / "a b");
    const auto outcome = run_model(model, Words{"--runs", folder / "runs"} + words, ranks);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(has(outcome.errors, "\"best\"") && count_of(outcome.errors, "\n") == 1) << outcome.errors;
    Words statuses;
    for (const auto& line : split(outcome.output, '\n'))
      if (line.starts_with("status:")) statuses.push_back(line.substr(9));
    EXPECT_EQ(statuses, (Words{"0", "2", "0"})) << outcome.output;
    const auto records = records_in(folder / "records");
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].variant, "textbook");
    EXPECT_EQ(records[1].precision, "f64");
    EXPECT_EQ(records[1].check.passed, true);
    EXPECT_TRUE(std::filesystem::exists(folder / "a b/final_state.dat"));
  }
  const auto outcome = run_model("serial", Words{"--runs=" + (folder / "none").string()} + words);
  EXPECT_EQ(outcome.status, 2);
  const std::string expected = ": expected a file with the options of a run in each line, found ";
  EXPECT_EQ(outcome.errors,
            "lbm-serial: error: --runs: " + (folder / "none").string() + expected + "none that can be read\n");
  const auto of_folder = run_model("serial", Words{"--runs", folder.path.string()} + words);
  EXPECT_EQ(of_folder.status, 2);
  EXPECT_EQ(of_folder.errors, "lbm-serial: error: --runs: " + folder.path.string() + expected + "a folder\n");
}

}  // namespace
}  // namespace boltzmark::testing
