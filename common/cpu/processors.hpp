// The processors of this machine that this process may use.
#pragma once

#include <sched.h>

#include <vector>

namespace boltzmark {

/// As at the first call, so that binding a thread later does not reduce them. All processors if the system does not
/// report them.
cpu_set_t usable_processors();

/// Their numbers in rising order; and in an order with one of every core before any core's second hardware thread.
std::vector<int> usable_processor_numbers();
std::vector<int> usable_processors_by_core();

/// Number of threads that run on them at a time: at most as many as a control group leaves time for.
int usable_cores();

/// The same for their cores, with the hardware threads of a core counted once.
int usable_physical_cores();

/// Number of NUMA nodes of these processors; at least 1.
int usable_numa_nodes();

}  // namespace boltzmark
