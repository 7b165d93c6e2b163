/* The project's version, which CMakeLists.txt says and CHANGELOG.md tells about. */
#include "tilewright/tilewright.h"

const char *tilewright_version(void) { return TILEWRIGHT_VERSION; }
