// Searches in ranges and values of all elements; maps that keep names in the order of first use.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "common/base/text.hpp"

namespace boltzmark {

/// The first element that fits, or nullptr.
template <class Range, class Fits>
auto* find_where(Range&& range, const Fits& fits) {
  const auto at = std::ranges::find_if(range, fits);
  return at == std::ranges::end(range) ? nullptr : &*at;
}

/// The first with this value of a member or function, or nullptr.
template <class Range, class Value, class Of>
auto* find_by(Range&& range, const Value& value, Of of) {
  return find_where(range, [&](const auto& one) { return std::invoke(of, one) == value; });
}

/// The first element with the highest figure among those that fit; nullptr if none fits.
template <class Range, class Fits, class Figure>
auto* find_highest(Range&& range, const Fits& fits, const Figure& figure) {
  auto* best = find_where(range, fits);
  if (best)
    for (auto& one : range)
      if (fits(one) && std::invoke(figure, one) > std::invoke(figure, *best)) best = &one;
  return best;
}

/// A member or function of each.
template <class Range, class Of>
auto each(Range&& range, Of of) {
  std::vector<std::decay_t<std::invoke_result_t<Of, std::ranges::range_reference_t<Range>>>> values;
  for (auto&& one : range) values.push_back(std::invoke(of, one));
  return values;
}

/// 1, 2, 4 ... and `most`.
inline std::vector<int> doubled_up_to(int most) {
  std::vector<int> counts;
  for (int count = 1; count < most; count *= 2) counts.push_back(count);
  counts.push_back(most);
  return counts;
}

/// Of values above zero.
inline double harmonic_mean(const std::vector<double>& values) {
  double inverse = 0.0;
  for (const double value : values) inverse += 1.0 / value;
  return static_cast<double>(values.size()) / inverse;
}

/// A text of each element, joined with words between them.
template <class Range, class Of>
std::string joined(Range&& range, std::string_view between, Of of) {
  std::vector<std::string> words;
  for (auto&& one : range) words.push_back(std::invoke(of, one));
  return join(words, between);
}

inline void add_once(std::vector<std::string>& words, const std::string& word) {
  if (!contains(words, word)) words.push_back(word);
}

template <class Value>
class ByName {
 public:
  /// A new value if the name is new.
  Value& operator[](const std::string& name) {
    const auto [at, is_new] = position_.try_emplace(name, values_.size());
    if (is_new) values_.emplace_back(name, Value());
    return values_[at->second].second;
  }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<std::pair<std::string, Value>> values_;
  std::map<std::string, std::size_t> position_;
};

}  // namespace boltzmark
