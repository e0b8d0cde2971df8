#include "analysis/peaks/peaks_command.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "analysis/peaks/measure.hpp"
#include "analysis/peaks/peaks_output.hpp"
#include "analysis/roofline/comparison_text.hpp"
#include "analysis/support/results_folder.hpp"
#include "common/base/print.hpp"

namespace boltzmark {
namespace {

int stopped(const SignalWatch& signals) {
  print_text(stderr, "boltzmark: stopped; what was measured before is as it was\n");
  return 128 + signals.stopped_by();
}

int print_commands(const PeaksRequest& request, SignalWatch& signals) {
  const auto commands = commands_for_peaks(request, signals);
  if (!commands) return stopped(signals);
  for (const auto& command : *commands) print("{}\n", command);
  if (commands->empty())
    print("# nothing: {} is of this machine and this build\n", peaks_file(request.results).string());
  return 0;
}

}  // namespace

int peaks_command(const PeaksOptions& options) {
  const PeaksRequest request{.results = options.results,
                             .processor = options.only != "opencl",
                             .devices = options.only != "cpu",
                             .fresh = options.fresh,
                             .brief = options.brief,
                             .time_limit_seconds = options.time_limit_seconds};
  SignalWatch signals;
  if (options.dry_run) return print_commands(request, signals);
  const FolderLock lock(options.results);
  Progress progress(Progress::style_for(options.quiet));
  const auto answer = measure_or_load_peaks(request, signals, progress);
  if (!answer) return stopped(signals);
  for (const auto& complaint : answer->complaints) print_text(stderr, "boltzmark: " + complaint + '\n');
  if (answer->peaks.processor.cores == 0 && answer->peaks.devices.empty())
    return 1;  // the lines above say why
  print("{}Peaks: {}{}\n", peaks_text(answer->peaks, table_width()), peaks_file(options.results).string(),
        answer->measured ? "" : " (measured before; --fresh measures anew)");
  return answer->failed ? 1 : 0;
}

}  // namespace boltzmark
