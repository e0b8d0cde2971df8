// Which of two lists belong together.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace boltzmark {

/// Either is nullptr where only the other side has it.
template <class T>
using Pair = std::pair<const T*, const T*>;

/// Pairs by one rule after the other; a rule pairs two that fit each other and nothing else that is left.
/// In the order of `a`, what only `b` has at the end. The lists must outlive the pairs.
template <class T>
std::vector<Pair<T>> pair_up(const std::vector<T>& a, const std::vector<T>& b,
                             const std::vector<std::function<bool(const T&, const T&)>>& rules) {
  std::vector<Pair<T>> pairs;
  for (const T& element : a) pairs.push_back({&element, nullptr});
  std::vector<const T*> left;
  for (const T& element : b) left.push_back(&element);
  for (const auto& rule : rules)
    for (auto& [first, second] : pairs) {
      if (second) continue;
      const T& wanted = *first;
      const auto fits = [&](const T* other) { return rule(wanted, *other); };
      if (std::count_if(left.begin(), left.end(), fits) != 1) continue;
      const auto at = std::find_if(left.begin(), left.end(), fits);
      const auto rivals = std::count_if(pairs.begin(), pairs.end(), [&](const Pair<T>& pair) {
        return !pair.second && rule(*pair.first, **at);
      });
      if (rivals != 1) continue;
      second = *at;
      left.erase(at);
    }
  for (const T* element : left) pairs.push_back({nullptr, element});
  return pairs;
}

}  // namespace boltzmark
