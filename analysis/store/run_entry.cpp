#include "analysis/store/run_entry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "analysis/support/json_reader.hpp"
#include "common/run/json_integers.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<RunStatus, const char*>, 6> words = {{{RunStatus::ok, "ok"},
                                                                     {RunStatus::skipped, "skipped"},
                                                                     {RunStatus::impossible, "impossible"},
                                                                     {RunStatus::timeout, "timeout"},
                                                                     {RunStatus::failed, "failed"},
                                                                     {RunStatus::wrong, "wrong"}}};

/// Every field once: for the writer, and for the reader.
template <class Key, class Visit>
void for_each_field(Key& key, Visit&& visit) {
  visit("workload", key.workload);
  visit("model", key.model);
  visit("variant", key.variant);
  visit("precision", key.precision);
  visit("threads", key.threads);
  visit("ranks", key.ranks);
  visit("device", key.device);
  visit("work_group", key.work_group);
  visit("warm_up", key.warm_up);
  visit("options", key.options);
  visit("launcher", key.launcher);
  visit("case", key.case_);
  visit("steps", key.steps);
  visit("round", key.round);
  visit("program", key.program);
  visit("oracle", key.oracle);
  visit("host", key.host);
  visit("build", key.build);
}

}  // namespace

std::string to_string(RunStatus status) {
  for (const auto& [value, word] : words)
    if (value == status) return word;
  return "?";
}

RunStatus run_status(const std::string& word) {
  for (const auto& [value, known] : words)
    if (known == word) return value;
  throw std::invalid_argument(fmt::format("\"{}\" is not a status", word));
}

int RunKey::workers() const { return std::max(ranks, 1) * std::max(threads, 1); }

json RunKey::to_json() const {
  json all;
  for_each_field(*this, [&all](const char* name, const auto& value) { all[name] = value; });
  return all;
}

RunKey RunKey::from_json(const json& from) {
  RunKey key;
  for_each_field(key, [&from](const char* name, auto& value) { from.at(name).get_to(value); });
  return key;
}

std::string RunKey::identity() const { return json_line(to_json()); }

std::string RunKey::configuration() const {
  json all = to_json();
  all.erase("round");
  return json_line(all);
}

json RunEntry::to_json() const {
  json all = {{"format", run_entry_format},   {"key", key.to_json()}, {"case", case_name},
              {"status", to_string(status)},  {"reason", reason},     {"exit_status", exit_status},
              {"wall_seconds", wall_seconds}, {"command", command},   {"record", record}};
  if (stopped) all["stopped"] = true;
  return all;
}

RunEntry RunEntry::from_json(const json& from) {
  expect_ints(from, {"/format"});
  if (const int format = from.at("format").get<int>(); format != run_entry_format)
    throw std::invalid_argument(
        fmt::format("format {}, where this program reads {}", format, run_entry_format));
  expect_ints(from, {"/exit_status", "/key/threads", "/key/ranks", "/key/steps", "/key/round"});
  RunEntry entry;
  entry.key = RunKey::from_json(from.at("key"));
  from.at("case").get_to(entry.case_name);
  entry.status = run_status(from.at("status").get<std::string>());
  from.at("reason").get_to(entry.reason);
  from.at("exit_status").get_to(entry.exit_status);
  from.at("wall_seconds").get_to(entry.wall_seconds);
  from.at("command").get_to(entry.command);
  entry.stopped = from.value("stopped", false);
  from.at("record").get_to(entry.record);
  return entry;
}

}  // namespace boltzmark
