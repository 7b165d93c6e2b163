/*===- find.c - where kernels are ---------------------------------------------------------===
 *
 * As the vendor's runtime looks them up: the path itself, then below TT_METAL_KERNEL_PATH
 * and TT_METAL_HOME. Where neither leads to it, the folders above the host program do: a
 * program in a tree names its kernels from the tree's root, or from a folder between.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, MAX_LEVELS = 8 };

static bool is_there(const char *folder, const char *path, char real[PATH_BYTES + 1]) {
  char candidate[2 * PATH_BYTES];
  snprintf(candidate, sizeof candidate, "%s%s%s", folder, *folder ? "/" : "", path);
  return access(candidate, R_OK) == 0 && realpath(candidate, real);
}

static bool find_above(const char *path, char real[PATH_BYTES + 1]) {
  const char *program = getenv("TTEMU_PROGRAM");
  char folder[PATH_BYTES];
  snprintf(folder, sizeof folder, "%s", program ? program : "");
  for (int level = 0; level < MAX_LEVELS; ++level) {
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder) return false;
    *slash = '\0';
    if (!is_there(folder, path, real)) continue;
    setenv("TT_METAL_HOME", folder, 0); /* what kernels include may be below it, too */
    return true;
  }
  return false;
}

char *emu_find_kernel(const char *path) {
  static const char *const variables[] = {"TT_METAL_KERNEL_PATH", "TT_METAL_HOME"};
  char real[PATH_BYTES + 1];
  if (is_there("", path, real)) return strdup(real);
  for (size_t i = 0; *path != '/' && i < sizeof variables / sizeof *variables; ++i) {
    const char *folder = getenv(variables[i]);
    if (folder && *folder && is_there(folder, path, real)) return strdup(real);
  }
  if (*path != '/' && find_above(path, real)) return strdup(real);
  emu_fatal("kernel '%s' is not found: not from the working directory, TT_METAL_KERNEL_PATH, "
            "TT_METAL_HOME or a folder above the host program",
            path);
}

const char *emu_tree(void) {
  const char *home = getenv("TT_METAL_HOME");
  return home && *home ? home : NULL;
}
