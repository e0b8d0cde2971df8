// The published figures: all there, consistent with one another and with our inputs, and read strictly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "analysis/report/published.hpp"
#include "analysis/roofline/formulas.hpp"
#include "analysis/support/json_reader.hpp"
#include "common/lbm/problem.hpp"
#include "made_up_results.hpp"
#include "programs.hpp"

namespace boltzmark {
namespace {

using namespace boltzmark::testing;
using nlohmann::json;
namespace fs = std::filesystem;

const fs::path file_in_sources = fs::path(BOLTZMARK_SOURCE_DIR) / "analysis/report/published.json";

double rounded(double value, int decimals) {
  const double power = std::pow(10.0, decimals);
  return std::round(value * power) / power;
}

const PublishedRun& run_of(const PublishedRuns& runs, const std::string& label) {
  for (const auto& run : runs.runs)
    if (run.label == label) return run;
  throw std::out_of_range(label);
}

std::vector<double> seconds_in_order(const SecondsByProblem& seconds) {
  std::vector<double> values;
  for (const auto& problem : shipped().problems)
    if (const auto at = seconds.find(problem.name); at != seconds.end()) values.push_back(at->second);
  return values;
}

TEST(PublishedTest, HasEveryTable) {
  const Published& p = shipped();
  EXPECT_EQ(p.sources.size(), 7u);
  EXPECT_EQ(p.problems.size(), 4u);
  EXPECT_EQ(p.stream.kernels.size(), 5u);
  EXPECT_EQ(p.work_groups.points.size(), 4u);
  EXPECT_EQ(p.figures.size(), 36u);
  EXPECT_EQ(p.device("k20m").stream_gb_per_s, 151.0);
  EXPECT_EQ(p.device("k20m").ridge_flop_per_byte, 23.3);
  EXPECT_EQ(p.device("xeon-e5-2670").stream_gb_per_s, 65.0);
  EXPECT_EQ(p.citation(p.steps.origin),
            "Table II of Rutterford, OpenCL Parallelism (University of Bristol report)");
  EXPECT_EQ(p.source("C").citation(),
            "McIntosh-Smith, An introduction to many-core parallel computing with OpenCL (lecture, 2014)");
  EXPECT_EQ(p.device("k20m").description(), "NVIDIA K20m (STREAM 151 GB/s)");
  EXPECT_EQ(p.device("xeon-e5-2670").description(),
            "2 x Xeon E5-2670 (Intel, Sandy Bridge, 16 cores; STREAM 65 GB/s)");

  std::vector<std::vector<double>> table_2, table_3, others;
  for (const auto& step : p.steps.steps) table_2.push_back(seconds_in_order(step.seconds));
  for (const auto& run : p.models.runs) table_3.push_back(seconds_in_order(run.seconds));
  for (const auto& source : p.best_times)
    for (const auto& run : source.runs) others.push_back(seconds_in_order(run.seconds));
  using Rows = std::vector<std::vector<double>>;
  EXPECT_EQ(table_2, (Rows{{37.09, 252.79, 939.01},
                           {37.12, 222.10, 727.17},
                           {6.53, 51.85, 172.49},
                           {4.36, 16.86, 34.96},
                           {1.62, 6.29, 15.12},
                           {1.55, 5.49, 13.22},
                           {0.76, 4.18, 13.32}}));
  EXPECT_EQ(table_3, (Rows{{6.33, 53.28, 256.32},
                           {2.98, 19.15, 90.92},
                           {1.92, 14.11, 77.84},
                           {0.79, 4.41, 39.25},
                           {0.76, 4.18, 13.32},
                           {13.15}}));
  EXPECT_EQ(others, (Rows{{0.89, 1.35, 4.33, 12.47},
                          {0.70, 2.47, 10.33},
                          {0.47, 0.66, 1.65},
                          {1.83, 2.69, 4.81},
                          {32.7, 263.5, 1097}}));
}

TEST(PublishedTest, ItsProblemsAreTheInputs) {
  const fs::path inputs = fs::path(BOLTZMARK_SOURCE_DIR) / "inputs";
  for (const auto& standard : shipped().problems) {
    const Problem problem = load_problem(inputs / ("input_" + standard.name + ".params"),
                                         inputs / ("obstacles_" + standard.name + ".dat"));
    const Parameters& p = problem.parameters;
    EXPECT_EQ(problem.name, standard.name);
    EXPECT_EQ(fmt::format("{:016x}", problem.digest()), standard.digest) << standard.name;
    EXPECT_EQ(problem.fluid_cells(), standard.fluid_cells) << standard.name;
    EXPECT_EQ(std::tuple(p.nx, p.ny, p.iterations, p.reynolds_dim, p.density, p.accel, p.omega),
              std::tuple(standard.nx, standard.ny, standard.iterations, standard.reynolds_dim,
                         standard.density, standard.accel, standard.omega));
  }
}

TEST(PublishedTest, TableIsPercentagesFollowFromItsSeconds) {
  for (const auto& kernel : shipped().stream.kernels) {
    const double percent = 100.0 * (1.0 - kernel.first_seconds / kernel.second_seconds);
    // Printed 5.9, where the printed seconds give 5.996: cut off, or made from more digits than printed.
    const double printed = kernel.name == "triad" ? std::floor(percent * 10.0) / 10.0 : rounded(percent, 1);
    EXPECT_NEAR(printed, kernel.slower_percent, 1e-9) << kernel.name;
  }
}

TEST(PublishedTest, TheLastStepOfTableIIIsInTableIIIAndTheBestOfTheWorkGroups) {
  const Published& p = shipped();
  EXPECT_EQ(p.steps.steps.back().seconds, run_of(p.models, "OpenCL GPU").seconds);
  EXPECT_EQ(p.work_groups.points.front().seconds, p.steps.steps.back().seconds.at("128x128"));
}

TEST(PublishedTest, TableIVComesOutOfTableIII) {
  const Published& p = shipped();
  const StandardProblem& problem = p.problem(p.rates.problem);
  for (const auto& row : p.rates.rows) {
    const double seconds = run_of(p.models, row.label).seconds.at(problem.name);
    const double gb_per_s = published_bandwidth_gb_per_s(problem.nx, problem.ny, problem.iterations, seconds);
    // Three bandwidths do not follow from the seconds as printed: they give 5.89, 16.61 and 19.40. The first
    // two are off by one in the last digit; the third would take 78.93 s.
    if (row.label == "serial")
      EXPECT_EQ(rounded(gb_per_s, 2), 5.89);
    else if (row.label == "OpenCL CPU")
      EXPECT_EQ(rounded(gb_per_s, 2), 16.61);
    else if (row.label == "MPI")
      EXPECT_EQ(rounded(gb_per_s, 2), 19.40);
    else
      EXPECT_EQ(rounded(gb_per_s, 2), row.gb_per_s) << row.label;
    EXPECT_NEAR(gb_per_s, row.gb_per_s, row.label == "MPI" ? 0.27 : 0.011) << row.label;
    const double intensity = operational_intensity(row.flops_per_update, published_bytes_per_update);
    EXPECT_EQ(rounded(intensity, 2), row.flop_per_byte) << row.label;
    // GFLOP/s were made from the rounded figures: 113.36 * 2.15, not 113.3596 * 155/72.
    EXPECT_EQ(rounded(gflop_per_s(row.gb_per_s, row.flop_per_byte), 2), row.gflop_per_s) << row.label;
  }
}

TEST(PublishedTest, FormulasGiveTheFiguresInTheText) {
  EXPECT_EQ(published_bytes_per_update, 72.0);
  const double gb_per_s = published_bandwidth_gb_per_s(1024, 1024, 20000, 13.32);
  EXPECT_NEAR(gb_per_s, 113.36, 0.005);
  EXPECT_NEAR(gflop_per_s(gb_per_s, 2.15), 243.72, 0.005);
  EXPECT_NEAR(gflop_per_s(gb_per_s, operational_intensity(155, 72)), 244.04, 0.005);  // 2.15 not rounded
  EXPECT_NEAR(100.0 * gb_per_s / *shipped().device("k20m").stream_gb_per_s, 75.0, 0.1);
  EXPECT_NEAR(speed_ratio(10.0, 2.0), 5.0, 1e-12);
  EXPECT_NEAR(bandwidth_scaled_ratio(10.0, 100.0, 2.0, 250.0), 2.0, 1e-12);
}

TEST(PublishedTest, OtherFiguresAreWhatTheirDescriptionsGive) {
  const auto value = [](const std::string& what) {
    for (const auto& figure : shipped().figures)
      if (figure.what == what) return figure.value;
    return -1.0;
  };
  EXPECT_EQ(value("size of both grids"), 128.0 * 128 * 128 * 19 * 4 * 2 / (1 << 20));
  // Sizes of 1 and the multiples of 16, one of both at least 32, at most 1024 work-items; and all divisor
  // pairs of 1024.
  int sizes = 0;
  for (int x = 1; x <= 1024; ++x)
    for (int y = 1; x * y <= 1024; ++y) {
      const bool on_grid = (x == 1 || x % 16 == 0) && (y == 1 || y % 16 == 0) && std::max(x, y) >= 32;
      sizes += on_grid || x * y == 1024;
    }
  EXPECT_EQ(value("combinations tried in 2-D"), sizes);
}

class PublishedFaultTest : public ::testing::Test {
 protected:
  /// What is wrong with the shipped file after this change to it.
  std::string fault(const std::function<void(json&)>& change) {
    json content = load_json(file_in_sources);
    change(content);
    write_text(folder_ / "p.json", content.dump());
    std::string line = error_of([&] { read_published(folder_ / "p.json"); });
    for (std::size_t at = 0; (at = line.find(folder_.path.string() + '/')) != line.npos;)
      line.erase(at, folder_.path.string().size() + 1);
    return line;
  }
  TemporaryFolder folder_;
};

TEST_F(PublishedFaultTest, TakesTheShippedFile) {
  EXPECT_EQ(fault([](json&) {}), "");
}

TEST_F(PublishedFaultTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(fault([](json& j) { j["format"] = 2; }),
            "p.json: format: expected version 1 of published.json, found 2");
  EXPECT_EQ(fault([](json& j) { j.erase("models"); }), "p.json: models: expected an object, found nothing");
  EXPECT_EQ(fault([](json& j) { j.erase("figures"); }),
            "p.json: figures: expected a list of at least one object, found nothing");
  EXPECT_EQ(fault([](json& j) { j["stream"]["kernels"] = json::array(); }),
            "p.json: stream.kernels: expected a list of at least one object, found none");
  EXPECT_EQ(fault([](json& j) { j["more"] = 1; }).substr(0, 30), "p.json: expected only the keys");
  EXPECT_EQ(fault([](json& j) { j["stream"]["source"] = "Z"; }),
            "p.json: stream.source: expected one of A, B, C, D, E, F, G, found \"Z\"");
  EXPECT_TRUE(has(fault([](json& j) { j["models"]["runs"][1]["hardware"] = "k21"; }),
                  "p.json: models.runs[1].hardware: expected one of k20m, "));
  EXPECT_EQ(fault([](json& j) { j["rates"]["problem"] = "7x7"; }),
            "p.json: rates.problem: expected one of 128x128, 128x256, 256x256, 1024x1024, found \"7x7\"");
  EXPECT_EQ(fault([](json& j) { j["sources"][1]["id"] = "A"; }),
            "p.json: sources[1].id: expected an id that is not used before, found \"A\"");
  EXPECT_EQ(fault([](json& j) { j["hardware"][0]["type"] = "fpga"; }),
            "p.json: hardware[0].type: expected \"cpu\" or \"gpu\", found \"fpga\"");
  EXPECT_EQ(fault([](json& j) { j["models"]["runs"][0]["seconds"]["128x128"] = 0; }),
            "p.json: models.runs[0].seconds.128x128: expected a number above zero, found 0");
  EXPECT_EQ(fault([](json& j) { j["models"]["runs"][0]["seconds"]["128x128"] = "1"; }),
            "p.json: models.runs[0].seconds.128x128: expected a number, found \"1\"");
  EXPECT_EQ(fault([](json& j) { j["models"]["runs"][0]["seconds"] = json::object(); }),
            "p.json: models.runs[0].seconds: expected those of at least one problem, found none");
  EXPECT_EQ(
      fault([](json& j) { j["models"]["runs"][0]["seconds"]["7x7"] = 1.0; }),
      "p.json: models.runs[0].seconds: expected only the keys 1024x1024, 128x128, 128x256, 256x256, found "
      "\"7x7\"");
  EXPECT_EQ(fault([](json& j) { j["work_groups"]["points"][0]["x"] = 0; }),
            "p.json: work_groups.points[0].x: expected an integer of at least 1, found 0");
  EXPECT_EQ(fault([](json& j) { j["optimisation_steps"]["steps"][6]["variant"] = "fused"; }),
            "p.json: optimisation_steps.steps[6].variant: expected an id that is not used before, found "
            "\"fused\"");
  EXPECT_EQ(fault([](json& j) { j["figures"][3].erase("unit"); }),
            "p.json: figures[3].unit: expected a string, found nothing");
}

TEST_F(PublishedFaultTest, NamesAFileThatIsNoJson) {
  write_text(folder_ / "p.json", "{\"format\": 1,\n");
  EXPECT_TRUE(has(error_of([&] { read_published(folder_ / "p.json"); }), "p.json:2:"));
  EXPECT_TRUE(has(error_of([&] { read_published(folder_ / "none.json"); }), "none that can be read"));
  write_text(folder_ / "p.json", "{\"format\": 1e999}");
  EXPECT_TRUE(
      has(error_of([&] { read_published(folder_ / "p.json"); }), "p.json: expected JSON, found a fault"));
}

}  // namespace
}  // namespace boltzmark
