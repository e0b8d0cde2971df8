// How a program of several processes is started: mpirun, srun or whatever the user names.
#pragma once

#include <string>
#include <vector>

#include "analysis/support/process.hpp"

namespace boltzmark {

struct Launcher {
  std::string command =
      "mpirun -np {ranks}";    ///< words apart by blanks; {ranks} stands for the number of ranks
  std::string arguments = {};  ///< more words, put before the program
};

/// Throws Error (bad_input) when the command does not say where the number of ranks goes. `where` names the
/// option or plan key.
void check_launcher(const Launcher& launcher, const std::string& where);

/// The words that go before the program.
std::vector<std::string> launcher_words(const Launcher& launcher, int ranks);

/// Why nothing can be launched here and what to install, "" when the launcher's program is found.
std::string launcher_missing(const Launcher& launcher);

/// Variables that let Open MPI start as root, as in a container, and start more ranks than there are cores;
/// with several threads a rank also keep it from binding each rank to one core. Other launchers do not look
/// at them.
Environment launcher_environment(int threads = 1);

/// Splits at blanks.
std::vector<std::string> split_words(const std::string& text);
/// The inverse, for showing.
std::string join_words(const std::vector<std::string>& words, const std::string& between = " ");

}  // namespace boltzmark
