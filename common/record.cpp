#include "common/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/lattice.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

/// FLOPs of an update as published work counts them for this code (source A, Table IV: the unmasked update).
constexpr double conventional_flops_per_update = 122.0;

json problem_of(const Problem& problem) {
  const Parameters& p = problem.parameters;
  return {{"name", problem.name},
          {"digest", fmt::format("{:016x}", problem.digest())},
          {"nx", p.nx},
          {"ny", p.ny},
          {"iterations", p.iterations},
          {"reynolds_dim", p.reynolds_dim},
          {"density", p.density},
          {"accel", p.accel},
          {"omega", p.omega},
          {"fluid_cells", problem.fluid_cells()}};
}

json check_of(const CheckResult& check) {
  json result = {{"against", check.against}, {"passed", nullptr}, {"tolerance", nullptr},
                 {"av_vels", nullptr},       {"speed", nullptr},  {"pressure", nullptr}};
  if (!check.deviation) return result;
  result["passed"] = check.passed();
  result["tolerance"] = check.tolerance;
  result["av_vels"] = number_or_null(check.deviation->av_vels);
  result["speed"] = number_or_null(check.deviation->speed);
  result["pressure"] = number_or_null(check.deviation->pressure);
  return result;
}

/// Bytes of all populations that the run keeps, without padding.
double grid_bytes(const RunResult& run) {
  const double cell_bytes = Lattice::directions * bytes_of(run.options.precision);
  return run.facts.grids * cell_bytes * static_cast<double>(run.problem.cells());
}

json repeats_of(const std::vector<Timing>& repeats) {
  json list = json::array();
  for (const Timing& t : repeats)
    list.push_back(
        {{"init_seconds", t.init}, {"compute_seconds", t.compute}, {"collate_seconds", t.collate}});
  return list;
}

}  // namespace

json number_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json provenance_of(const Provenance& p, const BuildInfo& build, const std::string& command) {
  return {{"version", p.version}, {"revision", p.revision}, {"compiler", build.compiler},
          {"flags", build.flags}, {"host", p.host},         {"cpu", p.cpu},
          {"cores", p.cores},     {"system", p.system},     {"date", p.date},
          {"command", command}};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

Timing median(const std::vector<Timing>& repeats) {
  const auto of = [&repeats](double Timing::*phase) {
    std::vector<double> seconds;
    for (const Timing& t : repeats) seconds.push_back(t.*phase);
    return median(seconds);
  };
  return {of(&Timing::init), of(&Timing::compute), of(&Timing::collate)};
}

double mlups(const Problem& problem, int steps, double compute_seconds) {
  return 1e-6 * static_cast<double>(problem.cells()) * steps / compute_seconds;
}

json make_record(const RunResult& run) {
  const double seconds = median(run.repeats).compute;
  const double rate = mlups(run.problem, run.steps, seconds);
  const RunFacts& facts = run.facts;
  return {{"format", record_format},
          {"kind", "run"},
          {"problem", problem_of(run.problem)},
          {"steps", run.steps},
          {"model", run.backend.name},
          {"variant", run.options.variant},
          {"precision", to_string(run.options.precision)},
          {"device", facts.device},
          {"device_type", facts.device_type},
          {"driver", facts.driver},
          {"threads", facts.threads},
          {"ranks", facts.ranks},
          {"settings", facts.extra},
          {"warm_up_runs", run.warm_up_runs},
          {"repeats", repeats_of(run.repeats)},
          {"compute_seconds", seconds},
          {"mlups", rate},
          {"grid_bytes", grid_bytes(run)},
          {"bytes_per_update", facts.bytes_per_update},
          {"flops_per_update", facts.flops_per_update},
          {"flops_per_update_conventional", conventional_flops_per_update},
          {"gb_per_s", facts.bytes_per_update * rate / 1e3},
          {"gflop_per_s", facts.flops_per_update * rate / 1e3},
          {"reynolds", number_or_null(run.problem.reynolds(run.av_vel))},
          {"av_vel", number_or_null(run.av_vel)},
          {"check", check_of(run.check)},
          {"provenance", provenance_of(run.provenance, run.backend.build, run.command)}};
}

}  // namespace boltzmark
