/*===- python.c - tt-run of a kernel in Python ------------------------------------------------===
 *
 *   tt-run kernel.py [ENTRY] [NAME=VALUE…] --check --arch=blackhole
 *     ->  tt-tilelang kernel.py [ENTRY] [NAME=VALUE…] --run=tt-run -- --check --arch=blackhole
 *
 * tt-tilelang, which lies beside tt-run, translates the kernel, calls tt-run on what it wrote,
 * and compares the results with Python's own.
 *
 *===----------------------------------------------------------------------===*/

#include "Run/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_python(const char *path) {
  size_t n = strlen(path);
  return n > 3 && strcmp(path + n - 3, ".py") == 0;
}

/* Whether the words hold a Python file as the kernel, and not as an option's value. */
static bool has_python(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "--", 2) == 0) i += tt_run_option_values(argv[i]);
    else return is_python(argv[i]);
  }
  return false;
}

int tt_python_run(TtArena *arena, int argc, char **argv) {
  if (!has_python(argc, argv)) return -1;
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n < 0) {
    perror("error: cannot find tt-tilelang beside tt-run: /proc/self/exe");
    return 1;
  }
  self[n] = 0;
  char *slash = strrchr(self, '/');
  char *tool = tt_arena_printf(arena, "%.*s/tt-tilelang", (int)(slash - self), self);
  char **words = tt_arena_alloc(arena, ((size_t)argc + 5) * sizeof *words);
  int count = 0, options = 0;
  words[count++] = tool;
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "--", 2) == 0) i += tt_run_option_values(argv[i]);
    else words[count++] = argv[i];
  }
  words[count++] = tt_arena_printf(arena, "--run=%s", self);
  words[count++] = "--";
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "--", 2) != 0) continue;
    for (options = tt_run_option_values(argv[i]); options >= 0 && i < argc; --options)
      words[count++] = argv[i++];
    --i;
  }
  words[count] = NULL;
  fflush(NULL);
  execv(tool, words);
  fprintf(stderr, "error: cannot start %s, which takes kernels in Python\n", tool);
  return 1;
}
