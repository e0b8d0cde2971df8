// The clock of the core that we are on, measured without counters, which containers and guests rarely have.
#pragma once

namespace boltzmark {

/// Cycles a second, from a chain of dependent integer additions: each waits for the one before, and an
/// addition of two registers takes one cycle on every processor in use, however many units it has. Takes a
/// fifth of a millisecond; of several stretches the fastest counts, for an interrupt only ever makes one
/// slower. What the core did just before still sets the clock: processors that slow down for wide vectors
/// need longer than this to speed up again.
double measure_clock_hz();

}  // namespace boltzmark
