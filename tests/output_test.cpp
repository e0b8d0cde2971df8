// Output: the two result files byte by byte, replacing existing ones; records against their description.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/base/text.hpp"
#include "common/lbm/check.hpp"
#include "common/lbm/output.hpp"
#include "common/lbm/problem_files.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

using namespace lbm;
using nlohmann::json;
/// The formats are defined by printf.
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

/// A field without a name would silently be read as its default: every field is named in the file.
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
    // Models of devices count their requests.
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

/// The word of before stays an alias.
TEST(Record, CallsTheReferenceByOneWord) {
  json old = Record();
  old["check"]["against"] = "oracle";
  EXPECT_EQ(old.get<Record>().check.against, "reference");
}

TEST(Record, CallsAreCounts) {
  json record = Record();
  record["calls"] = {{"launches", 2}, {"waits", 1}};
  EXPECT_EQ(record.get<Record>().calls.value().launches, 2);
  record["calls"]["waits"] = 1e300;
  EXPECT_THROW(record.get<Record>(), std::exception);
}

}  // namespace
}  // namespace boltzmark::testing
