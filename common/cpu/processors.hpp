// The processors of this machine that this process may use.
#pragma once

#include <sched.h>

namespace boltzmark {

/// All if the system does not report them.
cpu_set_t usable_processors();

/// Their number.
int usable_cores();

/// The cores behind them, hardware threads of one core counted once, and no more than a control group allows.
int usable_physical_cores();

/// The parts of memory that are near some of these processors and far from others; at least 1.
int usable_numa_nodes();

}  // namespace boltzmark
