// `boltzmark share`: results in one file, without names of the machine, its users and its folders.
#include <unistd.h>

#include <cstdlib>

#include "analysis/store/store.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/json.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

/// Fields whose words belong to the suite or the hardware; and fields of commands, in which every path is replaced.
const std::set<std::string> own_words = {
    "workload", "model",   "variant", "precision", "role",   "status", "name", "unit",  "device",  "device_type", "cpu",
    "level",    "pattern", "type",    "platform",  "update", "digest", "case", "build", "program", "oracle",      "of"};
const std::set<std::string> commands = {"command", "launcher", "options", "asked", "against"};

/// Separators of words in a command or a sentence, and characters of names of hosts and users.
constexpr const char *between_words = " \t\n\v\f\r\"'`=,:;()[]{}<>|&",
                     *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

class Anonymous {
 public:
  explicit Anonymous(const Results& results) {
    for (const auto* const entries : {&results.entries, &results.tuning})
      for (const RunEntry& entry : *entries) {
        add_host(entry.key.host);
        if (entry.record) add_host(entry.record->provenance.host);
      }
    if (results.peaks) add_host(results.peaks->host);
    char here[256] = {};
    if (gethostname(here, sizeof here - 1) == 0) add_host(here);
    for (const char* variable : {"USER", "LOGNAME"})
      if (const char* const name = std::getenv(variable)) add_user(name);
    if (const char* const home = std::getenv("HOME")) add_user(fs::path(home).filename().string());
  }

  json clean(const json& value, const std::string& field = "", bool in_command = false) {
    in_command = in_command || commands.contains(field);
    json made = value;
    if (value.is_structured()) {
      made.clear();
      for (const auto& [key, one] : value.items())
        if (value.is_object())
          made[key] = clean(one, key, in_command);
        else
          made.push_back(clean(one, field, in_command));
    } else if (value.is_string() && field == "host") {
      made = replaced(value.get<std::string>());
    } else if (value.is_string()) {
      const std::string text = without_paths(value.get<std::string>(), in_command);
      made = own_words.contains(field) ? text : replaced(text);
    }
    return value.is_array() && made.is_null() ? json::array() : made;
  }

 private:
  void add_host(const std::string& name) {
    if (name.empty() || names_.contains(name)) return;
    const std::string stands_for = fmt::format("host{}", ++hosts_);
    names_[name] = names_[name.substr(0, name.find('.'))] = stands_for;
  }
  void add_user(const std::string& name) {
    if (name.size() > 1 && name != "root") names_.emplace(name, user);
  }

  /// The last name of each path; relative paths only in commands, because elsewhere "GB/s" would be one.
  std::string without_paths(const std::string& text, bool in_command) {
    std::string made;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find_first_of(between_words, begin), text.size());
      std::string word = text.substr(begin, end - begin);
      const auto starts = [&word](const char* with) { return word.starts_with(with); };
      if (starts("/") || starts("~") || starts("./") || starts("../") || (in_command && word.find('/') != word.npos)) {
        for (const char* of_users : {"/home/", "/Users/", "/users/"})
          if (starts(of_users)) add_user(split(word, '/')[2]);
        while (word.size() > 1 && word.back() == '/') word.pop_back();
        word.erase(0, word.rfind('/') + 1);
      }
      made += word;
      if (end < text.size()) made += text[end];
      begin = end + 1;
    }
    return made;
  }

  /// Names of hosts, with their domains, and of users, as whole words.
  std::string replaced(const std::string& text) const {
    const auto end_of = [&text](std::size_t at) { return std::min(text.find_first_not_of(letters, at), text.size()); };
    std::string made;
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::size_t end = end_of(at);
      const auto known = names_.find(text.substr(at, end - at));
      made += known == names_.end() ? text.substr(at, end - at) : known->second;
      if (known != names_.end() && known->second != user)
        while (end < text.size() && text[end] == '.' && end_of(end + 1) > end + 1) end = end_of(end + 1);
      if (end < text.size()) made += text[end];
      at = end;
    }
    return made;
  }

  static constexpr const char* user = "user";
  std::map<std::string, std::string> names_;  ///< of hosts and users, and their replacements
  int hosts_ = 0;
};

}  // namespace

int share_command(const ShareOptions& options) {
  const Results results = read_results(options.results);
  Anonymous anonymous(results);
  std::vector<json> lines = {{{"shared", shared_format}, {"peaks", nullptr}}};
  if (results.peaks) {
    lines.front()["peaks"] = *results.peaks;
    lines.front()["peaks"]["key"] = "";  // a digest that includes the host's name
  }
  for (const RunEntry& entry : results.entries) lines.push_back(entry.to_json());
  for (const RunEntry& entry : results.tuning) {
    lines.push_back(entry.to_json());
    lines.back()["tuning"] = true;
  }
  std::string text;
  for (const json& line : lines) anonymous.clean(line);  // learns the users from paths
  for (const json& line : lines) text += json_line(anonymous.clean(line)) + '\n';
  write_whole(options.out, text);
  print("Shared: {} ({}{}; without hosts, users and folders; read it before you send it)\n",
        one_line(options.out.string()), counted(std::ssize(lines) - 1, "run"), results.peaks ? " and peaks" : "");
  return 0;
}

}  // namespace boltzmark
