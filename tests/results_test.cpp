// Results read for the report: what cannot be used is one line with file and line, and the rest is used.
#include "analysis/report/results.hpp"

#include <gtest/gtest.h>

#include "analysis/report/flow.hpp"
#include "entries.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;

class ResultsTest : public ::testing::Test {
 protected:
  void add(const json& line) { text_ += line.dump() + '\n'; }
  void add_text(const std::string& line) { text_ += line; }
  /// The results of the lines so far.
  Results read() {
    write_text(folder_ / "runs.jsonl", text_);
    return read_results(folder_.path);
  }
  std::string place(int line) const { return (folder_ / "runs.jsonl").string() + ':' + std::to_string(line); }

  TemporaryFolder folder_;
  std::string text_;
};

json stream_record() {
  json kernels = json::array();
  for (const char* name : {"copy", "mul", "add", "triad", "dot"})
    kernels.push_back({{"name", name},
                       {"gb_per_s", 20.0},
                       {"gb_per_s_median", 19.0},
                       {"min_seconds", 0.1},
                       {"median_seconds", 0.11},
                       {"max_seconds", 0.2}});
  return {{"format", 1},
          {"kind", "stream"},
          {"model", "openmp"},
          {"precision", "f32"},
          {"device", "a CPU"},
          {"device_type", "cpu"},
          {"threads", 2},
          {"ranks", 1},
          {"elements", 1000},
          {"kernels", kernels},
          {"check", {{"passed", true}}},
          {"provenance", json::object()}};
}

TEST_F(ResultsTest, NamesFileLineAndFieldOfWhatCannotBeUsed) {
  const RunEntry good = entry("serial", "fused", 1, {2.0});
  const auto with = [&](const char* pointer, const json& value) {
    json line = good.to_json();
    line[json::json_pointer(pointer)] = value;
    return line;
  };
  add(good.to_json());
  add(with("/record/format", 99));
  add(with("/record/repeats/0/compute_seconds", 0.0));
  json line = good.to_json();
  line["record"].erase("bytes_per_update");
  add(line);
  add(with("/format", 2));
  add_text("what is this\n");
  add(with("/record/repeats", json::array()));
  add_text(good.to_json().dump().substr(0, 50));
  const Results results = read();
  ASSERT_EQ(results.entries.size(), 1u);
  std::string all;
  for (const auto& complaint : results.complaints) {
    EXPECT_EQ(count_of(complaint, "\n"), 0);
    all += complaint + '\n';
  }
  EXPECT_EQ(results.complaints.size(), 7u) << all;
  EXPECT_TRUE(
      has(all, place(2) +
                   ": record.format: expected version 1 of a record, found version 99, which is newer than "
                   "this program; the line is ignored"))
      << all;
  EXPECT_TRUE(
      has(all, place(3) + ": record.repeats[0].compute_seconds: expected seconds above zero, found 0"))
      << all;
  EXPECT_TRUE(has(all, place(4) + ": record.bytes_per_update: expected a number, found nothing")) << all;
  EXPECT_TRUE(has(all, place(5) + ": expected a finished run, found something else (format 2")) << all;
  EXPECT_TRUE(has(all, place(6))) << all;
  EXPECT_TRUE(has(all, place(7) + ": record.repeats: expected at least one repeat, found none")) << all;
  EXPECT_TRUE(has(all, place(8) + ": expected a whole line")) << all;
}

TEST_F(ResultsTest, TakesTheLatestBuildOfEachConfiguration) {
  RunEntry old = entry("serial", "fused", 1, {2.0}), young = entry("serial", "fused", 1, {1.0});
  old.key.program = "old";
  young.key.program = "young";
  add(old.to_json());
  add(entry("serial", "textbook", 1, {9.0}).to_json());
  add(young.to_json());
  const Results results = read();
  ASSERT_EQ(results.entries.size(), 2u);
  ASSERT_EQ(results.comparison.problems.size(), 1u);
  for (const auto& row : results.comparison.problems[0].rows)
    EXPECT_EQ(row.median, row.variant == "fused" ? 1.0 : 9.0);
}

TEST_F(ResultsTest, KeepsEveryBuildThatAPlanNamed) {
  RunEntry gcc = entry("serial", "fused", 1, {2.0}), clang = entry("serial", "fused", 1, {1.0});
  gcc.key.program = "g";
  gcc.key.build = "gcc";
  clang.key.program = "c";
  clang.key.build = "clang";
  add(gcc.to_json());
  add(clang.to_json());
  json older = entry("openmp", "fused", 1, {3.0}).to_json();
  older["key"].erase("build");  // as results had it before there were builds
  add(older);
  const Results results = read();
  EXPECT_TRUE(results.complaints.empty());
  ASSERT_EQ(results.comparison.problems.size(), 1u);
  const auto& rows = results.comparison.problems[0].rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].build + ' ' + rows[1].build + ' ' + rows[2].build, "gcc clang ");
}

TEST_F(ResultsTest, TellsRecordsApartByTheOptionsThatWereAskedFor) {
  std::string lines;
  for (const char* storage : {"f32", "f16"})
    for (const bool asked : {false, true}) {
      json record = entry("opencl", "two-grid", 1, {0.5}).record;
      record["settings"] = {{"storage", storage}, {"delay", 200}, {"tuned", json::object()}};
      record["provenance"]["command"] =
          "lbm-opencl --no-output" + (asked ? " --storage " + std::string(storage) : "") + " a.params none";
      lines += record.dump() + '\n';
    }
  write_text(folder_ / "mine.jsonl", lines);
  const Results results = read_results(folder_ / "mine.jsonl");
  ASSERT_EQ(results.comparison.problems.size(), 1u);
  std::string settings;
  for (const auto& row : results.comparison.problems[0].rows) settings += row.setting + ';';
  EXPECT_EQ(settings, ";--storage f32;--storage f16;");  // two that asked for nothing are rounds of one
}

TEST_F(ResultsTest, ReadsAFileOfBareRecords) {
  const json record = entry("openmp", "fused", 1, {0.5}).record;
  write_text(folder_ / "mine.jsonl",
             record.dump() + "\n{\n" + record.dump() + '\n' + stream_record().dump() + '\n');
  const Results results = read_results(folder_ / "mine.jsonl");
  ASSERT_EQ(results.comparison.problems.size(), 1u);
  ASSERT_EQ(results.comparison.problems[0].rows.size(), 1u);
  EXPECT_EQ(results.comparison.problems[0].rows[0].seconds.size(), 2u);  // two rounds of one configuration
  EXPECT_EQ(results.streams.size(), 1u);
  ASSERT_EQ(results.complaints.size(), 1u);
  EXPECT_TRUE(has(results.complaints[0], "mine.jsonl:2: expected a record"));
}

TEST_F(ResultsTest, JoinsTheRoundsOfStream) {
  RunEntry stream = entry("openmp", "", 1, {});
  stream.problem = stream.key.problem = stream_problem;
  const double shortest[] = {0.1, 0.05, 0.08}, medians[] = {0.2, 0.3, 0.4};
  for (int round = 1; round <= 3; ++round) {
    stream.key.round = round;
    stream.record = stream_record();
    json& triad = stream.record["kernels"][3];
    triad["min_seconds"] = shortest[round - 1];
    triad["gb_per_s"] = 2.0 / shortest[round - 1];
    triad["median_seconds"] = medians[round - 1];
    stream.record["check"]["passed"] = round != 2;
    add(stream.to_json());
  }
  const Results results = read();
  ASSERT_EQ(results.streams.size(), 1u);
  EXPECT_FALSE(results.streams[0].passed);
  const StreamKernelResult* const triad = results.streams[0].find("triad");
  EXPECT_DOUBLE_EQ(triad->min_seconds, 0.05);
  EXPECT_DOUBLE_EQ(triad->gb_per_s, 40.0);
  EXPECT_DOUBLE_EQ(triad->median_seconds, 0.3);
  EXPECT_DOUBLE_EQ(triad->gb_per_s_median, 2.0 / 0.3);
  EXPECT_DOUBLE_EQ(triad->max_seconds, 0.2);
}

TEST_F(ResultsTest, ReadsStreamAndItsFaults) {
  RunEntry stream = entry("openmp", "", 1, {});
  stream.problem = "stream";
  stream.record = stream_record();
  add(stream.to_json());
  stream.key.model = "mpi";
  stream.record["model"] = "mpi";
  stream.record["kernels"][3]["min_seconds"] = 0;
  add(stream.to_json());
  const Results results = read();
  ASSERT_EQ(results.streams.size(), 1u);
  EXPECT_EQ(results.streams[0].find("triad")->gb_per_s, 20.0);
  EXPECT_EQ(results.streams[0].find("nothing"), nullptr);
  ASSERT_EQ(results.complaints.size(), 1u);
  EXPECT_TRUE(has(results.complaints[0],
                  place(2) + ": record.kernels[3].min_seconds: expected seconds above zero, found 0"));
}

TEST_F(ResultsTest, SaysWhatToRunWhenThereIsNothing) {
  EXPECT_EQ(error_of([&] { read_results(folder_ / "nowhere"); }),
            (folder_ / "nowhere").string() +
                ": expected a results folder or a file of records, found nothing; `boltzmark run` makes one");
  EXPECT_EQ(error_of([&] { read_results(folder_.path); }),
            folder_.path.string() + ": expected finished runs, found none; `boltzmark run` makes some");
}

TEST_F(ResultsTest, GoesWithoutPeaksThatCannotBeRead) {
  add(entry("serial", "fused", 1, {2.0}).to_json());
  write_text(folder_ / "peaks.json", "{\"format\": 1");
  const Results results = read();
  EXPECT_FALSE(results.peaks);
  ASSERT_EQ(results.complaints.size(), 1u);
  EXPECT_TRUE(has(results.complaints[0], "peaks.json:1:")) << results.complaints[0];
}

TEST(FlowTest, AveragesTheFluidOfBlocks) {
  const TemporaryFolder folder;
  // 3 x 2 cells onto 2 x 1 blocks; the cell (1, 0) is an obstacle.
  write_text(folder / "a-7-v.final_state.dat",
             "0 0 1 0 1 0 0\n1 0 9 9 9 0 1\n2 0 5 0 5 0 0\n0 1 2 4 0 0 0\n1 1 3 -1 0 0 0\n2 1 7 2 0 0 0\n");
  write_text(folder / "a-7-v.av_vels.dat", "0:\t1\n1:\t2\n2:\t3\n3:\t4\n4:\t5\n5:\t6\n6:\t7.5E+00\n");
  const std::string prefix = find_answer(folder.path, {"p", "a", 3, 2, 7});
  ASSERT_EQ(prefix, (folder / "a-7-v").string());
  EXPECT_EQ(find_answer(folder.path, {"p", "a", 3, 2, 8}), "");
  const FlowField field = read_field(prefix, 3, 2, 2);
  EXPECT_EQ(field.columns, 2);
  EXPECT_EQ(field.rows, 1);
  EXPECT_EQ(field.ux, (std::vector<float>{2.0f, 6.0f}));
  EXPECT_EQ(field.uy, (std::vector<float>{1.0f, 1.0f}));
  EXPECT_EQ(field.obstacle, (std::vector<float>{0.25f, 0.0f}));
  EXPECT_EQ(planes_of(field).size(), 6 * sizeof(float));
  EXPECT_EQ(planes_of(field).substr(0, 4), std::string("\0\0\0\x40", 4));  // 2.0f, little endian
  const VelocityHistory history = read_history(prefix, 7, 4);
  EXPECT_EQ(history.steps, (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(history.values.back(), 7.5);
}

TEST(FlowTest, NamesFileAndLineOfAFault) {
  const TemporaryFolder folder;
  write_text(folder / "b.final_state.dat", "0 0 1 0 1 0 0\n1 0 x\n");
  EXPECT_EQ(error_of([&] { read_field((folder / "b").string(), 3, 1, 9); }),
            (folder / "b.final_state.dat").string() +
                ":2: expected x y u_x u_y |u| pressure obstacle, found \"1 0 x\"");
}

}  // namespace
}  // namespace boltzmark
