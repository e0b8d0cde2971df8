// STREAM in every model that is built: right for every size and way of running it, recorded as described, and
// strict about its options.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/run/launcher.hpp"
#include "common/stream/stream.hpp"
#include "programs.hpp"
#include "record_description.hpp"

namespace boltzmark::testing {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

struct Case {
  std::string model, precision;
  bool launcher = false;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.model << ' ' << c.precision; }

/// Without asking the programs: every test begins by listing all.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& model : built_models())
    for (const char* precision : {"f32", "f64"}) cases.push_back({model.name, precision, model.launcher});
  return cases;
}

/// One way of running a model.
struct Way {
  Words options;
  int ranks = 0;  ///< 0: without a launcher
};

class EveryStream : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto models = built_models();
    can_ = abilities_of(*find_model(models, GetParam().model));
    if (!can_.has_stream) GTEST_SKIP() << can_.lacks_stream();
  }
  std::vector<Way> ways() const {
    std::vector<Way> ways = {{}};
    if (GetParam().launcher)
      for (const int ranks : {1, 2, 3}) ways.push_back({{}, ranks});
    if (can_.takes_threads)
      for (const char* threads : {"1", "2"}) ways.push_back({{"--threads", threads}});
    return ways;
  }
  Outcome run(const Way& way, std::int64_t elements, const Words& more) const {
    const Case& c = GetParam();
    return run_model(
        c.model,
        Words{"--stream", "--precision", c.precision, "--stream-elements", std::to_string(elements)} +
            way.options + more,
        way.ranks);
  }

 private:
  Abilities can_;
};

void expect_figures(const json& record, std::int64_t elements, int repeats, int value_bytes) {
  ASSERT_EQ(record["kernels"].size(), stream_kernels.size());
  EXPECT_EQ(record["elements"], elements);
  EXPECT_EQ(record["bytes_per_array"], elements * value_bytes);
  for (std::size_t k = 0; k < stream_kernels.size(); ++k) {
    const json& kernel = record["kernels"][k];
    EXPECT_EQ(kernel["name"], stream_kernels[k].name);
    EXPECT_EQ(kernel["passed"], true) << kernel;
    EXPECT_EQ(kernel["bytes"], stream_kernels[k].bytes(elements, value_bytes));
    EXPECT_EQ(kernel["bytes_with_write_allocate"],
              record["write_allocate"].get<bool>()
                  ? stream_kernels[k].bytes_with_write_allocate(elements, value_bytes)
                  : stream_kernels[k].bytes(elements, value_bytes));
    std::vector<double> seconds = kernel["seconds"];
    ASSERT_EQ(seconds.size(), static_cast<std::size_t>(repeats));
    std::sort(seconds.begin(), seconds.end());
    EXPECT_GT(seconds.front(), 0.0);
    EXPECT_EQ(kernel["min_seconds"], seconds.front());
    EXPECT_EQ(kernel["max_seconds"], seconds.back());
    EXPECT_EQ(kernel["median_seconds"], 0.5 * (seconds.front() + seconds.back()));  // of two
    EXPECT_DOUBLE_EQ(kernel["gb_per_s"], 1e-9 * kernel["bytes"].get<double>() / seconds.front());
  }
}

void expect_right(const Case& c, const Way& way, std::int64_t elements, const json& record) {
  EXPECT_EQ(faults_in_record(record), Words{});
  EXPECT_EQ(record["kind"], "stream");
  EXPECT_EQ(record["model"], c.model);
  EXPECT_EQ(record["precision"], c.precision);
  EXPECT_EQ(record["check"]["passed"], true);
  if (way.ranks > 0) {
    EXPECT_EQ(record["ranks"], way.ranks);
  }
  if (!way.options.empty() && record["device_type"] == "cpu") {
    EXPECT_EQ(record["threads"], std::stoi(way.options[1]));
  }
  expect_figures(record, elements, 2, c.precision == "f64" ? 8 : 4);
}

TEST_P(EveryStream, IsRightForEverySizeAndWayOfRunning) {
  for (const Way& way : ways())
    for (const std::int64_t elements : {1, 5, 1000003}) {
      SCOPED_TRACE(fmt::format("{} elements {} ranks {}", elements, way.ranks, join_words(way.options)));
      const TemporaryFolder folder;
      const std::string file = folder / "record";
      const auto outcome = run(way, elements, {"--repeat", "2", "--json", file});
      if (outcome.status == 3) GTEST_SKIP() << outcome.errors;
      ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      expect_right(GetParam(), way, elements, json::parse(read_text(file)));
      for (const StreamKernel& kernel : stream_kernels)
        EXPECT_TRUE(has(outcome.output, std::string("\n") + kernel.name + ' ')) << outcome.output;
      EXPECT_EQ(count_of(outcome.output, "  right\n"), 5) << outcome.output;
    }
}

/// Sums of so many equal terms in single precision need care in every model.
TEST_P(EveryStream, SumsLongArrays) {
  const auto outcome = run({}, 20'000'003, {"--repeat", "1", "--quiet"});
  if (outcome.status == 3) GTEST_SKIP() << outcome.errors;
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output + outcome.errors, "");
}

INSTANTIATE_TEST_SUITE_P(Models, EveryStream, ::testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.model + "_" + one.param.precision; });

TEST(StreamSize, IsByDefaultFourTimesTheCaches) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_model("serial", {"--stream", "--repeat", "1", "--json", folder / "record"}).status, 0);
  const json record = json::parse(read_text(folder / "record"));
  EXPECT_GE(record["bytes_per_array"].get<double>(), 4 * record["cache_bytes"].get<double>());
  EXPECT_GE(record["elements"], 1 << 16);
}

class StreamOptions : public ::testing::Test {
 protected:
  /// One line and nothing done.
  static void expect_refused(const std::string& model, const Words& options, const Words& parts,
                             int ranks = 0, int status = 2) {
    const auto outcome = run_model(model, options, ranks);
    EXPECT_EQ(outcome.status, status) << outcome.output << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    for (const auto& part : parts) EXPECT_TRUE(has(outcome.errors, part)) << part << " in " << outcome.errors;
  }
};

TEST_F(StreamOptions, ThatAreForProblemsAreRefused) {
  const TemporaryFolder folder;
  const auto problem = write_problem(folder, grid("box"));
  for (const auto& options :
       {Words{problem[0]}, problem, Words{"--variant", "fused"}, Words{"--steps", "3"},
        Words{"--out", folder.path.string()}, Words{"--no-output"}, Words{"--check", "oracle"},
        Words{"--image", folder / "speed.png"}, Words{"--list-variants"}, Words{"--list-devices"}}) {
    const std::string name = options[0].starts_with("--") ? options[0] : "PARAMS";
    expect_refused("serial", Words{"--stream"} + options, {"--stream: expected no " + name});
  }
  if (is_built("opencl"))
    expect_refused("opencl", {"--stream", "--work-group", "8x8"}, {"--stream: expected no --work-group"});
}

TEST_F(StreamOptions, WithBadValuesAreRefused) {
  for (const char* elements : {"0", "-1", "many", "1e6", "99999999999999999999"})
    expect_refused("serial", {"--stream", "--stream-elements", elements}, {"--stream-elements"});
  expect_refused("serial", {"--stream-elements", "10"}, {"--stream-elements", "--stream"});
  for (const char* repeats : {"0", "501"})
    expect_refused("serial", {"--stream", "--repeat", repeats}, {"--repeat"});
  expect_refused("serial", {"--stream", "--precision", "f16"}, {"f16"});
  expect_refused("serial", {"--stream", "--threads", "2"}, {"--threads"});
}

TEST_F(StreamOptions, ArraysThatDoNotFitAreRefused) {
  for (const auto& model : built_models()) {
    if (!cannot_run_here(model.name).empty()) continue;
    SCOPED_TRACE(model.name);
    expect_refused(model.name, {"--stream", "--stream-elements", "1000000000000"},
                   {"--stream-elements: expected three arrays that fit the memory", "GiB"},
                   model.launcher ? 3 : 0, 3);
  }
}

TEST_F(StreamOptions, RecordThatCannotBeWrittenIsSaid) {
  expect_refused("serial",
                 {"--stream", "--stream-elements", "10", "--repeat", "1", "--json", "/no/such/folder/x"},
                 {"/no/such/folder/x"});
}

}  // namespace
}  // namespace boltzmark::testing
