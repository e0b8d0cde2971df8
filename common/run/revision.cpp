// The generated header is read here alone: it changes with each commit.
#include "revision.hpp"

namespace boltzmark {

extern const char *const source_version = BOLTZMARK_VERSION, *const source_revision = BOLTZMARK_REVISION;

}  // namespace boltzmark
