// What the user sees while runs go on: one line that changes on a terminal, one line a run in a log.
#pragma once

#include <string>

#include "analysis/support/process.hpp"

namespace boltzmark {

/// Writes to standard error, so that standard output holds the results alone.
class Progress {
 public:
  enum class Style { quiet, lines, terminal };
  /// quiet, or what standard error is fit for.
  static Style style_for(bool quiet);

  explicit Progress(Style style) : style_(style) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// A line that stays, also when quiet is not asked for.
  void say(const std::string& line);
  /// A line that the next one replaces; only on a terminal.
  void show(const std::string& line);
  /// A finished piece of work: a line that stays in a log and is replaced on a terminal.
  void done(const std::string& line);
  /// Wipes the line that show() left.
  void clear();

 private:
  Style style_;
  bool showing_ = false;
};

/// The call was stopped: wipes the progress line, says so, and gives the exit status.
int end_stopped(Progress& progress, const SignalWatch& signals, const std::string& line);

/// Columns of the terminal behind a file descriptor, or `otherwise` when it is none.
int terminal_width(int descriptor, int otherwise);

/// "8 s", "2:05 min", "1:02:03 h".
std::string duration(double seconds);

}  // namespace boltzmark
