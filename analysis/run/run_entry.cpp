#include "analysis/run/run_entry.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace boltzmark {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<RunStatus, const char*>, 6> words = {{{RunStatus::ok, "ok"},
                                                                     {RunStatus::skipped, "skipped"},
                                                                     {RunStatus::impossible, "impossible"},
                                                                     {RunStatus::timeout, "timeout"},
                                                                     {RunStatus::failed, "failed"},
                                                                     {RunStatus::wrong, "wrong"}}};

}  // namespace

std::string to_string(RunStatus status) {
  for (const auto& [value, word] : words)
    if (value == status) return word;
  return "?";
}

RunStatus run_status(const std::string& word) {
  for (const auto& [value, known] : words)
    if (known == word) return value;
  throw std::invalid_argument(fmt::format("\"{}\" is no status", word));
}

json RunKey::to_json() const {
  return {{"model", model},     {"variant", variant},   {"precision", precision},   {"threads", threads},
          {"ranks", ranks},     {"device", device},     {"work_group", work_group}, {"warm_up", warm_up},
          {"options", options}, {"launcher", launcher}, {"problem", problem},       {"steps", steps},
          {"round", round},     {"program", program},   {"oracle", oracle},         {"host", host},
          {"build", build}};
}

RunKey RunKey::from_json(const json& from) {
  RunKey key;
  from.at("model").get_to(key.model);
  from.at("variant").get_to(key.variant);
  from.at("precision").get_to(key.precision);
  from.at("threads").get_to(key.threads);
  from.at("ranks").get_to(key.ranks);
  from.at("device").get_to(key.device);
  from.at("work_group").get_to(key.work_group);
  from.at("warm_up").get_to(key.warm_up);
  from.at("options").get_to(key.options);
  from.at("launcher").get_to(key.launcher);
  from.at("problem").get_to(key.problem);
  from.at("steps").get_to(key.steps);
  from.at("round").get_to(key.round);
  from.at("program").get_to(key.program);
  from.at("oracle").get_to(key.oracle);
  from.at("host").get_to(key.host);
  key.build = from.value("build", "");
  return key;
}

std::string RunKey::identity() const { return to_json().dump(); }

std::string RunKey::configuration() const {
  json all = to_json();
  all.erase("round");
  return all.dump();
}

json RunEntry::to_json() const {
  json all = {{"format", run_entry_format},  {"key", key.to_json()},
              {"problem", problem},          {"round", key.round},
              {"status", to_string(status)}, {"reason", reason},
              {"exit_status", exit_status},  {"wall_seconds", wall_seconds},
              {"command", command},          {"record", record}};
  if (stopped) all["stopped"] = true;
  return all;
}

RunEntry RunEntry::from_json(const json& from) {
  if (const int format = from.at("format").get<int>(); format != run_entry_format)
    throw std::invalid_argument(
        fmt::format("format {}, where this program reads {}", format, run_entry_format));
  RunEntry entry;
  entry.key = RunKey::from_json(from.at("key"));
  from.at("problem").get_to(entry.problem);
  entry.status = run_status(from.at("status").get<std::string>());
  from.at("reason").get_to(entry.reason);
  from.at("exit_status").get_to(entry.exit_status);
  from.at("wall_seconds").get_to(entry.wall_seconds);
  from.at("command").get_to(entry.command);
  entry.stopped = from.value("stopped", false);
  entry.record = from.at("record");
  return entry;
}

}  // namespace boltzmark
