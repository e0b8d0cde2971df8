// Names in the order in which they first came: once each, and with values.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/base/text.hpp"

namespace boltzmark {

inline void add_once(std::vector<std::string>& words, const std::string& word) {
  if (!contains(words, word)) words.push_back(word);
}

template <class Value>
class ByName {
 public:
  /// A new value where the name is new.
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
