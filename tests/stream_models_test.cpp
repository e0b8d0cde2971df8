// STREAM in every model that is built: right for every size and way of running it, recorded as described, and
// strict about its options.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/stream/kernels.hpp"
#include "every_model.hpp"

namespace boltzmark::testing {
namespace {

using stream::all_kernels;

class EveryStream : public EveryModel {
 protected:
  EveryStream() : EveryModel("stream") {}
  std::vector<Way> ways() const {
    std::vector<Way> ways = ways_of_ranks({1, 2, 3});
    if (contains(can_.takes, "threads"))
      for (const int threads : {1, 2}) ways.push_back({{"--threads", thread_number(can_, threads)}});
    return ways;
  }
  Outcome run(const Way& way, std::int64_t elements, const Words& more) const {
    return EveryModel::run(way, Words{std::to_string(elements)} + more);
  }
};

void expect_figures(const Record& record, std::int64_t elements, int repeats, int value_bytes) {
  ASSERT_EQ(record.parts.size(), all_kernels.size());
  EXPECT_EQ(record.case_.extent, std::vector<std::int64_t>{elements});
  double moved = 0.0;
  for (std::size_t k = 0; k < all_kernels.size(); ++k) {
    const Part& part = record.parts[k];
    const stream::Kernel& kernel = all_kernels[k];
    EXPECT_EQ(part.name, kernel.name);
    EXPECT_EQ(part.bytes, kernel.bytes(elements, value_bytes));
    EXPECT_EQ(part.bytes_moved, record.write_allocate ? kernel.bytes_with_write_allocate(elements, value_bytes)
                                                      : kernel.bytes(elements, value_bytes));
    moved += part.bytes_moved;
    EXPECT_EQ(part.bytes_held, elements * value_bytes * (kernel.arrays_read + kernel.arrays_written));
    ASSERT_EQ(part.seconds.size(), static_cast<std::size_t>(repeats));
    EXPECT_GT(*std::min_element(part.seconds.begin(), part.seconds.end()), 0.0);
  }
  ASSERT_EQ(record.work.traffic.size(), 1u);
  EXPECT_DOUBLE_EQ(record.work.traffic[0].per_update * static_cast<double>(elements), moved);
}

void expect_right(const ModelCase& c, const Way& way, std::int64_t elements, const Record& record) {
  EXPECT_EQ(record.workload, "stream");
  EXPECT_EQ(record.model, c.model);
  EXPECT_EQ(record.precision, c.precision);
  EXPECT_EQ(record.check.passed, true);
  if (way.ranks > 0) {
    EXPECT_EQ(record.ranks, way.ranks);
  }
  if (!way.options.empty() && record.device_type == "cpu") {
    EXPECT_EQ(record.threads, std::stoi(way.options[1]));
  }
  expect_figures(record, elements, 2, c.precision == "f64" ? 8 : 4);
}

TEST_P(EveryStream, IsRightForEverySizeAndWayOfRunning) {
  for (const Way& way : ways())
    for (const std::int64_t elements : {1, 5, 1000003}) {
      SCOPED_TRACE(fmt::format("{} elements {} ranks {}", elements, way.ranks, join(way.options, " ")));
      const TemporaryFolder folder;
      const std::string file = folder / "record";
      const auto outcome = run(way, elements, {"--repeat", "2", "--json", file});
      if (outcome.status == 3) GTEST_SKIP() << outcome.errors;
      ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      expect_right(GetParam(), way, elements, records_in(file).at(0));
      expect_all_data_moves(records_in(file).at(0));
      for (const stream::Kernel& kernel : all_kernels)
        EXPECT_TRUE(has(outcome.output, std::string("\n") + kernel.name + ' ')) << outcome.output;
      EXPECT_EQ(count_of(outcome.output, "  right\n"), 5) << outcome.output;
    }
}

/// Sums of so many equal terms in single precision need care in every model.
class EveryLongSum : public EveryStream {};

TEST_P(EveryLongSum, IsRight) {
  const OptimisedKernels optimised;
  const auto outcome = run({}, 20'000'003, {"--repeat", "1", "--quiet"});
  if (outcome.status == 3) GTEST_SKIP() << outcome.errors;
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output + outcome.errors, "");
}

std::vector<ModelCase> in_single_precision() {
  std::vector<ModelCase> cases = model_cases("stream");
  std::erase_if(cases, [](const ModelCase& one) { return one.precision != "f32"; });
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Models, EveryStream, ::testing::ValuesIn(model_cases("stream")), case_name);
INSTANTIATE_TEST_SUITE_P(Models, EveryLongSum, ::testing::ValuesIn(in_single_precision()), case_name);

TEST(StreamSize, IsByDefaultFourTimesTheCaches) {
  const TemporaryFolder folder;
  // Small caches, for any of 256 cores, for the real one's may be gigabytes.
  const Words machine = {"env", "HWLOC_SYNTHETIC=pack:1 l3:1(size=6MB) l2:256(size=1MB) core:1 pu:1"};
  ASSERT_EQ(run_model("serial", {"--repeat", "1", "--json", folder / "record"}, 0, "stream", machine).status, 0);
  const nlohmann::json facts = records_in(folder / "record").at(0).case_.facts;
  const double cache = facts["cache_bytes"].get<double>(), array = facts["bytes_per_array"].get<double>();
  EXPECT_TRUE(cache == 6e6 || cache == 6 << 20) << cache;
  EXPECT_TRUE(4 * cache <= array && array <= 4 * cache + 64) << array;
}

TEST(StreamOptions, ThatAreOfAnotherWorkloadAreRefused) {
  for (const char* option : {"--steps", "--out", "--image"})
    expect_refused("stream", "serial", {option, "3"}, {option});
  expect_refused("stream", "serial", {"--variant", "fused"}, {"--variant: expected one of plain, nt, found \"fused\""});
}

TEST(StreamOptions, WithBadValuesAreRefused) {
  for (const char* elements : {"0", "many", "1e6", "99999999999999999999"})
    expect_refused("stream", "serial", {elements}, {elements});
  for (const char* repeats : {"0", "501"})
    expect_refused("stream", "serial", {"10", "--repeat", repeats}, {"--repeat"});
  expect_refused("stream", "serial", {"--precision", "f16"}, {"f16"});
  expect_refused("stream", "serial", {"--threads", "2"}, {"--threads"});
}

TEST(StreamOptions, ArraysThatDoNotFitAreRefused) {
  for (const auto& program : built_programs("stream")) {
    if (!cannot_run_here(program.model).empty()) continue;
    SCOPED_TRACE(program.model);
    expect_refused("stream", program.model, {"1000000000000"}, {"expected three arrays that fit the memory", "GiB"},
                   program.launcher ? 3 : 0, 3);
  }
}

TEST(StreamOptions, RecordThatCannotBeWrittenIsSaid) {
  expect_refused("stream", "serial", {"10", "--repeat", "1", "--json", "/no/such/folder/x"}, {"/no/such/folder/x"});
}

}  // namespace
}  // namespace boltzmark::testing
