// What `boltzmark check` has found in this results folder: the rows of all calls.
#pragma once

#include <fstream>

#include "analysis/submission/checks.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"

namespace boltzmark {

/// Rows on disk, each appended as soon as it is known.
class CheckFile {
 public:
  /// Reads the existing rows. A truncated last line, or one of another kind, is left out.
  explicit CheckFile(fs::path file) : file_(std::move(file)) {
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) try {
        const nlohmann::json all = parse_json(line);
        if (all.at("format") == check_format) take(all.at("key"), all.at("row"));
      } catch (const std::exception&) {  // that folder is checked again
      }
  }

  /// The newest row with this key, unless it is to be checked again; `key` is everything that identifies the check.
  const CheckRow* find(const nlohmann::json& key) const {
    const auto newest = std::ranges::find(rows_.rbegin(), rows_.rend(), key, &Keyed::key);
    return newest == rows_.rend() || newest->is_open ? nullptr : &newest->row;
  }
  /// A later call checks it again even if this one is stopped before; until then its row is kept.
  void reopen(const nlohmann::json& key) {
    if (!find(key)) return;
    append_line(file_, json_line({{"format", check_format}, {"key", key}, {"row", nullptr}}));
    take(key, nullptr);
  }
  /// The newest row of each folder, problem and number of steps if the folder still exists: those of these folders
  /// first, in their order, then the others in the order of arrival.
  std::vector<CheckRow> newest(const std::vector<nlohmann::json>& first) const {
    std::vector<const Keyed*> kept;
    for (const Keyed& one : rows_) {
      std::erase_if(kept, [&one](const Keyed* old) { return replaces(one.key, old->key); });
      kept.push_back(&one);
    }
    std::erase_if(kept, [](const Keyed* one) { return !is_folder(one->key.at("folder").get<std::string>()); });
    std::vector<CheckRow> rows;
    for (const nlohmann::json& key : first) {
      const CheckRow* row = find(key);
      for (const Keyed* one : kept)
        if (!row && replaces(key, one->key)) row = &one->row;
      if (row) rows.push_back(*row);
      std::erase_if(kept, [&key](const Keyed* one) { return replaces(key, one->key); });
    }
    for (const Keyed* one : kept) rows.push_back(one->row);
    return rows;
  }
  std::set<fs::path> folders() const {
    std::set<fs::path> all;
    for (const Keyed& one : rows_) all.insert(one.key.at("folder").get<std::string>());
    return all;
  }
  /// Throws Error (bad_input) if it cannot be written.
  void add(const nlohmann::json& key, const CheckRow& row) {
    append_line(file_, json_line({{"format", check_format}, {"key", key}, {"row", row}}));
    take(key, row);
  }

 private:
  static constexpr int check_format = 2;
  struct Keyed {
    nlohmann::json key;
    CheckRow row;
    bool is_open = false;  ///< to be checked again
  };

  /// Whether a newer row replaces an older one: that of the same problem and steps, or one that had no problem.
  static bool replaces(const nlohmann::json& newer, const nlohmann::json& older) {
    return older.at("folder") == newer.at("folder") &&
           (older.at("case") == "" || (older.at("case") == newer.at("case") && older.at("steps") == newer.at("steps")));
  }

  /// null: to be checked again.
  void take(const nlohmann::json& key, const nlohmann::json& row) {
    if (row.is_null()) {
      for (Keyed& one : rows_)
        if (one.key == key) one.is_open = true;
      return;
    }
    rows_.push_back({key, row.get<CheckRow>()});
    rows_.back().row.problem = key.at("case");
  }

  fs::path file_;
  std::vector<Keyed> rows_;
};

}  // namespace boltzmark
