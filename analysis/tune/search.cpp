#include "analysis/tune/search.hpp"

#include <algorithm>

namespace boltzmark {
namespace {

class Search {
 public:
  explicit Search(const TryOptions& try_options) : try_options_(try_options) {}

  /// False when the search has ended.
  bool attempt(const TunedOptions& options, const std::string& stage) {
    ++asked_;
    if (was_tried(options)) return true;
    const Trial* const best = result.best();
    auto trial = try_options_(options, best ? best->seconds : std::nullopt);
    if (!trial) return false;
    trial->options = options;
    trial->stage = stage;
    result.trials.push_back(std::move(*trial));
    return true;
  }

  /// The values of one tunable, together with what was best before. False as above.
  bool vary(const Tunable& tunable) {
    const Trial* const best = result.best();
    const TunedOptions base = best ? best->options : TunedOptions{};
    for (const auto& value : tunable.values) {
      TunedOptions options = base;
      options[tunable.option] = value;
      if (!attempt(options, tunable.option)) return false;
    }
    return true;
  }

  /// Every combination of the values from tunable `k` on. False as above.
  bool combine(const std::vector<Tunable>& tunables, std::size_t k, TunedOptions& options) {
    if (k == tunables.size()) return attempt(options, "all");
    for (const auto& value : tunables[k].values) {
      options[tunables[k].option] = value;
      if (!combine(tunables, k + 1, options)) return false;
    }
    return true;
  }

  SearchResult result;
  /// How often attempt() was called, the last in vain when the search has ended.
  std::size_t asked() const { return asked_; }

 private:
  bool was_tried(const TunedOptions& options) const {
    return std::any_of(result.trials.begin(), result.trials.end(),
                       [&](const Trial& trial) { return trial.options == options; });
  }

  const TryOptions& try_options_;
  std::size_t asked_ = 0;
};

}  // namespace

const Trial* SearchResult::best() const {
  const Trial* found = nullptr;
  for (const Trial& trial : trials)
    if (trial.end == Trial::End::measured && (!found || *trial.seconds < *found->seconds)) found = &trial;
  return found;
}

const Trial* SearchResult::worst() const {
  const Trial* found = nullptr;
  for (const Trial& trial : trials)
    if (trial.seconds && trial.end != Trial::End::wrong && (!found || *trial.seconds > *found->seconds)) found = &trial;
  return found;
}

const Trial* SearchResult::defaults() const {
  const auto at = std::find_if(trials.begin(), trials.end(), [](const Trial& trial) { return trial.options.empty(); });
  return at == trials.end() ? nullptr : &*at;
}

int SearchResult::count(Trial::End end) const {
  return static_cast<int>(
      std::count_if(trials.begin(), trials.end(), [end](const Trial& trial) { return trial.end == end; }));
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
  Search search(try_options);
  bool whole = search.attempt({}, "default");
  if (whole && search.result.best() && !tunables.empty()) {
    TunedOptions options;
    if (all)
      whole = search.combine(tunables, 0, options);
    else
      whole = std::all_of(tunables.begin(), tunables.end(),
                          [&search](const Tunable& tunable) { return search.vary(tunable); });
  }
  if (!whole) search.result.left = static_cast<int>(search_size(tunables, all) - (search.asked() - 1));
  return std::move(search.result);
}

}  // namespace boltzmark
