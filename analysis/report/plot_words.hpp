// Words that the data of several plots share.
#pragma once

#include <cctype>
#include <string>

namespace boltzmark {

/// A name that can be a file's: everything but letters and digits becomes a dash.
inline std::string file_name(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return text;
}

inline const char* precision_words(const std::string& precision) {
  return precision == "f64" ? "double precision" : "single precision";
}

}  // namespace boltzmark
