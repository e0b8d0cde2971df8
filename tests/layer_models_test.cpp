// The workloads that are written once in common/target's layer, in every model that is built: right in each variant,
// precision and vector length, on sizes that fit no vector, over ranks, and from a file as from the start.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "every_model.hpp"

namespace boltzmark::testing {
namespace {

/// A workload's arguments, `{"--method", ...}` among them, that all its variants together need.
struct LayerProblem {
  std::string workload;
  Words arguments;
};
const std::vector<LayerProblem> problems = {{"pi", {"100003"}},
                                            {"pi", {"30011", "--method", "monte-carlo"}},
                                            {"galton", {"1237x35", "--steps", "2"}},
                                            {"nbody", {"131", "--steps", "5"}},
                                            {"shallow_water", {"33x47", "--steps", "9"}},
                                            {"shallow_water", {"24", "--steps", "7"}},
                                            {"xray", {"13x17", "--scene", "bodies"}},
                                            {"xray", {"7x10", "--scene", "homogeneous"}},
                                            {"magnetic_field", {"13", "--alpha", "0.7"}},
                                            {"lbm_cylinder", {"21x37", "--steps", "9"}},
                                            {"lbm_cylinder", {"34x19", "--steps", "7", "--outlet", "pressure"}}};

struct LayerCase {
  ModelCase at;
  std::string workload;
};
void PrintTo(const LayerCase& c, std::ostream* out) {
  *out << c.workload << ' ' << c.at.model << ' ' << c.at.precision;
}

std::vector<LayerCase> layer_cases() {
  std::vector<LayerCase> cases;
  std::string before;
  for (const LayerProblem& problem : problems)
    if (std::exchange(before, problem.workload) != problem.workload)
      for (const ModelCase& at : model_cases(problem.workload)) cases.push_back({at, problem.workload});
  return cases;
}

class EveryLayerWorkload : public ::testing::TestWithParam<LayerCase> {
  const OneProcess one_process_;

 protected:
  void expect_right(const Words& words, int ranks = 0) const {
    const auto& [at, workload] = GetParam();
    SCOPED_TRACE(fmt::format("{} ranks {}", join(words, " "), ranks));
    const TemporaryFolder folder;
    const Words usual = {"--precision", at.precision, "--repeat", "1", "--json", folder / "record"};
    const auto outcome = run_model(at.model, usual + words, ranks, workload);
    ASSERT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    EXPECT_TRUE(has(outcome.output, "right against reference")) << outcome.output;
    const Record record = records_in(folder / "record").at(0);
    if (workload != "xray") expect_all_data_moves(record);  // a march may meet no voxel
  }
  static std::string method_in(const Words& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
      if (words[i] == "--method" || words[i] == "--outlet" || words[i] == "--scene") return words[i + 1];
    return "";
  }
};

TEST_P(EveryLayerWorkload, IsRight) {
  const auto& [at, workload] = GetParam();
  if (!cannot_run_here(at.model).empty()) GTEST_SKIP() << cannot_run_here(at.model);
  for (const LayerProblem& problem : problems) {
    if (problem.workload != workload) continue;
    const std::string method = method_in(problem.arguments);
    for (const VariantDescription& variant : description_of(at.model, workload).variants) {
      if (!contains(variant.precisions, at.precision)) continue;
      if (!variant.kinds.empty() && !contains(variant.kinds, method) &&
          !(method.empty() && variant.kinds[0] == "leibniz"))
        continue;
      const Words words = problem.arguments + Words{"--variant", variant.name};
      const OptimisedKernels optimised(at.precision == variant.precisions.front());
      if (variant.role == "peer") {
        const auto outcome = run_model(at.model, words + Words{"--precision", at.precision}, 0, workload);
        if (outcome.status == 3) {
          EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;  // its library is not here
          continue;
        }
      }
      expect_right(words);
      if (at.launcher)
        for (const int ranks : {2, 3}) expect_right(words, ranks);
    }
    // Where each is kernels to be compiled, the precisions share them.
    const bool compiles = contains(description_of(at.model, workload).takes, "no-kernel-cache");
    for (const char* vvl : {"1", "2", "32"})
      if (!compiles || (at.precision == "f64") == (vvl == std::string("2")))
        expect_right(problem.arguments + Words{"--vvl", vvl});
  }
}

/// Neighbouring work-items down columns, in groups that are tiles, of which some reach beyond the sites.
TEST_P(EveryLayerWorkload, IsRightInAnyOrderAndGroup) {
  const auto& [at, workload] = GetParam();
  if (!cannot_run_here(at.model).empty()) GTEST_SKIP() << cannot_run_here(at.model);
  if ((at.model != "opencl" && at.model != "openmp_target") || at.precision != "f64")
    GTEST_SKIP() << "the kernels of one device and precision are enough";
  for (const LayerProblem& problem : problems) {
    if (problem.workload != workload) continue;
    const std::string method = method_in(problem.arguments);
    for (const VariantDescription& variant : description_of(at.model, workload).variants) {
      if (!variant.kinds.empty() && !contains(variant.kinds, method) &&
          !(method.empty() && variant.kinds[0] == "leibniz"))
        continue;
      const Words words = problem.arguments + Words{"--variant", variant.name, "--order", "columns"};
      expect_right(words);
      if (at.model == "opencl") expect_right(words + Words{"--work-group", "32x3"});
    }
    if (at.model == "opencl") expect_right(problem.arguments + Words{"--work-group", "5x3", "--vvl", "1"});
  }
}

TEST(LayerOptions, OrderAndGroupAreInTheRecord) {
  if (!is_built("opencl", "shallow_water") || !cannot_run_here("opencl").empty()) GTEST_SKIP() << "no OpenCL";
  const TemporaryFolder folder;
  const auto settings_of = [&](const Words& words) {
    const std::string file = folder / "record";
    std::filesystem::remove(file);
    const auto outcome = run_model("opencl", Words{"20", "--repeat", "1", "--json", file} + words, 0, "shallow_water");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return nlohmann::json::parse(read_text(file)).at("settings");
  };
  const auto usual = settings_of({}), asked = settings_of({"--order", "columns", "--work-group", "8x4"});
  EXPECT_EQ(usual.at("order"), "rows");
  EXPECT_EQ(asked.at("order"), "columns");
  EXPECT_EQ(asked.at("work_group"), "8x4");
}

TEST(LayerOptions, OrderIsOfTargetRegionsToo) {
  if (!is_built("openmp_target", "shallow_water") || !cannot_run_here("openmp_target").empty())
    GTEST_SKIP() << "no OpenMP target";
  const TemporaryFolder folder;
  const std::string file = folder / "record";
  const auto outcome =
      run_model("openmp_target", {"20", "--repeat", "1", "--order", "columns", "--json", file}, 0, "shallow_water");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(nlohmann::json::parse(read_text(file)).at("settings").at("order"), "columns");
  expect_refused("shallow_water", "openmp", {"20", "--order", "columns"}, {"--order"});
}

INSTANTIATE_TEST_SUITE_P(Models, EveryLayerWorkload, ::testing::ValuesIn(layer_cases()), [](const auto& one) {
  return one.param.workload + "_" + one.param.at.model + "_" + one.param.at.precision;
});

/// Twice 4 steps with a file between are the same as 8.
TEST(LayerFiles, AreTakenUpWhereTheyWereLeft) {
  if (!is_built("openmp", "lbm_cylinder")) GTEST_SKIP() << "lbm-cylinder-openmp is not built";
  const TemporaryFolder folder;
  const auto run = [&](const Words& words) {
    const auto outcome =
        run_model("openmp", Words{"17x23", "--precision", "f64", "--repeat", "1"} + words, 0, "lbm_cylinder");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
  };
  const std::string half = folder / "half", whole = folder / "whole", again = folder / "again";
  run({"--steps", "8", "--output", whole});
  run({"--steps", "4", "--output", half});
  run({"--steps", "4", "--input", half, "--output", again});
  EXPECT_EQ(read_text(whole + ".fIn.f64").size(), 9u * 17 * 23 * 8);
  const std::string one = read_text(whole + ".fIn.f64"), other = read_text(again + ".fIn.f64");
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t at = 0; at < one.size(); at += 8) {
    double x, y;
    std::memcpy(&x, &one[at], 8), std::memcpy(&y, &other[at], 8);
    EXPECT_NEAR(x, y, 1e-14);
  }
}

/// With the density kept at the outlet the flow through an open channel becomes steady: what comes in goes out.
/// Of each workload's program of the model serial, with the words of one problem.
void each_serial(const std::function<void(const std::string& workload, const Words& words)>& work) {
  std::string before;
  for (const LayerProblem& problem : problems)
    if (std::exchange(before, problem.workload) != problem.workload && is_built("serial", problem.workload))
      work(problem.workload, problem.arguments + Words{"--repeat", "1"});
}

TEST(LayerFiles, AreNotBegunWhereOneCannotBeWritten) {
  each_serial([](const std::string& workload, const Words& words) {
    const TemporaryFolder whole;
    ASSERT_EQ(run_model("serial", words + Words{"--output", whole / "r"}, 0, workload).status, 0);
    for (const auto& written : std::filesystem::directory_iterator(whole.path)) {
      const TemporaryFolder folder;
      std::filesystem::create_directory(folder / written.path().filename().string());
      const auto outcome = run_model("serial", words + Words{"--output", folder / "r"}, 0, workload);
      EXPECT_EQ(outcome.status, 2) << workload << ' ' << written;
      EXPECT_TRUE(has(outcome.errors, written.path().filename().string())) << outcome.errors;
      EXPECT_FALSE(has(outcome.output, "rate:")) << workload << ": it ran before it looked";
      EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path), {}), 1) << workload << ' ' << written;
    }
  });
}

TEST(LayerFiles, AreFilesOfFiniteNumbersAndTellCasesApart) {
  const TemporaryFolder folder;
  const auto digest = [&](const std::string& workload, const Words& words) {
    const std::string record = folder / "record";
    std::filesystem::remove(record);
    const auto outcome = run_model("serial", words + Words{"--json", record}, 0, workload);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return nlohmann::json::parse(read_text(record)).at("case").at("digest").get<std::string>();
  };
  const auto array = [](std::size_t count, double first) {
    std::vector<double> values(count, 1.0);
    values[3] = first;
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  };
  const std::string name = folder / "in.H.f64";
  const Words words = {"20x20", "--steps", "2", "--repeat", "1"}, given = words + Words{"--input", folder / "in"};
  if (!is_built("serial", "shallow_water")) GTEST_SKIP() << "shallow-water-serial is not built";
  write_text(name, array(400, 1.25));
  const std::string first = digest("shallow_water", given);
  EXPECT_EQ(digest("shallow_water", given), first);
  EXPECT_NE(digest("shallow_water", words), first);
  write_text(name, array(400, 1.5));
  EXPECT_NE(digest("shallow_water", given), first);
  const auto refused = [&](const std::string& found) {
    expect_refused("shallow_water", "serial", given, {name + ": expected", found});
    std::filesystem::remove_all(name);
  };
  for (const double value : {double(NAN), double(INFINITY), -double(INFINITY)}) {
    write_text(name, array(400, value));
    refused(fmt::format("found {} as number 3", value));
  }
  ASSERT_EQ(mkfifo(name.c_str(), 0600), 0);
  refused("found a pipe");
  std::filesystem::create_symlink("/dev/zero", name);
  refused("found a device");
  std::filesystem::create_directory(name);
  refused("found a folder");
  refused("found no such file");
}

TEST(LayerPhysics, WhatFlowsInFlowsOut) {
  if (!is_built("openmp", "lbm_cylinder")) GTEST_SKIP() << "lbm-cylinder-openmp is not built";
  const auto outcome = run_model(
      "openmp",
      {"26x60", "--steps", "8000", "--reynolds", "5", "--outlet", "pressure", "--precision", "f64", "--repeat", "1"}, 0,
      "lbm_cylinder");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto line = outcome.output.find("outflow_over_inflow:");
  ASSERT_NE(line, std::string::npos) << outcome.output;
  EXPECT_NEAR(std::stod(outcome.output.substr(line + 20)), 1.0, 1e-3);
}

/// Fifty bodies on a diagonal: closer than single precision tells apart they are right step by step; pairs in one place
/// meet others so often that rounding alone takes them elsewhere, and of these only the last step is compared.
TEST(LayerPhysics, CloseBodiesAreNoFault) {
  if (!is_built("serial", "nbody")) GTEST_SKIP() << "nbody-serial is not built";
  const TemporaryFolder folder;
  const auto checked = [&](double mass, double apart, int in_one_place, const std::string& precision) {
    for (const std::string name : {"m", "x", "y", "z"}) {
      std::vector<double> values;
      for (int i = 0; i < 50; ++i)
        values.push_back(name == "m" ? mass * (1.0 + 0.37 * (i * i % 11) / 11) : apart * (i / in_one_place));
      write_text(folder / ("in." + name + ".f64"),
                 std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)));
    }
    const auto outcome = run_model(
        "serial",
        {"--input", folder / "in", "--steps", "25", "--precision", precision, "--repeat", "1", "--check", "reference"},
        0, "nbody");
    EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    EXPECT_TRUE(has(outcome.output, "last step")) << outcome.output;
    return outcome.output;
  };
  for (const double mass : {1.0, 2e30}) EXPECT_TRUE(has(checked(mass, 20.0, 1, "f32"), "displacement"));
  for (const char* precision : {"f32", "f64"})
    EXPECT_FALSE(has(checked(2e30, 4e11, 2, precision), "displacement")) << precision;
  EXPECT_TRUE(has(checked(2e30, 4e13, 2, "f64"), "displacement"));
}

/// Water that is nearly still flows by small differences of large pressures, which single precision rounds.
TEST(LayerPhysics, NearlyStillWaterIsNoFault) {
  if (!is_built("serial", "shallow_water")) GTEST_SKIP() << "shallow-water-serial is not built";
  const TemporaryFolder folder;
  std::vector<double> heights(400);
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = 1.0 + 1e-3 * static_cast<double>(i);
  write_text(folder / "in.H.f64",
             std::string(reinterpret_cast<const char*>(heights.data()), heights.size() * sizeof(double)));
  const auto outcome = run_model("serial",
                                 {"20x20", "--input", folder / "in", "--steps", "3", "--precision", "f32", "--repeat",
                                  "1", "--check", "reference"},
                                 0, "shallow_water");
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
}

TEST(LayerWorkloads, RefuseWhatMakesNoSense) {
  const auto expect_of = [](const std::string& model, const std::string& workload, const Words& words,
                            const std::string& part) {
    if (is_built(model, workload) && cannot_run_here(model).empty()) expect_refused(workload, model, words, {part});
  };
  const auto expect = [&](const std::string& workload, const Words& words, const std::string& part) {
    expect_of("serial", workload, words, part);
  };
  expect_of("opencl", "shallow_water", {"20", "--order", "diagonals"}, "--order");
  expect_of("opencl", "shallow_water", {"20", "--work-group", "4x4x2"}, "--work-group: expected XxY, found 4x4x2");
  expect_of("opencl", "magnetic_field", {"9", "--variant", "row-sums-segmented", "--work-group", "12x2"},
            "--work-group: expected X a multiple of 8");
  expect("pi", {"3x4"}, "expected number of terms or points, 1 number from 1 to");
  expect("pi", {"1000", "--method", "monte-carlo", "--generator", "mt19937"}, "expected philox");
  expect("pi", {"1000", "--method", "monte-carlo", "--variant", "fused"},
         "expected --method leibniz, found monte-carlo");
  expect("galton", {"100"}, "expected BEANSxHEIGHT");
  expect("nbody", {"3x3"}, "expected");
  expect("shallow_water", {"15"}, "expected");
  expect("shallow_water", {"40x20"}, "expected");
  expect("magnetic_field", {"9", "--alpha", "1.5"}, "--alpha");
  expect("magnetic_field", {"2"}, "expected");
  expect("lbm_cylinder", {"4x9"}, "expected HEIGHTxWIDTH");
  expect("lbm_cylinder", {"9x9", "--input", "/nowhere/x"},
         "/nowhere/x.fIn.f64: expected a file of numbers of 8 bytes, found no such file");
}

}  // namespace
}  // namespace boltzmark::testing
