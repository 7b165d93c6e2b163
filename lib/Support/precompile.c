/*===- precompile.c - headers that GCC reads once --------------------------------------------===
 *
 *   H.hpp, flags -> cache: X.hpp, which includes H.hpp, and X.hpp.gch, what GCC made of it
 *
 * With `-include X.hpp`, GCC takes X.hpp.gch if that fits the flags and macros of its command, and
 * else X.hpp itself: a program is right either way, and compiled sooner with the first.
 *
 *===----------------------------------------------------------------------===*/

#include "Support/build_cache.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = 64 }; /* of a command line */

bool tt_build_precompile(const TtBuild *build, char header[TT_PATH_BYTES]) {
  static const char *const more[] = {"-x", "c++-header", NULL};
  const char *command[MAX_WORDS] = {NULL};
  char text[TT_PATH_BYTES + 16], product[TT_PATH_BYTES];
  size_t n = 0;
  TtBuild b = *build;
  for (; b.command[n] && n + 3 < MAX_WORDS; ++n) command[n] = b.command[n];
  for (size_t i = 0; more[i]; ++i) command[n++] = more[i];
  b.command = command, b.libraries = NULL, b.suffix = ".hpp.gch";
  snprintf(text, sizeof text, "#include \"%s\"\n", b.source);
  if (tt_build(&b, product) != TT_BUILD_OK || !tt_build_keep_text(b.cache, text, ".hpp", header))
    return false;
  product[strlen(product) - strlen(".gch")] = '\0';
  if (access(product, R_OK) != 0 && link(header, product) != 0 && errno != EEXIST) return false;
  snprintf(header, TT_PATH_BYTES, "%s", product);
  return true;
}
