// The processes that run one program together.
#pragma once

namespace boltzmark {

/// A single process is a team of one.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  virtual void barrier() {}
  /// Collective: the lowest rank that passed true, or -1 when none did.
  virtual int first_that(bool mine) { return mine ? 0 : -1; }
  /// Collective: the largest of all ranks' numbers, on every rank.
  virtual double largest(double mine) { return mine; }
  /// Collective: the sum of all ranks' numbers, on every rank.
  virtual double sum(double mine) { return mine; }
  /// Ends every process at once; used when one rank alone fails and the others cannot know.
  [[noreturn]] virtual void abort(int status);
  bool is_root() const { return rank() == 0; }
};

}  // namespace boltzmark
