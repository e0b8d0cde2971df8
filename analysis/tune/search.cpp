#include "analysis/tune/search.hpp"

#include <array>
#include <map>
#include <set>
#include <tuple>

#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/run/options.hpp"

namespace boltzmark {
namespace {

std::string shape_text(int x, int y, int z) {
  return z == 1 ? fmt::format("{}x{}", x, y) : fmt::format("{}x{}x{}", x, y, z);
}

constexpr int published_spacing = 16, published_least = 32, published_most_z = 64;

/// 1, 16, 32, 48, ...
int published_size(int k) { return k == 0 ? 1 : k * published_spacing; }

std::vector<std::string> listed_shapes(const std::string& wanted, int dimension) {
  std::vector<std::string> shapes;
  for (const auto& word : split(wanted, ',')) {
    try {
      const WorkGroup group = parse_work_group("--shapes", word);
      if (dimension == 2 && group.z > 1) throw bad_input("planes");
      shapes.push_back(shape_text(group.x, group.y, group.z));
    } catch (const Error&) {
      throw bad_input("--shapes: expected powers, published, tiles or shapes such as 32x4,64x2{}, found \"{}\"",
                      dimension == 2 ? "" : ",16x4x2", word);
    }
  }
  return shapes;
}

const char* word_of(Trial::End end) {
  constexpr const char* words[] = {"measured", "stopped", "skipped", "wrong", "failed"};
  return words[static_cast<std::size_t>(end)];
}

constexpr std::size_t most_reasons = 8;
/// Why trials ended in this way, the most frequent reason first.
std::string reasons_of(const SearchResult& result, Trial::End end) {
  std::map<std::string, int> counts;
  for (const Trial& trial : result.trials)
    if (trial.end == end) ++counts[trial.reason];
  std::vector<std::pair<std::string, int>> reasons(counts.begin(), counts.end());
  std::ranges::stable_sort(reasons, std::greater(), &std::pair<std::string, int>::second);
  std::string text;
  for (const auto& [reason, count] : reasons | std::views::take(most_reasons))
    text += fmt::format("  {} x {}\n", count, reason);
  if (reasons.size() > most_reasons) text += fmt::format("  and {} other reasons\n", reasons.size() - most_reasons);
  return text;
}

}  // namespace

const Trial* SearchResult::best() const {
  return find_highest(
      trials, [](const Trial& trial) { return trial.end == Trial::End::measured; },
      [](const Trial& trial) { return -*trial.seconds; });
}

const Trial* SearchResult::worst() const {
  return find_highest(
      trials, [](const Trial& trial) { return trial.seconds && trial.end != Trial::End::wrong; }, &Trial::seconds);
}

const Trial* SearchResult::defaults() const {
  return find_where(trials, [](const Trial& trial) { return trial.options.empty(); });
}

const Trial* SearchResult::better() const {
  const Trial *const fastest = best(), *const usual = defaults();
  if (!fastest || !usual || !usual->seconds || fastest->runs.empty()) return fastest;
  return median(fastest->runs) < *usual->seconds ? fastest : usual;
}

int SearchResult::count(Trial::End end) const {
  return static_cast<int>(std::ranges::count_if(trials, [end](const Trial& trial) { return trial.end == end; }));
}

std::size_t search_size(const std::vector<Tunable>& tunables, bool all) {
  std::size_t sum = 1, product = 1;
  for (const auto& tunable : tunables) {
    sum += tunable.values.size();
    product *= tunable.values.size();
  }
  return all ? product + 1 : sum;
}

SearchResult search(const std::vector<Tunable>& tunables, bool all, const TryOptions& try_options) {
  SearchResult result;
  std::size_t asked = 0;
  // False if the search has ended.
  const auto attempt = [&](const TunedOptions& options, const std::string& stage) {
    ++asked;
    const auto is_same = [&](const Trial& trial) { return trial.options == options; };
    if (std::ranges::any_of(result.trials, is_same)) return true;
    const Trial* const best = result.best();
    auto trial = try_options(options, best ? best->seconds : std::nullopt);
    if (!trial) return false;
    trial->options = options;
    trial->stage = stage;
    result.trials.push_back(std::move(*trial));
    return true;
  };
  bool goes_on = attempt({}, "default");
  const bool has_defaults = result.best() != nullptr;
  std::vector<TunedOptions> bases = {{}};  // each combined with every value of the next tunable
  for (std::size_t k = 0; has_defaults && k < tunables.size(); ++k) {
    if (!all) bases = {result.best()->options};
    std::vector<TunedOptions> combined;
    for (const TunedOptions& base : bases)
      for (const auto& value : tunables[k].values) combined.emplace_back(base)[tunables[k].option] = value;
    for (std::size_t i = 0; goes_on && (!all || k + 1 == tunables.size()) && i < combined.size(); ++i)
      goes_on = attempt(combined[i], all ? "all" : tunables[k].option);
    bases = std::move(combined);
  }
  if (!goes_on) result.left = static_cast<int>(search_size(tunables, all) - (asked - 1));
  return result;
}

std::vector<std::string> power_shapes(int items, int planes) {
  std::vector<std::string> shapes;
  for (int x = 1; x <= items; x *= 2)
    for (int y = 1; y <= items / x; y *= 2)
      for (int z = 1; z <= std::min(planes, items / x / y); z *= 2) shapes.push_back(shape_text(x, y, z));
  return shapes;
}

std::vector<std::string> published_shapes(int items, int dimension) {
  std::set<std::array<int, 3>> shapes;
  const auto has_enough = [](int size) { return size >= published_least; };
  for (int i = 0; published_size(i) <= items; ++i)
    for (int j = 0; published_size(j) <= items / published_size(i); ++j) {
      const int x = published_size(i), y = published_size(j);
      for (int k = 0; published_size(k) <= std::min(dimension == 2 ? 1 : published_most_z, items / x / y); ++k)
        if (const int z = published_size(k); has_enough(x) || has_enough(y) || has_enough(z)) shapes.insert({x, y, z});
    }
  for (int x = 1; dimension == 2 && x <= items; ++x)
    if (items % x == 0) shapes.insert({x, items / x, 1});
  return each(shapes, [](const auto& shape) { return std::apply(shape_text, shape); });
}

std::vector<std::string> tile_shapes(int items) {
  std::vector<std::string> shapes;
  for (const int x : {16, 32, 48, 64, 96, 128})
    for (int y = 2; y <= 16 && (x + 2) * (y + 2) <= items; ++y) shapes.push_back(shape_text(x, y, 1));
  return shapes;
}

std::vector<std::string> shapes_for(const std::string& wanted, const ShapeLimits& limits, int dimension) {
  if (wanted == "powers") return power_shapes(limits.items, dimension == 2 ? 1 : limits.z);
  if (wanted == "published") return published_shapes(limits.items, dimension);
  if (wanted == "tiles") return tile_shapes(limits.items);
  return listed_shapes(wanted, dimension);
}

std::string beyond_limits(const std::string& shape, const ShapeLimits& limits) {
  const WorkGroup group = parse_work_group("--work-group", shape);
  if (group.x > limits.items / group.y / group.z)
    return fmt::format("more than the device's {} work-items", limits.items);
  if (group.x > limits.x) return fmt::format("more than the device's {} work-items in x", limits.x);
  if (group.y > limits.y) return fmt::format("more than the device's {} work-items in y", limits.y);
  if (group.z > 1 && group.z > limits.z) return fmt::format("more than the device's {} work-items in z", limits.z);
  return "";
}

std::string outcome_of(const Trial& trial) {
  const std::string seconds = trial.seconds ? significant(*trial.seconds, 4) + " s" : "";
  if (trial.end == Trial::End::measured) return seconds;
  const bool has_time = trial.end == Trial::End::stopped && trial.seconds;
  return fmt::format("{}: {}{}", word_of(trial.end), has_time ? seconds + ", " : "", trial.reason);
}

std::string options_words(const TunedOptions& options) {
  const auto words = [](const auto& option) { return fmt::format("--{} {}", option.first, option.second); };
  return options.empty() ? "defaults" : joined(options, " ", words);
}

ByName<const Trial*> best_of_stages(const SearchResult& result) {
  ByName<const Trial*> stages;
  for (const Trial& trial : result.trials) {
    if (trial.options.empty() || trial.end != Trial::End::measured) continue;
    const Trial*& best = stages[trial.stage];
    if (!best || *trial.seconds < *best->seconds) best = &trial;
  }
  return stages;
}

std::string counts_text(const SearchResult& result) {
  const std::size_t tried = result.trials.size() - static_cast<std::size_t>(result.count(Trial::End::skipped));
  std::string text = fmt::format("{} tried: {} measured in full, {} stopped early; {} skipped", tried,
                                 result.count(Trial::End::measured), result.count(Trial::End::stopped),
                                 result.count(Trial::End::skipped));
  if (result.left > 0) text += fmt::format("; {} not tried within the budget", result.left);
  text += '\n' + reasons_of(result, Trial::End::skipped);
  for (const auto end : {Trial::End::wrong, Trial::End::failed})
    if (const int count = result.count(end))
      text += fmt::format("{} {}:\n{}", count, word_of(end), reasons_of(result, end));
  return text;
}

}  // namespace boltzmark
