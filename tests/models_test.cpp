// Every model, variant, precision and way of running it against the double-precision oracle, on every small
// grid. The list is asked of the programs themselves, so a new model or variant is tested without a word
// here.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/base/text.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

/// One way of running a model.
struct Way {
  std::string label;
  Words options;
  int ranks = 0;  ///< 0: without a launcher
};

/// A variant of a model in one precision, and the ways of running it.
struct Case {
  std::string model, variant, precision;
  std::vector<Way> ways;
  Words grids = {};  ///< names of those to run; empty: all
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.model << ' ' << c.variant << ' ' << c.precision; }

bool takes(const ProgramDescription& program, const char* option) { return contains(program.takes, option); }

/// An option that no variant names is one of all variants.
bool takes(const ProgramDescription& program, const VariantDescription& variant, const char* option) {
  const auto names_it = [&](const VariantDescription& v) { return v.option(option); };
  return takes(program, option) &&
         (names_it(variant) || std::none_of(program.variants.begin(), program.variants.end(), names_it));
}

/// The ways of running that a variant's options allow.
std::vector<Way> ways_of(const BuiltProgram& program, const ProgramDescription& can,
                         const VariantDescription& variant) {
  const bool has_threads = takes(can, variant, "threads");
  std::vector<Way> ways = {{"plain", {}}};
  if (program.launcher) {  // also with more workers than some grids have rows
    ways.clear();
    for (const auto& [ranks, threads] : {std::pair{2, 1}, {3, 2}, {7, 1}})
      ways.push_back({fmt::format("ranks {} threads {}", ranks, has_threads ? threads : 1),
                      has_threads ? Words{"--threads", std::to_string(threads)} : Words{}, ranks});
  } else if (has_threads) {
    ways.clear();
    for (const int number : {1, 2, 3, 4}) {
      const std::string threads = thread_number(can, number);
      ways.push_back({"threads " + threads, {"--threads", threads}});
    }
  }
  return ways;
}

/// What there is.
struct Offered {
  BuiltProgram program;
  ProgramDescription can;
};

const std::vector<Offered>& offered() {
  static const std::vector<Offered> list = [] {
    std::vector<Offered> asked;
    for (const auto& program : built_programs(usual_workload)) {
      ProgramDescription can;
      try {
        can = description_of(program);
      } catch (const std::exception&) {  // one failing test then, and all those of the other models
        can.variants = {{"that_does_not_answer", "", "", {"f32"}, {}, {}}};
      }
      asked.push_back({program, can});
    }
    return asked;
  }();
  return list;
}

/// A model with work-groups builds kernels for every size of grid, which takes seconds. Its variants take
/// turns at the grids; one is run in all of them, of the size that other tests here need as well.
Words grids_for(const ProgramDescription& can, std::size_t turn) {
  if (!takes(can, "work-group")) return {};
  return {"odd", grids()[turn % grids().size()].name};
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  std::size_t turn = 0;
  for (const auto& [program, can] : offered())
    for (const auto& variant : can.variants)
      for (const auto& precision : variant.precisions)
        cases.push_back(
            {program.model, variant.name, precision, ways_of(program, can, variant), grids_for(can, turn++)});
  return cases;
}

/// Work-group shapes that do not divide the grid, on rows shorter and longer than a group, dealt out over the
/// variants in turn. Each has all of them, beginning with its own: a variant refuses some, with the reason.
std::vector<Case> shape_cases() {
  std::vector<Case> cases;
  const Words shapes = {"1x1", "256x1", "16x8", "7x3"}, shape_grids = {"odd", "tall", "wide"};
  std::size_t turn = 0;
  for (const auto& [program, can] : offered())
    for (const auto& variant : can.variants) {
      if (!takes(can, variant, "work-group")) continue;
      std::vector<Way> ways;
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::string shape = shapes[(turn + i) % shapes.size()];
        ways.push_back({"group " + shape, {"--work-group", shape}});
      }
      cases.push_back({program.model, variant.name, "f32", ways, {shape_grids[turn++ % shape_grids.size()]}});
    }
  return cases;
}

/// Values of an option for which every variant that takes it must be right: all there are, or some numbers.
Words values_to_test(const OptionDescription& option) {
  if (option.is_flag) return {""};
  if (!option.choices.empty()) return option.choices;
  return {"1", "7", "200"};
}

/// Options that have tests of their own below, or above.
bool is_tested_elsewhere(const OptionDescription& option) {
  return option.is_shape || option.name == "vvl" || option.name == "time-block" || option.name == "groups" ||
         option.name == "ranks-grid";
}

/// Every value of every option of a model's own, dealt out over the variants that take it.
std::vector<Case> choice_cases() {
  std::vector<Case> cases;
  for (const auto& [program, can] : offered()) {
    std::map<std::string, std::size_t> turns;  // how often an option's values were dealt from
    std::map<std::string, std::size_t> takers;
    for (const auto& variant : can.variants)
      for (const auto& option : variant.options) ++takers[option.name];
    for (const auto& variant : can.variants) {
      Case c = {program.model, variant.name, "f32", {}};
      for (const auto& option : variant.options) {
        if (is_tested_elsewhere(option)) continue;
        const Words values = values_to_test(option);
        for (std::size_t i = turns[option.name]++; i < values.size(); i += takers[option.name])
          c.ways.push_back({option.name + ' ' + values[i],
                            values[i].empty() ? Words{"--" + option.name} : Words{"--" + option.name, values[i]},
                            program.launcher ? 3 : 0});
      }
      if (!c.ways.empty()) cases.push_back(c);
    }
  }
  return cases;
}

/// Halves, of every variant on processors that stores them.
std::vector<Case> half_cases() {
  std::vector<Case> cases;
  for (const auto& [program, can] : offered())
    for (const auto& variant : can.variants) {
      if (!variant.option("storage") || takes(can, "work-group")) continue;
      Case c = {program.model, variant.name, "f32", ways_of(program, can, variant)};
      for (Way& way : c.ways) way.options = way.options + Words{"--storage", "f16"};
      cases.push_back(c);
    }
  return cases;
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  std::string name = c.model + "_" + c.variant + "_" + c.precision;
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

/// A device that is not here, or not with these threads.
struct NotHere {
  std::string why;
};

class EveryWay : public ::testing::TestWithParam<Case> {
 protected:
  /// Throws NotHere when the first run of a way is one that this machine cannot do.
  Outcome run(const Way& way, const Words& arguments) {
    const Case& c = GetParam();
    const auto outcome = run_model(
        c.model, Words{"--variant", c.variant, "--precision", c.precision} + way.options + arguments, way.ranks);
    if (!has_run_ && outcome.status == 3) throw NotHere{outcome.errors};
    has_run_ = true;
    return outcome;
  }
  /// `test(way)` for every way that this machine can run. A test that could run none is skipped.
  void in_every_way(const std::function<void(const Way&)>& test) {
    std::string why;
    bool ran = false;
    for (const Way& way : GetParam().ways) {
      SCOPED_TRACE(way.label);
      has_run_ = false;
      try {
        test(way);
      } catch (const NotHere& not_here) {
        why = not_here.why;
      }
      ran = ran || has_run_;
    }
    if (!ran) GTEST_SKIP() << why;
  }
  /// `test(way)` for the last way that this machine can run, which has the most workers.
  void in_the_last_way(const std::function<void(const Way&)>& test) {
    std::string why;
    for (auto way = GetParam().ways.rbegin(); way != GetParam().ways.rend(); ++way) try {
        SCOPED_TRACE(way->label);
        has_run_ = false;
        return test(*way);
      } catch (const NotHere& not_here) {
        why = not_here.why;
      }
    GTEST_SKIP() << why;
  }

  static std::vector<Grid> its_own_grids() {
    std::vector<Grid> list;
    for (const auto& name : GetParam().grids) list.push_back(grid(name));
    return list;
  }
  /// Right on these grids; the records say that what ran is what was asked for.
  void expect_right_on(const Way& way, const std::vector<Grid>& these_grids);

  TemporaryFolder folder_;
  const OneProcess one_process_;
  const OptimisedKernels optimised_{GetParam().precision == "f32"};

 private:
  bool has_run_ = false;  ///< whether the way at hand has
};

/// "128x1" for "16x8".
std::string in_a_line(const std::string& shape) {
  const auto sides = split(shape, 'x');
  return fmt::format("{}x1", std::stoi(sides[0]) * std::stoi(sides[1]));
}

/// What ran is what was asked for, by the record's own word.
void expect_as_asked(const Record& record, const Case& asked, const Way& way) {
  EXPECT_EQ(record.model, asked.model);
  EXPECT_EQ(record.variant, asked.variant);
  EXPECT_EQ(record.precision, asked.precision);
  EXPECT_EQ(record.check.passed, true);
  if (way.ranks > 0) {
    EXPECT_EQ(record.ranks, way.ranks);
  }
  for (std::size_t i = 0; i + 1 < way.options.size(); i += 2) {
    if (way.options[i] == "--threads") {
      // On a GPU of a team, of which there are as many as the work takes.
      EXPECT_EQ(record.threads > 0 ? record.threads : record.settings.value("threads_per_team", 0),
                std::stoi(way.options[i + 1]));
      continue;
    }
    std::string setting = way.options[i].substr(2), asked_for = way.options[i + 1];
    std::replace(setting.begin(), setting.end(), '-', '_');
    if (setting == "memory" && asked_for == "device") continue;  // the usual place, which records do not name
    const nlohmann::json had = record.settings.value(setting, nlohmann::json());
    // Groups that share a tile have no shape but their number of work-items.
    if (setting == "work_group" && record.settings.contains("pieces")) asked_for = in_a_line(asked_for);
    EXPECT_EQ(had, asked_for) << setting;
  }
}

void EveryWay::expect_right_on(const Way& way, const std::vector<Grid>& these_grids) {
  const std::string json = folder_ / "records";
  std::filesystem::remove(json);
  std::size_t right = 0;
  for (const Grid& g : these_grids) {
    SCOPED_TRACE(g.name);
    const OptimisedKernels optimised(way.options.empty() && g.name == "odd" && GetParam().precision == "f32");
    const auto outcome =
        run(way, Words{"--check", "oracle", "--no-output", "--json", json} + write_problem(folder_, g));
    if (way.ranks > g.ny) {
      EXPECT_EQ(outcome.status, 2) << outcome.errors;
      EXPECT_NE(outcome.errors.find("ranks"), std::string::npos) << outcome.errors;
      continue;
    }
    EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    right += outcome.status == 0;
  }
  const auto records = records_in(json);
  for (const Record& record : records) expect_as_asked(record, GetParam(), way);
  EXPECT_EQ(records.size(), right);
}

/// The ways take turns at the grids: each sees every second one, and each grid as many ways. Where ranks take their
/// time to start, each grid has one way in one precision. A model with one way sees all.
TEST_P(EveryWay, AgreesWithTheOracleOnEveryGrid) {
  std::size_t turn = 0;
  in_every_way([&](const Way& way) {
    ++turn;
    const std::size_t number = GetParam().ways.size();
    const std::size_t turns = number == 1 ? 1 : way.ranks > 0 ? 2 * number : 2;
    const std::size_t first = way.ranks > 0 && GetParam().precision == "f64" ? turn + number : turn;
    std::vector<Grid> its_grids;
    for (std::size_t i = 0; i < grids().size(); ++i)
      if ((i + first) % turns == 0) its_grids.push_back(grids()[i]);
    expect_right_on(way, GetParam().grids.empty() ? its_grids : its_own_grids());
  });
}

TEST_P(EveryWay, ConservesMass) {
  // Obstacles hide populations from the final state, so mass is seen whole only without them.
  Grid g = grid("empty");
  g.steps = 400;
  in_the_last_way([&](const Way& way) {
    const auto outcome = run(way, Words{"--out", folder_.path.string()} + write_problem(folder_, g));
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    const double expected = 0.1 * g.nx * g.ny;
    const double most = GetParam().precision == "f64" ? 1e-12 : contains(way.options, "f16") ? 1e-4 : 2e-7;
    EXPECT_NEAR(mass_in(folder_ / "final_state.dat") / expected, 1.0, most);
  });
}

TEST_P(EveryWay, GivesTheSameEveryTime) {
  const auto words = write_problem(folder_, grid("odd"));
  in_the_last_way([&](const Way& way) {
    const auto outcome = run(way, Words{"--repeat", "2", "--out", (folder_ / "repeated").string()} + words);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    ASSERT_EQ(run(way, Words{"--out", (folder_ / "once").string()} + words).status, 0);
    EXPECT_EQ(read_text(folder_ / "repeated/final_state.dat"), read_text(folder_ / "once/final_state.dat"));
  });
}

INSTANTIATE_TEST_SUITE_P(Models, EveryWay, ::testing::ValuesIn(all_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Halves, EveryWay, ::testing::ValuesIn(half_cases()), name_of);

class EveryShape : public EveryWay {};

/// Of the first shape that the variant takes.
TEST_P(EveryShape, AgreesWithTheOracle) {
  bool is_taken = false, is_here = false;
  in_every_way([&](const Way& way) {
    if (is_taken) return;
    const OptimisedKernels optimised(false);
    const auto tried = run(way, Words{"--steps", "1", "--no-output"} + write_problem(folder_, its_own_grids().front()));
    is_here = true;
    if (tried.status == 2) {
      EXPECT_TRUE(has(tried.errors, "--work-group: expected")) << tried.errors;
      EXPECT_EQ(count_of(tried.errors, "\n"), 1) << tried.errors;
      return;
    }
    is_taken = true;
    expect_right_on(way, its_own_grids());
  });
  EXPECT_EQ(is_taken, is_here);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryShape, ::testing::ValuesIn(shape_cases()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryShape);

/// An odd number of steps, more than some of the delays.
class EveryChoice : public EveryWay {};

TEST_P(EveryChoice, AgreesWithTheOracle) {
  in_every_way([&](const Way& way) { expect_right_on(way, {grid("wrap_x")}); });
}

INSTANTIATE_TEST_SUITE_P(Models, EveryChoice, ::testing::ValuesIn(choice_cases()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryChoice);

/// Rows so long that the sum of their speeds would lose two digits in single precision, and stretches of
/// obstacles that are longer than what is added up in one go.
TEST(LongRows, AddUpRight) {
  const OneProcess one_process;
  const TemporaryFolder folder;
  const auto problem = write_problem(
      folder, {"long", 40009, 3, 10, [](int x, int y) { return y == 0 && x > 900 && x < 1100 && x % 3 != 0; }});
  for (const auto& [program, can] : offered()) {
    // The others share the sums of serial, or add up over trees.
    const std::string& model = program.model;
    if ((model != "serial" && model != "openmp" && model != "openmp_target") || !cannot_run_here(model).empty())
      continue;
    for (const auto& variant : can.variants) {
      SCOPED_TRACE(model + " " + variant.name);
      const auto outcome =
          run_model(model, Words{"--variant", variant.name, "--check", "oracle", "--no-output"} + problem);
      if (has(outcome.errors, "expected an NVIDIA GPU")) continue;
      EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
    }
  }
}

/// A constant that the optimiser takes out of a GPU's image is missed by LLVM's runtime, and no region starts there.
/// The host's side of it is an offload entry that is no region; tables of the binary fluid are kept in the image.
TEST(OpenmpTarget, LooksForNoConstantsOnTheDevice) {
  const std::string entry = ".omp_offloading.entry.", region = "__omp_offloading",
                    table = "_ZN9boltzmark12binary_fluid";
  for (const BuiltProgram& program : built_programs()) {
    if (program.model != "openmp_target") continue;
    const std::string symbols = read_text(program_of(program.model, program.workload));
    for (auto at = symbols.find(entry); at != symbols.npos; at = symbols.find(entry, at + 1)) {
      const std::string name = symbols.c_str() + at + entry.size();
      EXPECT_TRUE(name.starts_with(region) || name.starts_with(table)) << program.workload << ": " << name;
    }
  }
}

/// The system ends processes that use up its memory, without a word: models say it first.
TEST(LargeGrids, AreRefusedInOneLine) {
  const TemporaryFolder folder;
  struct sysinfo machine {};
  ASSERT_EQ(sysinfo(&machine), 0);
  const double bytes = static_cast<double>(machine.totalram) * machine.mem_unit;
  const int nx = 10007, ny = static_cast<int>(0.95 * bytes / 36 / nx);  // one grid takes almost all there is
  write_text(folder / "large.params", fmt::format("{}\n{}\n1\n10\n0.1\n0.005\n1.85\n", nx, ny));
  for (const auto& [program, can] : offered()) {
    if (!cannot_run_here(program.model).empty()) continue;
    SCOPED_TRACE(program.model);
    const auto outcome = run_model(program.model, {"--out", folder.path.string(), folder / "large.params", "none"});
    EXPECT_EQ(outcome.status, 3) << outcome.errors;
    EXPECT_EQ(count_of(outcome.errors, "\n"), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, "memory")) << outcome.errors;
    EXPECT_FALSE(std::filesystem::exists(folder / "final_state.dat"));
  }
}

}  // namespace
}  // namespace boltzmark::testing
