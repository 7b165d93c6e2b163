/*===- find.c - where kernels are ---------------------------------------------------------===
 *
 * As the vendor's runtime looks them up: the path itself, then below TT_METAL_KERNEL_PATH
 * and TT_METAL_HOME. Where neither leads to it, the folders above the host program do: a
 * program in a tree names its kernels from the tree's root, or from a folder between. A path from
 * another machine, or from a tree that the program was taken out of, ends as it does here: the
 * longest end that leads to a file from the program's folder, or from one above it, is taken, and
 * said.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, MAX_LEVELS = 8, NEAR_LEVELS = 3 };

static bool is_there(const char *folder, const char *path, char real[PATH_BYTES + 1]) {
  char candidate[2 * PATH_BYTES];
  snprintf(candidate, sizeof candidate, "%s%s%s", folder, *folder ? "/" : "", path);
  return access(candidate, R_OK) == 0 && realpath(candidate, real);
}

/* Below the program's folder, or one of the `levels - 1` above it; `folder` is that one then. */
static bool find_near(const char *path, int levels, char folder[PATH_BYTES],
                      char real[PATH_BYTES + 1]) {
  const char *program = getenv("TTEMU_PROGRAM");
  snprintf(folder, PATH_BYTES, "%s", program ? program : "");
  for (int level = 0; level < levels; ++level) {
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder) return false;
    *slash = '\0';
    if (is_there(folder, path, real)) return true;
  }
  return false;
}

static bool find_above(const char *path, char real[PATH_BYTES + 1]) {
  char folder[PATH_BYTES];
  if (!find_near(path, MAX_LEVELS, folder, real)) return false;
  setenv("TT_METAL_HOME", folder, 0); /* what kernels include may be below it, too */
  return true;
}

/* By an end of the path that has a folder in it: a file's name alone says too little. */
static bool find_end(const char *path, char real[PATH_BYTES + 1]) {
  char folder[PATH_BYTES];
  for (const char *end = strchr(path, '/'); end && strchr(end + 1, '/');
       end = strchr(end + 1, '/')) {
    if (!find_near(end + 1, NEAR_LEVELS, folder, real)) continue;
    static char said[PATH_BYTES + 1];
    if (strcmp(said, real) != 0)
      fprintf(stderr, "note: kernel '%s' is not there; '%s' is taken\n", path, real);
    memcpy(said, real, sizeof said);
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
  if (find_end(path, real)) return strdup(real);
  emu_fatal("kernel '%s' is not found: not from the working directory, TT_METAL_KERNEL_PATH, "
            "TT_METAL_HOME or a folder above the host program",
            path);
}

const char *emu_tree(void) {
  const char *home = getenv("TT_METAL_HOME");
  return home && *home ? home : NULL;
}
