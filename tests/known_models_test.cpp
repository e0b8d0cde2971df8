// `boltzmark models`: rates from records, lines of code and facts.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/base/files.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"
#include "entries.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;

Outcome compare(const Words& words) {
  return testing::run_command(Words{std::string(BOLTZMARK_BIN_DIR) + "/boltzmark", "models", "--compare"} + words);
}

class KnownModelsTest : public ::testing::Test {
 protected:
  KnownModelsTest() {
    RunEntry wide = entry("openmp", "half", 1, {0.1});  // in less precision: no rival
    wide.record->settings["storage"] = "f16";
    wide.key.options = {"--storage", "f16"};
    std::string text;
    for (const RunEntry& one :
         {entry("openmp", "fused", 1, {2.0}), entry("openmp", "wavefront", 1, {0.5}), wide,
          entry("mpi", "wavefront", 1, {1.0}), failed("kokkos", "fused", 1, RunStatus::impossible)})
      text += one.to_json().dump() + '\n';
    write_text(folder_ / "runs.jsonl", text);
  }
  json tables(const std::string& models) const {
    const Outcome outcome = compare({models, "--json", "--results", folder_.path.string()});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return json::parse(outcome.output)["tables"];
  }
  TemporaryFolder folder_;
};

TEST_F(KnownModelsTest, RatesAreOfTheSameAlgorithmAndTheFastest) {
  const json rates = tables("mpi,openmp")[0];
  ASSERT_EQ(rates["rows"].size(), 1u) << rates;
  EXPECT_EQ(rates["rows"][0]["unit"], "MLUPS");
  EXPECT_EQ(rates["rows"][0]["openmp"], (json{0.5, 2.0}));
  EXPECT_EQ(rates["rows"][0]["mpi"], (json{nullptr, 1.0}));
  EXPECT_EQ(rates["columns"][2]["header"], "mpi");  // in the order asked for
  EXPECT_EQ(rates["columns"][2]["texts"], (json{"\u2013, 1.00"}));
  EXPECT_EQ(rates["columns"].size(), 4u);
}

TEST_F(KnownModelsTest, AModelWithoutAFigureHasItsReason) {
  const json rates = tables("openmp,kokkos,cuda")[0];
  EXPECT_EQ(rates["columns"].size(), 3u);
  EXPECT_EQ(rates["notes"][0], "kokkos: not available here: because");
  EXPECT_EQ(rates["notes"][1], "cuda: no record");
}

TEST_F(KnownModelsTest, EveryModelHasFactsAndTheTextbooksAreCounted) {
  const auto programs = json::parse(read_text(data_path("programs.json", BOLTZMARK_BIN_DIR)));
  std::vector<std::string> models;
  for (const json& one : programs) add_once(models, one["model"]);
  const json all = tables(join(models, ","));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1]["rows"].size(), 4u);
  for (const json& row : all[2]["rows"]) {
    EXPECT_EQ(row.size(), models.size() + 1) << row;
    for (const auto& [model, words] : row.items()) EXPECT_NE(words, "") << model << row;
  }
  for (const json& row : all[1]["rows"])
    if (row["workload"] == "lbm") EXPECT_GT(row["cuda"], row["openmp"]);  // buffers and launches
}

TEST_F(KnownModelsTest, TheTerminalHasAllOfIt) {
  const std::string text = compare({"openmp,openmp-target", "--results", folder_.path.string()}).output;
  for (const char* words : {"Rates on c, 2 cores (", "openmp-target: no record\n", "0.500, 2.00", "Lines of code",
                            "\ndevices\n  openmp: processors\n  openmp-target: processors; NVIDIA GPUs"})
    EXPECT_TRUE(has(text, words)) << words << text;
}

TEST_F(KnownModelsTest, WithoutRunsInResultsTheKeptRecordsCount) {
  const auto machines = [&] {
    const Outcome outcome =
        testing::run_command({"env", "--chdir=" + folder_.path.string(), std::string(BOLTZMARK_BIN_DIR) + "/boltzmark",
                              "models", "--compare", "cuda,openmp", "--workloads", "heat", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    const json all = json::parse(outcome.output)["tables"];
    return std::count_if(all.begin(), all.end(), [](const json& table) { return table["id"] == "rates"; });
  };
  std::filesystem::create_directory(folder_ / "results");
  EXPECT_GE(machines(), 2);
  std::filesystem::copy(folder_ / "runs.jsonl", folder_ / "results");
  EXPECT_EQ(machines(), 1);
}

TEST_F(KnownModelsTest, UnknownNamesAreOneLineAndStatusTwo) {
  for (const Words& words : std::vector<Words>{{"openmp,fortran"},
                                               {"openmp", "--workloads", "weather"},
                                               {"openmp", "--results", (folder_ / "none").string()},
                                               {}}) {
    const Outcome outcome = compare(words);
    EXPECT_EQ(outcome.status, 2) << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }
}

}  // namespace
}  // namespace boltzmark
