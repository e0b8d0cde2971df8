// Namespaces of Linux that a user may make: a view of the machine in which only one folder can be written to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/support/signals.hpp"

namespace boltzmark {

/// From here on this process, and whatever it starts, can write to `folder` alone (and to devices, and a /dev/shm of its
/// own), and finds nothing in the folders `hidden`. What it starts next is process 1 of a group that ends with it
/// and that sees no other process to send a signal to. Returns why that cannot be had, "" when it is done. The process
/// has one thread.
std::string isolate(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& hidden);

/// Whether that can be had, tried in a process of its own: why not, "" when it can.
std::string isolation_missing(SignalWatch& signals);

}  // namespace boltzmark
