#include "entries.hpp"

namespace boltzmark::testing {

using nlohmann::json;

RunEntry entry(const std::string& model, const std::string& variant, int round, std::vector<double> seconds) {
  RunEntry e;
  e.key.model = model;
  e.key.variant = variant;
  e.key.precision = "f32";
  e.key.round = round;
  e.key.steps = 10;
  e.key.problem = "0123456789abcdef";
  e.problem = "p";
  json repeats = json::array();
  for (const double s : seconds)
    repeats.push_back({{"init_seconds", 0.0}, {"compute_seconds", s}, {"collate_seconds", 0.0}});
  e.record = {{"format", 1},
              {"problem", {{"name", "p"}, {"digest", "0123456789abcdef"}, {"nx", 1000}, {"ny", 100}}},
              {"steps", 10},
              {"model", model},
              {"variant", variant},
              {"precision", "f32"},
              {"device", "Some(R) CPU"},
              {"device_type", "cpu"},
              {"threads", 2},
              {"ranks", 1},
              {"repeats", repeats},
              {"grid_bytes", 7.2e6},
              {"bytes_per_update", 72.0},
              {"flops_per_update", 100.0},
              {"flops_per_update_conventional", 122.0},
              {"check", {{"passed", true}, {"av_vels", 1e-6}, {"speed", 3e-6}, {"pressure", nullptr}}},
              {"provenance",
               {{"host", "h"},
                {"cpu", "c"},
                {"system", "s"},
                {"cores", 2},
                {"compiler", "g"},
                {"flags", "-O3"},
                {"version", "0"},
                {"revision", "r"}}}};
  return e;
}

RunEntry failed(const std::string& model, const std::string& variant, int round, RunStatus status) {
  RunEntry e = entry(model, variant, round, {});
  e.status = status;
  e.reason = "because";
  e.record = nullptr;
  return e;
}

}  // namespace boltzmark::testing
