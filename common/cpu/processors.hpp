// The processors of this machine that this process may use.
#pragma once

#include <sched.h>

#include <vector>

namespace boltzmark {

/// As first asked for: a thread that is bound later does not make them fewer. All if the system does not report them.
cpu_set_t usable_processors();

/// Their numbers in rising order; and one of every core before any core's second hardware thread.
std::vector<int> usable_processor_numbers();
std::vector<int> usable_processors_by_core();

/// How many threads run on them at a time: their number, and no more than a control group leaves of their time.
int usable_cores();

/// The same of the cores behind them, hardware threads of one core counted once.
int usable_physical_cores();

/// The parts of memory that are near some of these processors and far from others; at least 1.
int usable_numa_nodes();

}  // namespace boltzmark
