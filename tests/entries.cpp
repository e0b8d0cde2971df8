#include "entries.hpp"

namespace boltzmark::testing {

RunEntry entry(const std::string& model, const std::string& variant, int round, std::vector<double> seconds) {
  RunEntry e;
  e.key.workload = "lbm";
  e.key.model = model;
  e.key.variant = variant;
  e.key.precision = "f32";
  e.key.round = round;
  e.key.steps = 10;
  e.key.case_ = "0123456789abcdef";
  e.case_name = "p";
  Record r;
  r.workload = "lbm";
  r.model = model;
  r.variant = variant;
  r.precision = "f32";
  if (variant == "textbook") r.role = "textbook";
  if (variant == "fused") r.role = "like-for-like";
  r.case_ = {"p", "0123456789abcdef", {1000, 100}, nlohmann::json::object()};
  r.steps = 10;
  r.device = "Some(R) CPU";
  r.device_type = "cpu";
  r.threads = 2;
  r.settings = nlohmann::json::object();
  for (const double s : seconds) r.repeats.push_back({0.5, s, 0.25});
  r.compute_seconds = seconds.empty() ? 0.0 : r.median_timing().compute_seconds;
  r.work.update = "update";
  r.work.updates = 1e6;
  r.work.bytes_per_update = 72.0;
  r.work.flops_per_update = 100.0;
  r.work.conventional_flops_per_update = 122.0;
  r.work.bytes_held = 7.2e6;
  r.work.traffic = {{"data", 7.2e6, 72.0}};
  r.metrics = {{"mlups", "MLUPS", 1.0 / r.compute_seconds}, {"av_vel", "lattice units", 0.01}};
  r.check.against = "reference";
  r.check.passed = true;
  r.check.tolerance = 1e-5;
  r.check.deviations = {{"av_vels", 1e-6}, {"speed", 3e-6}};
  r.provenance.version = "0";
  r.provenance.revision = "r";
  r.provenance.compiler = "g";
  r.provenance.flags = "-O3";
  r.provenance.host = "h";
  r.provenance.cpu = "c";
  r.provenance.cores = 2;
  r.provenance.system = "s";
  r.provenance.date = "2026-01-01T00:00:00Z";
  e.record = r;
  return e;
}

RunEntry failed(const std::string& model, const std::string& variant, int round, RunStatus status) {
  RunEntry e = entry(model, variant, round, {1.0});
  e.status = status;
  e.reason = "because";
  e.record.reset();
  return e;
}

RunEntry entry_of_parts(const std::string& model, int round, std::vector<double> seconds) {
  RunEntry e = entry(model, "plain", round, seconds);
  e.key.workload = "stream";
  e.key.variant.clear();
  e.key.case_.clear();
  e.key.steps = 0;
  e.case_name = "default";
  Record& r = *e.record;
  r.workload = "stream";
  r.case_ = {"10000000", "stream-10000000", {10'000'000}, nlohmann::json::object()};
  r.steps = 1;
  r.work = {};
  r.work.update = "element";
  r.work.updates = 1e7;
  r.work.bytes_per_update = 20.0;
  r.work.flops_per_update = 2.0;
  r.work.bytes_held = 120e6;
  r.parts = {{"copy", 80e6, 120e6, 0.0, seconds}, {"triad", 120e6, 160e6, 20e6, seconds}};
  r.metrics = {{"triad_gb_per_s", "GB/s of triad", 0.12 / r.compute_seconds}};
  r.check.deviations = {{"copy", 1e-7}, {"triad", 2e-7}};
  return e;
}

}  // namespace boltzmark::testing
