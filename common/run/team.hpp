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
  /// Collective: the lowest rank that passed true, or -1 if none did.
  virtual int first_that(bool mine) { return mine ? 0 : -1; }
  /// Collective: the largest of all ranks' numbers, on every rank.
  virtual double largest(double mine) { return mine; }
  /// Collective: the sum of all ranks' numbers, on every rank.
  virtual double sum(double mine) { return mine; }
  /// Ends all processes at once, for a failure of a single rank that the others cannot see.
  [[noreturn]] virtual void abort(int status);
  bool is_root() const { return rank() == 0; }
};

}  // namespace boltzmark
