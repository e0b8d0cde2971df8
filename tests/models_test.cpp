// Every model, variant, precision and way of running it against the double-precision oracle, on every small
// grid. The list is asked of the programs themselves, so a new model or variant is tested without a word
// here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/support/signals.hpp"
#include "common/record.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

using Words = std::vector<std::string>;

/// One way of running a model.
struct Case {
  std::string model, variant, precision, label;
  Words options;
  int ranks = 0;  ///< 0: without a launcher
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.model << ' ' << c.variant << ' ' << c.precision << ' ' << c.label;
}

/// The ways of running that a model's options allow.
std::vector<Case> ways_of(const ModelProgram& model, const Abilities& can) {
  std::vector<Case> ways = {{model.name, "", "", "plain", {}}};
  if (can.takes_threads) {
    ways.clear();
    for (const char* threads : {"1", "2", "3", "4"})
      ways.push_back({model.name, "", "", std::string("threads") + threads, {"--threads", threads}});
  }
  if (model.launcher)
    for (const int ranks : {1, 2, 3, 7})
      ways.push_back({model.name, "", "", "ranks" + std::to_string(ranks), {}, ranks});
  return ways;
}

/// Calls `add(model, abilities, variant, precision)` for all there are.
template <class Add>
void for_each_variant(Add&& add) {
  SignalWatch signals;
  for (const auto& model : built_models()) {
    Abilities can;
    try {
      can = ask_abilities(model, signals);
    } catch (const std::exception&) {  // one failing test then, and all those of the other models
      can.variants = {{"that_does_not_answer", {"f32"}, ""}};
    }
    for (const auto& variant : can.variants)
      for (const auto& precision : variant.precisions) add(model, can, variant, precision);
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for_each_variant([&](const ModelProgram& model, const Abilities& can, const ListedVariant& variant,
                       const std::string& precision) {
    for (Case way : ways_of(model, can)) {
      way.variant = variant.name;
      way.precision = precision;
      cases.push_back(way);
    }
  });
  return cases;
}

/// Every work-group shape, dealt out over the variants in turn: kernels take long to build.
std::vector<Case> shape_cases() {
  std::vector<Case> cases;
  std::size_t turn = 0;
  for_each_variant([&](const ModelProgram& model, const Abilities& can, const ListedVariant& variant,
                       const std::string& precision) {
    if (!can.takes_work_group || precision != "f32") return;
    const Words shapes = {"1x1", "1x8", "64x2"};
    for (const auto& shape : {std::string("7x3"), shapes[turn++ % shapes.size()]})
      cases.push_back({model.name, variant.name, precision, "group" + shape, {"--work-group", shape}});
  });
  return cases;
}

/// Every value of every option of the model's own, dealt out over the variants that take it.
std::vector<Case> choice_cases() {
  std::vector<Case> cases;
  std::map<std::string, std::vector<std::string>> takers;  // model and option: variants
  for_each_variant([&](const ModelProgram& model, const Abilities&, const ListedVariant& variant,
                       const std::string& precision) {
    if (precision != "f32") return;
    for (const auto& option : variant.options) takers[model.name + option.name].push_back(variant.name);
  });
  std::set<std::string> done;
  for_each_variant(
      [&](const ModelProgram& model, const Abilities&, const ListedVariant& variant, const std::string&) {
        for (const auto& option : variant.options) {
          if (!done.insert(model.name + option.name).second) continue;
          const auto& variants = takers[model.name + option.name];
          std::size_t turn = 0;
          Words values = option.values.empty() ? Words{""} : Words{};
          for (const auto& listed : option.values)
            for (const auto& value : listed == "N" ? Words{"1", "7", "200"} : Words{listed})
              values.push_back(value);
          for (const auto& value : values)
            cases.push_back({model.name, variants[turn++ % variants.size()], "f32", option.name + value,
                             value.empty() ? Words{"--" + option.name} : Words{"--" + option.name, value}});
        }
      });
  return cases;
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  std::string name = c.model + "_" + c.variant + "_" + c.precision + "_" + c.label;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

/// Sum of the density over all cells, from the pressures of a final state.
double mass_in(const std::filesystem::path& final_state) {
  double mass = 0.0, pressure = 0.0;
  std::istringstream lines(read_text(final_state));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(std::sscanf(line.c_str(), "%*d %*d %*f %*f %*f %lf", &pressure), 1) << line;
    mass += 3.0 * pressure;
  }
  return mass;
}

class OneWay : public ::testing::TestWithParam<Case> {
 protected:
  Outcome run(const Words& arguments) {
    const Case& c = GetParam();
    return run_model(
        c.model, Words{"--variant", c.variant, "--precision", c.precision} + c.options + arguments, c.ranks);
  }
  /// Why a device cannot do this, where that is so.
  static bool impossible(const Outcome& outcome) { return outcome.status == 3; }

  /// Right on these grids, or impossible here; the records say that what ran is what was asked for.
  void expect_right_on(const std::vector<Grid>& these_grids);
  void expect_records_of_this_way();

  TemporaryFolder folder_;
  const std::string json_ = folder_ / "records.jsonl";
  std::size_t right_ = 0;
};

void OneWay::expect_right_on(const std::vector<Grid>& these_grids) {
  for (const Grid& g : these_grids) {
    SCOPED_TRACE(g.name);
    const auto outcome =
        run(Words{"--check", "oracle", "--no-output", "--json", json_} + write_problem(folder_, g));
    if (impossible(outcome)) GTEST_SKIP() << outcome.errors;
    if (GetParam().ranks > g.ny) {
      EXPECT_EQ(outcome.status, 2) << outcome.errors;
      EXPECT_NE(outcome.errors.find("ranks"), std::string::npos) << outcome.errors;
      continue;
    }
    EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    right_ += outcome.status == 0;
  }
  expect_records_of_this_way();
}

void OneWay::expect_records_of_this_way() {
  std::istringstream lines(read_text(json_));
  std::size_t records = 0;
  for (std::string line; std::getline(lines, line); ++records) {
    const auto record = nlohmann::json::parse(line);
    EXPECT_EQ(record["model"], GetParam().model);
    EXPECT_EQ(record["variant"], GetParam().variant);
    EXPECT_EQ(record["precision"], GetParam().precision);
    EXPECT_EQ(record["check"]["passed"], true);
    if (GetParam().ranks > 0) {
      EXPECT_EQ(record["ranks"], GetParam().ranks);
    }
    const Words& options = GetParam().options;
    for (std::size_t i = 0; i + 1 < options.size(); i += 2) {
      if (options[i] == "--threads") {
        EXPECT_EQ(record["threads"], std::stoi(options[i + 1]));
        continue;
      }
      std::string setting = options[i].substr(2);
      std::replace(setting.begin(), setting.end(), '-', '_');
      EXPECT_EQ(record["settings"][setting], options[i + 1]);
    }
  }
  EXPECT_EQ(records, right_);
}

class EveryWay : public OneWay {};

TEST_P(EveryWay, AgreesWithTheOracleOnEveryGrid) { expect_right_on(grids()); }

TEST_P(EveryWay, ConservesMass) {
  // Obstacles hide populations from the final state, so mass is seen whole only without them.
  Grid g = grid("empty");
  g.steps = 400;
  const auto outcome = run(Words{"--out", folder_.path.string()} + write_problem(folder_, g));
  if (impossible(outcome)) GTEST_SKIP() << outcome.errors;
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const double expected = 0.1 * g.nx * g.ny;
  EXPECT_NEAR(mass_in(folder_ / "final_state.dat") / expected, 1.0,
              GetParam().precision == "f64" ? 1e-12 : 2e-7);
}

TEST_P(EveryWay, GivesTheSameEveryTime) {
  const auto words = write_problem(folder_, grid("odd"));
  const auto outcome = run(Words{"--repeat", "2", "--out", (folder_ / "repeated").string()} + words);
  if (impossible(outcome)) GTEST_SKIP() << outcome.errors;
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  ASSERT_EQ(run(Words{"--out", (folder_ / "once").string()} + words).status, 0);
  EXPECT_EQ(read_text(folder_ / "repeated/final_state.dat"), read_text(folder_ / "once/final_state.dat"));
}

INSTANTIATE_TEST_SUITE_P(Models, EveryWay, ::testing::ValuesIn(all_cases()), name_of);

/// Shapes that do not divide the grid, on rows shorter and longer than a group.
class EveryShape : public OneWay {};

TEST_P(EveryShape, AgreesWithTheOracle) { expect_right_on({grid("odd"), grid("tall"), grid("wide")}); }

INSTANTIATE_TEST_SUITE_P(Models, EveryShape, ::testing::ValuesIn(shape_cases()), name_of);

/// An odd number of steps, more than some of the delays.
class EveryChoice : public OneWay {};

TEST_P(EveryChoice, AgreesWithTheOracle) { expect_right_on({grid("wrap_x")}); }

INSTANTIATE_TEST_SUITE_P(Models, EveryChoice, ::testing::ValuesIn(choice_cases()), name_of);

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryShape);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryChoice);
/// Grids on which a row or a block of steps ends in every way.
const Words awkward_grids = {"odd", "every_edge", "one_column", "wide", "tall", "three_rows", "empty"};

/// Vectors of every length that is built here, in a variant where each one matters.
TEST(VectorLengths, EachIsRight) {
  const TemporaryFolder folder;
  for (const std::string precision : {"f32", "f64"}) {
    int right = 0;
    for (const char* length : {"1", "2", "4", "8", "16", "32"})
      for (const auto& name : awkward_grids) {
        SCOPED_TRACE(precision + " " + length + " " + name);
        const auto outcome = run_model("serial", Words{"--variant", "wavefront", "--precision", precision,
                                                       "--vvl", length, "--check", "oracle", "--no-output"} +
                                                     write_problem(folder, grid(name)));
        if (outcome.status == 3) continue;  // not on this processor
        if (outcome.status == 2) {
          EXPECT_TRUE(has(outcome.errors, "--vvl: expected one of")) << outcome.errors;
          continue;
        }
        EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
        ++right;
      }
    EXPECT_GE(right, 3 * static_cast<int>(awkward_grids.size()));
  }
}

/// Blocks of steps that are shorter and longer than strips, and that do and do not divide the steps.
TEST(TimeBlocks, AnyDepthIsRight) {
  const TemporaryFolder folder;
  struct Way {
    std::string model;
    Words options, depths;
    int ranks;
  };
  const std::vector<Way> ways = {{"serial", {}, {"1", "2", "3", "7", "1000"}, 0},
                                 {"openmp", {"--threads", "2"}, {"1", "2", "3", "7", "1000"}, 0},
                                 {"openmp", {"--threads", "3"}, {"2", "5", "1000"}, 0},
                                 {"mpi", {}, {"1", "2", "6", "1000"}, 2}};
  for (const Way& way : ways) {
    if (!is_built(way.model)) continue;
    for (const auto& depth : way.depths)
      for (const auto& name : awkward_grids) {
        SCOPED_TRACE(way.model + " " + depth + " " + name);
        const auto outcome = run_model(
            way.model,
            way.options +
                Words{"--variant", "wavefront", "--time-block", depth, "--check", "oracle", "--no-output"} +
                write_problem(folder, grid(name)),
            way.ranks);
        EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
      }
  }
}

/// Average velocity after the last step of a full standard run, from double-precision programs that are not
/// this one.
struct KnownAnswer {
  const char* name;
  double average;
};
void PrintTo(const KnownAnswer& known, std::ostream* out) { *out << known.name; }

class FullRun : public ::testing::TestWithParam<KnownAnswer> {};

TEST_P(FullRun, GivesTheKnownAnswer) {
  const TemporaryFolder folder;
  const std::string inputs = BOLTZMARK_SOURCE_DIR "/inputs/", name = GetParam().name,
                    json = folder / "record";
  const auto outcome =
      run_model(is_built("openmp") ? "openmp" : "serial",
                {"--precision", "f64", "--no-output", "--json", json, inputs + "input_" + name + ".params",
                 inputs + "obstacles_" + name + ".dat"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto record = nlohmann::json::parse(read_text(json));
  const double average = record["av_vel"], viscosity = (2.0 / 1.85 - 1.0) / 6.0;
  EXPECT_NEAR(average / GetParam().average, 1.0, 1e-9);  // known to ten digits
  EXPECT_NEAR(record["reynolds"].get<double>(), average * 10 / viscosity, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Standard, FullRun,
                         ::testing::Values(KnownAnswer{"128x128", 1.319405138e-02},
                                           KnownAnswer{"128x256", 5.024978144e-02}),
                         [](const auto& full_run) { return "grid_" + std::string(full_run.param.name); });

TEST(SinglePrecision, KeepsFiveDigitsOverAFullRun) {
  const TemporaryFolder folder;
  const std::string inputs = BOLTZMARK_SOURCE_DIR "/inputs/", json = folder / "record";
  const Words problem = {inputs + "input_128x128.params", inputs + "obstacles_128x128.dat"};
  ASSERT_EQ(run_model("serial", Words{"--precision", "f64", "--out", folder.path.string()} + problem).status,
            0);
  std::filesystem::rename(folder / "final_state.dat", folder / "right.final_state.dat");
  std::filesystem::rename(folder / "av_vels.dat", folder / "right.av_vels.dat");
  const auto outcome =
      run_model("serial", Words{"--no-output", "--check", (folder / "right").string()} + problem);
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
}

}  // namespace
}  // namespace boltzmark::testing
