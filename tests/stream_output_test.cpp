// The table of STREAM runs: rounds joined, and its three forms.
#include <gtest/gtest.h>

#include "analysis/run/stream_output.hpp"
#include "common/stream/stream.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;

/// A round of a model whose kernels each took these seconds.
RunEntry stream_entry(const std::string& model, int round, const std::vector<double>& seconds,
                      std::vector<std::string> options = {}) {
  RunEntry entry;
  entry.key.model = model;
  entry.key.precision = "f32";
  entry.key.options = std::move(options);
  entry.key.problem = entry.problem = stream_problem;
  entry.key.round = round;
  json kernels = json::array();
  for (const StreamKernel& kernel : stream_kernels)
    kernels.push_back({{"name", kernel.name}, {"bytes", kernel.bytes(1 << 20, 4)}, {"seconds", seconds}});
  entry.record = {{"kind", "stream"},    {"device", "Some(R) CPU"},    {"threads", 2},      {"ranks", 1},
                  {"elements", 1 << 20}, {"bytes_per_array", 4 << 20}, {"kernels", kernels}};
  return entry;
}

RunEntry failed_stream(const std::string& model, int round, RunStatus status) {
  RunEntry entry = stream_entry(model, round, {});
  entry.record = nullptr;
  entry.status = status;
  entry.reason = "because";
  return entry;
}

TEST(StreamOutput, JoinsTheRoundsOfAModel) {
  const auto rows = make_stream_rows(
      {stream_entry("openmp", 1, {2e-3, 1e-3}), stream_entry("serial", 1, {4e-3}),
       stream_entry("openmp", 2, {0.5e-3, 8e-3}), failed_stream("openmp", 3, RunStatus::timeout)});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].run.model + rows[1].run.model, "openmpserial");
  EXPECT_EQ(rows[0].run.status, RunStatus::timeout);
  EXPECT_EQ(rows[0].run.worst_round, 3);
  const StreamFigures& copy = rows[0].kernels[0];
  EXPECT_EQ(copy.seconds.size(), 4u);
  EXPECT_DOUBLE_EQ(copy.gb_per_s().value(), 1e-9 * 8 * (1 << 20) / 0.5e-3);
  EXPECT_DOUBLE_EQ(copy.gb_per_s_median().value(), 1e-9 * 8 * (1 << 20) / 1.5e-3);
  EXPECT_DOUBLE_EQ(rows[0].kernels[3].gb_per_s().value(), 1.5 * copy.gb_per_s().value());
}

TEST(StreamOutput, TextNamesWhatIsNotRight) {
  const auto rows = make_stream_rows({stream_entry("serial", 1, {1e-3}, {"--repeat", "8"}),
                                      stream_entry("serial", 1, {1e-3}, {"--stream-elements", "9"}),
                                      failed_stream("mpi", 1, RunStatus::impossible)});
  EXPECT_EQ(stream_text(rows), R"(
STREAM: GB/s at the shortest execution of each kernel
                                    ranks x             MiB an
model                       device  threads  precision   array   copy    mul    add  triad    dot  status
--------------------------  ------  -------  ---------  ------  -----  -----  -----  -----  -----  ----------
serial                      Some        1x2  f32         4.000  8.389  8.389  12.58  12.58  8.389  ok
serial --stream-elements 9  Some        1x2  f32         4.000  8.389  8.389  12.58  12.58  8.389  ok
mpi                         -             -  f32             -      -      -      -      -      -  impossible

  mpi f32: impossible: because

)");
  EXPECT_TRUE(has(stream_markdown(rows), "\n- mpi f32: impossible: because\n"));
  EXPECT_EQ(stream_text({}) + stream_markdown({}), "");
}

TEST(StreamOutput, CsvHasOneLineAKernel) {
  const std::string csv = stream_csv(make_stream_rows(
      {stream_entry("openmp", 1, {2e-3, 1e-3}), failed_stream("mpi", 1, RunStatus::failed)}));
  EXPECT_EQ(count_of(csv, "\n"), 11);
  EXPECT_TRUE(has(csv,
                  "openmp,,f32,Some(R) CPU,1,2,1048576,triad,12582912,2,0.001,0.0015,0.002,12.582912,"
                  "8.388608,ok,\n"))
      << csv;
  EXPECT_TRUE(has(csv, "mpi,,f32,,0,0,0,dot,0,0,,,,,,failed,because\n")) << csv;
}

}  // namespace
}  // namespace boltzmark
