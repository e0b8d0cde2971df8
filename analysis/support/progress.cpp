#include "analysis/support/progress.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "analysis/support/table.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

int terminal_width(int descriptor, int otherwise) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

Progress::Style Progress::style_for(bool quiet) {
  if (quiet) return Style::quiet;
  return isatty(STDERR_FILENO) ? Style::terminal : Style::lines;
}

void Progress::say(const std::string& line) {
  if (style_ == Style::quiet) return;
  clear();
  print_text(stderr, one_line(line) + '\n');
}

void Progress::show(const std::string& line) {
  if (style_ != Style::terminal) return;
  // A line that wraps could not be wiped again.
  print_text(stderr, '\r' + shortened(one_line(line), terminal_width(STDERR_FILENO, 80) - 1) + "\x1b[K");
  std::fflush(stderr);
  showing_ = true;
}

void Progress::done(const std::string& line) {
  if (style_ == Style::lines) say(line);
  if (style_ == Style::terminal) show(line);
}

void Progress::clear() {
  if (!showing_) return;
  print_text(stderr, "\r\x1b[K");
  std::fflush(stderr);
  showing_ = false;
}

int end_stopped(Progress& progress, const SignalWatch& signals, const std::string& line) {
  progress.clear();
  print_note("boltzmark", line);
  return 128 + signals.stopped_by();
}

std::string duration(double seconds) {
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02} h", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace boltzmark
