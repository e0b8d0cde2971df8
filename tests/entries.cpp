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
  e.record = {{"problem", {{"nx", 1000}, {"ny", 100}}},
              {"steps", 10},
              {"variant", variant},
              {"device", "Some(R) CPU"},
              {"threads", 2},
              {"ranks", 1},
              {"repeats", repeats},
              {"bytes_per_update", 72.0},
              {"check", {{"av_vels", 1e-6}, {"speed", 3e-6}, {"pressure", nullptr}}},
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
