// Text for LaTeX.
#pragma once

#include <string>
#include <string_view>

namespace boltzmark {

/// The text so that LaTeX prints what it says, wherever it stands: special characters, quotes and dashes that
/// would join, a bracket or star at the start of a table row; line breaks and tabs become blanks. Other UTF-8
/// stays as it is, which LaTeX reads since 2018.
std::string latex_text(std::string_view text);

}  // namespace boltzmark
