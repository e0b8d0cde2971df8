// The binary fluid: its mathematics, its reference, and simulations against theory and published figures.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/binary_fluid/case.hpp"
#include "common/binary_fluid/fluid.hpp"
#include "common/binary_fluid/oracle.hpp"
#include "programs.hpp"

namespace boltzmark::testing {
namespace {

using namespace binary_fluid;
TEST(BinaryFluidModes, HaveAnInverse) {
  for (int p = 0; p < directions; ++p)
    for (int other = 0; other < directions; ++other) {
      double product = 0.0;
      for (int m = 0; m < directions; ++m) product += population_of(p, m) * mode_of(m, other);
      EXPECT_NEAR(product, p == other ? 1.0 : 0.0, 1e-15);
    }
}

TEST(BinaryFluidModes, HaveDirectionsInPairs) {
  for (int p = 1; p < directions; p += 2)
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(direction[p][axis], -direction[p + 1][axis]);
}

TEST(BinaryFluidOracle, ConservesMassOrderAndMomentumWithItsForce) {
  const Oracle oracle(Case{});
  for (const std::int64_t site : {0, 1, 77, 123456}) {
    const auto in = [&](int v) { return collision_input<double>(site, v); };
    const auto out = oracle.collided(site, 8);
    double mass = 0.0, order = 0.0, momentum[3] = {};
    for (int p = 0; p < directions; ++p) {
      mass += out[2 * p] - in(2 * p);
      order += out[2 * p + 1];
      for (int i = 0; i < 3; ++i) momentum[i] += direction[p][i] * (out[2 * p] - in(2 * p));
    }
    EXPECT_NEAR(mass, 0.0, 1e-15);
    EXPECT_NEAR(order, in(populations), 1e-15);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(momentum[i], in(populations + 5 + i), 1e-15);
  }
}

TEST(BinaryFluidStart, HasOrderParameterInG) {
  for (const std::int64_t site : {0, 5, 999}) {
    double sum = 0.0;
    for (int p = 0; p < directions; ++p) sum += collision_input<double>(site, 2 * p + 1);
    EXPECT_NEAR(sum, collision_input<double>(site, populations), 1e-15);
  }
}

/// A fluid whose steps change this free energy alone.
class MadeUpFluid final : public Fluid {
 public:
  explicit MadeUpFluid(double of_run) : of_run_(of_run) {}
  double bytes_held_per_site() const override { return 0.0; }
  void init(const target::Problem&) override { now_ = {.free_energy = 1.0, .least_phi = -0.1, .greatest_phi = 0.1}; }
  void run() override { now_.free_energy += of_run_; }
  std::vector<double> results_of(const std::vector<std::int64_t>&) override { return {}; }
  Statistics statistics() override { return now_; }
  RunFacts facts() const override { return {}; }

 private:
  double of_run_;
  Statistics now_;
};

/// Long simulations are checked by conservation alone, which also holds for a run that does nothing.
TEST(BinaryFluidCheck, SeesASimulationThatStandsStill) {
  for (const double of_run : {-1e-9, 0.0}) {
    const Variant made_up = {.name = "made-up", .summary = "", .kinds = {"spinodal"}, .make = [&](const Options&) {
                               return std::make_unique<MadeUpFluid>(of_run);
                             }};
    const Program program = {
        .workload = &binary_fluid::workload, .model = "made_up", .where = "", .variants = {&made_up}};
    std::vector<std::string> words = {"x",         "64",      "--case",   "spinodal", "--steps", "1",
                                      "--variant", "made-up", "--repeat", "2",        "--quiet"};
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    ::testing::internal::CaptureStderr();
    const int status = run_program(static_cast<int>(arguments.size()), arguments.data(), program);
    const std::string errors = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(status, of_run == 0.0 ? 1 : 0) << errors;
    EXPECT_EQ(has(errors, "steps deviates by 1"), of_run == 0.0) << errors;
  }
}

/// The metrics of a simulation by the serial model, in double precision.
std::map<std::string, double> metrics_of(const Words& words) {
  const TemporaryFolder folder;
  const auto outcome =
      run_model("serial", Words{"--precision", "f64", "--json", folder / "record"} + words, 0, "binary_fluid");
  EXPECT_EQ(outcome.status, 0) << outcome.errors << outcome.output;
  std::map<std::string, double> metrics;
  if (outcome.status != 0) return metrics;
  const std::vector<Record> records = records_in(folder / "record");
  for (const Metric& metric : records.at(0).metrics) metrics[metric.name] = metric.value.value_or(NAN);
  return metrics;
}

/// The figures are those of the public log of Ludwig's regression test of this case, whose random start is another.
TEST(BinaryFluidPhysics, SeparatesAsLudwigSays) {
  auto found = metrics_of({"64", "--case", "spinodal", "--steps", "10"});
  EXPECT_NEAR(found["phi_variance_ratio"], 0.8357, 0.005 * 0.8357);
  EXPECT_NEAR(found["free_energy_ratio"], 0.8286, 0.005 * 0.8286);
  EXPECT_NEAR(found["rho_variance"], 2.765e-10, 0.02 * 2.765e-10);
  EXPECT_NEAR(found["largest_velocity"], 1.15e-5, 0.2 * 1.15e-5);
}

TEST(BinaryFluidPhysics, HasInterfacesAsTanh) {
  auto found = metrics_of({"64x1x1", "--case", "interface", "--steps", "20000"});
  EXPECT_LT(found["distance_from_tanh"], 1.5e-2);
  EXPECT_LT(found["largest_velocity"], 1e-6);
}

TEST(BinaryFluidPhysics, HasLaplacesPressureInDrops) {
  auto found = metrics_of({"64x64x1", "--case", "drop", "--steps", "5000"});
  EXPECT_NEAR(found["pressure_over_laplace"], 1.0, 0.05);
}

}  // namespace
}  // namespace boltzmark::testing
