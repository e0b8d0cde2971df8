#include "analysis/store/store.hpp"

#include <array>

#include "analysis/support/json.hpp"
#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/run/json.hpp"

namespace boltzmark {

BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(Order, seed, number, plan)

namespace {

using nlohmann::json;
constexpr std::array names_of_statuses = {"ok", "skipped", "impossible", "timeout", "failed", "wrong"};

/// By the names of the members.
namespace fields {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunKey, workload, model, variant, precision, threads, ranks, device, work_group,
                                   warm_up, options, launcher, case_, steps, round, program, oracle, host, build)
}

/// Throws std::invalid_argument for a word that is not a status.
RunStatus run_status(const std::string& word) {
  const auto at = std::ranges::find(names_of_statuses, word);
  if (at == names_of_statuses.end()) throw std::invalid_argument(fmt::format("\"{}\" is not a status", word));
  return static_cast<RunStatus>(at - names_of_statuses.begin());
}

fs::path lock_in(const fs::path& folder) {
  prepare_folder(folder);
  return folder / "lock";
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : lock_(lock_in(folder), FileLock::IfTaken::give_up) {
  if (!lock_.is_held())
    throw bad_input("{}: expected a folder that no other boltzmark is using, found one at work in it", folder.string());
}

fs::path move_aside(const fs::path& results, const std::vector<std::string>& names) {
  if (std::ranges::none_of(names, [&](const auto& name) { return fs::exists(results / name); })) return {};
  const std::string date = date_as("old-%Y-%m-%dT%H%M%SZ");
  fs::path target = results / date;
  for (int n = 2; fs::exists(target); ++n) target = results / fmt::format("{}-{}", date, n);
  for (const auto& name : names)
    if (fs::exists(results / name)) {
      prepare_folder((target / name).parent_path());
      fs::rename(results / name, target / name);
    }
  return target;
}

std::string to_string(RunStatus status) { return names_of_statuses.at(static_cast<std::size_t>(status)); }

int RunKey::workers() const { return std::max(ranks, 1) * std::max(threads, 1); }

json RunKey::to_json() const {
  json all;
  fields::to_json(all, *this);
  all["case"] = std::move(all["case_"]);
  all.erase("case_");
  return all;
}

RunKey RunKey::from_json(const json& from) {
  json all = from;
  all["case_"] = from.at("case");
  RunKey key;
  fields::from_json(all, key);
  return key;
}

std::string RunKey::lasting_identity() const {
  RunKey key = *this;
  key.program.clear();
  key.oracle.clear();
  return key.configuration();
}

std::string RunKey::version() const { return program + ' ' + oracle; }

std::string RunKey::identity() const { return json_line(to_json()); }

std::string RunKey::configuration() const {
  json all = to_json();
  all.erase("round");
  return json_line(all);
}

void RunEntry::heed_check() {
  if (status != RunStatus::ok || !record || record->check.passed.value_or(true)) return;
  status = RunStatus::wrong;
  reason = "the check failed, by its record";
}

json RunEntry::to_json() const {
  json all = {{"format", run_entry_format},   {"key", key.to_json()}, {"case", case_name},
              {"status", to_string(status)},  {"reason", reason},     {"exit_status", exit_status},
              {"wall_seconds", wall_seconds}, {"command", command},   {"record", record}};
  if (stopped) all["stopped"] = true;
  if (!roofs.empty()) all["roofs"] = roofs;
  if (order) all["order"] = *order;
  return all;
}

RunEntry RunEntry::from_json(const json& from) {
  expect_ints(from, {"/format"});
  if (const int format = from.at("format").get<int>(); format != run_entry_format)
    throw std::invalid_argument(fmt::format("format {}, where this program reads {}", format, run_entry_format));
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
  entry.roofs = from.value("roofs", Roofs());
  if (std::ranges::any_of(entry.roofs, [](const auto& roof) { return !(roof.second > 0.0); }))
    throw std::invalid_argument("roofs: expected rates above zero");
  if (from.contains("order")) entry.order = from.at("order").get<Order>();
  entry.heed_check();
  return entry;
}

Store::Store(fs::path folder, bool fresh, std::string name)
    : folder_(std::move(folder)), name_(std::move(name)), lock_(folder_) {
  remove_leftovers(folder_);
  std::vector<std::string> belongings = {name_};
  if (name_ == runs_file)
    belongings = {"logs", "figures.csv", "peaks.csv", "columns.json", "tables.json", "complaints.txt", name_};
  if (fresh && fs::exists(file())) move_aside(folder_, belongings);
  RunsFile runs = read_runs(file());
  // An unfinished line would corrupt the next.
  if (runs.cut_off) fs::resize_file(file(), runs.whole_bytes);
  complaints_ = std::move(runs.complaints);
  for (auto& entry : runs.entries) {
    latest_[entry.key.lasting_identity()] = entry.key.version();
    newest_[entry.key.identity()] = std::move(entry);
  }
}

const RunEntry* Store::find(const RunKey& key) const {
  const auto at = newest_.find(key.identity());
  return at == newest_.end() ? nullptr : &at->second;
}

std::vector<const RunEntry*> Store::entries() const {
  return each(newest_, [](const auto& one) { return &one.second; });
}

void Store::add(const RunEntry& entry) {
  const RunEntry* const newest = find(entry.key);
  std::string& latest = latest_[entry.key.lasting_identity()];
  if (!newest || latest != entry.key.version() || newest->to_json() != entry.to_json())
    append_line(file(), json_line(entry.to_json()));
  latest = entry.key.version();
  newest_[entry.key.identity()] = entry;
}

bool is_final(const RunEntry* entry) {
  return entry && (entry->status == RunStatus::ok || entry->status == RunStatus::wrong);
}

}  // namespace boltzmark
