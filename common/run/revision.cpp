// The generated header changes with commits, so only this file includes it.
#include "revision.hpp"

namespace boltzmark {

extern const char *const source_version = BOLTZMARK_VERSION, *const source_revision = BOLTZMARK_REVISION;

}  // namespace boltzmark
