// The user's own program: how it is built and started, and the time that it reports. It takes the files
// PARAMS and OBSTACLES, writes final_state.dat and av_vels.dat in the folder where it is started, and prints a line
// "Elapsed Compute time: SECONDS", as the programs of the coursework do.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/support/commands.hpp"
#include "analysis/support/process.hpp"

namespace boltzmark {

/// The model of such programs in records and tables; the variant is the program's name.
inline constexpr const char* own_model = "own";

struct OwnProgram {
  std::string name;
  /// For the shell. {params} and {obstacles} stand for the two files, which are its last words where it has
  /// neither; {threads} and {ranks} for what a run is said to have.
  std::string run;
  fs::path base = ".";     ///< words with a slash that name a file from here on mean that file
  fs::path folder = {};    ///< its sources: built and started in a copy; "": it is where `run` says
  std::string build = {};  ///< for the shell, in that copy
  Environment environment = {};
  double tolerance = own_tolerance;
  int threads = 0;  ///< of a rank, also as OMP_NUM_THREADS; 0: it decides itself
  int ranks = 0;
};

/// The files of a problem.
struct OwnArguments {
  fs::path params, obstacles;
};

/// Throws Error (bad_input) where the line of `run` has braces with another word, or one of the two files alone.
/// `where` names the option or plan key.
void check_own_line(const std::string& run, const std::string& where);

/// The line for the shell.
std::string own_line(const OwnProgram& program, const OwnArguments& arguments);

/// Changes with whatever makes it another program: commands, environment, tolerance, what the files named hold.
std::string own_digest(const OwnProgram& program);

/// A digest of names and contents of all files below a folder. Throws Error (bad_input).
std::string digest_of_folder(const fs::path& folder);

/// The seconds that a program says it computed: in the last line that begins with "Elapsed Compute time:", or
/// without any the last that begins with "Elapsed time:". None where there is neither, or no number above zero in it.
std::optional<double> said_seconds(std::string_view output);

}  // namespace boltzmark
