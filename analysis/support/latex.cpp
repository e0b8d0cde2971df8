#include "analysis/support/latex.hpp"

#include <array>
#include <utility>

namespace boltzmark {
namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

// A command is ended by {}, so that no letter or blank after it is taken for a part of it.
constexpr std::array<Replacement, 26> replacements = {{{"\\", "\\textbackslash{}"},
                                                       {"{", "\\{"},
                                                       {"}", "\\}"},
                                                       {"&", "\\&"},
                                                       {"%", "\\%"},
                                                       {"$", "\\$"},
                                                       {"#", "\\#"},
                                                       {"_", "\\_"},
                                                       {"~", "\\textasciitilde{}"},
                                                       {"^", "\\textasciicircum{}"},
                                                       {"<", "\\textless{}"},
                                                       {">", "\\textgreater{}"},
                                                       {"|", "\\textbar{}"},
                                                       {"\"", "''"},
                                                       {"`", "\\textasciigrave{}"},
                                                       {"'", "\\textquotesingle{}"},
                                                       {"[", "{[}"},  // no option of the line end before it
                                                       {"*", "{*}"},  // nor its star
                                                       {"\n", " "},
                                                       {"\t", " "},
                                                       {"\r", ""},
                                                       {"\u2026", "\\dots{}"},
                                                       {"\u00d7", "\\texttimes{}"},
                                                       {"\u00b5", "\\textmu{}"},
                                                       {"\u00ae", "\\textregistered{}"},
                                                       {"\u2122", "\\texttrademark{}"}}};

}  // namespace

std::string latex_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::string_view from = text.substr(0, 1), to = from;
    for (const auto& [special, command] : replacements)
      if (text.starts_with(special)) {
        from = special;
        to = command;
        break;
      }
    result += to;
    if (text.starts_with("--")) result += "{}";  // two dashes would become a long one
    text.remove_prefix(from.size());
  }
  return result;
}

}  // namespace boltzmark
